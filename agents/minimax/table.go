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
	depth     uint8
	bound     bound
	exhausted bool // the subtree was searched to the end of every game: the depth does not limit it
}

// table is a transposition table of fixed size. Slots hold the key xor the data beside the data, so that searches on several
// threads may write without locks: a slot that two have torn does not match its key.
type table struct {
	slots []slot
	mask  uint64
	salt  uint64 // changed by Reset: old entries no longer match
}

type slot struct{ check, data uint64 }

// smallSlots serve shallow searches: so few stay in the processor's cache.
const smallSlots = 1 << 15

// fit limits the slots in use to what a search of that depth needs; 0 is a depth that nobody knows.
func (t *table) fit(depth int) {
	size := uint64(len(t.slots))
	if depth > 0 && depth <= 4 {
		size = min(size, smallSlots)
	}
	t.mask = (size - 1) &^ (bucket - 1)
}

// bucket slots are neighbours: the first keeps the deeper search, the second the latest.
const bucket = 2

func newTable(megabytes int) *table {
	if megabytes <= 0 {
		return nil
	}
	n := megabytes << 20 / 16
	size := 1 << (bits.Len(uint(n)) - 1)
	t := &table{slots: make([]slot, size)}
	t.fit(0)
	return t
}

func (t *table) reset() { t.salt = (t.salt + 1) * 0x9e3779b97f4a7c15 }

func pack(e entry) uint64 {
	d := uint64(uint32(e.score))<<32 | uint64(e.move)<<16 | uint64(e.depth)<<8 | uint64(e.bound)
	if e.exhausted {
		d |= 1 << 7
	}
	return d
}

func unpack(d uint64) entry {
	return entry{score: int32(d >> 32), move: engines.Move(d >> 16), depth: uint8(d >> 8), bound: bound(d & 3), exhausted: d>>7&1 != 0}
}

func (t *table) load(key uint64) (entry, bool) {
	key ^= t.salt
	at := key & t.mask
	for i := range uint64(bucket) {
		s := &t.slots[at+i]
		data := atomic.LoadUint64(&s.data)
		if atomic.LoadUint64(&s.check)^data == key && data != 0 {
			return unpack(data), true
		}
	}
	return entry{}, false
}

func (t *table) store(key uint64, e entry) {
	key ^= t.salt
	at := key & t.mask
	s := &t.slots[at]
	old := atomic.LoadUint64(&s.data)
	if old != 0 && atomic.LoadUint64(&s.check)^old != key {
		if was := unpack(old); was.exhausted || was.depth > e.depth && !e.exhausted {
			s = &t.slots[at+1]
		}
	}
	data := pack(e)
	atomic.StoreUint64(&s.data, data)
	atomic.StoreUint64(&s.check, data^key)
}
