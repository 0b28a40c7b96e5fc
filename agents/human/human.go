// Package human lets a person play as an agent. A [Desk] shows the board, in a terminal or on a page. The [Player]
// reads the person's answers from a channel and asks again until an answer is a legal move.
package human

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"spar/agents"
	"spar/engines"
)

// Resign is the answer by which a person resigns. The person has to confirm it with Yes.
const (
	Resign = "resign"
	Yes    = "yes"
)

// ErrSure asks a person who answered Resign for confirmation.
var ErrSure = errors.New("do you resign? Answer yes to resign; any other answer continues the game")

// Desk is where a person plays: a terminal or a page. The goroutine that plays the game calls its methods.
type Desk interface {
	// Turn tells the person that it is their turn in p, which is valid until they answer.
	Turn(p *engines.Position)
	// Refused tells the person that an answer was not a legal move of p, and the reason. The player then calls
	// Turn again.
	Refused(p *engines.Position, answer string, err error)
}

// Player is an agent whose moves a person enters at a Desk. It cannot be made from a spec.
type Player struct {
	desk    Desk
	answers <-chan string
}

// New returns a person whose answers arrive on a channel: the text of a move, or Resign. A closed channel means that
// the person has left, which is a fault of kind "left".
func New(desk Desk, answers <-chan string) *Player { return &Player{desk, answers} }

// NewGame does nothing.
func (*Player) NewGame(agents.Seed) {}

// Choose asks until the answer is a legal move. It returns a fault if the person resigns or the context ends.
func (h *Player) Choose(ctx context.Context, p *engines.Position,
	_ agents.Budget, _ *rand.Rand,
) (agents.Decision, error) {
	none := agents.Decision{}
	for resigning := false; ctx.Err() == nil; { // when the time is over, an answer that waits does not count any more
		h.desk.Turn(p)
		select {
		case <-ctx.Done():
		case answer, ok := <-h.answers:
			switch {
			case !ok:
				return none, &agents.Fault{Kind: "left", Err: errors.New("no more answers")}
			case resigning && answer == Yes:
				return none, &agents.Fault{Kind: "resign", Err: errors.New("resigned")}
			}
			if resigning = answer == Resign; resigning {
				h.desk.Refused(p, answer, ErrSure)
				continue
			}
			m, err := p.ParseMove(answer)
			if err == nil {
				return agents.Decision{Move: m, Score: math.NaN()}, nil
			}
			h.desk.Refused(p, answer, err)
		}
	}
	return none, &agents.Fault{Kind: "timeout", Err: fmt.Errorf("no move in time: %w", context.Cause(ctx))}
}
