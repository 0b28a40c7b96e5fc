package serve_test

import (
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"spar/reports/serve"
)

// at follows a command to the page that it leads to.
func at(t *testing.T, s *serve.Server, path string, form url.Values) (address, body string) {
	t.Helper()
	w := send(s, request{method: "POST", path: path, body: form.Encode()})
	if w.Code != 303 {
		t.Fatalf("%s %v: %d %s", path, form, w.Code, firstLine(w.Body.String()))
	}
	address = w.Header().Get("Location")
	page, _, _ := strings.Cut(address, "#")
	return address, html.UnescapeString(send(s, request{path: page}).Body.String())
}

// A move that is tried on the board of a review begins a line, which is kept beside the game, goes with its address,
// its text and its file, and can be removed. Games that are played on from a position are lines, too.
func TestLinesOfAReview(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Studies: []string{played(t, nil)}})
	stored := send(s, request{path: "/g/cup.1"}).Body.String()
	copied := regexp.MustCompile(`id="copy" readonly value="classic: ([^"]*)"`).FindStringSubmatch(stored)
	if copied == nil {
		t.Fatal("no text to copy")
	}
	moves := strings.Fields(copied[1])
	other := "a1"
	for _, cell := range []string{"a1", "b1", "c1", "a2", "b2", "c2"} {
		if cell != moves[0] && cell != moves[1] {
			other = cell
		}
	}
	to, body := at(t, s, "/review/line/add", url.Values{"game": {"cup.1"}, "ply": {"1"}, "move": {other}})
	if !strings.HasPrefix(to, "/g/cup.1?line=1&moves=") || !strings.Contains(to, "ply=2#position") {
		t.Errorf("the line is at %s", to)
	}
	want := "classic: " + moves[0] + " " + moves[1] + " (" + other + ")"
	for _, text := range []string{
		want, "Line 1 leaves the game after ply 1", "After ply 2, X to move",
		`<b aria-current="true">Line 1</b> 2. ` + other, "Remove line 1",
	} {
		if !strings.Contains(body, text) {
			t.Errorf("the page of the line has no %q", text)
		}
	}
	if page := send(s, request{path: "/g/cup.1"}).Body.String(); !strings.Contains(page, want) {
		t.Error("the line is not kept beside the game")
	}
	// A line may leave the game before its first move.
	if to, _ := at(t, s, "/review/line/add", url.Values{
		"rules": {"classic"}, "moves": {"b2 a1"}, "ply": {"0"},
		"move": {"c3"},
	}); to != "/review?line=1&moves=b2+%28c3%29+a1&ply=1&rules=classic#position" {
		t.Errorf("another first move is at %s", to)
	}
	// The address works where the study is not: rules, overrides and moves say all.
	elsewhere := start(t, serve.Options{})
	link := regexp.MustCompile(`<a href="([^"]*)">Link to this review`).FindStringSubmatch(body)
	if link == nil {
		t.Fatal("no link")
	}
	if w := send(elsewhere, request{path: link[1]}); w.Code != 200 || !strings.Contains(w.Body.String(), want) {
		t.Errorf("elsewhere: %d", w.Code)
	}
	if w := send(elsewhere, request{path: "/review?moves=" +
		url.QueryEscape(want+" "+strings.Join(moves[2:], " "))}); w.Code != 200 ||
		!strings.Contains(w.Body.String(), "Line 1") {
		t.Errorf("the pasted text: %d %s", w.Code, firstLine(w.Body.String()))
	}
	if w := send(s, request{path: "/review/file?game=cup.1"}); w.Code != 200 ||
		strings.Count(w.Body.String(), `class="game"`) != 2 {
		t.Errorf("the file has %d games, want the game and its line", strings.Count(w.Body.String(), `class="game"`))
	}
	// Somebody plays on against an agent, and goes on with it.
	at1 := game(t, s, url.Values{
		"rules": {"classic"}, "moves": {strings.Join(moves, " ")}, "upto": {"2"},
		"origin": {"/g/cup.1"}, "agent": {"random"},
	}.Encode())
	st := settled(t, s, at1)
	if st.Ply != 2 || st.ToMove != "X" || st.Seats != [2]string{"human", "random"} {
		t.Fatalf("playing on: %+v", st)
	}
	free := st.Legal[0]
	if free == moves[2] {
		free = st.Legal[1]
	}
	move(t, s, at1, 2, free)
	page := html.UnescapeString(send(s, request{path: "/g/cup.1"}).Body.String())
	if !strings.Contains(page, "3. "+free+" ") || !strings.Contains(page, `<a href="`+at1+`">human – random</a>`) {
		t.Error("the game that was played on is no line")
	}
	if page := send(s, request{path: at1}).Body.String(); !strings.Contains(page,
		`<a href="/g/cup.1">The game that this one continues`) {
		t.Error("the game does not lead back to the review")
	}
	_, body = at(t, s, "/review/line/remove", url.Values{"game": {"cup.1"}, "line": {"1"}})
	if strings.Contains(body, "("+other+")") {
		t.Error("the line is not removed")
	}
	for _, c := range []struct {
		path string
		form url.Values
		code int
		has  string
	}{
		{"/review/line/add", url.Values{"game": {"cup.1"}, "ply": {"1"}, "move": {moves[0]}}, 422, "occupied"},
		{"/review/line/add", url.Values{"game": {"cup.1"}, "ply": {"99"}, "move": {other}}, 400, "ply: expected"},
		{"/review/line/remove", url.Values{"game": {"cup.1"}}, 422, "cannot be removed"},
		{"/review/line/add", url.Values{"move": {other}}, 400, "no moves"},
		{"/review/line/else", url.Values{"game": {"cup.1"}}, 404, "no command"},
		{
			"/review/line/add",
			url.Values{"game": {"cup.1"}, "line": {"7"}, "ply": {"1"}, "move": {other}},
			404,
			"lines have the numbers 0 to 1.",
		},
	} {
		if w := send(s, request{method: "POST", path: c.path, body: c.form.Encode()}); w.Code != c.code ||
			!strings.Contains(w.Body.String(), c.has) {
			t.Errorf("%s %v: %d without %q", c.path, c.form, w.Code, c.has)
		}
	}
}

// A move that goes on along the line that is shown leaves that line shown; another one begins a line of its own. Line
// 0 is the game.
func TestMovesAlongALine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, ply, move, want string }{
		{"1", "1", "a2", "line=1"}, // a1 a2 b2 is line 1
		{"1", "0", "a1", "line=1"}, // the game begins so, too
		{"1", "2", "b2", "line=1"},
		{"1", "2", "c2", "line=2"},
		{"1", "3", "c3", "line=1"},
		{"0", "1", "a2", "line=1"},
		{"0", "1", "a3", "line=2"},
		{"0", "1", "b1", ""},
	} {
		s := start(t, serve.Options{}) // what is tried is kept
		form := url.Values{
			"rules": {"classic"}, "moves": {"a1 b1 (a2 b2) c1"}, "line": {c.line}, "ply": {c.ply},
			"move": {c.move},
		}
		to, _ := at(t, s, "/review/line/add", form)
		address, err := url.Parse(to)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if address.Query().Has("line") {
			got = "line=" + address.Query().Get("line")
		}
		if n, _ := strconv.Atoi(c.ply); got != c.want || address.Query().Get("ply") != strconv.Itoa(n+1) {
			t.Errorf("%s after ply %s of line %s leads to %s, want %s", c.move, c.ply, c.line, to, c.want)
		}
	}
}

// Overrides whose values have spaces survive in every address and form that carries them.
func TestOverridesWithSpaces(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	const lines = "board.lines=[[a1, b1, c1], [a2, b2, c2], [a3, b3, c3], [a1, a2, a3], [b1, b2, b3], [c1, c2, c3], " +
		"[a1, b2, c3]]"
	for _, q := range []url.Values{
		{"rules": {"tapatan"}, "set": {lines, "draw.max_plies=50"}},
		{"rules": {"tapatan"}, "set": {lines + " draw.max_plies=50"}},
		{"rules": {"tapatan"}, "set": {"draw.max_plies=50 " + lines}},
	} {
		for _, path := range []string{"/play", "/design", "/review"} {
			q.Set("moves", "a1")
			if w := send(s, request{path: path + "?" + q.Encode()}); w.Code != 200 ||
				strings.Contains(w.Body.String(), `role="alert"`) {
				t.Errorf("%s?%s: %d %s", path, q.Encode(), w.Code, firstLine(w.Body.String()))
			}
		}
		q.Set("opponent", "person")
		if st := do(t, s, game(t, s, q.Encode()), ""); st.Ply != 1 {
			t.Errorf("%v: %+v", q, st)
		}
	}
}
