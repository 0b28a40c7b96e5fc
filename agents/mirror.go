package agents

import (
	"slices"

	"spar/engines"
)

// mirror answers each ply of the opponent's last turn with its image under a half turn of the board (180 degrees).
// In some symmetric games, this strategy wins or draws for the second player.
type mirror struct {
	turned []engines.Cell // image of each cell under the half turn
	walk   engines.State
	moves  []engines.Move
}

func newMirror(g *engines.Game) *mirror {
	m := &mirror{turned: make([]engines.Cell, g.Cells())}
	for c := range m.turned {
		m.turned[c] = engines.Cell(len(m.turned) - 1 - c)
	}
	return m
}

// answer returns the image of the ply to be answered, if there is one and it is allowed.
func (m *mirror) answer(p *engines.Position, r *restriction) (engines.Move, bool) {
	if m == nil {
		return engines.NoMove, false
	}
	ply := m.unanswered(p)
	if ply == engines.NoMove {
		return engines.NoMove, false
	}
	ply = engines.TransformMove(ply, m.turned)
	legal := r.allowed(p)
	if legal == nil {
		m.moves = p.AppendMoves(m.moves[:0])
		legal = m.moves
	}
	return ply, slices.Contains(legal, ply)
}

// unanswered returns the opponent's ply that the next move answers: the ply of its last turn with the same index
// in the turn. It returns NoMove if there is none.
func (m *mirror) unanswered(p *engines.Position) engines.Move {
	m.walk = p.Game().NewState()
	if p.Origin() != "" {
		start, err := p.Game().ParseState(p.Origin())
		if err != nil {
			return engines.NoMove
		}
		m.walk = start
	}
	var theirs []engines.Move // the opponent's last turn
	own, before := 0, -1      // plies of the side to move since then; side of the ply before
	for _, ply := range p.Played() {
		switch side := m.walk.Side(); {
		case side == p.Side():
			own++
		case side == before:
			theirs = append(theirs, ply)
		default:
			theirs, own = append(theirs[:0], ply), 0
		}
		before = m.walk.Side()
		m.walk.Play(ply)
	}
	if own >= len(theirs) {
		return engines.NoMove
	}
	return theirs[own]
}
