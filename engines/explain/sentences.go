package explain

import (
	"fmt"
	"strings"

	"spar/engines"
)

func moves(r *engines.Rules) bool {
	for side := range 2 {
		m := r.Of(side).Movement
		if m.Steps != "none" || m.Capture || len(m.Take) > 0 || len(m.Leaps) > 0 || m.Fly > 0 {
			return true
		}
	}
	return false
}

func board(t *teller) {
	r := t.r
	columns, rows := r.Board.Columns, r.Board.Rows
	t.say("The board has %d columns, a to %c from the left, and %d rows, 1 to %d from the top: %s, named like a1 (top left) and %c%d (bottom right).%s",
		columns, 'a'+columns-1, rows, rows, cells(r), 'a'+columns-1, rows, map[bool]string{true: " It is empty at the start."}[len(r.Setup) == 0])
	otherBoard(t)
	across := " Neighbours, lines, steps and jumps run across."
	switch r.Board.Wrap {
	case "columns":
		t.say("The left and the right edge are joined: the first and the last column are neighbours.%s", across)
	case "rows":
		t.say("The top and the bottom edge are joined: the first and the last row are neighbours.%s", across)
	case "torus":
		t.say("Left and right edge are joined, and so are top and bottom: the board has no edge.%s", across)
	}
	if r.Territory == "halves" {
		half := rows / 2
		middle := ""
		if rows%2 == 1 {
			middle = fmt.Sprintf(" Row %d is nobody's.", half+1)
		}
		t.say("Rows %d to %d are the home of the first player, rows 1 to %d the home of the second.%s", rows-half+1, rows, half, middle)
	}
	t.say("The first player has X and begins, the second has O.")
}

func aim(t *teller) {
	r := t.r
	if n := r.Win.Line; n > 0 {
		t.say("A player wins with %d own pieces on %s.", n, consecutive(r))
		if r.Win.Overlines {
			t.say("A longer row wins, too.")
		} else {
			t.say("A longer row does not win: it must be exactly %d, counted on the whole board.", n)
		}
		t.when(r.Win.Region == "enemy", "All %d cells must lie in the opponent's home.", n)
		t.say("Only the lines of the player who has just moved count; they are looked at after each placement%s.", map[bool]string{true: ", and when a turn of steps or jumps is over"}[moves(r)])
	}
	otherGoals(t)
	fullWins(t)
	t.when(r.Win.Majority, "When every cell is taken, the player with more pieces on the board wins; equal numbers are a draw.")
	t.when(stuckDecides(*r), "A player who has nothing to do when his turn begins (no legal placement%s) %s.", map[bool]string{true: ", step or jump"}[moves(r)],
		map[string]string{"loss": "loses", "win": "wins"}[r.NoMoves])
}

func turns(t *teller) {
	r := t.r
	switch n, first := r.Turn.Placements, r.Turn.FirstTurn; {
	case n == 1 && first == 1:
		t.say("The players take turns; in his turn a player places one piece.")
	case n == first:
		t.say("The players take turns; in his turn a player places %s, one after the other.", count(n, "piece"))
	default:
		t.say("The players take turns; in his turn a player places %s, but in the very first turn of the game %s.", count(n, "piece"), count(first, "piece"))
	}
	t.when(r.Turn.Placements > 1 || r.Turn.FirstTurn > 1, "Such a turn ends early when its player has nothing left to place or nowhere to place it.")
	if r.Turn.Pie {
		where := "where they lie"
		if last := engines.Cell(t.g.Cells() - 1); t.g.Swapped(last) == last && t.g.Swapped(1) != 1 {
			where = "mirrored along the diagonal from a1, columns for rows"
		} else if t.g.Swapped(last) != last {
			where = "mirrored from top to bottom"
		}
		if r.Placement.Gravity && t.g.Swapped(0) != 0 {
			where += map[bool]string{true: " and fallen to the lowest free cells", false: ", in the air if need be"}[r.Placement.Falls]
		}
		t.say("Instead of his first turn the second player may swap: the pieces placed so far become his, %s, the players exchange what they have in hand, and the first player is to move.", where)
	}
	if n := r.Pieces.Supply; n > 0 {
		t.say("Each player has %s in hand. Until both hands are empty the players only place; a player whose hand is empty is skipped.", count(n, "piece"))
		var ways []string
		if r.Movement.Steps != "none" {
			ways = append(ways, "one step of one piece")
		}
		if r.Movement.Capture {
			ways = append(ways, map[bool]string{true: "the jumps of one piece", false: "one jump of one piece"}[r.Movement.MultiJump])
		}
		if r.Movement.Capture && r.Movement.Captured == "return" {
			ways = append(ways, "the placement of one piece from the hand")
		}
		if len(ways) > 0 {
			t.say("From then on to the end of the game, a turn is %s.", strings.Join(ways, ", or "))
		} else {
			t.say("From then on nothing can be placed any more, and nothing moves.")
		}
	}
}

// regions are the cells that a region names, for the player to move.
func regions() map[string]string {
	return map[string]string{
		"anywhere": "any empty cell", "home": "an empty cell of the own home", "enemy": "an empty cell of the opponent's home",
		"beside": "a cell beside an empty one", "first_home": "an empty cell of the first player's home", "second_home": "an empty cell of the second player's home",
	}
}

func placing(t *teller) {
	r := t.r
	if r.Placement.Gravity {
		t.say("Pieces fall: a piece is let go in a column that has a free cell, and comes to rest on the lowest free cell of that column%s.",
			map[bool]string{true: ", even below other pieces"}[leaves(r) && !r.Placement.Falls])
		falling(t)
		return
	}
	from := 1
	for _, s := range r.Placement.Opening {
		when := fmt.Sprintf("Moves %d to %d of the game (both players counted) are placed", from, from+s.Plies-1)
		if s.Plies == 1 {
			when = fmt.Sprintf("Move %d of the game (both players counted) is placed", from)
		}
		where := regions()[s.Region]
		if s.Region == "cells" {
			where = cellsOf(s)
		}
		if s.Remove {
			when = strings.NewReplacer("are placed", "take off a piece", "is placed", "takes off a piece").Replace(when)
		}
		t.say("%s on %s.", when, where)
		from += s.Plies
	}
	after := ""
	if from > 1 {
		after = "After that, a"
	} else {
		after = "A"
	}
	t.say("%s piece is placed on %s.", after, regions()[r.Placement.Region])
	if r.Pieces.Cap > 0 && r.Pieces.Removal == "before_win" {
		if r.Pieces.ReuseVacated {
			t.say("A player whose oldest piece is about to leave may place on the cell of that piece, too, within the same region.")
		} else {
			t.say("The cell of a piece that is about to leave is not free yet.")
		}
	}
}

// leaves tells whether pieces can leave the board under gravity.
func leaves(r *engines.Rules) bool {
	return r.Pieces.Cap > 0 || r.Surround.Threshold > 0 && r.Surround.Effect == "remove" || r.Custodian.Effect == "remove" || r.Mill.Line > 0
}

// falling says what becomes of what stands above a piece that leaves.
func falling(t *teller) {
	r := t.r
	switch {
	case !leaves(r):
	case !r.Placement.Falls:
		t.say("Pieces above a piece that leaves stay where they are.")
	default:
		t.say("When a piece leaves the board, the pieces above it fall, each to the lowest free cell of its column; they keep their age, and a fall captures nothing.")
		t.say("When pieces have fallen, the opponent's goals are looked at, too: what a fall makes for the opponent wins for him, unless the move or the fall makes something for the player who has moved.")
	}
}

func moving(t *teller) {
	m := t.r.Movement
	if !moves(t.r) {
		return
	}
	how := map[string]string{
		"king": "in any of the 8 directions", "rook": "along its row or column", "bishop": "diagonally",
	}[m.Steps]
	t.when(m.Steps != "none", "A step takes a piece to an empty neighbouring cell, %s.", how)
	otherMoves(t)
	if !m.Capture {
		return
	}
	t.say("A jump takes a piece, in any of the 8 directions, over a neighbouring piece of the opponent to the empty cell right behind it; the piece jumped over is captured.")
	if m.Captured == "stay" {
		t.say("Nothing is captured: the piece jumped over stays.")
	} else if m.Captured == "return" {
		t.say("A piece captured by a jump goes back into its owner's hand.")
	} else {
		t.say("A piece captured by a jump is out of the game.")
	}
	if m.MultiJump {
		t.say("The piece that has jumped may jump on in the same turn, as often as it can; or its player stops.")
	} else {
		t.say("A jump ends the turn.")
	}
	t.when(m.ForcedCapture, "A player who can jump when his turn begins must: he may neither step nor place.")
}

func surrounding(t *teller) {
	s := t.r.Surround
	if s.Threshold == 0 {
		return
	}
	t.say("A piece of the opponent is surrounded when %d or more of its up to 8 neighbouring cells hold pieces of the player who moves.", s.Threshold)
	if s.Cascade {
		t.say("After each placement%s all surrounded pieces on the whole board are captured at once; that is repeated until no piece is surrounded.", byMoving(t.r))
	} else {
		t.say("After each placement%s all surrounded pieces next to the piece that has just arrived are captured at once, and what that changes captures nothing more.", byMoving(t.r))
	}
	switch {
	case s.Effect != "convert":
		t.say("A surrounded piece is out of the game.")
	case t.r.Pieces.Cap > 0:
		t.say("A surrounded piece changes sides, and counts as its new owner's youngest; of several the one nearest to a1 first, row by row, is the oldest.")
	default:
		t.say("A surrounded piece changes sides.")
	}
}

func byMoving(r *engines.Rules) string {
	if moves(r) {
		return ", step or jump"
	}
	return ""
}

func leaving(t *teller) {
	p := t.r.Pieces
	if p.Cap == 0 {
		return
	}
	t.say("A player keeps at most %s on the board: when he has more after his move, his oldest leave until %d are left. The oldest is the one that was placed first; a piece that moves keeps its age.", count(p.Cap, "piece"), p.Cap)
	if p.Removal == "after_win" {
		t.say("They leave after lines have been looked at: a piece that is about to leave still counts in a line, and when a line wins, nothing leaves.")
	} else {
		t.say("They leave before lines are looked at: a piece that leaves counts in no line.")
	}
	t.when(p.RemovalFromPly > 1, "Nothing leaves before move %d of the game (both players counted) has been made.", p.RemovalFromPly)
}

func draws(t *teller) {
	r := t.r
	switch {
	case r.Win.Majority:
	case r.Draw.FullBoard:
		t.say("When every cell is taken and nobody has won, the game is a draw.")
	default:
		t.say("A full board does not end the game by itself.")
	}
	if n := r.Draw.Repetition; n > 0 {
		same := []string{"the pieces"}
		if r.Pieces.Cap > 0 {
			same = append(same, "their ages")
		}
		if r.Pieces.Supply > 0 {
			same = append(same, "the hands")
		}
		if r.Turn.Placements > 1 {
			same = append(same, "what is left of the turn")
		}
		t.say("When the same position stands for the %s time (%s and the player to move are the same; the start counts), the game is a draw.", ordinal(n), strings.Join(same, ", "))
	}
	t.when(r.Draw.MaxPlies > 0, "After %s (placements, steps, jumps, stops, swaps and passes of both players) without a winner, the game is a draw.", count(r.Draw.MaxPlies, "move"))
	switch r.NoMoves {
	case "draw":
		t.say("When a player has nothing to do as his turn begins, the game is a draw.")
	case "pass":
		end := "is a draw"
		if r.Win.Majority {
			end = "goes to the player with more pieces on the board"
		}
		t.say("A player who has nothing to do passes; when both pass one after the other, the game %s.", end)
	}
	t.when(r.Clock.Seconds > 0, "Against people a clock runs: after %g seconds for the whole game, both players together, the game is a draw.", r.Clock.Seconds)
}

// order is what a move sets off, where more than one thing can happen.
func order(t *teller) {
	r := t.r
	var steps []string
	add := func(on bool, what string) {
		if on {
			steps = append(steps, what)
		}
	}
	add(true, "the move itself")
	add(r.Surround.Threshold > 0, "captures by surrounding")
	falls := r.Placement.Falls && leaves(r)
	add(r.Pieces.Cap > 0 && r.Pieces.Removal != "after_win", "pieces over the limit leave")
	add(falls, "what stands above a piece that has left falls")
	add(r.Win.Line > 0, "a line wins")
	add(r.Pieces.Cap > 0 && r.Pieces.Removal == "after_win", "pieces over the limit leave")
	add(falls && r.Pieces.Cap > 0 && r.Pieces.Removal == "after_win", "what stands above them falls, and a line wins")
	add(r.Win.Majority || r.Draw.FullBoard, "a full board")
	add(true, "a player without anything to do")
	add(r.Draw.Repetition > 0, "repetition")
	add(r.Draw.MaxPlies > 0, "the limit of moves")
	if r.Surround.Threshold > 0 || r.Pieces.Cap > 0 || r.Draw.MaxPlies > 0 || r.Draw.Repetition > 0 {
		t.say("In this order: %s. What ends the game first, counts.", strings.Join(steps, "; "))
	}
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}
