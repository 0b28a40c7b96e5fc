package mcts

import "sync"

// team keeps the threads that search one tree apart. A thread goes down from the root under the lock, as long as
// nodes have many visits, and then owns what lies below: there it makes some simulations as if it were alone, while
// no other chooses that node, and tells their sum to the nodes above under the lock again. Until then they count as
// losses of who chose, so that the next thread goes elsewhere. One simulation at a time, with a lock for each node,
// was slower with two threads than with one: every result is written to the same nodes near the root, which wander
// from core to core.
type team struct {
	shared bool
	mu     sync.Mutex // guards what nobody owns, the number of nodes and what follows
	told   sync.Cond  // a thread has told what it has found
}

func (t *team) init(shared bool) {
	t.shared = shared
	t.told.L = &t.mu
}

// share is what a thread has of a tree: a node that it owns, what simulations there have brought, and room for new
// nodes.
type share struct {
	points      float64 // of the first player, of all simulations
	proof       uint8   // of the node
	implicit    float32
	room, limit int32 // of new nodes: the next, and where they end
	most        int32 // children that a node has had
}

// A node is owned below a path of nodes with so many visits, and a part of its own visits is added before others hear
// of it.
const (
	ownedBelow = 256
	burstPart  = 8
	burstMost  = 32
)

// burst makes some simulations. It returns false when the search is over.
func (w *walker) burst(limit int64) bool {
	t := w.tree
	t.team.mu.Lock()
	games := int64(0)
	for {
		if t.node(t.root).proof != unproved && t.node(t.root).proof != owned || t.started >= limit {
			t.team.mu.Unlock()
			return false
		}
		if w.goDown() {
			games = min(max(int64(t.node(w.path[w.top]).visits)/burstPart, 1), burstMost, limit-t.started)
			if w.o.RAVE > 0 {
				games = 1 // nodes above learn from the moves of each
			}
			w.reserve(int(games))
			break
		}
		t.team.told.Wait()
	}
	t.started += games
	w.take(int32(games))
	t.team.mu.Unlock()

	made, over := int64(0), false
	for made < games && !over && (made == 0 || w.own.proof == unproved) {
		w.simulate()
		made++
		over = w.watch.Spend(1)
	}

	t.team.mu.Lock()
	t.started -= games - made
	w.tell(int32(games), int32(made))
	t.team.mu.Unlock()
	t.team.told.Broadcast()
	return !over
}

// goDown makes the path to a node that simulations may begin at. It returns false where the choice is one that
// another thread owns.
func (w *walker) goDown() bool {
	t := w.tree
	w.base.CopyFrom(&t.rootPos)
	w.played, w.sides = w.played[:0], w.sides[:0]
	w.line = append(w.line[:0], t.seen...)
	w.baseLine = len(w.line)
	at := t.root
	w.path = append(w.path[:0], at)
	for t.node(at).proof == unproved && t.node(at).count > 0 && t.node(at).visits >= ownedBelow && !w.base.Over() {
		if at != t.root && t.repeat > 0 && w.repeats(w.base.Hash()) {
			break // before the line holds it, so that a simulation sees it again
		}
		w.baseLine = len(w.line)
		n := t.node(at)
		at = w.selectChild(n, n.visits, n.points)
		move := t.node(at).move
		w.played, w.sides = append(w.played, move), append(w.sides, uint8(w.base.Side()))
		w.base.Play(move)
		w.path = append(w.path, at)
	}
	w.top = len(w.path) - 1
	return t.node(at).proof != owned
}

// take owns the top of the path, for so many simulations.
func (w *walker) take(games int32) {
	t := w.tree
	top := t.node(w.path[w.top])
	w.own.points, w.own.proof, w.own.implicit = 0, top.proof, top.implicit
	top.proof = owned
	for _, at := range w.path[:w.top] {
		t.node(at).visits += games
	}
}

// tell gives the top back and adds what the simulations made, of those that were announced, have brought to the nodes
// above.
func (w *walker) tell(announced, made int32) {
	t := w.tree
	top := t.node(w.path[w.top])
	if top.proof, top.implicit = w.own.proof, w.own.implicit; top.proof != unproved {
		top.prove(top.proof)
	}
	for i := w.top - 1; i >= 0; i-- {
		n, below := t.node(w.path[i]), t.node(w.path[i+1])
		n.visits -= announced - made
		n.add(w.own.points, float64(made))
		if w.o.Implicit > 0 {
			n.implicit = w.implicit(n)
		}
		if w.o.Solver && n.proof == unproved && below.proof != unproved && below.proof != owned {
			if proof := w.prove(n); proof != unproved {
				n.prove(proof)
			}
		}
		if w.o.RAVE > 0 {
			w.updateAMAF(n, i, w.own.points)
		}
	}
}

// reserve makes room for what so many simulations add, as far as one block has it. In a full tree nothing is added.
func (w *walker) reserve(games int) {
	t := w.tree
	need := min(int32(games)*max(w.own.most, int32(t.node(t.root).count), 64), blockSize)
	if w.own.limit-w.own.room >= need || t.used+int(need) > t.o.MaxNodes {
		return
	}
	more := max(int(need), min(blockSize, (t.o.MaxNodes-t.used)/16))
	w.own.room = t.room(more)
	w.own.limit = w.own.room + int32(more)
}

// room returns the number of the first of n new nodes, about which nothing is set; not ok where there is none.
func (w *walker) room(n int) (first int32, ok bool) {
	if !w.team.shared {
		return w.tree.room(n), true
	}
	w.own.most = max(w.own.most, int32(n))
	if w.own.limit-w.own.room < int32(n) {
		return 0, false
	}
	w.own.room += int32(n)
	return w.own.room - int32(n), true
}

// full tells that a walker may not add to the tree.
func (w *walker) full() bool {
	if w.team.shared {
		return w.own.limit-w.own.room < max(w.own.most, 1)
	}
	return w.used+512 > w.o.MaxNodes
}
