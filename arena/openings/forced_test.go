package openings

import (
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// Who can force a win within so many plies: whoever has won, not who has drawn; and a side that loses after each of its
// moves.
func TestForced(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		moves string
		plies int
		want  engines.Result
	}{
		{"", 2, engines.Ongoing},
		{"a1 b1 a2 b2 a3", 0, engines.FirstWins},
		{"a1 b1 a2 b2", 0, engines.Ongoing},
		{"a1 b1 a2 b2", 1, engines.FirstWins},
		{"a1 b1 a2 b2 c3", 1, engines.SecondWins},
		{"a1 b1 b2", 1, engines.Ongoing}, // two plies: O blocks c3, and X has a3 and a2 as well
		{"a1 b1 b2 c3", 3, engines.FirstWins},
		{"a1 b1 b2", 2, engines.Ongoing},
		{"a1 b2 c3 c1 a3", 2, engines.FirstWins}, // both a2 and b3 win: O stops one
		{"a1 b2 c3 c1 a3", 1, engines.Ongoing},
		{"b2 a1 c1 a3 a2 c2 b3 b1 c3", 3, engines.Ongoing}, // full, and drawn
		{"b2 a1 c1 a3 a2 c2 b3 b1", 1, engines.Ongoing},    // the last cell draws
	} {
		p := enginetest.Load(t, "classic").NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.moves)))
		if got := forced(p, c.plies); got != c.want {
			t.Errorf("%q within %d: %s, want %s", c.moves, c.plies, got, c.want)
		}
	}
}
