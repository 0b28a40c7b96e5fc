package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"spar/configs/must"
)

func mustDesign(t *testing.T, s []Sample, o Options) *design {
	t.Helper()
	o = must.Get(o.check())(t)
	d := must.Get(newDesign(s, o))(t)
	return d
}

// sparse makes positions of which most have one feature alone, in every order, so that a sum that takes four at a time
// meets each of the four by itself.
func sparse(games, features int) []Sample {
	rng := rand.New(rand.NewPCG(6, 6))
	var out []Sample
	for g := range games {
		for range 1 + g%7 {
			f := make([]float64, features)
			if f[rng.IntN(features)] = rng.NormFloat64(); rng.IntN(4) == 0 {
				f[rng.IntN(features)] += 2
			}
			out = append(out, Sample{Game: int64(g), Result: float64(g%3) / 2, Features: f})
		}
	}
	return out
}

// Sums over more positions than go in one piece are those of all positions, each once.
func TestSumsInPieces(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, chunk - 1, chunk, chunk + 1, 3*chunk + 2} {
		d := &design{n: n}
		got := d.total(2, func(sum []float64, from, to int) {
			for i := from; i < to; i++ {
				sum[0] += float64(i)
				sum[1]++
			}
		})
		if got[0] != float64(n*(n-1)/2) || got[1] != float64(n) {
			t.Errorf("%d positions: %v", n, got)
		}
	}
}

// A weight whose feature is always 0 stays where it is and leaves the others alone, to the last step: they are those of
// a fit without it.
func TestDeadWeightsLeaveOthersAlone(t *testing.T) {
	t.Parallel()
	fit := func(features int) []float64 {
		s := sparse(40, 2)
		for i := range s {
			s[i].Features = append(s[i].Features, 0)[:features]
		}
		d := mustDesign(t, s, Options{Names: names()[:features]})
		w := must.Get(d.minimise(d.zero(), 0, -1))(t)
		return w
	}
	if want, got := fit(2), fit(3); math.Abs(got[0]-want[0]) > 1e-13 || math.Abs(got[1]-want[1]) > 1e-13 || got[2] != 0 ||
		want[0] == 0 {
		t.Errorf("%v, without the dead one %v", got, want)
	}
}

// The error of a mean loss over games: of losses ln 2 and ln 2 - or 0 and 2 ln 2 - with that of a game the mean over
// its positions.
func TestErrorOfALoss(t *testing.T) {
	t.Parallel()
	d := &design{
		n: 3, games: 2, game: []int{0, 0, 1}, size: []float64{2, 1}, z: []float64{1, 1, 0},
		weight: []float64{0.25, 0.25, 0.5},
	}
	near(t, "of equal games", d.lossSE([]float64{0, 0, 0}), 0, 1e-15)
	a := math.Log(1 + math.Exp(-2))
	b := math.Log(1 + math.Exp(1))
	c := math.Log(1 + math.Exp(-3))
	mean := ((a+b)/2 + c) / 2
	near(t, "loss", d.lossOf([]float64{2, -1, -3}), mean, 1e-12)
	// of two values half their difference
	near(t, "its error", d.lossSE([]float64{2, -1, -3}), math.Abs((a+b)/2-c)/2, 1e-12)
	near(t, "null loss", d.nullLoss(), math.Ln2, 1e-12)
}
