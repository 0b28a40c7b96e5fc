package engines

import (
	"slices"

	"spar/engines/grid"
	"spar/engines/rules"
)

// Lines finds winning lines by one of three methods. On a board of at most 16 cells it looks up the set of pieces
// in a bitmap. On a flat board of at most 64 cells it shifts the set over itself to find all lines of a direction.
// Otherwise it tests the windows one by one.
type Lines struct {
	Length      int    // the longer of the two sides' line lengths
	Lengths     [2]int // line length of each side
	NoOverlines bool
	Windows     [2][]grid.Window
	Through     [2][grid.MaxCells][]grid.Window // the windows that contain a cell
	Indices     [2][CellSpace][]uint16          // indices of these windows in the list of all windows
	Shared      bool                            // both sides have the same windows
	Small       [2][]uint64                     // for small boards: bit i means that the set of cells i contains a line
	Flat        bool
	// for each direction E, SE, S, SW: shifts that double a run until it has the full length; 0 ends the list
	By     [4][3]uint8
	Planes bool               // lines are counted for a whole direction at once
	Starts [2][4]Bits         // first cells of all windows, by side and direction
	Around [2][CellSpace]Bits // for each cell, all cells of the windows that contain it
}

// flatLines returns the mechanics under which a line is a straight run of one side's pieces, of the same length for
// both sides.
func flatLines() rules.Mechanics {
	return rules.MechanicsOf(rules.Plain(), rules.AnyBoard(), rules.OtherMoves(), rules.AnyCaptures(), rules.OtherGoals()).
		Without(rules.Wraps, rules.ExactLines, rules.DrawnLines)
}

func (g *Game) buildLines() Lines {
	var t Lines
	for side := range 2 {
		win := g.rules.Of(side).Win
		t.Lengths[side], t.Length = win.Line, max(t.Length, win.Line)
		t.NoOverlines = t.NoOverlines || !win.Overlines
	}
	if t.Length == 0 {
		return t
	}
	for side := range 2 {
		win := g.rules.Of(side).Win
		seen := map[Bits]bool{}
		for _, r := range g.grid.Runs(t.Lengths[side], win.Directions...) {
			w := r.Window(win.Overlines)
			if win.Region == "enemy" && !g.home[1-side].Contains(w.Cells) {
				continue
			}
			if seen[w.Cells] {
				continue // a ring as long as the line gives the same cells from every start
			}
			seen[w.Cells] = true
			t.Starts[side][r.Direction] = t.Starts[side][r.Direction].With(r.Cells[0])
			t.Windows[side] = append(t.Windows[side], w)
			for in := range w.Cells.Each {
				t.Through[side][in] = append(t.Through[side][in], w)
				t.Around[side][in] = t.Around[side][in].Or(w.Cells)
				t.Indices[side][in] = append(t.Indices[side][in], uint16(len(t.Windows[side])-1))
			}
		}
	}
	t.Shared = slices.Equal(t.Windows[0], t.Windows[1])
	runs := g.uses.Only(flatLines())
	t.Planes = g.grid.Straight && t.Length <= 15 && runs
	t.Flat = g.grid.Flat && t.Length <= 8 && runs
	for d := range t.By {
		if !t.Flat {
			break
		}
		for i, done := 0, 1; done < t.Length; i++ {
			more := min(done, t.Length-done)
			t.By[d][i] = uint8(more * int(g.grid.Shifts[d][0].Up))
			done += more
		}
	}
	if g.grid.Cells <= 16 {
		for side := range 2 {
			t.Small[side] = make([]uint64, max(1, 1<<g.grid.Cells/64))
			for set := range uint64(1) << g.grid.Cells {
				if t.any(side, Bits{Lo: set}) {
					t.Small[side][set/64] |= 1 << (set % 64)
				}
			}
		}
	}
	return t
}

// any tests all windows, one by one.
func (t *Lines) any(side int, b Bits) bool {
	outside := b.Complement()
	windows := t.Windows[side&1]
	for i := range windows {
		if w := &windows[i]; outside.And(w.Cells).Empty() && b.And(w.Guard).Empty() {
			return true
		}
	}
	return false
}

// Has reports whether the pieces b of a side contain a winning line. If only one piece was added since the last test,
// its cell can be given as arrived; with NoCell, Has tests all lines.
func (t *Lines) Has(side int, b Bits, arrived Cell) bool {
	switch {
	case t.Length == 0:
		return false
	case t.Small[0] != nil:
		return t.Small[side][b.Lo>>6]>>(b.Lo&63)&1 != 0
	case t.Flat:
		return t.HasFlat(side, b.Lo)
	case t.NoOverlines || arrived == NoCell:
		return t.any(side, b)
	}
	outside := b.Complement() // computed once, unlike in Bits.Contains
	windows := t.Through[side&1][arrived]
	for i := range windows {
		if outside.And(windows[i].Cells).Empty() {
			return true
		}
	}
	return false
}

// HasFlat is like Has, for flat boards. In each direction it shifts the set over itself, which doubles the length of
// the runs that it finds.
func (t *Lines) HasFlat(side int, b uint64) bool {
	starts, by := &t.Starts[side&1], &t.By
	e := b & (b >> (by[0][0] & 63))
	se := b & (b >> (by[1][0] & 63))
	s := b & (b >> (by[2][0] & 63))
	sw := b & (b >> (by[3][0] & 63))
	e &= e >> (by[0][1] & 63)
	se &= se >> (by[1][1] & 63)
	s &= s >> (by[2][1] & 63)
	sw &= sw >> (by[3][1] & 63)
	if t.Length > 4 {
		e &= e >> (by[0][2] & 63)
		se &= se >> (by[1][2] & 63)
		s &= s >> (by[2][2] & 63)
		sw &= sw >> (by[3][2] & 63)
	}
	return e&starts[0].Lo|se&starts[1].Lo|s&starts[2].Lo|sw&starts[3].Lo != 0
}

// Windows returns all windows of a side, each once. The caller must not change the slice.
func (g *Game) Windows(side int) []grid.Window { return g.line.Windows[side] }

// WindowsThrough returns the windows of a side that contain a cell. The caller must not change the slice.
func (g *Game) WindowsThrough(side int, c Cell) []grid.Window { return g.line.Through[side][c] }
