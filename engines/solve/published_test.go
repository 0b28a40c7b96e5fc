package solve

import (
	"fmt"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// Values that others have published, or that an enumerator which shares nothing with this engine has found: who wins with best play,
// and in how many plies where that is known.
func TestPublishedValues(t *testing.T) {
	t.Parallel()
	pawns := func(columns, rows, deep int) []string {
		var setup []string
		for y := range rows {
			letter := "."
			if y < deep {
				letter = "O"
			} else if y >= rows-deep {
				letter = "X"
			}
			setup = append(setup, `"`+strings.Repeat(letter, columns)+`"`)
		}
		return []string{fmt.Sprint("board.columns=", columns), fmt.Sprint("board.rows=", rows), "setup=[" + strings.Join(setup, ", ") + "]"}
	}
	checkered := func(columns, rows int) []string {
		var setup []string
		for y := range rows {
			setup = append(setup, `"`+strings.Repeat("XOXOXOXO", 2)[y%2:][:columns]+`"`)
		}
		return []string{fmt.Sprint("board.columns=", columns), fmt.Sprint("board.rows=", rows), "setup=[" + strings.Join(setup, ", ") + "]"}
	}
	size := func(columns, rows int, more ...string) []string {
		return append([]string{fmt.Sprint("board.columns=", columns), fmt.Sprint("board.rows=", rows)}, more...)
	}
	for _, c := range []struct {
		rules string
		set   []string
		want  string // F, S or D, and the plies
	}{
		{"misere-tictactoe", nil, "D"},
		{"misere-tictactoe", size(3, 2, "win.line=2"), "S5"},
		{"misere-tictactoe", size(3, 3, "win.line=2"), "S7"},
		{"notakto", nil, "F6"},
		{"tapatan", nil, "F9"},
		{"pong-hau-ki", nil, "D"},
		{"hexapawn", nil, "S6"},
		{"hexapawn", pawns(3, 4, 1), "S8"},
		{"hexapawn", pawns(4, 3, 1), "F5"},
		{"hexapawn", pawns(4, 4, 1), "F11"},
		{"breakthrough", pawns(2, 4, 2), "S8"},
		{"breakthrough", pawns(2, 5, 2), "S10"},
		{"breakthrough", pawns(3, 3, 1), "F5"},
		{"breakthrough", pawns(3, 4, 1), "F9"},
		{"clobber", checkered(2, 2), "F"},
		{"clobber", checkered(2, 3), "S"},
		{"clobber", checkered(2, 4), "F"},
		{"clobber", checkered(3, 3), "F"},
		{"clobber", checkered(3, 4), "S"},
		{"hex5", size(2, 2), "F"},
		{"hex5", size(3, 3), "F5"},
		{"hex5", size(2, 2, "win.misere=true"), "F"},
		{"reversi6", size(4, 4, "setup=['....', '.OX.', '.XO.', '....']"), "S"},
	} {
		t.Run(fmt.Sprint(c.rules, c.set), func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, c.rules, c.set...)
			table, err := Solve(t.Context(), g, Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			s := g.NewState()
			v, ok := table.Lookup(&s)
			if !ok {
				t.Fatal("the start is not in the table")
			}
			got := map[Outcome]string{Win: "F", Loss: "S", Draw: "D"}[v.Outcome]
			if s.Side() != engines.First {
				t.Fatal("the second player begins")
			}
			if len(c.want) > 1 {
				got += fmt.Sprint(v.DTW)
			}
			if got != c.want {
				t.Errorf("%s, published %s", got, c.want)
			}
		})
	}
}
