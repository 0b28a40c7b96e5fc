package serve

import (
	"net/url"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// Pressing cells of the board sets pieces, missing cells and goals, and pressing one again changes nothing.
func TestSetUpByPressing(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "hexapawn")
	for _, c := range []struct{ cell, brush, knob, want string }{
		{"b2", "O", "k.setup", `["OOO",".O.","XXX"]`},
		{"a1", ".", "k.setup", `[".OO","...","XXX"]`},
		{"b2", "#", "k.board.missing", `["b2"]`},
		{"b2", "win.reach", "k.win.reach", `["far","b2"]`},
	} {
		q := url.Values{"cell": {c.cell}, "brush": {c.brush}}
		paint(g, q)
		if got := q.Get(c.knob); got != c.want {
			t.Errorf("%s on %s: %s is %s, want %s", c.brush, c.cell, c.knob, got, c.want)
		}
		if next, err := engines.Named("hexapawn", strings.TrimPrefix(c.knob, "k.")+"="+c.want); err != nil {
			t.Errorf("%s on %s: %v", c.brush, c.cell, err)
		} else if c.brush != "#" {
			again := url.Values{"cell": {c.cell}, "brush": {c.brush}}
			if paint(next, again); len(again.Get(c.knob)) != len(c.want) {
				t.Errorf("%s on %s again: %s", c.brush, c.cell, again.Get(c.knob))
			}
		}
	}
}
