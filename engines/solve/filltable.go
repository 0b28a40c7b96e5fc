package solve

import (
	"math/bits"
	"sync/atomic"
)

// fillTable stores bounds of values. A slot is one word, so any number of goroutines may use it without locks. A
// slot holds the bits of the mixed key that its bucket does not determine, the bounds, and the work for finding
// them. Keys are compared completely. A new entry replaces the entry of its bucket with the least work.
type fillTable struct {
	slots   []uint64
	release func() // releases the memory
	keyBits uint
	place   uint // number of key bits that select a bucket
}

// Layout of the low bits of a slot: lower and upper bound, each plus 1 in two bits, and the logarithm of the work.
const (
	lowerAt, upperAt, workAt, restAt = 0, 2, 4, 10

	fillBucket = 4
)

// newFillTable makes a table of at most that many bytes, with no more slots than the budget of nodes can use.
func newFillTable(keyBits uint, bytes int64, nodes uint64) *fillTable {
	most := min(uint64(bytes)/8, nodes, 1<<40)
	place := uint(max(8, bits.Len64(most/fillBucket)-1))
	if rest := uint(64 - restAt); keyBits > rest {
		place = max(place, keyBits-rest) // so that the rest of a key fits
	}
	place = min(place, keyBits)
	slots, release := words(fillBucket << place)
	return &fillTable{slots: slots, release: release, keyBits: keyBits, place: place}
}

// mix is a permutation of the numbers that have keyBits bits.
func (t *fillTable) mix(k uint64) uint64 {
	mask, half := ^uint64(0)>>(64-t.keyBits), t.keyBits/2
	k ^= k >> half
	k = k * 0x9e3779b97f4a7c15 & mask
	k ^= k >> half
	k = k * 0xbf58476d1ce4e5b9 & mask
	return k ^ k>>half
}

// find returns the bucket of a key, and the key bits stored in its slots.
func (t *fillTable) find(key uint64) (bucket []uint64, rest uint64) {
	k := t.mix(key)
	at := k >> (t.keyBits - t.place) * fillBucket
	return t.slots[at : at+fillBucket], k & (1<<(t.keyBits-t.place) - 1) << restAt
}

// load returns the stored bounds of a value.
func (t *fillTable) load(key uint64) (lower, upper int8) {
	bucket, rest := t.find(key)
	for i := range bucket {
		v := atomic.LoadUint64(&bucket[i])
		if v&^(1<<restAt-1) == rest && v&(1<<restAt-1) != 0 {
			return int8(v>>lowerAt&3) - 1, int8(v>>upperAt&3) - 1
		}
	}
	return -1, 1
}

// store stores bounds and the number of nodes that they took. At least one bound must be better than the extreme
// values.
func (t *fillTable) store(key uint64, lower, upper int8, work uint64) {
	bucket, rest := t.find(key)
	into, least := 0, uint64(1<<63)
	for i := range bucket {
		v := atomic.LoadUint64(&bucket[i])
		low := v & (1<<restAt - 1)
		if low != 0 && v&^(1<<restAt-1) == rest {
			into = i
			break
		}
		if w := low >> workAt; low == 0 || w+1 < least {
			if into, least = i, w+1; low == 0 {
				least = 0
			}
		}
	}
	size := uint64(bits.Len64(work))
	atomic.StoreUint64(&bucket[into], rest|uint64(lower+1)<<lowerAt|uint64(upper+1)<<upperAt|size<<workAt)
}
