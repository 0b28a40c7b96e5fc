package ratings

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"spar/configs/must"
)

// A score and its mirror image have mirrored intervals, whatever the number of results: half successes lean to neither
// side.
func TestIntervalsAreMirrored(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]int{3, 5}).Draw(t, "outcomes")
		counts := make([]float64, size)
		for i := range counts {
			counts[i] = float64(rapid.IntRange(0, 4).Draw(t, "count"))
		}
		mirror := slices.Clone(counts)
		slices.Reverse(mirror)
		a, err := AnalyzeMatch(counts, 0.95)
		b, err2 := AnalyzeMatch(mirror, 0.95)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if a.Elo.Interval.LoOpen != b.Elo.Interval.HiOpen || a.Elo.Interval.HiOpen != b.Elo.Interval.LoOpen ||
			math.Abs(a.Elo.Interval.Lo+b.Elo.Interval.Hi) > 1e-4 || math.Abs(a.Elo.Interval.Hi+b.Elo.Interval.Lo) > 1e-4 ||
			math.Abs(a.Score.SE-b.Score.SE) > 1e-12 {
			t.Errorf("%v: %+v, mirrored %+v", counts, a.Elo.Interval, b.Elo.Interval)
		}
		if !a.Elo.Interval.Contains(a.Elo.Value) {
			t.Errorf("%v: %g outside %+v", counts, a.Elo.Value, a.Elo.Interval)
		}
	})
}

// The ends of the exact interval of half a success in one trial are quantiles of the beta distributions with 1/2 and
// 3/2, whose distribution function is 2/π (asin √x ± √(x(1-x))); those of whole successes are as ever.
func TestExactIntervalOfHalves(t *testing.T) {
	t.Parallel()
	m := must.Get(AnalyzeMatch([]float64{0, 1, 0}, 0.95))(t)
	lo, hi := ExpectedScore(m.Elo.Interval.Lo), ExpectedScore(m.Elo.Interval.Hi)
	near(t, "below the lower end", 2/math.Pi*(math.Asin(math.Sqrt(lo))+math.Sqrt(lo*(1-lo))), 0.025, 1e-9, 0)
	near(t, "below the upper end", 2/math.Pi*(math.Asin(math.Sqrt(hi))-math.Sqrt(hi*(1-hi))), 0.975, 1e-9, 0)
	near(t, "middle", lo+hi, 1, 1e-12, 0)
}
