package ratings

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// roundRobin makes a table of n players with the given number of games (in
// swapped pairs if paired) per unordered match-up.
func roundRobin(b testing.TB, n, games int, paired bool) *Table {
	rng := rand.New(rand.NewPCG(1, 2))
	var build Builder
	for i := range n {
		for j := range i {
			x, y := fmt.Sprintf("P%04d", i), fmt.Sprintf("P%04d", j)
			p := ExpectedScore(float64(i-j) * 800 / float64(n))
			for range games / 2 {
				r := [2]Outcome{}
				for g := range r {
					if u := rng.Float64(); u < p-0.1 {
						r[g] = FirstWins
					} else if u < p+0.1 {
						r[g] = Draw
					}
				}
				r[1] = 2 - r[1]
				var err error
				if paired {
					err = build.AddPairs(x, y, "", r[0], r[1], 1)
				} else {
					err = build.Add(Game{First: x, Second: y, Result: r[0]})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	return build.Table()
}

func BenchmarkFit40(b *testing.B) {
	t := roundRobin(b, 40, 64, true)
	b.ReportMetric(float64(t.Games()), "games")
	for b.Loop() {
		mustFit(b, t, Options{})
	}
}

func BenchmarkFit1000(b *testing.B) {
	t := roundRobin(b, 1000, 20, true)
	b.ReportMetric(float64(t.Games()), "games")
	for b.Loop() {
		mustFit(b, t, Options{})
	}
}

// BenchmarkAggregate1000 is what an aggregated store brings: 1,000 players, ten
// million games as counts, through to intervals.
func BenchmarkAggregate1000(b *testing.B) {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("P%04d", i)
	}
	for b.Loop() {
		var build Builder
		for i, x := range names {
			for j, y := range names {
				if i != j {
					w := int64(1 + (i*7+j*3)%8)
					if err := build.AddCount(x, y, "", w, 1, 9-w); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		mustFit(b, build.Table(), Options{})
	}
}

func BenchmarkLLR(b *testing.B) {
	for b.Loop() {
		if _, err := LLR([]float64{365, 16618, 36229, 16974, 390}, BoundsNormalized, 0, 5); err != nil {
			b.Fatal(err)
		}
	}
}
