package solve

import (
	"slices"

	"spar/engines"
)

// certify builds a set of positions that proves that the attacker cannot win; see Prove. It answers no if there is
// such a set. It answers unknown if the budget is spent, or if the attacker wins from a position in the set; that
// position is then stored as proved.
func (p *prover) certify() answer {
	in := map[node]struct{}{p.node: {}}
	queue := []node{p.node}
	limit := 2 * int(p.table.most)
	var f frame
	for len(queue) > 0 {
		n := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if len(in) > limit || !p.budget.spend() {
			p.stopped = true
			return unknown
		}
		p.names.position(n.key, &f.state)
		clear(p.path)
		if p.expand(&f, n, 0); p.stopped {
			return unknown
		}
		var won, ok bool
		if n.attacks {
			won, ok = p.holdAll(&f, in, &queue)
		} else {
			won, ok = p.holdOne(&f, in, &queue)
		}
		if won {
			p.proved[n] = struct{}{}
		}
		if won || !ok {
			return unknown
		}
	}
	return no
}

// holdAll puts every child into the set.
func (p *prover) holdAll(f *frame, in map[node]struct{}, queue *[]node) (won, ok bool) {
	children := slices.Clone(f.children) // searching uses the frames
	for i := range children {
		c := &children[i]
		if _, have := in[c.node]; have && !c.ended {
			continue
		}
		if !p.settled(c) {
			return false, false
		}
		if c.pn == 0 {
			return true, false
		}
		if !c.ended {
			in[c.node] = struct{}{}
			*queue = append(*queue, c.node)
		}
	}
	return false, true
}

// holdOne adds one child to the set, unless the set already has one or the game ends well for the defender.
func (p *prover) holdOne(f *frame, in map[node]struct{}, queue *[]node) (won, ok bool) {
	for i := range f.children {
		c := &f.children[i]
		if _, have := in[c.node]; c.ended && c.dn == 0 || have && !c.ended {
			return false, true
		}
	}
	children := slices.Clone(f.children)
	for pass := range 2 { // first what is known to be refuted, then what must be searched
		for i := range children {
			c := &children[i]
			if pass == 0 && c.dn != 0 {
				continue
			}
			if !p.settled(c) {
				return false, false
			}
			if c.dn == 0 {
				in[c.node] = struct{}{}
				*queue = append(*queue, c.node)
				return false, true
			}
		}
	}
	return true, false
}

// settled searches a child with unknown result. It reports whether the search gave an answer.
func (p *prover) settled(c *child) bool {
	if c.pn != 0 && c.dn != 0 {
		var s engines.State
		p.names.position(c.node.key, &s)
		c.pn, c.dn = p.search(&s, c.node)
	}
	return !p.stopped && (c.pn == 0 || c.dn == 0)
}
