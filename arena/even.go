package arena

import (
	"math"

	"spar/agents"
	"spar/agents/eval"
	"spar/engines"
)

// even estimates what positions are worth to the sides: a Monte-Carlo tree search with priors and values of the
// hand-made evaluation and with proofs, as plain as can be. It shares nothing with the searches of the agents, so that
// openings stay the same when those get better. It owns its memory; one goroutine at a time.
type even struct {
	model  eval.Model
	cursor eval.Cursor
	follow eval.Follower
	nodes  []evenNode
	path   []int32
	moves  []engines.Move
	kids   []eval.Child
	state  engines.State
	before engines.State
}

// evenNode is a position with its search results. Points and worth are those of the side that moved to it.
type evenNode struct {
	points   float64
	worth    float64 // by the evaluation, 0 to 1
	prior    float64
	visits   int32
	children int32 // index of the first; 0 = not grown
	count    int32
	move     engines.Move
	side     int            // who moved to it
	proof    engines.Result // Ongoing where unknown
}

// Constants of the estimate. Changing one changes the openings of every plan that asks for balanced ones.
const (
	evenSimulations = 400
	evenExploration = 0.6
	evenSharpness   = 4.0  // of the softmax over the children's values that gives their priors
	evenWithin      = 0.05 // of one half is near even
)

func newEven(g *engines.Game) *even {
	e := &even{model: eval.New(g, agents.DefaultEval())}
	e.cursor = e.model.Cursor()
	e.follow, _ = e.cursor.(eval.Follower)
	return e
}

// score is the expected score of the first player in an unfinished position, 0 to 1.
func (e *even) score(s *engines.State) float64 {
	e.nodes = append(e.nodes[:0], evenNode{}, evenNode{side: 1 - s.Side()})
	for range evenSimulations {
		if e.nodes[1].proof != engines.Ongoing {
			return e.nodes[1].proof.Score(engines.First)
		}
		e.simulate(s)
	}
	root := &e.nodes[1]
	best := &e.nodes[root.children]
	for i := root.children; i < root.children+root.count; i++ {
		if c := &e.nodes[i]; c.visits > best.visits {
			best = c
		}
	}
	v := best.points / float64(best.visits)
	if best.side != engines.First {
		return 1 - v
	}
	return v
}

// simulate goes down to a position that is new and back.
func (e *even) simulate(root *engines.State) {
	s := &e.state
	s.CopyFrom(root)
	if e.follow != nil {
		e.follow.Follow(s)
	}
	at := int32(1)
	e.path = append(e.path[:0], at)
	for e.nodes[at].proof == engines.Ongoing && (e.nodes[at].visits > 0 || at == 1) {
		if e.nodes[at].count == 0 {
			e.grow(at, s)
			if e.nodes[at].proof != engines.Ongoing {
				break
			}
		}
		at = e.choose(at)
		e.before.CopyFrom(s)
		s.Play(e.nodes[at].move)
		if e.follow != nil {
			e.follow.Push(&e.before, s)
		}
		e.path = append(e.path, at)
	}
	n := &e.nodes[at]
	points := n.proof.Score(engines.First)
	if n.proof == engines.Ongoing {
		if points = n.worth; n.side != engines.First {
			points = 1 - points
		}
	}
	for i := len(e.path) - 1; i >= 0; i-- {
		n := &e.nodes[e.path[i]]
		n.visits++
		if n.side == engines.First {
			n.points += points
		} else {
			n.points += 1 - points
		}
		if n.proof == engines.Ongoing && n.count > 0 {
			n.proof = e.prove(n)
		}
	}
}

// grow adds the positions after the moves of one.
func (e *even) grow(at int32, s *engines.State) {
	side := s.Side()
	e.moves = s.AppendMoves(e.moves[:0])
	e.kids = e.cursor.Children(s, e.moves, side, e.kids[:0])
	n := &e.nodes[at]
	n.children, n.count = int32(len(e.nodes)), int32(len(e.moves))
	sum := 0.0
	for i, m := range e.moves {
		c := evenNode{move: m, side: side, proof: e.kids[i].Result}
		if c.worth = c.proof.Score(side); c.proof == engines.Ongoing {
			c.worth = e.model.Score(e.kids[i].Value)
		}
		c.prior = math.Exp(evenSharpness * c.worth)
		sum += c.prior
		e.nodes = append(e.nodes, c)
	}
	n = &e.nodes[at]
	for i := n.children; i < n.children+n.count; i++ {
		e.nodes[i].prior /= sum
	}
	n.proof = e.prove(n)
}

// choose returns the child to visit next.
func (e *even) choose(at int32) int32 {
	n := &e.nodes[at]
	root := evenExploration * math.Sqrt(float64(n.visits+1))
	best, top := n.children, math.Inf(-1)
	for i := n.children; i < n.children+n.count; i++ {
		c := &e.nodes[i]
		if c.proof == engines.Winner(1-c.side) {
			continue
		}
		v := c.worth
		if c.visits > 0 {
			v = c.points / float64(c.visits)
		}
		if v += float64(c.prior*root) / float64(1+c.visits); v > top {
			best, top = i, v
		}
	}
	return best
}

// prove is the outcome of a node whose children decide it: a win in one is enough, and a draw is better than a loss.
func (e *even) prove(n *evenNode) engines.Result {
	result, open := engines.Ongoing, false
	for _, c := range e.nodes[n.children : n.children+n.count] {
		switch {
		case c.proof == engines.Winner(c.side):
			return c.proof
		case c.proof == engines.Ongoing:
			open = true
		case result != engines.Drawn:
			result = c.proof
		}
	}
	if open {
		return engines.Ongoing
	}
	return result
}
