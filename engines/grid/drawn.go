package grid

// draw makes consecutive points of each drawn line neighbours. Their direction is whichever of the eight directions is
// nearest to the line. A point has at most one neighbour in each direction. draw skips what does not fit, and package
// rules reports it.
func (t *Grid) draw(lines [][]string) {
	for d := range t.To {
		for c := range t.To[d] {
			t.To[d][c] = NoCell
		}
	}
	for _, names := range lines {
		var line []Cell
		for _, name := range names {
			if c, ok := t.CellNamed(name); ok && t.Board.Has(c) {
				line = append(line, c)
			}
		}
		for i := 1; i < len(line); i++ {
			d := t.Heading(line[i-1], line[i])
			t.To[d][line[i-1]], t.To[d^4][line[i]] = line[i], line[i-1]
		}
		t.Drawn = append(t.Drawn, line)
	}
}

// Heading returns the one of the eight directions that is nearest to the direction from one cell to another. It
// approximates the tangent of 22.5 degrees by 17/41, which is close enough for boards of up to 16x16.
func (t *Grid) Heading(from, to Cell) int {
	dx, dy := int(to)%t.Columns-int(from)%t.Columns, int(to)/t.Columns-int(from)/t.Columns
	sign := func(n, other int) int {
		switch {
		case 41*abs(n) <= 17*abs(other):
			return 0
		case n < 0:
			return -1
		}
		return 1
	}
	want := Direction{sign(dx, dy), sign(dy, dx)}
	for d, dir := range Directions() {
		if dir == want {
			return d
		}
	}
	return 0
}

func abs(n int) int { return max(n, -n) }
