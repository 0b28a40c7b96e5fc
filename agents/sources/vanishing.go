package sources

import (
	"math"

	"spar/engines"
)

// vanishing is the search of the vanishing desktop program: minimax of seven plies in which every win counts 1000. It
// plays the first of the best moves. Its book has one move, the second player's first: the centre, or a1 if the centre
// is occupied.
type vanishing struct {
	horizon horizon
	search  lookahead
}

func newVanishing(level string, g *engines.Game) (source, error) {
	if err := fit3(level, g); err != nil {
		return nil, err
	}
	h, err := newHorizon(level, g)
	value := newLineValues(g)
	value.open(0, 10, 100, 1000)
	value.centre = 5
	return &vanishing{h, lookahead{plies: 7, win: 1000, value: value.of}}, err
}

func (p *vanishing) choose(s *engines.State, legal []engines.Move, c *Choice) {
	if s.Ply() == 1 && s.Side() == engines.Second {
		c.only(legal[0], math.NaN())
		for _, m := range legal {
			if m.To() == 4 {
				c.only(m, math.NaN())
			}
		}
		return
	}
	p.horizon.root(&p.search.path[0], s, p.search.plies)
	m, value := p.search.best(legal)
	c.only(m, float64(value))
	c.Nodes = p.search.nodes
}
