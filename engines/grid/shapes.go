package grid

import (
	"fmt"
	"slices"
	"strings"
)

// Point is the offset of a cell from another one.
type Point struct{ X, Y int }

// ReadShape parses cell offsets like "0,0 1,0 1,1", or the word square.
func ReadShape(text string) ([]Point, error) {
	if text == "square" {
		text = "0,0 1,0 0,1 1,1"
	}
	var out []Point
	seen := map[Point]bool{}
	for word := range strings.FieldsSeq(text) {
		var p Point
		if n, err := fmt.Sscanf(word, "%d,%d", &p.X, &p.Y); n < 2 || err != nil ||
			fmt.Sprintf("%d,%d", p.X, p.Y) != word {
			return nil, fmt.Errorf("%q is not a cell offset: expected column,row like 1,-2", word)
		}
		if seen[p] || max(p.X, -p.X, p.Y, -p.Y) > 10 {
			return nil, fmt.Errorf("%s is a duplicate, or more than 10 cells away", word)
		}
		seen[p] = true
		out = append(out, p)
	}
	if len(out) < 2 {
		return nil, fmt.Errorf("expected square, or two or more cell offsets like \"0,0 1,0 1,1\"")
	}
	return out, nil
}

// Patterns returns the shapes at all places, in all rotations and reflections: eight on squares, twelve on
// hexagons.
func (t *Grid) Patterns(texts []string) []Window {
	var out []Window
	for _, text := range texts {
		shape, err := ReadShape(text)
		if err != nil {
			continue // package rules refuses it
		}
		for range 2 {
			for range 6 {
				out = append(out, t.placed(shape)...)
				for i, p := range shape {
					if t.hex {
						shape[i] = Point{-p.Y, p.X + p.Y} // a sixth of a turn
					} else {
						shape[i] = Point{-p.Y, p.X}
					}
				}
			}
			for i, p := range shape {
				shape[i] = Point{p.Y, p.X}
			}
		}
	}
	return out
}

// placed returns a shape at every place where it fits on the board.
func (t *Grid) placed(shape []Point) []Window {
	var out []Window
	for c := range Cell(t.Cells) {
		w := Window{}
		for _, p := range shape {
			if n := t.At(c, p.X-shape[0].X, p.Y-shape[0].Y); t.Board.Has(c) && n != NoCell {
				w.Cells = w.Cells.With(n)
			}
		}
		if w.Cells.Count() == len(shape) {
			out = append(out, w)
		}
	}
	return out
}

// Leaps returns all offsets of leaps like "1,2", each once.
func Leaps(leaps []string) []Point {
	var out []Point
	for _, text := range leaps {
		var x, y int
		if n, err := fmt.Sscanf(text, "%d,%d", &x, &y); n < 2 || err != nil {
			continue // package rules refuses it
		}
		for _, p := range []Point{{x, y}, {y, x}} {
			for _, q := range []Point{{p.X, p.Y}, {-p.X, p.Y}, {p.X, -p.Y}, {-p.X, -p.Y}} {
				if !slices.Contains(out, q) {
					out = append(out, q)
				}
			}
		}
	}
	return out
}
