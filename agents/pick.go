package agents

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"spar/agents/connection"
	"spar/agents/eval"
	"spar/agents/pace"
	"spar/engines"
)

// common holds what all agents that choose among moves need: dependencies and options.
type common struct {
	*restriction
	ties    string
	softmax float64
	threads int
	legal   []engines.Move
	root    *connection.Root // finds proved wins before a search; nil = none
}

func newCommon(s Spec, r *restriction, model eval.Model) common {
	c := common{
		restriction: r,
		ties:        s.Ties,
		softmax:     s.Mixture.Softmax,
		threads:     s.Threads(),
	}
	if m, ok := model.(*connection.Model); ok {
		c.root = connection.NewRoot(m)
	}
	return c
}

// start returns the moves that a search may choose (nil = all), without those that are proved to lose, or the decision
// if a win is proved before the search. An agent that draws its moves by scores, or that may not play some moves, always
// searches.
func (c *common) start(
	ctx context.Context, p *engines.Position, deadline pace.Deadline, positions int64,
) (may []engines.Move, d Decision, proved bool) {
	may = c.allowed(p)
	if c.root == nil || c.softmax > 0 {
		return may, d, false
	}
	f := c.root.Look(ctx, &p.State, deadline.Time, positions)
	if m := f.Win; m != engines.NoMove && (len(may) == 0 || slices.Contains(may, m)) {
		one := []engines.Move{m}
		return may, Decision{
			Best:  one,
			Move:  m,
			PV:    one,
			Score: 1,
			Value: 1,
			Exact: true,
			Depth: 1,
			Nodes: f.Looked,
		}, true
	}
	if len(may) == 0 {
		may = f.Moves
	}
	return may, d, false
}

// NewGame does nothing: most agents remember nothing of earlier games.
func (c *common) NewGame(Seed) {}

// choices returns the moves that may be chosen.
func (c *common) choices(p *engines.Position) []engines.Move {
	if moves := c.allowed(p); moves != nil {
		return moves
	}
	c.legal = p.AppendMoves(c.legal[:0])
	return c.legal
}

// Timed reports whether the agent has several threads: see the function Timed.
func (c *common) Timed() bool { return c.threads > 1 }

// pick draws one of the best moves, or takes the first, and returns the moves that it may choose from.
func (c *common) pick(best []engines.Move, rng *rand.Rand) (engines.Move, []engines.Move) {
	if c.ties == "first" || len(best) == 1 {
		return best[0], best[:1]
	}
	return best[rng.IntN(len(best))], best
}

// decide sets the move of a decision that has the best moves: one of these or, for an agent with a temperature, one of
// all n moves, drawn by their expected scores.
func (c *common) decide(d *Decision, n int, move func(i int) (engines.Move, float64), rng *rand.Rand) {
	if c.softmax == 0 {
		d.Move, d.Best = c.pick(d.Best, rng)
		return
	}
	d.Best = make([]engines.Move, n)
	scores := make([]float64, n)
	for i := range n {
		d.Best[i], scores[i] = move(i)
	}
	d.Move, d.Chances = soften(d.Best, scores, c.softmax, rng)
}

// soften draws a move with weights exp(score/temperature) and returns the probabilities. Scores are from 0 to 1; moves
// with NaN are excluded.
func soften(moves []engines.Move, scores []float64, temperature float64, rng *rand.Rand) (engines.Move, []float64) {
	top := math.Inf(-1)
	for _, s := range scores {
		if !math.IsNaN(s) {
			top = max(top, s)
		}
	}
	total, weights := 0.0, make([]float64, len(scores))
	for i, s := range scores {
		if !math.IsNaN(s) {
			weights[i] = math.Exp((s - top) / temperature)
			total += weights[i]
		}
	}
	at, chosen := rng.Float64()*total, -1
	for i, w := range weights {
		if at -= w; at < 0 && w > 0 && chosen < 0 {
			chosen = i
		}
		weights[i] = w / total
	}
	return moves[max(chosen, 0)], weights
}
