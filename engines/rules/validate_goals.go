package rules

import (
	"fmt"
	"strings"

	"spar/engines/grid"
)

// validateGoals returns an error for goals that the opponents' rules make impossible, and for goals by which a
// side has lost at the start.
func validateGoals(r *Rules, enemies []int, refuse func(bool, string, string, ...any)) {
	t := grid.New(r.Board)
	w := &r.Win
	for i, text := range w.Pattern {
		path := fmt.Sprintf("win.pattern[%d]", i)
		_, err := grid.ReadShape(text)
		refuse(err != nil, path, "%v", err)
		refuse(err == nil && len(t.Patterns([]string{text})) == 0, path, "the pattern fits nowhere on the board")
	}
	refuse(
		len(w.Pattern) > 0 && t.Drawn != nil,
		"win.pattern",
		"patterns are shapes of a grid: leave board.lines out, or use win.line",
	)
	edges := t.Edges(true)
	sides := t.Edges(false)
	bare := edges[0].Empty() || edges[1].Empty() || sides[0].Empty() || sides[1].Empty()
	refuse(!w.Connect.IsZero() && bare, "win.connect",
		"a side of the board has no cell: board.missing removes all its cells")
	refuse(
		!w.Connect.IsZero() && min(r.Board.Columns, r.Board.Rows) == 1,
		"win.connect",
		"one row or column touches two opposite sides: expected at least 2 rows and 2 columns",
	)
	refuse(
		!w.Connect.IsZero() && r.Board.Wrap != "none",
		"win.connect",
		"on a wrapped board opposite sides meet: use board.wrap none",
	)
	refuse(
		!w.Connect.IsZero() && r.Board.Wrap == "none" && !bare &&
			!(t.Connects(t.Board, &edges, grid.NoCell) && t.Connects(t.Board, &sides, grid.NoCell)),
		"win.connect",
		"no chain of neighbours leads from side to side: board.missing or board.lines cut the board in two",
	)
	cells := func(words []string) int { // the fewest that one of the players has to reach
		fewest := grid.MaxCells
		for _, enemy := range enemies {
			fewest = min(fewest, t.Region(words, 1-enemy).Count())
		}
		return fewest
	}
	for i := range w.Reach {
		refuse(
			cells(w.Reach[i:i+1]) == 0,
			fmt.Sprintf("win.reach[%d]", i),
			"%q names no cell of the board: expected far, near, left, right or a cell from a1 to %s",
			w.Reach[i],
			t.LastName(),
		)
	}
	if n := cells(w.Reach); n > 0 && len(w.Reach) > 0 {
		refuse(
			n < w.ReachCount,
			"win.reach_count",
			"%d pieces do not fit on the %d cells of win.reach",
			w.ReachCount,
			n,
		)
	}
	refuse(w.ReachCount > 0 && len(w.Reach) == 0, "win.reach_count", "reach_count needs win.reach")
	fed := r.Pieces.Supply > 0 || len(r.Setup) > 0
	refuse(w.Eliminate > 0 && !fed, "win.eliminate", "sides begin with no pieces: set pieces.supply or setup")
	refuse(w.Eliminate > 0 && !r.takes(), "win.eliminate", "no rule takes pieces: switch a capture on")
	refuse(w.OnBoard && w.Eliminate == 0, "win.on_board", "on_board needs win.eliminate")
	goal := w.Line > 0 || len(w.Pattern) > 0 || !w.Connect.IsZero() || len(w.Reach) > 0
	refuse(w.Captures > 0 && !r.takes(), "win.captures", "no rule captures: switch a capture on")
	refuse(w.Misere && !goal, "win.misere", "misere needs a goal: set win.line, win.pattern, win.connect or win.reach")
	refuse(r.Lose.Line == 1, "lose.line", "a line of 1 loses the first ply: expected 2 or more, or 0 for none")
	longest := 0
	for n := 2; r.Lose.Line > 0 && n <= grid.MaxSide && len(t.Runs(n, w.Directions...)) > 0; n++ {
		longest = n
	}
	refuse(
		r.Lose.Line > longest,
		"lose.line",
		"a line of %d does not fit: the longest on this board%s is %d",
		r.Lose.Line,
		w.along(),
		longest,
	)
	refuse(r.Lose.Line > 0 && w.Misere, "lose.line", "win.misere already makes lines lose: use only one of the two")
	refuse(r.Lose.Line > 0 && w.Line > 0 && r.Lose.Line >= w.Line && w.Overlines && w.Region == "anywhere", "lose.line",
		"every line of %d holds one of %d, which wins: expected less than %d", r.Lose.Line, w.Line, w.Line)
	for _, enemy := range enemies {
		n, hand := t.Setup(r.Setup)[enemy].Count(), r.Of(enemy).Pieces.Supply
		if w.OnBoard && hand > 0 {
			continue // examined later
		}
		refuse(
			w.Eliminate > 0 && n+hand < w.Eliminate,
			"win.eliminate",
			"%c begins with %d pieces, fewer than %d",
			grid.Letters[enemy],
			n+hand,
			w.Eliminate,
		)
	}
}

// along names the directions of lines if not all directions count.
func (w *Win) along() string {
	if len(w.Directions) == 0 {
		return ""
	}
	return " along " + strings.Join(w.Directions, " and ")
}

// takes reports whether pieces can leave the board or change sides.
func (r *Rules) takes() bool {
	second := r.Of(grid.Second)
	return r.Movement.takes() || second.Movement.takes() || r.Surround.Threshold > 0 || r.Pieces.Cap > 0 ||
		!r.Custodian.Effect.IsZero() ||
		r.Mill.Line > 0
}
