package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The puzzle of the day is of a shipped game, proved at once, the same all day.
func TestDaily(t *testing.T) {
	t.Parallel()
	s, err := New(t.Context(), Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 1, 31, 8, 0, 0, 0, time.UTC)
	p, err := s.daily(day)
	again, _ := s.daily(day.Add(9 * time.Hour))
	if err != nil || p == nil || again == nil || p.Task != again.Task || p.Solution != again.Solution || p.Title == "" || p.Solution == "" {
		t.Errorf("%+v, then %+v, %v", p, again, err)
	}
}

// The card of a game shows a third as many moves as there are cells, and goes on for as long as the game does; what stands on rules of one's
// own is said.
func TestCardsShowAFewMoves(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "two.yaml")
	if err := os.WriteFile(own, []byte("name: two\nboard: {columns: 4, rows: 3}\nwin: {line: 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := New(t.Context(), Options{Folder: t.TempDir(), Rules: []string{own}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	pieces := map[string]int{}
	notes := map[string]string{}
	for _, c := range s.cards() {
		notes[c.Name] = c.Note
		for _, class := range []string{"cross", "O"} { // a cross is two strokes, a ring begins once
			_, path, _ := strings.Cut(string(c.Picture), `class="`+class+`"`)
			path, _, _ = strings.Cut(path, "/>")
			pieces[c.Name] += strings.Count(path, "M") / map[string]int{"cross": 2, "O": 1}[class]
		}
	}
	if pieces["classic"] != 3 || pieces["two"] < 1 || pieces["two"] > 4 {
		t.Errorf("%v", pieces)
	}
	if notes["classic"] != "3 × 3" || notes["two"] != "4 × 3, from "+own {
		t.Errorf("%q, %q", notes["classic"], notes["two"])
	}
}
