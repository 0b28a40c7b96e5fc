package balance

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/ratings"
)

func TestQuantileOfType7(t *testing.T) {
	t.Parallel()
	xs := []float64{1, 2, 4, 8}
	// Positions 0.25*3 = 0.75 and 0.9*3 = 2.7 between the order statistics.
	for p, want := range map[float64]float64{0.25: 1.75, 0.9: 6.8, 1: 8} {
		near(t, "quantile", quantileOf(len(xs), func(i int) float64 { return xs[i] }, p), want)
	}
}

// With 20 values the ranks 6 and 15 enclose the median with 95.86 % (binomial tails of 5 and fewer: 2.07 % each); ranks
// 7 and 14 would with 88.5 %.
func TestQuantileIntervalHasTheRanksOfTheBinomial(t *testing.T) {
	t.Parallel()
	var xs []float64
	for i := range 20 {
		xs = append(xs, float64(i+1))
	}
	q := newMeasurer(Options{}).quantile(len(xs), func(i int) float64 { return xs[i] }, 0.5, "plies")
	if q.Lo != 6 || q.Hi != 15 || q.LoOpen || q.HiOpen || q.Value != 10.5 {
		t.Errorf("%+v", q)
	}
}

// Intervals of 95 % hold the truth in about 95 % of repeated samples: of 400, the standard error is 1.1 %.
func TestCoverage(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	rng := rand.New(rand.NewPCG(1, 2))
	const samples, n = 400, 60
	var median, score int
	for range samples {
		xs := make([]float64, n)
		var w, d, l int64
		for i := range xs {
			xs[i] = rng.ExpFloat64()
			switch u := rng.Float64(); {
			case u < 0.5:
				w++
			case u < 0.8:
				d++
			default:
				l++
			}
		}
		in := func(n ratings.Estimate, truth float64) int {
			if n.Lo <= truth && truth <= n.Hi {
				return 1
			}
			return 0
		}
		slices.Sort(xs)
		median += in(m.quantile(len(xs), func(i int) float64 { return xs[i] }, 0.5, "plies"), math.Ln2)
		score += in(m.score(w, d, l), 0.65)
	}
	for name, hits := range map[string]int{"median": median, "score": score} {
		if share := float64(hits) / samples; share < 0.905 || share > 0.99 {
			t.Errorf("%s: %.3f of the intervals hold the truth", name, share)
		}
	}
}

func TestCombine(t *testing.T) {
	t.Parallel()
	a := ratings.Estimate{Value: 10, Interval: ratings.Interval{Lo: 7, Hi: 14}, N: 5}
	b := ratings.Estimate{Value: 4, Interval: ratings.Interval{Lo: 0, Hi: 7}, N: 6}
	// a - b: below by sqrt(3² + 3²), above by sqrt(4² + 4²).
	d := combine([]ratings.Estimate{a, b}, []float64{1, -1}, "games", "elo")
	near(t, "difference", d.Value, 6)
	near(t, "lo", d.Lo, 6-math.Sqrt(18))
	near(t, "hi", d.Hi, 6+math.Sqrt(32))
	b.HiOpen = true
	if d = combine([]ratings.Estimate{a, b}, []float64{1, -1}, "games", "elo"); !d.LoOpen || d.HiOpen {
		t.Errorf("%+v", d)
	}
	// each warning once
	for want, parts := range map[string][3]string{
		"": {}, "few": {"few", "", "few"}, "few; open": {"few", "open", "few"},
		"open": {"", "open", ""},
	} {
		var numbers []ratings.Estimate
		for _, warning := range parts {
			numbers = append(numbers, ratings.Estimate{Value: 1, N: 1, Note: warning})
		}
		if d := combine(numbers, []float64{1, 1, 1}, "", ""); d.Note != want || d.N != 3 || d.Value != 3 {
			t.Errorf("%q: %+v, want %q", parts, d, want)
		}
	}
}

func TestEntropy(t *testing.T) {
	t.Parallel()
	// 1, 1, 2 of 4: H = 1.5 ln 2, with (3-1)/8; sum p ln² p = 0.5·(2 ln 2)² + 0.5·(ln 2)² =
	// 2.5 (ln 2)², less H² = 2.25 (ln 2)², over 4, plus 2/32.
	h, v := entropy([]int64{1, 1, 2}, 4)
	near(t, "entropy", h, 1.5*math.Ln2+0.25)
	near(t, "variance", v, 0.25*math.Ln2*math.Ln2/4+2.0/32)
}

// The interval of a score is continuous from draws alone to no draws at all. Worked out from Wilson's intervals of 0,
// 1, 4, 32 and 48 of 80; without draws it is Wilson's of the wins. Four wins and no loss do not exclude even play: the
// sign test has p = 0.125.
func TestScoreFromDrawsAloneToNone(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for _, c := range []struct {
		wins, draws, losses int64
		lo, hi              float64
	}{
		{0, 80, 0, 0.47709, 0.52291},
		{1, 79, 0, 0.48277, 0.53373},
		{4, 76, 0, 0.49751, 0.56081},
		{0, 76, 4, 0.43919, 0.50249},
		{48, 0, 32, 0.49045, 0.70038},
	} {
		s := m.score(c.wins, c.draws, c.losses)
		near(t, "lo", s.Lo, c.lo)
		near(t, "hi", s.Hi, c.hi)
	}
	// A part of 20 games of a group whose interval of 0.42 to 0.72 is wider than that of independent games, 0.49045 to
	// 0.70038, by 0.3/0.20993: the half-widths of the part grow by as much. The whole group has the group's own interval.
	whole := ratings.Estimate{Value: 0.6, Interval: ratings.Interval{Lo: 0.42, Hi: 0.72}, N: 80, Unit: "games"}
	if s := m.partScore(tally{48, 0, 32}, tally{48, 0, 32}, whole); s != whole {
		t.Errorf("%+v for the whole", s)
	}
	alone := m.score(10, 0, 10)
	part := m.partScore(tally{10, 0, 10}, tally{48, 0, 32}, whole)
	if wider := (part.Hi - 0.5) / (alone.Hi - 0.5); math.Abs(wider-0.3/0.20993) > 1e-4 {
		t.Errorf("%v times as wide", wider)
	}
	wilson := m.share(48, 80)
	if s := m.score(48, 0, 32); math.Abs(s.Lo-wilson.Lo) > 1e-12 || math.Abs(s.Hi-wilson.Hi) > 1e-12 {
		t.Errorf("%+v without draws, Wilson's %+v", s, wilson)
	}
	if s := m.score(80, 0, 0); math.Abs(s.Lo-m.share(80, 80).Lo) > 1e-12 || s.Hi != 1 {
		t.Errorf("%+v with wins alone", s)
	}
}

// The distance from a half: an interval that holds a half begins at 0, one below it is turned round.
func TestFPA(t *testing.T) {
	t.Parallel()
	number := func(v, lo, hi float64) ratings.Estimate {
		return ratings.Estimate{Value: v, Interval: ratings.Interval{Lo: lo, Hi: hi}, N: 64}
	}
	for _, c := range []struct{ score, want ratings.Estimate }{
		{number(0.5, 0.4375, 0.5625), number(0, 0, 0.0625)},
		{number(0.25, 0.125, 0.375), number(0.25, 0.125, 0.375)},
		{number(0.75, 0.625, 0.875), number(0.25, 0.125, 0.375)},
		{number(0.5625, 0.4375, 0.6875), number(0.0625, 0, 0.1875)},
	} {
		if got := FPA(c.score); got != c.want {
			t.Errorf("FPA(%v) = %v, want %v", c.score, got, c.want)
		}
	}
}
