package ratings_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/ratings"
)

// The same games in another order, so that names are met in another order, give the same numbers to the last bit, however often.
func TestOrderOfGamesChangesNoBit(t *testing.T) {
	t.Parallel()
	var games [][2]ratings.Game
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range 3000 {
		a, b := rng.IntN(9), rng.IntN(8)
		if b >= a {
			b++
		}
		first, second := fmt.Sprintf("p%d", a), fmt.Sprintf("p%d", b)
		stratum, pair := fmt.Sprintf("s%d", rng.IntN(3)), fmt.Sprint(i)
		games = append(games, [2]ratings.Game{
			{First: first, Second: second, Result: ratings.Outcome(rng.IntN(3)), Stratum: stratum, Pair: pair},
			{First: second, Second: first, Result: ratings.Outcome(rng.IntN(3)), Stratum: stratum, Pair: pair},
		})
	}
	var want ratings.LackOfFit
	for try := range 12 {
		var b ratings.Builder
		for _, pair := range games {
			for _, g := range pair {
				if err := b.Add(g); err != nil {
					t.Fatal(err)
				}
			}
		}
		f, err := b.Table().Fit(ratings.Options{Errors: ratings.ErrorPair, PerStratum: true})
		if err != nil {
			t.Fatal(err)
		}
		got := f.LackOfFit()
		if try == 0 {
			want = got
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("try %d: %s", try, d)
		}
		rng.Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
	}
}
