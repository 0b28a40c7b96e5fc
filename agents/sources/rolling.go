package sources

import (
	"math"

	"spar/engines"
)

// The levels of rolling.
const (
	beginner = iota
	moderate
	hard
)

// rolling is the computer player of the rolling browser game. Its search plays moves by the rules of the game,
// including the ply cap. Its tests for an immediate win use the pieces on the board and ignore that one may leave.
type rolling struct {
	level   int
	search  lookahead
	value   lineValues
	weights []float64
}

func newRolling(which int) func(string, *engines.Game) (source, error) {
	return func(level string, g *engines.Game) (source, error) {
		if err := fit3(level, g); err != nil {
			return nil, err
		}
		value := newLineValues(g)
		value.open(5, 50, 500)
		value.centre, value.corner = 5, 3
		p := &rolling{level: which, search: lookahead{plies: 5, win: 10000}, value: value}
		p.search.value = p.value.of
		return p, nil
	}
}

func (p *rolling) choose(s *engines.State, legal []engines.Move, c *Choice) {
	switch p.level {
	case beginner:
		p.beginner(s, legal, c)
	case moderate:
		p.moderate(s, legal, c)
	default:
		p.search.path[0].CopyFrom(s)
		m, value := p.search.best(legal)
		c.only(m, float64(value))
		c.Nodes = p.search.nodes
	}
}

// beginner decides at random, with probability 1/2, whether to look for a block. Otherwise, or if there is nothing
// to block, it chooses uniformly among all cells. It never looks for its own wins.
func (p *rolling) beginner(s *engines.State, legal []engines.Move, c *Choice) {
	c.Moves = append(c.Moves, legal...)
	block, threatened := p.value.completing(s, 1-s.Side())
	if !threatened {
		return
	}
	p.weights = p.weights[:0]
	for _, m := range legal {
		w := 0.5 / float64(len(legal))
		if m.To() == block {
			w += 0.5
		}
		p.weights = append(p.weights, w)
	}
	c.Weights = p.weights
}

// moderate takes a win, otherwise blocks one, otherwise plays the first move with the best value one ply ahead. A
// move that lets the other side win at once, or that ends the game, has the value -100, so in a bad position a
// safe move can have a lower value.
func (p *rolling) moderate(s *engines.State, legal []engines.Move, c *Choice) {
	me, value := s.Side(), &p.value
	for _, side := range [2]int{me, 1 - me} {
		cell, ok := value.completing(s, side)
		for _, m := range legal {
			if ok && m.To() == cell {
				c.only(m, math.NaN())
				return
			}
		}
	}
	next := &p.search.path[0]
	best := -infinite
	for _, m := range legal {
		next.CopyFrom(s)
		next.Play(m)
		c.Nodes++
		v := -100
		if _, loses := value.completing(next, 1-me); !loses && !next.Over() {
			v = value.of(next, me)
		}
		if v > best {
			best = v
			c.only(m, float64(v))
		}
	}
}

// RollingScore returns the points that the original rolling program shows for a finished game against a level
// ("rolling/hard"). Side is the side of the level's opponent. The points are
//
//	1000 * L * R / (1 + 0.02*plies + 0.01*seconds), rounded half up
//
// L is 1 for beginner, 1.2 for moderate, 1.5 for hard; R is 1, 0.5 or 0 for a win, draw or loss. Plies and seconds
// are those of the whole game, of both sides. An unfinished game scores 0. The second result is false if the level
// does not belong to rolling.
func RollingScore(level string, result engines.Result, side, plies int, seconds float64) (score int, ok bool) {
	factor, ok := map[string]float64{"rolling/beginner": 1, "rolling/moderate": 1.2, "rolling/hard": 1.5}[level]
	if !ok || result == engines.Ongoing {
		return 0, ok
	}
	// The conversions keep each product rounded by itself: the same score on machines that fuse a product and a sum.
	length := 1 + float64(0.02*float64(plies)) + float64(0.01*seconds)
	points := float64(1000*factor*result.Score(side)) * (1 / length)
	return int(math.Floor(points + 0.5)), true
}
