package balance

import (
	"fmt"
	"math"
	"testing"
)

// Fisher's interval of a correlation: of 0.5 in 103 games atanh 0.5 = 0.549306, a tenth of 1.959964 either way. Few
// games say nothing; a perfect correlation has an end at itself.
func TestCorrelation(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for _, c := range []struct {
		r      float64
		n      int64
		lo, hi float64
	}{
		{0.5, 103, math.Tanh(0.549306 - 0.1959964), math.Tanh(0.549306 + 0.1959964)},
		{-0.5, 103, -math.Tanh(0.549306 + 0.1959964), -math.Tanh(0.549306 - 0.1959964)},
		{0.5, 3, -1, 1},
		{0, 4, -math.Tanh(1.959964), math.Tanh(1.959964)},
		{1, 103, math.Tanh(math.Atanh(1-1.0/103) - 0.1959964), 1},
		{1.0001, 103, math.Tanh(math.Atanh(1-1.0/103) - 0.1959964), 1},
		{-1, 103, -1, -math.Tanh(math.Atanh(1-1.0/103) - 0.1959964)},
	} {
		got := m.correlation(c.r, c.n)
		near(t, fmt.Sprintf("%g of %d: lower", c.r, c.n), got.Lo, c.lo)
		near(t, fmt.Sprintf("%g of %d: upper", c.r, c.n), got.Hi, c.hi)
		near(t, "value", got.Value, max(-1, min(1, c.r)))
	}
}
