package optimise

import (
	"math"
	"slices"
	"testing"

	"spar/configs/must"
)

func newSPSA(t *testing.T, p Problem, o Options) *SPSA {
	t.Helper()
	s := must.Get(New(p, o))(t)
	return s
}

// The gains fall geometrically, from twice and five times their ends.
func TestGains(t *testing.T) {
	t.Parallel()
	o := must.Get(Options{}.resolve(5000))(t)
	g := gains{5000, o.CEnd, o.REnd}
	for k, want := range map[float64][2]float64{
		0: {0.8, 0.1}, 2500: {0.4 * math.Sqrt2, 0.02 * math.Sqrt(5)}, 5000: {0.4, 0.02},
	} {
		c, r := g.at(k)
		near(t, "c", c, want[0], 1e-12)
		near(t, "R", r, want[1], 1e-12)
	}
}

// One step by hand: theta_i + R_1 c_1 sum over matches of result Delta_i.
func TestStep(t *testing.T) {
	t.Parallel()
	s := newSPSA(t, weights(3, 1000, 4), Options{Directions: 2, Pairs: 3})
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
	s.Tell([]float64{5.0 / 6, 2.5 / 6})
	for i, x := range s.Current() {
		near(t, "theta", x, want[i], 1e-12)
	}
}

// With bounds, theta stays inside and the perturbed sides are clipped.
func TestBounds(t *testing.T) {
	t.Parallel()
	s := newSPSA(t, Problem{
		Games: 2000, Parameters: []Parameter{{Name: "x", Start: 0.9, Min: new(0.0), Max: new(1.0)}},
	}, Options{})
	simulate(t, s, Surface{Optimum: []float64{3}, Curvature: []float64{200}}, 1)
	if x := s.Mean()[0]; x > 1 || x < 0.97 {
		t.Errorf("an optimum beyond the bound leads to %v", x)
	}
	if x := s.Current()[0]; x > 1 {
		t.Errorf("theta left its bounds: %v", x)
	}
}

// Pure noise over a whole run, the last step of which is shorter: each step moves all that comes after it, and with it
// the answer by the share of the average that comes after it. Before the first pair nothing has moved. Every third match
// is even and moves nothing.
func TestDrift(t *testing.T) {
	t.Parallel()
	s := newSPSA(t, weights(2, 107, 1), Options{Directions: 1, Pairs: 2})
	near(t, "drift before the first pair", s.Drift()[0], 0, 0)
	type step struct{ pairs, variance, averaged float64 }
	var steps []step
	at := 0
	for asked := s.Ask(); asked != nil; asked = s.Ask() {
		ck, rk := s.g.at(float64(at + 1))
		at += asked[0].Pairs
		score := []float64{1, 0.5, 0.25}[len(steps)%3]
		now := step{float64(asked[0].Pairs), math.Pow(2*float64(asked[0].Pairs)*(2*score-1)*rk*ck, 2), 0}
		if float64(at) > 53.0/2 {
			now.averaged = now.pairs
		}
		steps = append(steps, now)
		s.Tell([]float64{score})
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
	near(t, "drift over that of the steps", s.Drift()[1]/math.Sqrt(want), 1, 1e-12)
}

// Mean Elo left over 8 seeds, from a start 300 below the optimum; the bounds are about twice what was measured.
func TestPlantedOptimumIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, games    int
		mean, worst float64
	}{{6, 2000, 10, 25}, {14, 2000, 45, 75}, {14, 10000, 10, 20}} {
		mean, worst := 0.0, 0.0
		for seed := range uint64(8) {
			p := weights(c.n, c.games, seed)
			surface := plant(t, p, SurfaceOptions{Loss: 300, DrawRate: 0.1, FirstElo: 50, Seed: seed})
			s := newSPSA(t, p, Options{})
			near(t, "start", surface.Loss(s.Mean()), 300, 1e-6)
			simulate(t, s, surface, seed+1000)
			if s.Games() > c.games {
				t.Errorf("%d games of %d", s.Games(), c.games)
			}
			left := surface.Loss(s.Mean())
			mean, worst = mean+left/8, max(worst, left)
		}
		t.Logf("%d parameters, %d games: %.1f Elo left, worst %.1f", c.n, c.games, mean, worst)
		if mean > c.mean || worst > c.worst {
			t.Errorf("%d parameters, %d games: mean %.1f and worst %.1f, bounds %.0f and %.0f", c.n, c.games, mean, worst,
				c.mean, c.worst)
		}
	}
}

// From the far side of the optimum a search that reaches it has settled; one that is too short for that is still moving.
func TestMovement(t *testing.T) {
	t.Parallel()
	for games, want := range map[int][2]float64{500: {1, 3}, 20000: {0, 0.8}} {
		sum := 0.0
		for seed := range uint64(8) {
			p := weights(10, games, seed)
			s := newSPSA(t, p, Options{})
			if before := s.Movement(); !math.IsNaN(before) {
				t.Errorf("movement before the first half: %v", before)
			}
			simulate(t, s, Surface{Optimum: slices.Repeat([]float64{-3}, 10), Curvature: slices.Repeat([]float64{5}, 10)}, seed)
			sum += s.Movement() / 8
		}
		if t.Logf("%d games: %.2f", games, sum); sum < want[0] || sum > want[1] {
			t.Errorf("%d games: movement %.2f, want %g to %g", games, sum, want[0], want[1])
		}
	}
}

// Without any effect the answer is as near to the start as chance allows, and Drift says how near that is. Identical
// agents draw every pair, and then nothing moves.
func TestNoEffectStaysNearTheStart(t *testing.T) {
	t.Parallel()
	sum, drift, runs := 0.0, 0.0, 12
	for seed := range uint64(runs) {
		p := weights(10, 4000, seed)
		s := newSPSA(t, p, Options{})
		simulate(t, s, plant(t, p, SurfaceOptions{Loss: -1, DrawRate: 0.8, Seed: seed}), seed)
		for i, x := range s.Mean() {
			sum += (x - 1) * (x - 1)
			drift += s.Drift()[i] * s.Drift()[i]
		}
	}
	near(t, "movement over its prediction", math.Sqrt(sum/drift), 1, 0.25)
	s := newSPSA(t, weights(5, 400, 1), Options{})
	for asked := s.Ask(); asked != nil; asked = s.Ask() {
		s.Tell(slices.Repeat([]float64{0.5}, len(asked)))
	}
	if got := s.Mean(); !slices.Equal(got, []float64{1, 1, 1, 1, 1}) {
		t.Errorf("drawn pairs moved the answer to %v", got)
	}
	if got := s.Movement(); !math.IsNaN(got) {
		t.Errorf("movement without a result: %v", got)
	}
	near(t, "quantile for one parameter", Settled(1), math.Sqrt(0.00393214), 1e-5)
	near(t, "quantile for ten parameters", Settled(10), math.Sqrt(0.394030), 1e-5)
}

// One seed makes one run, bit for bit, and two make two. A parameter counted in units half as large, with its scale,
// makes the same run.
func TestSeedsAndUnits(t *testing.T) {
	t.Parallel()
	end := func(seed uint64, unit float64) []float64 {
		p := weights(4, 1000, seed)
		surface := plant(t, p, SurfaceOptions{Seed: 9})
		for i := range p.Parameters {
			p.Parameters[i].Start, p.Parameters[i].Scale = unit, unit
			surface.Optimum[i] *= unit
			surface.Curvature[i] /= unit * unit
		}
		s := newSPSA(t, p, Options{})
		simulate(t, s, surface, 9)
		return s.Mean()
	}
	one := end(1, 1)
	if !slices.Equal(one, end(1, 1)) || slices.Equal(one, end(2, 1)) {
		t.Error("a run is not a function of its seed")
	}
	for i, x := range end(1, 2) {
		near(t, "in other units", x, 2*one[i], 1e-12)
	}
}

func TestBadProblems(t *testing.T) {
	t.Parallel()
	one := func(q Parameter) Problem {
		q.Name = "x"
		return Problem{Games: 2000, Parameters: []Parameter{q}}
	}
	for _, p := range []Problem{
		{Games: 1000},
		weights(14, 20, 1),
		weights(3, -5, 1),
		one(Parameter{Start: 5, Min: new(0.0), Max: new(4.0)}),
		one(Parameter{Start: -1, Min: new(0.0), Max: new(4.0)}),
		one(Parameter{Start: 1, Min: new(4.0), Max: new(0.0)}),
		one(Parameter{Start: math.NaN()}),
		one(Parameter{Start: 1, Max: new(math.Inf(1))}),
		one(Parameter{}),
		one(Parameter{Start: 1, Scale: -1}),
		one(Parameter{Start: 1.5, Integer: true}),
		one(Parameter{Start: 1, Max: new(3.5), Integer: true}),
		one(Parameter{Start: 1, Log: true, Scale: 0.5}),
		one(Parameter{Start: 1, Log: true, Min: new(0.0)}),
		{Games: 1000, Parameters: []Parameter{{Name: "x", Direction: true}, {Name: "y", Direction: true}}},
	} {
		if _, err := New(p, Options{}); err == nil {
			t.Errorf("%+v is taken", p)
		}
	}
	for _, o := range []Options{{CEnd: -1}, {REnd: math.NaN()}, {Directions: -1}, {Pairs: 500}} {
		if _, err := New(weights(3, 1000, 1), o); err == nil {
			t.Errorf("options %+v are taken", o)
		}
	}
}
