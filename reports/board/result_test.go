package board_test

import (
	"strings"
	"testing"

	"spar/engines/enginetest"
	"spar/reports/board"
)

// The end of a game names who did what. The games were played by hand.
func TestEnding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, moves, want, line string }{
		{"classic", "a1 b1 a2 b2 a3", "X made three in a row and won", "a1 a2 a3"},
		{"misere-tictactoe", "a1 b1 c2 b2 c3 b3", "O made three in a row and lost", "b1 b2 b3"},
		{"classic", "a1 b1 c1 b2 a2 a3 b3 c2 c3", "The board is full: a draw", ""},
		{"notakto", "a1 b2 c3", "The first player made three in a row and lost", "a1 b2 c3"},
		{"hex5", "c1 a1 c2 a2 c3 a3 c4 a4 c5", "Red connected both edges and won", "c1 c2 c3 c4 c5"},
		{
			"hare-and-hounds", "a4-b4 b1-c2 c4-b3 c2-b1 b3-a2 b1-b2 b4-b3 b2-b1 b3-c3 b1-c2 c3-b3 c2-b1 a2-b2 b1-a2 b5-a4 a2-a3 b2-a2",
			"Hare could not move: Hounds won", "",
		},
	} {
		p := enginetest.Load(t, c.rules).NewPosition()
		frames, _, err := board.Replay(p, strings.Fields(c.moves))
		if err != nil {
			t.Fatalf("%s: %v", c.rules, err)
		}
		if got := board.Ending(p); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %q, expected %q", c.rules, c.moves, got, c.want)
		}
		if got := board.Names(p.Game(), frames[len(frames)-1].Win); got != c.line {
			t.Errorf("%s %s: marked %q, expected %q", c.rules, c.moves, got, c.line)
		}
	}
}
