package optimise

import (
	"math"
	"slices"
	"testing"
)

// A direction is brought to unit length, of its own numbers alone, and then into the bounds; nothing has no length to
// bring it to.
func TestSettle(t *testing.T) {
	t.Parallel()
	s := &space{
		params: []Parameter{{Min: new(-1.0), Max: new(1.0)}, {Direction: true}, {Direction: true, Max: new(1.0)}, {}},
		factor: []float64{2, 1, 1, 1}, group: []int{1, 2},
	}
	for _, c := range []struct{ u, want []float64 }{
		{[]float64{0.25, 3, -3, 7}, []float64{0.25, 1, -1, 7}},
		{[]float64{0.5, 1, 7, 7}, []float64{0.5, 0.2, 1, 7}}, // the root of (1 + 49)/2 is 5, and 7/5 is above the bound
		{[]float64{-3, 0.5, -0.5, 0}, []float64{-0.5, 1, -1, 0}},
		{[]float64{0, 0, 0, 2}, []float64{0, 0, 0, 2}},
	} {
		u := clone(c.u)
		if s.settle(u); !slices.Equal(u, c.want) {
			t.Errorf("%v becomes %v, want %v", c.u, u, c.want)
		}
	}
	plain := &space{params: []Parameter{{}, {}}, factor: []float64{1, 1}}
	u := []float64{3, 4}
	if plain.settle(u); !slices.Equal(u, []float64{3, 4}) {
		t.Errorf("without a direction: %v", u)
	}
}

// What the caller sees is within bounds and whole where it should be: at a threshold of a half rounded to nearest, at
// others up or down.
func TestUserUnits(t *testing.T) {
	t.Parallel()
	s := &space{
		params: []Parameter{{Integer: true, Min: new(1.0), Max: new(6.0)}, {Max: new(2.0)}, {Log: true}},
		factor: []float64{2, 0.5, math.Ln2},
	}
	for _, c := range []struct {
		u         []float64
		threshold float64
		want      []float64
	}{
		{[]float64{1.2, 2, 3}, 0.5, []float64{2, 1, 8}},
		{[]float64{1.25, 2, 3}, 0.5, []float64{3, 1, 8}},
		{[]float64{1.2, 2, -1}, 0.7, []float64{3, 1, 0.5}},
		{[]float64{1.45, 9, 0}, 0, []float64{2, 2, 1}},
		{[]float64{0.1, -9, 0}, 0.5, []float64{1, -4.5, 1}},
		{[]float64{9, 0, 0}, 0.5, []float64{6, 0, 1}},
	} {
		got := s.user(c.u, c.threshold)
		for i := range got {
			near(t, "user's unit", got[i], c.want[i], 1e-12)
		}
	}
	got := s.exact([]float64{1.2, 9, 1})
	for i, want := range []float64{2.4, 4.5, 2} {
		near(t, "unrounded", got[i], want, 1e-12)
	}
}
