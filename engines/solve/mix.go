package solve

import (
	"math/bits"

	"spar/engines"
)

// mixer is a bijection on the keys of a codec that spreads them evenly over its range. The leading bits then serve as
// an address, and only the rest must be stored. It maps 0 to 0.
type mixer struct {
	bits  int // number of bits of a mixed key; above 64 it is at least 96
	wide  bool
	mask  uint64 // mask of the low word, or of the high word if wide
	shift uint
}

const (
	oddA  = 0x9e3779b97f4a7c15
	oddB  = 0xbf58476d1ce4e5b9
	oddC  = 0x94d049bb133111eb
	backA = 0xf1de83e19937733d // the inverses modulo 2^64
	backB = 0x96de1b173f119089
)

func newMixer(keyBits int) mixer {
	if keyBits > 64 {
		n := max(96, (keyBits+7)/8*8)
		return mixer{bits: n, wide: true, mask: ^uint64(0) >> (128 - n)}
	}
	n := max(8, keyBits)
	return mixer{bits: n, mask: ^uint64(0) >> (64 - n), shift: uint(n+1) / 2}
}

func (m *mixer) mix(k engines.Key) engines.Key {
	if m.wide {
		k.Lo ^= scramble(k.Hi, oddA)
		k.Hi ^= scramble(k.Lo, oddB) & m.mask
		k.Lo ^= scramble(k.Hi, oddC)
		k.Hi ^= scramble(k.Lo, oddA) & m.mask
		return k
	}
	return engines.Key{Lo: m.narrow(k.Lo, oddA, oddB)}
}

func (m *mixer) unmix(k engines.Key) engines.Key {
	if m.wide {
		k.Hi ^= scramble(k.Lo, oddA) & m.mask
		k.Lo ^= scramble(k.Hi, oddC)
		k.Hi ^= scramble(k.Lo, oddB) & m.mask
		k.Lo ^= scramble(k.Hi, oddA)
		return k
	}
	return engines.Key{Lo: m.narrow(k.Lo, backB, backA)}
}

// narrow mixes a key of one word by two odd factors; their inverses in the other order undo it.
func (m *mixer) narrow(x, first, second uint64) uint64 {
	x ^= x >> m.shift
	x = x * first & m.mask
	x ^= x >> m.shift
	x = x * second & m.mask
	return x ^ x>>m.shift
}

// scramble mixes one word; it maps 0 to 0.
func scramble(x, odd uint64) uint64 {
	x *= odd
	x ^= x >> 32
	x *= odd
	return x ^ x>>29
}

// top returns the n leading bits of a mixed key, n at most 32.
func (m *mixer) top(k engines.Key, n int) uint32 {
	if m.wide {
		x := k.Hi<<(128-m.bits) | k.Lo>>(m.bits-64)
		return uint32(x >> (64 - n))
	}
	if n >= m.bits {
		return uint32(k.Lo << (n - m.bits))
	}
	return uint32(k.Lo >> (m.bits - n))
}

// tag returns a hash of a mixed key. Its leading bits can be used as the index in a table of any size.
func (m *mixer) tag(k engines.Key) uint32 {
	h, l := bits.Mul64(k.Lo^bits.RotateLeft64(k.Hi, 29), oddC)
	return uint32((h ^ l) >> 32)
}
