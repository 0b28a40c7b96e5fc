// Package connection evaluates positions of games that are won by connecting two edges of the board, and looks for
// proved wins before a search begins.
//
// The board is an electrical network for each side: own stones conduct, empty cells resist, enemy stones insulate
// (see connect.Flow). The value of a position is the logarithm of the ratio of the two conductances. A move into a
// cell with a strong current matters most; the currents give a search its priors. One calculation for a position
// gives both, without playing its moves.
package connection

import (
	"math"

	"spar/agents/eval"
	"spar/engines"
	"spar/engines/connect"
)

// Model evaluates positions by conductance.
type Model struct {
	b *connect.Board
}

// New returns a model, or nil for rules that package connect does not accept.
func New(g *engines.Game) *Model {
	b, err := connect.New(g)
	if err != nil {
		return nil
	}
	return &Model{b}
}

// A value is 100 times the difference of the natural logarithms of both sides' conductances. The constant tempo is
// added for the side to move.
const (
	unit     = 100
	tempo    = 0.25
	steep    = 2.5
	extremes = 8 // largest difference of logarithms; it is used for a side that is cut off
)

// Score converts a value to an expected score from 0 to 1.
func (m *Model) Score(value float64) float64 { return 1 / (1 + math.Exp(-value*steep/unit)) }

// Cursor returns a cursor for one goroutine.
func (m *Model) Cursor() eval.Cursor { return &Cursor{m: m} }

// Cursor evaluates positions for one goroutine.
type Cursor struct {
	m     *Model
	flow  [2]connect.Flow
	side  int     // side to move in the position that Leaf and gain refer to
	value float64 // value of that position, for that side, if it had moved
}

var (
	_ eval.Policy = (*Cursor)(nil)
	_ eval.Costly = (*Cursor)(nil)
)

// Cost returns the cost of two flows, in the unit of package pace. Two flows suffice for all moves of a position.
func (c *Cursor) Cost() int { return 20 }

// look computes both flows and returns the value for a side.
func (c *Cursor) look(s *engines.State, side int) float64 {
	stones := connect.Stones{s.Pieces(0), s.Pieces(1)}
	for of := range c.flow {
		c.flow[of].Compute(c.m.b, of, &stones)
	}
	v := math.Log(max(1e-9, c.flow[side].Conductance)) - math.Log(max(1e-9, c.flow[1-side].Conductance))
	v = max(-extremes, min(v, extremes))
	if s.Side() == side {
		return unit * (v + tempo)
	}
	return unit * (v - tempo)
}

// Value returns the value of an unfinished position for a side.
func (c *Cursor) Value(s *engines.State, side int) float64 { return c.look(s, side) }

// ValueOrWin returns the value for the side to move, or a cell where it connects at once.
func (c *Cursor) ValueOrWin(s *engines.State) (float64, engines.Cell) {
	v := c.look(s, s.Side())
	if wins := c.flow[s.Side()].Wins; !wins.Empty() {
		return 0, wins.First()
	}
	return v, engines.NoCell
}

// gain estimates how much a stone of the side to move adds to the value. It returns the mean gain of moves with a
// similar current; four moves in five gain within a third of it.
func (c *Cursor) gain(m engines.Move) float64 {
	cell := m.To() & engines.CellMask
	mine, yours := max(0, c.flow[c.side].Share[cell]), max(0, c.flow[1-c.side].Share[cell]) // rounding
	return unit * (float64(1.4*math.Sqrt(mine)*mine) + float64(1.8*math.Sqrt(yours)*yours))
}

// Children appends estimates of the values of the positions after the given moves. It computes them from the flows of
// the current position.
func (c *Cursor) Children(s *engines.State, moves []engines.Move, side int, dst []eval.Child) []eval.Child {
	c.Leaves(s, 0)
	sign := 1.0
	if side != c.side {
		sign = -1
	}
	for _, m := range moves {
		child := eval.Child{Value: sign * c.value}
		if m.IsPlacement() {
			child.Value = sign * (c.value + c.gain(m))
			if c.flow[c.side].Wins.Has(m.To() & engines.CellMask) {
				child.Result = engines.Winner(c.side)
			}
		}
		dst = append(dst, child)
	}
	return dst
}

// Leaves computes the flows of a position, so that Leaf can use them, and reports whether Leaf can be called.
func (c *Cursor) Leaves(s *engines.State, _ int) bool {
	c.side = s.Side()
	c.value = c.look(s, c.side) - 2*unit*tempo // after a move the other side has it
	return true
}

// Leaf estimates the value after a move from the flows that Leaves computed.
func (c *Cursor) Leaf(m engines.Move) (eval.Leaf, bool) {
	if !m.IsPlacement() || c.flow[c.side].Wins.Has(m.To()&engines.CellMask) {
		return eval.Leaf{}, false
	}
	out := eval.Leaf{
		Value: -c.value - c.gain(m),
		Next:  1 - c.side,
		Wins:  engines.NoCell,
		Quiet: true,
	}
	if wins := c.flow[out.Next].Wins.Without(m.To()); !wins.Empty() {
		out.Wins = wins.First()
	}
	return out, true
}

// Policy appends a prior for each move, and the result of moves that end the game.
func (c *Cursor) Policy(s *engines.State, moves []engines.Move, dst []eval.Prior) []eval.Prior {
	c.Leaves(s, 0)
	side := c.side
	from, sum := len(dst), 0.0
	for _, m := range moves {
		p := eval.Prior{Share: 0.001}
		if m.IsPlacement() {
			cell := m.To() & engines.CellMask
			mine, yours := c.flow[side].Share[cell], c.flow[1-side].Share[cell]
			p.Share += math.Pow(mine+yours, 3)
			p.Score = c.m.Score(c.value + c.gain(m))
			if c.flow[side].Wins.Has(cell) {
				p.Result = engines.Winner(side)
			}
		}
		sum += p.Share
		dst = append(dst, p)
	}
	for i := range dst[from:] {
		dst[from+i].Share /= sum
	}
	return dst
}
