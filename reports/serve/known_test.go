package serve

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/engines/enginetest"
	"spar/ratings"
	"spar/reports/serve/table"
	"spar/reports/standings"
)

// The form of a rules file keeps overrides where there are some; a review that is not rated has no values, and one rated ply is enough.
func TestWhatIsKnownSoFar(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	for set, want := range map[string]string{"": "/design/file?rules=classic", "win.line=2": "/design/file?rules=classic&set=win.line%3D2"} {
		g, err := s.library.Game("classic", strings.Fields(set))
		if err != nil {
			t.Fatal(err)
		}
		if v := s.variant("classic", strings.Fields(set), g); v.File != want {
			t.Errorf("%q: the file is at %s", set, v.File)
		}
	}
	g, err := s.pasted(url.Values{"rules": {"vanishing"}, "moves": {"b2"}}) // which nobody has asked for before
	if err != nil {
		t.Fatal(err)
	}
	g.moves = []string{"b2"}
	if v, look, err := s.view(g, false); err != nil || look.Done != 0 || v.Values != nil || v.Classes != nil {
		t.Errorf("nothing is rated: %+v, %v", v, err)
	}
	for range 2000 {
		v, look, err := s.view(g, true)
		if err != nil {
			t.Fatal(err)
		}
		if look.Done > 0 {
			if len(v.Values) != 2 || v.Source == "" || len(v.Classes) != 1 || v.Classes[0] == "" {
				t.Errorf("one ply is rated: %+v", v)
			}
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("it is never rated")
}

// Nothing is written before there is something to keep, and rules without a title are called by their name.
func TestNothingIsWrittenByLooking(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	if text, err := s.people.lines(t.Context(), "/g/x.1"); text != "" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if records, err := s.people.latest(t.Context(), "", 9); len(records) != 0 || err != nil {
		t.Errorf("%v, %v", records, err)
	}
	if path := filepath.Join(s.people.folder, peopleFile); exists(path) {
		t.Errorf("%s was made by looking", path)
	}
	titled, plain := enginetest.Load(t, "vanishing"), enginetest.Load(t, "vanishing", `title=""`)
	if title(titled) != titled.Rules().Title || title(titled) == "" || title(plain) != plain.Name() {
		t.Errorf("%q, %q", title(titled), title(plain))
	}
}

// A matrix of standings is read up to 40 agents; those who have not met have no score there, and one game is enough for one.
func TestMatrixOfMany(t *testing.T) {
	t.Parallel()
	of := func(n int) poolView {
		t.Helper()
		var b ratings.Builder
		name := func(i int) string { return fmt.Sprintf("a%02d", i) }
		for i := range n - 1 {
			if err := b.AddCount(name(i), name(i+1), "classic", 1, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		p := &standings.Pool{Title: "classic", Rules: "classic", Table: b.Table(), Played: int64(n - 1)}
		if err := p.Rate(ratings.Options{}); err != nil {
			t.Fatal(err)
		}
		v, err := viewOf(p)
		if err != nil || len(v.Names) != n {
			t.Fatal(len(v.Names), err)
		}
		return v
	}
	for n, want := range map[int]int{3: 3, 40: 40, 41: 0} {
		if got := len(of(n).Cross); got != want {
			t.Errorf("a matrix of %d agents has %d rows", n, got)
		}
	}
	v := of(3)
	for i, a := range v.Names {
		for j, b := range v.Names {
			want := map[string]string{"a00a01": "1–0–0", "a01a00": "0–0–1", "a01a02": "1–0–0", "a02a01": "0–0–1"}[a+b]
			if c := v.Cross[i][j]; c.WDL != want || (c.Score != "") != (want != "") || (c.Class != "") != (want != "") || c.Self != (i == j) {
				t.Errorf("%s against %s: %+v, want %q", a, b, c, want)
			}
		}
	}
}

// A study is asked whether it has changed for as long as one page shows it.
func TestWatchOfAStudy(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	o := &opened{key: "met", db: met(t)}
	first := s.studies.watch(o, "study:met")
	stopped := 0
	s.studies.mu.Lock()
	stop := o.stop
	o.stop = func() { stopped++; stop() }
	s.studies.mu.Unlock()
	second := s.studies.watch(o, "study:met")
	if first(); stopped != 0 || o.watchers != 1 {
		t.Errorf("one page is left, and the watch ended %d times, %d watchers", stopped, o.watchers)
	}
	if second(); stopped != 1 || o.watchers != 0 {
		t.Errorf("no page is left, and the watch ended %d times, %d watchers", stopped, o.watchers)
	}
}

// A cell that is none says so; an opponent at first is the original's middle level where there is one; what is said last is how it ended.
func TestWordsAtFirstAndLast(t *testing.T) {
	t.Parallel()
	if got := found(t, drawn(t, "", "", "nine-mens-morris"), "b1").Label; got != "b1, no cell" {
		t.Error(got)
	}
	s := here(t, Options{})
	for rules, want := range map[string]string{"classic": "classic/intermediate", "rolling": "rolling/moderate", "checkerboard": "checkerboard/medium", "gomoku11": "mcts-1k", "": "mcts-1k"} {
		if got := s.opponentFor(rules); got != want {
			t.Errorf("%s: against %s, want %s", rules, got, want)
		}
	}
	x, err := s.room.New(table.Setup{Rules: "classic"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Start.", "The second player (O) wins after 0 plies (resign)."} {
		if p := s.playing(x.View(), table.Owner, "", httptest.NewRequest("GET", "/", nil)); p.Say != want {
			t.Errorf("%q, want %q", p.Say, want)
		}
		_ = x.Resign(table.Owner, 0) // the second time it is over
	}
	for moves, want := range map[string]string{"": "step 1 of 2: anywhere", "a1": "step 2 of 2: anywhere", "a1 b1": ""} {
		if got := factsOf(t, moves, "classic", "placement.opening=[{plies: 2, region: anywhere}]")["Opening"]; got != want {
			t.Errorf("after %q: %q, want %q", moves, got, want)
		}
	}
}

// A move that cannot be rated in time is done with: the page does not wait for it, and says so.
func TestMovesThatAreNotRated(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	s.assess.Limit = 1 // a nanosecond
	g, err := s.pasted(url.Values{"rules": {"ctor"}, "moves": {"a1"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.branch(t.Context(), g, url.Values{}); err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		if _, look, err := s.view(g, true); err != nil || look.Failed == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	w := httptest.NewRecorder()
	if err := s.reviewShow(w, httptest.NewRequest("GET", "/review?rules=ctor&moves=a1", nil), g); err != nil {
		t.Fatal(err)
	}
	if body := w.Body.String(); strings.Contains(body, "1 move rated.") || !strings.Contains(body, "1 move could not be rated in the time allowed.") {
		t.Error("the page waits for what cannot be rated")
	}
}
