package fit

import (
	"math"
	"testing"
)

// The loss of a logit v at a result z is ln(1+e^v) - zv, and where e^v is beyond all numbers what remains of it: v for a certain win
// that was lost, nothing for one that was won.
func TestEntropy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ v, z, want float64 }{
		{0, 0, math.Ln2},
		{0, 1, math.Ln2},
		{0, 0.5, math.Ln2},
		{2, 1, math.Log(1 + math.Exp(-2))},
		{2, 0, 2 + math.Log(1+math.Exp(-2))},
		{-2, 0, math.Log(1 + math.Exp(-2))},
		{-2, 1, 2 + math.Log(1+math.Exp(-2))},
		{3, 0.5, 1.5 + math.Log(1+math.Exp(-3))},
		{1000, 0, 1000},
		{1000, 1, 0},
		{-1000, 1, 1000},
		{-1000, 0, 0},
	} {
		if got := entropy(c.v, c.z); math.Abs(got-c.want) > 1e-12*max(1, c.want) {
			t.Errorf("logit %g, result %g: %g, want %g", c.v, c.z, got, c.want)
		}
	}
}

// Weights of phases are mixed by how near a position is to each: half way between the first two of three at a quarter.
func TestPredictBetweenPhases(t *testing.T) {
	t.Parallel()
	m := &Model{Names: []string{"a", "b"}, Phases: 3, K: 0.5, Weights: []Weight{{Value: 1}, {Value: 10}, {Value: 2}, {Value: 20}, {Value: 4}, {Value: 40}}}
	for phase, want := range map[float64]float64{0: 1 - 0.1*10, 0.25: 1.5 - 0.1*15, 0.5: 2 - 0.1*20, 0.75: 3 - 0.1*30, 1: 4 - 0.1*40} {
		for _, c := range []struct{ features, want [2]float64 }{{[2]float64{1, -0.1}, [2]float64{want}}, {[2]float64{1, 0}, [2]float64{want + 0.1*map[float64]float64{0: 10, 0.25: 15, 0.5: 20, 0.75: 30, 1: 40}[phase]}}} {
			got, err := m.Predict(c.features[:], phase)
			if err != nil || math.Abs(got-1/(1+math.Exp(-0.5*c.want[0]))) > 1e-12 {
				t.Errorf("%v at %g: %g, %v", c.features, phase, got, err)
			}
		}
	}
}

// What is left of the games when a fold is held out counts for all of them.
func TestShareOfFolds(t *testing.T) {
	t.Parallel()
	d := &design{games: 10, fold: []int{0, 0, 1, 1, 1, 2, 2, 2, 2, 2}, game: []int{0, 2, 9}}
	for fold, want := range map[int]float64{-1: 1, 0: 10.0 / 8, 1: 10.0 / 7, 2: 10.0 / 5} {
		if got := d.share(fold); math.Abs(got-want) > 1e-12 {
			t.Errorf("without fold %d games count %g, want %g", fold, got, want)
		}
	}
	for _, c := range []struct {
		i, fold int
		want    bool
	}{{0, -1, true}, {0, 0, false}, {0, 1, true}, {1, 1, false}, {2, 2, false}, {2, 0, true}} {
		if got := d.uses(c.i, c.fold); got != c.want {
			t.Errorf("position %d without fold %d: %t", c.i, c.fold, got)
		}
	}
}

// What is said of a held-out fold is said of its positions alone, and of all positions where none is held out.
func TestLogitsOfAFold(t *testing.T) {
	t.Parallel()
	samples := sparse(12, 2)
	d := mustDesign(t, samples, Options{Names: names()[:2], Phases: 1, Folds: 3})
	for g := range d.games {
		d.fold = append(d.fold, g%3)
	}
	w := []float64{2, -3}
	for fold := -1; fold < 3; fold++ {
		out := make([]float64, d.n)
		for i := range out {
			out[i] = 99
		}
		d.logits(w, fold, out)
		for i, got := range out {
			want := 99.0
			if fold == -1 || d.fold[d.game[i]] == fold {
				want = dot(w, regressors(d, samples[i]))
			}
			near(t, "logit", got, want, 1e-12)
		}
	}
}
