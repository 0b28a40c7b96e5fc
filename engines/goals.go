package engines

import (
	"fmt"
	"strings"
)

// shapes is a list of sets of cells, such as lines or patterns, with an index by cell. A side completes one by
// occupying all of its cells.
type shapes struct {
	windows []Window
	through [MaxCells][]Window
}

func newShapes(windows []Window) *shapes {
	if len(windows) == 0 {
		return nil
	}
	t := &shapes{}
	seen := map[Bits]bool{}
	for _, w := range windows {
		if seen[w.Cells] {
			continue
		}
		seen[w.Cells] = true
		t.windows = append(t.windows, w)
		for _, c := range w.Cells.Cells(nil) {
			t.through[c] = append(t.through[c], w)
		}
	}
	return t
}

// held reports whether pieces fill a set that contains the cell; if the cell is NoCell, whether they fill any set.
func (t *shapes) held(b Bits, arrived Cell) bool {
	if t == nil {
		return false
	}
	list := t.windows
	if arrived != NoCell {
		list = t.through[arrived]
	}
	for i := range list {
		if w := &list[i]; b.Contains(w.Cells) && b.And(w.Guard).Empty() {
			return true
		}
	}
	return false
}

// goal holds the ways in which a side wins or loses, apart from lines.
type goal struct {
	misere    bool
	pattern   *shapes
	loses     *shapes
	edges     [2]Bits // the edges to connect; empty if there are none
	reach     Bits
	count     int // number of pieces that must be on cells of reach
	eliminate int // the enemy loses if it has fewer pieces than this
	onBoard   bool
	captures  int  // number of captured pieces that wins; 0 = captures do not win
	full      bool // a full board wins
}

// verdict is the result of a game, with its reason; NoReason while the game is not over.
type verdict struct {
	result Result
	reason Reason
}

func (g *Game) buildGoals() {
	for side := range 2 {
		w := g.rules.Of(side).Win
		g.goal[side] = goal{
			misere: w.Misere, pattern: newShapes(g.patterns(w.Pattern)), reach: g.region(w.Reach, side),
			count:     max(1, w.ReachCount),
			eliminate: w.Eliminate, onBoard: w.OnBoard, captures: w.Captures, full: w.Full,
		}
		if n := g.rules.Lose.Line; n > 0 {
			var windows []Window
			for _, r := range g.runs(n, w.Directions...) {
				windows = append(windows, r.window(true))
			}
			g.goal[side].loses = newShapes(windows)
		}
		if !w.Connect.IsZero() {
			g.goal[side].edges = g.edges((w.Connect == "top_bottom") == (side == First))
		}
	}
}

// edges returns the cells of two opposite edges: the first and last cell of each column or row.
func (t *topology) edges(topBottom bool) (out [2]Bits) {
	for c := range Cell(t.cells) {
		if !t.board.Has(c) {
			continue
		}
		x, y := int(c)%t.columns, int(c)/t.columns
		at, last := x, t.columns-1
		if topBottom {
			at, last = y, t.rows-1
		}
		if at == 0 {
			out[0] = out[0].With(c)
		}
		if at == last {
			out[1] = out[1].With(c)
		}
	}
	return out
}

// region returns the cells that a list of words and cells means for a side.
func (t *topology) region(words []string, side int) Bits {
	var out Bits
	for _, word := range words {
		rows, columns := t.edges(true), t.edges(false)
		switch word {
		case "far":
			out = out.Or(rows[side])
		case "near":
			out = out.Or(rows[1-side])
		case "left":
			out = out.Or(columns[0])
		case "right":
			out = out.Or(columns[1])
		default:
			if c, ok := t.cellNamed(word); ok {
				out = out.Or(t.bit[c].And(t.board))
			}
		}
	}
	return out
}

// point is the offset of a cell from another one.
type point struct{ x, y int }

// readShape parses relative cells like "0,0 1,0 1,1", or the word square.
func readShape(text string) ([]point, error) {
	if text == "square" {
		text = "0,0 1,0 0,1 1,1"
	}
	var out []point
	seen := map[point]bool{}
	for word := range strings.FieldsSeq(text) {
		var p point
		if n, err := fmt.Sscanf(word, "%d,%d", &p.x, &p.y); n < 2 || err != nil ||
			fmt.Sprintf("%d,%d", p.x, p.y) != word {
			return nil, fmt.Errorf("%q is not a relative cell: expected column,row like 1,-2", word)
		}
		if seen[p] || abs(p.x) > 10 || abs(p.y) > 10 {
			return nil, fmt.Errorf("%s is a duplicate, or more than 10 cells away", word)
		}
		seen[p] = true
		out = append(out, p)
	}
	if len(out) < 2 {
		return nil, fmt.Errorf("expected square, or two or more relative cells like \"0,0 1,0 1,1\"")
	}
	return out, nil
}

// patterns returns the shapes at all places, in all rotations and reflections: eight on squares, twelve on
// hexagons.
func (g *Game) patterns(texts []string) []Window {
	var out []Window
	for _, text := range texts {
		shape, err := readShape(text)
		if err != nil {
			continue // Validate refuses it
		}
		for range 2 {
			for range 6 {
				out = append(out, g.placed(shape)...)
				for i, p := range shape {
					if g.rules.Board.Shape == "hex" {
						shape[i] = point{-p.y, p.x + p.y} // a sixth of a turn
					} else {
						shape[i] = point{-p.y, p.x}
					}
				}
			}
			for i, p := range shape {
				shape[i] = point{p.y, p.x}
			}
		}
	}
	return out
}

// placed returns a shape at every place where it fits on the board.
func (g *Game) placed(shape []point) []Window {
	var out []Window
	for c := range Cell(g.cells) {
		w := Window{}
		for _, p := range shape {
			if n := g.at(c, p.x-shape[0].x, p.y-shape[0].y); g.board.Has(c) && n != NoCell {
				w.Cells = w.Cells.With(n)
			}
		}
		if w.Cells.Count() == len(shape) {
			out = append(out, w)
		}
	}
	return out
}

// connects reports whether a chain of pieces joins two edges. If the cell is not NoCell, the chain must contain it.
func (g *Game) connects(b Bits, edges *[2]Bits, through Cell) bool {
	group := b.And(edges[0])
	if through != NoCell {
		group = g.bit[through].And(b) // the piece may have left by its age
	}
	for fresh := group; !fresh.Empty(); {
		c := fresh.First()
		fresh = fresh.Rest()
		more := g.neighbours[c].And(b).AndNot(group)
		group, fresh = group.Or(more), fresh.Or(more)
	}
	return !group.And(edges[0]).Empty() && !group.And(edges[1]).Empty()
}

// verdict returns how the game ends by the goals of both sides after a ply of side. Arrived is the changed cell, or
// NoCell if several cells have changed.
func (s *State) verdict(side int, arrived Cell) verdict {
	g := s.g
	if g.shared || g.chosen { // what lies on the board may be anybody's goal: the mover's comes first
		for _, of := range [2]int{side, 1 - side} {
			if v := s.made(of, First, arrived); v.reason != NoReason {
				return v
			}
			if v := s.made(of, Second, arrived); g.chosen && v.reason != NoReason {
				return v
			}
		}
		return verdict{}
	}
	if v := s.made(side, side, arrived); v.reason != NoReason && v.reason != ByLosingLine {
		return v
	} else if s.eliminated(1 - side) {
		return verdict{Winner(side), ByElimination}
	} else if s.eliminated(side) {
		return verdict{Winner(1 - side), ByElimination}
	} else {
		return v
	}
}

// made returns the goal that a side has completed with pieces of one colour.
func (s *State) made(side, colour int, arrived Cell) verdict {
	g := s.g
	t, own := &g.goal[side&1], s.pieces[colour&1]
	why := NoReason
	switch {
	case g.line.has(side, own, arrived):
		why = ByLine
	case t.pattern.held(own, arrived):
		why = ByPattern
	case !t.edges[0].Empty() && g.connects(own, &t.edges, arrived):
		why = ByConnection
	case !t.reach.Empty() && own.And(t.reach).Count() >= t.count:
		why = ByReach
	case t.captures > 0 && int(s.captures[side&1]) >= t.captures:
		return verdict{Winner(side), ByCaptures}
	case t.loses.held(own, arrived):
		return verdict{Winner(1 - side), ByLosingLine}
	default:
		return verdict{}
	}
	if t.misere {
		side = 1 - side
	}
	return verdict{Winner(side), why}
}

// eliminated reports whether a side has too few pieces left.
func (s *State) eliminated(side int) bool {
	t := &s.g.goal[1-side]
	n := s.pieces[side&1].Count()
	if t.eliminate == 0 || t.onBoard && s.phase == phaseDeploy {
		return false
	}
	if !t.onBoard {
		n += int(s.hand[side&1])
	}
	return n < t.eliminate
}

// validateGoals returns an error for goals that the opponents' rules make impossible, and for goals by which a
// side has lost at the start.
func validateGoals(r *Rules, enemies []int, refuse func(bool, string, string, ...any)) {
	g := &Game{topology: newTopology(r.Board), rules: *r}
	w := &r.Win
	for i, text := range w.Pattern {
		path := fmt.Sprintf("win.pattern[%d]", i)
		_, err := readShape(text)
		refuse(err != nil, path, "%v", err)
		refuse(err == nil && len(g.patterns([]string{text})) == 0, path, "the pattern fits nowhere on the board")
	}
	refuse(
		len(w.Pattern) > 0 && g.drawn != nil,
		"win.pattern",
		"patterns are shapes of a grid: leave board.lines out, or use win.line",
	)
	edges := g.edges(true)
	sides := g.edges(false)
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
			!(g.connects(g.board, &edges, NoCell) && g.connects(g.board, &sides, NoCell)),
		"win.connect",
		"no chain of neighbours leads from side to side: board.missing or board.lines cut the board in two",
	)
	cells := func(words []string) int { // the fewest that one of the players has to reach
		fewest := MaxCells
		for _, enemy := range enemies {
			fewest = min(fewest, g.region(words, 1-enemy).Count())
		}
		return fewest
	}
	for i := range w.Reach {
		refuse(
			cells(w.Reach[i:i+1]) == 0,
			fmt.Sprintf("win.reach[%d]", i),
			"%q names no cell of the board: expected far, near, left, right or a cell from a1 to %s",
			w.Reach[i],
			g.lastName(),
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
	for n := 2; n <= MaxSide && len(g.runs(n, w.Directions...)) > 0; n++ {
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
		n, hand := g.setup(r.Setup)[enemy].Count(), r.Of(enemy).Pieces.Supply
		if w.OnBoard && hand > 0 {
			continue // examined later
		}
		refuse(
			w.Eliminate > 0 && n+hand < w.Eliminate,
			"win.eliminate",
			"%c begins with %d pieces, fewer than %d",
			letters[enemy],
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
	second := r.Of(Second)
	return r.Movement.takes() || second.Movement.takes() || r.Surround.Threshold > 0 || r.Pieces.Cap > 0 ||
		!r.Custodian.Effect.IsZero() ||
		r.Mill.Line > 0
}

// Edges returns the two sets of cells that a side must connect to win. They are empty if connecting is not its goal.
func (g *Game) Edges(side int) [2]Bits { return g.goal[side].edges }
