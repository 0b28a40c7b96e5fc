package engines

import "math/bits"

// selector finds the n-th of the bits of a word without branches, which a draw at random would mislead, and without a
// list, which a move would have to keep in order: by the counts of its bytes (Vigna 2008, Broadword implementation of
// rank/select queries), then by a table of the bits of a byte.
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

// byteRanks returns for each byte of a word how many bits are set in it and the bytes below; the highest is the number
// of all.
func byteRanks(w uint64) uint64 {
	w -= w >> 1 & 0x5555555555555555
	w = w&0x3333333333333333 + w>>2&0x3333333333333333
	return (w + w>>4) & 0x0f0f0f0f0f0f0f0f * eachByte
}

// of returns the n-th set bit, from 0, of a word that has as many, by its byteRanks.
func (t *selector) of(w, ranks, n uint64) Cell {
	at := bits.TrailingZeros64(
		(ranks|topOfEach-eachByte-n*eachByte)&topOfEach,
	) & 56 // of the first byte with more than n up to its end
	return Cell(at) + Cell(t.inByte[w>>at&255][(n-ranks<<8>>at)&7])
}

// cellList is a set of at most cellListMax cells of a flat board in order, six bits each from the lowest: its n-th cell
// is found by a shift, which is less to wait for than a selector. What comes after its last cell means nothing.
type cellList uint64

const cellListMax = 10

func listOf(set uint64) (l cellList) {
	for at := 0; set != 0 && at < 6*cellListMax; set, at = set&(set-1), at+6 {
		l |= cellList(bits.TrailingZeros64(set)) << at
	}
	return l
}

func (l cellList) at(n int) Cell { return Cell(l >> (6 * uint(n) & 63) & 63) }

// with returns the list with a cell that it does not hold; set is what it holds.
func (l cellList) with(c Cell, set uint64) cellList {
	at := 6 * uint(bits.OnesCount64(set&(1<<(c&63)-1))) & 63
	below := cellList(1)<<at - 1
	return l&below | cellList(c)<<at | l&^below<<6
}

// without returns the list without a cell that it holds; set is what it holds.
func (l cellList) without(c Cell, set uint64) cellList {
	at := 6 * uint(bits.OnesCount64(set&(1<<(c&63)-1))) & 63
	below := cellList(1)<<at - 1
	return l&below | l>>6&^below
}
