package optimise

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// What a parameter may be, at its limits: a start on a bound is within it, a bound of a logarithm is above 0, and a factor that matters is
// above 1. The factor is what one unit of the search is in the caller's.
func TestParametersAtTheirLimits(t *testing.T) {
	t.Parallel()
	const sixth = 6 * 0.4
	for _, c := range []struct {
		q      Parameter
		factor float64 // 0: refused
		want   string
	}{
		{Parameter{Start: 2, Min: new(2.0), Max: new(14.0)}, 12 / sixth, ""},
		{Parameter{Start: 14, Min: new(2.0), Max: new(14.0)}, 12 / sixth, ""},
		{Parameter{Start: 0, Min: new(-6.0), Max: new(6.0)}, 12 / sixth, ""},
		{Parameter{Start: -3, Min: new(-6.0)}, 3, ""},
		{Parameter{Start: -3, Max: new(6.0)}, 3, ""},
		{Parameter{Start: 0, Scale: 0.5}, 0.5, ""},
		{Parameter{Start: 5, Scale: 0.5, Min: new(0.0), Max: new(9.0)}, 0.5, ""},
		{Parameter{Start: 0, Min: new(0.0)}, 0, "starts at 0: it needs a scale or two bounds"},
		{Parameter{Start: 0, Max: new(0.0)}, 0, "starts at 0: it needs a scale or two bounds"},
		{Parameter{Start: 2, Min: new(2.0), Max: new(2.0)}, 0, "the lower bound 2 is not below the upper bound 2"},
		{Parameter{Start: 1, Min: new(2.0)}, 0, "1 is below 2"},
		{Parameter{Start: 3, Max: new(2.0)}, 0, "3 is above 2"},
		{Parameter{Start: 1, Min: new(math.Inf(-1))}, 0, "leave it out"},
		{Parameter{Start: 1, Scale: math.Inf(1)}, 0, "must be finite"},
		{Parameter{Start: math.Inf(-1), Scale: 1}, 0, "must be finite"},
		{Parameter{Start: 2, Integer: true, Min: new(1.5)}, 0, "its bound 1.5 is not"},
		{Parameter{Start: 2, Integer: true, Min: new(-1.0), Max: new(11.0)}, 12 / sixth, ""},
		{Parameter{Start: 2.5, Min: new(1.5)}, 2.5, ""},
		{Parameter{Start: 0.5, Log: true}, math.Ln2, ""},
		{Parameter{Start: 0.5, Log: true, Max: new(8.0)}, math.Ln2, ""},
		{Parameter{Start: 0.5, Log: true, Min: new(0.5)}, math.Ln2, ""},
		{Parameter{Start: 0.5, Log: true, Min: new(0.5), Max: new(8.0)}, math.Log(16) / sixth, ""},
		{Parameter{Start: 0.5, Log: true, Scale: 3}, math.Log(3), ""},
		{Parameter{Start: 0.5, Log: true, Scale: 3, Min: new(0.5), Max: new(8.0)}, math.Log(3), ""},
		{Parameter{Start: 0.5, Log: true, Scale: 1}, 0, "logarithmic scale: start 0.5"},
		{Parameter{Start: 0.5, Log: true, Scale: 0.5}, 0, "a scale (a factor) above 1"},
		{Parameter{Start: 0, Log: true}, 0, "start 0 and its bounds must be above 0"},
		{Parameter{Start: -1, Log: true}, 0, "start -1 and its bounds must be above 0"},
		{Parameter{Start: 1, Log: true, Min: new(0.0)}, 0, "must be above 0"},
		{Parameter{Start: 1, Log: true, Integer: true}, 0, "cannot be on a logarithmic scale and an integer"},
		{Parameter{Start: 1, Log: true, Direction: true}, 0, "cannot be on a logarithmic scale and an integer or part of a direction"},
	} {
		c.q.Name = "x"
		s, err := newSpace(Problem{Parameters: []Parameter{{Name: "first", Start: 1}, c.q}})
		if c.factor == 0 {
			if !errors.Is(err, ErrProblem) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v, want %q", c.q, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", c.q, err)
			continue
		}
		near(t, "factor", s.factor[1], c.factor, 1e-12)
		near(t, "there and back", s.out(1, s.in(1, c.q.Start)), c.q.Start, 1e-12)
	}
	if _, err := newSpace(Problem{Parameters: []Parameter{{Name: "x", Start: 1}, {Start: 1}}}); err == nil || !strings.Contains(err.Error(), "parameter 2 has no name") {
		t.Error(err)
	}
}

// A direction is brought to unit length, of its own numbers alone, and then into the bounds; nothing has no length to bring it to.
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

// What the caller sees is within bounds and whole where it should be: at a threshold of a half rounded to nearest, at others up or down.
func TestUserUnits(t *testing.T) {
	t.Parallel()
	s := &space{params: []Parameter{{Integer: true, Min: new(1.0), Max: new(6.0)}, {Max: new(2.0)}, {Log: true}}, factor: []float64{2, 0.5, math.Ln2}}
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

// A surface has an optimum and a curvature for every number; one without effect, without draws and without a first player's advantage is one.
func TestSurfacesThatCannotBe(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		s    Surface
		want string
	}{
		{Surface{Optimum: []float64{1, -2}, Curvature: []float64{0, 3}}, ""},
		{Surface{Optimum: []float64{1, 2}, Curvature: []float64{0, 3}, DrawRate: 0.9, FirstElo: -50}, ""},
		{Surface{Optimum: []float64{1}, Curvature: []float64{0, 3}}, "surface of 1 optima and 2 curvatures for 2 parameters"},
		{Surface{Optimum: []float64{1, 2}, Curvature: []float64{3}}, "surface of 2 optima and 1 curvatures for 2 parameters"},
		{Surface{Optimum: []float64{1}, Curvature: []float64{1}}, "surface of 1 optima and 1 curvatures for 2 parameters"},
		{Surface{Optimum: []float64{1, 2}, Curvature: []float64{1, -1}}, "surface parameter 2: optimum 2, curvature -1"},
		{Surface{Optimum: []float64{nan, 2}, Curvature: []float64{1, 1}}, "surface parameter 1: optimum NaN, curvature 1"},
		{Surface{Optimum: []float64{1, 2}, Curvature: []float64{1, inf}}, "surface parameter 2: optimum 2, curvature +Inf"},
		{Surface{Optimum: []float64{1, 2}, Curvature: []float64{1, 1}, DrawRate: 1}, "surface with draw rate 1"},
		{Surface{Optimum: []float64{1, 2}, Curvature: []float64{1, 1}, DrawRate: -0.1}, "surface with draw rate -0.1"},
		{Surface{Optimum: []float64{1, 2}, Curvature: []float64{1, 1}, FirstElo: inf}, "first player's advantage +Inf"},
	} {
		err := c.s.Check(2)
		if (err != nil) != (c.want != "") || err != nil && (!errors.Is(err, ErrProblem) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.s, err, c.want)
		}
	}
}

// A first search along numbers with two bounds deviates by 0.3 of their distance, where that is more than its step; one bound, or a scale
// that is stated, leaves it.
func TestFirstDistributionSpansBounds(t *testing.T) {
	t.Parallel()
	p := Problem{Games: 4000, Parameters: []Parameter{
		{Name: "wide", Start: 5, Scale: 1, Min: new(0.0), Max: new(10.0)}, // 0.3 of 10 are 3, and 6 steps of 0.5
		{Name: "narrow", Start: 5, Scale: 1, Min: new(4.5), Max: new(5.5)},
		{Name: "below", Start: 5, Scale: 1, Min: new(-90.0)},
		{Name: "above", Start: 5, Scale: 1, Max: new(90.0)},
	}}
	for sigma, want := range map[float64][]float64{0: {36, 1, 1, 1}, 0.5: {1, 1, 1, 1}} {
		c, err := NewCMA(p, CMAOptions{Sigma: sigma})
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want {
			near(t, "variance of "+p.Parameters[i].Name, c.st.Cov[i][i], v, 1e-12)
		}
	}
}
