//go:build wide

package engines_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"spar/engines"
)

// What a board of 16x16 is refused with, and the largest that is not.
const tooLarge = "board.rows: 256 cells: expected at most 240"

func largest() []string { return []string{"board.columns=16", "board.rows=15"} }

// A set of four words means what a sorted list of its cells means.
func TestWideBits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b engines.Bits
		var cells []engines.Cell
		for range r.IntN(12) {
			c := engines.Cell(r.IntN(engines.CellSpace))
			b, cells = b.With(c), append(cells, c)
		}
		slices.Sort(cells)
		cells = slices.Compact(cells)
		if got := b.Cells(nil); !slices.Equal(got, cells) || b.Count() != len(cells) || b.Empty() != (len(cells) == 0) {
			t.Fatalf("%v, want %v", got, cells)
		}
		for i, c := range cells {
			if b.Nth(i) != c || !b.Has(c) || b.Without(c).Has(c) || b.Without(c).Count() != len(cells)-1 {
				t.Fatalf("cell %d of %v", c, cells)
			}
		}
		if len(cells) > 0 &&
			(b.First() != cells[0] || b.Last() != cells[len(cells)-1] || b.Rest() != b.Without(cells[0])) {
			t.Fatalf("first and last of %v", cells)
		}
	}
}

// A line that crosses every word of a set wins, wherever its fifth stone falls.
func TestWideLine(t *testing.T) {
	t.Parallel()
	p := load(t, "gomoku15", nil).NewPosition()
	if err := p.PlayText([]string{"o11", "a1", "o12", "a2", "o13", "a3", "o14", "a4"}); err != nil {
		t.Fatal(err)
	}
	if m, err := p.ParseMove("o15"); err != nil || m.To() != 224 {
		t.Fatalf("%v, %v", m, err)
	} else if p.Play(m); p.Result() != engines.FirstWins || p.Reason() != engines.ByLine {
		t.Errorf("%v by %v", p.Result(), p.Reason())
	}
}
