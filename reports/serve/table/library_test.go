package table

import (
	"strings"
	"testing"

	"spar/engines"
)

// Rules of studies are compiled once for all pages that draw their games, and no page holds those of every study that was opened.
func TestStoredRules(t *testing.T) {
	t.Parallel()
	l, err := NewLibrary(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	rules := func(plies int) string {
		r := engines.DefaultRules()
		r.Board.Columns, r.Board.Rows, r.Win.Line, r.Draw.MaxPlies = 3, 3, 3, plies
		return string(r.Canonical())
	}
	first, err := l.Stored(rules(5))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := l.Stored(rules(5)); err != nil || again != first {
		t.Fatalf("compiled again: %p and %p, %v", again, first, err)
	}
	for plies := 6; plies < 6+2*mostStored; plies++ {
		g, err := l.Stored(rules(plies))
		if err != nil {
			t.Fatal(err)
		}
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
