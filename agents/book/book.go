// Package book builds opening books. A book is a tree of the moves that an agent rates best from a position.
//
// [Build] asks the agent for the score of each move, keeps the best moves of each side, and expands each of them ply
// by ply. The lines of the tree become the opening_book in an agent's file.
package book

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"spar/agents"
	"spar/engines"
)

// Options limit the size of a book's tree.
type Options struct {
	Plies  int `flag:"plies=4" range:"[1," help:"depth of the tree"`
	Width  int `flag:"width=1" range:"[1," help:"number of moves kept in a position where the agent chooses"`
	Most   int `flag:"limit=20000" range:"[1," help:"maximum number of positions to search"`
	Sides  [2]bool
	Report func(searched int) // called after each search; may be nil
}

// Node is a position of the tree.
type Node struct {
	Side  int
	Score float64 // expected score of the side to move after the best move, backed up from the ends of the tree
	Moves []Move  // moves, the best first; if the agent does not choose here, all legal moves
}

// Move is a move of the tree.
type Move struct {
	Move  engines.Move
	Score float64 // expected score of the side that makes it
	Next  *Node   // nil at the end of the tree
}

// Book is an opening book.
type Book struct {
	Root     *Node
	Searched int // number of positions that the agent searched; transpositions and symmetric positions count once
	o        Options
}

// LimitError is returned if the tree would be larger than Options.Most.
type LimitError struct{ Most int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the tree needs a search of more than %d positions", e.Most)
}

type builder struct {
	agent  agents.Agent
	budget agents.Budget
	o      Options
	scores map[uint64]float64 // scores of positions for the side to move, by canonical hash
	nodes  map[place]*Node
}

type place struct {
	hash uint64
	ply  int
}

// Build expands the tree from a position that is not over. If the agent chooses for the side to move, Build rates
// each move by the agent's score after it and keeps the best ones. Otherwise it keeps every legal move. It then backs
// up the scores from the ends of the tree, which may change the order of the moves.
func Build(ctx context.Context, a agents.Agent, budget agents.Budget, p *engines.Position, o Options) (*Book, error) {
	o.Width = max(1, o.Width)
	if o.Most == 0 {
		o.Most = 20_000
	}
	b := &builder{
		agent:  a,
		budget: budget,
		o:      o,
		scores: map[uint64]float64{},
		nodes:  map[place]*Node{},
	}
	root, err := b.grow(ctx, p, o.Plies)
	if err != nil {
		return nil, err
	}
	return &Book{Root: root, Searched: len(b.scores), o: o}, nil
}

func (b *builder) grow(ctx context.Context, p *engines.Position, plies int) (*Node, error) {
	key := place{p.Hash(), p.Ply()}
	if n, ok := b.nodes[key]; ok {
		return n, nil
	}
	n := &Node{Side: p.Side()}
	b.nodes[key] = n
	chooses := b.o.Sides[n.Side]
	for _, m := range p.AppendMoves(nil) {
		move := Move{Move: m}
		if chooses || plies == 1 { // otherwise the value comes from the positions below
			var err error
			if move.Score, err = b.score(ctx, p, m); err != nil {
				return nil, err
			}
		}
		n.Moves = append(n.Moves, move)
	}
	best := func(x, y Move) int { return cmp.Compare(y.Score, x.Score) }
	if chooses {
		slices.SortStableFunc(n.Moves, best)
		n.Moves = slices.Clip(n.Moves[:min(b.o.Width, len(n.Moves))])
	}
	for i := range n.Moves {
		m := &n.Moves[i]
		next := p.Clone()
		next.Play(m.Move)
		switch {
		case next.Over():
			m.Score = next.Result().Score(n.Side)
		case plies > 1:
			var err error
			if m.Next, err = b.grow(ctx, next, plies-1); err != nil {
				return nil, err
			}
			m.Score = m.Next.Score
			if m.Next.Side != n.Side {
				m.Score = 1 - m.Score
			}
		}
	}
	slices.SortStableFunc(n.Moves, best)
	n.Score = n.Moves[0].Score
	return n, nil
}

// score returns the score that the agent expects from a move, for the side that makes it.
func (b *builder) score(ctx context.Context, p *engines.Position, m engines.Move) (float64, error) {
	next := p.Clone()
	next.Play(m)
	if next.Over() {
		return next.Result().Score(p.Side()), nil
	}
	// What is kept is the score of the side to move after the move: the position may be reached by either side.
	seen := func(s float64) float64 {
		if next.Side() != p.Side() {
			return 1 - s
		}
		return s
	}
	key := next.CanonicalHash()
	if s, ok := b.scores[key]; ok {
		return seen(s), nil
	}
	if len(b.scores) >= b.o.Most {
		return 0, &LimitError{b.o.Most}
	}
	s, err := agents.MoveScore(ctx, b.agent, p, m, b.budget)
	if err != nil {
		return 0, err
	}
	b.scores[key] = seen(s)
	if b.o.Report != nil {
		b.o.Report(len(b.scores))
	}
	return s, nil
}

// Line is a path through the tree.
type Line struct {
	Moves []engines.Move
	Score float64 // expected score of the first player at its end, 0 to 1
}

// Lines lists the paths through the tree. If the agent chooses for one side only, a path has only its best move
// there; otherwise every move of the tree is on a path.
func (b *Book) Lines() []Line {
	var out []Line
	var walk func(n *Node, path []engines.Move)
	walk = func(n *Node, path []engines.Move) {
		moves := n.Moves
		if b.o.Sides[n.Side] && !b.o.Sides[1-n.Side] {
			moves = moves[:1]
		}
		for _, m := range moves {
			line := append(slices.Clone(path), m.Move)
			if m.Next != nil {
				walk(m.Next, line)
				continue
			}
			out = append(out, Line{line, engines.OfFirst(m.Score, n.Side)})
		}
	}
	walk(b.Root, nil)
	return out
}
