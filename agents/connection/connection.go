// Package connection values positions of games that are won by connecting two edges of the board, and looks for proved
// wins before a search begins. A position is worth the logarithm of the ratio of two conductances: those of the board
// for the side and for the other one, see connect.Flow. Where a current is strong the move matters, which gives a search
// its priors. Both come from one look at a position, without playing its moves.
package connection

import (
	"math"

	"spar/agents/eval"
	"spar/engines"
	"spar/engines/connect"
)

// Model values positions by conductance.
type Model struct {
	g *engines.Game
	b *connect.Board
}

// New returns a model, or nil under rules that it does not handle.
func New(g *engines.Game) *Model {
	b, err := connect.New(g)
	if err != nil {
		return nil
	}
	return &Model{g, b}
}

// Values are in hundredths of the logarithm. The side to move has tempo more.
const (
	unit     = 100
	tempo    = 0.25
	steep    = 2.5
	extremes = 8 // a side that is cut off
)

// Score turns a value into an expected score.
func (m *Model) Score(value float64) float64 { return 1 / (1 + math.Exp(-value*steep/unit)) }

// Cursor returns a cursor for one thread.
func (m *Model) Cursor() eval.Cursor { return &Cursor{m: m} }

// Cursor values positions for one thread.
type Cursor struct {
	m    *Model
	flow [2]connect.Flow
	next engines.State
}

var (
	_ eval.Policy = (*Cursor)(nil)
	_ eval.Costly = (*Cursor)(nil)
)

// Cost is that of two flows.
func (c *Cursor) Cost() int { return 100 }

// look computes both flows, and the value for a side.
func (c *Cursor) look(s *engines.State, side int) float64 {
	stones := connect.Stones{s.Pieces(0), s.Pieces(1)}
	for of := range c.flow {
		c.flow[of].Look(c.m.b, of, &stones)
	}
	v := math.Log(c.flow[side].Conductance / c.flow[1-side].Conductance) // neither is 0 where both are: one of them can connect
	v = max(-extremes, min(v, extremes))
	if s.Side() == side {
		return unit * (v + tempo)
	}
	return unit * (v - tempo)
}

// Value is the value of an unfinished position for a side.
func (c *Cursor) Value(s *engines.State, side int) float64 { return c.look(s, side) }

// ValueOrWin is Value for the side to move, or a cell where it connects at once.
func (c *Cursor) ValueOrWin(s *engines.State) (float64, engines.Cell) {
	v := c.look(s, s.Side())
	if wins := c.flow[s.Side()].Wins; !wins.Empty() {
		return 0, wins.First()
	}
	return v, engines.NoCell
}

// Children plays each move and values what follows.
func (c *Cursor) Children(s *engines.State, moves []engines.Move, side int, dst []eval.Child) []eval.Child {
	for _, m := range moves {
		c.next.CopyFrom(s)
		c.next.Play(m)
		child := eval.Child{Result: c.next.Result()}
		if !c.next.Over() {
			child.Value = c.look(&c.next, side)
		}
		dst = append(dst, child)
	}
	return dst
}

// Policy appends a prior for each move, and the result of those that end the game.
func (c *Cursor) Policy(s *engines.State, moves []engines.Move, dst []eval.Prior) []eval.Prior {
	side := s.Side()
	c.look(s, side)
	from, sum := len(dst), 0.0
	for _, m := range moves {
		p := eval.Prior{Share: 0.001}
		if m.IsPlacement() {
			cell := m.To() & engines.CellMask
			mine, yours := c.flow[side].Share[cell], c.flow[1-side].Share[cell]
			p.Share += math.Pow(mine+yours, 3)
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

// Leaves and Leaf know nothing of children that have not been played.
func (c *Cursor) Leaves(*engines.State, int) bool { return false }

// Leaf knows nothing.
func (c *Cursor) Leaf(engines.Move) (eval.Leaf, bool) { return eval.Leaf{}, false }
