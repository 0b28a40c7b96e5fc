package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines/rules"
)

// Pages name rules and agents, never files: what is shipped, and what the command line named, which comes first.
func TestLibrary(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "mine.yaml")
	shipped, err := (&Library{}).File("classic", nil)
	if err == nil {
		err = os.WriteFile(own, shipped, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	l := must.Get(NewLibrary([]string{own, "vanishing"}, nil))(t)
	const name = "mine (classic)" // there are rules called classic
	if rules := l.Rules(); rules[0] != name || l.Path("vanishing") != "" || l.Path(name) != own {
		t.Errorf("%v", rules)
	}
	for _, bad := range []string{own, "clasic"} {
		_, rules := l.Game(bad, nil)
		_, agent := l.Spec(Player{Agent: bad})
		if rules == nil || agent == nil {
			t.Errorf("%s: %v, %v", bad, rules, agent)
		}
	}
	for text, ok := range map[string]bool{
		"mixture.epsilon=0": true, "mixture.epsilon=1": true, "mixture.epsilon=1.01": false, "mixture.epsilon=x": false,
		"budget.depth=40": true, "budget.depth=41": false, "budget.depth=2.5": false, "budget.iterations=0": false,
		"budget.seconds=0.1": true, "budget.seconds=NaN": false, "weights.x=1": false,
	} {
		if _, err := l.Spec(Player{Agent: "minimax-2", Set: []string{text}}); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
	was := l.Version()
	if err := os.Remove(own); err != nil || l.Version() == was {
		t.Errorf("a file that is gone leaves the version %q, %v", was, err)
	}
}

// Rules of studies are compiled once for all pages that draw their games, and no page holds those of every study that
// was opened.
func TestStoredRules(t *testing.T) {
	t.Parallel()
	l := must.Get(NewLibrary(nil, nil))(t)
	capped := func(plies int) string {
		r := rules.DefaultRules()
		r.Board.Columns, r.Board.Rows, r.Win.Line, r.Draw.MaxPlies = 3, 3, 3, plies
		return string(r.Canonical())
	}
	first := must.Get(l.Stored(capped(5)))(t)
	if again, err := l.Stored(capped(5)); err != nil || again != first {
		t.Fatalf("compiled again: %p and %p, %v", again, first, err)
	}
	for plies := 6; plies < 6+2*mostStored; plies++ {
		g := must.Get(l.Stored(capped(plies)))(t)
		if got := g.Rules().Draw.MaxPlies; got != plies {
			t.Fatalf("rules that end after %d plies became those that end after %d", plies, got)
		}
		if n := len(l.stored.games); n > mostStored {
			t.Fatalf("%d rules are kept", n)
		}
	}
	if _, err := l.Stored("{"); err == nil || strings.Contains(err.Error(), "nil") {
		t.Errorf("half a text: %v", err)
	}
}

// Several overrides may stand in one text; a value goes on until a word that has the path of a knob.
func TestOverrides(t *testing.T) {
	t.Parallel()
	got := Overrides([]string{"a.b=1  c_d=2", "board.lines=[[a1, b1], x=y Z=1]", "e"})
	if want := []string{"a.b=1", "c_d=2", "board.lines=[[a1, b1],", "x=y Z=1]", "e"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
