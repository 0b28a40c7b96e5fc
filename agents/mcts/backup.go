package mcts

import "spar/engines"

// backUp adds the result to the nodes of the path from the last one up to the top, proves outcomes if it can, and
// updates the statistics of RAVE and implicit minimax. Proof is the outcome of the last node. If threads share the
// tree, share records the outcome of the top instead.
func (w *walker) backUp(points float64, proof uint8) {
	last, top := len(w.path)-1, w.top
	if last == 0 || !w.o.Solver {
		proof = unproved
	}
	implicit := float32(0)
	if w.o.RAVE > 0 {
		w.amafSim++
		w.markPlayed(last)
	}
	blocks, path := w.blocks, w.path // read once
	learns := w.o.Implicit > 0 || w.o.RAVE > 0
	w.own.points += points
	if !learns && proof == unproved { // nothing but the result to add
		for _, at := range path[top:] {
			n := nodeAt(blocks, at)
			n.visits++
			n.add(points, 1)
		}
		return
	}
	for i := last; i >= top; i-- {
		n := nodeAt(blocks, path[i])
		n.visits++
		n.add(points, 1)
		if n.proof == owned {
			if w.own.proof == unproved {
				w.own.proof = proof
			}
			w.own.implicit = n.implicit
			if i < last && w.o.Implicit > 0 {
				w.own.implicit = implicit
			}
			return
		}
		if n.proof == unproved && proof != unproved {
			n.prove(proof)
		}
		proof = n.proof
		if i < last && w.o.Implicit > 0 {
			n.implicit = implicit
		}
		if i > top && (learns || proof != unproved) { // what the node above learns from it
			parent := nodeAt(blocks, path[i-1])
			if proof != unproved && w.o.Solver {
				proof = w.prove(parent)
			}
			if w.o.Implicit > 0 {
				implicit = w.implicit(parent)
			}
			if w.o.RAVE > 0 {
				w.updateAMAF(parent, i-1, points)
			}
		}
	}
}

// prove records the outcome of a node.
func (n *node) prove(proof uint8) {
	n.proof = proof
	n.implicit = float32(engines.Result(proof).Score(int(n.side)))
}

// add adds the results of a number of games, given the first player's points.
func (n *node) add(points, games float64) {
	if n.side == engines.First {
		n.points += points
	} else {
		n.points += games - points
	}
}

// prove derives the outcome of a node from its children: one child that wins for the chooser is enough; otherwise
// all children must be proved, and the chooser prefers a draw to a loss.
func (t *tree) prove(n *node) uint8 {
	result, open := uint8(unproved), n.partial
	children := t.children(n)
	for i := range children {
		c := &children[i]
		switch {
		case c.proof == provedFirst+c.side:
			return c.proof
		case c.proof == unproved || c.proof == owned:
			open = true
		case c.proof == provedDraw || result == unproved:
			result = c.proof
		}
	}
	if open {
		return unproved
	}
	return result
}

// implicit returns the value of a node's best child, for the side that chose the node.
func (t *tree) implicit(n *node) float32 {
	best, side := float32(0), n.side
	children := t.children(n)
	for i := range children {
		c := &children[i]
		best, side = max(best, c.implicit), c.side
	}
	if side != n.side {
		best = 1 - best
	}
	return best
}

// amafMoves is the number of distinct moves for the all-moves-as-first statistics, which ignore the kind of a
// move.
const amafMoves = engines.CellSpace * engines.CellSpace

func amafIndex(m engines.Move) int { return int(m) & (amafMoves - 1) }

// markPlayed marks the moves of the rollout after the last node of the path.
func (w *walker) markPlayed(from int) {
	for i := from; i < len(w.played); i++ {
		w.amafMark[w.sides[i]][amafIndex(w.played[i])] = w.amafSim
	}
}

// updateAMAF credits the children whose move the same side played at the node or later in the simulation.
func (w *walker) updateAMAF(n *node, depth int, points float64) {
	w.amafMark[w.sides[depth]][amafIndex(w.played[depth])] = w.amafSim
	children := w.children(n)
	for i := range children {
		c := &children[i]
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
