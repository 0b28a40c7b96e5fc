package engines

import "math/bits"

// selector finds the n-th of the bits of a word without branches, which a draw at random would mislead, and without a list, which a move
// would have to keep in order: by the counts of its bytes (Vigna 2008, Broadword implementation of rank/select queries), then by a
// table of the bits of a byte.
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

// byteRanks returns for each byte of a word how many bits are set in it and the bytes below; the highest is the number of all.
func byteRanks(w uint64) uint64 {
	w -= w >> 1 & 0x5555555555555555
	w = w&0x3333333333333333 + w>>2&0x3333333333333333
	return (w + w>>4) & 0x0f0f0f0f0f0f0f0f * eachByte
}

// of returns the n-th set bit, from 0, of a word that has as many, by its byteRanks.
func (t *selector) of(w, ranks, n uint64) Cell {
	at := bits.TrailingZeros64((ranks|topOfEach-eachByte-n*eachByte)&topOfEach) & 56 // of the first byte with more than n up to its end
	return Cell(at) + Cell(t.inByte[w>>at&255][(n-ranks<<8>>at)&7])
}
