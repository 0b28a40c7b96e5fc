package grid

import "cmp"

// draw makes consecutive points of each drawn line neighbours. Their direction is whichever of the eight directions is
// nearest to the line. A point has at most one neighbour in each direction. draw skips what does not fit, and package
// rules reports it.
func (t *Grid) draw(lines [][]string) {
	t.onward = &[8][CellSpace]uint8{}
	for d := range t.To {
		for c := range t.To[d] {
			t.To[d][c], t.onward[d][c] = NoCell, nowhere
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
			if i > 1 {
				before := t.Heading(line[i-2], line[i-1])
				t.onward[before][line[i-2]], t.onward[d^4][line[i]] = uint8(d), uint8(before^4)
			}
		}
		t.Drawn = append(t.Drawn, line)
	}
	for d := range t.To {
		for c, n := range t.To[d] {
			if n != NoCell {
				end, _ := t.Onward(n, int(t.onward[d][c]))
				t.Bent = t.Bent || end != t.To[d][n]
			}
		}
	}
}

// nowhere is the direction beyond the end of a drawn line.
const nowhere = 8

// Onward returns the neighbour of a cell in a direction, or NoCell. It also returns the direction in which a piece
// continues from that neighbour: the same direction, or the direction of a drawn line.
func (t *Grid) Onward(c Cell, d int) (Cell, int) {
	switch {
	case t.onward == nil:
		return t.To[d&7][c], d
	case d == nowhere:
		return NoCell, d
	}
	return t.To[d&7][c], int(t.onward[d&7][c])
}

// Behind returns the neighbour of a cell in a direction, the cell behind that neighbour, and the direction in which a
// piece continues from there. On drawn lines it follows the line. A cell that does not exist is NoCell.
func (t *Grid) Behind(c Cell, d int) (over, to Cell, onward int) {
	over, onward = t.Onward(c, d)
	if over == NoCell {
		return over, NoCell, onward
	}
	to, onward = t.Onward(over, onward)
	return over, to, onward
}

// Heading returns which of the eight directions is nearest to the direction from one cell to another. It approximates
// the tangent of 22.5 degrees by 17/41, which is close enough for boards of up to 16x16.
func (t *Grid) Heading(from, to Cell) int {
	dx := int(to)%t.Columns - int(from)%t.Columns
	dy := int(to)/t.Columns - int(from)/t.Columns
	sign := func(n, other int) int {
		if 41*abs(n) <= 17*abs(other) {
			return 0
		}
		return cmp.Compare(n, 0)
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
