package grid

// Images returns the permutations of the cells that preserve neighbours and rays, the identity first: rotations,
// reflections and, on boards with wraps, translations. Entry i of a permutation is the image of cell i.
func (t *Grid) Images() [][]Cell {
	var found [][]Cell
	shiftX, shiftY := 1, 1
	if t.wrapX {
		shiftX = t.Columns
	}
	if t.WrapY {
		shiftY = t.Rows
	}
	for turn := range 8 { // bit 0 mirrors columns, bit 1 mirrors rows, bit 2 exchanges them
		if turn&4 != 0 && (t.Columns != t.Rows || t.wrapX != t.WrapY) {
			continue
		}
		for dy := range shiftY {
			for dx := range shiftX {
				p := make([]Cell, t.Cells)
				for c := range p {
					x, y := c%t.Columns, c/t.Columns
					if turn&4 != 0 {
						x, y = y, x
					}
					if turn&1 != 0 {
						x = t.Columns - 1 - x
					}
					if turn&2 != 0 {
						y = t.Rows - 1 - y
					}
					p[c] = Cell((y+dy)%t.Rows*t.Columns + (x+dx)%t.Columns)
				}
				found = append(found, p)
			}
		}
	}
	return found
}

// Permute returns the images of the cells of a set.
func Permute(b Bits, p []Cell) Bits {
	var out Bits
	for ; !b.Empty(); b = b.Rest() {
		out = out.With(p[b.First()])
	}
	return out
}

// Centrality returns how near a cell is to the middle of the board, from 0 in a corner to 1 in the middle. In a wrapped
// direction all cells are equally central.
func (t *Grid) Centrality(c Cell) float64 {
	off := func(at, n int, wrapped bool) float64 {
		middle := float64(n-1) / 2
		if wrapped || middle == 0 {
			return 0
		}
		return max(float64(at)-middle, middle-float64(at)) / middle
	}
	return 1 - (off(int(c)%t.Columns, t.Columns, t.wrapX)+off(int(c)/t.Columns, t.Rows, t.WrapY))/2
}
