package arena

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"spar/engines"
)

// openingBook draws the openings of one game: the same index gives the same opening in every match-up.
type openingBook struct {
	game  *engines.Game
	plies int
	seed  int64
}

// opening returns the moves of an opening: random plies that do not end the game. Openings that end it are drawn again; when
// many draws in a row do, the opening is as long as it can be.
func (b *openingBook) opening(index int64) []engines.Move {
	if b.plies == 0 {
		return nil
	}
	rng := rand.New(stream(b.seed, streamOpening, uint64(index)))
	var moves, legal []engines.Move
	for plies := b.plies; plies > 0; plies-- {
		for range 100 {
			moves = moves[:0]
			s := b.game.NewState()
			for range plies {
				legal = s.AppendMoves(legal[:0])
				m := legal[rng.IntN(len(legal))]
				s.Play(m)
				moves = append(moves, m)
				if s.Over() {
					break
				}
			}
			if !s.Over() {
				return moves
			}
		}
	}
	return nil
}

// replayRecord plays a record's moves on a fresh position.
func replayRecord(g *engines.Game, moves []string) (*engines.Position, error) {
	p := g.NewPosition()
	if err := p.PlayText(moves); err != nil {
		return p, fmt.Errorf("game %s: %w", g.Name(), err)
	}
	return p, nil
}

func fields(moves string) []string { return strings.Fields(moves) }

// engineReason tells whether a reason is one of the rules, not of the arena.
func engineReason(reason string) bool {
	for r := engines.ByLine; r <= engines.ByPlyCap; r++ {
		if r.String() == reason {
			return true
		}
	}
	return false
}
