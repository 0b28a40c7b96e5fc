package optimise

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Simulation is the course of one optimiser on a Surface.
type Simulation struct {
	Games   int               `json:"games"`
	Start   float64           `json:"start"`   // Elo below the optimum at the start
	Mean    float64           `json:"mean"`    // ... of the answer
	Current float64           `json:"current"` // ... where the search ended
	Answer  []float64         `json:"answer"`
	Drift   float64           `json:"drift"` // see Optimiser
	Course  []SimulationPoint `json:"course"`
}

// SimulationPoint is the Elo below the optimum after some games.
type SimulationPoint struct {
	Games   int     `json:"games"`
	Current float64 `json:"current"`
	Mean    float64 `json:"mean"`
}

// Simulate runs an optimiser to its end on a surface. The games depend on the seed and the candidates only. When ctx
// ends, Simulate returns its error.
func Simulate(ctx context.Context, o Optimiser, s Surface, seed uint64) (Simulation, error) {
	if err := s.Check(len(o.Mean())); err != nil {
		return Simulation{}, err
	}
	sim := Simulation{Start: s.Loss(o.Mean())}
	for !o.Done() {
		if err := ctx.Err(); err != nil {
			return sim, err
		}
		asked := o.Ask()
		if len(asked) == 0 {
			return sim, errors.New("optimise: the search asks for no games before it is done")
		}
		told := make([]Outcome, len(asked))
		for i, c := range asked {
			told[i] = s.Play(c, seed)
		}
		if err := o.Tell(told); err != nil {
			return sim, err
		}
	}
	sim.Games, _ = o.Games()
	sim.Answer, sim.Drift = o.Mean(), o.Drift()
	sim.Mean, sim.Current = s.Loss(sim.Answer), s.Loss(o.Current())
	for _, p := range o.History() {
		sim.Course = append(sim.Course, SimulationPoint{p.Games, s.Loss(p.Current), s.Loss(p.Mean)})
	}
	return sim, nil
}

// Summary condenses several simulations that differ in their seeds.
type Summary struct {
	Runs  int     `json:"runs"`
	Start float64 `json:"start"` // mean Elo below the optimum at the start
	Mean  float64 `json:"mean"`  // mean Elo below the optimum of the answer
	SD    float64 `json:"sd"`    // its standard deviation over the runs
	Worst float64 `json:"worst"`
	Last  float64 `json:"last"` // mean Elo below the optimum where the search ended
}

// Summarise condenses simulations.
func Summarise(sims []Simulation) Summary {
	s := Summary{Runs: len(sims)}
	n := float64(len(sims))
	for _, r := range sims {
		s.Start += r.Start / n
		s.Mean += r.Mean / n
		s.Last += r.Current / n
		s.Worst = math.Max(s.Worst, r.Mean)
	}
	for _, r := range sims {
		s.SD += (r.Mean - s.Mean) * (r.Mean - s.Mean)
	}
	if len(sims) > 1 {
		s.SD = math.Sqrt(s.SD / (n - 1))
	}
	return s
}

// Trials simulates so many runs of a method, "spsa" or "cma", that tune so many numbers, each with a seed and a planted
// surface of its own from the surface's seed on.
func Trials(ctx context.Context, method string, numbers, games, runs int, s SurfaceOptions, o SPSAOptions) ([]Simulation, error) {
	var out []Simulation
	for range runs {
		p := Problem{Games: games, Seed: s.Seed}
		for i := range numbers {
			p.Parameters = append(p.Parameters, Parameter{Name: fmt.Sprintf("number %d", i+1), Start: 1})
		}
		surface, err := Plant(p, s)
		if err != nil {
			return nil, err
		}
		var search Optimiser
		if method == "cma" {
			search, err = NewCMA(p, CMAOptions{})
		} else {
			search, err = NewSPSA(p, o)
		}
		if err != nil {
			return nil, err
		}
		sim, err := Simulate(ctx, search, surface, s.Seed)
		if err != nil {
			return nil, err
		}
		out = append(out, sim)
		s.Seed++
	}
	return out, nil
}
