package ratings

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/configs/must"
)

// Where only one side ever wins, and the other draws, every result grows more probable with the draw rate of equals and
// the strength of that side together: the draw models have no maximum, and scores are rated. By hand: a has 75 % as
// first and 35 % as second, so that logit 0.75 and logit 0.65 are the advantage and plus and minus the difference.
func TestDrawModelsWithoutAMaximum(t *testing.T) {
	t.Parallel()
	oneSided := build(t, func(b *Builder) error {
		return errors.Join(b.AddPairs("a", "b", "", FirstWins, Draw, 8), b.AddPairs("a", "b", "", FirstWins, FirstWins, 2),
			b.AddPairs("a", "b", "", Draw, Draw, 6), b.AddPairs("a", "b", "", Draw, FirstWins, 4))
	})
	const m = ModelDavidson
	f := mustFit(t, oneSided, Options{Model: m})
	if f.Model != ModelScore || f.Scale != 1 || len(f.Warnings) == 0 {
		t.Errorf("%s: rated by %s with scale %g, %q", m, f.Model, f.Scale, f.Warnings)
	}
	d := must.Get(f.Difference("a", "b"))(t)
	near(t, "difference", d.Elo.Value, (EloOfScore(0.75)-EloOfScore(0.65))/2, 1e-6, 0)
	near(t, "advantage", f.Advantages[0].Elo.Value, (EloOfScore(0.75)+EloOfScore(0.65))/2, 1e-6, 0)
	// One game that the others' order speaks against is enough for a maximum.
	against := build(t, func(b *Builder) error {
		return errors.Join(b.AddCount("a", "b", "", 10, 10, 0), b.AddCount("b", "a", "", 6, 14, 1))
	})
	if f := mustFit(t, against, Options{Model: m}); f.Model != m || !(f.Scale > 0.05) {
		t.Errorf("%s, one game against: rated by %s with scale %g", m, f.Model, f.Scale)
	}
}

// grows tells whether some ratings, advantage and draw parameter can grow together without end such that no result
// becomes less probable: a win needs the difference, with the advantage, to grow by at least as much as the draw
// parameter, a draw at most by as much, in whole numbers that for three players need not be large. This is by looking
// at all of them.
func grows(pairs []Pairing) bool {
	const most = 9
	for d := 1; d <= 3; d++ {
		for a := -most; a <= most; a++ {
			for x := -most; x <= most; x++ {
				for y := -most; y <= most; y++ {
					c := [3]int{0, x, y}
					if !slices.ContainsFunc(pairs, func(p Pairing) bool {
						e := c[p.First] - c[p.Second] + a
						return p.Wins > 0 && e < d || p.Losses > 0 && e > -d || p.Draws > 0 && max(e, -e) > d
					}) {
						return true
					}
				}
			}
		}
	}
	return false
}

// The draw models are given up where their likelihood has no maximum in the draw parameter, and only there.
func TestDrawModelsAreGivenUpWhereDrawsRunOff(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 14))
	seen := map[bool]int{}
	for range 600 {
		var b Builder
		drawn := false
		for _, seats := range [][2]string{{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "b"}, {"a", "c"}, {"c", "a"}} {
			var n [3]int64
			if rng.IntN(4) > 0 {
				for o := range n {
					n[o] = max(0, rng.Int64N(5)-2) * []int64{1, 1, 40}[rng.IntN(3)]
				}
			}
			drawn = drawn || n[1] > 0
			must.Do(t, b.AddCount(seats[0], seats[1], "", n[0], n[1], n[2]))
		}
		table := b.Table()
		if !drawn || len(table.Players()) < 3 {
			continue
		}
		want := grows(table.Pairings())
		seen[want]++
		if f := mustFit(t, table, Options{Model: ModelDavidson}); (f.Model == ModelScore) != want {
			t.Errorf("%+v: rated by %s, draws run off: %t", table.Pairings(), f.Model, want)
		}
	}
	if seen[true] < 100 || seen[false] < 100 {
		t.Errorf("%v", seen)
	}
}
