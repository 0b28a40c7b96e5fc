package engines

import (
	"cmp"
	"math"
	"math/rand/v2"

	"spar/engines/grid"
	"spar/engines/rules"
)

// Game is a set of rules that has been compiled to tables. It does not change, so any number of goroutines may use
// it.
type Game struct {
	grid    grid.Grid
	rules   Rules
	uses    rules.Mechanics
	home    [2]Bits // home region of each side; empty without territory
	aims    [2]Aim
	zone    [2]Bits   // cells on which a side places after the opening
	opening [2][]Bits // region of each side's placements, for each ply of the opening

	line      Lines
	goal      [2]goal  // for each side, goals other than lines, and what makes it lose
	linesLose bool     // some lines lose
	madeOnly  bool     // a goal ends the game only by what the mover has made of its own pieces
	takes     bool     // a side loses without a kind of piece
	stuckPass bool     // a side without a legal action passes; games with kinds may end by mate
	kinds     *kinds   // kinds of pieces; nil for rules without them
	mover     [2]mover // how pieces move, for the general path
	image     []Cell   // for each cell, the cell as which the other side sees it: see swapImage

	custodian uint8 // directions in which pieces are captured by enclosing, as bits
	encloser  *Encloser
	enclosed  int // maximum number of pieces in an enclosed run; 0 = no limit
	flips     bool
	must      bool    // a placement must capture by enclosing
	mill      *shapes // lines whose completion allows a player to take an enemy piece
	removals  []removal
	shared    bool                 // both players place X
	chosen    bool                 // the player chooses which piece to place
	keys      [2][CellSpace]uint64 // Zobrist keys of pieces, by side and cell
	power     [CellSpace]uint64    // powers of the odd base of the rolling hash of ages
	stepDir   [8]bool              // directions in which pieces can step
	stepTo    [grid.MaxCells]Bits  // for each cell, the neighbours that a step can reach

	// from here on: copies of knobs that are read for every move
	gravity    bool
	fifo       bool // pieces have ages
	extra      bool // states have more than their plain part: ages or kinds of pieces
	cap        int
	afterWin   bool
	removeFrom int32
	reuse      bool
	supply     int
	hands      bool // players can have pieces in hand
	moves      bool // pieces can move
	steps      bool
	capture    bool
	multiJump  bool
	forced     bool
	returns    bool // a jumped piece returns to its owner's hand
	threshold  int
	convert    bool
	majority   bool
	komi       int // pieces added to the second player's count
	fullDraw   bool
	endsFull   bool // a full board ends the game
	maxPlies   int32
	maxQuiet   uint16 // draw.quiet
	cappedFrom int32  // number of plies from which draw.quiet or the ply cap may end the game
	repetition int
	apart      bool  // a side moves when its own hand is empty
	quietFrom  int32 // for quietFor plies from this ply on, only a line can end a game on the plain path
	quietFor   uint32
	timeless   int32 // ply from which the rules depend on the ply number only through the ply cap
	pie        bool
	perTurn    uint8    // number of placements in a turn
	firstTurn  [2]uint8 // number of placements in each side's first turn
	tellsBegun bool     // the legal moves depend on whether the first turn is over

	unseen bool  // after a swap, a line can exist that counts only after the next placement of its new owner
	others *Game // the same game with the players' sides exchanged; nil without turn.pie seats
	// the players have exchanged sides: the tables of First are those of the player who was second at the start
	traded  bool
	general bool // the rules have mechanics outside plainPath
	shortcuts
	symmetries [][]Cell
	hash       string // the result of RulesHash
}

// shortcuts are the fast paths that can be used for the rules. Each depends on the mechanics that the path
// handles.
type shortcuts struct {
	// every ply is a placement: no ages, hands, surround capture, pie, or turns of several plies
	plain        bool
	listsFree    bool // the legal moves after the opening are the free cells
	placesOnly   bool // the only moves are placements, the swap and passes
	anywhere     bool // after the opening, a placement on any empty cell is legal
	linesOnly    bool // pieces stay on the board, only lines win or lose, and a full board is a draw
	fullEnds     bool // after the opening, a side has no placement only if the board is full, which ends the game
	noHoles      bool // pieces fall, and no piece ever leaves the board
	completes    bool // a piece placed on a cell that completes a line wins
	avoids       bool // a piece placed on a cell that completes a line loses, at least for one side
	lineDeltas   bool // a placement changes only the lines through its cell
	aroundDeltas bool // a placement changes only the neighbourhoods of its cell and of the cells that it converts
	boxCounts    bool // neighbours can be counted for all cells at once
	settles      bool // pieces fall where others leave
}

func (g *Game) takeShortcuts() {
	plain := rules.MechanicsOf(rules.AnyWhere(), rules.Falling, rules.AnyLines(), rules.BoardEnds(), rules.StuckEnds())
	surrounds := rules.AnySurrounds()
	ages := rules.MechanicsOf(rules.AnyAges(), rules.Reuse)
	everywhere := rules.Plain().Without(rules.PlaceRegions)
	anywhere := everywhere.Without(rules.Falling, rules.Reuse)
	u := g.uses
	g.settles = u.Has(rules.Settles)
	g.plain = u.Only(plain)
	g.anywhere = u.Only(anywhere)
	g.fullEnds = u.Only(everywhere) && u.Any(rules.FullBoards, rules.Majorities)
	g.listsFree = g.plain && g.anywhere && g.fullEnds
	g.linesOnly = u.Only(linesDecide()) && u.Any(rules.Lines, rules.LosingLines) && u.Has(rules.FullBoards)
	g.placesOnly = u.Only(plain, rules.AnyTurns(), rules.Pie, ages, surrounds)
	g.noHoles = g.gravity && u.Only(plain, rules.AnyTurns(), rules.Pie, rules.Surrounds, rules.Cascades)
	// Captures may make a line too long, or push its pieces out by their age.
	shortened := rules.MechanicsOf(plain.Without(rules.ExactLines), rules.AnyTurns(), rules.Pie, rules.AnyMoves(), surrounds)
	unequal := rules.MechanicsOf(plain, rules.AnyTurns(), rules.Unequal, rules.SecondTurns)
	g.avoids = u.Only(unequal, rules.Misere) && u.Has(rules.Misere)
	g.completes = u.Only(plain, rules.AnyTurns(), rules.Pie, ages, rules.AnyMoves()) || u.Only(shortened) ||
		u.Only(unequal) || u.Only(shortened, ages) && u.Any(rules.Removes, rules.LeaveAfterWin)
	g.lineDeltas = g.fullEnds && u.Only(placesPlainly()) && u.Has(rules.Lines)
	g.boxCounts = g.grid.Boxed && u.Only(everywhere, rules.PlaceRegions)
	g.aroundDeltas = g.boxCounts && g.fullEnds && u.Only(placesSurrounding()) && u.Has(rules.Surrounds)
}

// Compile checks the rules and builds the game. The error lists all mistakes by key path.
func Compile(r Rules) (*Game, error) {
	if problems := Validate(&r); len(problems) > 0 {
		return nil, problems
	}
	return compile(r), nil
}

// Endless returns the game without its clock, repetition rule and ply cap, so that play may never end. Its rules still
// state the result of a repetition.
func (g *Game) Endless() *Game {
	r := g.rules
	if r.Draw.Repetition == 0 {
		r.Draw.Repeated = "draw"
	}
	r.Draw.Repetition = 0
	r.Draw.MaxPlies = 0
	r.Clock = rules.Clock{}
	return compile(r)
}

// WithoutPie returns the game without its pie rule.
func (g *Game) WithoutPie() *Game {
	r := g.rules
	r.Turn.Pie = rules.NoPie
	return compile(r)
}

// compile builds the game from valid rules.
func compile(r Rules) *Game {
	g := &Game{
		grid:       grid.New(r.Board),
		rules:      r,
		uses:       r.Mechanics(),
		gravity:    r.Placement.Gravity,
		fifo:       r.Ages(),
		cap:        r.Pieces.Cap,
		afterWin:   r.Pieces.Removal == "after_win",
		removeFrom: int32(r.Pieces.RemovalFromPly),
		reuse:      r.Pieces.ReuseVacated && r.Ages(),
		supply:     r.Pieces.Supply,
		steps:      r.Movement.Steps != "none",
		capture:    r.Movement.Capture,
		multiJump:  r.Movement.Capture && r.Movement.MultiJump.On(),
		forced:     r.Movement.Capture && r.Movement.ForcedCapture.On(),
		returns:    r.Movement.Captured == "return",
		threshold:  r.Surround.Threshold,
		convert:    r.Surround.Effect == "convert",
		majority:   r.Win.Majority,
		komi:       r.Win.Komi,
		fullDraw:   r.Draw.FullBoard,
		maxPlies:   int32(r.Draw.MaxPlies),
		maxQuiet:   uint16(r.Draw.Quiet),
		repetition: r.Draw.Repetition,
		pie:        r.Turn.Pie.On(),
		perTurn:    uint8(r.Turn.Placements),
	}
	second := r.Of(Second)
	g.firstTurn = [2]uint8{uint8(r.FirstTurn(First)), uint8(r.FirstTurn(Second))}
	if g.maxQuiet == 0 {
		g.cappedFrom = cmp.Or(g.maxPlies, math.MaxInt32)
	}
	g.moves = r.Moves()
	g.supply = max(r.Pieces.Supply, second.Pieces.Supply)
	g.apart = r.MovesApart()
	g.tellsBegun = g.pie || g.firstTurn[Second] != g.perTurn && !(g.moves && g.supply == 0) // turns of moves are of one move
	g.hands = g.supply > 0 || g.uses.Has(rules.Returns)
	if g.uses.Any(rules.PieceMechanics()) {
		g.multiJump = r.Movement.MultiJump.On()
	}
	g.multiJump = g.multiJump || second.Movement.Capture && second.Movement.MultiJump.On()
	g.general = !g.uses.Only(rules.Plain(), rules.RepeatWins, rules.AnyBoard().Without(rules.Adjacency))
	if g.timeless = 1; g.uses.Has(rules.Setups) {
		g.timeless = 0 // the start may come back
	}
	if g.fifo {
		g.timeless = max(g.timeless, g.removeFrom)
	}
	g.buildRegions()
	g.timeless = max(g.timeless, int32(len(g.opening[0])))
	g.takeShortcuts()
	if g.quietFrom = int32(len(g.opening[0])); g.fullEnds {
		last := int32(g.grid.Cells)
		if g.maxPlies > 0 {
			last = min(last, g.maxPlies)
		}
		g.quietFor = uint32(max(0, last-g.quietFrom))
	}
	g.line = g.buildLines()
	g.buildGoals()
	g.endsFull = g.majority || g.fullDraw || g.goal[First].full || g.goal[Second].full
	g.buildMovers()
	g.buildCaptures()
	g.image = g.swapImage()
	g.unseen = r.Turn.Pie == rules.PieStones && !g.takesLines(g.image, First, Second)
	g.buildSteps()
	g.buildKeys()
	g.buildKinds()
	g.buildAims()
	g.stuckPass = g.kinds == nil && g.StuckEnd(First) == Ongoing
	if g.extra = g.fifo || g.kinds != nil; g.kinds != nil {
		g.image = g.kindsImage()
	}
	g.symmetries = g.findSymmetries(true)
	g.hash = r.Hash()
	if r.Turn.Pie == rules.PieSeats {
		g.buildOthers()
	}
	return g
}

// buildSteps finds the cells that a step may reach from each cell.
func (g *Game) buildSteps() {
	for d, dir := range grid.Directions() {
		orthogonal := dir.Dx == 0 || dir.Dy == 0
		switch g.rules.Movement.Steps {
		case "king":
			g.stepDir[d] = true
		case "rook":
			g.stepDir[d] = orthogonal
		case "bishop":
			g.stepDir[d] = !orthogonal
		}
		for c := range g.grid.Cells {
			if n := g.grid.To[d][c]; g.stepDir[d] && n != NoCell {
				g.stepTo[c] = g.stepTo[c].Or(g.grid.Bit[n])
			}
		}
	}
}

func (g *Game) buildRegions() {
	if g.rules.Territory == "halves" {
		g.home = g.grid.Half
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
		return g.grid.Board
	}
	stageRegion := func(s rules.Stage, side int) Bits {
		if s.Region == "cells" {
			return g.grid.Region(s.Cells, side)
		}
		return region(s.Region, side)
	}
	for side := range 2 {
		g.zone[side] = region(g.rules.Placement.Region, side)
		for _, stage := range g.rules.Placement.Opening {
			for range stage.Plies {
				g.opening[side] = append(g.opening[side], stageRegion(stage, side))
			}
		}
	}
}

// buildKeys makes the hash keys from a fixed seed, so that hashes are the same in every run and on every machine.
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

// Grid returns the cells of the board. The caller must not change it.
func (g *Game) Grid() *grid.Grid { return &g.grid }

// Lines returns the tables of lines. The caller must not change them.
func (g *Game) Lines() *Lines { return &g.line }

// Keys returns a number for each side and cell. The exclusive or of the numbers of a side's pieces is their key in a
// Course.
func (g *Game) Keys() *[2][CellSpace]uint64 { return &g.keys }

// General reports whether the rules use mechanics that need the slow general path (see general.go).
func (g *Game) General() bool { return g.general }

// FullEnds reports whether, after the opening, a side can always place a piece until the board is full, which ends the
// game.
func (g *Game) FullEnds() bool { return g.fullEnds }

// Timeless returns the ply from which the rules depend on the ply number only through the ply cap.
func (g *Game) Timeless() int32 { return g.timeless }

// Zones returns the cells on which a side may place after the opening, and those of each ply of the opening.
func (g *Game) Zones(side int) (later Bits, opening []Bits) { return g.zone[side], g.opening[side] }

// Rules returns the rules that the game was compiled from.
func (g *Game) Rules() Rules { return g.rules }

// Name returns the name of the rules.
func (g *Game) Name() string { return g.rules.Name }

// Columns returns the number of columns.
func (g *Game) Columns() int { return g.grid.Columns }

// Rows returns the number of rows.
func (g *Game) Rows() int { return g.grid.Rows }

// MovesBack reports whether pieces can move back to where they were.
func (g *Game) MovesBack() bool { return g.moves && !g.advances() }

// MayNotEnd reports whether a game may never end: pieces leave or move, and neither repetition nor a limit on
// plies nor draw.quiet guarantees an end.
func (g *Game) MayNotEnd() bool {
	leave := g.fifo || g.MovesBack() || g.threshold > 0 && !g.convert || g.custodian != 0 && !g.flips ||
		g.mill != nil
	return leave && g.repetition == 0 && g.maxPlies == 0 && !g.rules.QuietEnds()
}

// Moves reports whether pieces can move after all pieces in hand have been placed.
func (g *Game) Moves() bool { return g.moves || g.supply > 0 }

// Cells returns the number of cells of the grid, including cells that the board does not have.
func (g *Game) Cells() int { return g.grid.Cells }

// BoardCells returns the set of cells that the board has.
func (g *Game) BoardCells() Bits { return g.grid.Board }

// Centrality returns how near a cell is to the middle of the board, from 0 in a corner to 1 in the middle. Along a
// wrapped direction, all cells are equally central.
func (g *Game) Centrality(c Cell) float64 { return g.grid.Centrality(c) }

// Home returns a side's home region. It is empty if the rules have no territory.
func (g *Game) Home(side int) Bits { return g.home[side] }

// Neighbours returns the up to eight neighbours of a cell.
func (g *Game) Neighbours(c Cell) Bits { return g.grid.Neighbours[c] }

// Next returns the neighbour of a cell in one of the eight directions, numbered from 0: E, SE, S, SW, W, NW, N, NE.
// Even directions run along the rows and columns. It returns NoCell beyond the edge.
func (g *Game) Next(c Cell, direction int) Cell { return g.grid.To[direction&7][c] }

// Mirror returns the cell to which a swap moves a piece if the board has territories.
func (g *Game) Mirror(c Cell) Cell { return g.grid.Mirror[c] }

// Swapped returns the cell to which a swap moves a piece. If pieces can fall, they fall afterwards.
func (g *Game) Swapped(c Cell) Cell { return g.image[c] }

// RulesHash returns 16 hexadecimal digits that identify the rules. They do not depend on name, title and sides,
// which only describe the rules to people.
func (g *Game) RulesHash() string { return g.hash }

// Mechanics returns the set of mechanics that the rules use.
func (g *Game) Mechanics() rules.Mechanics { return g.uses }
