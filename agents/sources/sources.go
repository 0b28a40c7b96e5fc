// Package sources plays as the computer players of the games' original programs do, each at its own levels.
//
// A level is a fixed procedure: which features it counts, how many plies it looks ahead, and how it breaks ties.
// Spar reproduces the original programs, so it keeps these details even where they are weak. Each source has one
// file; lookahead.go has the common code for the 3x3 games.
//
// The levels follow the rules that they are given: caps, the time of removal, overlines and all other knobs. They
// ignore what the originals ignored: repetition, the pie rule (no level ever swaps) and, except for rolling, the
// ply cap.
package sources

import (
	"math"

	"spar/configs/strict"
	"spar/engines"
)

// Choice is the set of moves that a level may play in a position.
type Choice struct {
	Moves   []engines.Move // all moves that the level may play, in the order of the legal moves
	Weights []float64      // probability of each of Moves; nil if all are equally likely
	// value of Moves for the side to move, in the source's own units; NaN if there is none
	Value float64
	Nodes int64 // positions searched
}

// only makes a single move the choice.
func (c *Choice) only(m engines.Move, value float64) {
	c.Moves = append(c.Moves[:0], m)
	c.Value = value
}

// Player plays one level in one game. It has working memory, so only one goroutine may use it at a time.
type Player struct {
	source source
	moves  []engines.Move
	choice Choice
}

// source is the procedure of a level. It is called with at least one legal placement and an empty choice whose
// value is NaN.
type source interface {
	choose(s *engines.State, legal []engines.Move, c *Choice)
}

// level is the name of a level, with the function that makes its player.
type level struct {
	name string
	make func(name string, g *engines.Game) (source, error)
}

func levels() []level {
	return []level{
		{"classic/beginner", newClassic(1)},
		{"classic/intermediate", newClassic(3)},
		{"classic/advanced", newClassic(5)},
		{"classic/expert", newClassic(toTheEnd)},
		{"rolling/beginner", newRolling(beginner)},
		{"rolling/moderate", newRolling(moderate)},
		{"rolling/hard", newRolling(hard)},
		{"vanishing/standard", newVanishing},
		{"checkerboard/easy", newCheckerboard(1)},
		{"checkerboard/medium", newCheckerboard(2)},
		{"checkerboard/hard", newCheckerboard(3)},
		{"ctor/standard", newCtor},
	}
}

// Levels lists the levels by name: game, slash, level. The levels of a game are ordered from the shallowest search to
// the deepest.
func Levels() []string {
	var names []string
	for _, l := range levels() {
		names = append(names, l.name)
	}
	return names
}

// New returns the player of the named level for a game. The error says which property of the rules the level needs.
func New(name string, g *engines.Game) (*Player, error) {
	for _, l := range levels() {
		if l.name != name {
			continue
		}
		s, err := l.make(name, g)
		if err != nil {
			return nil, err
		}
		return &Player{source: s}, nil
	}
	return nil, strict.Unknown("level", name, Levels())
}

// Choose returns the moves that the level may play in a position of the player's game that is not over. It does not
// change the position. The slices of the choice belong to the player and are valid until the next call.
func (p *Player) Choose(s *engines.State) Choice {
	p.moves = s.AppendMoves(p.moves[:0])
	c := &p.choice
	*c = Choice{Moves: c.Moves[:0], Value: math.NaN()}
	legal := p.moves[:0]
	for _, m := range p.moves {
		if m.IsPlacement() {
			legal = append(legal, m)
		}
	}
	if len(legal) > 0 {
		p.source.choose(s, legal, c)
	} else {
		c.Moves = append(c.Moves, p.moves...) // a pass, the only move there is
	}
	return *c
}

// Deterministic reports whether a level always plays the same move in a position.
func Deterministic(level string) bool {
	switch level {
	case "rolling/beginner", "classic/beginner", "classic/intermediate", "classic/advanced", "classic/expert":
		return false
	}
	return true
}
