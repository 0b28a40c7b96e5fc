package patterns

import (
	"spar/agents/eval"
	"spar/engines"
)

// Cursor follows a search. For its position it keeps the index of every pattern, and the sum of every lane (see
// Layout). A move changes few cells, so a cursor updates only the patterns that contain them.
type Cursor struct {
	net    *Net
	linear eval.Cursor // cursor of the evaluation that the tables correct; nil = none
	at     tracker
	sums   [16]int32
	undo   []change
	marks  []mark
	mover  int // side to move in the position that Leaf refers to
	next   engines.State
	seen   []change // changes of one child
}

var _ eval.Follower = (*Cursor)(nil)

// mark records where the changes of a pushed move start, and the sums before it.
type mark struct {
	from   int
	sums   [16]int32
	pieces [2]engines.Bits
	cell   engines.Cell // the cell of a simple placement; NoCell if the changes describe the move
	mover  int8
}

// change is a change of state at one place.
type change struct {
	place    uint16
	from, to uint8
}

// tracker holds the states of all places and the entries of all patterns.
type tracker struct {
	*Layout
	state   []uint8 // state of each place
	entries []int32 // index of each pattern's current entry
	pieces  [2]engines.Bits
	ages    []engines.Cell
	older   []uint8 // for each place, its state in the position that is compared
}

func (l *Layout) newTracker() tracker {
	return tracker{
		Layout:  l,
		state:   make([]uint8, len(l.updates)),
		entries: make([]int32, len(l.starts)),
		ages:    make([]engines.Cell, 0, engines.CellSpace),
		older:   make([]uint8, len(l.updates)),
	}
}

// clear resets to the empty board with empty hands.
func (t *tracker) clear() {
	clear(t.state)
	t.pieces = [2]engines.Bits{}
	copy(t.entries, t.starts)
	for c, column := range t.columns {
		if landing(column, engines.Bits{}).Has(engines.Cell(c)) {
			t.set(uint16(c), 0, uint8(t.arch.vacant()))
		}
	}
}

// Cursor returns a cursor for one goroutine. It is a Follower.
func (n *Net) Cursor() eval.Cursor {
	return n.NewCursor()
}

// NewCursor is like Cursor, but returns the concrete type, which has more methods.
func (n *Net) NewCursor() *Cursor {
	k := &Cursor{
		net:   n,
		at:    n.newTracker(),
		undo:  make([]change, 0, 1024),
		marks: make([]mark, 0, 256),
		seen:  make([]change, 0, 256),
	}
	if n.linear != nil {
		k.linear = n.linear.Cursor()
	}
	k.clear()
	return k
}

// clear resets to the empty board with empty hands.
func (k *Cursor) clear() {
	k.at.clear()
	k.sums = k.net.start
	for i, e := range k.at.entries {
		if k.at.columns != nil || k.at.patterns[i].kind == handKind {
			k.add(e)
		}
	}
}

// Follow moves the cursor to a position: from its current position if that needs fewer changes, otherwise from the
// empty board.
func (k *Cursor) Follow(s *engines.State) {
	k.undo, k.marks = k.undo[:0], k.marks[:0]
	k.seen = k.at.changes(s, k.seen[:0])
	if len(k.seen) > s.Pieces(0).Or(s.Pieces(1)).Count()+2 {
		k.clear()
		k.seen = k.at.changes(s, k.seen[:0])
	}
	k.apply(k.seen)
	k.at.pieces = [2]engines.Bits{s.Pieces(0), s.Pieces(1)}
}

// add adds an entry to all sums.
func (k *Cursor) add(entry int32) {
	for lane := range k.net.lanes {
		k.sums[lane&15] += int32(k.net.table[int(entry)+lane])
	}
}

// Push moves the cursor to the position after a move.
func (k *Cursor) Push(_, after *engines.State) {
	from := len(k.undo)
	c, mover := engines.NoCell, 0
	if k.at.deltas != nil {
		c, mover = k.at.placed(after)
	}
	k.marks = append(k.marks, mark{from, k.sums, k.at.pieces, c, int8(mover)})
	if c != engines.NoCell {
		k.put(c, mover)
	} else {
		k.undo = k.at.changes(after, k.undo)
		k.apply(k.undo[from:])
	}
	k.at.pieces = [2]engines.Bits{after.Pieces(0), after.Pieces(1)}
}

// Pop undoes the last Push.
func (k *Cursor) Pop() {
	m := &k.marks[len(k.marks)-1]
	k.sums, k.at.pieces = m.sums, m.pieces
	if m.cell != engines.NoCell {
		k.at.lift(m.cell, int(m.mover))
	}
	for _, c := range k.undo[m.from:] {
		k.at.set(c.place, c.to, c.from)
	}
	k.undo = k.undo[:m.from]
	k.marks = k.marks[:len(k.marks)-1]
}

// apply applies changes to states, entries and sums.
func (k *Cursor) apply(changes []change) {
	t, table, lanes := &k.at, k.net.table, k.net.lanes
	for _, c := range changes {
		t.state[c.place] = c.to
		updates := t.updates[c.place]
		if lanes == 2 { // most games
			first, second := k.sums[0], k.sums[1]
			for i := range updates {
				in := &updates[i]
				old := t.entries[in.pattern]
				now := old + in.shift(t.steps, c)
				t.entries[in.pattern] = now
				a, b := table[old:][:2], table[now:][:2]
				first += int32(b[0]) - int32(a[0])
				second += int32(b[1]) - int32(a[1])
			}
			k.sums[0], k.sums[1] = first, second
			continue
		}
		for i := range updates {
			in := &updates[i]
			old := t.entries[in.pattern]
			now := old + in.shift(t.steps, c)
			t.entries[in.pattern] = now
			a, b := table[old:int(old)+lanes], table[now:int(now)+lanes]
			for lane := range b {
				k.sums[lane&15] += int32(b[lane]) - int32(a[lane])
			}
		}
	}
}

// placed returns the cell and the side of the single piece by which a position differs from the current one; NoCell if
// they differ in more.
func (t *tracker) placed(s *engines.State) (engines.Cell, int) {
	side := engines.First
	more := differ(s.Pieces(0), t.pieces[0])
	if other := differ(s.Pieces(1), t.pieces[1]); more.Empty() {
		side, more = engines.Second, other
	} else if !other.Empty() {
		return engines.NoCell, 0
	}
	if more.Empty() || !more.Rest().Empty() || int(t.state[more.First()]) != t.arch.vacant() {
		return engines.NoCell, 0
	}
	return more.First(), side
}

// put makes a placement whose effect the deltas describe.
func (k *Cursor) put(c engines.Cell, mover int) {
	t, table, lanes := &k.at, k.net.table, k.net.lanes
	t.mark(c, uint8(1+mover), uint8(t.arch.vacant()))
	for i := range t.deltas[c] {
		in := &t.deltas[c][i]
		old := t.entries[in.pattern]
		now := old + in.by[mover]
		t.entries[in.pattern] = now
		a, b := table[old:int(old)+lanes], table[now:int(now)+lanes]
		for lane := range b {
			k.sums[lane&15] += int32(b[lane]) - int32(a[lane])
		}
	}
}

// lift undoes a placement, apart from the sums.
func (t *tracker) lift(c engines.Cell, mover int) {
	t.mark(c, uint8(t.arch.vacant()), 0)
	for i := range t.deltas[c] {
		in := &t.deltas[c][i]
		t.entries[in.pattern] -= in.by[mover]
	}
}

// mark marks a cell whose state may have changed, and an empty cell above it if its state depends on the cell.
func (t *tracker) mark(c engines.Cell, state, above uint8) {
	t.state[c] = state
	if up := int(c) - t.game.Columns(); t.columns != nil && up >= 0 {
		t.state[up] = above
	}
}

// set changes the state of a place and the entries of its patterns.
func (t *tracker) set(place uint16, from, to uint8) {
	t.state[place] = to
	updates := t.updates[place]
	for i := range updates {
		t.entries[updates[i].pattern] += updates[i].shift(t.steps, change{place, from, to})
	}
}

// changes appends the places whose state differs in another position.
func (t *tracker) changes(s *engines.State, dst []change) []change {
	if t.arch.buckets() > 1 {
		dst = t.agedChanges(s, dst)
	} else {
		a, b := s.Pieces(0), s.Pieces(1)
		changed := differ(a, t.pieces[0]).Or(differ(b, t.pieces[1]))
		var open engines.Bits
		if t.columns != nil {
			changed, open = t.openings(changed, a.Or(b))
		}
		for ; !changed.Empty(); changed = changed.Rest() {
			c := changed.First()
			var to uint8
			switch {
			case a.Has(c):
				to = 1
			case b.Has(c):
				to = 2
			case open.Has(c):
				to = uint8(t.arch.vacant())
			}
			if to != t.state[c] {
				dst = append(dst, change{uint16(c), t.state[c], to})
			}
		}
	}
	if most := t.hands; most > 0 {
		cells := t.game.Cells()
		for i, from := range t.state[cells:] {
			n := s.Hand(i % 2)
			if i > 1 {
				n = s.Stock(i%2, i/2-1)
			}
			if h := uint8(min(n, most)); h != from {
				dst = append(dst, change{uint16(cells + i), from, h})
			}
		}
	}
	return dst
}

// openings adds the cells that are or were open in the columns of the changed cells, and marks those that are open now.
func (t *tracker) openings(changed, occupied engines.Bits) (all, open engines.Bits) {
	all = changed
	before := t.pieces[0].Or(t.pieces[1])
	for ; !changed.Empty(); changed = changed.Rest() {
		column := t.columns[changed.First()]
		now := landing(column, occupied)
		all, open = all.Or(landing(column, before)).Or(now), open.Or(now)
	}
	return all, open
}

// agedChanges is changes where the state of a piece includes its kind, or under a cap the number of placements that it
// has left.
func (t *tracker) agedChanges(s *engines.State, dst []change) []change {
	buckets, most := t.arch.buckets(), t.game.Rules().Pieces.Cap
	now := t.older
	clear(now)
	for side := range 2 {
		t.ages = s.Ages(side, t.ages[:0])
		for b := s.Pieces(side).AndNot(s.Doomed()); t.arch.Kinds > 0 && !b.Empty(); b = b.Rest() {
			now[b.First()] = uint8(1 + side*buckets + s.KindAt(b.First()))
		}
		spare := most - len(t.ages)
		for i, c := range t.ages {
			now[c] = uint8(1 + side*buckets + min(max(spare+i, 0), buckets-1))
		}
	}
	occupied := s.Pieces(0).Or(s.Pieces(1))
	touched := t.pieces[0].Or(t.pieces[1]).Or(occupied)
	if t.columns != nil {
		var open engines.Bits
		for touched, open = t.openings(touched, occupied); !open.Empty(); open = open.Rest() {
			now[open.First()] = uint8(t.arch.vacant())
		}
	}
	for ; !touched.Empty(); touched = touched.Rest() {
		if c := touched.First(); now[c] != t.state[c] {
			dst = append(dst, change{uint16(c), t.state[c], now[c]})
		}
	}
	return dst
}

func differ(a, b engines.Bits) engines.Bits { return a.AndNot(b).Or(b.AndNot(a)) }

// Value returns the value of the cursor's position for a side.
func (k *Cursor) Value(s *engines.State, side int) float64 {
	return k.with(s, side, k.value(k.sums[k.net.lane(s)&15], s.Side() == side))
}

// value converts a sum into the value of the tables for the side to move.
func (k *Cursor) value(sum int32, own bool) float64 {
	if !own {
		sum = -sum
	}
	return float64(sum) * (100.0 / unit)
}

// with adds the linear evaluation of a position, if there is one.
func (k *Cursor) with(s *engines.State, side int, tables float64) float64 {
	if k.linear == nil {
		return tables
	}
	return k.both(k.linear.Value(s, side), tables)
}

// both adds the linear evaluation's value to that of the tables.
func (k *Cursor) both(linear, tables float64) float64 {
	return float64(k.net.factor*linear) + tables // rounded on every machine, not fused into the sum
}

// ValueOrWin returns the value for the side to move, or a cell where it completes a line at once.
func (k *Cursor) ValueOrWin(s *engines.State) (float64, engines.Cell) {
	sum := k.sums[k.net.lane(s)&15]
	if k.linear != nil {
		value, win := k.linear.ValueOrWin(s)
		return k.both(value, k.value(sum, true)), win
	}
	if b := s.WinningPlacements(); !b.Empty() {
		return 0, b.First()
	}
	return k.value(sum, true), engines.NoCell
}

// Children appends the values of the positions after the given moves.
func (k *Cursor) Children(s *engines.State, moves []engines.Move, side int, dst []eval.Child) []eval.Child {
	if k.at.deltas != nil {
		return k.placements(s, moves, side, dst)
	}
	for _, m := range moves {
		k.next.CopyFrom(s)
		k.next.Play(m)
		c := eval.Child{Result: k.next.Result()}
		if c.Result == engines.Ongoing {
			c.Value = k.After(&k.next, side)
		}
		dst = append(dst, c)
	}
	return dst
}

// placements is Children for placements whose effect the deltas describe.
func (k *Cursor) placements(s *engines.State, moves []engines.Move, side int, dst []eval.Child) []eval.Child {
	mover := s.Side()
	if k.linear != nil {
		from := len(dst)
		dst = k.linear.Children(s, moves, side, dst)
		for i, m := range moves {
			if c := &dst[from+i]; c.Result == engines.Ongoing {
				c.Value = k.both(c.Value, k.afterPlacing(m, mover, side))
			}
		}
		return dst
	}
	wins := s.WinningPlacements()
	last := k.at.pieces[0].Count()+k.at.pieces[1].Count()+1 == k.net.game.Cells()
	for _, m := range moves {
		switch {
		case wins.Has(m.To()):
			dst = append(dst, eval.Child{Result: engines.Winner(mover)})
		case last:
			dst = append(dst, eval.Child{Result: engines.Drawn})
		default:
			dst = append(dst, eval.Child{Value: k.afterPlacing(m, mover, side)})
		}
	}
	return dst
}

// afterPlacing returns the tables' value for a side after a placement that ends the turn. The deltas describe its
// effect.
func (k *Cursor) afterPlacing(m engines.Move, mover, side int) float64 {
	t, table := &k.at, k.net.table
	lane := 1 - mover
	sum := k.sums[lane&15]
	deltas := t.deltas[m.To()]
	for i := range deltas {
		in := &deltas[i]
		old := int(t.entries[in.pattern]) + lane
		sum += int32(table[old+int(in.by[mover&1])]) - int32(table[old])
	}
	return k.value(sum, side != mover)
}

// peek returns what a single change adds to the sum of a lane.
func (k *Cursor) peek(c change, lane int) int32 {
	t, table := &k.at, k.net.table
	sum := int32(0)
	updates := t.updates[c.place]
	for i := range updates {
		old := int(t.entries[updates[i].pattern]) + lane
		sum += int32(table[old+int(updates[i].shift(t.steps, c))]) - int32(table[old])
	}
	return sum
}

// After returns the value, for a side, of a position one move after the cursor's position.
func (k *Cursor) After(after *engines.State, side int) float64 {
	if k.at.deltas != nil {
		if c, mover := k.at.placed(after); c != engines.NoCell && after.Side() != mover {
			return k.with(after, side, k.afterPlacing(engines.PlaceMove(c), mover, side))
		}
	}
	k.seen = k.at.changes(after, k.seen[:0])
	lane, own := k.net.lane(after), after.Side() == side
	if len(k.seen) == 1 {
		return k.with(after, side, k.value(k.sums[lane&15]+k.peek(k.seen[0], lane), own))
	}
	t, sum := &k.at, k.sums[lane&15]
	table := k.net.table[lane:]
	for _, c := range k.seen {
		updates := t.updates[c.place]
		for i := range updates {
			in := &updates[i]
			old := t.entries[in.pattern]
			now := old + in.shift(t.steps, c)
			t.entries[in.pattern] = now
			sum += int32(table[now]) - int32(table[old])
		}
	}
	for _, c := range k.seen {
		t.set(c.place, c.to, c.from)
	}
	return k.with(after, side, k.value(sum, own))
}

// Leaves prepares Leaf and reports whether Leaf can be called: if the linear evaluation can evaluate children without
// playing them, and a placement changes only the patterns in its delta.
func (k *Cursor) Leaves(s *engines.State, moves int) bool {
	k.mover = s.Side()
	return k.linear != nil && k.at.deltas != nil && k.linear.Leaves(s, moves)
}

// Leaf returns the value of the position after a placement: that of the linear evaluation plus that of the tables.
func (k *Cursor) Leaf(m engines.Move) (eval.Leaf, bool) {
	if k.linear == nil {
		return eval.Leaf{}, false
	}
	leaf, ok := k.linear.Leaf(m)
	if ok {
		leaf.Value = k.both(leaf.Value, k.afterPlacing(m, k.mover, leaf.Next))
	}
	return leaf, ok
}
