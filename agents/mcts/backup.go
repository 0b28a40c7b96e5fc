package mcts

import "spar/engines"

// backUp adds the result to the path, proves what can be proved, and updates the statistics of RAVE and implicit minimax.
func (w *walker) backUp(points float64, proof uint8) {
	if w.o.RAVE > 0 {
		w.amafSim++
	}
	last := len(w.path) - 1
	if proof != unproved && w.o.Solver && last > 0 {
		w.nodes[w.path[last]].proof = proof
	}
	for i := last; i >= 0; i-- {
		n := &w.nodes[w.path[i]]
		if !w.shared {
			n.visits++
		}
		if n.side == engines.First {
			n.points += points
		} else {
			n.points += 1 - points
		}
		if i == last {
			if w.o.RAVE > 0 {
				w.markPlayed(i)
			}
			continue
		}
		if w.o.Solver && n.proof == unproved && w.nodes[w.path[i+1]].proof != unproved {
			n.proof = w.prove(n)
		}
		if w.o.Implicit > 0 {
			w.backImplicit(n)
		}
		if w.o.RAVE > 0 {
			w.updateAMAF(n, i, points)
		}
	}
}

// prove derives the outcome of a node from its children: a win of the chooser in one child is enough; otherwise all children
// must be proved, and a draw is better for the chooser than a loss.
func (t *tree) prove(n *node) uint8 {
	result := uint8(unproved)
	for i := range int32(n.count) {
		c := &t.nodes[n.children+i]
		switch {
		case c.proof == unproved:
			result = provedDraw + 1 // not all are proved
		case c.proof == provedFirst+c.side:
			return c.proof
		case result == provedDraw+1:
		case c.proof == provedDraw:
			result = provedDraw
		case result == unproved:
			result = c.proof
		}
	}
	if result > provedDraw {
		return unproved
	}
	return result
}

func (t *tree) backImplicit(n *node) {
	best, side := float32(0), n.side
	for i := range int32(n.count) {
		c := &t.nodes[n.children+i]
		best, side = max(best, c.implicit), c.side
	}
	if side != n.side {
		best = 1 - best
	}
	n.implicit = best
}

// amafMoves is the number of moves that differ but for their kind.
const amafMoves = engines.CellSpace * engines.CellSpace

func amafIndex(m engines.Move) int { return int(m) & (amafMoves - 1) }

// markPlayed marks the moves of the rollout below the last node of the path.
func (w *walker) markPlayed(from int) {
	for i := from; i < len(w.played); i++ {
		w.amafMark[w.sides[i]][amafIndex(w.played[i])] = w.amafSim
	}
}

// updateAMAF credits the children whose move their chooser played at the node or later in the simulation.
func (w *walker) updateAMAF(n *node, depth int, points float64) {
	w.amafMark[w.sides[depth]][amafIndex(w.played[depth])] = w.amafSim
	for i := range int32(n.count) {
		c := &w.nodes[n.children+i]
		if w.amafMark[c.side][amafIndex(c.move)] == w.amafSim {
			c.amafN++
			if c.side == engines.First {
				c.amaf += float32(points)
			} else {
				c.amaf += float32(1 - points)
			}
		}
	}
}
