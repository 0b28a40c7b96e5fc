package serve

import (
	"testing"

	"spar/engines/enginetest"
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
