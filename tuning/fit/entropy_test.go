package fit

import (
	"math"
	"testing"
)

// The loss of a logit v at a result z is ln(1+e^v) - zv, and where e^v is beyond all numbers what remains of it: v for
// a certain win that was lost, nothing for one that was won.
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
