package agents

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"spar/engines"
)

// ErrNoScores is returned for an agent that gives no expected scores.
var ErrNoScores = errors.New("gives no expected scores")

// MoveScore lets an agent search the position after a move. It returns the expected score, 0 to 1, of the side
// that made the move. The agent's random stream restarts each time, so that the score depends only on the
// position. The error wraps ErrNoScores if the agent gives no score.
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
