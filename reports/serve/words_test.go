package serve

import (
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/ratings"
	"spar/reports/standings"
)

// Who leads is said where one agent alone may be first; without a game that counts nobody is.
func TestWhoLeads(t *testing.T) {
	t.Parallel()
	row := func(rank, agent string) standingRow { return standingRow{Rank: rank, Agent: agent} }
	for _, c := range []struct {
		pools []poolView
		want  string
	}{
		{nil, "No games yet that count."},
		{[]poolView{{}}, "No games yet that count."},
		{[]poolView{{Rows: []standingRow{row("1", "a")}}}, "a alone has games that count."},
		{[]poolView{{Rows: []standingRow{row("", "a")}}}, "a alone has games that count."}, // of whom no rank is known
		{[]poolView{{Rows: []standingRow{row("1", "a"), row("2", "b")}}}, "a leads."},
		{[]poolView{{Rows: []standingRow{row("1–2", "a"), row("1–2", "b"), row("3", "c")}}}, "The first 2 are not separated at 95 %."},
		{[]poolView{{Rows: []standingRow{row("1–2", "a"), row("2–3", "b"), row("2–3", "c")}}}, "a leads."},
		{[]poolView{{Rows: []standingRow{row("1", "a"), row("10", "b"), row("11", "c")}}}, "a leads."},
	} {
		if got := verdict(c.pools, 1); got != c.want {
			t.Errorf("%+v: %q, want %q", c.pools, got, c.want)
		}
		if got, want := verdict(c.pools, 3), strings.TrimSuffix(c.want, ".")+" (over all 3 runs of this study)."; c.pools != nil && len(c.pools[0].Rows) > 0 && got != want {
			t.Errorf("%+v: %q, want %q", c.pools, got, want)
		}
	}
	for half, want := range map[uint8]engines.Result{0: engines.SecondWins, 1: engines.Drawn, 2: engines.FirstWins, 3: engines.FirstWins} {
		if got := resultOf(half); got != want {
			t.Errorf("%d half points: %s", half, got)
		}
	}
	if errorsBy("pair") != "pairs of games" || errorsBy("other") != "other" {
		t.Errorf("%q, %q", errorsBy("pair"), errorsBy("other"))
	}
}

// How long a run takes is told from half a second on, by the games of this run; what is nearly over has no time left to tell.
func TestProgressOfARun(t *testing.T) {
	t.Parallel()
	began := time.Unix(1000, 0)
	for _, c := range []struct {
		name                string
		done, before, total int64
		after               time.Duration
		ended               bool
		rate, left          string
	}{
		{"nothing yet", 10, 10, 100, time.Second, false, "", ""},
		{"too early", 20, 10, 100, 500 * time.Millisecond, false, "", ""},
		{"under way", 30, 10, 100, 2 * time.Second, false, "10 games a second", "about 7s left"},
		{"the last second", 90, 0, 99, 9 * time.Second, false, "10 games a second", ""},
		{"one second", 90, 0, 100, 9 * time.Second, false, "10 games a second", "about 1s left"},
		{"over", 30, 10, 100, 2 * time.Second, true, "10 games a second", ""},
	} {
		s := &Server{}
		s.live.view.Done, s.live.view.before, s.live.view.Total = c.done, c.before, c.total
		s.live.view.began, s.live.view.at, s.live.view.ended = began, began.Add(c.after), c.ended
		p, stopped := s.progress()
		if p == nil || p.Rate != c.rate || p.Left != c.left || p.Done != c.done || p.Total != c.total || stopped != c.ended {
			t.Errorf("%s: %+v, stopped %t", c.name, p, stopped)
		}
	}
	s := &Server{}
	s.live.view.ended = true
	if p, stopped := s.progress(); p != nil || !stopped {
		t.Errorf("no run: %+v, %t", p, stopped)
	}
}

// How far the games of a report have been read: of all reports together, and nothing where none is being measured.
func TestFar(t *testing.T) {
	t.Parallel()
	s := &Server{}
	of := []*measuring{{s: s, o: &opened{key: "q"}, label: "a"}, {s: s, o: &opened{key: "q"}, label: "b"}, {s: s, o: &opened{key: "q"}, label: "c"}}
	if got := far(of); got != "" {
		t.Error(got)
	}
	for i, m := range of[:2] {
		x := &gamesRead{}
		x.done.Store([]int64{1, 20}[i])
		x.total.Store([]int64{40, 60}[i])
		s.far.Store(m.key(), x)
	}
	if got, want := far(of), ": 21 % of 100 games read"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The address of a line and of a position in it: the game itself is no line, and a position is named from the start on.
func TestAddressesOfLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query     string
		line, ply int
		want      string
	}{
		{"", 0, -1, "/g/q.1"}, {"", 0, 0, "/g/q.1?ply=0#position"}, {"line=3&moves=a1", 0, -1, "/g/q.1?moves=a1"}, {"line=3", 1, 2, "/g/q.1?line=1&ply=2#position"},
	} {
		q, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		g := &reviewed{page: "/g/q.1", query: q}
		if got := g.at(c.line, c.ply); got != c.want || g.query.Encode() != c.query {
			t.Errorf("%s of %q, want %s", got, g.query.Encode(), c.want)
		}
	}
}

// met is a study in which a and b have met in six pairs: a has won four and lost one of six as first, won three and lost two as second.
func met(t *testing.T) *store.DB {
	t.Helper()
	ctx := t.Context()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "met.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	e, err := db.BeginEvent(ctx, study.Event{Name: "cup", Purpose: "tournament", Plan: "{}"})
	if err != nil {
		t.Fatal(err)
	}
	var agents [2]int64
	for i, name := range []string{"a", "b"} {
		if agents[i], err = db.AgentID(ctx, name, `{"type":"random"}`); err != nil {
			t.Fatal(err)
		}
	}
	g := enginetest.Load(t, "classic")
	rules, err := db.RulesID(ctx, "classic", g.RulesHash(), g.Rules().Canonical())
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range []string{"first", "first", "first", "first", "first", "draw", "first", "second", "draw", "second", "second", "second"} {
		g := study.Game{Event: e.ID, Number: int64(i), Rules: rules, First: agents[i%2], Second: agents[1-i%2], Pair: int64(i / 2), Moves: "a1", Plies: 5 + i%3, Result: r, Reason: "line", Hash: int64(i)}
		if err := db.Commit(ctx, []study.Game{g}, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// Of twelve games the first player has won six and drawn two: 58.3 %, with the interval of Wilson, which holds one half.
func TestRulesOfAStudy(t *testing.T) {
	t.Parallel()
	s := &Server{base: t.Context()}
	got, err := s.rulesRows(&opened{db: met(t)})
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	const p, n, z = 7.0 / 12, 12.0, 1.959963984540054
	middle, half := (p+z*z/(2*n))/(1+z*z/n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))/(1+z*z/n)
	want := rulesRow{
		Name: "classic", Games: 12, Value: p, Score: fmt.Sprintf("58.3 %% (%.1f to %.1f)", 100*(middle-half), 100*(middle+half)),
		Draws: "16.7 %", Length: "6.0", Even: true, Play: "/play?rules=classic",
	}
	if got[0] != want {
		t.Errorf("%+v, want %+v", got[0], want)
	}
}

// A table of standings has the results from either seat, places on an axis from the lowest bound to the highest, and in the cross table
// what the agent of the row has scored against that of the column.
func TestStandingsOfAPage(t *testing.T) {
	t.Parallel()
	pools, err := standings.Study(t.Context(), met(t), standings.Both, ratings.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := viewOf(pools[0])
	if err != nil || len(v.Rows) != 2 || v.Games != 12 || !slices.Equal(v.Names, []string{"a", "b"}) {
		t.Fatalf("%+v, %v", v, err)
	}
	for i, want := range []standingRow{
		{Agent: "a", Score: "66.7 %", Games: 12, First: "4–1–1", Second: "3–1–2", Hi: 100},
		{Agent: "b", Score: "33.3 %", Games: 12, First: "2–1–3", Second: "1–1–4"},
	} {
		got := v.Rows[i]
		if got.Agent != want.Agent || got.Score != want.Score || got.Games != want.Games || got.First != want.First || got.Second != want.Second || got.Open || !(got.Lo < got.Mid && got.Mid < got.Hi) {
			t.Errorf("%+v, want %+v", got, want)
		}
		if i == 0 && got.Hi != 100 || i == 1 && got.Lo != 0 {
			t.Errorf("%s is from %d to %d of the axis", got.Agent, got.Lo, got.Hi)
		}
		var elo, lo, hi float64
		if _, err := fmt.Sscanf(strings.ReplaceAll(got.Elo+" "+got.Interval, "−", "-"), "%f %f to %f", &elo, &lo, &hi); err != nil || !(lo < elo && elo < hi) || (elo > 0) != (i == 0) {
			t.Errorf("%s, %s: %v", got.Elo, got.Interval, err)
		}
	}
	if v.Rows[0].Mid <= v.Rows[1].Mid || v.Rows[0].Mid+v.Rows[1].Mid < 99 || v.Rows[0].Mid+v.Rows[1].Mid > 101 { // their ratings are opposite numbers
		t.Errorf("in the middle of the axis: %d and %d", v.Rows[0].Mid, v.Rows[1].Mid)
	}
	for i, want := range [][2]crossCell{{{Self: true}, {Score: "67 %", WDL: "7–2–3"}}, {{Score: "33 %", WDL: "3–2–7"}, {Self: true}}} {
		for j, got := range v.Cross[i] {
			if got.Self != want[j].Self || got.Score != want[j].Score || got.WDL != want[j].WDL || (got.Class == "") != got.Self {
				t.Errorf("row %d, column %d: %+v, want %+v", i, j, got, want[j])
			}
		}
	}
	if v.Cross[0][1].Class == v.Cross[1][0].Class {
		t.Errorf("both have the colour %s", v.Cross[0][1].Class)
	}
}

// A query is one statement: semicolons of strings, names and comments end none, and what only comments says nothing.
func TestStatementsOfAQuery(t *testing.T) {
	t.Parallel()
	for query, want := range map[string][]string{
		"":                                   nil,
		" ; -- a; b\n ;/* c; */ ":            nil,
		"SELECT 1":                           {"SELECT 1"},
		"SELECT 1;\n":                        {"SELECT 1"},
		"SELECT 1; -- ; SELECT 2":            {"SELECT 1"},
		"SELECT 1;SELECT 2;":                 {"SELECT 1", "SELECT 2"},
		"-- a\nSELECT 1 /* ; */; ;x":         {"-- a\nSELECT 1 /* ; */", "x"},
		"SELECT 'it''s; --', \"a;b\", [c;d]": {"SELECT 'it''s; --', \"a;b\", [c;d]"},
		"SELECT `a;b`; SELECT 2-1/2":         {"SELECT `a;b`", " SELECT 2-1/2"},
		"SELECT 'open; SELECT 2":             {"SELECT 'open; SELECT 2"},
		"SELECT 1 /* open; SELECT 2":         {"SELECT 1 /* open; SELECT 2"},
	} {
		if got := statements(query); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}
