package engines

import (
	"iter"
	"math/bits"
	"strings"
)

// Mechanics is a set of mechanics. A compiled game has the set that it uses. A fast path, and any other code that
// is correct only for some rules, lists the mechanics that it handles. It is used only for games without other
// mechanics. A new mechanic therefore uses the general path, which is slow and correct.
type Mechanics [2]uint64

// Part is a mechanic or a set of mechanics.
type Part interface{ set() Mechanics }

func (m Mechanic) set() Mechanics {
	var out Mechanics
	out[m>>6] = 1 << (m & 63)
	return out
}

func (m Mechanics) set() Mechanics { return m }

// MechanicsOf returns the union of mechanics and sets of mechanics.
func MechanicsOf(parts ...Part) (out Mechanics) {
	for _, p := range parts {
		for i, word := range p.set() {
			out[i] |= word
		}
	}
	return out
}

// AllMechanics returns the set of all mechanics.
func AllMechanics() (out Mechanics) {
	for m := range Undeclared {
		out = MechanicsOf(out, m)
	}
	return out
}

// Has reports whether a mechanic is in the set.
func (m Mechanics) Has(one Mechanic) bool { return m[one>>6&1]>>(one&63)&1 != 0 }

// Any reports whether the set contains any of the given mechanics.
func (m Mechanics) Any(of ...Part) bool { return m != m.Without(of...) }

// Only reports whether the set contains no mechanics except the handled ones.
func (m Mechanics) Only(handled ...Part) bool { return m.Without(handled...) == Mechanics{} }

// Without returns the set without the given mechanics.
func (m Mechanics) Without(parts ...Part) Mechanics {
	for i, word := range MechanicsOf(parts...) {
		m[i] &^= word
	}
	return m
}

// Each iterates over the mechanics of the set.
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

// Groups of mechanics that many fast paths handle. boardEnds are the endings of games other than by lines.
func boardEnds() Mechanics { return MechanicsOf(Majorities, FullBoards, PlyCaps, Repetitions) }

// stuckEnds are the rules for a side without an action.
func stuckEnds() Mechanics { return MechanicsOf(Passes, StuckDraws, StuckWins) }
func anyLines() Mechanics  { return MechanicsOf(Lines, ExactLines, LineRegions, LineDirections) }
func anyAges() Mechanics   { return MechanicsOf(Ages, LeaveAfterWin, LateAges) }
func anyMoves() Mechanics  { return MechanicsOf(Supply, Steps, Jumps, Chains, Forced, Returns) }
func anyWhere() Mechanics  { return MechanicsOf(Wraps, PlaceRegions, Openings) }
func anyTurns() Mechanics  { return MechanicsOf(LongTurns, FirstTurns) }

// anyBoard are mechanics of boards and start positions that the tables of the board cover completely.
func anyBoard() Mechanics { return MechanicsOf(Setups, Hexagons, Holes, DrawnLines, Adjacency) }

// otherMoves are kinds of movement other than steps and jumps.
func otherMoves() Mechanics {
	return MechanicsOf(
		Directions, JumpDirections, JumpOvers, StayingJumps, Slides, Leaps, Clones, Takes, StraightJumps, Flying,
	)
}

// anyCaptures are kinds of capture other than jumps and surrounding.
func anyCaptures() Mechanics {
	return MechanicsOf(Custodians, EnclosedLengths, EnclosingDirections, MustEnclose, Mills, ExactMills, MovedMills)
}

// otherGoals are goals other than lines, numbers of pieces and a full board.
func otherGoals() Mechanics {
	return MechanicsOf(
		Misere,
		Patterns,
		Connections,
		Reaches,
		ReachCounts,
		Eliminations,
		OnBoardCounts,
		LosingLines,
		CaptureWins,
	)
}

// plainPath are the mechanics that State handles without the general path in general.go.
func plainPath() Mechanics {
	return MechanicsOf(
		anyWhere(),
		anyTurns(),
		Pie,
		Falling,
		anyAges(),
		Reuse,
		anyMoves(),
		Surrounds,
		Removes,
		Cascades,
		anyLines(),
		boardEnds(),
		stuckEnds(),
		anyBoard().Without(Adjacency),
	)
}

// Mechanics returns the set of mechanics that the rules use.
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
