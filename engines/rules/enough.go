package rules

import (
	"spar/engines/grid"
)

// validateEnough returns an error for goals that need more captured pieces than a side can ever have. It accepts
// rules without a known limit on the number of pieces.
func validateEnough(r *Rules, refuse refuser) {
	t := grid.New(r.Board)
	own := [2]int{r.mostPieces(&t, grid.First), r.mostPieces(&t, grid.Second)}
	for side := range 2 {
		w, most, prefix := r.Of(side).Win, own[side], ""
		if side == grid.Second {
			if r.Second == nil && own[grid.First] == own[grid.Second] {
				continue // said already
			}
			if r.Second != nil && r.Second.Win != nil {
				prefix = "second."
			}
		}
		path := func(name string) string { return prefix + "win." + name }
		never := func(need int, knob, what string) {
			refuse(
				need > most,
				path(knob),
				"%s needs %d pieces, but %c never has more than %d: require fewer, or allow more with pieces.supply, "+
					"pieces.cap or setup",
				what,
				need,
				grid.Letters[side],
				most,
			)
		}
		of := r.Of(side)
		for _, g := range goals() {
			if g.pieces != nil && g.Set(&of) {
				g.pieces(&of, &t, side, never)
			}
		}
		if all, counted := r.allPieces(&t, 1-side); counted && !r.Mechanics().Has(Returns) {
			refuse(
				w.Captures > all,
				path("captures"),
				"%d captures are required, and %c never has more than %d pieces: require fewer, or allow more with pieces.supply "+
					"or setup",
				w.Captures,
				grid.Letters[1-side],
				all,
			)
		}
		if w.Full {
			n := own[grid.First]
			if r.Pieces.Owner != "shared" {
				n += own[grid.Second]
			}
			refuse(n < t.Board.Count(), path("full"),
				"the board never fills: it has %d cells, and there are never more than %d pieces", t.Board.Count(), n)
		}
	}
}

// mostPieces returns an upper bound of the pieces of a side on the board at the same time, at most the number of cells.
func (r *Rules) mostPieces(t *grid.Grid, side int) int {
	cells := t.Board.Count()
	all, counted := r.allPieces(t, side)
	if !counted && (r.flips() || r.Of(side).Movement.Clone || r.Pieces.Owner == "choice") {
		return cells
	}
	most := cells
	if counted {
		most = min(all, cells)
	}
	if p := r.Pieces; p.Cap > 0 && p.RemovalFromPly <= 1 && p.Removal == "after_win" {
		most = min(most, p.Cap+1)
	} else if p.Cap > 0 && p.RemovalFromPly <= 1 {
		most = min(most, p.Cap)
	}
	return most
}

// flips reports whether captured pieces change sides.
func (r *Rules) flips() bool {
	return r.Surround.Threshold > 0 && r.Surround.Effect == "convert" || r.Custodian.Effect == "flip"
}

// allPieces returns the number of pieces that a side starts with, in hand and on the board. The second result is
// false if it can get more.
func (r *Rules) allPieces(t *grid.Grid, side int) (int, bool) {
	supplied := r.Of(grid.First).Pieces.Supply+r.Of(grid.Second).Pieces.Supply > 0
	if !supplied && !r.Moves() || r.flips() || r.Mechanics().Has(Drops) || r.Of(side).Movement.Clone ||
		r.Pieces.Owner == "choice" {
		return 0, false
	}
	setup := t.Setup(r.Owners())
	n := setup[side].Count() + r.Of(side).Pieces.Supply
	if r.Turn.Pie == PieStones {
		n = max(n, setup[1-side].Count()+r.Of(1-side).Pieces.Supply)
	}
	return n, true
}
