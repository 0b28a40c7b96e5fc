package engines

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// The n-th bit of a word is the one that is lowest when n bits have been cleared from below.
func TestSelector(t *testing.T) {
	t.Parallel()
	nth := newSelector()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.Uint64().Draw(t, "word") & rapid.Uint64().Draw(t, "mask")
		ranks := byteRanks(w)
		if got, want := int(ranks>>56), bits.OnesCount64(w); got != want {
			t.Fatalf("%#x has %d bits, want %d", w, got, want)
		}
		for n, rest := uint64(0), w; rest != 0; n, rest = n+1, rest&(rest-1) {
			if got, want := int(nth.of(w, ranks, n)), bits.TrailingZeros64(rest); got != want {
				t.Fatalf("bit %d of %#x is at %d, want %d", n, w, got, want)
			}
		}
	})
	if got := nth.of(^uint64(0), byteRanks(^uint64(0)), 63); got != 63 {
		t.Errorf("bit 63 of a full word is at %d", got)
	}
}
