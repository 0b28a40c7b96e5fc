package ratings

import (
	"math/rand/v2"
	"testing"

	"spar/configs/must"
)

// Where one rating explains everything, p-values of lack of fit below 0.05 come about once in twenty tables, also where
// the second game of a pair copies the first and no match-up has ten pairs. 250 tables: 0.05 ± 0.028 at two standard
// errors.
func TestLackOfFitOfFewPairs(t *testing.T) {
	t.Parallel()
	for _, w := range []world{worlds[0], worlds[2], {"second game copies the first", 0, 1}} {
		for _, pairs := range []int{2, 4, 9} {
			rng := rand.New(rand.NewPCG(7, uint64(pairs)))
			d := design{elo: []float64{0, 40, -30, 80, -60, 10}, adv: 30, pairs: pairs}
			tables, low := 0, 0
			for range 250 {
				f := mustFit(t, d.table(t, w, rng), Options{Errors: ErrorPair})
				if f.Errors == ErrorPosterior {
					continue // somebody won everything
				}
				tables++
				x := f.LackOfFit()
				if !x.Clustered || x.DF != 10 {
					t.Fatalf("clustered %t, %d degrees of freedom", x.Clustered, x.DF)
				}
				if x.P < 0.05 {
					low++
				}
			}
			if share := float64(low) / float64(tables); tables < 205 || share < 0.015 || share > 0.09 {
				t.Errorf("%s, %d pairs a match-up: p < 0.05 in %.1f %% of true models", w.name, pairs, 100*share)
			}
		}
	}
}

// Automatic errors take pairs for units, with Student's t, from ten of them on, and cover a known difference at about
// their rate.
func TestErrorsOfFewPairs(t *testing.T) {
	t.Parallel()
	for _, w := range worlds {
		for _, pairs := range []int{10, 15, 29} {
			rng := rand.New(rand.NewPCG(11, uint64(pairs)))
			d := design{elo: []float64{0, 60}, adv: 40, pairs: pairs}
			truth := d.truth(t, w)
			want := truth.Players[1].Elo.Value - truth.Players[0].Elo.Value
			const tables = 800
			covered, estimates := 0, 0
			for range tables {
				f := mustFit(t, d.table(t, w, rng), Options{})
				if f.Errors != ErrorPair {
					continue // somebody won everything
				}
				x := must.Get(f.Difference("1", "0"))(t)
				estimates++
				if x.Elo.Interval.Contains(want) {
					covered++
				}
			}
			if share := float64(covered) / float64(estimates); estimates < tables*95/100 || share < 0.925 || share > 0.98 {
				t.Errorf("%s: %d pairs: %.1f %% of %d intervals cover", w.name, pairs, 100*share, estimates)
			}
		}
	}
}
