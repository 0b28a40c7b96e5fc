package serve

import (
	"math"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/reports/serve/session"
)

// here is a server with an empty folder.
func here(t *testing.T, o Options) *Server {
	t.Helper()
	o.Folder = t.TempDir()
	s := must.Get(New(t.Context(), o))(t)
	t.Cleanup(func() { s.Close() })
	return s
}

// What a page of a game offers depends on who looks at it: names, whose turn it is, and whether a move can be taken
// back.
func TestWhoSeesWhat(t *testing.T) {
	t.Parallel()
	s := here(t, Options{})
	agent := session.Player{Agent: "random"}
	for _, c := range []struct {
		name  string
		setup session.Setup
		do    func(*session.Session) error
		seat  session.Seat
		want  string
	}{
		{"two at one board", session.Setup{}, nil, session.Owner, "first player, second player: turn"},
		{
			"after a move",
			session.Setup{},
			func(x *session.Session) error { return x.Move(session.Owner, 0, "b2") },
			session.Owner, "first player, second player: turn undo",
		},
		{
			"given moves",
			session.Setup{Moves: []string{"b2", "a1"}},
			nil, session.Owner,
			"first player, second player: turn",
		},
		{
			"against an agent",
			session.Setup{Seats: [2]session.Player{{}, agent}},
			nil, session.Owner,
			"you, random: turn",
		},
		{"a friend, X to move", session.Setup{}, invited(1), session.Owner, "you, guest: turn invite O"},
		{"the friend, X to move", session.Setup{}, invited(1), 1, "host, you: guest"},
		{
			"a friend, O to move",
			session.Setup{Moves: []string{"b2"}},
			invited(1), session.Owner,
			"you, guest: invite O",
		},
		{"the friend, O to move", session.Setup{Moves: []string{"b2"}}, invited(1), 1, "host, you: turn guest"},
		{"a friend as X", session.Setup{}, invited(0), session.Owner, "guest, you: invite X"},
		{
			"resigned",
			session.Setup{},
			func(x *session.Session) error { return x.Resign(session.Owner, 0) },
			session.Owner, "first player, second player: ended undo",
		},
		{
			"resigned, for the guest",
			session.Setup{},
			func(x *session.Session) error {
				x.Invite(1)
				return x.Resign(session.Owner,
					0)
			}, 1, "host, you: ended guest",
		},
		{
			"from a review",
			session.Setup{Origin: "/g/cup.1"},
			nil, session.Owner,
			"first player, second player: turn from",
		},
		{
			"from elsewhere",
			session.Setup{Origin: "http://x/g/cup.1"},
			nil, session.Owner,
			"first player, second player: turn",
		},
	} {
		c.setup.Rules = "classic"
		x := must.Get(s.sessions.New(c.setup))(t)
		if c.do != nil {
			if err := c.do(x); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
		}
		p := s.playPageOf(x.View(), c.seat, "", httptest.NewRequest("GET", "/", nil))
		got := p.Names[0] + ", " + p.Names[1] + ":"
		for _, word := range []struct {
			name string
			on   bool
		}{
			{"turn", p.Turn},
			{"ended", p.Ended},
			{"undo", p.Undo},
			{"guest", p.Guest},
			{"reload", p.Reload},
			{"from", p.From != ""},
			{"invite X", p.Invite[0] != ""},
			{"invite O", p.Invite[1] != ""},
		} {
			if word.on {
				got += " " + word.name
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func invited(side int) func(*session.Session) error {
	return func(x *session.Session) error { x.Invite(side); return nil }
}

// A link names shipped rules by name. Rules of one's own file, and rules that have changed since the game, it names
// with their own name and their hash: it leads to these rules or to an error, never to another game.
func TestLinksNameTheRules(t *testing.T) {
	t.Parallel()
	own := filepath.Join(t.TempDir(), "mine.yaml")
	must.Do(t, os.WriteFile(own, []byte("name: mine\nboard: {columns: 4, rows: 3}\nwin: {line: 3}\n"),
		0o600))
	s, others := here(t, Options{Rules: []string{own}}), here(t, Options{})
	for _, c := range []struct {
		rules string
		set   []string
		moves []string
		name  string // in the link, before an @
		own   bool
	}{
		{"vanishing", nil, nil, "vanishing", false},
		{"vanishing", nil, []string{"a1", "b2"}, "vanishing", false},
		{"vanishing", []string{"pieces.cap=4"}, nil, "vanishing", false},
		{"mine", nil, nil, "mine", true},
		{"mine", []string{"board.rows=4"}, []string{"d3"}, "mine", true},
	} {
		g := must.Get(s.library.Game(c.rules, c.set))(t)
		_, query, _ := strings.Cut(s.link("/review", c.rules, c.set, g, c.moves), "?")
		got, err := url.ParseQuery(query)
		if err != nil || got.Get("moves") != strings.Join(c.moves, " ") {
			t.Errorf("%s %v: %s, %v", c.rules, c.set, query, err)
		}
		name, hash := session.SplitReference(got.Get("rules"))
		if name != c.name || (hash != "") != c.own {
			t.Errorf("%s %v: rules %q", c.rules, c.set, got.Get("rules"))
		}
		if there, err := s.library.Game(got.Get("rules"), got["set"]); err != nil ||
			there.RulesHash() != g.RulesHash() {
			t.Errorf("%s %v: the link means other rules: %v", c.rules, c.set, err)
		}
		if there, err := others.library.Game(got.Get("rules"), got["set"]); c.own == (err == nil) || err == nil &&
			there.RulesHash() != g.RulesHash() {
			t.Errorf("%s %v on a server without the file: %v", c.rules, c.set, err)
		}
	}
	changed := must.Get(engines.Named("vanishing", "pieces.cap=5"))(t) // what vanishing was when a game began
	got, err := url.ParseQuery(strings.TrimPrefix(s.link("", "vanishing", nil, changed, nil), "?"))
	if err != nil || got.Get("rules") != "vanishing@"+changed.RulesHash() {
		t.Errorf("rules that have changed: %v, %v", got, err)
	}
}

// The answer is about the game where it is solved, and else about the agent: it never contradicts the solution.
func TestFairness(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	half := session.Sample{Games: 400, First: 200}
	for _, c := range []struct {
		exact   float64
		verdict string
		aimless int64
		light   string
		begins  string
	}{
		{1, "fair", 0, "poor", "No: W. When"},
		{0.5, "fair", 0, "good", "Yes: W. When"},
		{0.5, "fair", 300, "poor", "No: 300 of 400 games reach no goal. W. When"},
		{0.5, "unfair", 0, "undecided", "W. But these agents do not score evenly: When"},
		{math.NaN(), "fair", 0, "undecided", "W. When"},
	} {
		half.Aimless = c.aimless
		f := session.Fairness{Agent: "mcts-100", Sample: half, Level: 0.95, Analyses: 7, Verdict: c.verdict}
		if light, text := fairness(g, &f, c.exact, "W."); light != c.light || !strings.HasPrefix(text, c.begins) {
			t.Errorf("%+v: %s, %s", c, light, text)
		}
	}
}
