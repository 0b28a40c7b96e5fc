package sources

import (
	"spar/engines"
)

// classic is the engine of the tic-tac-toe program: minimax with 100-d for a win after d plies, d-100 for a loss,
// and 0 for draws and unfinished leaves. It chooses uniformly at random among all root moves with the best value.
// The levels differ only in depth; expert searches to the end of the game.
type classic struct {
	horizon horizon
	search  lookahead
}

func newClassic(plies int) func(string, *engines.Game) (source, error) {
	return func(level string, g *engines.Game) (source, error) {
		cap := g.Rules().Pieces.Cap
		endless := plies == toTheEnd && cap > 0
		if err := fit3(level, g, need{"pieces.cap", !endless, "0, because it searches to the end", cap}); err != nil {
			return nil, err
		}
		h, err := newHorizon(level, g)
		return &classic{h, lookahead{plies: plies, win: 100, hurry: 1}}, err
	}
}

func (p *classic) choose(s *engines.State, legal []engines.Move, c *Choice) {
	p.horizon.root(&p.search.path[0], s, p.search.plies)
	var value int
	c.Moves, value = p.search.allBest(legal, c.Moves)
	c.Value, c.Nodes = float64(value), p.search.nodes
}
