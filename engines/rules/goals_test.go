package rules_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/rules"
)

// Every goal that takes a number of own pieces is reached in a game with exactly as many, and refused with one fewer.
func TestGoalsTakeTheirPieces(t *testing.T) {
	rows := map[string]struct {
		text   string // %[1]d is the number of pieces, %[2]s a row of as many
		pieces int
		moves  string
	}{
		"win.line": {
			"board: {columns: 4, rows: 4}\npieces: {supply: %[1]d}\nmovement: {steps: king}\nwin: {line: 4}",
			4, "a1 a2 b1 b2 c1 c2 d1",
		},
		"win.pattern": {
			"board: {columns: 3, rows: 3}\npieces: {cap: %[1]d}\nwin: {pattern: ['0,0 1,0 1,1']}",
			3, "a1 c1 b1 c2 b2",
		},
		"win.connect": {
			"board: {columns: 3, rows: 4}\npieces: {cap: %[1]d}\nwin: {connect: top_bottom}",
			4, "a1 b1 a2 b2 a3 b3 a4",
		},
		"win.reach": {
			"board: {columns: 3, rows: 5}\nsetup: [..., ..., OOO, ..., '%[2]s']\n" +
				"movement: {steps: king, leaps: ['0,4']}\nwin: {reach: [far], reach_count: 2}",
			2, "a5-a1 a3-a4 b5-b1",
		},
	}
	for _, g := range rules.Goals() {
		row, ok := rows[g.Path]
		if ok != g.TakesPieces() {
			t.Errorf("%s has a row in this table: %t, expected %t", g.Path, ok, !ok)
		}
		if !ok {
			continue
		}
		load := func(pieces int) (*engines.Game, error) {
			cells := strings.Repeat("X", pieces) + strings.Repeat(".", max(0, 3-pieces))
			return engines.Load("x.yaml", fmt.Appendf(nil, "name: x\n"+row.text+"\n#%[2]s", pieces, cells))
		}
		p := must.Get(load(row.pieces))(t).NewPosition()
		must.Do(t, p.PlayText(strings.Fields(row.moves)))
		if why := p.Reason().String(); p.Result() != engines.FirstWins || why != g.Reason {
			t.Errorf("%s: %v by %s", g.Path, p.Result(), why)
		}
		said := regexp.MustCompile(fmt.Sprintf("needs %[1]d pieces|line of %[1]d", row.pieces))
		if _, err := load(row.pieces - 1); err == nil || !said.MatchString(err.Error()) {
			t.Errorf("%s with %d pieces: %v", g.Path, row.pieces-1, err)
		}
	}
}
