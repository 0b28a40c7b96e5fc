package transfer

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"

	"spar/arena/store"
)

// PGN is taken in again as the same study: rules of one's own knobs, thoughts, marks, times; also where another program
// has broken the lines at other places. What is not a whole game is refused, and nothing is stored.
func TestPGNComesBack(t *testing.T) {
	t.Parallel()
	db := played(
		t,
		`{name: "a \"name\" with [brackets]", games: [{rules: vanishing, set: {pieces.cap: 4, draw.max_plies: 9}}, classic], agents: [minimax-2, random], pairs: 2, record_plies: true, openings: {plies: 2}}`,
	)
	var out bytes.Buffer
	if err := PGN(t.Context(), db, &out); err != nil {
		t.Fatal(err)
	}
	want := string(exported(t, db))
	rewrapped := regexp.MustCompile(`(\{score [0-9.e+-]+) `).ReplaceAllString(out.String(), "$1\n")
	long := regexp.MustCompile(`\n(\d+\. )`).ReplaceAllString(out.String(), "$1")
	for name, text := range map[string]string{
		"as written": out.String(), "lines broken elsewhere": rewrapped,
		"lines that go on": long, "an escape of another program": "%eval on\n" + out.String(),
	} {
		other := empty(t)
		n, err := Import(t.Context(), other, strings.NewReader(text), "s.pgn")
		if err != nil || n.Games != 8 || n.Added != 8 {
			t.Fatalf("%s: %+v, %v", name, n, err)
		}
		if got := string(exported(t, other)); got != want {
			t.Errorf("%s: comes back as\n%s\nwas\n%s", name, got, want)
		}
	}
	for name, c := range map[string]struct{ old, new, want string }{
		"a move that is none":       {"1. ", "1. z9 ", "s.pgn:"},
		"a game cut off":            {" 0-1 ", " ", "has no result"},
		"words behind the result":   {" 1-0 ", " 1-0 b2 ", "comes after the result"},
		"a header that is none":     {"[Event ", "[Event", "is not a PGN header"},
		"games without their lines": {"%spar {\"kind\":\"game\"", "%other {", "a game without the line"},
	} {
		other := empty(t)
		_, err := Import(t.Context(), other, strings.NewReader(strings.Replace(out.String(), c.old, c.new, 1)), "s.pgn")
		if !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		for row := range other.Games(t.Context(), store.Filter{}) {
			t.Errorf("%s: game %d is stored", name, row.ID)
		}
	}
}
