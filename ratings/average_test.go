package ratings

import (
	"math"
	"math/rand/v2"
	"testing"
)

// 0.7 [0.6, 0.9] less 0.5 [0.4, 0.8]: the value is 0.2; below it lie hypot(0.7-0.6, 0.8-0.5) = hypot(0.1, 0.3) =
// 0.31623, above it hypot(0.9-0.7, 0.5-0.4) = hypot(0.2, 0.1) = 0.22361.
func TestChange(t *testing.T) {
	t.Parallel()
	before := WithInterval(0.5, 0.4, 0.8, 30)
	after := WithInterval(0.7, 0.6, 0.9, 20)
	d := Change(before, after)
	near := func(a, b float64) bool { return math.Abs(a-b) < 5e-6 }
	if !near(d.Value, 0.2) || !near(d.Lo, 0.2-0.316228) || !near(d.Hi, 0.2+0.223607) || d.N != 20 {
		t.Errorf("difference %+v, want 0.2 [-0.11623, 0.42361] n 20", d)
	}
	before.HiOpen = true
	if d := Change(before, after); !d.LoOpen || d.HiOpen {
		t.Errorf("%+v: less something without an upper limit has no lower limit", d)
	}
	if d := Change(Estimate{}, after); d.Known() {
		t.Errorf("a difference from nothing: %+v", d)
	}
}

// Two pairs of games of 5 and 7 and of 9 and 9 plies: mean 7.5, the sums differ from 15 by 3 each, so the variance is
// 2·(9+9)/16 and Student's t with one degree is 12.7062. Nothing in 30 games: at most -ln(0.025)/30 a game.
func TestAverage(t *testing.T) {
	t.Parallel()
	var c, zero, one ClusteredMean
	c.Add(12, 2, 0)
	c.Add(18, 2, 0)
	if e := c.Average(0.95); e.Value != 7.5 || math.Abs(e.SE-math.Sqrt(36.0/16)) > 1e-12 ||
		math.Abs(e.Hi-(7.5+12.7062*1.5)) > 1e-3 || e.Lo != 0 || e.N != 4 {
		t.Errorf("%+v", e)
	}
	zero.AddMany(0, 1, 30, 0)
	if e := zero.Average(0.95); e.Value != 0 || e.Lo != 0 || math.Abs(e.Hi+math.Log(0.025)/30) > 1e-12 {
		t.Errorf("%+v", e)
	}
	one.Add(3, 1, 0)
	if e := one.Average(0.95); !e.LoOpen || !e.HiOpen || e.Note == "" {
		t.Errorf("%+v", e)
	}
	// Intervals of skewed values in pairs that share a level hold in about 95 %: of 1000, the standard error is 0.7 %.
	rng, hits := rand.New(rand.NewPCG(1, 2)), 0
	for range 1000 {
		var c ClusteredMean
		for range 40 {
			level := rng.ExpFloat64()
			c.Add(2*level+rng.Float64()+rng.Float64(), 2, 0)
		}
		if e := c.Average(0.95); e.Contains(1.5) {
			hits++
		}
	}
	if hits < 915 || hits > 975 {
		t.Errorf("%d of 1000 intervals hold the mean", hits)
	}
}
