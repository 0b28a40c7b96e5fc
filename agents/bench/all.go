package bench

import (
	"context"
	"errors"
	"slices"

	"spar/agents"
	"spar/engines"
)

// Rate is a number of units of work per CPU-second: the median of several rounds, with the lowest and the highest.
type Rate struct {
	PerS float64 `json:"per_s" help:"random games a CPU-second, the median of the rounds"`
	Lo   float64 `json:"lo" help:"the slowest round"`
	Hi   float64 `json:"hi" help:"the fastest round"`
}

// Speeds are the speeds of playing and searching a game, on one core.
type Speeds struct {
	Rules     string `json:"rules" help:"name of the rules"`
	Rounds    int    `json:"rounds" help:"number of measurements"`
	Playouts  Rate   `json:"playouts"`  // uniformly random games from the start
	UCT       Rate   `json:"uct"`       // simulations of the agent uct-1k
	PUCT      Rate   `json:"puct"`      // simulations of the agent mcts-1k
	AlphaBeta Rate   `json:"alphabeta"` // nodes of the agent minimax-2
}

// The shipped agents that All measures, and the number of random plies before the positions that they search.
const (
	uctAgent, puctAgent, alphaBetaAgent = "uct-1k", "mcts-1k", "minimax-2"
	pliesBefore                         = 8
)

// All measures the speeds of a game. Each round measures every speed for the given seconds of wall time, so that
// other load on the machine affects all alike. If ctx ends, All stops early and returns its error.
func All(ctx context.Context, g *engines.Game, clock Clock, seconds float64, rounds int) (Speeds, error) {
	r := Speeds{Rules: g.Name(), Rounds: rounds}
	searches := []struct {
		agent string
		rate  *Rate
	}{{uctAgent, &r.UCT}, {puctAgent, &r.PUCT}, {alphaBetaAgent, &r.AlphaBeta}}
	rates := make([][]float64, 1+len(searches))
	for range rounds {
		p := Play(ctx, g, clock, seconds, 0, 1)
		rates[0] = append(rates[0], float64(p.Playouts)/max(p.CPU, 1e-9))
		for i, s := range searches {
			spec, err := agents.LoadSpec(s.agent)
			if err != nil {
				return r, err
			}
			n, err := Search(ctx, g, spec, clock, seconds, min(pliesBefore, g.Cells()/3))
			if err = errors.Join(err, ctx.Err()); err != nil {
				return r, err
			}
			rates[1+i] = append(rates[1+i], float64(n.Nodes)/max(n.CPU, 1e-9))
		}
	}
	r.Playouts = rateOf(rates[0])
	for i, s := range searches {
		*s.rate = rateOf(rates[1+i])
	}
	return r, nil
}

// rateOf makes a Rate from the rates of several rounds.
func rateOf(rates []float64) Rate {
	slices.Sort(rates)
	n := len(rates)
	return Rate{PerS: (rates[(n-1)/2] + rates[n/2]) / 2, Lo: rates[0], Hi: rates[n-1]}
}
