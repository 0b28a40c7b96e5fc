package solve

import (
	"spar/engines"
)

// infinite is the proof number of a refuted node and the disproof number of a proved one. Sums are limited to less
// than it.
const infinite = 1<<32 - 1

// deepest is the maximum length of a path. Longer paths are treated as not won until certify confirms that.
const deepest = 1 << 12

// frame is one ply of the search.
type frame struct {
	state    engines.State
	moves    []engines.Move
	children []child
	best     engines.Move // for a proved node in which the attacker moves: a winning move
}

type child struct {
	node   node
	move   engines.Move
	ended  bool
	pn, dn uint32
}

// search searches a position as a root. It returns a proof number of 0 if the attacker wins, and a disproof number
// of 0 if the attacker seems not to win. If neither is 0, the budget is spent.
func (p *prover) search(s *engines.State, n node) (pn, dn uint32) {
	clear(p.path)
	f := p.frame(0)
	f.state.CopyFrom(s)
	return p.deepen(0, n, infinite, infinite)
}

func (p *prover) frame(depth int) *frame {
	for len(p.frames) <= depth {
		p.frames = append(p.frames, &frame{})
	}
	return p.frames[depth]
}

// deepen searches the position of a frame until its proof or disproof number reaches the threshold.
func (p *prover) deepen(depth int, n node, mostPN, mostDN uint32) (pn, dn uint32) {
	if !p.budget.spend() {
		p.stopped = true
		return 1, 1
	}
	f := p.frame(depth)
	p.path[n] = struct{}{}
	defer delete(p.path, n)
	p.expand(f, n, depth)
	before := p.budget.used
	for {
		var i int
		var second uint32
		pn, dn, i, second = f.numbers(n.attacks)
		if pn >= mostPN || dn >= mostDN || pn == 0 || dn == 0 || p.stopped {
			if pn == 0 && n.attacks {
				f.best = f.children[i].move
			}
			if !p.stopped {
				p.table.store(n, pn, dn, p.budget.used-before+1)
			}
			return pn, dn
		}
		c := &f.children[i]
		// The child may grow until another one is better (and a little more, so that the search does not jump between
		// two: the 1+epsilon trick of Pawlewicz and Lew, 2006), or until the node's own threshold is reached.
		another := second + second/4
		if another < infinite-1 {
			another++
		}
		limitPN, limitDN := min(mostPN, another), limit(mostDN, dn, c.dn)
		if !n.attacks {
			limitPN = limit(mostPN, pn, c.pn)
			limitDN = min(mostDN, another)
		}
		next := p.frame(depth + 1)
		next.state.CopyFrom(&f.state)
		next.state.Play(c.move)
		c.pn, c.dn = p.deepen(depth+1, c.node, limitPN, limitDN)
		p.refresh(f, i)
	}
}

// limit returns the threshold for one term of a sum.
func limit(most, sum, term uint32) uint32 {
	if most == infinite {
		return infinite
	}
	return most - (sum - term)
}

// expand plays every move of a frame.
func (p *prover) expand(f *frame, n node, depth int) {
	f.children = f.children[:0]
	f.moves = f.state.AppendMoves(f.moves[:0])
	side := f.state.Side()
	attacker := side
	if !n.attacks {
		attacker = 1 - side
	}
	next := &p.frame(depth + 1).state
	for _, m := range f.moves {
		next.CopyFrom(&f.state)
		next.Play(m)
		c := child{move: m, ended: true, pn: infinite}
		if next.Over() {
			if next.Result() == engines.Winner(attacker) {
				c.pn, c.dn = 0, infinite
			}
		} else {
			k, ok := p.names.of(next)
			p.stopped = p.stopped || p.names.full()
			c.ended = !ok // the search has stopped, or the line counts as not won: it cannot be
			c.node = node{k, next.Side() == attacker}
			if ok {
				c.pn, c.dn = p.look(c.node, depth)
			}
		}
		f.children = append(f.children, c)
	}
}

// look returns the stored numbers of a node at the end of the path.
func (p *prover) look(n node, depth int) (pn, dn uint32) {
	if _, ok := p.proved[n]; ok {
		return 0, infinite
	}
	pn, dn = p.table.load(n)
	if pn == 0 {
		return pn, dn
	}
	if _, repeats := p.path[n]; repeats || depth+2 >= deepest {
		return infinite, 0
	}
	return pn, dn
}

// refresh updates the other children with results that the search of child i has stored.
func (p *prover) refresh(f *frame, i int) {
	for j := range f.children {
		c := &f.children[j]
		if j == i || c.ended || c.pn == 0 || c.dn == 0 {
			continue
		}
		if pn, dn := p.table.load(c.node); pn == 0 || dn == 0 {
			c.pn, c.dn = pn, dn
		}
	}
}

// numbers computes a node's numbers from its children. It also returns the child to search next, and the second
// smallest of the numbers that decided the choice.
func (f *frame) numbers(attacks bool) (pn, dn uint32, best int, second uint32) {
	least, sum := uint32(infinite), uint64(0)
	second = infinite
	ties := uint32(infinite)
	endless := false // a term of the sum is infinite
	for i := range f.children {
		c := &f.children[i]
		value, term := c.pn, c.dn
		if !attacks {
			value, term = c.dn, c.pn
		}
		if i == 0 || value < least || value == least && term < ties {
			if i > 0 {
				second = least
			}
			least, best, ties = value, i, term
		} else if value < second {
			second = value
		}
		endless = endless || term == infinite
		sum += uint64(term)
	}
	total := uint32(min(sum, infinite-1))
	if endless || least == 0 {
		total = infinite
	}
	if attacks {
		return least, total, best, second
	}
	return total, least, best, second
}
