package rules

import (
	"slices"
	"strings"
)

// WordDirections returns the directions that a word means for a side, as bits: bit d is direction d.
func WordDirections(word string, side int) (mask uint8) {
	const e, se, s, sw, w, nw, n, ne = 1, 2, 4, 8, 16, 32, 64, 128
	ahead, behind := [2]uint8{n, s}[side], [2]uint8{s, n}[side]
	switch word {
	case "king":
		return 255
	case "rook":
		return e | s | w | n
	case "bishop":
		return se | sw | nw | ne
	case "forward":
		return ahead
	case "backward":
		return behind
	case "sideways":
		return e | w
	case "forward_diagonal":
		return [2]uint8{nw | ne, sw | se}[side]
	case "north":
		return n
	case "south":
		return s
	case "east":
		return e
	case "west":
		return w
	case "backward_diagonal":
		return [2]uint8{sw | se, nw | ne}[side]
	}
	return 0
}

// DirectionMask returns the directions that a list of words means; an empty list means all.
func DirectionMask(words []string, side int) (mask uint8) {
	if len(words) == 0 {
		return 255
	}
	for _, w := range words {
		mask |= WordDirections(w, side)
	}
	return mask
}

// takes reports whether moves can capture.
func (m *Movement) takes() bool {
	return m.Capture && m.Captured != "stay" || len(m.Take) > 0 || m.TakeSlide || m.TakeLeaps || len(m.Lines) > 0
}

// switchToHand is the value of movement.captured under which a captured piece goes to its captor's hand.
const switchToHand = "switch_to_hand"

// chains reports whether a capture can be followed by another one in the same turn.
func (m *Movement) chains() bool { return m.Capture || len(m.Lines) > 0 }

// follows reports whether pieces go or capture along a line over more than one cell.
func (r *Rules) follows() bool {
	return r.AnyKind(func(m *Movement) bool {
		return m.Capture || m.Slide || m.First.Steps > 1 ||
			!m.Distance.IsZero()
	}) || !r.Custodian.Effect.IsZero()
}

// compass reports whether directions are stated that are the same for both sides.
func (m *Movement) compass() bool {
	return slices.ContainsFunc(slices.Concat(m.Directions, m.Take, m.Jumps, m.Exits), func(word string) bool {
		return strings.Contains("north south east west", word)
	})
}

// Moves reports whether pieces can move at all.
func (m *Movement) Moves() bool {
	return m.Steps != "none" || m.Capture || len(m.Take) > 0 || len(m.Leaps) > 0 || m.Fly > 0 || len(m.Exits) > 0
}
