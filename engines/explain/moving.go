package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/rules"
)

// everywhere describes pieces that may move in every direction of the board.
func everywhere(g *engines.Game) string {
	if len(g.Rules().Board.Lines) > 0 {
		return "along the drawn lines"
	}
	n := 0
	for d := range 8 {
		for c := range g.Cells() {
			if g.Next(engines.Cell(c), d) != engines.NoCell {
				n++
				break
			}
		}
	}
	return fmt.Sprintf("in any of the %d directions", n)
}

// directionWords explains a list of direction words; an empty list means all directions.
func directionWords(g *engines.Game, words []string) string {
	say := map[string]string{
		"king": everywhere(g), "rook": "along rows and columns", "bishop": "diagonally", "forward": "straight forward",
		"backward": "straight backward", "north": "up", "south": "down", "east": "to the right", "west": "to the left",
		"sideways": "sideways", "forward_diagonal": "diagonally forward", "backward_diagonal": "diagonally backward",
	}
	if g.Rules().Board.Shape == "hex" {
		say["north"], say["south"] = "to the upper left", "to the lower right"
	}
	if len(words) == 0 {
		return say["king"]
	}
	var out []string
	for _, w := range words {
		out = append(out, say[w])
	}
	return either(out)
}

// movings describes how pieces move, once for both players or once for each if they differ.
func movings(t *teller) {
	defer blocking(t)
	if len(t.r.Kinds) > 0 {
		kindsMoving(t)
		return
	}
	each(t, t.r.Second != nil && t.r.Second.Movement != nil, moving)
}

func moving(t *teller) {
	m, all := t.r.Movement, t.g.Rules()
	if !t.both() {
		if len(acts(&all, t.side)) == 0 {
			t.say("The pieces of the %s do not move.", t.who)
			return
		}
		t.say("The pieces of the %s move as follows.", t.who)
	}
	if m.Steps != "none" {
		how := directionWords(t.g, []string{m.Steps})
		if len(m.Directions) > 0 {
			only := directionWords(t.g, m.Directions)
			if how += ", but only " + only; rules.DirectionMask(m.Directions, 0)&^rules.WordDirections(m.Steps, 0) == 0 {
				how = only
			}
		}
		if m.Distance.IsZero() {
			t.say("A step moves a piece to an empty neighbouring cell, %s.", how)
		} else {
			t.say("A piece moves %s, over empty cells to an empty cell. It moves exactly as many cells as there are "+
				"pieces of both players on the line of its move, itself included.", how)
		}
	}
	t.when(m.Slide, "A step can continue in the same direction over any number of empty cells%s.",
		plain.If(t.r.Board.Wrap != "none", ", but not back to its own cell", ""))
	t.when(m.ToEnd, "The piece must go as far as it can.")
	t.when(m.PassOwn, "On its way a piece may pass over pieces of its own side.")
	t.when(m.TakeSlide, "Such a move may end on the cell of an opposing piece, which it captures.")
	t.when(m.First.Steps > 1, "From the %s nearest to its player, a piece may step up to %s, if they are empty.",
		count(m.First.Rows, "row"), count(m.First.Steps, "cell"))
	t.when(m.Clone, "A step leaves the piece where it was and puts a new one on the neighbouring cell.")
	var away []string
	for _, leap := range m.Leaps {
		x, y, _ := strings.Cut(leap, ",")
		away = append(away, far(x, "column")+" and "+far(y, "row"))
		if x != y {
			away = append(away, far(y, "column")+" and "+far(x, "row"))
		}
	}
	t.when(len(away) > 0, "A piece may leap, over anything, to an empty cell that is %s away.",
		strings.Join(away, ", or "))
	t.when(m.TakeLeaps, "A leap may also end on the cell of an opposing piece, which it captures.")
	t.when(m.Fly > 0,
		"A player with %s or fewer on the board and none in hand may fly: move a piece to any empty cell%s.",
		count(m.Fly, "piece"), plain.If(m.Steps != "none", " instead of a step", ""))
	t.when(len(m.Take) > 0, "A piece captures a neighbouring opposing piece, %s, by moving onto its cell.",
		directionWords(t.g, m.Take))
	rowing(t)
	t.when(len(m.Exits) > 0, "Instead of a step, a piece at the edge may leave the board, %s; this move is written "+
		"as x and the cell of the piece.",
		directionWords(t.g, m.Exits))
	jumping(t)
	if len(t.r.Kinds) == 0 {
		wholeTurns(t)
	}
}

// wholeTurns describes what holds for captures of any piece.
func wholeTurns(t *teller) {
	m := t.r.Movement
	jumps := t.r.AnyKind(func(m *rules.Movement) bool { return m.Capture })
	captured := t.r.AnyKind(func(m *rules.Movement) bool { return jumpsCapture(*m) })
	takes := t.r.AnyKind(func(m *rules.Movement) bool {
		return len(m.Take) > 0 || m.TakeSlide || m.TakeLeaps
	})
	if len(t.r.Kinds) > 0 && jumps {
		jumpsOn(t)
	}
	var by, can []string
	if t.r.AnyKind(func(m *rules.Movement) bool { return len(m.Lines) > 0 }) {
		by = append(by, "by a step")
		can = append(can, "capture")
	}
	if takes {
		by = append(by, "by moving onto its cell")
		can = append(can, "capture")
	}
	if captured {
		by = append(by, "by a jump")
	}
	if jumps {
		can = append(can, "jump")
	}
	t.when(len(by) > 0, "A piece captured %s %s.", either(by),
		cmp.Or(map[string]string{
			"return":         "goes back into its owner's hand",
			"switch_to_hand": "goes into the hand of its captor, who may place it on an empty cell as a turn (a drop)",
		}[m.Captured], "is out of the game"))
	t.when(m.ForcedCapture.On(), "A player who can %s at the start of a turn must do so.", either(can))
	t.when(
		t.r.AnyKind(seen),
		"Forward is away from a player's own side, which is at the bottom for the first player and at the top for the "+
			"second player.",
	)
}

// far formats a number of columns or rows.
func far(n, what string) string {
	if n == "1" {
		return "1 " + what
	}
	return n + " " + what + "s"
}

// rowing describes captures of rows.
func rowing(t *teller) {
	m := t.r.Movement
	var ways []string
	if slices.Contains(m.Lines, "approach") {
		ways = append(ways, "the row that begins right in front of the cell where the step ends (approach)")
	}
	if slices.Contains(m.Lines, "withdraw") {
		ways = append(ways, "the row that begins right behind the cell where the step started (withdrawal)")
	}
	t.when(len(ways) > 0,
		"A step may capture an unbroken row of opposing pieces along the line of the step: %s.", either(ways))
	t.when(len(ways) > 1, "If a step can capture either of two rows, the player chooses one and names its nearest "+
		"piece, for example xc2.")
	if len(ways) > 0 && m.MultiJump.On() {
		t.say("%s go on capturing in the same turn. It may not return to a cell that it has visited in that turn, or "+
			"repeat the direction of its last step.",
			plain.If(m.MultiJump == "must", "As long as it can, the piece must", "The piece may"))
	}
}

// jumping describes how pieces jump and what they can jump over.
func jumping(t *teller) {
	m := t.r.Movement
	if !m.Capture {
		return
	}
	over, then := "a neighbouring opposing piece", "the piece jumped over is captured"
	switch m.JumpOver {
	case "friend":
		over = "a neighbouring piece of its own side"
	case "any":
		over, then = "a neighbouring piece of either player", "an opposing piece is captured, and a piece of its own side stays"
	}
	if !jumpsCapture(m) {
		then = "nothing is captured, and the piece jumped over stays"
	}
	t.say("A jump moves a piece, %s, over %s to the empty cell right behind it; %s.", directionWords(t.g, m.Jumps),
		over, then)
	t.when(m.LongJumps.On(), "A jump may cross any number of empty cells before the piece jumped over%s.",
		plain.If(m.LongJumps == "true", ", and may end on any cell behind it if all cells up to there are empty", ""))
	if len(t.r.Kinds) == 0 {
		jumpsOn(t)
	}
	t.when(m.Straight, "All jumps of a turn go in the same direction.")
}

// jumpsOn describes chains of jumps.
func jumpsOn(t *teller) {
	m := t.r.Movement
	if m.MultiJump == "must" {
		t.say("A piece that has jumped must jump again in the same turn as long as it can.")
		t.when(t.r.AnyKind(func(m *rules.Movement) bool {
			return m.LongJumps == "true"
		}) && m.ForcedCapture != "most",
			"A long jump must end where the piece can jump again, if there is such a cell.")
	} else if m.MultiJump.On() {
		t.say("A piece that has jumped may jump again in the same turn, as often as it can; its player may stop " +
			"after any jump.")
	} else {
		t.say("A jump ends the turn.")
	}
	t.when(!m.CapturedLeave.IsZero(),
		"A piece jumped over stays on the board until the turn ends, and cannot be jumped over again.")
	t.when(m.ForcedCapture == "most",
		"If several turns capture, the player must choose one that captures the most pieces.")
}

// seen reports whether the directions of pieces differ between the players.
func seen(m *rules.Movement) bool {
	return slices.ContainsFunc(slices.Concat(m.Directions, m.Take, m.Jumps, m.Exits), func(word string) bool {
		return strings.Contains(word, "forward") || strings.Contains(word, "backward")
	})
}
