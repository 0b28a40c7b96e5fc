package serve

import (
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/review"
	"spar/reports/serve/table"
)

// Hexagons touch six others, squares eight, and cells at edges that meet those on the other side.
func TestNear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, at string
		want     int // cells that are near, itself with them
	}{{"hex5", "c3", 7}, {"hex5", "a1", 3}, {"hex5", "e1", 4}, {"classic", "b2", 9}, {"classic", "a1", 4}, {"ctor", "a1", 9}, {"rolling", "c3", 4}} {
		g := enginetest.Load(t, c.game)
		at, err := g.ParseCell(c.at)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i := range g.Cells() {
			if near(g, i, int(at)) != near(g, int(at), i) {
				t.Errorf("%s: %s and %d are not near each other in the same way", c.game, c.at, i)
			}
			if near(g, i, int(at)) {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d cells are near %s, want %d", c.game, n, c.at, c.want)
		}
	}
}

// A hint first shows a region around a best move, then the move itself; nobody is helped whose turn it is not.
func TestHintsOnTheBoard(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	p := g.NewPosition()
	var all []review.Rated
	for _, m := range p.AppendMoves(nil) {
		score := 0.2
		if text := g.MoveText(m); text == "a1" || text == "c3" {
			score = 0.9
		}
		all = append(all, review.Rated{Move: m, Score: score})
	}
	for _, c := range []struct {
		name string
		d    drawing
		near string // cells of the region
		best string
	}{
		{"the region of the first", drawing{play: true, region: true}, "a1 b1 a2 b2", ""},
		{"the moves", drawing{play: true, region: true, best: true}, "", "a1 c3"},
		{"no hint", drawing{play: true}, "", ""},
		{"not to move", drawing{region: true, best: true}, "", ""},
	} {
		c.d.game, c.d.pos, c.d.rating = g, p, &table.Rating{All: all}
		cells := make([]cell, g.Cells())
		c.d.rate(cells)
		var near, best []string
		for i, x := range cells {
			name := g.CellName(engines.Cell(i))
			if strings.Contains(x.Class, " near") {
				near = append(near, name)
			}
			if strings.Contains(x.Class, " best") {
				best = append(best, name)
			}
		}
		if strings.Join(near, " ") != c.near || strings.Join(best, " ") != c.best {
			t.Errorf("%s: region %v, best %v, want %s and %s", c.name, near, best, c.near, c.best)
		}
	}
}
