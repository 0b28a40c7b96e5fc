package rules

import (
	"fmt"
	"strings"

	"spar/engines/grid"
)

type refuser = func(bad bool, path, format string, args ...any)

func checkPattern(r *Rules, t *grid.Grid, _ []int, refuse refuser) {
	for i, text := range r.Win.Pattern {
		path := fmt.Sprintf("win.pattern[%d]", i)
		_, err := grid.ReadShape(text)
		refuse(err != nil, path, "%v", err)
		refuse(err == nil && len(t.Patterns([]string{text})) == 0, path, "the pattern fits nowhere on the board")
	}
	refuse(t.Drawn != nil, "win.pattern", "patterns are shapes of a grid: remove board.lines, or use win.line")
}

func checkConnect(r *Rules, t *grid.Grid, _ []int, refuse refuser) {
	edges, sides := t.Edges(true), t.Edges(false)
	bare := edges[0].Empty() || edges[1].Empty() || sides[0].Empty() || sides[1].Empty()
	refuse(bare, "win.connect", "a side of the board has no cell: board.missing removes all its cells")
	refuse(min(r.Board.Columns, r.Board.Rows) == 1, "win.connect",
		"one row or column touches two opposite sides: expected at least 2 rows and 2 columns")
	wraps := r.Board.Wrap != "none"
	refuse(wraps, "win.connect", "opposite sides of a wrapped board meet; set board.wrap: none")
	refuse(!wraps && !bare && !(t.Connects(t.Board, &edges, grid.NoCell) && t.Connects(t.Board, &sides, grid.NoCell)),
		"win.connect", "no chain of neighbours leads from side to side: board.missing or board.lines cut the board in two")
}

func checkReach(r *Rules, t *grid.Grid, enemies []int, refuse refuser) {
	w := &r.Win
	cells := func(words []string) int { // the fewest that one of the players has to reach
		fewest := grid.MaxCells
		for _, enemy := range enemies {
			fewest = min(fewest, t.Region(words, 1-enemy).Count())
		}
		return fewest
	}
	for i := range w.Reach {
		refuse(cells(w.Reach[i:i+1]) == 0, fmt.Sprintf("win.reach[%d]", i),
			"%q names no cell of this board: expected far, near, left, right or a cell from a1 to %s", w.Reach[i],
			t.LastName())
	}
	n := cells(w.Reach)
	refuse(0 < n && n < w.ReachCount, "win.reach_count",
		"%d pieces do not fit on the %d cells of win.reach", w.ReachCount, n)
}

func checkEliminate(r *Rules, t *grid.Grid, enemies []int, refuse refuser) {
	w := &r.Win
	refuse(r.Pieces.Supply == 0 && len(r.Setup) == 0, "win.eliminate",
		"the players have no pieces: set pieces.supply or setup")
	refuse(!r.takes(), "win.eliminate", "no rule captures pieces: enable a capture rule")
	for _, enemy := range enemies {
		n, hand := t.Setup(r.Owners())[enemy].Count(), r.Of(enemy).Pieces.Supply
		if w.OnBoard && hand > 0 {
			continue // examined later
		}
		refuse(n+hand < w.Eliminate, "win.eliminate", "%c begins with fewer than %d pieces (%d) and would lose at once",
			grid.Letters[enemy], w.Eliminate, n+hand)
	}
}

func checkLosingLine(r *Rules, t *grid.Grid, _ []int, refuse refuser) {
	w, n, longest := &r.Win, r.Lose.Line, 0
	refuse(n == 1, "lose.line", "the first ply would lose by a line of 1: expected 2 or more, or 0 for none")
	for k := 2; k <= grid.MaxSide && len(t.Runs(k, w.Directions...)) > 0; k++ {
		longest = k
	}
	refuse(n > longest, "lose.line",
		"a line of %d does not fit: the longest on this board%s is %d", n, w.along(), longest)
	refuse(w.Misere, "lose.line", "win.misere already makes lines lose: use only one of the two")
	refuse(w.Line > 0 && n >= w.Line && w.Overlines && w.Region == "anywhere", "lose.line",
		"every line of %d contains a winning line of %d: expected less than %d", n, w.Line, w.Line)
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
	return r.anyMovement((*Movement).takes) || r.Surround.Threshold > 0 || r.Pieces.Cap > 0 ||
		!r.Custodian.Effect.IsZero() || r.Mill.Line > 0
}
