package board

import (
	"fmt"
	"strings"
	"testing"

	"spar/engines/enginetest"
)

// A missing cell between others of its row is a gap. At the edge, or on drawn lines, it is none.
func TestGaps(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string]string{
		"classic board.columns=4 board.missing=[b2,c2,a3,d1]": "[5 6]", "nine-mens-morris": "[]", "classic": "[]",
	} {
		of := strings.Fields(rules)
		g := enginetest.Load(t, of[0], of[1:]...)
		f := Of(&g.NewPosition().State)
		if got := fmt.Sprint(Gaps(g)); got != want || strings.Contains(fmt.Sprint(f.Squares(g)), "hole gap") != (want != "[]") {
			t.Errorf("%s: %s, want %s", rules, got, want)
		}
	}
}

// The table of a board says what it is, and drawn lines stand once, in the last cell. Of the morris with nine men the
// 16 lines have 24 points; the lower right corner of 7 by 7 points is 6 6 and is the unit of the drawing.
func TestShapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game, class   string
		lines, points int
		view          string
	}{
		{"classic", "board w3 r3", 0, 0, ""},
		{"hex5", "board w5 r5 hex", 0, 0, ""},
		{"tapatan", "board w3 r3 drawn", 8, 9, `viewBox="1.5 1.5 1 1"`},
		{"nine-mens-morris", "board w7 r7 drawn", 16, 24, `viewBox="5.5 5.5 1 1"`},
	} {
		g := enginetest.Load(t, c.game)
		if got := Class(g, g.Columns()); got != c.class {
			t.Errorf("%s: class %q, want %q", c.game, got, c.class)
		}
		f := Of(&g.NewPosition().State)
		rows := f.Squares(g)
		var all string
		for _, row := range rows {
			for _, s := range row {
				all += string(s.Lines)
			}
		}
		last := rows[len(rows)-1]
		points := strings.Count(all, "h0")
		if all != string(last[len(last)-1].Lines) || points != c.points || strings.Count(all, "M")-points != c.lines ||
			!strings.Contains(all, c.view) {
			t.Errorf("%s: %s", c.game, all)
		}
	}
	g := enginetest.Load(t, "nine-mens-morris")
	f := Of(&g.NewPosition().State)
	if svg := string(f.lines(g)); !strings.Contains(svg, "M0 0L3 0L6 0M1 1L3 1L5 1") || strings.Contains(svg, "M3 3h0") {
		t.Errorf("the first two lines are a1 d1 g1 and b2 d2 f2, and d4 is no point: %s", svg)
	}
}
