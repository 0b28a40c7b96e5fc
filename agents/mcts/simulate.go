package mcts

import (
	"math"
	"slices"

	"spar/agents/pace"
	"spar/engines"
	"spar/engines/threats"
)

// prepare makes the root ready for a search. It proves a win by threats there, if it finds one.
func (w *walker) prepare(l Limits) {
	if root := w.node(w.root); root.count == 0 {
		w.value(&w.rootPos)
		root.proof = w.attach(root, w.tree.room(len(w.fresh)))
	}
	if w.finder != nil {
		w.proveWin(l.Iterations)
	}
	w.restrictRoot(l.Root)
	if w.o.Noise > 0 && (w.o.Selection == "puct" || w.o.Bias > 0) { // nothing else has priors
		w.addNoise()
	}
}

// proveWin looks for a win by threats at the root. It examines at most the given number of positions, each of
// which costs less than a simulation.
func (w *walker) proveWin(simulations int64) {
	budget := threats.Budget
	if simulations > 0 {
		budget = int(min(simulations, threats.Budget))
	}
	m, plies, looked := w.finder.Win(&w.rootPos, budget)
	w.watch.Spend(min(looked, pace.Step))
	if plies == 0 {
		return
	}
	root := w.node(w.root)
	side := w.rootPos.Side()
	w.node(w.find(w.root, m)).proof = uint8(engines.Winner(side))
	root.proof = w.prove(root)
}

// search runs simulations until the threads together have started the limit, the time is over, or the root is
// proved. It runs at least one.
func (w *walker) search(limit int64) {
	if w.team.shared {
		for w.burst(limit) {
		}
		return
	}
	t := w.tree
	w.base.CopyFrom(&t.rootPos)
	w.path, w.top = append(w.path[:0], t.root), 0
	w.line = append(w.line[:0], t.seen...)
	w.baseLine = len(w.line)
	for t.started < limit && t.node(t.root).proof == unproved {
		t.started++
		w.simulate()
		if w.watch.Spend(1) {
			return
		}
	}
}

// restrictRoot removes the moves that may not be chosen.
func (t *tree) restrictRoot(allowed []engines.Move) {
	if len(allowed) == 0 {
		return
	}
	n := t.node(t.root)
	n.count = uint16(len(slices.DeleteFunc(t.children(n), func(c node) bool {
		return !slices.Contains(allowed, c.move)
	})))
	n.proof = t.prove(n)
	t.haveRoot = false // a pruned tree is not for reuse
}

// simulate runs one simulation: down the tree from the top of the path, a rollout, and the result back to the top.
func (w *walker) simulate() {
	w.state.CopyFrom(&w.base)
	w.path = w.path[:w.top+1]
	w.line = w.line[:w.baseLine]
	if w.o.RAVE > 0 {
		w.played, w.sides = w.played[:w.top], w.sides[:w.top]
	}
	points, proof := w.descend(&w.state)
	w.backUp(points, proof)
	w.watch.Spend(len(w.path))
}

// descend goes from the top to a node that is new or has a known value. It returns the first player's points and
// the outcome that is proved for that node.
func (w *walker) descend(s *engines.State) (points float64, proof uint8) {
	t := w.tree
	repeats, start := t.repeat > 0, t.root // read once: the loop is the hottest of all
	blocks := t.blocks
	at := w.path[w.top]
	n := nodeAt(blocks, at)
	// of one without visits: the points that it will bring, if they are known, else 0
	visits, points, proof := n.visits, n.points, n.proof
	if proof == owned {
		proof = w.own.proof
	}
	for {
		if visits == 0 {
			n.points = 0
		}
		root := at == start
		switch {
		case s.Over():
			return s.Result().Score(engines.First), uint8(s.Result())
		case root:
		case repeats && w.repeats(s.Hash()):
			return t.g.Repeated(int(n.side)).Score(engines.First), unproved
		case proof != unproved:
			return engines.Result(proof).Score(engines.First), proof
		}
		if n.count == 0 {
			if visits == 0 && !root || w.full() {
				if visits > 0 || points == 0 {
					points = w.rollout(s)
				} else if w.both { // the chooser's view is known
					w.follow(s)
					points = (points + w.view(s, 1-int(n.side))) / 2
				}
				return points, unproved
			}
			w.value(s)
			first, ok := w.room(len(w.fresh))
			if !ok {
				return w.rollout(s), unproved
			}
			if proof := w.attach(n, first); proof != unproved && !root {
				return engines.Result(proof).Score(engines.First), proof
			}
		}
		at = w.selectChild(n, visits, points)
		n = nodeAt(blocks, at)
		visits, points, proof = n.visits, n.points, n.proof
		if t.o.RAVE > 0 {
			w.played, w.sides = append(w.played, n.move), append(w.sides, uint8(s.Side()))
		}
		s.Play(n.move)
		w.path = append(w.path, at)
	}
}

// follow moves the cursor to a position that needs a value. Most positions of a simulation need none.
func (w *walker) follow(s *engines.State) {
	if w.follower != nil {
		w.follower.Follow(s)
	}
}

// repeats records a position of the simulation and reports whether it has occurred often enough to end the game.
func (w *walker) repeats(h uint64) bool {
	n := 1
	for _, old := range w.line {
		if old == h {
			n++
		}
	}
	w.line = append(w.line, h)
	return n >= w.repeat
}

// value lists the children of a position and computes their values if the search needs them. Children that end the game
// are proved at once.
func (w *walker) value(s *engines.State) {
	w.moves = s.AppendMoves(w.moves[:0])
	w.watch.Spend(len(w.moves))
	w.keepUrgent(s)
	w.partial = false
	side := s.Side()
	w.fresh = w.fresh[:0]
	if w.forcing {
		if m := w.force(s); m != engines.NoMove {
			w.fresh = append(w.fresh, node{
				move:     m,
				side:     uint8(side),
				prior:    1,
				implicit: 1,
				proof:    uint8(engines.Winner(side)),
			})
			return
		}
	}
	for _, m := range w.moves {
		w.fresh = append(w.fresh, node{
			move:     m,
			side:     uint8(side),
			prior:    0.5,
			implicit: 0.5,
		})
	}
	if !w.needEval {
		return
	}
	w.follow(s)
	if w.policy != nil {
		w.priors = w.policy.Policy(s, w.moves, w.priors[:0])
		for i, p := range w.priors {
			c := &w.fresh[i]
			if c.prior = float32(p.Share); w.o.Solver {
				c.proof = uint8(p.Result)
			}
			if w.known && p.Score > 0 {
				c.points = engines.OfFirst(p.Score, side)
			}
		}
		return
	}
	w.kids = w.cursor.Children(s, w.moves, side, w.kids[:0])
	sum, sharp := 0.0, w.o.sharpness()
	for i := range w.fresh {
		c := &w.fresh[i]
		result := w.kids[i].Result
		score := result.Score(side)
		if result == engines.Ongoing {
			score = w.model.Score(w.kids[i].Value)
		} else if w.o.Solver {
			c.proof = uint8(result)
		}
		c.prior, c.implicit = float32(score), float32(score)
		if w.known && result == engines.Ongoing && (w.both || side == engines.First) {
			c.points = engines.OfFirst(score, side)
		}
		sum += math.Exp(sharp * score)
	}
	if w.o.Selection == "puct" { // a softmax over scores
		for i := range w.fresh {
			c := &w.fresh[i]
			c.prior = float32(math.Exp(sharp*float64(c.prior)) / sum)
		}
	}
}

// keepUrgent drops listed moves that are certain to lose, under rules for which tactical rollouts exist. If the
// side to move can complete a line or has to stop one, it drops all moves that do not. It also drops moves that
// complete a line that loses.
func (w *walker) keepUrgent(s *engines.State) {
	if w.o.Rollout != "tactical" || !w.playouts.Tactics() || s.PliesLeft() > 1 {
		return
	}
	keep := s.WinningPlacements()
	if keep.Empty() {
		keep = s.BlockingPlacements()
	}
	if keep.Empty() {
		keep = s.SafePlacements()
	}
	loses := func(m engines.Move) bool { return !m.IsPlacement() || !keep.Has(m.To()) }
	if !keep.Empty() {
		w.moves = slices.DeleteFunc(w.moves, loses)
	}
}

// nodeThreats is the number of positions to search for threats of each side at a node. Together they cost about as much
// as the values of the moves.
const nodeThreats = 40

// force returns a move that wins by continuous threats. If it finds none, it removes listed moves after which the other
// side wins so.
func (w *walker) force(s *engines.State) engines.Move {
	m, plies, looked := w.finder.Win(s, nodeThreats)
	if plies > 0 {
		return m
	}
	zone, more := w.finder.Defence(s, nodeThreats)
	w.watch.Spend((looked + more) / 4)
	if zone.Empty() {
		zone = w.finder.Near(s)
		w.partial = true
	}
	all := len(w.moves)
	w.moves = slices.DeleteFunc(w.moves, func(m engines.Move) bool {
		return !zone.Has(m.To() & engines.CellMask)
	})
	w.partial = w.partial && len(w.moves) < all
	return engines.NoMove
}

// attach adds the listed children to a node and returns the outcome that they prove.
func (w *walker) attach(n *node, first int32) (proof uint8) {
	t := w.tree
	n.children, n.count, n.partial = first, uint16(len(w.fresh)), w.partial
	copy(t.children(n), w.fresh)
	if w.needEval {
		for i := range w.fresh {
			if w.fresh[i].proof != unproved {
				return t.prove(n)
			}
		}
	}
	return unproved
}

// rollout plays random moves from a leaf and returns the points of the first player.
func (w *walker) rollout(s *engines.State) float64 {
	o := &w.o
	if o.Rollout == "none" {
		return w.static(s)
	}
	if o.Rollout != "tactical" && o.Rollout != "greedy" && o.Plies == 0 && o.RAVE == 0 {
		r, plies := w.playouts.Run(s)
		w.watch.Spend(plies / 4)
		return r.Score(engines.First)
	}
	if o.Rollout == "tactical" {
		if r, moves, sides, ok := w.playouts.Tactical(&w.rootPos, s); ok {
			if o.RAVE > 0 {
				w.played, w.sides = append(w.played, moves...), append(w.sides, sides...)
			}
			w.watch.Spend(len(moves) / 4)
			return r.Score(engines.First)
		}
	}
	for plies := 0; !s.Over(); plies++ {
		if o.Plies > 0 && plies >= o.Plies || w.watch.Spend(1) { // when the time is up the rest is guessed
			return w.static(s)
		}
		m := w.rolloutMove(s)
		if o.RAVE > 0 {
			w.played, w.sides = append(w.played, m), append(w.sides, uint8(s.Side()))
		}
		s.Play(m)
		if plies > 20_000 {
			return 0.5
		}
	}
	return s.Result().Score(engines.First)
}

// static returns the evaluation as points of the first player.
func (w *walker) static(s *engines.State) float64 {
	w.follow(s)
	points := w.view(s, engines.First)
	if w.both {
		points = (points + w.view(s, engines.Second)) / 2
	}
	return points
}

// view returns the evaluation from a side's view as points of the first player.
func (w *walker) view(s *engines.State, side int) float64 {
	return engines.OfFirst(w.model.Score(w.cursor.Value(s, side)), side)
}

func (w *walker) rolloutMove(s *engines.State) engines.Move {
	switch w.o.Rollout {
	case "tactical":
		if b := s.WinningPlacements(); !b.Empty() {
			return engines.PlaceMove(b.First())
		}
		if b := s.BlockingPlacements(); !b.Empty() {
			return engines.PlaceMove(b.First())
		}
		if b := s.SafePlacements(); !b.Empty() {
			return engines.PlaceMove(b.Nth(w.rng.IntN(b.Count())))
		}
	case "greedy":
		if w.rng.Float64() >= w.o.Epsilon {
			return w.greedyMove(s)
		}
	}
	return w.playouts.Move(s)
}

func (w *walker) greedyMove(s *engines.State) engines.Move {
	w.moves = s.AppendMoves(w.moves[:0])
	w.watch.Spend(len(w.moves))
	side := s.Side()
	best, bestValue, ties := w.moves[0], math.Inf(-1), uint32(1)
	w.follow(s)
	w.kids = w.cursor.Children(s, w.moves, side, w.kids[:0])
	for i, m := range w.moves {
		v := w.kids[i].Value
		switch w.kids[i].Result {
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
			if w.rng.Uint32N(ties) == 0 {
				best = m
			}
		}
	}
	return best
}

// addNoise mixes Dirichlet noise into the priors of the root.
func (w *walker) addNoise() {
	n := w.node(w.root)
	alpha := w.o.NoiseAlpha
	if alpha == 0 {
		alpha = 10 / float64(max(1, n.count))
	}
	w.values = w.values[:0]
	sum := 0.0
	for range n.count {
		g := w.gamma(alpha)
		w.values = append(w.values, g)
		sum += g
	}
	for i, g := range w.values {
		c := &w.children(n)[i]
		c.prior = float32(float64((1-w.o.Noise)*float64(c.prior)) + float64(w.o.Noise*g)/max(sum, 1e-300))
	}
}

// gamma draws from a gamma distribution with the given shape (Marsaglia and Tsang 2000; for shapes below 1 the
// result is multiplied by a power of a uniform number).
func (w *walker) gamma(shape float64) float64 {
	if shape < 1 {
		return w.gamma(shape+1) * math.Pow(w.rng.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := w.rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-w.rng.Float64()) < float64(x*x)/2+d-float64(d*v)+float64(d*math.Log(v)) {
			return d * v
		}
	}
}
