package openings

import (
	"math"

	"spar/agents"
	"spar/agents/eval"
	"spar/engines"
)

// even estimates the value of positions by a simple Monte-Carlo tree search with proofs, and with priors and
// values from the hand-made evaluation. It shares no code with the searches of agents, so that openings stay the
// same when those improve. Only one goroutine may use it.
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

// evenNode is a position with its search results. Points and worth are from the view of the side that moved to it.
type evenNode struct {
	points   float64
	worth    float64 // value by the evaluation, 0 to 1
	prior    float64
	visits   int32
	children int32 // index of the first child; 0 = not expanded
	count    int32
	move     engines.Move
	side     int            // side that moved to the position
	proof    engines.Result // proved result; Ongoing if unknown
}

// Constants of the estimate. A change of any one changes the openings of every plan with balanced openings.
const (
	evenSimulations = 400
	evenExploration = 0.6
	evenSharpness   = 4.0  // sharpness of the softmax that makes priors from the children's values
	evenWithin      = 0.05 // maximum difference from 1/2 of the value of a nearly even position
)

func newEven(g *engines.Game) *even {
	e := &even{model: eval.New(g, agents.DefaultEval())}
	e.cursor = e.model.Cursor()
	e.follow, _ = e.cursor.(eval.Follower)
	return e
}

// score returns the expected score of the first player in an unfinished position, 0 to 1.
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
	return engines.OfFirst(best.points/float64(best.visits), int(best.side))
}

// simulate descends to a new position, evaluates it and updates the nodes on the path.
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

// grow adds the children of a position.
func (e *even) grow(at int32, s *engines.State) {
	side := s.Side()
	e.moves = s.AppendMoves(e.moves[:0])
	e.kids = e.cursor.Children(s, e.moves, side, e.kids[:0])
	n := &e.nodes[at]
	n.children = int32(len(e.nodes))
	n.count = int32(len(e.moves))
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

// prove returns the result of a node if its children prove it: one winning child is enough, and a draw is better than a
// loss.
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
