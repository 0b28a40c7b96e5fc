package serve

import (
	"net/url"
	"testing"
	"time"

	"spar/engines"
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
		{[]poolView{{Rows: []standingRow{row("1", "a")}}}, "The first 1 are not separated at 95 %."},
		{[]poolView{{Rows: []standingRow{row("1", "a"), row("2", "b")}}}, "a leads."},
		{[]poolView{{Rows: []standingRow{row("1–2", "a"), row("1–2", "b"), row("3", "c")}}}, "The first 2 are not separated at 95 %."},
		{[]poolView{{Rows: []standingRow{row("1–2", "a"), row("2–3", "b"), row("2–3", "c")}}}, "a leads."},
		{[]poolView{{Rows: []standingRow{row("1", "a"), row("10", "b"), row("11", "c")}}}, "a leads."},
	} {
		if got := verdict(c.pools); got != c.want {
			t.Errorf("%+v: %q, want %q", c.pools, got, c.want)
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
