package fit

import (
	"fmt"
	"math"
)

// Defaults of temporal-difference learning for features divided by their standard deviation. They assume start
// weights with a root mean square of 0.3 and 10 % random moves.
const (
	TDLambda = 0.7
	TDAlpha  = 0.05
)

// TDRate returns the learning rate of game g (from 0) in a run of the given number of games:
//
//	alpha_g = alpha / (1 + 9 g/games)
func TDRate(alpha float64, g, games int) float64 {
	return alpha / (1 + 9*float64(g)/float64(games))
}

// TDUpdate returns w after learning from one game by TD(lambda) (Sutton 1988):
//
//	V_t = 1/(1+exp(-w.x_t))            delta_t = V_{t+1} - V_t, the last one z - V_T
//	e_t = lambda e_{t-1} + V_t (1-V_t) x_t
//	w' = w + alpha sum_t delta_t e_t
//
// x_t are the regressors of the successive positions after a move and z the result, seen by the first player. w is not
// changed.
func TDUpdate(w []float64, xs [][]float64, z, lambda, alpha float64) ([]float64, error) {
	if !(z >= 0 && z <= 1) || !(lambda >= 0 && lambda <= 1) || !(alpha >= 0) || math.IsInf(alpha, 0) {
		return nil, fmt.Errorf("fit: %w: result %v, lambda %v, alpha %v: expected 0 to 1, 0 to 1, and 0 or more",
			ErrData, z, lambda, alpha)
	}
	out := append([]float64(nil), w...)
	trace := make([]float64, len(w))
	value := func(x []float64) float64 {
		sum := 0.0
		for i, f := range x {
			sum += w[i] * f
		}
		return sigmoid(sum)
	}
	for t, x := range xs {
		if len(x) != len(w) {
			return nil, fmt.Errorf("fit: %w: td position %d has %d regressors for %d weights", ErrData, t, len(x), len(w))
		}
	}
	for t, x := range xs {
		v, next := value(x), z
		if t+1 < len(xs) {
			next = value(xs[t+1])
		}
		for i, f := range x {
			trace[i] = lambda*trace[i] + v*(1-v)*f
			out[i] += alpha * (next - v) * trace[i]
		}
	}
	for i, v := range out {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("fit: %w: after the td update weight %d is %v", ErrData, i, v)
		}
	}
	return out, nil
}
