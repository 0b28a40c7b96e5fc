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

// otherBoard describes boards that are not a plain grid, or do not start empty.
func otherBoard(t *teller) {
	b := &t.r.Board
	t.when(
		b.Shape == "hex",
		"The cells are hexagons, and each row is half a cell further to the right than the row above. A cell has six "+
			"neighbours: left, right, upper left, upper right, lower left and lower right.",
	)
	t.when(len(b.Missing) > 0, "Missing from the board: %s.", strings.Join(b.Missing, ", "))
	if len(b.Lines) > 0 {
		var drawn []string
		for _, line := range b.Lines {
			drawn = append(drawn, strings.Join(line, "-"))
		}
		t.say("These lines are drawn: %s.", strings.Join(drawn, ", "))
		t.say("Two cells are neighbours if they are next to each other on a drawn line.")
		t.when(
			t.g.Mechanics().Has(rules.Bends),
			"A piece that moves through a cell stays on the same line, even where the line bends, and stops where "+
				"the line ends.",
		)
	}
	switch n := b.Neighbours; {
	case n == 4:
		t.say("Cells are adjacent along rows and columns, not diagonally.")
		t.when(t.r.Moves(), "The directions of moves are stated below.")
	case n == 8, b.Shape != "hex" && len(b.Lines) == 0 && t.r.IdleAt("board.neighbours") == "":
		t.say("Cells are adjacent along rows, columns and diagonals.")
	}
}

// otherGoals describes goals other than lines and numbers of pieces.
func otherGoals(t *teller) {
	player := t.player()
	w, all := &t.r.Win, t.g.Rules()
	wins := plain.If(w.Misere, "loses", "wins")
	if len(w.Pattern) > 0 {
		var shapes []string
		for _, p := range w.Pattern {
			shapes = append(shapes, plain.If(p == "square", "a square of 2x2 cells",
				"the cells "+p+" (column and row offsets from the first cell)"))
		}
		turns := len(w.Pattern) > 1 || w.Pattern[0] != "square" || t.r.Board.Shape == "hex"
		turned := plain.If(turns, ", in any rotation or reflection", "")
		t.say("%s %s when their pieces form %s%s.", player, wins, strings.Join(shapes, ", or "), turned)
	}
	if !w.Connect.IsZero() {
		sides := []string{"top and bottom", "left and right"}
		if w.Connect == "left_right" {
			slices.Reverse(sides)
		}
		if t.both() {
			t.say("A player %s with an unbroken chain of their pieces between two sides of the board: %s for the first "+
				"player, %s for the second player.", wins, sides[0], sides[1])
		} else {
			t.say("%s %s with an unbroken chain of their pieces between %s.", player, wins, sides[t.side])
		}
	}
	if len(w.Reach) > 0 {
		kind := cmp.Or(w.ReachKind, "piece")
		pieces := plain.If(w.ReachCount > 1, count(w.ReachCount, kind), strings.ToLower(article(kind))) + " of their own"
		where := goalCells(t.g, w.Reach, t.side)
		if other := goalCells(t.g, w.Reach, engines.Second); t.both() && other != where {
			t.say("The first player %s with %s on %s, and the second player on %s.", wins, pieces, where, other)
		} else {
			t.say("%s %s with %s on %s.", player, wins, pieces, where)
		}
		t.when(w.ReachSafe, "This counts only while no opposing piece attacks that cell, no matter who moved last.")
	}
	named := *t.r
	named.Win.ShutIn = []string{seenCells(w.ShutIn)}
	for _, goal := range rules.Goals() {
		if goal.With != nil && goal.Set(t.r) {
			where := plain.If(goal.Mechanic == rules.NoneLefts && hands(&all), ", on the board or in hand", "")
			t.say("%s %s with %s%s.", player, plain.If(goal.Made, wins, "wins"), goal.With(&named), where)
		}
	}
	late := w.Gather || w.NoneLeft || len(w.ShutIn) > 0
	t.when(late && hands(&all), "This counts only %s.", plain.If(all.MovesApart(),
		"after a move of a player with no piece in hand", "from the first move after all pieces have been placed"))
	t.when(w.Take != "", "%s wins when the other player has no %s left.", player, w.Take)
	t.when(w.Mate != "",
		"%s wins by mate: the opponent's %s is attacked, and the opponent has no legal move. No move may leave "+
			"the player's own %s attacked.", player, w.Mate, w.Mate)
	if w.Eliminate > 0 {
		where := ""
		switch {
		case w.OnBoard:
			where = " on the board after placing has ended"
		case hands(&all):
			where = ", on the board and in hand"
		}
		left := "fewer than " + count(w.Eliminate, "piece") + " left"
		if w.Eliminate == 1 {
			left = "no piece left"
		}
		t.say("%s wins when the other player has %s%s.", player, left, where)
	}
	other := all.Of(1 - t.side).Win
	who := "A player"
	where := ""
	differ := !slices.Equal(w.Directions, other.Directions)
	if differ {
		who = player
	}
	if len(w.Directions) > 0 {
		where = " on " + consecutive(t.r, w.Directions)
	}
	t.when(t.r.Lose.Line > 0 && (t.side == engines.First || differ),
		"%s loses by making a line of %d or more of their own pieces%s, unless the same move wins.", who, t.r.Lose.Line, where)
}

// consecutive describes where the cells of a line can be. An empty list means all directions.
func consecutive(r *engines.Rules, along []string) string {
	if len(along) > 0 && r.Board.Shape != "hex" {
		var words []string
		for _, d := range along {
			words = append(words, "a "+strings.TrimSuffix(d, "s"))
		}
		return "consecutive cells of " + either(words)
	}
	switch {
	case len(along) > 0:
		return strings.ReplaceAll("consecutive cells along the "+strings.Join(along, " or the "), "diagonals",
			"diagonals (from top right to bottom left)")
	case len(r.Board.Lines) > 0:
		return "consecutive cells of one drawn line"
	case r.Board.Shape == "hex":
		return "consecutive cells in one of the three directions of the hexagonal grid"
	}
	return "consecutive cells of a row, a column or a diagonal"
}

// cellNames explains the names of cells with examples from the board.
func cellNames(r *engines.Rules) string {
	var names []string
	for row := range r.Board.Rows {
		for column := range r.Board.Columns {
			name := fmt.Sprintf("%c%d", 'a'+column, row+1)
			if !slices.Contains(r.Board.Missing, name) {
				names = append(names, name)
			}
		}
	}
	if len(r.Board.Missing) == 0 {
		return fmt.Sprintf("named from %s (top left) to %s (bottom right)", names[0], names[len(names)-1])
	}
	return fmt.Sprintf("named by column and row, for example %s", names[0])
}

// cells returns the number of cells of the board.
func cells(r *engines.Rules) string {
	n := r.Board.Columns*r.Board.Rows - len(r.Board.Missing)
	return fmt.Sprintf("%d cells", n)
}
