package agents

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"spar/agents/eval"
	"spar/agents/mcts"
	"spar/agents/minimax"
	"spar/agents/sources"
	"spar/engines"
)

// deadline is when a decision under this budget is due; the zero time means never.
func (b Budget) deadline() time.Time {
	if t := b.Time(); t > 0 {
		return time.Now().Add(t)
	}
	return time.Time{}
}

// plainDepth is the depth of alpha-beta without a budget.
const plainDepth = 4

// minimaxAgent plays by alpha-beta search.
type minimaxAgent struct {
	common
	model  eval.Model
	search *minimax.Searcher
}

func (a *minimaxAgent) NewGame(Seed) { a.search.Reset() }

func (a *minimaxAgent) Choose(ctx context.Context, p *engines.Position, b Budget, rng *rand.Rand) (Decision, error) {
	if b.Depth == 0 && b.Nodes == 0 && b.Time() == 0 { // a budget of iterations alone would not end
		b.Depth = plainDepth
	}
	r := a.search.Search(ctx, p, minimax.Limits{Depth: b.Depth, Nodes: b.Nodes, Deadline: b.deadline(), Root: a.allowed(p)})
	d := Decision{Best: r.Best, Value: float64(r.Score) / 100, Score: a.score(r.Score), Depth: r.Depth, Nodes: r.Nodes, PV: r.PV, Exact: r.Exact}
	if a.softmax > 0 {
		moves, scores := make([]engines.Move, len(r.Moves)), make([]float64, len(r.Moves))
		for i, m := range r.Moves {
			moves[i], scores[i] = m.Move, a.score(m.Score)
		}
		d.Best = moves
		d.Move = soften(moves, scores, a.softmax, rng)
	} else {
		d.Move, d.Best = a.pick(r.Best, rng)
	}
	if len(d.PV) > 0 && d.PV[0] != d.Move { // the line of the move that is played, not of its equal
		d.PV = a.search.Line(d.Move)
	}
	return d, nil
}

// score turns a search score into an expected score.
func (a *minimaxAgent) score(v int32) float64 {
	const won = minimax.Win - 100_000
	switch {
	case v > won:
		return 1
	case v < -won:
		return 0
	}
	return a.model.Score(float64(v) / 100)
}

// mctsAgent plays by Monte-Carlo tree search.
type mctsAgent struct {
	common
	search *mcts.Searcher
}

func (a *mctsAgent) NewGame(Seed) { a.search.Reset() }

func (a *mctsAgent) Choose(ctx context.Context, p *engines.Position, b Budget, rng *rand.Rand) (Decision, error) {
	iterations := b.Iterations
	if iterations == 0 || b.Nodes > 0 && b.Nodes < iterations { // a node is a simulation here
		iterations = b.Nodes
	}
	r := a.search.Search(ctx, p, mcts.Limits{Iterations: iterations, Deadline: b.deadline(), Root: a.allowed(p)}, rng)
	d := Decision{Best: r.Best, Move: r.Move, Score: r.Score, Value: r.Score, Depth: len(r.PV), Nodes: r.Iterations, PV: r.PV, Exact: r.Exact}
	switch {
	case a.softmax > 0:
		moves, scores := make([]engines.Move, len(r.Moves)), make([]float64, len(r.Moves))
		for i, m := range r.Moves {
			moves[i], scores[i] = m.Move, m.Score
		}
		d.Best, d.Move = moves, soften(moves, scores, a.softmax, rng)
	case !r.Drawn:
		d.Move, d.Best = a.pick(r.Best, rng)
	}
	if d.PV[0] != d.Move {
		d.PV = a.search.Line(d.Move)
		d.Depth = len(d.PV)
	}
	return d, nil
}

// sourceAgent plays a level of one of the original programs.
type sourceAgent struct {
	common
	player *sources.Player
}

func (a *sourceAgent) NewGame(Seed) {}

func (a *sourceAgent) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	c := a.player.Choose(&p.State)
	d := Decision{Best: c.Moves, Move: c.Moves[0], Value: c.Value, Nodes: c.Nodes, Score: math.NaN()}
	if len(c.Moves) > 1 {
		at := rng.Float64()
		for i, m := range c.Moves {
			share := 1 / float64(len(c.Moves))
			if c.Weights != nil {
				share = c.Weights[i]
			}
			if at -= share; at < 0 {
				d.Move = m
				break
			}
		}
	}
	return d, nil
}
