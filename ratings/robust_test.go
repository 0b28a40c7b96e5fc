package ratings

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestNeverNonsense throws small random tables, most of them degenerate, at every
// analysis: no error, no NaN, no infinity, a mean of 0 in each group.
func TestNeverNonsense(t *testing.T) {
	t.Parallel()
	for seed := range uint64(replicates(100, 5000)) {
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
				x, y, s := fmt.Sprint(i), fmt.Sprint(j), fmt.Sprint(rng.IntN(strata))
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
		for _, o := range []Options{{}, {Model: ModelDavidson}, {Model: ModelRaoKupper}, {PerStratum: true}, {NoAdvantage: true}, {Errors: ErrorPair}, {AlwaysPrior: true}} {
			f, err := table.Fit(o)
			if err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, o, err)
			}
			sums := make(map[int]float64)
			for _, r := range f.Players {
				sums[r.Group] += r.Elo
				if !(r.Interval.LoOpen || r.Interval.HiOpen || r.Interval.Lo <= r.Elo && r.Elo <= r.Interval.Hi) {
					t.Fatalf("seed %d, %+v: %+v", seed, o, r)
				}
				if r.SE > 5000 {
					t.Errorf("seed %d, %+v: %s has error %v", seed, o, r.Name, r.SE)
				}
			}
			for g, s := range sums {
				if abs(s) > 1e-6 && !o.AlwaysPrior {
					t.Fatalf("seed %d, %+v: group %d has sum %v", seed, o, g, s)
				}
			}
			boot, _ := f.Bootstrap(3, 1)
			for what, v := range map[string]any{"fit": f, "los": f.LOS(), "lack of fit": f.LackOfFit(), "bootstrap": boot} {
				if _, err := json.Marshal(v); err != nil {
					t.Fatalf("seed %d, %+v: %s: %v", seed, o, what, err)
				}
			}
		}
		if seed%10 == 0 {
			mustFit(t, table, Options{}).Ranks(1)
		}
		nash, err := table.NashBootstrap(2, 1, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		alpha, err := table.AlphaRank(1e-6)
		if err != nil {
			t.Fatal(err)
		}
		shares, err := table.FirstShares(0.95)
		if err != nil {
			t.Fatal(err)
		}
		for what, v := range map[string]any{"hodge": table.Hodge(), "nash": nash, "alpha": alpha, "shares": shares, "pairs": table.Pairs("0", "1")} {
			if _, err := json.Marshal(v); err != nil {
				t.Fatalf("seed %d: %s: %v", seed, what, err)
			}
		}
	}
}
