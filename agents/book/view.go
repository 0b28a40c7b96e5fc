package book

import "spar/engines"

// View is a book as text, for output and JSON.
type View struct {
	Rules string `json:"rules" help:"name of the rules"`
	Agent string `json:"agent" help:"name of the agent"`
	Plies int    `json:"plies" help:"depth of the tree"`
	// side for which the agent chose: first, second or both
	Side     string `json:"side" help:"side for which the agent chose: first, second or both"`
	Searched int    `json:"searched" help:"positions that the agent searched"`
	Lines    []Text `json:"lines"`
	Root     *Tree  `json:"tree" help:"positions: side, score of the side to move, moves; each with move, score of the side that makes it, and next, a position"`
}

// Text is a line of a book from the start of the game, as text.
type Text struct {
	Moves []string `json:"moves" help:"a line from the start of the game"`
	Score float64  `json:"first_score" help:"expected score of the first player at its end"`
}

// Tree is a node of an opening book: a position and its moves, best first.
type Tree struct {
	Side  string  `json:"side"`  // X or O
	Score float64 `json:"score"` // expected score of the side to move, 0 to 1
	Moves []Twig  `json:"moves"`
}

// Twig is a move from a Tree, with the Tree that it leads to.
type Twig struct {
	Move  string  `json:"move"`
	Score float64 `json:"score"` // expected score of the side that makes it, 0 to 1
	Next  *Tree   `json:"next,omitempty"`
}

// View returns the book as text. Agent is the agent's name; p is the position at which the book starts.
func (b *Book) View(agent string, p *engines.Position) View {
	g := p.Game()
	v := View{
		Rules:    g.Name(),
		Agent:    agent,
		Plies:    b.o.Plies,
		Searched: b.Searched,
		Root:     tree(g, b.Root),
	}
	switch b.o.Sides {
	case [2]bool{true, false}:
		v.Side = "first"
	case [2]bool{false, true}:
		v.Side = "second"
	default:
		v.Side = "both"
	}
	for _, l := range b.Lines() {
		v.Lines = append(v.Lines, Text{g.MoveTexts(append(p.Played(), l.Moves...)), l.Score})
	}
	return v
}

func tree(g *engines.Game, n *Node) *Tree {
	if n == nil {
		return nil
	}
	out := &Tree{Side: "XO"[n.Side : n.Side+1], Score: n.Score}
	for _, m := range n.Moves {
		out.Moves = append(out.Moves, Twig{g.MoveText(m.Move), m.Score, tree(g, m.Next)})
	}
	return out
}
