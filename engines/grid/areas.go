package grid

// Edges returns the cells of two opposite edges: the first and last cell of each column or row.
func (t *Grid) Edges(topBottom bool) (out [2]Bits) {
	for c := range Cell(t.Cells) {
		if !t.Board.Has(c) {
			continue
		}
		x, y := int(c)%t.Columns, int(c)/t.Columns
		at, last := x, t.Columns-1
		if topBottom {
			at, last = y, t.Rows-1
		}
		if at == 0 {
			out[0] = out[0].With(c)
		}
		if at == last {
			out[1] = out[1].With(c)
		}
	}
	return out
}

// Region returns the cells that a list of words names for a side: far, near, left and right are edges of the board,
// other words are names of cells. It skips unknown words.
func (t *Grid) Region(words []string, side int) Bits {
	var out Bits
	for _, word := range words {
		rows, columns := t.Edges(true), t.Edges(false)
		switch word {
		case "far":
			out = out.Or(rows[side])
		case "near":
			out = out.Or(rows[1-side])
		case "left":
			out = out.Or(columns[0])
		case "right":
			out = out.Or(columns[1])
		default:
			if c, ok := t.CellNamed(word); ok {
				out = out.Or(t.Bit[c].And(t.Board))
			}
		}
	}
	return out
}

// Connects reports whether a chain of neighbouring cells of b joins two edges. If through is not NoCell, the chain
// must contain it.
func (t *Grid) Connects(b Bits, edges *[2]Bits, through Cell) bool {
	group := b.And(edges[0])
	if through != NoCell {
		group = t.Bit[through].And(b) // the piece may have left by its age
	}
	for fresh := group; !fresh.Empty(); {
		c := fresh.First()
		fresh = fresh.Rest()
		more := t.Neighbours[c].And(b).AndNot(group)
		group, fresh = group.Or(more), fresh.Or(more)
	}
	return !group.And(edges[0]).Empty() && !group.And(edges[1]).Empty()
}

// Shortest returns the length of the shortest chain of neighbours between two edges, and 0 if there is none.
func (t *Grid) Shortest(edges *[2]Bits) int {
	reached := edges[0]
	for n := 1; ; n++ {
		if !reached.And(edges[1]).Empty() {
			return n
		}
		wider := reached
		for c := range reached.Each {
			wider = wider.Or(t.Neighbours[c].And(t.Board))
		}
		if wider == reached {
			return 0
		}
		reached = wider
	}
}

// Floating returns the pieces that have a free cell below.
func (t *Grid) Floating(occupied Bits) Bits {
	return occupied.AndNot(t.Shift(occupied, Up).Or(t.Floor))
}
