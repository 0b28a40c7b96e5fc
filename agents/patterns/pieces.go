package patterns

import (
	"spar/agents/eval"
	"spar/engines"
)

// pieceWeights holds the values of pieces and hands for a net whose patterns are single cells and hands. Its
// values are sums over the pieces, so no pattern has to be tracked.
type pieceWeights struct {
	start [16]int32  // for each lane, the sum for the empty board
	piece [2][]int32 // by side, cell and lane: the value of a piece minus that of an empty cell
	hand  []int32    // by the hands of both sides and lane; nil if hands do not matter
}

// active is the input of such a net in a position.
type active struct {
	pieces [2]engines.Bits
	hands  [2]uint8
}

// newPieceWeights returns nil if a pattern has several cells, or if the value of a piece depends on its age or on
// the cells below it. It also returns nil for nets with deltas, which are faster.
func (n *Net) newPieceWeights() *pieceWeights {
	if n.deltas != nil || n.columns != nil || n.arch.buckets() > 1 {
		return nil
	}
	for i := range n.patterns {
		if p := &n.patterns[i]; len(p.places) > 1 && p.kind != handKind {
			return nil
		}
	}
	cells := n.game.Cells()
	w := &pieceWeights{start: n.start}
	for side := range w.piece {
		w.piece[side] = make([]int32, engines.CellSpace*n.lanes)
		for c := range cells {
			for _, in := range n.updates[c] {
				step := n.steps[in.step]
				empty, held := int(n.starts[in.pattern]), int(n.starts[in.pattern]+step[1+side]-step[0])
				for lane := range n.lanes {
					w.piece[side][c*n.lanes+lane] += int32(n.table[held+lane]) - int32(n.table[empty+lane])
				}
			}
		}
	}
	if n.hands > 0 {
		w.hand = make([]int32, (n.hands+1)*(n.hands+1)*n.lanes)
		for i := range n.patterns {
			if n.patterns[i].kind == handKind {
				n.addHands(w.hand, uint32(i))
			}
		}
	}
	return w
}

// addHands adds the values of a pattern of hands for each pair of hands.
func (n *Net) addHands(worth []int32, pattern uint32) {
	var steps [2][]int32
	for side := range steps {
		for _, in := range n.updates[n.game.Cells()+side] {
			if in.pattern == pattern {
				steps[side] = n.steps[in.step]
			}
		}
	}
	for first := range n.hands + 1 {
		for second := range n.hands + 1 {
			entry := n.starts[pattern] + steps[0][first] - steps[0][0] + steps[1][second] - steps[1][0]
			at := n.handAt([2]uint8{uint8(first), uint8(second)})
			for lane := range n.lanes {
				worth[at+lane] += int32(n.table[int(entry)+lane])
			}
		}
	}
}

func (n *Net) handAt(hands [2]uint8) int {
	return (int(hands[0])*(n.hands+1) + int(hands[1])) * n.lanes
}

// activeIn returns the input of a net of pieces in a position.
func (n *Net) activeIn(s *engines.State) active {
	out := active{pieces: [2]engines.Bits{s.Pieces(0), s.Pieces(1)}}
	if n.hands > 0 {
		out.hands = [2]uint8{uint8(min(s.Hand(0), n.hands)), uint8(min(s.Hand(1), n.hands))}
	}
	return out
}

// pieceCursor follows a search with a net of pieces. It only records a pushed move. Most positions are asked for a
// single value, for which one lane is enough.
type pieceCursor struct {
	terms
	weights *pieceWeights
	at      active
	sums    [16]int32
	late    bool // the last pushed move, which led to the position ahead, is not counted yet
	ahead   active
	marks   []pieceMark
	next    engines.State
}

// pieceMark is the state before a counted move.
type pieceMark struct {
	at   active
	sums [16]int32
}

var _ eval.Follower = (*pieceCursor)(nil)

// Follow moves the cursor to a position.
func (k *pieceCursor) Follow(s *engines.State) {
	k.marks, k.late = k.marks[:0], false
	k.at, k.sums = active{}, k.weights.start
	if k.weights.hand != nil {
		for lane := range k.net.lanes {
			k.sums[lane&15] += k.weights.hand[lane]
		}
	}
	k.late, k.ahead = true, k.net.activeIn(s)
	k.count()
}

// Push moves the cursor to the position after a move.
func (k *pieceCursor) Push(_, after *engines.State) {
	k.catchUp()
	k.late, k.ahead = true, k.net.activeIn(after)
}

// catchUp counts the move that was only recorded.
func (k *pieceCursor) catchUp() {
	if k.late {
		k.marks = append(k.marks, pieceMark{k.at, k.sums})
		k.count()
	}
}

// count changes the sums by what differs between the counted position (at) and the present one (ahead).
func (k *pieceCursor) count() {
	n, sums := k.net, k.sums[:k.net.lanes]
	for side := range k.at.pieces {
		was, now, piece := k.at.pieces[side], k.ahead.pieces[side], k.weights.piece[side]
		for b := now.AndNot(was); !b.Empty(); b = b.Rest() {
			for lane, x := range piece[int(b.First())*n.lanes:][:len(sums)] {
				sums[lane] += x
			}
		}
		for b := was.AndNot(now); !b.Empty(); b = b.Rest() {
			for lane, x := range piece[int(b.First())*n.lanes:][:len(sums)] {
				sums[lane] -= x
			}
		}
	}
	if k.at.hands != k.ahead.hands {
		was, now := k.weights.hand[n.handAt(k.at.hands):], k.weights.hand[n.handAt(k.ahead.hands):]
		for lane := range sums {
			sums[lane] += now[lane] - was[lane]
		}
	}
	k.at, k.late = k.ahead, false
}

// Pop undoes the last Push.
func (k *pieceCursor) Pop() {
	if k.late {
		k.late = false
		return
	}
	m := &k.marks[len(k.marks)-1]
	k.at, k.sums = m.at, m.sums
	k.marks = k.marks[:len(k.marks)-1]
}

// sum returns the sum of a lane in a position that is near the last counted one.
func (k *pieceCursor) sum(to *active, lane int) int32 {
	sum, lanes := k.sums[lane&15], k.net.lanes
	for side := range k.at.pieces {
		was, now, piece := k.at.pieces[side], to.pieces[side], k.weights.piece[side]
		if was == now {
			continue
		}
		for b := now.AndNot(was); !b.Empty(); b = b.Rest() {
			sum += piece[int(b.First())*lanes+lane]
		}
		for b := was.AndNot(now); !b.Empty(); b = b.Rest() {
			sum -= piece[int(b.First())*lanes+lane]
		}
	}
	if k.at.hands != to.hands {
		sum += k.weights.hand[k.net.handAt(to.hands)+lane] - k.weights.hand[k.net.handAt(k.at.hands)+lane]
	}
	return sum
}

// tables returns the net's value of the cursor's position for the side to move.
func (k *pieceCursor) tables(s *engines.State) int32 {
	lane := k.net.lane(s)
	if k.late {
		return k.sum(&k.ahead, lane)
	}
	return k.sums[lane&15]
}

// Value returns the value of the cursor's position for a side.
func (k *pieceCursor) Value(s *engines.State, side int) float64 {
	return k.with(s, side, k.value(k.tables(s), s.Side() == side))
}

// ValueOrWin returns the value for the side to move, or a cell where it completes a line at once.
func (k *pieceCursor) ValueOrWin(s *engines.State) (float64, engines.Cell) {
	return k.valueOrWin(s, k.tables(s))
}

// Children appends the values of the positions after moves.
func (k *pieceCursor) Children(s *engines.State, moves []engines.Move, side int, dst []eval.Child) []eval.Child {
	k.catchUp()
	for _, m := range moves {
		k.next.CopyFrom(s)
		k.next.Play(m)
		c := eval.Child{Result: k.next.Result()}
		if c.Result == engines.Ongoing {
			to := k.net.activeIn(&k.next)
			c.Value = k.with(&k.next, side, k.value(k.sum(&to, k.net.lane(&k.next)), k.next.Side() == side))
		}
		dst = append(dst, c)
	}
	return dst
}

// Leaves reports false: moves have to be played.
func (k *pieceCursor) Leaves(*engines.State, int) bool { return false }

// Leaf always reports false.
func (k *pieceCursor) Leaf(engines.Move) (eval.Leaf, bool) { return eval.Leaf{}, false }
