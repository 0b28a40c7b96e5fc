package explain

import (
	"fmt"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/rules"
)

// act is an action of a piece in the movement phase: its name, and the description of a turn with it.
type act struct {
	name, turn string
	on         bool
}

// counted reports whether a step goes as far as there are pieces on its line.
func counted(m *rules.Movement) bool { return !m.Distance.IsZero() }

// acts returns the actions of a side's pieces.
func acts(r *engines.Rules, side int) (out []act) {
	own := r.Of(side)
	has := own.AnyKind
	chains := own.Movement.MultiJump.On()
	slides := has(func(m *rules.Movement) bool { return m.TakeSlide && !counted(m) })
	leaps := has(func(m *rules.Movement) bool { return m.TakeLeaps && !counted(m) })
	for _, a := range []act{
		{"move", "one move of one piece", has(counted)},
		{"step", "one step of one piece", has(func(m *rules.Movement) bool { return m.Steps != "none" && !counted(m) })},
		{"leap", "one leap of one piece", has(func(m *rules.Movement) bool { return len(m.Leaps) > 0 })},
		{"exit", "the exit of one piece from the board", has(func(m *rules.Movement) bool { return len(m.Exits) > 0 })},
		{"flight", "one flight of one piece", own.Movement.Fly > 0},
		{"capture", "one capture of a neighbouring piece", has(func(m *rules.Movement) bool { return len(m.Take) > 0 })},
		{
			"capture", plain.If(chains, "one or more captures by one piece", "one capture by a step"),
			has(func(m *rules.Movement) bool { return len(m.Lines) > 0 }),
		},
		{
			"capture", plain.If(leaps, plain.If(slides, "one capture at the end of a slide or leap",
				"one capture at the end of a leap"), "one capture at the end of a slide"), slides || leaps,
		},
		{"drop", "one drop of a captured piece", r.Mechanics().Has(rules.Drops)},
		{
			"jump", plain.If(chains, "one or more jumps of one piece", "one jump of one piece"),
			has(func(m *rules.Movement) bool { return m.Capture }),
		},
	} {
		if a.on {
			out = append(out, a)
		}
	}
	return out
}

// supplied reports whether a player has pieces in hand at the start.
func supplied(r *engines.Rules) bool {
	return r.Of(engines.First).Pieces.Supply+r.Of(engines.Second).Pieces.Supply > 0
}

// captures reports whether a side captures by moving.
func captures(r *engines.Rules, side int) bool {
	own := r.Of(side)
	return own.AnyKind(func(m *rules.Movement) bool {
		return len(m.Take) > 0 || m.TakeSlide || m.TakeLeaps || jumpsCapture(*m)
	})
}

func jumpsCapture(m rules.Movement) bool {
	return m.Capture && m.Captured != "stay" && m.JumpOver != "friend"
}

// refilled reports whether captured or jumped pieces of a side return to its hand.
func refilled(r *engines.Rules, side int) bool {
	return captures(r, 1-side) && r.Of(1-side).Movement.Captured == "return"
}

// hands reports whether a player ever has pieces in hand.
func hands(r *engines.Rules) bool {
	return supplied(r) || refilled(r, engines.First) ||
		refilled(r, engines.Second) || r.Movement.Captured == "switch_to_hand"
}

// deeds lists the actions that a piece of either player can make.
func (t *teller) deeds() string {
	r := t.g.Rules()
	var names []string
	if r.Places() {
		names = append(names, "placement")
	}
	seen := map[string]bool{}
	for side := range 2 {
		for _, a := range acts(&r, side) {
			if !seen[a.name] {
				names, seen[a.name] = append(names, a.name), true
			}
		}
	}
	return either(names)
}

// either joins words, like "a, b or c".
func either(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

func turns(t *teller) {
	r := t.r
	if r.Moves() && !supplied(r) {
		opening := ""
		for _, s := range r.Placement.Opening {
			if s.Remove {
				opening = "after the opening, "
			}
		}
		t.say("The players take turns; %s%s.", opening, movementTurns(r))
		pie(t)
		return
	}
	switch n, first := r.Turn.Placements, r.Turn.FirstTurn; {
	case n == 1 && first == 1:
		t.say("The players take turns; in a turn a player places one piece.")
	case n == first:
		t.say("The players take turns; in a turn a player places %s, one after the other.", count(n, "piece"))
	default:
		t.say("The players take turns; in a turn a player places %s (in the first turn of the game, %s).",
			count(n, "piece"), count(first, "piece"))
	}
	own := r.FirstTurn(engines.Second)
	t.when(own != r.Turn.Placements, "In their first turn, the second player places %s.", count(own, "piece"))
	t.when(max(r.Turn.Placements, r.Turn.FirstTurn, own) > 1,
		"A turn ends early when the player has no %scell to place a piece on.",
		plain.If(hands(r), "piece left, or no ", ""))
	pie(t)
	if !supplied(r) {
		return
	}
	x := r.Of(engines.First).Pieces.Supply
	o := r.Of(engines.Second).Pieces.Supply
	has := "Each player has " + count(x, "piece") + " in hand."
	if x != o {
		has = strings.ReplaceAll(fmt.Sprintf("The first player has %s in hand, and the second player has %s.",
			count(x, "piece"), count(o, "piece")),
			" 0 pieces", " none")
	}
	if r.MovesApart() {
		t.say("%s A player with pieces in hand places one; a player with an empty hand moves: %s.", has,
			movementTurns(r))
		return
	}
	t.say("%s Until both hands are empty, the players only place pieces; a player with an empty hand is skipped.", has)
	if r.Moves() {
		t.say("From then on, %s.", movementTurns(r))
	} else {
		t.say("From then on no piece can be placed or moved.")
	}
}

// movementTurns describes a turn in the movement phase.
func movementTurns(r *engines.Rules) string {
	var of [2]string
	for side := range 2 {
		var ways []string
		for _, a := range acts(r, side) {
			ways = append(ways, a.turn)
		}
		if refilled(r, side) && !r.MovesApart() {
			ways = append(ways, "the placement of one piece from the hand")
		}
		of[side] = strings.Join(ways, ", or ")
		if b := r.Turn.Block; of[side] != "" && (b == "shot" || b == "anywhere") {
			of[side] += ", after which the player blocks a cell"
		}
	}
	if of[0] == of[1] {
		return "a turn is " + of[0]
	}
	for side, name := range []string{"the first player", "the second player"} {
		if of[side] == "" {
			of[side] = name + " neither places nor moves"
		} else {
			of[side] = "a turn of " + name + " is " + of[side]
		}
	}
	return strings.Join(of[:], "; ")
}

func pie(t *teller) {
	if !t.r.Turn.Pie.On() {
		return
	}
	if t.r.Turn.Pie == rules.PieSeats {
		t.say(
			"Instead of taking a first turn, the second player may swap: the players exchange sides. Each takes over " +
				"the other's pieces (where they are), hand and goals, and the first player moves next.",
		)
		return
	}
	where := "where they lie"
	if last := engines.Cell(t.g.Cells() - 1); t.g.Swapped(last) == last && t.g.Swapped(1) != 1 {
		where = "mirrored across the diagonal from a1 (columns become rows)"
	} else if t.g.Swapped(last) != last {
		where = "mirrored from top to bottom"
	}
	if t.r.Placement.Gravity && t.g.Swapped(0) != 0 {
		where += plain.If(t.r.Placement.Falls, " and dropped to the lowest free cells", ", in the air if necessary")
	}
	t.say(
		"Instead of taking a first turn, the second player may swap: the pieces placed so far become that player's, %s%s, "+
			"and the first player moves next.",
		where,
		plain.If(hands(t.r), ", the players exchange their hands", ""),
	)
}
