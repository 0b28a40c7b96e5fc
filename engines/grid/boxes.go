package grid

// step moves a whole set one step in a direction with at most two parts.
type step struct {
	ahead, around        Bits // cells that move on, and cells that wrap around
	aheadUp, aheadDown   uint
	aroundUp, aroundDown uint
}

// apply moves a set one step; cells beyond the edge are lost.
func (t *step) apply(b Bits) Bits {
	a, r := b.And(t.ahead), b.And(t.around)
	return a.move(t.aheadUp, t.aheadDown).Or(r.move(t.aroundUp, t.aroundDown))
}

// buildBox prepares the steps that sum over 3x3 neighbourhoods, and checks that they give the neighbours of every cell.
func (t *Grid) buildBox() {
	t.Boxed = true
	for i, d := range [4]int{0, 4, 6, 2} {
		parts := t.Shifts[d]
		if t.Boxed = t.Boxed && len(parts) <= 2; !t.Boxed {
			return
		}
		if len(parts) > 0 {
			t.steps[i].ahead, t.steps[i].aheadUp, t.steps[i].aheadDown = parts[0].Mask, parts[0].Up, parts[0].Down
		}
		if len(parts) > 1 {
			t.steps[i].around, t.steps[i].aroundUp, t.steps[i].aroundDown = parts[1].Mask, parts[1].Up, parts[1].Down
		}
	}
	for c := range t.Cells {
		row := t.Bit[c].Or(t.steps[0].apply(t.Bit[c])).Or(t.steps[1].apply(t.Bit[c]))
		t.Boxed = t.Boxed && row.Or(t.steps[2].apply(row)).Or(t.steps[3].apply(row)).AndNot(t.Bit[c]) == t.Neighbours[c]
	}
}

// BoxCount returns, for every cell, the number of cells of a set in the 3x3 box around it.
func (t *Grid) BoxCount(b Bits) Counters {
	r0, r1 := add3(b, t.steps[0].apply(b), t.steps[1].apply(b))
	p0, c := add3(r0, t.steps[2].apply(r0), t.steps[3].apply(r0))
	q, m := add3(r1, t.steps[2].apply(r1), t.steps[3].apply(r1))
	h := q.And(c)
	return Counters{p0: p0, p1: q.Xor(c), p2: m.Xor(h), p3: m.And(h)}
}

// NotFull returns the cells whose 3x3 box has an empty cell, given the box counts of the pieces of both sides.
func (t *Grid) NotFull(x, o *Counters) Bits {
	p0, c := x.p0.Xor(o.p0), x.p0.And(o.p0)
	p1, c := add3(x.p1, o.p1, c)
	p2, c := add3(x.p2, o.p2, c)
	p3 := x.p3.Xor(o.p3).Xor(c)
	var full Bits
	for i := range t.Degrees {
		is := t.Degrees[i].Cells
		for j, plane := range [4]Bits{p0, p1, p2, p3} {
			if (t.Degrees[i].Neighbours+1)>>j&1 != 0 {
				is = is.And(plane)
			} else {
				is = is.AndNot(plane)
			}
		}
		full = full.Or(is)
	}
	return t.Board.AndNot(full)
}

// BoxOr returns the cells of a set together with their neighbours.
func (t *Grid) BoxOr(b Bits) Bits {
	row := b.Or(t.steps[0].apply(b)).Or(t.steps[1].apply(b))
	return row.Or(t.steps[2].apply(row)).Or(t.steps[3].apply(row))
}

// Counters holds, for every cell, the number of neighbours that belong to a side. Plane i holds bit i of all
// counts, so adding a neighbourhood takes a few operations for the whole board.
type Counters struct {
	p0, p1, p2, p3 Bits
}

// Planes returns the planes, lowest bit first.
func (c *Counters) Planes() [4]Bits { return [4]Bits{c.p0, c.p1, c.p2, c.p3} }

// AtLeast returns the cells whose count is n or more.
func (c *Counters) AtLeast(n int) Bits {
	if n <= 0 {
		return Everywhere()
	}
	// Compare from the highest plane down: greater so far, equal so far.
	var greater Bits
	equal := Everywhere()
	for i, plane := range [4]Bits{c.p3, c.p2, c.p1, c.p0} {
		if n>>(3-i)&1 != 0 {
			equal = equal.And(plane)
		} else {
			greater = greater.Or(equal.And(plane))
			equal = equal.AndNot(plane)
		}
	}
	return greater.Or(equal)
}

// Add adds 1 to the counts of the cells of a set.
func (c *Counters) Add(m Bits) {
	carry := c.p0.And(m)
	c.p0 = c.p0.Xor(m)
	m = c.p1.And(carry)
	c.p1 = c.p1.Xor(carry)
	carry = c.p2.And(m)
	c.p2 = c.p2.Xor(m)
	c.p3 = c.p3.Xor(carry)
}

// Sub subtracts 1 from the counts of the cells of a set, which must be above 0.
func (c *Counters) Sub(m Bits) {
	borrow := m.AndNot(c.p0)
	c.p0 = c.p0.Xor(m)
	m = borrow.AndNot(c.p1)
	c.p1 = c.p1.Xor(borrow)
	borrow = m.AndNot(c.p2)
	c.p2 = c.p2.Xor(m)
	c.p3 = c.p3.Xor(borrow)
}

// add3 adds three bits for every cell at once.
func add3(a, b, c Bits) (sum, carry Bits) {
	x := a.Xor(b)
	return x.Xor(c), a.And(b).Or(x.And(c))
}
