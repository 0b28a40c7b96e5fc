package engines

import (
	"fmt"
	"strings"
)

// pictureOfLines draws a board with drawn lines: one character between neighbours in a row, and a row of characters
// between rows.
func (s *State) pictureOfLines(colour bool) string {
	g := s.g
	pitch := 4
	if g.fifo {
		pitch = 6
	}
	canvas := make([][]rune, 2*g.grid.Rows-1)
	for i := range canvas {
		canvas[i] = []rune(strings.Repeat(" ", (g.grid.Columns+1)*pitch))
	}
	column := func(x int) int { return 1 + pitch*x }
	for _, line := range g.rules.Board.Lines {
		for i := 1; i < len(line); i++ {
			a, errA := g.ParseCell(line[i-1])
			b, errB := g.ParseCell(line[i])
			if errA != nil || errB != nil {
				continue // the rules have been checked
			}
			g.drawSegment(canvas, column, int(a), int(b))
		}
	}
	var b strings.Builder
	b.WriteString("   ")
	for x := range g.grid.Columns {
		b.WriteString(fmt.Sprintf("%-*s", pitch, " "+string(rune('a'+x))))
	}
	out := []string{strings.TrimRight(b.String(), " ")}
	for y := range canvas {
		if y%2 == 1 {
			out = append(out, strings.TrimRight("   "+string(canvas[y]), " "))
			continue
		}
		codes := map[int]string{}
		for x := range g.grid.Columns {
			text, code := s.marked(Cell(y/2*g.grid.Columns + x))
			if text == " " || text == "" {
				continue // no point: a line may pass here
			}
			first := column(x) - (len(text)-1)/2
			copy(canvas[y][first:], []rune(text))
			if colour && code != "" {
				codes[first], codes[first+len(text)] = "\x1b["+code+"m", "\x1b[0m"
			}
		}
		var row strings.Builder
		for i, r := range canvas[y][:column(g.grid.Columns-1)+pitch/2+1] {
			row.WriteString(codes[i])
			row.WriteRune(r)
		}
		out = append(out, fmt.Sprintf("%2d %s%s %d", y/2+1, row.String(), codes[column(g.grid.Columns-1)+pitch/2+1], y/2+1))
	}
	return strings.Join(out, "\n") + "\n"
}

// drawSegment draws the line between two points, over everything between them.
func (g *Game) drawSegment(canvas [][]rune, column func(int) int, a, b int) {
	x, y := a%g.grid.Columns, a/g.grid.Columns
	dx, dy := b%g.grid.Columns-x, b/g.grid.Columns-y
	steps := max(dx, -dx, dy, -dy)
	if dx != 0 && dy != 0 && dx != dy && dx != -dy {
		return // a line that goes another way cannot be drawn with characters
	}
	stroke := '─'
	switch {
	case dx == 0:
		stroke = '│'
	case dx == dy:
		stroke = '╲'
	case dx == -dy:
		stroke = '╱'
	}
	dx, dy = dx/max(steps, 1), dy/max(steps, 1)
	put := func(row, at int) {
		old := &canvas[row][at]
		switch {
		case *old == '╲' && stroke == '╱' || *old == '╱' && stroke == '╲':
			*old = '╳'
		case *old == ' ':
			*old = stroke
		}
	}
	for i := range steps {
		from, to := column(x+i*dx), column(x+(i+1)*dx)
		row := 2*(y+i*dy) + dy
		if dy == 0 {
			for at := min(from, to) + 1; at < max(from, to); at++ {
				put(row, at)
			}
		} else {
			put(row, (from+to)/2)
		}
		if i > 0 {
			put(2*(y+i*dy), from)
		}
	}
}
