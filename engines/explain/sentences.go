package explain

import (
	"fmt"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/engines"
	"spar/engines/rules"
)

func board(t *teller) {
	r := t.r
	columns, rows := r.Board.Columns, r.Board.Rows
	across, down := "one column, a,", "one row, 1"
	if columns > 1 {
		across = fmt.Sprintf("%d columns, a to %c from the left,", columns, 'a'+columns-1)
	}
	if rows > 1 {
		down = fmt.Sprintf("%d rows, 1 to %d from the top", rows, rows)
	}
	t.say("The board has %s and %s: %s, %s.%s", across, down, cells(r), cellNames(r),
		plain.If(len(r.Setup) == 0, " It is empty at the start.", ""))
	otherBoard(t)
	edges := Edges(t.g)
	t.when(edges != "", "%s Cells are neighbours across a joined edge; lines, steps and jumps continue across it.", edges)
	if r.Territory == "halves" {
		half := rows / 2
		middle := ""
		if rows%2 == 1 {
			middle = fmt.Sprintf(" Row %d belongs to no player.", half+1)
		}
		t.say("Rows %d to %d are the first player's home, and rows 1 to %d are the second player's home.%s",
			rows-half+1, rows, half, middle)
	}
	if len(r.Kinds) > 0 {
		t.say("The first player begins. In text, the pieces of the first player are capital letters, and those of the " +
			"second player small letters.")
		t.say("%s %s.", plain.If(len(r.Kinds) == 1, "The only kind of piece is", "The kinds of pieces are"), kindNames(r))
	} else if r.Pieces.Owner.IsZero() {
		t.say("The first player plays X and begins; the second player plays O.")
	} else {
		t.say("The first player begins.")
	}
	x, o := t.g.Side(engines.First).Colour, t.g.Side(engines.Second).Colour
	if x != "" && x[0] != '#' && o[0] != '#' {
		names := [2]string{"X is", "O is"}
		if len(r.Kinds) > 0 {
			names = [2]string{"In pictures, the first player's pieces are", "the second player's are"}
		}
		t.say("%s %s, and %s %s.", names[0], x, names[1], o)
	}
}

// aims describes how the players win, for each player if they differ.
func aims(t *teller) {
	each(t, t.r.Second != nil && t.r.Second.Win != nil, aim)
	all := t.g.Rules()
	t.when(stuckDecides(all) && strands(t.g), "A player who cannot move at the start of a turn (no legal %s) %s.",
		t.deeds(), map[string]string{"loss": "loses", "win": "wins"}[all.NoMoves])
}

func aim(t *teller) {
	r, all := t.r, t.g.Rules()
	wins := plain.If(r.Win.Misere, "loses", "wins")
	t.when(
		blocks(&all, t.side) && strands(t.g),
		"%s wins only by leaving %s without a legal move.",
		t.player(),
		plain.If(t.both(), "the opponent", []string{"the second player", "the first player"}[t.side]),
	)
	if n := r.Win.Line; n > 0 {
		t.say("%s %s with %d %s on %s.", t.player(), wins, n, ownPieces(r), consecutive(r, r.Win.Directions))
		if r.Win.Overlines {
			t.when(longer(*r), "A longer row %s, too.", wins)
		} else {
			t.say("A longer row does not count: the row must be exactly %d pieces long.", n)
		}
		t.when(r.Win.Region == "enemy", "All %d cells must lie in the opponent's home.", n)
		shortened := r.Surround.Threshold > 0 || !r.Custodian.Effect.IsZero() || r.Mill.Line > 0 ||
			captures(&all, engines.First) || captures(&all, engines.Second)
		t.when(!r.Win.Overlines && shortened && !r.Placement.Falls,
			"Only the player who has just moved can win by a line.")
	}
	otherGoals(t)
	aimed := slices.ContainsFunc(rules.Goals(), func(goal rules.Goal) bool { return goal.Set(r) })
	t.when(aimed && all.Of(t.side).Movement.MultiJump.On(), "Between two %s of a turn, no goal counts.",
		plain.If(all.Mechanics().Has(rules.LineCaptures), "captures", "jumps"))
	fullWins(t)
	t.when(r.Win.Majority && t.side == engines.First && fills(t.g),
		"When every cell is taken, the player with more pieces on the board wins; equal numbers are a draw.")
	t.when(r.Win.Komi > 0 && t.side == engines.First, "In this count, the second player has %s.",
		count(r.Win.Komi, "extra piece"))
	t.when(r.Win.Komi < 0 && t.side == engines.First, "In this count, the first player has %s.",
		count(-r.Win.Komi, "extra piece"))
}

// each adds a sentence once for both players, or once for each player if they differ.
func each(t *teller, differ bool, part func(*teller)) {
	if !differ {
		part(t)
		return
	}
	all := t.g.Rules()
	for side, who := range []string{"first player", "second player"} {
		r := all.Of(side)
		one := &teller{g: t.g, r: &r, who: who, side: side}
		part(one)
		t.said = append(t.said, one.said...)
	}
}

// regions returns the cells of a region, from the view of the player to move, in words.
func regions() map[string]string {
	return map[string]string{
		"anywhere": "any empty cell", "home": "an empty cell of the player's own home",
		"enemy":  "an empty cell of the opponent's home",
		"beside": "a cell next to an empty one", "first_home": "an empty cell of the first player's home",
		"second_home": "an empty cell of the second player's home",
	}
}

func placing(t *teller) {
	r := t.r
	if r.Placement.Gravity {
		t.say(
			"Pieces fall: a piece is dropped into a column that has a free cell, and comes to rest "+
				"on the lowest free cell of that column%s.",
			plain.If(r.Leaves() && !r.Placement.Falls, ", even below other pieces", ""),
		)
		falling(t)
		return
	}
	after := stages(t)
	if !r.Places() {
		return
	}
	t.say("%s piece is placed on %s.", after, regions()[r.Placement.Region])
	if r.Pieces.Cap > 0 && r.Pieces.Removal == "before_win" {
		if r.Pieces.ReuseVacated {
			t.say(
				"A player whose oldest piece is about to leave the board may also place a piece on its cell, within the same region.",
			)
		} else {
			t.say("A piece cannot be placed on the cell of a piece that is about to leave the board.")
		}
	}
}

// stages describes the opening. It returns how the sentence about later plies begins.
func stages(t *teller) string {
	r, from, after := t.r, 1, "A"
	for _, s := range r.Placement.Opening {
		when := fmt.Sprintf("In moves %d to %d of the game (counting both players%s)", from, from+s.Plies-1,
			plain.If(r.Turn.Pie == rules.PieSeats, ", but not a swap", ""))
		if s.Plies == 1 {
			when = fmt.Sprintf("In move %d of the game", from)
		}
		where := regions()[s.Region]
		if s.Region == "cells" {
			where = fmt.Sprintf("one of %s", strings.Join(s.Cells, ", "))
		}
		from += s.Plies
		switch {
		case s.Remove:
			where = strings.NewReplacer("any empty", "any", "an empty cell of", "a cell of").Replace(where)
			t.say("%s the player takes one of their own pieces off the board, from %s.", when, where)
		case r.Places():
			hand := plain.If(r.Moves() && !supplied(r), " from the hand", "")
			t.say("%s a piece%s is placed on %s.", when, hand, where)
		default:
			continue
		}
		after = "After that, a"
	}
	return after
}

// falling describes what happens to the pieces above one that leaves.
func falling(t *teller) {
	r := t.r
	switch {
	case !r.Leaves():
	case !r.Placement.Falls:
		t.say("Pieces above a piece that leaves stay where they are.")
	default:
		t.say(
			"When a piece leaves the board, the pieces above it fall, each to the lowest free cell of its column; they keep " +
				"their age, and a fall captures nothing.",
		)
		t.say(
			"A fall can also complete a goal of the opponent, which then counts, unless the move or the fall completes " +
				"one for the player who moved.",
		)
	}
}

func surrounding(t *teller) {
	s := t.r.Surround
	if s.Threshold == 0 {
		return
	}
	most := 0
	for c := range t.g.Cells() {
		most = max(most, t.g.Neighbours(engines.Cell(c)).Count())
	}
	t.say(
		"An opposing piece is surrounded when the player who moves has pieces on at least %d of the (up to %d) "+
			"neighbouring cells.",
		s.Threshold,
		most,
	)
	if s.Cascade {
		t.say(
			"After each %s all surrounded pieces on the whole board are captured at once; this is repeated until no piece is "+
				"surrounded.",
			t.deeds(),
		)
	} else {
		t.say("After each %s all surrounded pieces next to the piece that has just arrived are captured at once; this "+
			"causes no further captures.", t.deeds())
	}
	switch {
	case s.Effect != "convert":
		t.say("A surrounded piece is out of the game.")
	case t.r.Pieces.Cap > 0:
		t.say(
			"A surrounded piece changes sides and becomes its new owner's youngest piece. If several change sides at once, " +
				"their ages follow their order on the board, row by row from a1: the first is the oldest.",
		)
	default:
		t.say("A surrounded piece changes sides.")
	}
}

func leaving(t *teller) {
	p := t.r.Pieces
	if p.Cap == 0 {
		return
	}
	t.say(
		"A player keeps at most %s on the board: if there are more after a move, the oldest leave until %d are left. The "+
			"oldest is the one that was placed first%s.",
		count(p.Cap, "piece"),
		p.Cap,
		plain.If(t.r.Moves(), "; a piece that moves keeps its age", ""),
	)
	if p.Removal == "after_win" {
		t.say("They leave after the test for wins: a piece that is about to leave still counts. When a win ends the game, no " +
			"piece leaves.")
	} else {
		t.say("They leave before the test for wins: a piece that leaves does not count.")
	}
	t.when(p.RemovalFromPly > 1, "No piece leaves before move %d of the game (counting both players).",
		p.RemovalFromPly)
}

func draws(t *teller) {
	r := t.r
	switch {
	case r.Win.Majority, fullWon(r):
	case !fills(t.g):
	case r.Draw.FullBoard:
		t.say("When every cell is taken%s and no player has won, the game is a draw.",
			plain.If(r.Turn.Block.IsZero(), "", " or blocked"))
	default:
		t.say("A full board does not end the game by itself.")
	}
	if n := r.Draw.Repetition; n > 0 {
		same := []string{"the pieces"}
		if r.Pieces.Cap > 0 {
			same = append(same, "their ages")
		}
		if hands(r) {
			same = append(same, "the hands")
		}
		if r.Turn.Placements > 1 {
			same = append(same, "the placements left in the turn")
		}
		end := "the game is a draw"
		switch winner := r.Draw.RepeatWinner(); {
		case winner != rules.NoSide:
			end = "the " + [2]string{"first", "second"}[winner] + " player wins"
		case r.Draw.Repeated == "mover_loses":
			end = "the player whose move repeats it loses"
		}
		t.say(
			"When the same position occurs for the %s time (%s and the player to move are the same; the starting "+
				"position counts), %s.",
			ordinal(n),
			strings.Join(same, ", "), end,
		)
	}
	t.when(r.Draw.Quiet > 0,
		"After %s in a row without a placement or capture (the moves of both players count%s), the game is a draw.",
		count(r.Draw.Quiet, "move"), otherMoves(r))
	t.when(r.Draw.MaxPlies > 0,
		"If neither player has won after %s (the moves of both players count%s), the game is a draw.",
		count(r.Draw.MaxPlies, "move"), otherMoves(r))
	switch {
	case !strands(t.g):
	case r.NoMoves == "draw":
		t.say("If a player cannot move at the start of a turn, the game is a draw.")
	case r.NoMoves == "pass":
		end := "is a draw"
		if r.Win.Majority {
			end = "goes to the player with more pieces on the board"
		}
		t.say("A player who cannot move passes; when both players pass in succession, the game %s.", end)
	}
	t.when(r.Clock.Seconds > 0,
		"When people play, a clock runs: after %g seconds in total, the game is a draw.",
		r.Clock.Seconds)
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

// Edges describes which edges of the board are joined, since the picture does not show it. It is empty if none
// are.
func Edges(g *engines.Game) string {
	return map[string]string{
		"torus":   "The left and right edges are joined, and so are the upper and lower ones.",
		"columns": "The left and right edges are joined.",
		"rows":    "The upper and lower edges are joined.",
	}[g.Rules().Board.Wrap]
}
