package agents

import (
	"context"
	"math/rand/v2"
	"slices"

	"spar/agents/eval"
	"spar/engines"
)

// winValue is the value of a won position for one-ply agents: larger than any sum of weights.
const winValue = 1e9

// tie is the largest difference between values of equally good moves: for symmetric positions the same numbers are
// added in a different order.
const tie = 1e-9

func heuristicKind() kind {
	return kind{
		name:      "heuristic",
		about:     "one ply of evaluation",
		knobs:     valueKnobs(),
		evaluates: true,
		compares:  true,
		certain:   firstTie,
		plays:     func(*Spec) string { return "looks one ply ahead" },
		deeper: func(s *Spec) string {
			s.Type = "minimax"
			s.Budget = Budget{Depth: 2}
			s.Minimax.TableMB = 1 // two plies fill no more, and clearing the usual table takes longer than a game
			return "minimax, depth 2"
		},
		make: func(_ context.Context, _ Spec, _ *engines.Game, c common, model eval.Model) (Agent, error) {
			a := &heuristic{common: c, model: model, cursor: model.Cursor()}
			a.follower, _ = a.cursor.(eval.Follower)
			return a, nil
		},
	}
}

// heuristic is the one-ply agent: it plays the move after which the evaluation is best for it. A move that ends
// the game has the value of a win, a draw (0) or a loss. After a move that does not end the turn, it values the
// position without further moves.
type heuristic struct {
	common
	model    eval.Model
	cursor   eval.Cursor
	follower eval.Follower // the cursor if it can follow moves; otherwise nil
	next     engines.Position
	values   []float64
	best     []engines.Move
}

func (a *heuristic) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	moves := a.choices(p)
	a.values = a.values[:0]
	side := p.Side()
	if a.follower != nil {
		a.follower.Follow(&p.State)
	}
	for _, m := range moves {
		a.next.CopyFrom(p)
		a.next.Play(m)
		a.values = append(a.values, a.value(p, side))
	}
	top := slices.Max(a.values)
	a.best = a.best[:0]
	for i, v := range a.values {
		if v >= top-tie {
			a.best = append(a.best, moves[i])
		}
	}
	d := Decision{
		Best:  a.best,
		Value: top,
		Score: a.model.Score(top),
		Depth: 1,
		Nodes: int64(len(moves)),
	}
	a.decide(&d, len(moves), func(i int) (engines.Move, float64) { return moves[i], a.model.Score(a.values[i]) }, rng)
	return d, nil
}

// value returns the value of the position after a move of p, for a side.
func (a *heuristic) value(p *engines.Position, side int) float64 {
	switch a.next.Result() {
	case engines.Ongoing:
		if a.follower != nil {
			a.follower.Push(&p.State, &a.next.State)
			defer a.follower.Pop()
		}
		return a.cursor.Value(&a.next.State, side)
	case engines.Drawn:
		return 0
	case engines.Winner(side):
		return winValue
	}
	return -winValue
}
