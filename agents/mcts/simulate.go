package mcts

import (
	"context"
	"math"
	"time"

	"spar/engines"
)

// search runs simulations until a limit is reached or the root is proved, and returns their number.
func (t *tree) search(ctx context.Context, p *engines.Position, l Limits) int64 {
	t.plant(p)
	root := &t.nodes[t.root]
	if root.count == 0 {
		if t.follower != nil {
			t.follower.Follow(&t.rootPos)
		}
		t.expand(t.root, &t.rootPos)
	}
	t.restrictRoot(l.Root)
	if t.o.Noise > 0 {
		t.addNoise()
	}
	limit := l.Iterations
	if limit == 0 {
		limit = math.MaxInt64
	}
	n := int64(0)
	for ; n < limit; n++ {
		if n&63 == 0 && n > 0 && (ctx.Err() != nil || !l.Deadline.IsZero() && time.Now().After(l.Deadline)) {
			break
		}
		if t.nodes[t.root].proof != unproved {
			break
		}
		t.simulate()
	}
	return n
}

// restrictRoot takes moves away that may not be chosen.
func (t *tree) restrictRoot(allowed []engines.Move) {
	if len(allowed) == 0 {
		return
	}
	n := &t.nodes[t.root]
	kept := uint16(0)
	for i := range int32(n.count) {
		c := t.nodes[n.children+i]
		for _, m := range allowed {
			if c.move == m {
				t.nodes[n.children+int32(kept)] = c
				kept++
				break
			}
		}
	}
	n.count = kept
	n.proof = t.prove(n)
	t.haveRoot = false // a pruned tree is not for reuse
}

// simulate goes down the tree, adds to it, plays on and backs the result up.
func (t *tree) simulate() {
	s := &t.state
	s.CopyFrom(&t.rootPos)
	if t.follower != nil {
		t.follower.Follow(s)
	}
	at := t.root
	t.path = append(t.path[:0], at)
	t.played, t.sides = t.played[:0], t.sides[:0]
	base := len(t.seen)
	var points float64 // of the first player
	var proof uint8
	for {
		n := &t.nodes[at]
		if s.Over() {
			points, proof = s.Result().Score(engines.First), uint8(s.Result())
			break
		}
		if t.repeat > 0 && at != t.root && t.repeats(s.Hash()) {
			points = 0.5
			break
		}
		if n.proof != unproved && at != t.root {
			points, proof = engines.Result(n.proof).Score(engines.First), n.proof
			break
		}
		if n.count == 0 {
			if n.visits == 0 && at != t.root || len(t.nodes)+512 > t.o.MaxNodes {
				points = t.firstVisit(at, s)
				break
			}
			t.expand(at, s)
			n = &t.nodes[at]
			if n.proof != unproved && at != t.root {
				points, proof = engines.Result(n.proof).Score(engines.First), n.proof
				break
			}
		}
		child := t.selectChild(n)
		m := t.nodes[child].move
		if t.o.RAVE > 0 {
			t.played, t.sides = append(t.played, m), append(t.sides, uint8(s.Side()))
		}
		t.play(s, m)
		at = child
		t.path = append(t.path, at)
	}
	t.seen = t.seen[:base]
	t.backUp(points, proof)
}

// play makes a move of the simulation, and the cursor follows.
func (t *tree) play(s *engines.State, m engines.Move) {
	if t.follower == nil {
		s.Play(m)
		return
	}
	t.before.CopyFrom(s)
	s.Play(m)
	t.follower.Push(&t.before, s)
}

// repeats notes a position of the simulation and tells whether it has now occurred as often as the rules allow.
func (t *tree) repeats(h uint64) bool {
	n := 1
	for _, old := range t.seen {
		if old == h {
			n++
		}
	}
	t.seen = append(t.seen, h)
	return n >= t.repeat
}

// expand adds the children of a node. Where it values them, those that end the game are proved at once, and with them the node
// if they decide it.
func (t *tree) expand(at int32, s *engines.State) {
	t.moves = s.AppendMoves(t.moves[:0])
	side := s.Side()
	first := int32(len(t.nodes))
	for _, m := range t.moves {
		t.nodes = append(t.nodes, node{move: m, side: uint8(side), prior: 0.5, implicit: 0.5})
	}
	n := &t.nodes[at]
	n.children, n.count = first, uint16(len(t.moves))
	if !t.needEval {
		return
	}
	t.kids = t.cursor.Children(s, t.moves, side, t.kids[:0])
	sum := 0.0
	best := 0.0
	over := false // a move ends the game
	for i := range t.moves {
		c := &t.nodes[first+int32(i)]
		value, result := t.kids[i].Value, t.kids[i].Result
		score := result.Score(side)
		if result == engines.Ongoing {
			score = t.model.Score(value)
		} else if t.o.Solver {
			c.proof, over = uint8(result), true
		}
		c.prior, c.implicit = float32(score), float32(score)
		if t.known && side == engines.First && result == engines.Ongoing {
			c.points = score
		}
		best = max(best, score)
		sum += math.Exp(4 * score)
	}
	if over {
		n.proof = t.prove(n)
	}
	if t.o.Selection == "puct" { // a softmax over scores
		for i := range t.moves {
			c := &t.nodes[first+int32(i)]
			c.prior = float32(math.Exp(4*float64(c.prior)) / sum)
		}
	}
	if t.o.Implicit > 0 && at != t.root {
		n.implicit = float32(best)
		if int(n.side) != side {
			n.implicit = 1 - n.implicit
		}
	}
}

// selectChild returns the child that the selection rule likes best.
func (t *tree) selectChild(n *node) int32 {
	o := &t.o
	children := t.nodes[n.children : n.children+int32(n.count)]
	bestValue, best := float32(math.Inf(-1)), 0
	visits := float32(n.visits) + 1
	explore := float32(o.Exploration)
	log := explore * explore * t.logOf(n.visits+1)
	root := explore * float32(math.Sqrt(float64(visits)))
	fpu := float32(o.FPU)
	if fpu < 0 {
		fpu = 0.5
		if n.visits > 0 {
			fpu = float32(n.points / float64(n.visits))
			if len(children) > 0 && children[0].side != n.side {
				fpu = 1 - fpu
			}
		}
	}
	plain := o.Selection != "puct" && o.RAVE == 0 && o.Bias == 0 && o.Implicit == 0
	unvisited := 0
	for i := range children {
		c := &children[i]
		if c.proof != unproved {
			if c.proof == provedFirst+c.side {
				return n.children + int32(i) // a proved win of the chooser
			}
			if c.proof != provedDraw {
				if bestValue == float32(math.Inf(-1)) {
					best = i
				}
				continue // a proved loss is taken only when nothing else is left
			}
		}
		var v float32
		switch {
		case plain && c.visits > 0:
			inverse := 1 / float32(c.visits)
			v = float32(float32(c.points)*inverse) + sqrt32(log*inverse) // products are rounded, so that no machine fuses them into a sum
		case plain:
			v = fpu
		default:
			v = t.value(c, fpu, log, root)
		}
		if v > bestValue {
			bestValue, best, unvisited = v, i, 1
		} else if v == bestValue && c.visits == 0 { // among moves never tried draw one uniformly
			unvisited++
			if t.rng.Uint32N(uint32(unvisited)) == 0 {
				best = i
			}
		}
	}
	return n.children + int32(best)
}

// logOf is the natural logarithm of a number of visits; small ones, nearly all, come from a table.
func (t *tree) logOf(n int32) float32 {
	if int(n) < len(t.logs) {
		return t.logs[n]
	}
	return float32(math.Log(float64(n)))
}

func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// value is the selection value of a child with the refinements.
func (t *tree) value(c *node, fpu, log, root float32) float32 {
	o := &t.o
	q := fpu
	n := float32(c.visits)
	if c.visits > 0 {
		q = float32(c.points) / n
	}
	if o.RAVE > 0 && c.amafN > 0 {
		beta := sqrt32(float32(o.RAVE) / (float32(3*n) + float32(o.RAVE)))
		q = float32((1-beta)*min(q, 1)) + float32(beta*c.amaf)/float32(c.amafN)
	}
	if o.Implicit > 0 {
		q = float32((1-float32(o.Implicit))*min(q, 1)) + float32(float32(o.Implicit)*c.implicit)
	}
	if o.Selection == "puct" {
		return q + float32(c.prior*root)/(1+n)
	}
	if o.Bias > 0 {
		q += float32(float32(o.Bias)*c.prior) / (n + 1)
	}
	if c.visits > 0 {
		q += sqrt32(log / n)
	} else if o.RAVE > 0 || o.Bias > 0 || o.Implicit > 0 {
		q += sqrt32(log) // as if tried once
	}
	return q
}

// firstVisit is rollout for a node that may know what it brings.
func (t *tree) firstVisit(at int32, s *engines.State) float64 {
	if n := &t.nodes[at]; n.visits == 0 && n.points != 0 {
		return n.points
	}
	return t.rollout(s)
}

// rollout plays on from a leaf and returns the points of the first player.
func (t *tree) rollout(s *engines.State) float64 {
	o := &t.o
	if o.Rollout == "none" {
		return t.static(s)
	}
	if o.Rollout != "tactical" && o.Rollout != "greedy" && o.Plies == 0 && o.RAVE == 0 {
		r, _ := t.playouts.Run(s)
		return r.Score(engines.First)
	}
	for plies := 0; !s.Over(); plies++ {
		if o.Plies > 0 && plies >= o.Plies {
			return t.static(s)
		}
		m := t.rolloutMove(s)
		if o.RAVE > 0 {
			t.played, t.sides = append(t.played, m), append(t.sides, uint8(s.Side()))
		}
		t.play(s, m)
		if plies > 20_000 {
			return 0.5
		}
	}
	return s.Result().Score(engines.First)
}

// static is the evaluation as points of the first player.
func (t *tree) static(s *engines.State) float64 {
	return t.model.Score(t.cursor.Value(s, engines.First))
}

func (t *tree) rolloutMove(s *engines.State) engines.Move {
	switch t.o.Rollout {
	case "tactical":
		if b := s.WinningPlacements(); !b.Empty() {
			return engines.PlaceMove(b.First())
		}
		if b := s.BlockingPlacements(); !b.Empty() {
			return engines.PlaceMove(b.First())
		}
	case "greedy":
		if t.rng.Float64() >= t.o.Epsilon {
			return t.greedyMove(s)
		}
	}
	return t.playouts.Random(s)
}

func (t *tree) greedyMove(s *engines.State) engines.Move {
	t.moves = s.AppendMoves(t.moves[:0])
	side := s.Side()
	best, bestValue, ties := t.moves[0], math.Inf(-1), uint32(1)
	t.kids = t.cursor.Children(s, t.moves, side, t.kids[:0])
	for i, m := range t.moves {
		v := t.kids[i].Value
		switch t.kids[i].Result {
		case engines.Winner(side):
			return m
		case engines.Winner(1 - side):
			v = -1e9
		}
		switch {
		case v > bestValue:
			best, bestValue, ties = m, v, 1
		case v == bestValue:
			ties++
			if t.rng.Uint32N(ties) == 0 {
				best = m
			}
		}
	}
	return best
}

// backUp adds the result to the path, proves what can be proved, and updates the statistics of RAVE and implicit minimax.
func (t *tree) backUp(points float64, proof uint8) {
	if t.o.RAVE > 0 {
		t.amafSim++
	}
	last := len(t.path) - 1
	if proof != unproved && t.o.Solver && last > 0 {
		t.nodes[t.path[last]].proof = proof
	}
	for i := last; i >= 0; i-- {
		n := &t.nodes[t.path[i]]
		if n.visits == 0 {
			n.points = 0
		}
		n.visits++
		if n.side == engines.First {
			n.points += points
		} else {
			n.points += 1 - points
		}
		if i == last {
			if t.o.RAVE > 0 {
				t.markPlayed(i)
			}
			continue
		}
		if t.o.Solver && n.proof == unproved && t.nodes[t.path[i+1]].proof != unproved {
			n.proof = t.prove(n)
		}
		if t.o.Implicit > 0 {
			t.backImplicit(n)
		}
		if t.o.RAVE > 0 {
			t.updateAMAF(n, i, points)
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

func amafIndex(m engines.Move) int { return int(m) & (1<<14 - 1) }

// markPlayed marks the moves of the rollout below the last node of the path.
func (t *tree) markPlayed(from int) {
	for i := from; i < len(t.played); i++ {
		t.amafMark[t.sides[i]][amafIndex(t.played[i])] = t.amafSim
	}
}

// updateAMAF credits the children whose move their chooser played at the node or later in the simulation.
func (t *tree) updateAMAF(n *node, depth int, points float64) {
	t.amafMark[t.sides[depth]][amafIndex(t.played[depth])] = t.amafSim
	for i := range int32(n.count) {
		c := &t.nodes[n.children+i]
		if t.amafMark[c.side][amafIndex(c.move)] == t.amafSim {
			c.amafN++
			if c.side == engines.First {
				c.amaf += float32(points)
			} else {
				c.amaf += float32(1 - points)
			}
		}
	}
}

// addNoise mixes Dirichlet noise into the priors of the root.
func (t *tree) addNoise() {
	n := &t.nodes[t.root]
	alpha := t.o.NoiseAlpha
	if alpha == 0 {
		alpha = 10 / float64(max(1, n.count))
	}
	t.values = t.values[:0]
	sum := 0.0
	for range n.count {
		g := t.gamma(alpha)
		t.values = append(t.values, g)
		sum += g
	}
	for i, g := range t.values {
		c := &t.nodes[n.children+int32(i)]
		c.prior = float32(float64((1-t.o.Noise)*float64(c.prior)) + float64(t.o.Noise*g)/max(sum, 1e-300))
	}
}

// gamma draws from a gamma distribution of that shape (Marsaglia and Tsang 2000; for shapes below 1 with a uniform power).
func (t *tree) gamma(shape float64) float64 {
	if shape < 1 {
		return t.gamma(shape+1) * math.Pow(t.rng.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := t.rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-t.rng.Float64()) < float64(x*x)/2+d-float64(d*v)+float64(d*math.Log(v)) {
			return d * v
		}
	}
}
