package engines

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
)

// Sides of a game; a side is also the index of its tables.
const (
	First  = 0 // X
	Second = 1 // O
)

// direction is a unit step on the board; the opposite of direction d is d^4.
type direction struct{ dx, dy int }

// directions lists the eight in the order E, SE, S, SW, W, NW, N, NE.
func directions() [8]direction {
	return [8]direction{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}
}

// Game is a set of rules compiled to tables. It is immutable and safe for any number of goroutines.
type Game struct {
	rules         Rules
	columns, rows int
	cells         int
	board         Bits           // every cell
	order         [128]Cell      // every cell, in order
	bit           [128]Bits      // the set of one cell
	to            [8][128]Cell   // neighbour in a direction, NoCell beyond the edge
	neighbours    [128]Bits      // the up to eight neighbours
	stepTo        [MaxCells]Bits // the neighbours that a step may reach
	shifts        [8][]shiftPart // moves a whole set of cells one step in a direction
	hops          [8]hop         // the same on a flat board of at most 64 cells
	flat          bool           // such a board
	doubled       bool           // so small a torus that two directions lead to the same neighbour
	stepDir       [8]bool        // directions that a step may take

	home    [2]Bits   // a side's home; empty without territory
	zone    [2]Bits   // where a side places after the opening
	opening [2][]Bits // where a side places at ply i of the opening
	column  []Bits    // the cells of each column, for gravity

	line  lineTables
	keys  [2][128]uint64 // Zobrist keys
	power [128]uint64    // powers of the odd base of the rolling hash of ages

	// Knobs that the hot path asks for.
	gravity    bool
	noHoles    bool // gravity, and nothing ever leaves the board
	fifo       bool // pieces have ages
	cap        int
	afterWin   bool
	removeFrom int32
	reuse      bool
	supply     int
	steps      bool
	capture    bool
	multiJump  bool
	forced     bool
	returns    bool // a jumped piece returns to its owner's hand
	threshold  int
	convert    bool
	majority   bool
	fullDraw   bool
	maxPlies   int32
	repetition int
	settled    int32 // from this ply on the rules no longer depend on the ply number, the ply cap apart
	plain      bool  // a placement is all that a ply can be: no ages, hands, surround capture, pie, or turns of several plies
	pie        bool
	placements uint8
	anywhere   bool // an empty cell is a legal placement, after the opening
	fullEnds   bool // after the opening only a full board leaves nothing to place on, and it ends the game

	symmetries [][]Cell
	hash       string // see RulesHash
	mirror     []Cell // top to bottom
}

// shiftPart moves the cells of Mask by Left or by Right places; a direction of a wrapped board has several parts.
type shiftPart struct {
	mask        Bits
	left, right uint
}

// hop is a shiftPart in one word.
type hop struct {
	mask        uint64
	left, right uint8
}

func (h *hop) shift(b uint64) uint64 { return (b & h.mask) << (h.left & 63) >> (h.right & 63) }

// Compile checks the rules and builds the game. The error lists everything that is wrong, by key path.
func Compile(r Rules) (*Game, error) {
	if problems := Validate(&r); len(problems) > 0 {
		return nil, problems
	}
	return compile(r), nil
}

// compile builds the game of rules that are known to be valid.
func compile(r Rules) *Game {
	g := &Game{
		rules: r, columns: r.Board.Columns, rows: r.Board.Rows, cells: r.Board.Columns * r.Board.Rows,
		gravity: r.Placement.Gravity,
		fifo:    r.Pieces.Cap > 0, cap: r.Pieces.Cap, afterWin: r.Pieces.Removal == "after_win",
		removeFrom: int32(r.Pieces.RemovalFromPly), reuse: r.Pieces.ReuseVacated && r.Pieces.Cap > 0,
		supply: r.Pieces.Supply, steps: r.Movement.Steps != "none", capture: r.Movement.Capture,
		multiJump: r.Movement.Capture && r.Movement.MultiJump, forced: r.Movement.Capture && r.Movement.ForcedCapture,
		returns: r.Movement.Captured == "return", threshold: r.Surround.Threshold, convert: r.Surround.Effect == "convert",
		majority: r.Win.Majority, fullDraw: r.Draw.FullBoard, maxPlies: int32(r.Draw.MaxPlies), repetition: r.Draw.Repetition,
		pie: r.Turn.Pie, placements: uint8(r.Turn.Placements),
	}
	g.noHoles = g.gravity && !g.fifo && (g.threshold == 0 || g.convert)
	g.plain = !g.fifo && g.supply == 0 && g.threshold == 0 && g.placements == 1 && r.Turn.FirstTurn == 1 && !g.pie
	g.settled = 1
	if g.fifo {
		g.settled = max(g.settled, g.removeFrom)
	}
	for c := range g.cells {
		g.bit[c], g.order[c] = Bits{}.With(Cell(c)), Cell(c)
		g.board = g.board.Or(g.bit[c])
	}
	g.buildGeometry()
	g.buildRegions()
	g.line = g.buildLines()
	g.buildKeys()
	g.symmetries = g.findSymmetries()
	g.hash = r.hash()
	return g
}

func (g *Game) buildGeometry() {
	wrapX := g.rules.Board.Wrap == "columns" || g.rules.Board.Wrap == "torus"
	wrapY := g.rules.Board.Wrap == "rows" || g.rules.Board.Wrap == "torus"
	for d, dir := range directions() {
		orthogonal := dir.dx == 0 || dir.dy == 0
		switch g.rules.Movement.Steps {
		case "king":
			g.stepDir[d] = true
		case "rook":
			g.stepDir[d] = orthogonal
		case "bishop":
			g.stepDir[d] = !orthogonal
		}
		for i := range g.to[d] {
			g.to[d][i] = NoCell
		}
		parts := map[int]Bits{}
		for c := range g.cells {
			x, y := c%g.columns+dir.dx, c/g.columns+dir.dy
			if wrapX {
				x = (x + g.columns) % g.columns
			}
			if wrapY {
				y = (y + g.rows) % g.rows
			}
			if x < 0 || y < 0 || x >= g.columns || y >= g.rows {
				continue
			}
			n := Cell(y*g.columns + x)
			g.to[d][c] = n
			g.doubled = g.doubled || g.neighbours[c].Has(n)
			g.neighbours[c] = g.neighbours[c].Or(g.bit[n])
			if g.stepDir[d] {
				g.stepTo[c] = g.stepTo[c].Or(g.bit[n])
			}
			parts[int(n)-c] = parts[int(n)-c].Or(g.bit[c])
		}
		for by := -g.cells; by <= g.cells; by++ { // in a fixed order, so that a Game is the same every time
			mask, ok := parts[by]
			switch {
			case ok && by >= 0:
				g.shifts[d] = append(g.shifts[d], shiftPart{mask: mask, left: uint(by)})
			case ok:
				g.shifts[d] = append(g.shifts[d], shiftPart{mask: mask, right: uint(-by)})
			}
		}
	}
	if g.flat = g.cells <= 64 && !wrapX && !wrapY; g.flat {
		for d := range g.hops {
			for _, p := range g.shifts[d] { // the only part
				g.hops[d] = hop{p.mask.Lo, uint8(p.left), uint8(p.right)}
			}
		}
	}
	g.mirror = make([]Cell, g.cells)
	g.column = make([]Bits, g.columns)
	for c := range g.cells {
		x, y := c%g.columns, c/g.columns
		g.mirror[c] = Cell((g.rows-1-y)*g.columns + x)
		g.column[x] = g.column[x].Or(g.bit[c])
	}
}

func (g *Game) buildRegions() {
	if g.rules.Territory == "halves" {
		for c := range g.cells {
			y := c / g.columns
			if y < g.rows/2 {
				g.home[Second] = g.home[Second].Or(g.bit[c])
			}
			if y >= g.rows-g.rows/2 {
				g.home[First] = g.home[First].Or(g.bit[c])
			}
		}
	}
	region := func(name string, side int) Bits {
		switch name {
		case "home":
			return g.home[side]
		case "enemy":
			return g.home[1-side]
		case "first_home":
			return g.home[First]
		case "second_home":
			return g.home[Second]
		}
		return g.board
	}
	for side := range 2 {
		g.zone[side] = region(g.rules.Placement.Region, side)
		for _, stage := range g.rules.Placement.Opening {
			for range stage.Plies {
				g.opening[side] = append(g.opening[side], region(stage.Region, side))
			}
		}
	}
	g.settled = max(g.settled, int32(len(g.opening[0])))
	everywhere := g.zone[0] == g.board && g.zone[1] == g.board
	g.anywhere = everywhere && !g.gravity
	g.fullEnds = everywhere && (g.fullDraw || g.majority)
}

// buildKeys draws the hash keys from a fixed seed: hashes are the same in every run and on every machine.
func (g *Game) buildKeys() {
	src := rand.NewPCG(0x5aa7, 0x1dea)
	base := src.Uint64() | 1
	for i := range g.power {
		g.keys[First][i], g.keys[Second][i] = src.Uint64(), src.Uint64()
		g.power[i] = 1
		if i > 0 {
			g.power[i] = g.power[i-1] * base
		}
	}
}

// shift moves every cell of b one step in direction d; what leaves the board is lost.
func (g *Game) shift(b Bits, d int) Bits {
	var out Bits
	for i := range g.shifts[d] {
		p := &g.shifts[d][i]
		m := b.And(p.mask)
		if p.left > 0 {
			m = m.shl(p.left)
		} else {
			m = m.shr(p.right)
		}
		out = out.Or(m)
	}
	return out
}

// Rules returns the rules that the game was compiled from.
func (g *Game) Rules() Rules { return g.rules }

// Name returns the name of the rules.
func (g *Game) Name() string { return g.rules.Name }

// Columns is the number of columns.
func (g *Game) Columns() int { return g.columns }

// Rows is the number of rows.
func (g *Game) Rows() int { return g.rows }

// MayNotEnd tells whether a game can go on for ever: pieces leave or move, and neither repetition nor a number of plies ends it.
func (g *Game) MayNotEnd() bool {
	leave := g.fifo || g.rules.Movement.Steps != "none" || g.capture || g.threshold > 0 && !g.convert
	return leave && g.repetition == 0 && g.maxPlies == 0
}

// Cells is the number of cells.
func (g *Game) Cells() int { return g.cells }

// Home returns a side's home, empty without territory.
func (g *Game) Home(side int) Bits { return g.home[side] }

// Neighbours returns the up to eight neighbours of a cell.
func (g *Game) Neighbours(c Cell) Bits { return g.neighbours[c] }

// Canonical returns the rules as one line of JSON with every knob stated: what a record stores.
func (r Rules) Canonical() string {
	text, err := json.Marshal(r)
	if err != nil {
		return err.Error() // cannot happen: the type holds only texts, numbers and switches
	}
	return string(text)
}

// RulesHash returns 16 hex digits that name the way of playing: the rules without their name and title.
func (g *Game) RulesHash() string { return g.hash }

func (r Rules) hash() string {
	r.Name, r.Title = "", ""
	sum := sha256.Sum256([]byte(r.Canonical()))
	return hex.EncodeToString(sum[:8])
}
