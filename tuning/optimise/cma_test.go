package optimise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"
)

// evaluations is the number of candidates until f at the mean is below 1e-8, told
// only their ranks.
func evaluations(t *testing.T, f func([]float64) float64, n int, start float64, seed uint64) int {
	t.Helper()
	p := Problem{Games: 60000, Seed: seed}
	for i := range n {
		p.Parameters = append(p.Parameters, Parameter{Name: fmt.Sprint("x", i), Start: start, Scale: 1})
	}
	o, err := NewCMA(p, CMAOptions{Pairs: 1})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for !o.Done() && f(o.Mean()) > 1e-8 {
		asked := o.Ask()
		sort.Slice(asked, func(i, j int) bool { return f(asked[i].Plus) < f(asked[j].Plus) })
		told := make([]Outcome, len(asked))
		for rank, c := range asked {
			told[rank] = Outcome{ID: c.ID, Score: 1 - float64(rank)/float64(len(asked)), Games: 2}
		}
		if err := o.Tell(told); err != nil {
			t.Fatal(err)
		}
		count += len(asked)
	}
	if v := f(o.Mean()); v > 1e-8 {
		t.Errorf("%d evaluations end at %v", count, v)
	}
	return count
}

// Without noise the numbers of evaluations are those of a textbook CMA-ES with
// Hansen's defaults, measured apart from this one: sphere 586 (n = 4) and 1,506
// (n = 10), ellipsoid of condition 1e4 1,187 and 4,152, Rosenbrock 1,644 and 6,202.
func TestCMAIsTheTextbooks(t *testing.T) {
	t.Parallel()
	sphere := func(x []float64) (s float64) {
		for _, v := range x {
			s += v * v
		}
		return s
	}
	ellipsoid := func(x []float64) (s float64) {
		for i, v := range x {
			s += math.Pow(1e4, float64(i)/float64(len(x)-1)) * v * v
		}
		return s
	}
	rosenbrock := func(x []float64) (s float64) {
		for i := range len(x) - 1 {
			a, b := x[i+1]-x[i]*x[i], 1-x[i]
			s += 100*a*a + b*b
		}
		return s
	}
	for _, c := range []struct {
		name  string
		f     func([]float64) float64
		n     int
		start float64
		want  float64
	}{
		{"sphere", sphere, 4, 1, 586},
		{"sphere", sphere, 10, 1, 1506},
		{"ellipsoid", ellipsoid, 4, 1, 1187},
		{"ellipsoid", ellipsoid, 10, 1, 4152},
		{"rosenbrock", rosenbrock, 4, 0, 1644},
		{"rosenbrock", rosenbrock, 10, 0, 6202},
	} {
		mean := 0.0
		for seed := range uint64(5) {
			mean += float64(evaluations(t, c.f, c.n, c.start, seed)) / 5
		}
		t.Logf("%s, n = %d: %.0f evaluations, textbook %.0f", c.name, c.n, mean, c.want)
		if mean > 1.35*c.want || mean < c.want/1.35 {
			t.Errorf("%s, n = %d: %.0f evaluations, want about %.0f", c.name, c.n, mean, c.want)
		}
	}
}

// Constants for n = 10, lambda = 10, from the formulas by hand: w_i ~ ln 5.5 - ln i.
func TestCMAConstants(t *testing.T) {
	t.Parallel()
	k := newConstants(10, 10)
	sum := 0.0
	for _, w := range k.w {
		sum += w
	}
	near(t, "sum of weights", sum, 1, 1e-12)
	near(t, "mu_eff", k.muEff, 3.1673, 1e-4)
	near(t, "c_s", k.cs, 0.2844, 1e-4)
	near(t, "d_s", k.ds, 1.2844, 1e-4)
	near(t, "c_c", k.cc, 0.2950, 1e-4)
	near(t, "c_1", k.c1, 0.01528, 1e-5)
	near(t, "c_mu", k.cm, 0.02015, 1e-5)
	near(t, "chi_n", k.chi, 3.0847, 1e-4)
	if len(k.w) != 5 {
		t.Errorf("mu = %d", len(k.w))
	}
	k = newConstants(2, 100) // many samples in a small space: mu_eff = 26.9667 is above n, and c_mu at its bound, 1 - c_1
	near(t, "mu_eff of many", k.muEff, 26.9667, 1e-4)
	near(t, "d_s of many", k.ds, 5.7369, 1e-4)
	near(t, "c_c of many", k.cc, 0.5303, 1e-4)
	near(t, "c_mu of many", k.cm, 1-0.05283, 1e-5)
}

// A generation of one number by hand, where all matrices are numbers; once as usual, and once with a path that is too
// long for its age.
func TestCMAUpdateOfOneNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, h float64 }{{0.3, 1}, {4, 0}, {-4, 0}} {
		o, err := NewCMA(Problem{Games: 1000, Seed: 1, Parameters: []Parameter{{Name: "x", Start: 1, Scale: 1}}},
			CMAOptions{})
		if err != nil {
			t.Fatal(err)
		}
		const mean, sigma, cov, pathCov, drift = 1.0, 0.5, 4.0, -0.2, 0.1
		s := &o.st
		s.Mean, s.Sigma, s.Cov, s.PathSigma, s.PathCov, s.DriftSq, s.Generation = []float64{mean}, sigma, [][]float64{{cov}},
			[]float64{c.path}, []float64{pathCov}, drift, 0
		s.Samples = [][]float64{{1.3}, {0.8}, {1.1}, {0.2}, {1.2}, {5}}
		if err := o.update([]Outcome{
			{Score: 0.5},
			{Score: 0.4},
			{Score: 0.9},
			{Score: 0.1},
			{Score: 0.7},
			{Score: 0.2},
		}); err != nil {
			t.Fatal(err)
		}
		k := newConstants(1, 6)
		y := [3]float64{(1.1 - mean) / sigma, (1.2 - mean) / sigma, (1.3 - mean) / sigma} // the best three, the best first
		step, spread := 0.0, 0.0
		for r, w := range k.w {
			step, spread = step+w*y[r], spread+w*y[r]*y[r]
		}
		ps := (1-k.cs)*c.path + math.Sqrt(k.cs*(2-k.cs)*k.muEff)*step/math.Sqrt(cov)
		pc := (1-k.cc)*pathCov + c.h*math.Sqrt(k.cc*(2-k.cc)*k.muEff)*step
		near(t, "mean", s.Mean[0], mean+sigma*step, 1e-12)
		near(t, "path of sigma", s.PathSigma[0], ps, 1e-12)
		near(t, "path of the covariance", s.PathCov[0], pc, 1e-12)
		near(t, "covariance", s.Cov[0][0], (1-k.c1-k.cm)*cov+k.c1*pc*pc+k.cm*spread, 1e-12)
		near(t, "sigma", s.Sigma, sigma*math.Exp(k.cs/k.ds*(math.Abs(ps)/k.chi-1)), 1e-12)
		near(t, "drift", s.DriftSq, drift+sigma*sigma*cov/k.muEff, 1e-12)
	}
}

func TestCMAIntegersStayAlive(t *testing.T) {
	t.Parallel()
	p := Problem{Games: 8000, Seed: 2, Parameters: []Parameter{
		{Name: "depth", Start: 2, Min: new(1.0), Max: new(40.0), Scale: 0.1, Integer: true},
		{Name: "x", Start: 1},
	}}
	o, err := NewCMA(p, CMAOptions{})
	if err != nil {
		t.Fatal(err)
	}
	simulate(t, o, Surface{Optimum: []float64{9, 1}, Curvature: []float64{8, 50}}, 3)
	if d := o.Mean()[0]; math.Abs(d-9) > 1 {
		t.Errorf("depth %v, the optimum is 9", d)
	}
}

// findKnob lets CMA-ES look for one bounded number whose best value, 0.4, is worth 48 Elo above its start, 1.5, by
// games of chance.
func findKnob(t *testing.T, o CMAOptions, log bool, seed uint64) float64 {
	t.Helper()
	c, err := NewCMA(Problem{
		Games: 2000, Seed: seed,
		Parameters: []Parameter{{
			Name: "c", Start: 1.5, Min: new(0.1), Max: new(3.0),
			Scale: map[bool]float64{false: 0.3, true: 1.5}[log], Log: log,
		}},
	}, o)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 9))
	worth := func(x float64) float64 {
		d := math.Log(x / 0.4)
		return -48 * d * d / (math.Log(1.5/0.4) * math.Log(1.5/0.4))
	}
	for !c.Done() {
		var out []Outcome
		for _, a := range c.Ask() {
			p, points := 1/(1+math.Pow(10, (worth(a.Minus[0])-worth(a.Plus[0]))/400)), 0.0
			for range 2 * a.Pairs {
				if rng.Float64() < p {
					points++
				}
			}
			out = append(out, Outcome{ID: a.ID, Games: 2 * a.Pairs, Score: points / float64(2*a.Pairs)})
		}
		if err := c.Tell(out); err != nil {
			t.Fatal(err)
		}
	}
	return worth(c.Mean()[0])
}

// A search for a knob with bounds does not stay where it started, whatever scale was stated; by its logarithm it comes
// nearer still.
func TestCMAFindsABoundedKnob(t *testing.T) {
	t.Parallel()
	const runs = 40
	mean := func(o CMAOptions, log bool) float64 {
		sum := 0.0
		for seed := range uint64(runs) {
			sum += findKnob(t, o, log, seed)
		}
		return sum / runs
	}
	narrow, wide, logarithm := mean(CMAOptions{Sigma: 0.5}, false), mean(CMAOptions{}, false), mean(CMAOptions{}, true)
	t.Logf("Elo lost on average: start 48, sigma 0.5 of the scale %.1f, of the bounds %.1f, by the logarithm %.1f",
		-narrow, -wide, -logarithm)
	if wide < narrow+10 || wide < -20 {
		t.Errorf("with bounds %.1f Elo are lost, with the scale alone %.1f", -wide, -narrow)
	}
	if logarithm < wide || logarithm < -15 {
		t.Errorf("by the logarithm %.1f Elo are lost, %.1f without", -logarithm, -wide)
	}
}
