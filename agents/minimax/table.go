package minimax

import (
	"math/bits"
	"sync/atomic"

	"spar/engines"
)

// bound says what a stored score means.
type bound uint8

const (
	noBound bound = iota
	lower         // the value is at least the score
	upper         // the value is at most the score
	exact
)

// entry is what the table knows about a position.
type entry struct {
	score     int32 // win scores count plies from the stored position, not from the root
	move      engines.Move
	depth     uint8 // at most MaxDepth
	bound     bound
	exhausted bool // the subtree was searched to the end of every game: the depth does not limit it
}

// table is a transposition table of fixed size. Slots hold the key xor the data beside the data, so that searches on
// several threads may write without locks: a slot that two have torn does not match its key.
//
// An entry carries the game and the search that made it. Those of earlier games count as empty, so that a decision
// does not depend on the games before; those of earlier searches are used, but give way to new ones.
type table struct {
	slots []slot // the first of size, as many as a search has needed so far
	size  uint64
	mask  uint64
	game  uint64 // from 1, below games
	age   uint64 // of the search within the game, below ages
}

type slot struct{ check, data uint64 }

// smallSlots serve searches that are shallow or look at few positions, up to fewNodes: so few stay in the processor's
// cache.
const (
	smallSlots = 1 << 15
	fewNodes   = smallSlots / 16
)

// fit, called before each search, limits the slots in use to what a search within the limits needs, and makes them
// when one needs more for the first time: those of many agents never do.
func (t *table) fit(l Limits) {
	size := t.size
	if l.Depth > 0 && l.Depth <= 4 || l.Nodes > 0 && l.Nodes <= fewNodes {
		size = min(size, smallSlots)
	}
	t.mask = (size - 1) &^ (bucket - 1)
	if size > uint64(len(t.slots)) {
		slots := make([]slot, size)
		copy(slots, t.slots)
		t.slots = slots
	}
}

// bucket slots are neighbours: the first keeps the deeper search, the second the latest.
const bucket = 2

func newTable(megabytes int) *table {
	if megabytes <= 0 {
		return nil
	}
	n := megabytes << 20 / 16
	return &table{size: 1 << (bits.Len(uint(n)) - 1), game: 1}
}

// The data of a slot, from the top: score 26 bits, move 16, depth 7, game 6, age 6, exhausted 1, bound 2. Where a
// move has more, game and age have less.
const (
	scoreAt, moveAt, depthAt, gameAt, ageAt, exhaustedAt = 38, scoreAt - engines.MoveBits, moveAt - 7, (depthAt + ageAt) / 2, 3, 2

	games = 1 << (depthAt - gameAt)
	ages  = 1 << (gameAt - ageAt)
)

// reset begins another game. When the numbers of games are used up the table is emptied.
func (t *table) reset() {
	t.age = 0
	if t.game++; t.game == games {
		clear(t.slots)
		t.game = 1
	}
}

// search begins another search of the game.
func (t *table) search() { t.age = (t.age + 1) % ages }

func (t *table) pack(e entry) uint64 {
	d := uint64(
		e.score,
	)<<scoreAt | uint64(
		e.move,
	)<<moveAt | uint64(
		e.depth,
	)<<depthAt | t.game<<gameAt | t.age<<ageAt | uint64(
		e.bound,
	)
	if e.exhausted {
		d |= 1 << exhaustedAt
	}
	return d
}

func unpack(d uint64) entry {
	return entry{
		score: int32(
			int64(d) >> scoreAt,
		), move: engines.Move(d >> moveAt & (1<<engines.MoveBits - 1)), depth: uint8(d >> depthAt & (1<<(moveAt-depthAt) - 1)),
		bound: bound(d & 3), exhausted: d>>exhaustedAt&1 != 0,
	}
}

// current tells whether data are of the game being played.
func (t *table) current(data uint64) bool { return data>>gameAt%games == t.game }

func (t *table) load(key uint64) (entry, bool) {
	at := key & t.mask
	for i := range uint64(bucket) {
		s := &t.slots[at+i]
		data := atomic.LoadUint64(&s.data)
		if atomic.LoadUint64(&s.check)^data == key && t.current(data) {
			return unpack(data), true
		}
	}
	return entry{}, false
}

func (t *table) store(key uint64, e entry) {
	at := key & t.mask
	s := &t.slots[at]
	old := atomic.LoadUint64(&s.data)
	if t.current(old) && old>>ageAt%ages == t.age && atomic.LoadUint64(&s.check)^old != key {
		if was := unpack(old); was.exhausted || was.depth > e.depth && !e.exhausted {
			s = &t.slots[at+1]
		}
	}
	data := t.pack(e)
	atomic.StoreUint64(&s.data, data)
	atomic.StoreUint64(&s.check, data^key)
}
