package grid

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

func TestNthBit(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		w := rng.Uint64() & (rng.Uint64() | -(rng.Uint64() & 1)) // thin and full ones
		for i, rest := 0, w; rest != 0; i, rest = i+1, rest&(rest-1) {
			if got, want := NthBit(w, i), bits.TrailingZeros64(rest); got != want {
				t.Fatalf("bit %d of %x is %d, want %d", i, w, got, want)
			}
		}
	}
	for i := range 64 {
		if NthBit(^uint64(0), i) != i {
			t.Errorf("bit %d of all is %d", i, NthBit(^uint64(0), i))
		}
	}
}
