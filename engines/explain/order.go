package explain

import "strings"

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
