// Package connect knows what holds in games that are won by connecting two edges of a board, such as Hex.
//
// A virtual connection joins two ends, each an empty cell, a chain of stones or an edge, so that its side connects
// them even if the other side plays first; a semi-connection does if its own side plays first. The carrier is the set
// of empty cells that this takes. Links finds them by H-search: two connections over a common stone make a connection,
// two over a common empty cell a semi-connection (and-rule), and semi-connections whose carriers have no cell in common
// a connection (or-rule).
//
// A virtual connection from edge to edge is a proof of a win. Where the other side has semi-connections from edge to
// edge, only moves into all their carriers, the must-play region, can stop it. Fill finds cells that decide nothing:
// a dead cell is on no shortest chain whoever takes it; of a captured pair its owner gets one cell for the other, and
// the cell that the enemy takes is dead. Both are filled with stones before the search goes on.
//
// Solver puts these together: a depth-first search that returns, with the winner, the carrier of its whole strategy.
// Certify writes a win as a strategy without filled cells, and Certificate.Check verifies it by rules of its own.
// Flow values positions that nobody can prove: stones conduct, empty cells resist, enemy stones insulate.
//
// All this takes rules in which both players place one stone a turn on any empty cell, each with two edges of its own,
// on a board where at most one of them can connect.
package connect

import (
	"errors"

	"spar/engines"
)

// Bits is a set of cells.
type Bits = engines.Bits

// Board is what the searches need of the rules. It is immutable.
type Board struct {
	g        *engines.Game
	n        int // cells, and the number of the first edge; the second edge comes next
	cells    Bits
	near     [engines.CellSpace]Bits // neighbours
	edges    [2][2]Bits              // by side
	Decisive bool                    // a full board always has a winner
}

var errRules = errors.New(
	"virtual connections need one stone a turn on any empty cell, and a board where only one side can connect",
)

// New reads the rules of a game, or says that they are of another kind.
func New(g *engines.Game) (*Board, error) {
	r, uses := g.Rules(), g.Mechanics()
	b := &Board{g: g, n: g.Cells(), Decisive: uses.Has(engines.Hexagons) && !uses.Any(engines.Holes, engines.Adjacency)}
	plain := uses.Only(
		engines.Connections, engines.Hexagons, engines.Holes, engines.Adjacency, engines.Setups, engines.Pie,
		engines.FullBoards, engines.Repetitions, engines.PlyCaps, engines.Passes, engines.StuckDraws, engines.StuckWins,
	)
	planar := uses.Has(engines.Hexagons) || r.Board.Neighbours == 4
	late := r.Draw.MaxPlies == 0 || r.Draw.MaxPlies > b.n // a cap that no game reaches
	b.edges = [2][2]Bits{g.Edges(0), g.Edges(1)}
	if !plain || !planar || !late || b.edges[0][0].Empty() || b.edges[1][0].Empty() || b.edges[0] == b.edges[1] {
		return nil, errRules
	}
	b.cells = g.BoardCells()
	for c := range engines.Cell(b.n) {
		b.near[c] = g.Neighbours(c)
	}
	return b, nil
}

// Stones are the pieces of both players.
type Stones [2]Bits

// Read returns the stones of a position, and reports whether placements are all that can follow: nobody may swap.
func (b *Board) Read(s *engines.State) (Stones, bool) {
	open := b.g.Rules().Turn.Pie.On() && s.Ply() == 0 || s.MaySwap() || s.Over()
	return Stones{s.Pieces(0), s.Pieces(1)}, !open
}

func (b *Board) empty(s *Stones) Bits { return b.cells.AndNot(s[0].Or(s[1])) }

// connected reports whether a side's stones join its edges.
func (b *Board) connected(side int, own Bits) bool {
	chain := b.flood(own.And(b.edges[side][0]), own)
	return !chain.And(b.edges[side][1]).Empty()
}

// flood returns the stones that hang together with some of them.
func (b *Board) flood(from, own Bits) Bits {
	for fresh := from; !fresh.Empty(); {
		c := fresh.First()
		more := b.near[c].And(own).AndNot(from)
		from, fresh = from.Or(more), fresh.Rest().Or(more)
	}
	return from
}

// rim is the set of cells beside some stones.
func (b *Board) rim(chain Bits) (out Bits) {
	for ; !chain.Empty(); chain = chain.Rest() {
		out = out.Or(b.near[chain.First()&engines.CellMask])
	}
	return out
}
