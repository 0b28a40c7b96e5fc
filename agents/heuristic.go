package agents

import (
	"context"
	"math/rand/v2"

	"spar/agents/eval"
	"spar/engines"
)

// winValue is the value of a won position to agents that look one ply ahead: above any sum of weights.
const winValue = 1e9

// tie is how much the values of moves that are as good as each other may differ: symmetric positions add the same numbers up in
// another order.
const tie = 1e-9

// heuristic looks one ply ahead: it plays the move after which the evaluation is best for it. A move that ends the game
// counts as won, drawn (value 0) or lost. After a move that does not end its turn the position is valued as it is.
type heuristic struct {
	common
	eval   *eval.Evaluator
	next   engines.Position
	moves  []engines.Move
	values []float64
	best   []engines.Move
}

func (a *heuristic) NewGame(Seed) {}

func (a *heuristic) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	moves := a.allowed(p)
	if moves == nil {
		a.moves = p.AppendMoves(a.moves[:0])
		moves = a.moves
	}
	a.values = a.values[:0]
	side := p.Side()
	for _, m := range moves {
		a.next.CopyFrom(p)
		a.next.Play(m)
		a.values = append(a.values, a.value(side))
	}
	top := a.values[0]
	for _, v := range a.values {
		top = max(top, v)
	}
	a.best = a.best[:0]
	for i, v := range a.values {
		if v >= top-tie {
			a.best = append(a.best, moves[i])
		}
	}
	d := Decision{Best: a.best, Value: top, Score: a.eval.Score(top), Depth: 1, Nodes: int64(len(moves))}
	if a.softmax > 0 {
		for i, v := range a.values {
			a.values[i] = a.eval.Score(v)
		}
		d.Best = moves
		d.Move = soften(moves, a.values, a.softmax, rng)
		return d, nil
	}
	d.Move, d.Best = a.pick(a.best, rng)
	return d, nil
}

func (a *heuristic) value(side int) float64 {
	switch a.next.Result() {
	case engines.Ongoing:
		return a.eval.Value(&a.next.State, side)
	case engines.Drawn:
		return 0
	case engines.Winner(side):
		return winValue
	}
	return -winValue
}
