package minimax

import (
	"math/bits"
	"sync/atomic"

	"spar/engines"
)

// bound is the meaning of a stored score: exact, lower or upper.
type bound uint8

const (
	noBound bound = iota
	lower         // the value is at least the score
	upper         // the value is at most the score
	exact
)

// entry is the content of a table slot for one position.
type entry struct {
	score     int32 // win scores count plies from the stored position, not from the root
	move      engines.Move
	depth     uint8 // at most MaxDepth
	bound     bound
	exhausted bool // the subtree was searched to the end of every game, so the score is valid for any depth
}

// table is a transposition table of fixed size. A slot stores the data, and the key xor the data. Threads can
// therefore write without locks: a slot that two threads wrote at once does not match its key. Each entry has the
// numbers of its game and search. Entries of earlier games count as empty, so that decisions do not depend on
// earlier games. Entries of earlier searches are used but replaced first.
type table struct {
	slots []slot // allocated slots; a search uses the first size of them
	size  uint64
	mask  uint64
	game  uint64 // number of the current game, from 1, less than games
	age   uint64 // number of the current search in the game, less than ages
}

type slot struct{ check, data uint64 }

// smallSlots is the number of slots for searches that are shallow or examine at most fewNodes positions; these slots
// fit the processor's cache.
const (
	smallSlots = 1 << 15
	fewNodes   = smallSlots / 16
)

// fit is called before each search. It limits the used slots to the needs of a search within the limits, and allocates
// more on demand; many agents never need them.
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

// bucket is the number of adjacent slots of a bucket: the first keeps the deepest search, the second the latest.
const bucket = 2

func newTable(megabytes int) *table {
	if megabytes <= 0 {
		return nil
	}
	n := megabytes << 20 / 16
	return &table{size: 1 << (bits.Len(uint(n)) - 1), game: 1}
}

// The layout of a slot's data, from the top: score 26 bits, move 16, depth 7, game 6, age 6, exhausted 1, bound 2. If
// moves need more bits, game and age have fewer.
const (
	scoreAt, moveAt, depthAt, gameAt, ageAt, exhaustedAt = 38, scoreAt - engines.MoveBits, moveAt - 7,
		(depthAt + ageAt) / 2, 3, 2

	games = 1 << (depthAt - gameAt)
	ages  = 1 << (gameAt - ageAt)
)

// reset starts a new game. When all game numbers have been used, it empties the table.
func (t *table) reset() {
	t.age = 0
	if t.game++; t.game == games {
		clear(t.slots)
		t.game = 1
	}
}

// search starts a new search of the game.
func (t *table) search() { t.age = (t.age + 1) % ages }

func (t *table) pack(e entry) uint64 {
	d := uint64(e.score)<<scoreAt | uint64(e.move)<<moveAt | uint64(
		e.depth,
	)<<depthAt | t.game<<gameAt | t.age<<ageAt | uint64(e.bound)
	if e.exhausted {
		d |= 1 << exhaustedAt
	}
	return d
}

func unpack(d uint64) entry {
	return entry{
		score:     int32(int64(d) >> scoreAt),
		move:      engines.Move(d >> moveAt & (1<<engines.MoveBits - 1)),
		depth:     uint8(d >> depthAt & (1<<(moveAt-depthAt) - 1)),
		bound:     bound(d & 3),
		exhausted: d>>exhaustedAt&1 != 0,
	}
}

// current reports whether data belong to the current game.
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
