// Package connect proves and evaluates positions of games that are won by connecting two edges of a board, such as Hex.
//
// # Terms
//
//   - End: an empty cell, a chain of stones or an edge.
//   - Virtual connection: joins two ends for its side even if the other side plays first. A semi-connection does so
//     only if its own side plays first.
//   - Carrier: the set of empty cells that a connection needs.
//   - Must-play region: if the other side has semi-connections from edge to edge, only a move that lies in all their
//     carriers can stop it.
//   - Filling: a dead cell is on no shortest chain, whoever takes it. Of a captured pair the owner always gets one
//     cell, and the cell that the enemy takes is dead. Fill puts stones on both kinds before a search.
//
// # Flow of data
//
// Links finds connections by H-search. Two connections over a common stone make a connection; two over a common
// empty cell make a semi-connection (and-rule); semi-connections whose carriers share no cell make a connection
// (or-rule). A virtual connection from edge to edge proves a win.
//
// Solver is a depth-first proof-number search over these. It returns the winner with the carrier of the whole strategy.
// Flow evaluates positions that cannot be proved, by an electrical current: stones conduct, empty cells resist, enemy
// stones insulate.
//
// The package accepts rules in which both players place one stone per turn on any empty cell, each player has two
// edges, and at most one player can connect.
package connect

import (
	"errors"

	"spar/engines"
	"spar/engines/rules"
)

// Bits is a set of cells.
type Bits = engines.Bits

// Board holds the parts of the rules that the searches need: cells, neighbours and edges. It does not change.
type Board struct {
	g        *engines.Game
	n        int // number of cells; the first edge has this number, the second edge the next
	cells    Bits
	near     [engines.CellSpace]Bits // neighbours of each cell
	edges    [2][2]Bits              // for each side, the cells along its two edges
	Decisive bool                    // a full board always has a winner
}

var errRules = errors.New(
	"virtual connections need one stone per turn on any empty cell, and a board where only one side can connect",
)

// New reads the board of a game. It returns an error for rules that this package does not accept.
func New(g *engines.Game) (*Board, error) {
	r, uses := g.Rules(), g.Mechanics()
	b := &Board{g: g, n: g.Cells(), Decisive: uses.Has(rules.Hexagons) && !uses.Any(rules.Holes, rules.Adjacency)}
	plain := uses.Only(rules.Connections, rules.Hexagons, rules.Holes, rules.Adjacency, rules.Setups, rules.Pie,
		rules.FullBoards, rules.Repetitions, rules.PlyCaps, rules.Passes, rules.StuckDraws, rules.StuckWins)
	planar := uses.Has(rules.Hexagons) || r.Board.Neighbours == 4
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

// Read returns the stones of a position. The second result is false if a move other than a placement, such as a
// swap, may follow.
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

// flood returns all stones connected to the given ones.
func (b *Board) flood(from, own Bits) Bits {
	for fresh := from; !fresh.Empty(); {
		c := fresh.First()
		more := b.near[c].And(own).AndNot(from)
		from, fresh = from.Or(more), fresh.Rest().Or(more)
	}
	return from
}

// rim returns the cells adjacent to the given stones.
func (b *Board) rim(chain Bits) (out Bits) {
	for ; !chain.Empty(); chain = chain.Rest() {
		out = out.Or(b.near[chain.First()&engines.CellMask])
	}
	return out
}
