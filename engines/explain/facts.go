package explain

import (
	"cmp"
	"slices"
	"strings"

	"spar/engines"
	"spar/engines/rules"
)

// fills reports whether the board can become full after the start. If that is not known, it returns true.
func fills(g *engines.Game) bool {
	r := g.Rules()
	cells := g.Columns()*g.Rows() - len(r.Board.Missing)
	hex := r.Board.Shape == "hex" && len(r.Board.Missing)+len(r.Board.Lines) == 0
	if hex && !r.Win.Connect.IsZero() && r.Second == nil {
		return false // one of the players has a chain before
	}
	if !r.Turn.Block.IsZero() {
		return true
	}
	setup := strings.Join(r.Owners(), "")
	stood := strings.Count(setup, "X") + strings.Count(setup, "O")
	clones := r.Of(engines.First).Movement.Clone || r.Of(engines.Second).Movement.Clone
	if (r.Moves() || supplied(&r)) && !clones {
		all := stood + r.Of(engines.First).Pieces.Supply + r.Of(engines.Second).Pieces.Supply
		return all >= cells && (stood < cells || r.Places())
	}
	return r.Pieces.Cap == 0 || stood > 0 || clones || max(2*r.Pieces.Cap, r.Pieces.RemovalFromPly) >= cells
}

// strands reports whether a player can be without a legal move. If that is not known, it returns true.
func strands(g *engines.Game) bool {
	r := g.Rules()
	return r.Moves() || supplied(&r) || r.Placement.Region != "anywhere" || len(r.Placement.Opening) > 0 ||
		r.Custodian.Must || !r.FullEnds() && fills(g)
}

// blocks reports whether a side can only win by leaving the other without a legal move.
func blocks(r *engines.Rules, side int) bool {
	own := r.Of(side)
	return r.NoMoves == "loss" && !own.HasGoal() && !r.Of(1-side).Win.Misere
}

// otherMoves names the moves that do not move a piece, or only take pieces off the board.
func otherMoves(r *engines.Rules) string {
	stops := func(side int) bool {
		m := r.Of(side).Movement
		return m.MultiJump.On() && m.MultiJump != "must" && m.ForcedCapture != "most"
	}
	var words []string
	add := func(on bool, name string) {
		if on {
			words = append(words, name)
		}
	}
	add(stops(engines.First) || stops(engines.Second), "stops")
	add(r.Turn.Pie.On(), "swaps")
	add(r.NoMoves == "pass", "passes")
	add(r.Mill.Line > 0 || slices.ContainsFunc(r.Placement.Opening, func(s rules.Stage) bool { return s.Remove }),
		"removals of pieces")
	if len(words) == 0 {
		return ""
	}
	return ", and so do " + strings.Replace(either(words), " or ", " and ", 1)
}

// goalCells describes the cells that the pieces of a side must reach.
func goalCells(g *engines.Game, words []string, side int) string {
	last := g.CellName(engines.Cell(g.Columns()*g.Rows() - 1))
	rows := [2]string{"row 1 (the top)", "row " + last[1:] + " (the bottom)"}
	edges := map[string]string{"far": rows[side], "near": rows[1-side], "left": "column a", "right": "column " + last[:1]}
	var out []string
	for _, word := range words {
		out = append(out, cmp.Or(edges[word], word))
	}
	return either(out)
}

// ownPieces names the pieces that count for a goal.
func ownPieces(r *engines.Rules) string {
	switch r.Pieces.Owner {
	case "shared":
		return "pieces"
	case "choice":
		return "pieces of one kind"
	}
	return "of their pieces"
}
