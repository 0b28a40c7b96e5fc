package reference

import (
	"fmt"
	"strings"
)

// What tests see of a game.

// Mover returns the side to move, 'X' or 'O'. It has no meaning after the end of the game.
func (g *Game) Mover() byte { return g.player(g.mover).letter() }

// player returns the player of a side.
func (g *Game) player(s side) side { return s ^ side(g.traded) }

// Result returns first, second, draw or ongoing.
func (g *Game) Result() string { return g.result }

// Reason returns how the game ended: line, full_board, majority, no_moves, repetition, quiet, ply_cap and so on.
// It is empty before the end.
func (g *Game) Reason() string { return g.reason }

// Hands returns the numbers of pieces in hand; both are 0 if there is no supply.
func (g *Game) Hands() (x, o int) { return g.hand[g.player(first)], g.hand[g.player(second)] }

// Board returns the rows from the top, with X, O and a dot for an empty cell.
func (g *Game) Board() []string {
	var rows []string
	for _, row := range g.board {
		text := strings.ReplaceAll(string(row), string(shut), string(none))
		if g.traded > 0 {
			text = strings.NewReplacer("X", "O", "O", "X").Replace(text)
		}
		rows = append(rows, text)
	}
	return rows
}

// Ages returns the cells of a side's pieces, oldest first. The side is 'X' or 'O'.
func (g *Game) Ages(side byte) []string {
	owner := first
	if side == second.letter() {
		owner = second
	}
	var cells []string
	for _, p := range g.queue[g.player(owner)] {
		cells = append(cells, p.String())
	}
	return cells
}

// PositionKey returns a text. Two positions have the same text exactly if the repetition rule treats them as
// equal.
func (g *Game) PositionKey() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %c hands %d %d", strings.Join(g.Board(), "/"), g.Mover(), g.hand[first], g.hand[second])
	fmt.Fprintf(&b, " movement %v left %d pass %v", g.movement, g.left, g.afterPass)
	if g.chaining {
		fmt.Fprintf(&b, " chain %v", g.chain)
		if g.of(g.mover).Movement.Straight {
			fmt.Fprintf(&b, " heading %v", g.heading)
		}
	}
	fmt.Fprintf(&b, " taking %v captures %v", g.taking, g.captures)
	if g.ages() {
		fmt.Fprintf(&b, " ages %v %v", g.queue[first], g.queue[second])
	}
	if g.canSwap {
		b.WriteString(" pie")
	}
	if g.rules.Turn.Pie.On() && g.turns > 0 {
		b.WriteString(" offered")
	}
	if g.plies-g.traded < g.settled() {
		fmt.Fprintf(&b, " ply %d", g.plies-g.traded)
	}
	fmt.Fprintf(&b, " traded %d%s", g.traded, g.kindsKey())
	return b.String()
}

// settled returns the ply from which the rules no longer depend on the ply number.
func (g *Game) settled() int {
	opening := 0
	for _, stage := range g.rules.Placement.Opening {
		opening += stage.Plies
	}
	if g.ages() {
		opening = max(opening, g.rules.Pieces.RemovalFromPly)
	}
	if len(g.rules.Setup) > 0 { // the start may come back
		return opening
	}
	return max(opening, 1)
}
