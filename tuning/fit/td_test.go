package fit

import (
	"math/rand/v2"
	"testing"

	"spar/configs/must"
)

// Two positions by hand: w = 0, so both values are 1/2 and both slopes 1/4. The first
// difference is 0, the second z - 1/2 on the trace lambda x_0/4 + x_1/4.
func TestTDByHand(t *testing.T) {
	t.Parallel()
	w := []float64{0, 0}
	got := must.Get(TDUpdate(w, [][]float64{{1, 0}, {0, 2}}, 1, 0.5, 0.1))(t)
	near(t, "first weight", got[0], 0.1*0.5*0.5*0.25, 1e-15)
	near(t, "second weight", got[1], 0.1*0.5*2*0.25, 1e-15)
	if w[0] != 0 || w[1] != 0 {
		t.Errorf("the weights given were changed to %v", w)
	}
	if got, err := TDUpdate([]float64{1}, nil, 1, 0.5, 0.1); err != nil || got[0] != 1 {
		t.Errorf("a game without positions: %v, %v", got, err)
	}
}

// The random walk of Sutton (1988): from the middle of five states a step left or
// right with equal chances, won at the right end. State i is worth i/6.
func TestTDRandomWalk(t *testing.T) {
	t.Parallel()
	for _, lambda := range []float64{0, 0.7, 1} {
		rng := rand.New(rand.NewPCG(1, 1))
		w := make([]float64, 5)
		const games = 6000
		for g := range games {
			var xs [][]float64
			at := 2
			for at >= 0 && at < 5 {
				x := make([]float64, 5)
				x[at] = 1
				xs = append(xs, x)
				at += 2*rng.IntN(2) - 1
			}
			z := 0.0
			if at == 5 {
				z = 1
			}
			w = must.Get(TDUpdate(w, xs, z, lambda, TDRate(0.4, g, games)))(t)
		}
		for i, v := range w {
			near(t, "value of the state", sigmoid(v), float64(i+1)/6, 0.05)
		}
	}
}

func TestTDRate(t *testing.T) {
	t.Parallel()
	near(t, "first rate", TDRate(TDAlpha, 0, 1000), 0.05, 1e-15)
	near(t, "last rate", TDRate(TDAlpha, 1000, 1000), 0.005, 1e-15)
}
