package arena

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/enginetest"
)

// Openings of a file are read into the plan, comments and empty lines left out; an opening that cannot be played is
// named by its number.
func TestOpeningsOfAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	read := func(lines string) (*Tournament, error) {
		if err := os.WriteFile(filepath.Join(dir, "o.txt"), []byte(lines), 0o644); err != nil {
			t.Fatal(err)
		}
		return LoadPlan(filepath.Join(dir, "p.yaml"), []byte("name: p\ngames: [classic]\nagents: [greedy, random]\nformat: "+
			"match\npairs: 1\nopenings: {file: o.txt}\n"))
	}
	p, err := read("# two\n\n b2 a1 # centre\na1\n")
	if err != nil || !slices.Equal(p.Openings.Lines, []string{"b2 a1", "a1"}) {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := read("b2\n"); err != nil || len(p.Openings.Lines) != 1 {
		t.Errorf("%v", err)
	}
	for lines, want := range map[string]string{
		"# none\n":    "o.txt contains no openings",
		"b2\na1 a1\n": "opening 2 in classic", "a1 b1 a2 b2 a3\n": "opening 1 in classic: the game ends with it",
	} {
		if _, err := read(lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", lines, err, want)
		}
	}
}

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
		if err := p.PlayText(strings.Fields(c.moves)); err != nil {
			t.Fatal(err)
		}
		if got := forced(p, c.plies); got != c.want {
			t.Errorf("%q within %d: %s, want %s", c.moves, c.plies, got, c.want)
		}
	}
}
