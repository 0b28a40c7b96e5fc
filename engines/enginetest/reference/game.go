// Package reference plays by the rules of package engines, slowly and plainly: a board of letters, a list of the pieces by
// age, and each rule written out where it applies. It exists to be compared with the fast engine, so it shares nothing
// with it but the Rules type, and prefers an obvious loop to a quick one everywhere.
package reference

import (
	"fmt"
	"slices"
	"strings"

	"spar/engines"
)

// side is a player: first is X, second is O.
type side int

const (
	first  side = 0
	second side = 1
)

// empty is the letter of a cell without a piece.
const empty = '.'

// letter is the player's piece on the board.
func (s side) letter() byte {
	if s == first {
		return 'X'
	}
	return 'O'
}

// enemy is the other player.
func (s side) enemy() side { return 1 - s }

// Game is one game being played.
type Game struct {
	rules engines.Rules

	board [][]byte   // board[row][column], row 0 at the top: X, O or empty
	queue [2][]point // the pieces of each side on the board, oldest first
	hand  [2]int     // pieces still to be deployed or to be placed again; unused when there is no supply

	mover     side
	left      int   // placements left in this turn
	movement  bool  // the movement phase has begun
	chaining  bool  // a jump has been made and the same piece may jump on
	chain     point // where that piece stands
	turns     int   // turns completed
	canSwap   bool  // the second player may answer the first turn with swap
	afterPass bool  // the last ply was a pass
	plies     int   // plies made

	seen           map[string]int // how often each position has occurred
	result, reason string
}

// New starts a game. The rules are assumed to be valid.
func New(r engines.Rules) *Game {
	g := &Game{rules: r, result: "ongoing", left: r.Turn.FirstTurn, seen: map[string]int{}}
	g.setUp()
	g.hand = [2]int{r.Pieces.Supply, r.Pieces.Supply}
	if r.Pieces.Supply == 0 && (r.Movement.Steps != "none" || r.Movement.Capture) {
		g.movement, g.left = true, 1
	}
	if !g.isStuck() {
		g.countPosition()
	}
	return g
}

// Mover is the side to move, 'X' or 'O'; once the game is over, a side without meaning.
func (g *Game) Mover() byte { return g.mover.letter() }

// Result is first, second, draw or ongoing.
func (g *Game) Result() string { return g.result }

// Reason says how the game ended: line, full_board, majority, no_moves, repetition or ply_cap; empty while it goes on.
func (g *Game) Reason() string { return g.reason }

// Hands counts the pieces in hand; both are 0 when there is no supply.
func (g *Game) Hands() (x, o int) { return g.hand[first], g.hand[second] }

// Board returns the rows from the top, with X, O and a dot for an empty cell.
func (g *Game) Board() []string {
	var rows []string
	for _, row := range g.board {
		rows = append(rows, string(row))
	}
	return rows
}

// Ages returns the cells of a side's pieces, oldest first. side is 'X' or 'O'.
func (g *Game) Ages(side byte) []string {
	owner := first
	if side == second.letter() {
		owner = second
	}
	var cells []string
	for _, p := range g.queue[owner] {
		cells = append(cells, p.String())
	}
	return cells
}

// PositionKey is equal for two positions exactly when the repetition rule takes them for the same.
func (g *Game) PositionKey() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %c hands %d %d", strings.Join(g.Board(), "/"), g.Mover(), g.hand[first], g.hand[second])
	fmt.Fprintf(&b, " movement %v left %d pass %v", g.movement, g.left, g.afterPass)
	if g.chaining {
		fmt.Fprintf(&b, " chain %v", g.chain)
	}
	if g.rules.Pieces.Cap > 0 {
		fmt.Fprintf(&b, " ages %v %v", g.queue[first], g.queue[second])
	}
	if g.canSwap {
		b.WriteString(" pie")
	}
	if g.rules.Turn.Pie && g.turns > 0 {
		b.WriteString(" offered")
	}
	if g.plies < g.settled() {
		fmt.Fprintf(&b, " ply %d", g.plies)
	}
	return b.String()
}

// settled is the number of plies from which on the rules no longer depend on the number of plies played.
func (g *Game) settled() int {
	opening := 0
	for _, stage := range g.rules.Placement.Opening {
		opening += stage.Plies
	}
	if g.rules.Pieces.Cap > 0 {
		opening = max(opening, g.rules.Pieces.RemovalFromPly)
	}
	return max(opening, 1)
}

// Play makes the move that the token names, or refuses it and changes nothing.
func (g *Game) Play(token string) error {
	for _, m := range g.legalMoves() {
		if m.token() == token {
			g.ply(m)
			return nil
		}
	}
	if g.result != "ongoing" {
		return fmt.Errorf("reference: %q after the end of the game (%s by %s)", token, g.result, g.reason)
	}
	return fmt.Errorf("reference: %c may not play %q after %d plies", g.Mover(), token, g.plies)
}

// ply carries a legal move through all the steps that the documentation of engines.Rules lists.
func (g *Game) ply(m move) {
	g.plies++
	passedTwice := m.kind == pass && g.afterPass
	g.afterPass = m.kind == pass
	g.canSwap = false
	g.chaining = false

	// 1. The move. 2. Surround capture around a piece that has arrived.
	g.makeMove(m)
	if m.kind == place || m.kind == step || m.kind == jump {
		g.surround(m.to)
	}
	// 3. to 5. Ages and lines, after a move that leaves the mover nothing to go on with.
	g.chaining = m.kind == jump && g.rules.Movement.MultiJump && len(g.jumps(m.to)) > 0
	g.chain = m.to
	if !g.chaining && m.kind != swap && m.kind != pass {
		if g.rules.Pieces.Removal == "before_win" {
			g.trim()
		}
		if g.goals() {
			return
		}
		if g.rules.Pieces.Removal == "after_win" {
			g.trim()
		}
	}
	if !g.chaining {
		// 6. A full board.
		if g.isFull() {
			if g.rules.Win.Majority {
				g.majority()
				return
			}
			if g.rules.Draw.FullBoard {
				g.draw("full_board")
				return
			}
		}
		// 7. No legal action, tested when a turn begins. Two passes in a row are the end as well.
		if passedTwice {
			if g.rules.Win.Majority {
				g.majority()
			} else {
				g.draw("no_moves")
			}
			return
		}
		if g.turnIsOver(m) {
			g.beginTurn(m)
			if g.isStuck() {
				return
			}
		}
	}
	// 8. Repetition, then the ply cap.
	times := g.countPosition()
	if g.rules.Draw.Repetition > 0 && times >= g.rules.Draw.Repetition {
		g.draw("repetition")
		return
	}
	if g.rules.Draw.MaxPlies > 0 && g.plies >= g.rules.Draw.MaxPlies {
		g.draw("ply_cap")
	}
}

// makeMove changes the board, the queues and the hands as the move says, without any consequence.
func (g *Game) makeMove(m move) {
	switch m.kind {
	case place:
		if g.at(m.to) != empty { // the cell of the own oldest piece, which leaves first
			g.remove(m.to)
		}
		if g.rules.Pieces.Supply > 0 {
			g.hand[g.mover]--
		}
		g.add(m.to, g.mover)
	case step:
		g.relocate(m.from, m.to)
	case jump:
		g.relocate(m.from, m.to)
		g.remove(m.over)
		if g.rules.Movement.Captured == "return" {
			g.hand[g.mover.enemy()]++
		}
	case swap:
		g.swapSides()
	case stop, pass:
	}
}

// swapSides gives each player the stones of the other, mirrored top to bottom if there are territories,
// and exchanges the hands.
func (g *Game) swapSides() {
	stones := [2][]point{slices.Clone(g.queue[first]), slices.Clone(g.queue[second])}
	for s := range stones {
		for _, p := range stones[s] {
			g.remove(p)
		}
	}
	for s := range stones {
		for _, p := range stones[s] {
			if g.rules.Territory == "halves" {
				p.row = g.rules.Board.Rows - 1 - p.row
			}
			g.add(p, side(s).enemy())
		}
	}
	g.hand[first], g.hand[second] = g.hand[second], g.hand[first]
}

// surround captures what the piece that has arrived on the cell has surrounded.
func (g *Game) surround(arrived point) {
	if g.rules.Surround.Threshold == 0 {
		return
	}
	if !g.rules.Surround.Cascade {
		g.surroundPass(g.neighbours(arrived))
		return
	}
	for g.surroundPass(g.cells()) {
	}
}

// surroundPass captures the enemy pieces among the candidate cells that are surrounded now, all at once, and says whether
// there were any.
func (g *Game) surroundPass(candidates []point) bool {
	var captured []point
	for _, p := range candidates {
		if g.at(p) != g.mover.enemy().letter() {
			continue
		}
		around := 0
		for _, n := range g.neighbours(p) {
			if g.at(n) == g.mover.letter() {
				around++
			}
		}
		if around >= g.rules.Surround.Threshold {
			captured = append(captured, p)
		}
	}
	slices.SortFunc(captured, byCell)
	for _, p := range captured {
		g.remove(p)
		if g.rules.Surround.Effect == "convert" {
			g.add(p, g.mover)
		}
	}
	return len(captured) > 0
}

// trim takes the mover's oldest pieces off while there are more than the cap allows.
func (g *Game) trim() {
	if g.rules.Pieces.Cap == 0 || g.plies < g.rules.Pieces.RemovalFromPly {
		return
	}
	for len(g.queue[g.mover]) > g.rules.Pieces.Cap {
		g.remove(g.queue[g.mover][0])
	}
}

// turnIsOver counts the placements of a turn. Every other move ends a turn, but for jumps that can be continued.
func (g *Game) turnIsOver(m move) bool {
	if m.kind != place || g.movement {
		return true
	}
	g.left--
	return g.left == 0 || len(g.placements()) == 0
}

// beginTurn gives the turn to whoever is next after the move that ended the last one.
func (g *Game) beginTurn(m move) {
	g.turns++
	if g.rules.Pieces.Supply > 0 && g.hand == [2]int{} {
		g.movement = true
	}
	deploying := g.rules.Pieces.Supply > 0 && !g.movement
	if !deploying || g.hand[g.mover.enemy()] > 0 {
		g.mover = g.mover.enemy()
	}
	g.left = g.rules.Turn.Placements
	if g.movement {
		g.left = 1
	}
	g.canSwap = g.rules.Turn.Pie && g.turns == 1 && m.kind == place
}

// isStuck ends the game, by the rule for it, if the mover has no legal action at the beginning of a turn and may not pass.
func (g *Game) isStuck() bool {
	if g.rules.NoMoves == "pass" || len(g.actions()) > 0 {
		return false
	}
	if g.rules.NoMoves == "loss" {
		g.win(g.mover.enemy(), "no_moves")
	} else {
		g.draw("no_moves")
	}
	return true
}

// countPosition notes that the present position has occurred and returns how often it has by now.
func (g *Game) countPosition() int {
	if g.rules.Draw.Repetition == 0 {
		return 0
	}
	key := g.PositionKey()
	g.seen[key]++
	return g.seen[key]
}

// majority ends the game in favour of the side with more pieces.
func (g *Game) majority() {
	switch x, o := len(g.queue[first]), len(g.queue[second]); {
	case x > o:
		g.win(first, "majority")
	case x < o:
		g.win(second, "majority")
	default:
		g.draw("majority")
	}
}

// win ends the game with a winner.
func (g *Game) win(winner side, reason string) {
	g.result, g.reason = "first", reason
	if winner == second {
		g.result = "second"
	}
}

// draw ends the game without a winner.
func (g *Game) draw(reason string) { g.result, g.reason = "draw", reason }
