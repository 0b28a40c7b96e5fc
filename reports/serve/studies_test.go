package serve_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/store"
	"spar/reports/serve"
)

func studyOf(t testing.TB, path string) *store.DB {
	t.Helper()
	db, err := store.OpenExisting(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
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
	tournament, err := arena.LoadPlan("cup.yaml", []byte(cup))
	if err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := arena.Run(t.Context(), t.Context(), tournament, db, arena.Options{Feed: feed}); err != nil {
		t.Fatal(err)
	}
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
		{"/", 200, `<a href="/study/cup">cup</a>`},
		{"/study/cup", 200, "24 games, 3 rules, 2 agents, 1 runs"},
		{"/study/cup", 200, "/play?rules=vanishing&amp;set=pieces.cap%3D4&amp;set=win.line%3D3"},
		{"/games/cup", 200, `<a href="/g/cup.1">1</a>`},
		{"/games/cup?rules=classic&agent=greedy", 200, "classic"},
		{"/games/cup?agent=nobody", 200, "No game is like that"},
		{"/games/cup?order=odd", 200, `<a href="/g/cup.`},
		{"/games/cup?opening=z9", 200, "No game is like that"},
		{"/g/cup.1", 200, "Game 1"},
		{"/g/cup.1?ply=1", 200, "After ply 1"},
		{"/g/cup.99", 404, "no game 99"},
		{"/g/cup", 404, "expected the name of a study"},
		{"/g/cup.x", 404, "no number"},
		{"/g/other.1", 404, "no study"},
		{"/t/cup.1", 200, "greedy leads"},
		{"/t/cup.1", 200, "Cross table"},
		{"/t/cup.7", 404, "no run"},
		{"/b/cup.classic", 200, "classic"},
		{"/b/cup.none", 404, "no rules"},
		{"/sql/cup", 200, "CREATE VIEW standings"},
		{"/sql/cup?q=SELECT+count(*)+AS+n+FROM+games", 200, "<td class=\"l\">24</td>"},
		{"/sql/cup?q=DELETE+FROM+games", 422, "not authorized"},
		{"/sql/cup?q=DELETE+FROM+games&format=json", 422, `{"error":`},
		{"/sql/cup?q=SELECT+1+AS+one,NULL+AS+none&format=json", 200, `[{"none":null,"one":1}]`},
		{"/sql/cup?q=SELECT+1+AS+one,NULL+AS+none&format=csv", 200, "one,none\n1,\n"},
		{"/study/nothing", 404, "no study"},
		{"/study/..%2fcup", 404, "no study"},
	} {
		w := send(s, request{path: c.path})
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.has) {
			t.Errorf("%s: %d without %q: %s", c.path, w.Code, c.has, firstLine(w.Body.String()))
		}
		if w.Body.Len() > 100<<10 && !strings.HasPrefix(c.path, "/b/") { // reports are packed on the way
			t.Errorf("%s: %d bytes", c.path, w.Body.Len())
		}
	}
	if w := send(s, request{path: "/b/cup.classic", headers: map[string]string{"Accept-Encoding": "gzip"}}); w.Code != 200 || w.Body.Len() > 100<<10 || w.Header().Get("Content-Encoding") != "gzip" {
		t.Errorf("the report takes %d bytes on the way", w.Body.Len())
	}
	var games []struct{ ID int64 }
	if err := json.Unmarshal(send(s, request{path: "/games/cup?format=json"}).Body.Bytes(), &games); err != nil || len(games) != 24 || games[23].ID != 24 {
		t.Errorf("games as JSON: %v, %v", games, err)
	}
}

// A run of this process can be stopped and let go on by its page; one of another process cannot. Its progress comes from the feed.
func TestRunOfThisProcess(t *testing.T) {
	t.Parallel()
	feed := live.NewFeed(time.Now)
	path := played(t, nil)
	stopped, gone := 0, 0
	run := &serve.Run{Study: path, Event: "cup", Feed: feed, Stop: func() { stopped++ }, Go: func() { gone++ }}
	s := start(t, serve.Options{Studies: []string{path}, Run: run})
	feed.Publish(live.Event{Kind: live.Begin, Run: "cup", Done: 10, Total: 24, Exact: true}, live.Event{Kind: live.GameEnd}, live.Event{Kind: live.GameEnd})
	if w := send(s, request{path: "/t/cup.1"}); !strings.Contains(w.Body.String(), "12 of 24 games") || !strings.Contains(w.Body.String(), "Finish the games in flight") {
		t.Error("no progress on the page")
	}
	if w := send(s, request{method: "POST", path: "/t/cup.1/stop"}); w.Code != 303 || stopped != 1 {
		t.Errorf("stop: %d, %d times", w.Code, stopped)
	}
	feed.Publish(live.Event{Kind: live.End, Run: "cup", Done: 12, Total: 24})
	if w := send(s, request{path: "/t/cup.1"}); !strings.Contains(w.Body.String(), "Go on") {
		t.Error("a run that was stopped cannot go on")
	}
	if w := send(s, request{method: "POST", path: "/t/cup.1/go"}); w.Code != 303 || gone != 1 {
		t.Errorf("go: %d, %d times", w.Code, gone)
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
	for _, want := range []string{`<em class="mistake">mistake</em> <span class="ci">best b1</span>`, "(exact)", "X: best 1, mistake 3", `name="upto"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the review has no %s", want)
		}
	}
	w := send(s, request{path: "/review/file" + at})
	if w.Code != 200 || !strings.Contains(w.Body.String(), "<style>") || !strings.Contains(w.Body.String(), "best b1") || strings.Contains(w.Body.String(), "/assets/") {
		t.Errorf("the file: %d", w.Code)
	}
	for _, c := range []struct {
		query string
		has   string
	}{{"?rules=vanishing&moves=b2+b2", "occupied"}, {"?rules=nothing&moves=b2", "no rules"}, {"?rules=classic&set=win.lne%3D3&moves=b2", "did you mean"}, {"?rules=classic&moves=" + strings.Repeat("b2+", 2001), "more than 2000"}} {
		if w := send(s, request{path: "/review" + c.query}); w.Code != 422 || !strings.Contains(w.Body.String(), c.has) {
			t.Errorf("%.60s: %d %s", c.query, w.Code, firstLine(w.Body.String()))
		}
	}
}
