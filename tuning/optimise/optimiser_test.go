package optimise

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// The bounds are about twice what was measured over 10 seeds (mean Elo left, start
// 300 below the optimum): SPSA 4, 24 and 6; CMA-ES 37 and 53.
func TestPlantedOptimumIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method      string
		n, games    int
		mean, worst float64
	}{
		{"spsa", 6, 2000, 10, 25},
		{"spsa", 14, 2000, 45, 75},
		{"spsa", 14, 10000, 10, 20},
		{"cma", 6, 10000, 70, 120},
		{"cma", 14, 10000, 90, 150},
	} {
		sims := simulateMany(t, 8, func(seed uint64) Problem { return weights(c.n, c.games, seed) },
			SurfaceOptions{Loss: 300, DrawRate: 0.1, FirstElo: 50}, makers()[c.method])
		s := summarise(sims)
		t.Logf("%s, %d parameters, %d games: from %.0f to %.1f Elo below the optimum, SD %.1f, worst %.1f, last theta %.1f",
			c.method, c.n, c.games, s.Start, s.Mean, s.SD, s.Worst, s.Current)
		near(t, "start", s.Start, 300, 1e-6)
		if s.Mean > c.mean || s.Worst > c.worst {
			t.Errorf("%s, %d parameters, %d games: mean %.1f and worst %.1f, bounds %.0f and %.0f",
				c.method, c.n, c.games, s.Mean, s.Worst, c.mean, c.worst)
		}
		for _, sim := range sims {
			if sim.Games > c.games {
				t.Errorf("%s played %d games of %d", c.method, sim.Games, c.games)
			}
		}
	}
}

// A direction, a bounded integer and a one-sided bound together: candidates respect
// them always, and most of the gap is closed.
func TestMixedParameters(t *testing.T) {
	t.Parallel()
	for method := range makers() {
		left := 0.0
		for seed := range uint64(4) {
			p := mixed(8000, seed)
			s := plant(t, p, SurfaceOptions{Loss: 300, Seed: seed})
			o := mustMake(t, method, p)
			start := standardLength(o.Mean())
			for !o.Done() {
				var told []Outcome
				for _, c := range o.Ask() {
					for _, x := range [][]float64{c.Plus, c.Minus} {
						if x[3] != math.Trunc(x[3]) || x[3] < 1 || x[3] > 12 || x[4] < 0 {
							t.Fatalf("%s asks for %v outside its bounds", method, x)
						}
					}
					if method == "spsa" && c.Plus[3] == c.Minus[3] && c.Plus[3] != 1 && c.Plus[3] != 12 {
						t.Fatalf("both sides play depth %v", c.Plus[3])
					}
					told = append(told, s.Play(c, seed))
				}
				if err := o.Tell(told); err != nil {
					t.Fatal(err)
				}
			}
			near(t, method+" length of the direction", standardLength(o.Mean()), start, 1e-9)
			left += s.Loss(o.Mean()) / 4
		}
		t.Logf("%s: %.1f of 300 Elo left", method, left)
		if bound := map[string]float64{"spsa": 10, "cma": 60}[method]; left > bound {
			t.Errorf("%s leaves %.1f of 300 Elo, bound %.0f", method, left, bound)
		}
	}
}

// standardLength is the root mean square of mixed's direction in standard units.
func standardLength(x []float64) float64 {
	return math.Sqrt((x[0]*x[0]*0.25 + x[1]*x[1]*4 + x[2]*x[2]*64) / 3)
}

// Without any effect the answer is as near to the start as chance allows, and Drift
// says how near that is.
func TestNoEffectStaysNearTheStart(t *testing.T) {
	t.Parallel()
	for method := range makers() {
		sum, drift, runs := 0.0, 0.0, 12
		for seed := range uint64(runs) {
			p := weights(10, 4000, seed)
			o := mustMake(t, method, p)
			s := plant(t, p, SurfaceOptions{Loss: -1, Seed: seed})
			sim := simulate(t, o, s, seed)
			for _, x := range sim.Answer {
				sum += (x - 1) * (x - 1) / float64(10*runs)
			}
			drift += sim.Drift * sim.Drift / float64(runs)
		}
		moved := math.Sqrt(sum)
		t.Logf("%s: moved %.3f a parameter, chance predicts %.3f", method, moved, math.Sqrt(drift))
		near(t, method+" movement over its prediction", moved/math.Sqrt(drift), 1, 0.25)
	}
	// Identical agents draw every pair: SPSA must not move at all.
	o := mustMake(t, "spsa", weights(5, 400, 1))
	for !o.Done() {
		var told []Outcome
		for _, c := range o.Ask() {
			told = append(told, Outcome{ID: c.ID, Score: 0.5, Games: 2 * c.Pairs})
		}
		if err := o.Tell(told); err != nil {
			t.Fatal(err)
		}
	}
	if got := o.Mean(); !slices.Equal(got, []float64{1, 1, 1, 1, 1}) {
		t.Errorf("drawn pairs moved spsa to %v", got)
	}
}

// A run is resumed by telling a new optimiser what was told before. Outcomes may come shuffled and repeated and the run
// may be resumed in the middle of steps: the end is bit for bit that of the undisturbed run.
func TestResumeIsExact(t *testing.T) {
	t.Parallel()
	for method := range makers() {
		p := mixed(1500, 7)
		s := plant(t, p, SurfaceOptions{Seed: 3})
		plain, disturbed := mustMake(t, method, p), mustMake(t, method, p)
		simulate(t, plain, s, 5)
		rng := rand.New(rand.NewPCG(1, 2))
		var log []Outcome
		for !disturbed.Done() {
			asked := disturbed.Ask()
			rng.Shuffle(len(asked), func(i, j int) { asked[i], asked[j] = asked[j], asked[i] })
			for _, c := range asked[:1+rng.IntN(len(asked))] {
				log = append(log, s.Play(c, 5))
				if err := disturbed.Tell(log[max(0, len(log)-3):]); err != nil {
					t.Fatal(err)
				}
				if rng.IntN(40) == 0 {
					disturbed = mustMake(t, method, p)
					for i := range log {
						if err := disturbed.Tell(log[i : i+1]); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		}
		if !slices.Equal(plain.Mean(), disturbed.Mean()) || !slices.Equal(plain.Current(), disturbed.Current()) ||
			!reflect.DeepEqual(plain.History(), disturbed.History()) {
			t.Errorf("%s: the resumed run ends elsewhere: %v and %v", method, plain.Mean(), disturbed.Mean())
		}
		if disturbed.Ask() != nil {
			t.Errorf("%s asks for more after the end", method)
		}
		if err := disturbed.Tell(log); err != nil {
			t.Errorf("%s: replaying the whole log: %v", method, err)
		}
	}
}

func TestSeeds(t *testing.T) {
	t.Parallel()
	for method := range makers() {
		end := func(seed uint64) []float64 {
			p := weights(4, 1000, seed)
			o := mustMake(t, method, p)
			simulate(t, o, plant(t, p, SurfaceOptions{Seed: 9}), 9)
			return o.Mean()
		}
		if a, b := end(1), end(1); !slices.Equal(a, b) {
			t.Errorf("%s: one seed gives %v and %v", method, a, b)
		}
		if a, b := end(1), end(2); slices.Equal(a, b) {
			t.Errorf("%s: two seeds give the same", method)
		}
	}
}

// A parameter counted in units half as large, with its scale, makes the same run.
func TestScalesAreUnits(t *testing.T) {
	t.Parallel()
	for method := range makers() {
		p, q := weights(4, 1000, 3), weights(4, 1000, 3)
		for i := range q.Parameters {
			q.Parameters[i].Start, q.Parameters[i].Scale = 2, 2
		}
		s := plant(t, p, SurfaceOptions{Seed: 1})
		r := s
		r.Optimum, r.Curvature = nil, nil
		for i := range s.Optimum {
			r.Optimum, r.Curvature = append(r.Optimum, 2*s.Optimum[i]), append(r.Curvature, s.Curvature[i]/4)
		}
		a, b := mustMake(t, method, p), mustMake(t, method, q)
		simulate(t, a, s, 4)
		simulate(t, b, r, 4)
		for i, x := range a.Mean() {
			near(t, method+" in other units", b.Mean()[i], 2*x, 1e-12)
		}
	}
}

func TestScales(t *testing.T) {
	t.Parallel()
	got, err := Scales(Problem{Parameters: []Parameter{
		{Name: "range", Start: 3, Min: new(0.0), Max: new(12.0)},
		{Name: "range far from 0", Start: 103, Min: new(102.0), Max: new(126.0)},
		{Name: "start", Start: -7, Min: new(-100.0)},
		{Name: "given", Start: 3, Scale: 11},
		{Name: "weight of sd 2", Start: 6, Scale: 0.5, Direction: true},
		{Name: "weight of sd 1", Start: -12, Direction: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{5, 10, 7, 11, 6, 12} { // 12 is the root mean square of 6/0.5 and -12
		near(t, "scale", got[i], want, 1e-12)
	}
}

func TestBadProblems(t *testing.T) {
	t.Parallel()
	one := func(q Parameter) Problem { return Problem{Games: 2000, Parameters: []Parameter{q}} }
	for _, p := range []Problem{
		{Games: 1000},
		weights(14, 20, 1),
		weights(3, -5, 1),
		one(Parameter{Name: "x", Start: 5, Min: new(0.0), Max: new(4.0)}),
		one(Parameter{Name: "x", Start: -1, Min: new(0.0), Max: new(4.0)}),
		one(Parameter{Name: "x", Start: 1, Min: new(4.0), Max: new(0.0)}),
		one(Parameter{Name: "x", Start: math.NaN()}),
		one(Parameter{Name: "x", Start: 1, Max: new(math.Inf(1))}),
		one(Parameter{Name: "x"}),
		one(Parameter{Name: "x", Start: 1, Scale: -1}),
		one(Parameter{Start: 1}),
		one(Parameter{Name: "x", Start: 1.5, Integer: true}),
		one(Parameter{Name: "x", Start: 1, Max: new(3.5), Integer: true}),
		one(Parameter{Name: "x", Start: 1, Direction: true}),
		one(Parameter{Name: "x", Start: 1, Direction: true, Integer: true}),
		{Games: 1000, Parameters: []Parameter{{Name: "x", Direction: true}, {Name: "y", Direction: true}}},
		{Games: 1000, Parameters: []Parameter{{Name: "x", Start: 1}, {Name: "x", Start: 1}}},
	} {
		for method, make := range makers() {
			_, err := make(p)
			if !errors.Is(err, ErrProblem) {
				t.Errorf("%s: %+v: %v", method, p, err)
			}
		}
	}
	p := weights(3, 1000, 1)
	for _, o := range []SPSAOptions{{CEnd: -1}, {REnd: math.NaN()}, {Tail: 2}, {Directions: -1}, {Pairs: 500}} {
		if _, err := NewSPSA(p, o); !errors.Is(err, ErrProblem) {
			t.Errorf("spsa options %+v: %v", o, err)
		}
	}
	for _, o := range []CMAOptions{{Sigma: -1}, {Lambda: 2}, {Pairs: -1}, {Pairs: 400}} {
		if _, err := NewCMA(p, o); !errors.Is(err, ErrProblem) {
			t.Errorf("cma options %+v: %v", o, err)
		}
	}
}
