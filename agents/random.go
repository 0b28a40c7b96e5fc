package agents

import (
	"context"
	"math"
	"math/rand/v2"

	"spar/engines"
)

// random plays a uniformly random legal move.
type random struct {
	moves []engines.Move
}

func (a *random) NewGame() {}

func (a *random) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	a.moves = p.AppendMoves(a.moves[:0])
	return Decision{Move: a.moves[rng.IntN(len(a.moves))], Best: a.moves, Score: math.NaN()}, nil
}
