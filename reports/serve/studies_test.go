package serve_test

import (
	"encoding/json"
	"html"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
	"spar/engines/enginetest"
	"spar/reports/serve"
)

func studyOf(t testing.TB, path string) *store.DB {
	t.Helper()
	db := must.Get(store.Open(t.Context(), path, store.Writing))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

func filterOf(event string) store.Filter { return store.Filter{Event: event} }

const cup = `
name: cup
games: [classic, vanishing, {rules: vanishing, set: {win.line: 3, pieces.cap: 4}}]
agents: [random, greedy]
format: round-robin
pairs: 4
openings: {plies: 1}
seed: 3
`

// played plays a small cup into a study.
func played(t testing.TB, feed *live.Feed) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cup.db")
	tournament := must.Get(arena.LoadPlan("cup.yaml", []byte(cup)))(t)
	db := storetest.Open(t, path)
	must.Get(arena.Run(t.Context(), t.Context(), tournament, db, arena.Options{Feed: feed}))(t)
	return path
}

// Every page of a study answers with what the study holds, and within its size.
func TestStudyPages(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Studies: []string{played(t, nil)}})
	for _, c := range []struct {
		path   string
		status int
		has    string
	}{
		{"/", 200, `<a href="/study/cup"><span class="v">cup</span></a>`},
		{"/study/cup", 200, "24 games, 3 sets of rules, 2 agents, 1 run."},
		{"/study/cup", 200, "/play?rules=vanishing&amp;set=pieces.cap%3D4&amp;set=win.line%3D3"},
		{"/games/cup", 200, `<a href="/g/cup.1"><span class="v">1</span></a>`},
		{"/games/cup?rules=classic&agent=greedy", 200, "classic"},
		{"/games/cup", 200, `data-topics=""`}, // it is whole, and waits for nothing
		{"/games/cup?agent=nobody", 200, "No game matches"},
		{"/games/cup?opening=z9", 200, "No game matches"},
		{"/g/cup.1", 200, "Game 1"},
		{"/g/cup.1?ply=1", 200, "After ply 1"},
		{"/g/cup.99", 404, "no game 99"},
		{"/g/cup", 404, "expected STUDY.NAME"},
		{"/g/cup.x", 404, "not the number"},
		{"/g/other.1", 404, "no study"},
		{"/t/cup.1", 200, "Against each other"},
		{"/t/cup.1", 200, `<h2 id="wall">Latest games</h2><ul class="wall"><li><a href="/g/cup.24">`},
		{"/g/cup.2", 200, `href="/g/cup.1"`},
		{"/g/cup.2", 200, `href="/g/cup.3"`},
		{"/t/cup.7", 404, "no run"},
		{"/b/cup.classic", 200, "classic"},
		{"/b/cup.none", 404, "no rules"},
		{"/study/nothing", 404, "no study"},
		{"/study/..%2fcup", 404, "no study"},
	} {
		w := send(s, request{path: c.path})
		if w.Code != c.status || !shows(w.Body.String(), c.has) {
			t.Errorf("%s: %d without %q: %s", c.path, w.Code, c.has, firstLine(w.Body.String()))
		}
		if w.Body.Len() > 120<<10 {
			t.Errorf("%s: %d bytes", c.path, w.Body.Len())
		}
	}
	lookAt(t, s, "/b/cup.classic", 200, []string{`<details class="part">`, `id="choice"`, `id="figure-`})
	whole := send(s, request{path: "/b/cup.classic"}).Body.Len()
	packed := send(s, request{path: "/b/cup.classic", headers: map[string]string{"Accept-Encoding": "gzip"}})
	if packed.Code != 200 || packed.Body.Len() > whole/3 || packed.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("the report takes %d bytes on the way", packed.Body.Len())
	}
	var games []struct{ ID int64 }
	if err := json.Unmarshal(send(s, request{path: "/games/cup?format=json"}).Body.Bytes(), &games); err != nil ||
		len(games) != 24 || games[23].ID != 24 {
		t.Errorf("games as JSON: %v, %v", games, err)
	}
}

// The page of a match with a sequential test shows where that stands: greedy is far above random, so at the upper
// bound.
func TestSequentialTestOnItsPage(t *testing.T) {
	t.Parallel()
	plan := must.Get(arena.LoadPlan("m.yaml", []byte("{name: m, games: [classic], agents: [greedy, random], format: "+
		"match, pairs: 400, openings: {plies: 2}, stop: {sprt: {elo0: 0, elo1: 60}}, seed: 4}")))(t)
	path := filepath.Join(t.TempDir(), "m.db")
	db := must.Get(store.Open(t.Context(), path, store.Create))(t)
	must.Get(arena.Run(t.Context(), t.Context(), plan, db, arena.Options{}))(t)
	must.Do(t, db.Close())
	lookAt(t, start(t, serve.Options{Studies: []string{path}}), "/t/m.1", 200,
		[]string{
			"H0: 0, H1: 60", "accept H1: 60 rather than 0",
		})
}

// A run of this process can be stopped and let go on by its page; one of another process cannot. Its progress comes
// from the feed.
func TestRunOfThisProcess(t *testing.T) {
	t.Parallel()
	feed := live.NewFeed(time.Now)
	path := played(t, nil)
	stopped, gone := 0, 0
	run := &serve.Run{
		Study: path, Event: "cup", Feed: feed, Workers: 2, Stop: func() { stopped++ },
		Go: func() { gone++ },
	}
	s := start(t, serve.Options{Studies: []string{path}, Run: run})
	feed.Publish(live.Event{Kind: live.Begin, Run: "cup", Done: 10, Total: 24, Exact: true},
		live.Event{Kind: live.GameEnd}, live.Event{Kind: live.GameEnd})
	feed.Publish(live.Event{Kind: live.Machines, Machines: []live.Machine{{
		Worker: "barn", Slots: 4, Here: true,
		Games: 7, Rate: 1.5, Holds: 3,
	}}})
	feed.Publish(live.Event{Kind: live.Stage, Text: "round 2 of 3"},
		live.Event{Kind: live.Withdrawn, Text: "thin air is withdrawn"}, live.Event{
			Kind: live.Barred,
			Text: "worker cellar lies", Done: 9,
		}, live.Event{Kind: live.GameEnd})
	show := live.Shower{Boards: feed.Boards(), Player: 0}
	feed.Boards().Look()
	show.Show(enginetest.Load(t, "classic").NewPosition(), "random", "greedy", 11)
	page := send(s, request{path: "/t/cup.1"}).Body.String()
	page += regexp.MustCompile(`</span></t[dh]><t[dh][^>]*><span class="v[ u]*">`).ReplaceAllString(page, " | ")
	for _, want := range []string{
		"</progress> round 2 of 3: 10 of 24 games",
		"<li>thin air is withdrawn</li><li>worker cellar lies</li>", "Games in progress", "Game 12, ply 0: random – " +
			"greedy", "1 machine, 3 leased games", "barn | here | 4 | 1.5 | 7 | 3", "2 games at a time on this machine",
	} {
		if !shows(page, want) {
			t.Errorf("the page of the run has no %q", want)
		}
	}
	if w := send(s, request{path: "/t/cup.1"}); !strings.Contains(w.Body.String(), "10 of 24 games") ||
		!strings.Contains(w.Body.String(), "Finish the running games") {
		t.Error("no progress on the page")
	}
	if w := send(s, request{method: "POST", path: "/t/cup.1/stop"}); w.Code != 303 || stopped != 1 {
		t.Errorf("stop: %d, %d times", w.Code, stopped)
	}
	feed.Publish(live.Event{Kind: live.End, Run: "cup", Done: 12, Total: 24})
	if w := send(s, request{path: "/t/cup.1"}); !strings.Contains(w.Body.String(), "Continue") {
		t.Error("a run that was stopped cannot go on")
	}
	if w := send(s, request{method: "POST", path: "/t/cup.1/go"}); w.Code != 303 || gone != 1 {
		t.Errorf("go: %d, %d times", w.Code, gone)
	}
	feed.Publish(live.Event{Kind: live.Begin, Run: "cup", Done: 10, Total: 24, Exact: true})
	if page := send(s, request{path: "/t/cup.1"}).Body.String(); strings.Contains(page, "round 2 of 3") ||
		strings.Contains(page, "thin air") {
		t.Error("it goes on, and what was said before is said again")
	}
	if w := send(s, request{method: "POST", path: "/t/cup.1/on"}); w.Code != 404 || gone != 1 || stopped != 1 {
		t.Errorf("no command: %d", w.Code)
	}
	other := start(t, serve.Options{Studies: []string{path}})
	if w := send(other, request{method: "POST", path: "/t/cup.1/stop"}); w.Code != 409 || stopped != 1 {
		t.Errorf("stop of another process's run: %d", w.Code)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// A pasted game is reviewed move by move; the file of it needs nothing else.
func TestReviewOfAPastedGame(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{})
	const at = "?rules=vanishing&moves=b2+a1+a2+c2+c3+b1+c1"
	body := ""
	for range 400 {
		if body = send(s, request{path: "/review" + at}).Body.String(); !strings.Contains(body, "data-busy") {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	// b2 gives the win away that an edge has: the exact values say so.
	for _, want := range []string{`<em class="mistake"><span aria-hidden="true">??</span> mistake</em> <span class="ci">best b1 (-50 %)</span>`, "(exact)", "X: best 1, mistake 3", `name="upto"`} {
		if !shows(body, want) {
			t.Errorf("the review has no %s", want)
		}
	}
	if got := html.UnescapeString(send(s, request{path: "/review?rules=classic&moves=vanishing:+1.+b2+a1+2.+a2+c2+3.+c3+b1+4.+c1"}).Body.String()); !strings.Contains(
		got,
		`name="moves" value="b2 a1 a2 c2 c3 b1 c1"`,
	) {
		t.Error("moves with their numbers are other moves")
	}
	w := send(s, request{path: "/review/file" + at})
	if w.Code != 200 || !strings.Contains(w.Body.String(), "<style>") ||
		!strings.Contains(w.Body.String(), "best b1") || strings.Contains(w.Body.String(), "/assets/") {
		t.Errorf("the file: %d", w.Code)
	}
	for _, c := range []struct {
		query string
		has   string
	}{
		{"?rules=vanishing&moves=b2+b2", "occupied"},
		{
			"?rules=nothing&moves=b2",
			"no rules",
		},
		{"?rules=classic&set=win.lne%3D3&moves=b2", "did you mean"},
		{"?rules=classic&moves=" + strings.Repeat("b2+", 2001), "more than 2000"},
	} {
		if w := send(s, request{path: "/review" + c.query}); w.Code != 422 ||
			!shows(w.Body.String(), c.has) {
			t.Errorf("%.60s: %d %s", c.query, w.Code, firstLine(w.Body.String()))
		}
	}
}

// lookAt waits for a page to be there, and holds that it has what it should.
func lookAt(t *testing.T, s *serve.Server, path string, status int, has []string) {
	t.Helper()
	body, code := "", 0
	for range 200 {
		w := send(s, request{path: path})
		body, code = html.UnescapeString(w.Body.String()), w.Code
		missing := func(want string) bool { return !shows(strings.ToLower(body), strings.ToLower(want)) }
		if !strings.Contains(body, "data-busy") && !slices.ContainsFunc(has, missing) {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	for _, want := range has {
		if code != status || !shows(strings.ToLower(body), strings.ToLower(want)) {
			t.Errorf("%s: %d without %q: %s", path, code, want, firstLine(body))
		}
	}
	if strings.Count(body, "<main") > 1 || strings.Count(body, "<h1") > 1 {
		t.Errorf("%s has several main parts or headings", path)
	}
}

// The pages of a list of games go on one after the other until every game has been shown once.
func TestPagesOfManyGames(t *testing.T) {
	t.Parallel()
	plan := must.Get(arena.LoadPlan("many.yaml", []byte("{name: many, games: [classic], agents: [random, greedy], "+
		"format: match, pairs: 60, openings: {plies: 1}, seed: 1}")))(t)
	path := filepath.Join(t.TempDir(), "many.db")
	db := must.Get(store.Open(t.Context(), path, store.Create))(t)
	must.Get(arena.Run(t.Context(), t.Context(), plan, db, arena.Options{}))(t)
	must.Do(t, db.Close())
	s := start(t, serve.Options{Studies: []string{path}})
	game := regexp.MustCompile(`href="/g/many\.(\d+)">`)
	next := regexp.MustCompile(`<a href="([^"]*)">Next page`)
	var got []string
	pages := 0
	for at := "/games/many"; at != "" && pages < 9; pages++ {
		body := flat(html.UnescapeString(send(s, request{path: at}).Body.String()))
		for _, m := range game.FindAllStringSubmatch(body, -1) {
			got = append(got, m[1])
		}
		if at = ""; next.MatchString(body) {
			at = next.FindStringSubmatch(body)[1]
		}
	}
	for i, id := range got {
		if id != strconv.Itoa(i+1) {
			t.Fatalf("game %d is shown as %s of %d", i+1, id, len(got))
		}
	}
	if len(got) != 120 || pages != 3 {
		t.Errorf("%d games on %d pages, want 120 on 3", len(got), pages)
	}
}

// A move that is tried on the board of a review opens the review of the game that it begins.
func TestAnotherMoveInAReview(t *testing.T) {
	t.Parallel()
	s := start(t, serve.Options{Studies: []string{played(t, nil)}})
	stored := send(s, request{path: "/g/cup.1"}).Body.String()
	copied := regexp.MustCompile(`id="copy" readonly value="classic: ([^"]*)"`).FindStringSubmatch(stored)
	if copied == nil {
		t.Fatal("no text to copy")
	}
	moves := strings.Fields(copied[1])
	cells := slices.DeleteFunc(strings.Fields("a1 b1 c1"), func(cell string) bool { return slices.Contains(moves[:2], cell) })
	for _, c := range []struct {
		query string
		code  int
		has   string
	}{
		{"game=cup.1&ply=1&move=" + cells[0], 303, "moves=" + moves[0] + "+" + cells[0] + "&ply=2&rules=classic"},
		{"rules=classic&moves=b2+a1&ply=0&move=c3", 303, "/review?first=&moves=c3&ply=1&rules=classic&second=#position"},
		{"game=cup.1&ply=1&move=" + moves[0], 422, "occupied"},
		{"game=cup.1&ply=99&move=a1", 400, "ply: expected"},
		{"ply=0&move=a1", 400, "no moves"},
	} {
		w := send(s, request{path: "/review/try?" + c.query})
		if w.Code != c.code || !strings.Contains(w.Header().Get("Location")+w.Body.String(), c.has) {
			t.Errorf("%s: %d to %q without %q", c.query, w.Code, w.Header().Get("Location"), c.has)
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
