package agents

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"spar/engines"
)

// ErrNoScores says that an agent plays but cannot say what it expects.
var ErrNoScores = errors.New("gives no expected scores")

// MoveScore lets an agent look at the position after a move and returns the expected score, 0 to 1, of the side that
// made it. The agent's random stream begins anew each time, so that the score depends on nothing but the position.
// The error wraps ErrNoScores for an agent that has none.
func MoveScore(ctx context.Context, a Agent, p *engines.Position, m engines.Move, b Budget) (float64, error) {
	next := p.Clone()
	next.Play(m)
	if next.Over() {
		return next.Result().Score(p.Side()), nil
	}
	a.NewGame(Seed{})
	d, err := a.Choose(ctx, next, b, rand.New(rand.NewPCG(0, 0)))
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return 0, err
	}
	if math.IsNaN(d.Score) {
		return 0, fmt.Errorf("the agent %w", ErrNoScores)
	}
	if next.Side() != p.Side() {
		return 1 - d.Score, nil
	}
	return d.Score, nil
}
