package arena

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/agents/eval"
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
		return LoadPlan(filepath.Join(dir, "p.yaml"), []byte("name: p\ngames: [classic]\nagents: [greedy, random]\nformat: match\npairs: 1\nopenings: {file: o.txt}\n"))
	}
	p, err := read("# two\n\n b2 a1 # centre\na1\n")
	if err != nil || !slices.Equal(p.Openings.Lines, []string{"b2 a1", "a1"}) {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := read("b2\n"); err != nil || len(p.Openings.Lines) != 1 {
		t.Errorf("%v", err)
	}
	for lines, want := range map[string]string{"# none\n": "o.txt contains no openings", "b2\na1 a1\n": "opening 2 in classic", "a1 b1 a2 b2 a3\n": "opening 1 in classic: the game ends with it"} {
		if _, err := read(lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", lines, err, want)
		}
	}
}

// A knob without effect is told with where and why; two of one agent with one reason share a line.
func TestIdleKnobs(t *testing.T) {
	t.Parallel()
	idle := func(agent string) []string {
		p, err := LoadPlan("p.yaml", []byte("name: p\ngames: [classic, vanishing]\nagents: ["+agent+", random]\nformat: match\npairs: 1\n"))
		if err != nil {
			t.Fatal(err)
		}
		return p.idle()
	}
	if got := idle("{agent: minimax-2, set: {budget.depth: 3}}"); len(got) != 0 {
		t.Errorf("%q", got)
	}
	one := idle("{agent: minimax-2, set: {budget.iterations: 10}}")
	if len(one) != 1 || !strings.Contains(one[0], "budget.iterations has no effect under classic, vanishing: ") {
		t.Errorf("%q", one)
	}
	g := enginetest.Load(t, "vanishing")
	var lost []string
	for _, name := range eval.Names() {
		if !eval.Counts(name, g) && !eval.Counts(name, enginetest.Load(t, "classic")) {
			lost = append(lost, name)
		}
	}
	two := idle("{agent: handmade, set: {weights." + lost[0] + ": 1, weights." + lost[1] + ": 1}}")
	if want := "weights." + lost[0] + ", weights." + lost[1] + " have no effect under classic, vanishing: the rules have nothing"; len(two) != 1 || !strings.Contains(two[0], want) {
		t.Errorf("%q", two)
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

// A game that cannot be played ends the playing, though others have nothing to do and no more tasks come.
func TestLocalEndsWithAFailure(t *testing.T) {
	t.Parallel()
	k := NewAssets()
	defer k.Close()
	l := NewLocal(k, 3)
	defer l.Close()
	tasks, ended := make(chan []Task, 1), make(chan error, 1)
	tasks <- []Task{{Rules: "nobody knows them"}}
	go func() { ended <- l.Play(t.Context(), tasks, make(chan []Result)) }()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("no error")
		}
	case <-time.After(20 * time.Second):
		close(tasks)
		t.Error("it waits for more tasks")
	}
}
