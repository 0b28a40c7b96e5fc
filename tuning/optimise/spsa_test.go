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
