package explain

import "spar/configs/plain"

// otherCaptures describes capture by enclosing and mills.
func otherCaptures(t *teller) {
	c := t.r.Custodian
	if !c.Effect.IsZero() {
		run := "unbroken row of opposing pieces, however long,"
		switch {
		case c.Length == 1:
			run = "lone opposing piece"
		case c.Length > 0:
			run = "row of exactly " + count(c.Length, "opposing piece")
		}
		where := "in any direction"
		if len(c.Directions) > 0 {
			where = directionWords(t.g, c.Directions)
		}
		what := "are out of the game"
		switch {
		case c.Effect == "flip":
			what = "change sides"
		case t.r.Movement.Captured == "switch_to_hand":
			what = "go into the hand of their captor, who may place one on an empty cell as a turn (a drop)"
		}
		t.say(
			"A piece that arrives on a cell captures by enclosing: it takes every %s between it and another piece of its own "+
				"side, %s. The captured pieces %s.",
			run,
			where,
			what,
		)
		t.when(len(c.Hostile) > 0, "An empty cell of %s encloses like a piece of either player.", groups(t.r, c.Hostile))
		t.when(c.Must, "A piece may be placed only where it captures in this way.")
	}
	if m := t.r.Mill; m.Line > 0 {
		t.say(
			"A piece that arrives on a cell and completes a line of %d of its player's pieces (on %s) makes a mill: its player "+
				"removes one opposing piece. A piece in such a line may be removed only if all opposing pieces are in one.",
			m.Line,
			consecutive(t.r, nil),
		)
		t.when(m.Exact, "A longer line is not a mill.")
		t.when(m.Moved, "A piece that is placed cannot make a mill; only one that moves can.")
	}
}

// owners describes which pieces belong to whom.
func owners(t *teller) {
	switch t.r.Pieces.Owner {
	case "shared":
		t.say("Both players place X; no piece belongs to either.")
	case "choice":
		t.say(
			"A player who places a piece chooses between X and O. No piece belongs to a player; a goal counts for the player " +
				"who completes it.",
		)
	}
}

func fullWins(t *teller) {
	captured := plain.If(t.r.Mill.Line > 0, "captured or taken", "captured")
	t.when(t.r.Win.Captures > 0, "%s wins once their moves have %s %s.", t.player(), captured,
		count(t.r.Win.Captures, "piece"))
	t.when(t.r.Win.Full, "%s wins when the board is full and the other player has not won.", t.player())
}
