package patterns

import (
	"fmt"
	"math"

	"spar/agents/eval"
	"spar/engines"
)

// unit is the number of steps in 1. Stored weights are multiples of 1/1024, from -32 to 32.
const unit = 1024

// Net is a layout with weights: a model that evaluates positions. A value is 100 times the logarithm of the odds of
// winning, as in the linear evaluation at its usual scale. It does not change, so any number of goroutines may use it.
type Net struct {
	*Layout
	weights []int16   // all weights of the net
	table   []int16   // for each entry, weights[ids]
	start   [16]int32 // sums before any pattern is counted
	about   Provenance
	hash    string // hash of the net's file
}

var _ eval.Model = (*Net)(nil)

// New makes a net from its weights in logits; there must be l.Params() of them. It clips each to the range that a
// file can store.
func (l *Layout) New(numbers []float32) (*Net, error) {
	if len(numbers) != l.params {
		return nil, fmt.Errorf("patterns: %d weights, the layout has %d", len(numbers), l.params)
	}
	w := make([]int16, len(numbers))
	for i, x := range numbers {
		w[i] = int16(max(-math.MaxInt16, min(math.MaxInt16, math.Round(float64(x)*unit))))
	}
	return l.of(w), nil
}

// of makes a net from stored weights. The caller must not change the slice afterwards.
func (l *Layout) of(w []int16) *Net {
	n := &Net{Layout: l, weights: w, table: make([]int16, len(l.ids))}
	for i, id := range l.ids {
		if id >= 0 {
			n.table[i] = w[id]
		}
	}
	for lane := range l.lanes {
		n.start[lane] = int32(w[l.bias[lane]])
	}
	return n
}

// Score converts a value to an expected score, 0 to 1.
func (n *Net) Score(value float64) float64 { return 1 / (1 + math.Exp(-value/100)) }

// Value returns the value of an unfinished position for a side, computed from scratch. Searches use a cursor.
func (n *Net) Value(s *engines.State, side int) float64 {
	k := n.NewCursor()
	k.Follow(s)
	return k.Value(s, side)
}

// Numbers returns the net's weights, in logits.
func (n *Net) Numbers() []float32 {
	out := make([]float32, len(n.weights))
	for i, w := range n.weights {
		out[i] = float32(w) / unit
	}
	return out
}
