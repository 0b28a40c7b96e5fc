package fit

import (
	"fmt"
	"math"
)

// slope returns the factor s for which the predictions s v have the smallest cross-entropy. It is the root of the
// derivative, which increases with s. It returns an error if there is none.
func (d *design) slope(v []float64) (float64, error) {
	derivative := func(s float64) float64 {
		sum := 0.0
		for i, x := range v {
			sum += d.weight[i] * x * (sigmoid(s*x) - d.z[i])
		}
		return sum
	}
	if derivative(0) >= 0 {
		return 0, fmt.Errorf("fit: %w: the weights predict no better than chance", ErrData)
	}
	apart := fmt.Errorf("fit: %w: the weights separate all wins from all losses, so no scale fits best", ErrData)
	if d.separates(v) {
		return 0, apart
	}
	lo, hi := 0.0, 1.0
	for derivative(hi) < 0 {
		if lo, hi = hi, 2*hi; hi > 1e9 {
			return 0, apart
		}
	}
	for range 40 {
		if mid := (lo + hi) / 2; derivative(mid) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2, nil
}

// separates reports whether the sign of every logit is that of the result: then every larger scale fits better. The
// derivative alone does not show it, because rounding makes it 0 for large scales.
func (d *design) separates(v []float64) bool {
	for i, x := range v {
		if x*d.weight[i] != 0 && d.z[i] != 0.5+math.Copysign(0.5, x) {
			return false
		}
	}
	return true
}
