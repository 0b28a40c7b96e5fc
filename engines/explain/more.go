package explain

import (
	"fmt"
	"strings"

	"spar/engines"
)

// otherCaptures says what is enclosed, and what mills take.
func otherCaptures(t *teller) {
	c := t.r.Custodian
	if !c.Effect.IsZero() {
		run := "a row of pieces of the opponent, however long,"
		if c.Length > 0 {
			run = "a row of exactly " + count(c.Length, "piece") + " of the opponent"
		}
		where := "in any direction"
		if len(c.Directions) > 0 {
			where = directionWords(t.g, c.Directions)
		}
		what := "is out of the game"
		if c.Effect == "flip" {
			what = "changes sides"
		}
		t.say("When a piece arrives, %s between it and another piece of its side, %s, is enclosed and %s.", run, where, what)
		t.when(c.Must, "A piece may be placed only where it encloses something.")
	}
	if m := t.r.Mill; m.Line > 0 {
		t.say("A piece that arrives and completes a line of %d own pieces (on %s) makes a mill: its player takes a piece of the opponent off the board, one that stands in no such line unless all do.",
			m.Line, consecutive(t.r))
		t.when(m.Exact, "A longer line is no mill.")
		t.when(m.Moved, "Pieces that are placed make no mills, only those that move.")
	}
}

// owners says whose the pieces are.
func owners(t *teller) {
	switch t.r.Pieces.Owner {
	case "shared":
		t.say("Both players place X: the pieces belong to nobody.")
	case "choice":
		t.say("Whoever places a piece chooses between X and O: the pieces belong to nobody, and a goal made with either is made by the player who completes it.")
	}
}

func fullWins(t *teller) {
	t.when(t.r.Win.Captures > 0, "%s wins when his moves have taken or turned over %s.", t.player(), count(t.r.Win.Captures, "piece"))
	t.when(t.r.Win.Full, "%s wins when the board is full and nobody else has won.", t.player())
}

// cellsOf names the cells that a stage lists.
func cellsOf(s engines.Stage) string { return fmt.Sprintf("one of %s", strings.Join(s.Cells, ", ")) }
