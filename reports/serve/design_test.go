package serve_test

import (
	"html"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/configs/must"
	"spar/engines"
	"spar/reports/serve"
)

// The page of knobs tells every mistake at once, keeps a position as far as it is legal, and turns only what differs.
func TestDesignPage(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	for _, c := range []struct {
		query  string
		status int
		has    string
	}{
		{"", 200, "<h2>vanishing</h2>"},
		{"", 200, "Random games"},
		{"rules=vanishing&k.pieces.cap=4", 200, "<h2>vanishing[pieces.cap=4]</h2>"},
		{"rules=vanishing&k.pieces.cap=3&k.win.mate=&k.win.reach=", 200, "<h2>vanishing</h2>"},
		{"rules=vanishing&set=pieces.cap%3D4&k.pieces.cap=3", 200, "<h2>vanishing</h2>"},
		{"rules=vanishing&k.win.line=9", 422, `name="k.win.line" value="9" type="number" min="0" max="16" class="bad" aria-invalid="true"`},
		{"rules=vanishing&k.win.line=9&k.pieces.cap=999", 422, `id="h-pieces.cap"><b class="warn">`},
		{"", 200, `name="k.board.columns" value="3" type="number" min="1" max="16"`},
		{"", 200, `id="h-board.columns">Number of columns, named a to p from the left; at most 121 cells in all.`},
		{"rules=nothing", 422, "No rules"},
		{"rules=/etc/passwd.yaml", 422, "No rules"},
	} {
		w := send(s, request{path: "/design?" + c.query})
		if w.Code != c.status || !shows(w.Body.String(), c.has) {
			t.Errorf("%s: %d without %q: %s", c.query, w.Code, c.has, firstLine(w.Body.String()))
		}
		if w.Body.Len() > 100<<10 {
			t.Errorf("%s: %d bytes", c.query, w.Body.Len())
		}
	}
}

// A rules file is saved with its knobs turned and its comments kept, and means what the page showed.
func TestDesignFile(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	set := []string{"pieces.cap=4", "surround.threshold=2", "board.wrap=torus"}
	w := send(s, request{path: "/design/file?" + url.Values{"rules": {"vanishing"}, "set": set}.Encode()})
	text := w.Body.String()
	for _, want := range []string{
		"cap: 4", "# pieces a side may keep", "# Vanishing tic-tac-toe", "wrap: torus",
		"threshold: 2",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	g := must.Get(engines.Load("variant.yaml", []byte(text)))(t)
	if want, err := engines.Named("vanishing", set...); err != nil || g.RulesHash() != want.RulesHash() {
		t.Errorf("the file means other rules: %v", err)
	}
	if w := send(s, request{path: "/design/file?rules=vanishing&set=win.line%3D9"}); w.Code != 422 {
		t.Errorf("rules that cannot be were saved: %d", w.Code)
	}
}

// The quick study ends with a verdict: two in a row on 3x3, which the first player wins with the second piece, is
// unfair.
func TestQuickStudy(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	const unfair = "rules=classic&set=win.line%3D2"
	w := send(s, request{method: "POST", path: "/design/study", body: unfair})
	if w.Code != 303 || w.Header().Get("Location") != "/design?"+unfair {
		t.Fatalf("%d to %q: %s", w.Code, w.Header().Get("Location"), w.Body.String())
	}
	for range 800 {
		body := send(s, request{path: "/design?" + unfair}).Body.String()
		// 20 of 20 at 1-0.05/7, z = 2.69: Wilson's interval begins at 20/(20+z²).
		if strings.Contains(body, "No: A win for X in 3 plies with best play. When <span class=\"u\">mcts-100</span> plays itself, the first player scores "+
			"100\u00a0% (73 to 100) in 20 games (a 99.3\u00a0% interval, because Spar tests the result up to 7 times).") {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Error("two in a row, which X wins at once, was not found unfair")
}

// YAML is checked, shown as changes of the rules that it began with, and saved as it is in a file of the user; a shipped
// file is not, nor one that would not load.
func TestDesignYAML(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mine.yaml")
	const text = "name: mine # my own\nboard: {columns: 3, rows: 3}\npieces:\n  cap: 3   # so few\nwin: {line: 3}\n"
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	s := start(t, serve.Options{Rules: []string{path}})
	four := strings.Replace(text, "cap: 3", "cap: 4", 1)
	wrong := strings.Replace(text, "line: 3", "line: 9", 1)
	for _, c := range []struct {
		what, rules, yaml string
		code              int
		has               string // of the address, or of the page
	}{
		{"yaml", "mine", four, 303, "/design?rules=mine&set=pieces.cap%3D4"},
		{"yaml", "mine", strings.ReplaceAll(text, "\n", "\r\n"), 303, "/design?rules=mine"},
		{
			"yaml", "mine", "title: 'Three, or so'\nsides: {first: {name: Fox}, second: {name: Owl}}\n" + text, 303,
			`rules=mine&set=title%3D%22Three%2C+or+so%22&set=sides.first.name%3D%22Fox%22&set=sides.second.name%3D%22Owl%22`,
		},
		// draw.full_board has no effect where the board never fills
		{"yaml", "mine", strings.Replace(text, "win:", "draw: {full_board: false}\nwin:", 1), 303, "/design?rules=mine"},
		{"yaml", "vanishing", strings.Replace(text, "cap", "kap", 1), 422, "vanishing.yaml:4:3: unknown key \"kap\""},
		{"yaml", "mine", wrong, 422, "win: {line: 9} </textarea>"},
		{"save", "mine", wrong, 422, "mine.yaml:5:"},
		{"save", "vanishing", four, 422, "vanishing is a shipped file"},
		{"save", path, four, 422, "No rules called"},
		{"save", "mine", four, 303, "/design?rules=mine&saved=1"},
	} {
		form := url.Values{"rules": {c.rules}, "yaml": {c.yaml}}
		w := send(s, request{method: "POST", path: "/design/" + c.what, body: form.Encode()})
		if said := w.Header().Get("Location") + html.UnescapeString(w.Body.String()); w.Code != c.code ||
			!shows(said, c.has) {
			t.Errorf("%s %s: %d without %q: %s", c.what, c.rules, w.Code, c.has, firstLine(said))
		}
	}
	late := send(s, request{method: "POST", path: "/design/save", body: "rules=mine&was=1&yaml=" + url.QueryEscape(text)})
	if late.Code != 422 {
		t.Error("a page older than the file overwrites it")
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != four {
		t.Errorf("saved %q, %v", data, err)
	}
	if page := send(s, request{path: "/design?rules=mine&saved=1"}).Body.String(); !strings.Contains(page,
		"Saved to "+path) || !strings.Contains(page, `name="was"`) || !strings.Contains(page, `name="k.pieces.cap" value="4"`) {
		t.Error("the page does not show what was saved")
	}
}
