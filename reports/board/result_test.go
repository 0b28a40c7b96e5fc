package board_test

import (
	"strings"
	"testing"

	"spar/configs/must"
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

// What is due was worked out by hand, on boards with White below and to move.
func TestDue(t *testing.T) {
	t.Parallel()
	const white, black = ": the White king is attacked", ": the Black king is attacked"
	for _, c := range []struct{ rules, setup, moves, want string }{
		{"los-alamos", "k..... ...... ...... ...... ...... r...K.", "", white},
		{"los-alamos", "k..... ...... ...... ...... ...... r.P.K.", "", ""},
		{"los-alamos", "k..... q..... ...... ...... ...... ....K.", "", white},
		{"los-alamos", "k..... r..... ...... ...... ...... ....K.", "", ""},
		{"los-alamos", "k..... ...... ...... ...n.. ...... ....K.", "", white},
		{"los-alamos", "k..... ...... ...... ....n. ...... ....K.", "", ""},
		{"los-alamos", "k..... ...... ...... ...... ...p.. ....K.", "", white},
		{"los-alamos", "k..... ...... ...... ...... ....p. ....K.", "", ""},
		{"los-alamos", "k..... ...... .P.... ...... ...... ....K.", "b3-b2", black},
		{"los-alamos", "k..... ...... ...... ...... ...P.. ....K.", "d5-d4", ""},
		{"los-alamos", "k..... ...... .QK... ...... ...... ......", "b3-b2", ""}, // mate
		{"los-alamos", "...... .P.... ...... ...... .....k K.....", "b2-b1", ": choose what the piece becomes"},
		{"chess-without-castling", "", "e7-e5 e2-e4 d8-h4 b1-c3 h4xf2", black},
		{"chess-without-castling", "", "f7-f6 e2-e4 f6-f5 d1-h5", white},
		{"amazons", "", "a7-a6", ": a shot is due"},
		{"amazons", "", "a7-a6 a7=#", ""},
		{"draughts", "", "", ""},
		{"dobutsu", "gl. ... .c. .L.", "", ""}, // the lion may stay attacked
	} {
		var set []string
		if c.setup != "" {
			set = []string{"setup=[" + strings.ReplaceAll(c.setup, " ", ", ") + "]"}
		}
		p := enginetest.Load(t, c.rules, set...).NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.moves)))
		if got := board.Due(p); got != c.want {
			t.Errorf("%s %s %s: %q, expected %q", c.rules, c.setup, c.moves, got, c.want)
		}
	}
}
