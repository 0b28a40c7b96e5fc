package ratings

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"spar/configs/must"
)

// TestNeverNonsense throws small random tables, most of them degenerate, at every
// analysis: no error, no NaN, no infinity, a mean of 0 in each group.
func TestNeverNonsense(t *testing.T) {
	t.Parallel()
	for seed := range uint64(replicates(50, 5000)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var b Builder
		n := 2 + rng.IntN(6)
		scale := []int64{1, 1, 2, 5, 50, 1e9}[rng.IntN(6)]
		some := func(p float64) int64 {
			if rng.Float64() < p {
				return 1 + rng.Int64N(scale)
			}
			return 0
		}
		strata := 1 + rng.IntN(2)
		density, decided := rng.Float64(), rng.Float64()
		for i := range n {
			for j := range n {
				if i == j || rng.Float64() > density {
					continue
				}
				x := fmt.Sprint(i)
				y := fmt.Sprint(j)
				s := fmt.Sprint(rng.IntN(strata))
				var err error
				if rng.IntN(3) == 0 {
					err = b.AddPairs(x, y, s, Outcome(rng.IntN(3)), Outcome(rng.IntN(3)), some(0.8))
				} else {
					err = b.AddCount(x, y, s, some(decided), some(1-decided), some(decided*0.5))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		table := b.Table()
		for _, o := range []Options{
			{},
			{Model: ModelDavidson},
			{PerStratum: true},
			{NoAdvantage: true},
			{Errors: ErrorPair},
		} {
			f, err := table.Fit(o)
			if err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
			sums := make(map[int]float64)
			for _, r := range f.Players {
				if f.ref[r.Group] < 0 || r.Status == StatusOK {
					sums[r.Group] += r.Elo.Value
				}
				if v := r.Elo.Interval; !v.LoOpen && !v.HiOpen && !v.Contains(r.Elo.Value) {
					t.Fatalf("seed %d, %+v: %+v", seed, o, r)
				}
				if r.Elo.SE > 5000 {
					t.Errorf("seed %d, %+v: %s has error %v", seed, o, r.Name, r.Elo.SE)
				}
			}
			for g, s := range sums {
				if math.Abs(s) > 1e-6 {
					t.Fatalf("seed %d, %+v: group %d has sum %v", seed, o, g, s)
				}
			}
			for what, v := range map[string]any{"fit": f, "los": f.LOS(), "lack of fit": f.LackOfFit()} {
				if _, err := json.Marshal(v); err != nil {
					t.Fatalf("seed %d, %+v: %s: %v", seed, o, what, err)
				}
			}
		}
		if seed%10 == 0 {
			mustFit(t, table, Options{}).Ranks(1)
		}
		if _, err := json.Marshal(table.FirstPlayer(0.95, func(string) bool { return true })); err != nil {
			t.Fatalf("seed %d: first player: %v", seed, err)
		}
	}
}

// In a tiny sample the interval is that of the profile likelihood. For a against b without an advantage it has a closed
// form in the score p: k ln(k/np) + (n-k) ln((n-k)/n(1-p)) = 1.9207; 3 of 4 give p from 0.2776 to 0.9838, found by
// bisection.
func TestTinySampleProfile(t *testing.T) {
	t.Parallel()
	var b Builder
	must.Do(t, b.AddCount("a", "b", "", 3, 0, 1))
	fit := must.Get(b.Table().Fit(Options{NoAdvantage: true}))(t)
	loss := func(p float64) float64 { return 3*math.Log(0.75/p) + math.Log(0.25/(1-p)) - 1.920729410 }
	root := func(lo, hi float64) float64 {
		for range 100 {
			if mid := (lo + hi) / 2; loss(mid)*loss(lo) > 0 {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo
	}
	a := fit.Players[0] // half of the difference: relative to the mean of the two
	for name, x := range map[string][2]float64{
		"lo": {a.Elo.Interval.Lo, root(1e-9, 0.75)},
		"hi": {a.Elo.Interval.Hi, root(0.75, 1-1e-9)},
	} {
		if want := EloOfScore(x[1]) / 2; math.Abs(x[0]-want) > 0.01 {
			t.Errorf("%s: %v, want %v", name, x[0], want)
		}
	}
}
