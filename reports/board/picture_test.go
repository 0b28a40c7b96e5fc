package board

import (
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines/enginetest"
)

// A picture has one shape of each kind: lines between squares, outlines of hexagons, drawn lines with their points; a
// cross is two strokes, a ring one; the piece that leaves next is framed, and ages stand where cells have room for
// them.
func TestPicture(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, moves               string
		grid, points              int // strokes of the board, points on it
		crosses, rings, next, old int
	}{
		{"classic", "b2 a1 c3", 8, 0, 2, 1, 0, 0},
		{"hex5", "a1", 25, 0, 1, 0, 0, 0},
		{"tapatan", "", 8, 9, 0, 0, 0, 0},
		{"nine-mens-morris", "a1 d1", 16, 24, 1, 1, 0, 0},
		{"vanishing", "a1 b1 c2 c3 a3 b3", 8, 0, 3, 3, 2, 6},
		{"checkerboard", "", 18, 0, 0, 0, 0, 0}, // too wide for ages, and home regions are filled
	} {
		g := enginetest.Load(t, c.game)
		p := g.NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.moves)))
		svg := string(Picture(&p.State))
		strokes := func(class string) int {
			_, path, _ := strings.Cut(svg, `<path class="`+class+`"`)
			path, _, _ = strings.Cut(path, "/>")
			return strings.Count(path, "M")
		}
		if grid, points := strokes("grid"), strokes("points"); grid != c.grid || points != c.points {
			t.Errorf("%s: %d strokes and %d points, want %d and %d", c.game, grid, points, c.grid, c.points)
		}
		if strokes("cross") != 2*c.crosses || strokes("X") != c.crosses || strokes("O") != c.rings ||
			strokes("next") != c.next || strings.Count(svg, "<text") != c.old || strings.Count(svg, `class="leaves"`) != c.next {
			t.Errorf("%s: %s", c.game, svg)
		}
	}
	g := enginetest.Load(t, "classic")
	p := g.NewPosition()
	must.Do(t, p.PlayText([]string{"c3"}))
	// A cell is (144-2)/3 wide; c3 is the last of the last row: its middle is at 1+2.5 cells.
	if svg := string(Picture(&p.State)); !strings.Contains(svg, `viewBox="0 0 144 144"`) ||
		!strings.Contains(svg, `<path class="X" d="M104.2 104.2h30.3v30.3h-30.3z"/>`) {
		t.Error(svg)
	}
	if svg := string(Picture(&enginetest.Load(t, "hex5").NewPosition().State)); !strings.Contains(svg,
		`viewBox="0 0 144 95.7"`) || !strings.Contains(svg, "M11.1 1l10.1 5.9v11.7l-10.1 5.9l-10.1-5.9v-11.7z") {
		t.Error(svg)
	}
}
