package optimise

import (
	"math"
	"testing"
)

// The gains against Spall's form written out, and their ends.
func TestGains(t *testing.T) {
	t.Parallel()
	o, err := SPSAOptions{}.resolve(5000)
	if err != nil {
		t.Fatal(err)
	}
	g := newGains(o, 5000)
	c, r := g.at(5000)
	near(t, "last c", c, 0.4, 1e-12)
	near(t, "last r", r, 0.02, 1e-12)
	c0 := 0.4 * math.Pow(5000, 0.101)
	a0 := 0.02 * 0.4 * 0.4 * math.Pow(500+5000, 0.602)
	for _, k := range []float64{1, 17, 2500} {
		c, r := g.at(k)
		ck, ak := c0/math.Pow(k, 0.101), a0/math.Pow(500+k, 0.602)
		near(t, "c_k", c, ck, 1e-12)
		near(t, "R_k", r, ak/(ck*ck), 1e-12)
	}
	g = newGains(SPSAOptions{CEnd: 0.2, REnd: 0.01, ConstantGains: true}, 5000)
	c, r = g.at(1)
	near(t, "constant c", c, 0.2, 1e-15)
	near(t, "constant r", r, 0.01, 1e-15)
}

// One step by hand: theta_i + R_1 c_1 sum over matches of result Delta_i.
func TestSPSAStep(t *testing.T) {
	t.Parallel()
	p := weights(3, 1000, 4)
	s, err := NewSPSA(p, SPSAOptions{Directions: 2, Pairs: 3})
	if err != nil {
		t.Fatal(err)
	}
	asked := s.Ask()
	if len(asked) != 2 || asked[0].Pairs != 3 || asked[1].Opening != 3 {
		t.Fatalf("asked %+v", asked)
	}
	c, r := s.g.at(1)
	want := []float64{1, 1, 1}
	for j, result := range []float64{4, -1} { // of 6 games each
		for i := range want {
			delta := (asked[j].Plus[i] - asked[j].Minus[i]) / (2 * c)
			near(t, "perturbation", math.Abs(delta), 1, 1e-12)
			want[i] += r * c * result * delta
		}
	}
	if err := s.Tell([]Outcome{{0, 5.0 / 6, 6}, {1, 2.5 / 6, 6}}); err != nil {
		t.Fatal(err)
	}
	for i, x := range s.Current() {
		near(t, "theta", x, want[i], 1e-12)
	}
}

// With bounds, theta stays inside and the perturbed sides are clipped.
func TestSPSABounds(t *testing.T) {
	t.Parallel()
	p := Problem{Games: 2000, Parameters: []Parameter{{Name: "x", Start: 0.9, Min: new(0.0), Max: new(1.0)}}}
	s, err := NewSPSA(p, SPSAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Simulate(t.Context(), s, Surface{Optimum: []float64{3}, Curvature: []float64{200}}, 1); err != nil {
		t.Fatal(err)
	}
	if x := s.Mean()[0]; x > 1 || x < 0.97 {
		t.Errorf("an optimum beyond the bound leads to %v", x)
	}
	if x := s.Current()[0]; x > 1 {
		t.Errorf("theta left its bounds: %v", x)
	}
}

// Which pairs enter the average: those after the tail has begun, and the last one always.
func TestTail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tail float64
		from int // first of 100 pairs
	}{{0.5, 51}, {1, 1}, {0.25, 76}, {0.001, 100}} {
		s, err := NewSPSA(weights(3, 200, 4), SPSAOptions{Tail: c.tail})
		if err != nil {
			t.Fatal(err)
		}
		for pairs := range 101 {
			if got := s.inTail(pairs); got != (pairs >= c.from) {
				t.Errorf("a tail of %g: pair %d is in it: %t", c.tail, pairs, got)
			}
		}
	}
}

// Defaults follow the number of pairs, and limits are limits: 25 steps, a tail of the whole run; five generations of at least four.
func TestOptionsAtTheirLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o          SPSAOptions
		pairs      int
		directions int // 0 = refused
	}{
		{SPSAOptions{}, 24, 0},
		{SPSAOptions{}, 25, 1},
		{SPSAOptions{}, 49, 1},
		{SPSAOptions{}, 50, 2},
		{SPSAOptions{}, 200, 8},
		{SPSAOptions{}, 5000, 8},
		{SPSAOptions{Directions: 3}, 74, 0},
		{SPSAOptions{Directions: 3}, 75, 3},
		{SPSAOptions{Pairs: 2}, 49, 0},
		{SPSAOptions{Pairs: 2}, 50, 1},
		{SPSAOptions{Pairs: 2}, 100, 2},
		{SPSAOptions{Tail: 1}, 50, 2},
		{SPSAOptions{Tail: 1.01}, 50, 0},
		{SPSAOptions{Directions: -1}, 50, 0},
		{SPSAOptions{Pairs: -1}, 50, 0},
		{SPSAOptions{Alpha: -0.1}, 50, 0},
		{SPSAOptions{CEnd: math.Inf(1)}, 50, 0},
	} {
		o, err := c.o.resolve(c.pairs)
		if (err == nil) != (c.directions > 0) || err == nil && o.Directions != c.directions {
			t.Errorf("%+v of %d pairs: %d directions, %v", c.o, c.pairs, o.Directions, err)
		}
	}
	for _, c := range []struct {
		o             CMAOptions
		n, pairs      int
		lambda, games int // games 0 = refused; otherwise pairs of a candidate
	}{
		{CMAOptions{}, 1, 19, 0, 0},
		{CMAOptions{}, 1, 20, 4, 1},
		{CMAOptions{}, 1, 79, 4, 1},
		{CMAOptions{}, 1, 80, 4, 2},
		{CMAOptions{}, 1, 800, 4, 20},
		{CMAOptions{}, 1, 8000, 4, 20},
		{CMAOptions{}, 10, 1000, 10, 10},
		{CMAOptions{Lambda: 3}, 5, 1000, 0, 0},
		{CMAOptions{Lambda: 4, Pairs: 5}, 5, 100, 4, 5},
		{CMAOptions{Lambda: 4, Pairs: 5}, 5, 99, 0, 0},
		{CMAOptions{Pairs: -1}, 5, 1000, 0, 0},
		{CMAOptions{Sigma: -1}, 5, 1000, 0, 0},
	} {
		o, err := c.o.resolve(c.n, c.pairs)
		if (err == nil) != (c.games > 0) || err == nil && (o.Lambda != c.lambda || o.Pairs != c.games) {
			t.Errorf("%+v of %d numbers and %d pairs: %+v, %v", c.o, c.n, c.pairs, o, err)
		}
	}
}

// The scale of a number that is searched by its logarithm is what a step adds to its start.
func TestScaleOfALogarithm(t *testing.T) {
	t.Parallel()
	lo, hi := 0.1, 10.0
	got, err := Scales(Problem{Games: 1000, Parameters: []Parameter{{Name: "x", Start: 2, Min: &lo, Max: &hi, Log: true, Scale: 1.5}, {Name: "y", Start: 2, Scale: 0.25}}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "of the logarithm", got[0], 2*0.5, 1e-12)
	near(t, "of the other", got[1], 0.25, 1e-12)
}

// Pure noise moves nothing before the first pair, and after one step by what that step would do.
func TestDriftOfTheFirstStep(t *testing.T) {
	t.Parallel()
	s, err := NewSPSA(Problem{Parameters: []Parameter{{Name: "x", Start: 1, Scale: 1}, {Name: "y", Start: 2, Scale: 3}}, Games: 400, Seed: 1}, SPSAOptions{Pairs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Drift(); got != 0 {
		t.Errorf("before the first pair: %v", got)
	}
	m := s.st.Options.Directions * s.st.Options.Pairs
	s.st.Pairs = m
	c, r := s.g.at(1)
	x, y := r*s.perturbation(0, c), r*s.perturbation(1, c)
	if got, want := s.Drift(), math.Sqrt(float64(m)*(x*x+y*y)); math.Abs(got-want) > 1e-12*want {
		t.Errorf("after %d pairs: %v, want %v", m, got, want)
	}
}

// Pure noise over a whole run, the last step of which is shorter: each step moves all that comes after it, and with it the answer by the
// share of the average that comes after it.
func TestDriftOfAWholeRun(t *testing.T) {
	t.Parallel()
	for _, tail := range []float64{0.3, 1} {
		s, err := NewSPSA(weights(2, 107, 1), SPSAOptions{Directions: 1, Pairs: 2, Tail: tail})
		if err != nil {
			t.Fatal(err)
		}
		type step struct{ pairs, variance, averaged float64 }
		var steps []step
		at := 0
		for !s.Done() {
			c := s.Ask()[0]
			ck, rk := s.g.at(float64(at + 1))
			at += c.Pairs
			now := step{float64(c.Pairs), 2 * float64(c.Pairs) * math.Pow(rk*ck, 2), 0}
			if float64(at) > (1-tail)*53 {
				now.averaged = now.pairs
			}
			steps = append(steps, now)
			if err := s.Tell([]Outcome{{ID: c.ID, Score: 0.5, Games: 2 * c.Pairs}}); err != nil {
				t.Fatal(err)
			}
		}
		if at != 53 || len(steps) != 27 || steps[26].pairs != 1 {
			t.Fatalf("%d pairs in %d steps", at, len(steps))
		}
		after, all, want := 0.0, 0.0, 0.0
		for _, x := range steps {
			all += x.averaged
		}
		for i := len(steps) - 1; i >= 0; i-- {
			after += steps[i].averaged
			want += steps[i].variance * math.Pow(after/all, 2)
		}
		near(t, "drift over that of the steps", s.Drift()/math.Sqrt(want), 1, 1e-12)
	}
}
