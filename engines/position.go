package engines

import (
	"slices"

	"spar/engines/rules"
)

// Position is a State with the positions before it, so that it can detect draws by repetition. It is for games in
// progress; a search that records its own path uses only the State in it. Copy it with CopyFrom or Clone, because
// assignment would share the history.
type Position struct {
	State
	// hashes of all positions so far, the current one last; filled only if the rules have a repetition rule
	seen   []uint64
	played []Move // moves since the origin
	origin string // first position as text; empty for the start of a game
}

// NewPosition returns the start of a game.
func (g *Game) NewPosition() *Position {
	p := &Position{State: g.NewState()}
	p.remember()
	return p
}

// PositionAt returns a position that begins at a state, without any history.
func PositionAt(s State) *Position {
	p := &Position{State: s, origin: s.Text()}
	p.remember()
	return p
}

// Played returns the moves since the origin. The caller must not change the slice.
func (p *Position) Played() []Move { return p.played }

// Origin returns the position from which the moves were played, as text. It is empty for the start of a game.
func (p *Position) Origin() string { return p.origin }

func (p *Position) remember() int {
	if p.g.repetition == 0 {
		return 0
	}
	h := p.Hash()
	n := 1
	for _, old := range p.seen {
		if old == h {
			n++
		}
	}
	p.seen = append(p.seen, h)
	return n
}

// Play makes a legal move and applies the repetition rule. It allocates only when the history needs more space.
func (p *Position) Play(m Move) {
	mover := p.Side()
	p.capped = p.g.repetition > 0 // repetition comes first, and the end of a game forgets what it looks at
	p.State.Play(m)
	p.capped = false
	p.played = append(p.played, m)
	if p.g.repetition == 0 || p.result != Ongoing && p.reason != ByPlyCap {
		return
	}
	if p.remember() >= p.g.repetition {
		p.end(p.g.Repeated(mover), ByRepetition)
	} else {
		p.capPlies()
	}
}

// Repeated returns the result of a game that ends by repetition, if mover made the last move.
func (g *Game) Repeated(mover int) Result {
	switch winner := g.rules.Draw.RepeatWinner(); {
	case winner != rules.NoSide:
		return Winner(winner)
	case g.rules.Draw.Repeated == "mover_loses":
		return Winner(1 - mover)
	}
	return Drawn
}

// Seen returns the hashes of all positions of the game so far, the current one last. It is empty if the rules have no
// repetition rule. The caller must not change the slice.
func (p *Position) Seen() []uint64 { return p.seen }

// CopyFrom makes p equal to q. It reuses p's memory.
func (p *Position) CopyFrom(q *Position) {
	p.State.CopyFrom(&q.State)
	p.seen = append(p.seen[:0], q.seen...)
	p.played = append(p.played[:0], q.played...)
	p.origin = q.origin
}

// Clone returns a copy that shares nothing with p.
func (p *Position) Clone() *Position {
	return &Position{
		State:  p.State,
		seen:   slices.Clone(p.seen),
		played: slices.Clone(p.played),
		origin: p.origin,
	}
}

// PlayText plays a list of moves, each of which must be legal. The error names the ply, from 1, and the reason.
func (p *Position) PlayText(moves []string) error {
	for _, text := range moves {
		m, err := p.ParseMove(text)
		if err != nil {
			return PlyError{Ply: p.Ply() + 1, Err: err}
		}
		p.Play(m)
	}
	return nil
}
