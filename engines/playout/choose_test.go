package playout

import (
	"math/bits"
	"slices"
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

// A list keeps its cells in order, whatever comes and goes, up to ten of them.
func TestCellList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var want []Cell
		set := uint64(0)
		for _, c := range rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Cell {
			return Cell(rapid.IntRange(0, 63).Draw(t,
				"cell"))
		}), 0, 10).Draw(t, "start") {
			if set>>c&1 == 0 {
				want, set = append(want, c), set|1<<c
			}
		}
		slices.Sort(want)
		list := listOf(set)
		for range rapid.IntRange(0, 40).Draw(t, "changes") {
			c := Cell(rapid.IntRange(0, 63).Draw(t, "cell"))
			i, held := slices.BinarySearch(want, c)
			switch {
			case held:
				list = list.without(c, set)
				want, set = slices.Delete(want, i, i+1), set&^(1<<c)
			case len(want) < cellListMax:
				list = list.with(c, set)
				want, set = slices.Insert(want, i, c), set|1<<c
			}
			for i, w := range want {
				if got := list.at(i); got != w {
					t.Fatalf("cell %d of %v is %d", i, want, got)
				}
			}
		}
	})
}
