package ratings

import (
	"math"
	"testing"

	"spar/configs/must"
)

// The interval of a stopped test is widened to the plain one where that came with a warning, end by end, and never
// narrowed.
func TestWiden(t *testing.T) {
	t.Parallel()
	few := []string{"few pairs"}
	for _, c := range []struct {
		name     string
		n        int64
		stopped  Interval
		plain    Interval
		warnings []string
		want     Interval
		losTaken bool // the chance that it is better is taken, too
	}{
		{"many, without a warning", 30, Interval{Lo: 1, Hi: 2}, Interval{Lo: 0, Hi: 3}, nil, Interval{Lo: 1, Hi: 2}, false},
		{"few, without a warning", 29, Interval{Lo: 1, Hi: 2}, Interval{Lo: 0, Hi: 3}, nil, Interval{Lo: 0, Hi: 3}, false},
		{"without games", 0, Interval{Lo: 1, Hi: 2}, Interval{Lo: 0, Hi: 3}, few, Interval{Lo: 1, Hi: 2}, false},
		{"one pair", 1, Interval{Lo: 1, Hi: 2}, Interval{Lo: 0, Hi: 3}, few, Interval{Lo: 0, Hi: 3}, true},
		{"below alone", 9, Interval{Lo: 1, Hi: 9}, Interval{Lo: 0, Hi: 3}, few, Interval{Lo: 0, Hi: 9}, true},
		{"above alone", 9, Interval{Lo: -1, Hi: 2}, Interval{Lo: 0, Hi: 3}, few, Interval{Lo: -1, Hi: 3}, true},
		{"open below", 9, Interval{Lo: 1, Hi: 9}, Interval{LoOpen: true, Hi: 3}, few, Interval{LoOpen: true, Hi: 9}, true},
		{"open above", 9, Interval{Lo: 1, Hi: 9}, Interval{Lo: 2, HiOpen: true}, few, Interval{Lo: 1, HiOpen: true}, true},
		{
			"the stopped one is open", 9,
			Interval{Lo: 1, LoOpen: true, Hi: 2, HiOpen: true},
			Interval{Lo: 0, Hi: 3},
			few,
			Interval{Lo: 0, LoOpen: true, Hi: 3, HiOpen: true},
			true,
		},
	} {
		r := SPRTResult{Elo: Estimate{N: 50 * c.n, Interval: c.stopped}, LOS: 0.5} // openings repeat
		r.Widen(Match{Score: Estimate{N: c.n}, Elo: Estimate{Interval: c.plain}, Warnings: c.warnings, LOS: 0.9}, 30)
		if r.Elo.Interval != c.want || (r.LOS == 0.9) != c.losTaken {
			t.Errorf("%s: %+v, LOS %g, want %+v", c.name, r.Elo.Interval, r.LOS, c.want)
		}
	}
}

// With ten pairs that are 3 standard errors above even, the LOS is that of Student's t with 9 degrees of freedom.
func TestFewItems(t *testing.T) {
	t.Parallel()
	r := SPRTResult{Elo: Estimate{N: 10}, LOS: normalCDF(3 * math.Sqrt(10.0/9))}
	r.Widen(Match{Score: Estimate{N: 10}}, 30)
	near(t, "LOS", r.LOS, 0.992520, 1e-5, 0) // t = 3, 9 degrees: 0.99252
}

// At the difference that is found the test accepts with the chance that was asked for; at its hypotheses with its error
// rates.
func TestTruthAt(t *testing.T) {
	t.Parallel()
	for _, model := range []BoundsModel{BoundsLogistic, BoundsNormalized} {
		s := SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.1, Model: model}
		p := Plan{DrawRate: 0.3}
		last := math.Inf(-1)
		for _, chance := range []float64{0.05, 0.06, 0.3, 0.5, 0.89, 0.9} {
			elo := must.Get(s.TruthAt(p, chance))(t)
			at := p
			at.Elo = elo
			got, err := s.Expect(at)
			if err != nil || math.Abs(got.AcceptH1-chance) > 0.01 || elo <= last {
				t.Errorf("%v: at %g Elo H1 is accepted with %g, want %g; %v", model, elo, got.AcceptH1, chance, err)
			}
			if model == BoundsLogistic && (chance == 0.05 && elo != 0 || chance == 0.9 && elo != 20) {
				t.Errorf("%g is reached at %g Elo", chance, elo)
			}
			last = elo
		}
	}
	if _, err := (SPRT{Elo0: 5, Elo1: 0, Alpha: 0.05, Beta: 0.05, Model: BoundsNormalized}).TruthAt(Plan{},
		0.3); err == nil {
		t.Error("a test of nothing has a truth")
	}
}

// Pairs of 0, ½, 1, 1½ and 2 points, 1, 0, 2, 0 and 1 of them: means of 0, ½, ½ and 1 have a variance of (¼ + ¼)/3.
func TestPairVariance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		counts          []float64
		variance, pairs float64
	}{
		{[]float64{1, 0, 2, 0, 1}, 1.0 / 6, 4},
		{[]float64{0, 2, 0, 2, 0}, 4 * 0.0625 / 3, 4},
		{[]float64{1, 0, 0, 0, 1}, 0.25, 2},
		{[]float64{0, 0, 5, 0, 0}, 0, 5},
		{[]float64{0, 0, 1, 0, 0}, math.NaN(), 1},
	} {
		v, n := PairVariance(c.counts)
		if math.Abs(v-c.variance) > 1e-12 || n != c.pairs || math.IsNaN(v) != math.IsNaN(c.variance) {
			t.Errorf("%v: %g of %g pairs, want %g of %g", c.counts, v, n, c.variance, c.pairs)
		}
	}
}
