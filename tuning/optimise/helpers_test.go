package optimise

import (
	"fmt"
	"math"
	"testing"
)

// weights is a problem of n plain parameters that start at 1.
func weights(n, games int, seed uint64) Problem {
	p := Problem{Games: games, Seed: seed}
	for i := range n {
		p.Parameters = append(p.Parameters, Parameter{Name: fmt.Sprintf("w%d", i), Start: 1, Scale: 1})
	}
	return p
}

// mixed is a problem with bounds, an integer and a direction.
func mixed(games int, seed uint64) Problem {
	p := Problem{Games: games, Seed: seed}
	for i, sd := range []float64{0.5, 2, 8} {
		p.Parameters = append(p.Parameters, Parameter{
			Name: fmt.Sprintf("w%d", i), Start: 3 - float64(i), Scale: 1 / sd,
			Direction: true,
		})
	}
	p.Parameters = append(p.Parameters,
		Parameter{Name: "depth", Start: 3, Min: new(1.0), Max: new(12.0), Integer: true},
		Parameter{Name: "exploration", Start: 1.4, Min: new(0.0)},
	)
	return p
}

// makers are the optimisers under test.
func makers() map[string]func(Problem) (Optimiser, error) {
	return map[string]func(Problem) (Optimiser, error){
		"spsa": func(p Problem) (Optimiser, error) {
			o, err := NewSPSA(p, SPSAOptions{})
			if err != nil {
				return nil, err
			}
			return o, nil
		},
		"cma": func(p Problem) (Optimiser, error) {
			o, err := NewCMA(p, CMAOptions{})
			if err != nil {
				return nil, err
			}
			return o, nil
		},
	}
}

func mustMake(t *testing.T, method string, p Problem) Optimiser {
	t.Helper()
	o, err := makers()[method](p)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// simulateMany runs an optimiser on seeds 0..runs-1, each with a surface of its own.
func simulateMany(t *testing.T, runs int, problem func(seed uint64) Problem, surface SurfaceOptions,
	make func(Problem) (Optimiser, error),
) []Simulation {
	t.Helper()
	var sims []Simulation
	for seed := range uint64(runs) {
		p := problem(seed)
		surface.Seed = seed
		o, err := make(p)
		if err != nil {
			t.Fatal(err)
		}
		sim := simulate(t, o, plant(t, p, surface), seed+1000)
		sims = append(sims, sim)
	}
	return sims
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %.6g, want %.6g within %.3g", what, got, want, tolerance)
	}
}
