package arena

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"spar/configs/must"
)

// Openings of a file are read into the plan, comments and empty lines left out; an opening that cannot be played is
// named by its number.
func TestOpeningsOfAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	read := func(lines string) (*Tournament, error) {
		must.Do(t, os.WriteFile(filepath.Join(dir, "o.txt"), []byte(lines), 0o644))
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
		"b2\na1 a1\n": "opening 2 in classic", "a1 b1 a2 b2 a3\n": "opening 1 in classic: the game ends in this opening",
	} {
		must.Refuse(read(lines))(t, want)
	}
}
