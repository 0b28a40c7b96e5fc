package engines

import "fmt"

// validateEnough returns an error for goals that need more captured pieces than a side can ever have. It accepts
// rules without a known limit on the number of pieces.
func validateEnough(r *Rules, refuse func(bool, string, string, ...any)) {
	g := &Game{topology: newTopology(r.Board), rules: *r}
	own := [2]int{r.mostPieces(g, First), r.mostPieces(g, Second)}
	for side := range 2 {
		w, most, prefix := r.Of(side).Win, own[side], ""
		if side == Second {
			if r.Second == nil && own[First] == own[Second] {
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
				"%s takes %d pieces of %c, who never has more than %d: use fewer, or allow more by pieces.supply, "+
					"pieces.cap or setup",
				what,
				need,
				letters[side],
				most,
			)
		}
		never(w.Line, "line", "a line")
		for i, text := range w.Pattern {
			if shape, err := readShape(text); err == nil {
				never(len(shape), fmt.Sprintf("pattern[%d]", i), "the pattern")
			}
		}
		if len(w.Reach) > 0 {
			never(w.ReachCount, "reach_count", "arriving")
		}
		if !w.Connect.IsZero() {
			edges := g.edges((w.Connect == "top_bottom") == (side == First))
			never(g.shortest(&edges), "connect", "the shortest chain")
		}
		if all, counted := r.allPieces(g, 1-side); counted && !r.Mechanics().Has(Returns) {
			refuse(
				w.Captures > all,
				path("captures"),
				"%d captures, and %c never has more than %d pieces to lose: use fewer, or allow more by pieces.supply or setup",
				w.Captures,
				letters[1-side],
				all,
			)
		}
		if w.Full {
			n := own[First]
			if r.Pieces.Owner != "shared" {
				n += own[Second]
			}
			refuse(
				n < g.board.Count(),
				path("full"),
				"the board never fills: it has %d cells, and there are never more than %d pieces",
				g.board.Count(),
				n,
			)
		}
	}
}

// mostPieces returns an upper bound of the pieces of a side on the board at the same time, at most the number of cells.
func (r *Rules) mostPieces(g *Game, side int) int {
	cells := g.board.Count()
	all, counted := r.allPieces(g, side)
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
func (r *Rules) allPieces(g *Game, side int) (int, bool) {
	supplied := r.Of(First).Pieces.Supply+r.Of(Second).Pieces.Supply > 0
	if !supplied && !r.Moves() || r.flips() || r.Of(side).Movement.Clone || r.Pieces.Owner == "choice" {
		return 0, false
	}
	setup := g.setup(r.Setup)
	n := setup[side].Count() + r.Of(side).Pieces.Supply
	if r.Turn.Pie == PieStones {
		n = max(n, setup[1-side].Count()+r.Of(1-side).Pieces.Supply)
	}
	return n, true
}

// shortest returns the length of the shortest chain of neighbours between two edges, and 0 if there is none.
func (g *Game) shortest(edges *[2]Bits) int {
	reached := edges[0]
	for n := 1; ; n++ {
		if !reached.And(edges[1]).Empty() {
			return n
		}
		wider := reached
		for rest := reached; !rest.Empty(); rest = rest.Rest() {
			wider = wider.Or(g.neighbours[rest.First()].And(g.board))
		}
		if wider == reached {
			return 0
		}
		reached = wider
	}
}
