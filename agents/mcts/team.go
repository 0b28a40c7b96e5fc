package mcts

import "sync"

// team coordinates the threads that search one tree. Under the lock, a thread walks down from the root while nodes
// have many visits, and then owns the last node. It runs several simulations below that node without the lock,
// while no other thread can choose the node. Then it takes the lock again and adds the results to the nodes above.
// Until then they count as losses, so that other threads choose other nodes. With locks for each node and
// simulation, two threads were slower than one: every simulation writes to the nodes near the root, so the caches
// of the cores exchange them all the time.
type team struct {
	shared bool
	mu     sync.Mutex // guards the number of nodes and all nodes that no thread owns
	told   sync.Cond  // signals that a thread has reported its results
}

// share is the part of the tree that a thread owns: a node, the results of simulations below it, and reserved nodes.
type share struct {
	points      float64 // first player's points in all simulations
	proof       uint8   // outcome proved for the node
	implicit    float32
	room, limit int32 // index of the next new node, and end of the reserved ones
	most        int32 // largest number of children of any node so far
}

// A thread owns a node below a path of nodes with at least ownedBelow visits. Before it reports, it runs as many
// simulations as 1/burstPart of the node's visits, at most burstMost.
const (
	ownedBelow = 256
	burstPart  = 8
	burstMost  = 32
)

// burst runs several simulations below one node. It returns false when the search is over.
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

// goDown extends the path to a node at which simulations may start. It returns false if the chosen node belongs to
// another thread.
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

// take makes the thread the owner of the path's last node, for a number of simulations.
func (w *walker) take(games int32) {
	t := w.tree
	top := t.node(w.path[w.top])
	w.own.points = 0
	w.own.proof = top.proof
	w.own.implicit = top.implicit
	top.proof = owned
	for _, at := range w.path[:w.top] {
		t.node(at).visits += games
	}
}

// tell gives the node up, and adds the results of the simulations to the nodes above, in place of the losses
// counted for them.
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

// reserve reserves nodes for a number of simulations, within one block. In a full tree it reserves none.
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

// room returns the index of the first of n new, uninitialised nodes. The second result is false if there are none.
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

// full stops the walker from adding nodes, because the tree is full.
func (w *walker) full() bool {
	if w.team.shared {
		return w.own.limit-w.own.room < max(w.own.most, 1)
	}
	return w.used+512 > w.o.MaxNodes
}
