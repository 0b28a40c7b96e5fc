package explain

import (
	"strings"

	"spar/engines"
	"spar/engines/rules"
)

// goals describes, for both players, what wins or loses directly after a move, in the order of the checks.
func goals(r *engines.Rules) (out []string) {
	for _, goal := range rules.Goals() {
		won, lost := false, false
		for side := range 2 {
			own := r.Of(side)
			has, turned := goal.Set(&own), own.Win.Misere && goal.Made // misère exchanges winning and losing
			won = won || has && !turned
			lost = lost || has && turned
		}
		switch {
		case !won && !lost:
		case !goal.Made && goal.Order != "":
			out = append(out, goal.Order)
		case goal.Made:
			out = append(out, goal.Ends+" "+map[[2]bool]string{
				{true, false}: "wins", {false, true}: "loses", {true, true}: "wins or loses",
			}[[2]bool{won, lost}])
		}
	}
	return out
}

// fullWon reports whether one of the players wins by a full board.
func fullWon(r *engines.Rules) bool {
	return r.Of(engines.First).Win.Full || r.Of(engines.Second).Win.Full
}

// order describes the order of the consequences of a move, if there can be more than one.
func order(t *teller) {
	r := t.r
	made := goals(r)
	falls := r.Placement.Falls && r.Leaves()
	encloses := !r.Custodian.Effect.IsZero()
	after := r.Pieces.Cap > 0 && r.Pieces.Removal == "after_win"
	var steps []string
	add := func(on bool, what ...string) {
		if on {
			steps = append(steps, what...)
		}
	}
	add(true, "the move itself")
	add(r.Surround.Threshold > 0, "captures by surrounding")
	add(encloses, "captures by enclosing")
	add(r.Pieces.Cap > 0 && !after, "the oldest pieces over the limit leave the board")
	add(falls, "pieces above fall into the gaps")
	add(true, made...)
	add(falls && len(made) > 0, "goals that the fall completes for the opponent")
	add(after, "the oldest pieces over the limit leave the board")
	add(falls && after, "pieces above them fall, which may complete goals")
	add(r.Mill.Line > 0, "a mill, after which its player removes a piece")
	add(r.FullEnds() && fills(t.g), "a full board")
	add(strands(t.g), "a player who cannot move")
	add(r.Draw.Repetition > 0, "repetition")
	add(r.Draw.Quiet > 0, "the limit on moves without placement or capture")
	add(r.Draw.MaxPlies > 0, "the limit on moves")
	if len(made) > 1 || r.Surround.Threshold > 0 || encloses || r.Mill.Line > 0 || r.Pieces.Cap > 0 || fullWon(r) ||
		r.Draw.MaxPlies > 0 || r.Draw.Quiet > 0 ||
		r.Draw.Repetition > 0 {
		t.say("This is the order: %s. The first of these that ends the game decides it.", strings.Join(steps, "; "))
	}
}
