package console

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/engines/enginetest"
	"spar/engines/solve"
	"spar/reports/review"
)

// What a move is worth: the exact value with the plies to it, the rating of the original program of classic, 100 less the plies to a
// win, or what is expected.
func TestWorth(t *testing.T) {
	t.Parallel()
	exact, agent := &review.Scale{Source: review.Exact}, &review.Scale{Source: "mcts"}
	for _, c := range []struct {
		s    *review.Scale
		r    review.Rated
		want string
	}{
		{exact, review.Rated{Exact: true, Value: solve.Value{Outcome: solve.Win, DTW: 3}}, "win in 3 plies"},
		{exact, review.Rated{Exact: true, Value: solve.Value{Outcome: solve.Loss, DTW: 1}}, "loss in 1 ply"},
		{exact, review.Rated{Exact: true, Value: solve.Value{Outcome: solve.Draw}}, "draw"},
		{exact, review.Rated{Rating: 97}, "win in 3 plies"},
		{exact, review.Rated{Rating: -98}, "loss in 2 plies"},
		{exact, review.Rated{}, "draw"},
		{exact, review.Rated{Rating: 1}, "win in 99 plies"},
		{exact, review.Rated{Rating: -1}, "loss in 99 plies"},
		{agent, review.Rated{Score: 0.62, Rating: 24}, "62 % expected"},
		{agent, review.Rated{Score: 0.4, Rating: -20}, "40 % expected"},
		{agent, review.Rated{Score: 0.5}, "50 % expected"},
	} {
		if got := worth(c.s, c.r); got != c.want {
			t.Errorf("%s, %+v: %q, want %q", c.s.Source, c.r, got, c.want)
		}
	}
}

// The side that made the last move, also where it moves twice in a row.
func TestMover(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	p := g.NewPosition()
	for i, text := range []string{"b2", "a1", "c3"} {
		if err := p.PlayText([]string{text}); err != nil {
			t.Fatal(err)
		}
		if got := Mover(p); got != i%2 {
			t.Errorf("ply %d was made by %d", i+1, got)
		}
	}
}

// A game is saved to a new file, or to that which it has written before; what was saved is read again, and what lacks a player is none.
func TestSaved(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	p := g.NewPosition()
	if err := p.PlayText([]string{"b2", "a1"}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	taken, fresh := filepath.Join(dir, "taken.json"), filepath.Join(dir, "new.json")
	if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	table := &Table{Game: g, Out: &out, Saved: Saved{Rules: "classic", First: "me", Second: "greedy", Seed: 7}}
	for path, want := range map[string]string{taken: "exists", filepath.Join(dir, "new.txt"): "ends in .json"} {
		if err := table.save(p, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	if text, err := os.ReadFile(taken); err != nil || string(text) != "mine" {
		t.Errorf("the file of somebody else is %q, %v", text, err)
	}
	for range 2 {
		if err := table.save(p, fresh); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadSaved(fresh)
	if d := cmp.Diff(Saved{Rules: "classic", First: "me", Second: "greedy", Seed: 7, Moves: []string{"b2", "a1"}}, got); err != nil || d != "" || !strings.Contains(out.String(), "--resume "+fresh) {
		t.Errorf("%v\n%s\n%s", err, d, out.String())
	}
	for text, want := range map[string]string{"{": "is no saved game", `{"first":"a","second":"b"}`: "must be stated", `{"rules":"x","second":"b"}`: "must be stated", `{"rules":"x","first":"a"}`: "must be stated"} {
		if err := os.WriteFile(taken, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSaved(taken); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := ReadSaved(filepath.Join(dir, "none.json")); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}
