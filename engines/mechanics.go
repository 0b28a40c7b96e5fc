package engines

import (
	"iter"
	"math/bits"
	"strings"
)

// Mechanic is one thing that rules may do. Each belongs to one knob, which switches it on by its value; see knobs.
type Mechanic uint8

// Mechanics is a set of mechanics. A compiled game carries the set that it uses. Whatever is faster than the general path, or claims
// more, names the mechanics that it handles and is taken only where the rules use no other: a new mechanic is slow and right.
type Mechanics [2]uint64

// The mechanics. A knob that the list of knobs does not have counts as Undeclared where it differs from the default; nothing handles that.
const (
	Wraps               Mechanic = iota // edges of the board meet
	Hexagons                            // cells have six neighbours
	Holes                               // the board misses cells
	DrawnLines                          // neighbours and lines are drawn
	Adjacency                           // what is adjacent is a choice
	Setups                              // pieces stand on the board at the start
	LongTurns                           // turns of several placements
	FirstTurns                          // ... the very first one
	Pie                                 // the second player may swap
	Seats                               // ... and the swap exchanges the sides: pieces, ways to move and goals
	PlaceRegions                        // placements are kept to a region
	Falling                             // pieces fall
	Settles                             // what hangs in the air falls: what stood above a piece that has left, or was turned over by the pie
	Openings                            // the first plies have regions of their own
	Removals                            // ... and take pieces off
	Supply                              // pieces come from a hand, and there is a movement phase
	Ages                                // a cap: the oldest leave
	LeaveAfterWin                       // ... after the test of lines
	LateAges                            // ... not from the first ply on
	SharedPieces                        // pieces belong to nobody, or are chosen
	Reuse                               // the cell that the oldest leaves may be placed on
	Steps                               // pieces step
	Jumps                               // pieces jump and capture
	Chains                              // a jump may be followed by another in the turn
	Forced                              // a side that can capture must
	Returns                             // captured pieces return to the hand
	StayingJumps                        // jumps capture nothing
	Directions                          // steps have directions of their own
	Slides                              // steps go any distance
	Leaps                               // pieces leap
	Clones                              // steps leave the piece behind
	Takes                               // pieces capture by replacement
	JumpDirections                      // jumps have directions of their own
	JumpOvers                           // own pieces are jumped over
	StraightJumps                       // chains of jumps keep their direction
	Flying                              // few pieces fly
	Surrounds                           // pieces are captured by surrounding
	Removes                             // ... and leave the game, instead of changing sides
	Cascades                            // ... and what has changed captures on
	Lines                               // lines win
	ExactLines                          // ... but no longer ones
	LineRegions                         // ... where they lie in a region
	Majorities                          // a full board goes to whoever has more pieces
	Patterns                            // shapes win
	Connections                         // connecting two sides wins
	Reaches                             // arriving somewhere wins
	ReachCounts                         // ... with several pieces
	Eliminations                        // a side with too few pieces loses
	OnBoardCounts                       // ... those in hand not counted
	CaptureWins                         // a number of captures wins
	FullWins                            // a full board wins
	Misere                              // whoever makes the goal loses
	LosingLines                         // lines lose
	FullBoards                          // a full board is a draw
	Repetitions                         // repeated positions are a draw
	PlyCaps                             // a number of plies is a draw
	Custodians                          // enclosed runs are captured
	EnclosedLengths                     // ... of one length
	EnclosingDirections                 // ... in some directions
	MustEnclose                         // ... and placements have to enclose
	Mills                               // lines take a piece
	ExactMills                          // ... but no longer ones
	MovedMills                          // ... that a move completes
	Unequal                             // the sides differ
	Passes                              // a side without an action passes
	StuckDraws                          // ... or draws
	StuckWins                           // ... or wins
	Undeclared                          // a knob that the list of knobs does not have
)

// Part is a mechanic or a set of mechanics.
type Part interface{ set() Mechanics }

func (m Mechanic) set() Mechanics {
	var out Mechanics
	out[m>>6] = 1 << (m & 63)
	return out
}

func (m Mechanics) set() Mechanics { return m }

// MechanicsOf is the set of some mechanics, and of those in some sets.
func MechanicsOf(parts ...Part) (out Mechanics) {
	for _, p := range parts {
		for i, word := range p.set() {
			out[i] |= word
		}
	}
	return out
}

// AllMechanics is the set of all mechanics that knobs have.
func AllMechanics() (out Mechanics) {
	for m := range Undeclared {
		out = MechanicsOf(out, m)
	}
	return out
}

// Has tells whether a mechanic is in the set.
func (m Mechanics) Has(one Mechanic) bool { return m[one>>6&1]>>(one&63)&1 != 0 }

// Any tells whether any of some mechanics is in the set.
func (m Mechanics) Any(of ...Part) bool { return m != m.Without(of...) }

// Only tells whether the set holds nothing but what is handled.
func (m Mechanics) Only(handled ...Part) bool { return m.Without(handled...) == Mechanics{} }

// Without is the set without some mechanics.
func (m Mechanics) Without(parts ...Part) Mechanics {
	for i, word := range MechanicsOf(parts...) {
		m[i] &^= word
	}
	return m
}

// Each goes through the mechanics of the set.
func (m Mechanics) Each() iter.Seq[Mechanic] {
	return func(yield func(Mechanic) bool) {
		for i, word := range m {
			for ; word != 0; word &= word - 1 {
				if !yield(Mechanic(64*i + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// String lists the knobs that switch the mechanics on.
func (m Mechanics) String() string {
	var paths []string
	for _, k := range knobs() {
		switch all := KnobMechanics(k.path); {
		case !m.Any(all):
		case all.Only(m):
			paths = append(paths, k.path)
		default:
			paths = append(paths, k.path+" (in part)")
		}
	}
	return strings.Join(paths, ", ")
}

// Groups of mechanics that many fast paths handle.
func boardEnds() Mechanics { return MechanicsOf(Majorities, FullBoards, PlyCaps, Repetitions) } // how a game ends but by lines
func stuckEnds() Mechanics { return MechanicsOf(Passes, StuckDraws, StuckWins) }                // what a side without an action does
func anyLines() Mechanics  { return MechanicsOf(Lines, ExactLines, LineRegions) }
func anyAges() Mechanics   { return MechanicsOf(Ages, LeaveAfterWin, LateAges) }
func anyMoves() Mechanics  { return MechanicsOf(Supply, Steps, Jumps, Chains, Forced, Returns) }
func anyWhere() Mechanics  { return MechanicsOf(Wraps, PlaceRegions, Openings) }
func anyTurns() Mechanics  { return MechanicsOf(LongTurns, FirstTurns) }

// anyBoard are other boards, and other starts on them: the tables of the board hold all that they are.
func anyBoard() Mechanics { return MechanicsOf(Setups, Hexagons, Holes, DrawnLines, Adjacency) }

// otherMoves are ways to move beyond steps and jumps.
func otherMoves() Mechanics {
	return MechanicsOf(
		Directions, JumpDirections, JumpOvers, StayingJumps, Slides, Leaps, Clones, Takes, StraightJumps, Flying,
	)
}

// anyCaptures are captures beyond jumps and surrounding.
func anyCaptures() Mechanics {
	return MechanicsOf(Custodians, EnclosedLengths, EnclosingDirections, MustEnclose, Mills, ExactMills, MovedMills)
}

// otherGoals are what wins or loses besides lines, counts and a full board.
func otherGoals() Mechanics {
	return MechanicsOf(Misere, Patterns, Connections, Reaches, ReachCounts, Eliminations, OnBoardCounts, LosingLines, CaptureWins)
}

// generalOnly are the mechanics that only the general path plays: State.playGeneral.
func generalOnly() Mechanics {
	return MechanicsOf(Adjacency, otherGoals(), otherMoves(), anyCaptures(), FullWins, Removals, SharedPieces, Unequal, Settles, Seats)
}

// Mechanics is the set that rules use.
func (r *Rules) Mechanics() (out Mechanics) {
	known := map[string]bool{}
	for _, k := range knobs() {
		known[k.path] = true
		for _, u := range k.uses {
			if u.on(r) {
				out = MechanicsOf(out, u.of)
			}
		}
	}
	eachKnob(*r, func(path string, _ any) {
		if !known[path] && !r.atDefault(path) {
			out = MechanicsOf(out, Undeclared)
		}
	})
	if r.Second != nil {
		own := r.Of(Second)
		own.Second = nil
		out = MechanicsOf(out, own.Mechanics())
	}
	return out
}

// Mechanics returns the set of mechanics that the rules use.
func (g *Game) Mechanics() Mechanics { return g.uses }
