// Package reference is a second implementation of the rules of package engines, with which tests compare the fast
// one. It is slow and simple: it has a board of letters and a list of pieces by age, and prefers obvious loops to
// quick ones. It shares no code with the fast engine except the Rules type.
package reference

import (
	"fmt"
	"slices"

	"spar/engines"
	"spar/engines/rules"
)

// side is a player: first is X, second is O.
type side int

const (
	first  side = 0
	second side = 1
)

// empty is the letter of a cell without a piece.
const empty = '.'

// letter returns the player's piece on the board.
func (s side) letter() byte {
	if s == first {
		return 'X'
	}
	return 'O'
}

// enemy returns the other player.
func (s side) enemy() side { return 1 - s }

// Game is one game in progress.
type Game struct {
	rules engines.Rules

	board [][]byte                                  // board[row][column], row 0 at the top: X, O or empty
	lines [][]point                                 // the drawn lines
	found map[string]struct{ runs, ends [][]point } // runs of points, by length
	queue [2][]point                                // the pieces of each side on the board, oldest first
	// pieces in hand; unused if there is no supply
	hand [2]int

	mover     side
	played    side  // the player who made the last move
	left      int   // number of placements left in this turn
	movement  bool  // the movement phase has begun
	chaining  bool  // a jump has been made, and the same piece may jump again
	chain     point // cell of that piece
	turns     int   // number of completed turns
	traded    int   // swaps so far under turn.pie seats; after an odd number the second player plays X, shown as O
	canSwap   bool  // the second player may answer the first turn with a swap
	afterPass bool  // the last ply was a pass
	plies     int   // number of plies so far

	supplied bool                   // placements take pieces from the hand
	heading  direction              // direction of the last jump
	taking   bool                   // the mover has made a mill and must take a piece
	placed   bool                   // the mill was made by a placement
	men      layout                 // pieces with their kinds; nil if the rules need none
	stock    [2][rules.MaxKinds]int // captured pieces in hand, by kind
	begun    []turn                 // the turns that begin as the current one did; empty at the start of a turn
	fresh    []turn                 // the turns of the mover at the start of a turn, found at a number of plies
	freshAt  [2]int                 // that number, and the mover
	doomed   []point                // jumped pieces that leave when the turn ends
	quiet    int                    // plies since the last placement or capture
	captures [2]int                 // pieces that each side has captured, up to the number that wins

	seen           map[string]int // how often each position has occurred, by its key
	result, reason string
}

// New starts a game. The rules must be valid.
func New(r engines.Rules) *Game {
	g := &Game{
		rules:  r,
		result: "ongoing",
		left:   r.Turn.FirstTurn,
		seen:   map[string]int{},
		found:  map[string]struct{ runs, ends [][]point }{},
	}
	g.drawLines()
	g.setUp()
	if g.hasKinds() {
		g.setUpKinds()
	}
	g.hand = [2]int{g.of(first).Pieces.Supply, g.of(second).Pieces.Supply}
	switch g.supplied = g.hand != [2]int{}; {
	case g.apart():
		g.movement = g.hand[first] == 0
	case g.supplied && g.hand[first] == 0:
		g.mover = second
	case !g.supplied && g.canMove():
		g.movement, g.left = true, 1
	}
	own := r.Second
	if g.mover == second && own != nil && own.FirstTurn != nil { // he begins
		g.left = *own.FirstTurn
	}
	if !g.isStuck() {
		g.countPosition()
	}
	return g
}

// ages reports whether pieces can ever leave because of their age. They cannot if no side can have more pieces
// than it starts with.
func (g *Game) ages() bool {
	grows := g.supplied || !g.canMove()
	for _, s := range []side{first, second} {
		m := g.of(s).Movement
		grows = grows || m.Clone || m.Captured == "return" && (m.Capture || len(m.Take) > 0)
	}
	grows = grows || g.rules.Surround.Threshold > 0 && g.rules.Surround.Effect == "convert" ||
		g.rules.Custodian.Effect == "flip"
	return g.rules.Pieces.Cap > 0 && grows
}

// Play makes the move that the token names. An illegal move returns an error and changes nothing.
func (g *Game) Play(token string) error {
	for _, m := range g.legalMoves() {
		if m.token() == token {
			g.played = g.player(g.mover)
			g.ply(m)
			return nil
		}
	}
	if g.result != "ongoing" {
		return fmt.Errorf("reference: %q after the end of the game (%s by %s)", token, g.result, g.reason)
	}
	return fmt.Errorf("reference: %c may not play %q after %d plies", g.Mover(), token, g.plies)
}

// ply plays a legal move with all the steps listed in the documentation of engines.Rules.
func (g *Game) ply(m move) {
	if m.kind == word {
		g.playPart(m.text)
		return
	}
	g.plies++
	passedTwice := m.kind == pass && g.afterPass
	g.afterPass = m.kind == pass
	g.canSwap = false
	enemies := len(g.queue[g.mover.enemy()])
	owner := g.mover
	if g.rules.Pieces.Owner == "shared" || m.piece == 'X' {
		owner = first
	} else if m.piece == 'O' {
		owner = second
	}
	taken := g.taking
	g.chaining, g.taking = false, false

	// 1. The move. 2. Surround capture around a piece that has arrived.
	g.makeMove(m, owner, taken)
	if m.kind == place || m.kind == step || m.kind == jump || m.kind == take {
		g.surround(m.to, owner)
		g.enclose(m.to, owner)
	}
	if goal := g.of(g.mover).Win.Captures; goal > 0 && m.kind != swap {
		lost := max(0, enemies-len(g.queue[g.mover.enemy()]))
		g.captures[g.mover] = min(goal, g.captures[g.mover]+lost)
	}
	g.quiet++
	if m.kind == place || m.kind == remove || m.kind != swap && len(g.queue[g.mover.enemy()]) < enemies {
		g.quiet = 0
	}
	// 3. to 5. Ages and lines, after a move that leaves the mover nothing to continue with.
	if m.kind == jump && g.of(g.mover).Movement.MultiJump.On() {
		g.chaining, g.heading = true, m.heading
		g.chaining = len(g.jumps(m.to)) > 0
	}
	if m.kind != stop {
		g.chain = m.to
	}
	if !g.chaining && m.kind != swap && m.kind != pass {
		if g.rules.Pieces.Removal == "before_win" {
			g.trim(owner)
		}
		fell := g.fall(&m)
		if g.goals() || fell && g.goalsAfterFall() {
			return
		}
		if g.rules.Pieces.Removal == "after_win" {
			g.trim(owner)
			if g.fall(&m) && g.goalsAfterFall() {
				return
			}
		}
	}
	if g.taking = !g.chaining && g.millClosed(m); g.taking {
		g.placed = m.kind == place
	}
	if !g.chaining && !g.taking {
		// 6. A full board.
		if g.filled() {
			return
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
		if g.turnIsOver(m, taken) {
			g.beginTurn(m)
			if g.isStuck() {
				return
			}
		}
	}
	g.endPly()
}

// filled ends the game if the board is full and that decides.
func (g *Game) filled() bool {
	if !g.isFull() {
		return false
	}
	for _, s := range []side{first, second} {
		if g.of(s).Win.Full {
			g.win(s, "full_board")
			return true
		}
	}
	switch {
	case g.rules.Win.Majority:
		g.majority()
	case g.rules.Draw.FullBoard:
		g.draw("full_board")
	}
	return g.result != "ongoing"
}

// endPly is step 8: repetition, then draw.quiet, then the ply cap.
func (g *Game) endPly() {
	times := g.countPosition()
	if g.rules.Draw.Repetition > 0 && times >= g.rules.Draw.Repetition {
		switch g.rules.Draw.Repeated {
		case "first_wins":
			g.win(g.player(first), "repetition")
		case "second_wins":
			g.win(g.player(second), "repetition")
		case "mover_loses":
			g.win(g.player(1-g.played), "repetition")
		default:
			g.draw("repetition")
		}
		return
	}
	if g.rules.Draw.Quiet > 0 && g.quiet >= g.rules.Draw.Quiet {
		g.draw("quiet")
		return
	}
	if g.rules.Draw.MaxPlies > 0 && g.plies >= g.rules.Draw.MaxPlies {
		g.draw("ply_cap")
	}
}

// makeMove changes the board, the queues and the hands as the move itself requires, without its consequences.
func (g *Game) makeMove(m move, owner side, taken bool) {
	switch m.kind {
	case place:
		if g.at(m.to) != empty { // the cell of the own oldest piece, which leaves first
			g.remove(m.to)
		}
		if g.deploys() && g.hand[g.mover] > 0 { // clones come from nowhere
			g.hand[g.mover]--
		}
		g.add(m.to, owner)
	case step:
		g.relocate(m.from, m.to)
	case jump, take:
		enemy := g.at(m.over) == g.mover.enemy().letter()
		captured := g.of(g.mover).Movement.Captured
		if enemy && captured != "stay" {
			g.remove(m.over)
			if captured == "return" {
				g.hand[g.mover.enemy()]++
			}
		}
		g.relocate(m.from, m.to)
	case remove:
		g.remove(m.to)
	case swap:
		if g.rules.Turn.Pie == rules.PieSeats {
			g.traded = 1
		} else {
			g.swapSides()
		}
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
			g.add(g.asSeen(p), side(s).enemy())
		}
	}
	g.hand[first], g.hand[second] = g.hand[second], g.hand[first]
	g.fall(&move{})
}

// asSeen returns the cell as which the other side sees a cell. If the sides differ in homes, directions or goal
// cells, the board is mirrored top to bottom. If the sides connect different edges of a square grid, it is
// mirrored along the diagonal. Otherwise, or if the image does not exist, it is the cell itself.
func (g *Game) asSeen(p point) point {
	b := g.rules.Board
	sided, connects := g.rules.Territory == "halves", false
	for _, s := range []side{first, second} {
		r := g.of(s)
		m := r.Movement
		sided = sided || len(m.Directions) > 0 || len(m.Take) > 0 || len(m.Jumps) > 0 ||
			m.Capture && (m.JumpOver == "friend" || m.JumpOver == "any" || m.Captured == "stay") ||
			len(r.Win.Reach) > 0
		connects = connects || r.Win.Connect == "top_bottom" || r.Win.Connect == "left_right"
	}
	image := func(p point) point {
		switch {
		case sided:
			return point{p.column, b.Rows - 1 - p.row}
		case connects && b.Rows == b.Columns:
			return point{p.row, p.column}
		}
		return p
	}
	for _, q := range g.cells() {
		if !g.exists(image(q)) {
			return p
		}
	}
	return image(p)
}

// turnIsOver counts the placements of a turn. Any other move ends the turn, unless a jump can be continued.
func (g *Game) turnIsOver(m move, taken bool) bool {
	placed := m.kind == place || m.kind == remove && taken && g.placed
	if !placed || g.movement {
		return true
	}
	g.left--
	return g.left == 0 || len(g.placements()) == 0
}

// beginTurn gives the turn to the other side.
func (g *Game) beginTurn(m move) {
	g.turns++
	before := g.mover
	if g.supplied && g.hand == [2]int{} {
		g.movement = true
	}
	defer func() { // whose hand is empty moves, if each side does so on its own
		if g.apart() {
			if g.movement = g.hand[g.mover] == 0; g.movement {
				g.left = 1
			}
		}
	}()
	if g.apart() {
		g.movement = true // nobody is skipped
	}
	deploying := g.supplied && !g.movement
	taken := m.kind == swap && g.traded > 0 // the other player plays the same side now
	if !taken && (!deploying || g.hand[g.mover.enemy()] > 0) {
		g.mover = g.mover.enemy()
	}
	if !taken {
		g.left = g.rules.Turn.Placements
	}
	own := g.rules.Second
	if g.turns == 1 && before == first && g.mover == second && own != nil && own.FirstTurn != nil {
		g.left = *own.FirstTurn
	}
	if g.movement && !g.apart() {
		g.left = 1
	}
	g.canSwap = g.rules.Turn.Pie == rules.PieStones && g.turns == 1 && m.kind == place ||
		g.rules.Turn.Pie == rules.PieSeats && g.turns == 1 && g.mover == second
}

// apart reports whether a side moves while the other still has pieces in hand.
func (g *Game) apart() bool { return g.supplied && g.rules.Pieces.Moving == "after_own" }

// isStuck reports whether the mover has no legal action at the beginning of a turn and may not pass. It then ends
// the game as the rules say.
func (g *Game) isStuck() bool {
	if len(g.actions()) > 0 {
		return false
	}
	if g.threatened(g.men, g.mover) {
		g.win(g.mover.enemy(), "mate")
		return true
	}
	if g.rules.NoMoves == "pass" {
		return false
	}
	switch g.rules.NoMoves {
	case "loss":
		g.win(g.mover.enemy(), "no_moves")
	case "win":
		g.win(g.mover, "no_moves")
	default:
		g.draw("no_moves")
	}
	return true
}

// countPosition records the current position and returns how often it has occurred.
func (g *Game) countPosition() int {
	if g.rules.Draw.Repetition == 0 {
		return 0
	}
	key := g.PositionKey()
	g.seen[key]++
	return g.seen[key]
}

// majority ends the game: the side with more pieces wins, and equal numbers are a draw.
func (g *Game) majority() {
	switch x, o := len(g.queue[first]), len(g.queue[second])+g.rules.Win.Komi; {
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
	if g.player(winner) == second {
		g.result = "second"
	}
}

// draw ends the game without a winner.
func (g *Game) draw(reason string) { g.result, g.reason = "draw", reason }
