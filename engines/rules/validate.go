package rules

import (
	"fmt"
	"slices"
	"strings"

	"spar/configs/plain"
	"spar/engines/grid"
)

// Problem is a combination of knobs that is not allowed, with the key path of the knob to change.
type Problem struct {
	Path    string
	Message string
}

// causes lists the key paths that can have caused a problem. If the value of one of them could not be read, the
// problem is not reported.
func (p Problem) causes() []string {
	path, _, _ := strings.Cut(p.Path, "[")
	out := []string{p.Path}
	for _, k := range knobs() {
		if k.path == path || strings.HasPrefix(k.path, path+".") { // of a knob, or of a section
			out = append(out, strings.Fields(k.needs)...)
		}
	}
	return out
}

// Problems is a list of all mistakes in a set of rules.
type Problems []Problem

// BadInput always returns true: see strict.IsBadInput.
func (Problems) BadInput() bool { return true }

func (ps Problems) Error() string {
	var b strings.Builder
	for i, p := range ps {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s", p.Path, p.Message)
	}
	return b.String()
}

// Validate returns every combination of knobs that is not allowed. Values must be within the ranges that the tags
// of Rules state, which is checked when a file is read.
func Validate(r *Rules) Problems {
	var ps Problems
	refuse := func(bad bool, path, format string, args ...any) {
		if bad {
			ps = append(ps, Problem{path, fmt.Sprintf(format, args...)})
		}
	}
	refuse(strings.ContainsAny(r.Name, `/\`) || r.Name == "." || r.Name == "..", "name",
		"name %q: files are named after it, so it cannot be a path", r.Name)
	why := plain.Formula(r.Name)
	refuse(why != "", "name", "%s", why)
	validateSides(r, refuse)
	if len(ps) > 0 {
		return ps
	}
	columns, rows := r.Board.Columns, r.Board.Rows
	refuse(columns < 1 || columns > grid.MaxSide, "board.columns", "%d columns: expected 1 to %d", columns,
		grid.MaxSide)
	refuse(rows < 1 || rows > grid.MaxSide, "board.rows", "%d rows: expected 1 to %d", rows, grid.MaxSide)
	refuse(len(ps) == 0 && columns*rows == 1, "board.rows", "the board has 1 cell: expected at least 2")
	refuse(len(ps) == 0 && columns*rows > grid.MaxCells, "board.rows", "the board has %d cells: expected at most %d",
		columns*rows,
		grid.MaxCells)
	if len(ps) > 0 {
		return ps
	}
	validateBoard(r, refuse)
	if len(ps) > 0 {
		return ps
	}
	cells := grid.New(r.Board).Board.Count()
	wrapX, wrapY := r.Board.Joined()
	refuse(wrapX && columns < 3 || wrapY && rows < 3, "board.wrap",
		"a wrapped direction needs at least 3 cells; the board is %dx%d", columns, rows)
	validateJumps(r, refuse)

	halves := r.Territory == "halves"
	refuse(halves && rows == 1, "territory", "a board of one row has no halves: expected at least 2 rows")
	needsHalves := func(region, path string) {
		refuse(!halves && (strings.Contains(region, "home") || region == "enemy"), path, "%q needs territory: halves", region)
	}
	needsHalves(r.Placement.Region, "placement.region")
	needsHalves(r.Win.Region, "win.region")
	plies := 0
	for i, stage := range r.Placement.Opening {
		needsHalves(stage.Region, fmt.Sprintf("placement.opening[%d].region", i))
		plies += stage.Plies
	}
	refuse(plies > 60, "placement.opening", "the stages have %d plies in total: expected at most 60", plies)

	if g := r.Placement.Gravity; g {
		refuse(wrapY, "placement.gravity",
			"a column of a board that wraps from bottom to top has no lowest cell; set board.wrap: none or columns")
		refuse(r.Placement.Region != "anywhere" || len(r.Placement.Opening) > 0, "placement.gravity",
			"a falling piece cannot be limited to a region: remove placement.region and placement.opening")
		refuse(r.Pieces.ReuseVacated, "placement.gravity", "pieces.reuse_vacated has no meaning where pieces fall")
	}
	hands := r.Pieces.Supply + r.Of(grid.Second).Pieces.Supply
	refuse(hands > cells, "pieces.supply",
		"the players have %d pieces in hand in total, but the board has %d cells: use smaller supplies", hands, cells)
	validatePieces(r, halves, refuse)

	validateMovements(r, refuse)
	validateKinds(r, refuse)
	validateCaptures(r, refuse)

	refuse(r.Surround.Cascade && r.Surround.Threshold == 0, "surround.cascade", "this key needs surround.threshold")

	validateLine(r, refuse)
	enemies := []int{grid.Second, grid.First}
	if r.Second != nil && r.Second.Win != nil {
		enemies = enemies[:1]
	}
	validateGoals(r, enemies, refuse)
	ps = append(ps, validateSecond(r)...)
	second := r.Of(grid.Second)
	refuse(!r.HasGoal() && !second.HasGoal() && r.NoMoves != "loss" && r.NoMoves != "win", "win",
		"no way to win; set win.line, win.majority, another goal, or no_moves: loss")
	refuse(r.Draw.Repetition == 1, "draw.repetition",
		"the starting position would be a draw: expected 0 (off), or at least 2")
	refuse(r.Draw.Repetition > 0 && r.Draw.RepeatWinner() != NoSide && r.Turn.Pie.On(), "draw.repeated",
		"a swap would give the win to the other player; use draw.repeated: mover_loses, or remove turn.pie")
	if r.NoMoves == "pass" {
		refuse(r.Turn.Pie.On(), "no_moves", "pass cannot be combined with the pie rule")
	}
	refuse(!slices.Contains([]Choice{"", NoPie, PieStones, PieSeats}, r.Turn.Pie), "turn.pie",
		"%q: expected true, false or seats", string(r.Turn.Pie))
	refuse(!slices.Contains([]Choice{"", "false", "true", "must"}, r.Movement.MultiJump), "movement.multi_jump",
		"%q: expected true, false or must", string(r.Movement.MultiJump))
	refuse(!slices.Contains([]Choice{"", "false", "true", "most"}, r.Movement.ForcedCapture), "movement.forced_capture",
		"%q: expected true, false or most", string(r.Movement.ForcedCapture))
	refuse(
		r.Turn.Pie == PieStones && r.Moves() && r.Pieces.Supply == 0 && !r.Mechanics().Any(PieceMechanics()),
		"turn.pie",
		"the first turn places no piece, so the second player cannot take one over; use pie: seats, which exchanges sides",
	)
	if len(ps) == 0 {
		validateEnough(r, refuse)
	}
	return ps
}

// validateJumps returns errors about jumps that could lead to one cell over two different cells.
func validateJumps(r *Rules, refuse refuser) {
	columns := r.Board.Columns
	rows := r.Board.Rows
	wrapX, wrapY := r.Board.Joined()
	short := wrapX && columns < 5 || wrapY && rows < 5
	jumps := r.AnyKind(func(m *Movement) bool { return m.Capture })
	refuse(
		jumps && short,
		"movement.capture",
		"jumps on a wrapped board need at least 5 cells in each wrapped direction, or two jumps would land on the same "+
			"cell; the board is %dx%d",
		columns,
		rows,
	)
	if !jumps || len(r.Board.Lines) == 0 {
		return
	}
	t := grid.New(r.Board)
	for c := range grid.Cell(t.Cells) {
		by := map[grid.Cell]grid.Cell{}
		for d := range t.To {
			over, to, _ := t.Behind(c, d)
			other, known := by[to]
			if refuse(to != grid.NoCell && known, "movement.capture",
				"two jumps lead from %s to %s, over %s and over %s: draw the lines so that only one does", t.NameOf(c),
				t.NameOf(to), t.NameOf(other), t.NameOf(over)); over != grid.NoCell {
				by[to] = over
			}
		}
	}
}

// validateLine returns errors about lines that do not fit on the board.
func validateLine(r *Rules, refuse refuser) {
	length := r.Win.Line
	if longest := longestLine(r, length); length > longest {
		refuse(true, "win.line", "a line of %d does not fit: the longest on this board%s%s is %d", length,
			plain.If(r.Win.Region == "enemy", " within a home", ""), r.Win.along(), longest)
	}
	refuse(len(r.Win.Directions) > 0 && len(r.Board.Lines) > 0, "win.directions",
		"board.lines states the lines of this board: remove win.directions")
	refuse(length < 0, "win.line", "%d: expected 2 or more, or 0 for none", length)
	refuse(length == 1, "win.line", "the first ply would complete a line of 1: expected 2 or more, or 0 for none")
	refuse(r.Win.Region == "enemy" && length == 0, "win.region", "this key needs win.line")
}

func validatePieces(r *Rules, halves bool, refuse refuser) {
	length := r.Win.Line
	p := &r.Pieces
	if halves && r.Placement.Region != "anywhere" {
		supplyFits := r.Board.Rows / 2 * r.Board.Columns
		where := "the cells of a side's home"
		if r.Movement.takes() && r.Movement.Captured == "return" {
			supplyFits /= 2
			where = "half the cells of a side's home, so that a returning piece finds a free cell"
		}
		refuse(p.Supply > supplyFits, "pieces.supply", "a supply of %d is too large: at most %d (%s)", p.Supply, supplyFits,
			where)
	}
	refuse(p.Supply > 0 && p.Supply < length, "pieces.supply", "%d pieces cannot make a line of %d", p.Supply,
		length)
	need := length
	if p.Removal == "after_win" {
		need--
	}
	refuse(p.Cap > 0 && p.Cap < need, "pieces.cap",
		"with a cap of %d and removal: %s, a line of %d can never exist; expected a cap of at least %d", p.Cap, p.Removal,
		length, need)
	refuse(p.Cap > 0 && r.Win.Majority && length == 0, "pieces.cap",
		"the board never fills under a cap, so win.majority never decides: set win.line")
	refuse(p.ReuseVacated && p.Cap == 0, "pieces.reuse_vacated",
		"this key needs pieces.cap, because only a cap makes pieces leave")
	refuse(p.ReuseVacated && p.Removal == "after_win", "pieces.reuse_vacated",
		"with removal: after_win, the oldest piece is still on its cell when the new one is placed; set removal: before_win")
}

// longestLine returns the length of the longest winning line that fits on the board, or enough if that is smaller.
func longestLine(r *Rules, enough int) int {
	t, home := grid.New(r.Board), [2]grid.Bits{}
	if r.Territory == "halves" {
		home = t.Half
	}
	fits := func(n int) bool {
		fits := [2]bool{}
		for side := range 2 {
			for _, line := range t.Runs(n, r.Win.Directions...) {
				fits[side] = fits[side] || r.Win.Region != "enemy" || home[1-side].Contains(line.Window(true).Cells)
			}
		}
		return fits[0] && fits[1]
	}
	if enough < 1 || enough <= grid.MaxSide && fits(enough) {
		return enough
	}
	best := 0
	for best < grid.MaxSide && fits(best+1) {
		best++
	}
	return best
}
