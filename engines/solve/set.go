package solve

import (
	"context"
	"runtime"
	"sync/atomic"

	"spar/engines"
)

// set is a set of mixed keys. It numbers its members in the order in which they are added. Any number of
// goroutines may add to it at the same time, but not while it grows. A slot holds a tag (the leading 32 bits of a
// hash) and the number of the key plus one. Keys are compared completely. The tag determines the slot, so growing
// does not read the keys.
type set struct {
	mix   mixer
	words int // number of words in a key: 1 or 2
	slots []uint64
	give  func()     // releases the slots; nil before the first grow
	keys  [][]uint64 // keys in blocks of blockSize
	n     atomic.Uint32
}

const (
	blockBits = 16
	blockSize = 1 << blockBits // number of states in a block of any array with an entry for each state
	pending   = 1<<32 - 1      // value of a slot while another goroutine is adding its key
	maxStates = 1<<31 - 1<<20
)

func newSet(m mixer) *set {
	s := &set{mix: m, words: 1}
	if m.wide {
		s.words = 2
	}
	return s
}

func (s *set) len() uint32 { return s.n.Load() }

// bytes returns the memory of the set in bytes.
func (s *set) bytes() int64 {
	return int64(len(s.slots))*8 + int64(len(s.keys))*blockSize*8*int64(s.words)
}

// free releases the slots. After that, keys can only be looked up by number.
func (s *set) free() {
	if s.give != nil {
		s.give()
	}
	s.slots, s.give = nil, nil
}

// whileGrowing returns the peak memory of grow in bytes, with old and new slots.
func (s *set) whileGrowing(n uint64) int64 {
	keys := max(uint64(len(s.keys)), (n+blockSize-1)>>blockBits)
	bytes := int64(keys)*blockSize*8*int64(s.words) + int64(len(s.slots))*8
	if n*4 > uint64(len(s.slots))*3 {
		bytes += 16 * int64(n)
	}
	return bytes
}

// grow makes room for n keys in total. At most 3/4 of the slots are used.
func (s *set) grow(ctx context.Context, n uint64, workers int) error {
	for uint64(len(s.keys))<<blockBits < n {
		s.keys = append(s.keys, make([]uint64, blockSize*s.words))
	}
	if n*4 <= uint64(len(s.slots))*3 {
		return nil
	}
	old, give := s.slots, s.give
	s.slots, s.give = words(int(max(1<<10, n*2)))
	if give != nil {
		defer give()
	}
	const part = 1 << 16
	return parallel(ctx, workers, (len(old)+part-1)/part, func(_, i int) error {
		for _, v := range old[i*part : min(len(old), (i+1)*part)] {
			if v == 0 {
				continue
			}
			at := s.place(uint32(v >> 32))
			for !atomic.CompareAndSwapUint64(&s.slots[at], 0, v) {
				if at++; at == uint64(len(s.slots)) {
					at = 0
				}
			}
		}
		return nil
	})
}

func (s *set) place(tag uint32) uint64 { return uint64(tag) * uint64(len(s.slots)) >> 32 }

// key returns the member with number id.
func (s *set) key(id uint32) engines.Key {
	block, i := s.keys[id>>blockBits], id&(blockSize-1)
	if s.words == 1 {
		return engines.Key{Lo: block[i]}
	}
	return engines.Key{Lo: block[2*i], Hi: block[2*i+1]}
}

func (s *set) setKey(id uint32, k engines.Key) {
	block, i := s.keys[id>>blockBits], id&(blockSize-1)
	if s.words == 1 {
		block[i] = k.Lo
		return
	}
	block[2*i], block[2*i+1] = k.Lo, k.Hi
}

// add returns the number of a mixed key, a new one if the set did not have the key.
func (s *set) add(k engines.Key) uint32 {
	tag := s.mix.tag(k)
	for at := s.place(tag); ; {
		slot := &s.slots[at]
		v := atomic.LoadUint64(slot)
		if v == 0 {
			if atomic.CompareAndSwapUint64(slot, 0, uint64(tag)<<32|pending) {
				id := s.n.Add(1) - 1
				s.setKey(id, k)
				atomic.StoreUint64(slot, uint64(tag)<<32|uint64(id+1))
				return id
			}
			v = atomic.LoadUint64(slot)
		}
		if uint32(v>>32) == tag {
			for uint32(v) == pending {
				runtime.Gosched()
				v = atomic.LoadUint64(slot)
			}
			if id := uint32(v) - 1; s.key(id) == k {
				return id
			}
		}
		if at++; at == uint64(len(s.slots)) {
			at = 0
		}
	}
}

// batch is the working memory of addAll.
type batch struct {
	ids, tags []uint32
	slots     []uint64
}

// addAll adds several keys and returns their numbers, in memory that the next call reuses. It first reads all
// slots, then all keys, so that the processor can overlap the memory accesses.
func (s *set) addAll(keys []engines.Key, b *batch) []uint32 {
	b.ids = b.ids[:0]
	b.slots = b.slots[:0]
	b.tags = b.tags[:0]
	for _, k := range keys {
		tag := s.mix.tag(k)
		b.tags = append(b.tags, tag)
		b.slots = append(b.slots, atomic.LoadUint64(&s.slots[s.place(tag)]))
	}
	const unknown = ^uint32(0)
	for i, v := range b.slots {
		id := unknown
		if v != 0 && uint32(v>>32) == b.tags[i] && uint32(v) != pending && s.key(uint32(v)-1) == keys[i] {
			id = uint32(v) - 1
		}
		b.ids = append(b.ids, id)
	}
	for i, id := range b.ids {
		if id == unknown {
			b.ids[i] = s.add(keys[i])
		}
	}
	return b.ids
}
