package playout

import "math/bits"

// selector finds the n-th set bit of a word. It has no branches, because processors would mispredict random ones,
// and no list, which each move would have to update. It uses the bit counts of the bytes (Vigna 2008, Broadword
// implementation of rank/select queries) and a table for the bits of a byte.
type selector struct {
	inByte [256][8]uint8
}

func newSelector() *selector {
	t := new(selector)
	for b := range t.inByte {
		for n, w := 0, uint(b); w != 0; n, w = n+1, w&(w-1) {
			t.inByte[b][n] = uint8(bits.TrailingZeros(w))
		}
	}
	return t
}

const eachByte, topOfEach = 0x0101010101010101, 0x8080808080808080

// byteRanks returns, for each byte of a word, the number of bits set in it and in all lower bytes. The highest
// byte has the total.
func byteRanks(w uint64) uint64 {
	w -= w >> 1 & 0x5555555555555555
	w = w&0x3333333333333333 + w>>2&0x3333333333333333
	return (w + w>>4) & 0x0f0f0f0f0f0f0f0f * eachByte
}

// of returns the n-th set bit of a word, from 0, given its byteRanks. The word must have more than n bits set.
func (t *selector) of(w, ranks, n uint64) Cell {
	at := bits.TrailingZeros64(
		(ranks|topOfEach-eachByte-n*eachByte)&topOfEach,
	) & 56 // of the first byte with more than n up to its end
	return Cell(at) + Cell(t.inByte[w>>at&255][(n-ranks<<8>>at)&7])
}

// cellList is an ordered list of at most cellListMax cells of a flat board, six bits each, the first in the lowest
// bits. A single shift gives its n-th cell, which is faster than a selector. Bits after its last cell have no
// meaning.
type cellList uint64

const cellListMax = 10

func listOf(set uint64) (l cellList) {
	for at := 0; set != 0 && at < 6*cellListMax; set, at = set&(set-1), at+6 {
		l |= cellList(bits.TrailingZeros64(set)) << at
	}
	return l
}

func (l cellList) at(n int) Cell { return Cell(l >> (6 * uint(n) & 63) & 63) }

// with returns the list with another cell. The parameter set has the cells of the list.
func (l cellList) with(c Cell, set uint64) cellList {
	at := 6 * uint(bits.OnesCount64(set&(1<<(c&63)-1))) & 63
	below := cellList(1)<<at - 1
	return l&below | cellList(c)<<at | l&^below<<6
}

// without returns the list without one of its cells. The parameter set has the cells of the list.
func (l cellList) without(c Cell, set uint64) cellList {
	at := 6 * uint(bits.OnesCount64(set&(1<<(c&63)-1))) & 63
	below := cellList(1)<<at - 1
	return l&below | l>>6&^below
}
