package ratings

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

// The variance of a flow is that of the mean of its two seats, each shrunk by half a game, over the square of the logit's slope; games against others
// and of other seats are not its own. As first a has 5 wins, 3 draws, 2 losses, as second 1 win, 1 draw, 4 losses.
func TestFlowVarianceByHand(t *testing.T) {
	t.Parallel()
	own := all(count("a", "b", 5, 3, 2), count("b", "a", 4, 1, 1))
	others := all(count("a", "c", 9, 0, 1), count("c", "b", 1, 7, 2), count("b", "c", 3, 0, 3), count("c", "a", 0, 9, 0))
	seat := func(w, d, l float64) (mean, variance float64) {
		n := w + d + l
		mean = (w + d/2 + 0.25) / (n + 0.5)
		return mean, (mean*(1-mean) - d/n/4) / n
	}
	_, v1 := seat(5, 3, 2)
	_, v2 := seat(1, 1, 4)
	s := (16*(0.65+0.25)/2 + 0.25) / 16.5 // of 16 games, half of 6½ of 10 and 1½ of 6
	slope := math.Ln10 / 400 * s * (1 - s)
	for name, fill := range map[string]func(*Builder) error{"alone": own, "among others": all(own, others)} {
		table := build(t, fill)
		p := table.payoff()
		near(t, name, table.flowVariance(p, 0, 1), (v1+v2)/4/(slope*slope), 1e-9, 0)
		near(t, name+", reversed", table.flowVariance(p, 1, 0), (v1+v2)/4/(slope*slope), 1e-9, 0)
	}
	// Of one seat the variance is its own; nothing but draws leaves a twentieth of that without.
	one := build(t, count("b", "a", 4, 1, 1))
	m, v := seat(1, 1, 4)
	slope = math.Ln10 / 400 * m * (1 - m)
	near(t, "one seat", one.flowVariance(one.payoff(), 0, 1), v/(slope*slope), 1e-9, 0)
	drawn := build(t, count("a", "b", 0, 8, 0))
	near(t, "draws", drawn.flowVariance(drawn.payoff(), 0, 1), 0.05*0.25/8/math.Pow(math.Ln10/1600, 2), 1e-9, 0)
}

// One game in a seat counts as much as many in the other.
func TestPayoffOfOneGameInASeat(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fill func(*Builder) error
		want float64
	}{
		"one as first":  {all(count("a", "b", 1, 0, 0), count("b", "a", 3, 0, 1)), (1 + 0.25) / 2},
		"one as second": {all(count("a", "b", 3, 0, 1), count("b", "a", 1, 0, 0)), 0.75 / 2},
		"one in each":   {all(count("a", "b", 0, 0, 1), count("b", "a", 0, 1, 0)), 0.25},
	} {
		p := build(t, c.fill).payoff()
		near(t, name, p.score[0][1], c.want, 1e-12, 0)
		near(t, name+", reversed", p.score[1][0], 1-c.want, 1e-12, 0)
	}
}

// Two groups of which one played a single game and the other nearly as many as there can be: either potential is its own flow, however far apart the
// weights are.
func TestPotentialsOfUnequalGroups(t *testing.T) {
	t.Parallel()
	const many = maxGames/4 - 1
	h := build(t, all(count("a", "b", 1, 0, 0), count("c", "d", 3*many, 0, many))).Hodge()
	near(t, "one game", h.Ratings[0]-h.Ratings[1], 400*math.Log10(1.25/0.25), 1e-6, 0)
	near(t, "many games", h.Ratings[2]-h.Ratings[3], 400*math.Log10(3), 1e-6, 0)
}

// One game says little: among replicates of it either of the two is now and then the better. With the best of nothing but wins, hardly.
func TestReplicatesOfOneGame(t *testing.T) {
	t.Parallel()
	n, err := build(t, count("a", "b", 1, 0, 0)).NashBootstrap(40, 1, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		near(t, fmt.Sprint("lower limit of ", i), n.MassLo[i], 0, 1e-3, 0)
		near(t, fmt.Sprint("upper limit of ", i), n.MassHi[i], 1, 1e-3, 0)
	}
	if n, err = build(t, count("a", "b", 4000, 0, 1000)).NashBootstrap(20, 1, 0.8); err != nil || n.MassLo[0] < 0.999 || n.MassHi[1] > 0.001 {
		t.Errorf("%+v, %v", n, err)
	}
}

// From one replicate to ten thousand, at a level between 0 and 1.
func TestOptionsOfReplicates(t *testing.T) {
	t.Parallel()
	table := build(t, func(b *Builder) error { return b.AddPlayer("a") })
	for _, c := range []struct {
		replicates int
		level      float64
		taken      bool
	}{{1, 0.9, true}, {10000, 0.9, true}, {0, 0.9, false}, {-1, 0.9, false}, {10001, 0.9, false}, {1, 0, false}, {1, 1, false}, {1, math.NaN(), false}} {
		n, err := table.NashBootstrap(c.replicates, 1, c.level)
		if (err == nil) != c.taken || !c.taken && !errors.Is(err, ErrOptions) || c.taken && (n.Mass[0] != 1 || n.MassLo[0] != 1 || n.MassHi[0] != 1 || n.Replicates != c.replicates) {
			t.Errorf("%+v: %+v, %v", c, n, err)
		}
	}
}

// Of two replicates the lesser is the lower limit and the greater the upper one.
func TestLimitsOfTwoReplicates(t *testing.T) {
	t.Parallel()
	table, apart := build(t, count("a", "b", 1, 0, 0)), 0
	for seed := range uint64(20) {
		n, err := table.NashBootstrap(2, seed, 0.2)
		if err != nil || n.MassLo[0] > n.MassHi[0] || n.MassLo[1] > n.MassHi[1] {
			t.Fatalf("%+v, %v", n, err)
		}
		if n.MassLo[0] < 0.01 && n.MassHi[0] > 0.99 {
			apart++
		}
	}
	if apart < 3 {
		t.Errorf("the two are on different sides in %d of 20", apart)
	}
}

// A single cluster says nothing of a variance, whatever the rounding of its share leaves: it counts as one trial.
func TestShareOfASingleCluster(t *testing.T) {
	t.Parallel()
	for n := int64(1); n <= 30; n++ {
		for k := range n + 1 {
			var c ClusteredShare
			c.Add(k, n)
			se, v := WilsonMean(float64(k)/float64(n), 1, 0.95)
			if s := c.Share(0.95); s.SE != se || s.Interval != v {
				t.Errorf("%d of %d: %+v, want the interval of one trial, %v", k, n, s, v)
			}
		}
	}
}
