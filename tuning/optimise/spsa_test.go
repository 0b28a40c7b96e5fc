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
	simulate(t, s, Surface{Optimum: []float64{3}, Curvature: []float64{200}}, 1)
	if x := s.Mean()[0]; x > 1 || x < 0.97 {
		t.Errorf("an optimum beyond the bound leads to %v", x)
	}
	if x := s.Current()[0]; x > 1 {
		t.Errorf("theta left its bounds: %v", x)
	}
}

// The scale of a number that is searched by its logarithm is what a step adds to its start.
func TestScaleOfALogarithm(t *testing.T) {
	t.Parallel()
	lo, hi := 0.1, 10.0
	got, err := Scales(Problem{Games: 1000, Parameters: []Parameter{{
		Name: "x", Start: 2, Min: &lo, Max: &hi, Log: true,
		Scale: 1.5,
	}, {Name: "y", Start: 2, Scale: 0.25}}})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "of the logarithm", got[0], 2*0.5, 1e-12)
	near(t, "of the other", got[1], 0.25, 1e-12)
}

// Pure noise moves nothing before the first pair, and after one step by what that step would do.
func TestDriftOfTheFirstStep(t *testing.T) {
	t.Parallel()
	s, err := NewSPSA(Problem{
		Parameters: []Parameter{{Name: "x", Start: 1, Scale: 1}, {Name: "y", Start: 2, Scale: 3}},
		Games:      400, Seed: 1,
	}, SPSAOptions{Pairs: 2})
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

// Pure noise over a whole run, the last step of which is shorter: each step moves all that comes after it, and with it
// the answer by the share of the average that comes after it.
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
