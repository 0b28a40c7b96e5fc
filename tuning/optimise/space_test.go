package optimise

import (
	"math"
	"slices"
	"testing"

	"spar/configs/must"
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
		u := slices.Clone(c.u)
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

// One scale unit: as given, from both bounds, from the start, and for a direction times its length; of a logarithm what
// a step adds to the start.
func TestScales(t *testing.T) {
	t.Parallel()
	got := must.Get(Scales(Problem{Parameters: []Parameter{
		{Name: "range", Start: 3, Min: new(0.0), Max: new(12.0)},
		{Name: "range far from 0", Start: 103, Min: new(102.0), Max: new(126.0)},
		{Name: "start", Start: -7, Min: new(-100.0)},
		{Name: "given", Start: 3, Scale: 11},
		{Name: "weight of sd 2", Start: 6, Scale: 0.5, Direction: true},
		{Name: "weight of sd 1", Start: -12, Direction: true},
		{Name: "logarithm", Start: 2, Min: new(0.1), Max: new(10.0), Log: true, Scale: 1.5},
	}}))(t)
	for i, want := range []float64{5, 10, 7, 11, 6, 12, 1} { // 12 is the root mean square of 6/0.5 and -12
		near(t, "scale", got[i], want, 1e-12)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.6g, want %.6g within %.3g", what, got, want, tolerance)
	}
}
