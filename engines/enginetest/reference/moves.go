package reference

import (
	"slices"
	"strconv"
)

// point is a cell of the board; column and row count from 0, row 0 at the top.
type point struct{ column, row int }

// String returns the cell in the notation of moves: c2 is column 3, row 2.
func (p point) String() string { return string(rune('a'+p.column)) + strconv.Itoa(p.row+1) }

// byCell orders cells row by row: a1 b1 c1 ... a2 b2 ...
func byCell(a, b point) int {
	if a.row != b.row {
		return a.row - b.row
	}
	return a.column - b.column
}

// direction is a way to go from a cell to a neighbour.
type direction struct{ columns, rows int }

var (
	rookDirections   = []direction{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}
	bishopDirections = []direction{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}
	kingDirections   = slices.Concat(rookDirections, bishopDirections)
	lineDirections   = []direction{{1, 0}, {0, 1}, {1, 1}, {1, -1}}
)

// kind is the kind of a move.
type kind int

const (
	place kind = iota
	step
	jump
	stop
	swap
	pass
	take
	remove
	word // a ply of a turn of rules with kinds of pieces
)

// move is one ply. Its kind determines which cells have a meaning.
type move struct {
	kind           kind
	from, over, to point
	text           string    // of a word
	heading        direction // direction of a jump
	piece          byte      // letter of the placed piece if the player chooses it; 0 for the player's own
}

// token returns the move in the notation that games use.
func (m move) token() string {
	switch m.kind {
	case place:
		if m.piece != 0 {
			return m.to.String() + "=" + string(m.piece)
		}
		return m.to.String()
	case remove:
		return "x" + m.to.String()
	case take:
		return m.from.String() + "x" + m.to.String()
	case step:
		return m.from.String() + "-" + m.to.String()
	case jump:
		return m.from.String() + "x" + m.to.String()
	case word:
		return m.text
	case stop:
		return "stop"
	case swap:
		return "swap"
	default:
		return "pass"
	}
}

// Legal returns the legal moves in alphabetical order; none if the game is over.
//
// On a wrapped board with 2 or 4 columns or rows one token can name two jumps (a1xc1 over b1 or over d1). It is
// listed once and means the first of them in the order up, left, right, down, then the diagonals.
func (g *Game) Legal() []string {
	var tokens []string
	for _, m := range g.legalMoves() {
		tokens = append(tokens, m.token())
	}
	slices.Sort(tokens)
	return slices.Compact(tokens)
}

// legalMoves returns every legal move: a pass if there is no other action, nothing when the game is over.
func (g *Game) legalMoves() []move {
	if g.result != "ongoing" {
		return nil
	}
	moves := g.actions()
	if len(moves) == 0 && g.rules.NoMoves == "pass" {
		return []move{{kind: pass}}
	}
	return moves
}

// actions returns every legal move of the mover except a pass.
func (g *Game) actions() []move {
	if g.men != nil {
		var plies []move
		for _, t := range g.turnsLeft() {
			if m := (move{kind: word, text: t[0].text}); !slices.Contains(plies, m) {
				plies = append(plies, m)
			}
		}
		if g.canSwap {
			plies = append(plies, move{kind: swap})
		}
		return plies
	}
	if g.chaining {
		return append(g.jumps(g.chain), move{kind: stop})
	}
	var swaps []move
	if g.canSwap {
		swaps = []move{{kind: swap}}
	}
	if stage, _ := g.stage(); g.taking || stage.Remove {
		return append(swaps, g.removals()...)
	}
	if !g.movement {
		return append(swaps, g.placements()...)
	}
	var jumps, steps []move
	for _, p := range g.queue[g.mover] {
		jumps = slices.Concat(jumps, g.jumps(p), g.takes(p))
		steps = append(steps, g.steps(p)...)
	}
	if g.of(g.mover).Movement.ForcedCapture.On() && len(jumps) > 0 {
		return append(swaps, jumps...)
	}
	return slices.Concat(swaps, jumps, steps, g.placements())
}

// placements returns the cells where the mover may place a piece on the next ply.
func (g *Game) placements() []move {
	if g.deploys() && g.hand[g.mover] == 0 || g.taking {
		return nil
	}
	if stage, _ := g.stage(); stage.Remove {
		return nil
	}
	var moves []move
	for _, p := range g.cells() {
		if !g.inStage(p) || g.rules.Custodian.Must && len(g.enclosed(p, g.mover)) == 0 {
			continue
		}
		free := g.at(p) == empty && (!g.rules.Placement.Gravity || g.isLowestFree(p))
		if !free && !g.isVacated(p) {
			continue
		}
		if g.rules.Pieces.Owner == "choice" {
			moves = append(moves, move{kind: place, to: p, piece: 'X'}, move{kind: place, to: p, piece: 'O'})
		} else {
			moves = append(moves, move{kind: place, to: p})
		}
	}
	return moves
}

// deploys reports whether placements take pieces from a hand, or the rules have no placements.
func (g *Game) deploys() bool { return g.supplied || g.movement }

// isLowestFree reports whether no cell below an empty cell is empty.
func (g *Game) isLowestFree(p point) bool {
	for row := p.row + 1; row < g.rules.Board.Rows; row++ {
		if g.board[row][p.column] == empty {
			return false
		}
	}
	return true
}

// isVacated reports whether the mover may place on the cell of its own oldest piece, which leaves with this ply.
func (g *Game) isVacated(p point) bool {
	pieces, queue := g.rules.Pieces, g.queue[g.mover]
	if pieces.Owner == "shared" {
		queue = g.queue[first]
	}
	return pieces.ReuseVacated && pieces.Removal == "before_win" &&
		pieces.Cap > 0 && len(queue) >= pieces.Cap && g.plies-g.traded+1 >= pieces.RemovalFromPly &&
		queue[0] == p
}

// hasLine reports whether a side has a winning line anywhere on the board.
func (g *Game) hasLine(s side, letter byte) bool {
	win := g.of(s).Win
	if win.Line == 0 {
		return false
	}
	runs, ends := g.runs(win.Line, win.Directions)
	for i, run := range runs {
		full, exact := true, true
		for _, p := range run {
			full = full && g.at(p) == letter && (win.Region != "enemy" || g.inRegion(p, homeOf(s.enemy())))
		}
		for _, p := range ends[i] {
			exact = exact && g.at(p) != letter
		}
		if full && (exact || win.Overlines) {
			return true
		}
	}
	return false
}

// homeOf returns the home region of a side. It does not depend on the side to move.
func homeOf(s side) string {
	if s == first {
		return "first_home"
	}
	return "second_home"
}

// inRegion reports whether a cell lies in a region; home and enemy are the mover's.
func (g *Game) inRegion(p point, region string) bool {
	switch region {
	case "home":
		return g.inRegion(p, homeOf(g.mover))
	case "enemy":
		return g.inRegion(p, homeOf(g.mover.enemy()))
	case "first_home":
		return p.row >= g.rules.Board.Rows-g.rules.Board.Rows/2
	case "second_home":
		return p.row < g.rules.Board.Rows/2
	}
	return true // anywhere
}

// isFull reports whether no cell is empty.
func (g *Game) isFull() bool {
	for _, p := range g.cells() {
		if g.at(p) == empty {
			return false
		}
	}
	return true
}

// at returns the letter of a cell.
func (g *Game) at(p point) byte { return g.board[p.row][p.column] }

// add puts a piece on an empty cell, as its side's youngest.
func (g *Game) add(p point, s side) {
	g.board[p.row][p.column] = s.letter()
	g.queue[s] = append(g.queue[s], p)
}

// remove takes the piece off a cell.
func (g *Game) remove(p point) {
	g.board[p.row][p.column] = empty
	for s := range g.queue {
		g.queue[s] = slices.DeleteFunc(g.queue[s], func(q point) bool { return q == p })
	}
}

// relocate moves a piece of the mover to an empty cell. The piece keeps its age.
func (g *Game) relocate(from, to point) {
	g.board[from.row][from.column] = empty
	g.board[to.row][to.column] = g.mover.letter()
	g.queue[g.mover][slices.Index(g.queue[g.mover], from)] = to
}
