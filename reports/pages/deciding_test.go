package pages

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/campaign"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/table"
)

// What a change of the rules certainly costs: the limit of an interval decides for shares, half of what there was for mechanics, a
// quarter for the length, a twentieth for the score.
func TestCosts(t *testing.T) {
	t.Parallel()
	use := func(mechanic string, value, lo, hi float64) balance.Use {
		return balance.Use{Mechanic: mechanic, PerGame: number100(value, lo, hi, "times a game")}
	}
	base := balance.KnobResponse{
		Score: number100(0.6, 0.57, 0.63, "score"), Completion: number100(0.9, 0.88, 0.92, "share"), Draws: number100(0.1, 0.08, 0.12, "share"),
		Length: number100(20, 19, 21, "plies"), Alive: []balance.Use{use("jumps", 10, 9, 11), use("steps", 0.4, 0.3, 0.5)},
	}
	change := func(completion, draws, length [3]float64) balance.KnobResponse {
		n := func(x [3]float64) balance.Number { return number100(x[0], x[1], x[2], "share") }
		return balance.KnobResponse{Completion: n(completion), Draws: n(draws), Length: n(length)}
	}
	still := [3]float64{0, -0.1, 0.1}
	for _, c := range []struct {
		name    string
		change  balance.KnobResponse
		open    bool // the upper limit of the completion and the lower one of the length
		alive   []balance.Use
		score   float64
		certain bool
		want    string
	}{
		{"nothing", change(still, still, still), false, base.Alive, 0.6, true, ""},
		{"fewer end", change([3]float64{-0.2, -0.3, -0.1}, still, still), false, base.Alive, 0.6, true, "games that end 90 → 70 %"},
		{"perhaps fewer end", change([3]float64{-0.2, -0.3, 0}, still, still), false, base.Alive, 0.6, true, ""},
		{"fewer end, open", change([3]float64{-0.2, -0.3, -0.1}, still, still), true, base.Alive, 0.6, true, ""},
		{"jumps by half", change(still, still, still), false, []balance.Use{use("jumps", 5, 4, 6)}, 0.6, true, ""},
		{"jumps by more", change(still, still, still), false, []balance.Use{use("jumps", 4.9, 4, 6)}, 0.6, true, "jumps 10.0 → 4.9"},
		{"jumps by more, perhaps", change(still, still, still), false, []balance.Use{use("jumps", 4.9, 1, 9)}, 0.6, true, ""},
		{"no jumps", change(still, still, still), false, nil, 0.6, true, "jumps 10.0 → 0.0"},
		{"more draws", change(still, [3]float64{0.06, 0.01, 0.1}, still), false, base.Alive, 0.6, true, "draws 10 → 16 %"},
		{"a few more draws", change(still, [3]float64{0.05, 0.01, 0.1}, still), false, base.Alive, 0.6, true, ""},
		{"perhaps more draws", change(still, [3]float64{0.06, 0, 0.1}, still), false, base.Alive, 0.6, true, ""},
		{"longer", change(still, still, [3]float64{5.1, 4, 6}), false, base.Alive, 0.6, true, "moves 20 → 25.1"},
		{"longer by a quarter", change(still, still, [3]float64{5, 4, 6}), false, base.Alive, 0.6, true, ""},
		{"perhaps longer", change(still, still, [3]float64{5.1, 0, 9}), false, base.Alive, 0.6, true, ""},
		{"longer, open", change(still, still, [3]float64{5.1, 4, 6}), true, base.Alive, 0.6, true, ""},
		{"shorter", change(still, still, [3]float64{-6, -7, -5}), false, base.Alive, 0.6, true, "moves 20 → 14"},
		{"perhaps shorter", change(still, still, [3]float64{-6, -9, 0}), false, base.Alive, 0.6, true, ""},
		{"less fair", change(still, still, still), false, base.Alive, 0.66, true, "first player 60 → 66 %"},
		{"less fair to the other side", change(still, still, still), false, base.Alive, 0.34, true, "first player 60 → 34 %"},
		{"a little less fair", change(still, still, still), false, base.Alive, 0.64, true, ""},
		{"perhaps less fair", change(still, still, still), false, base.Alive, 0.66, false, ""},
	} {
		v := &balance.KnobVariant{Change: c.change, Certain: c.certain, Response: balance.KnobResponse{
			Score: number100(c.score, 0, 1, "score"), Alive: c.alive,
			Completion: number100(0.9+c.change.Completion.Value, 0, 1, "share"), Draws: number100(0.1+c.change.Draws.Value, 0, 1, "share"), Length: number100(20+c.change.Length.Value, 0, 1, "plies"),
		}}
		v.Change.Completion.HiOpen, v.Change.Length.LoOpen = c.open, c.open
		if got := strings.Join(costs(base, v), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := costs(balance.KnobResponse{}, &balance.KnobVariant{Change: change(still, still, [3]float64{6, 5, 7})}); got != nil {
		t.Errorf("against no length: %q", got)
	}
}

// What asks for a change, and what surely mends it: fewer draws are a gain, and unfairness counts from 55 % on however it is lit.
func TestGoals(t *testing.T) {
	t.Parallel()
	on := func(measure string, n balance.Number, c balance.Colour) *balance.Report {
		return &balance.Report{Headline: -1, Lights: []balance.Light{{Measure: "other", Colour: balance.Poor}, {Measure: measure, Number: n, Colour: c}}}
	}
	gs := goals()
	for _, c := range []struct {
		goal    int
		measure string
		n       balance.Number
		colour  balance.Colour
		want    bool
	}{
		{0, "completion", balance.Number{}, balance.Poor, true},
		{0, "completion", balance.Number{}, balance.Middling, true},
		{0, "completion", balance.Number{}, balance.Good, false},
		{0, "completion", balance.Number{}, balance.Undecided, false},
		{1, "first_score", number100(0.6, 0.56, 0.64, "score"), balance.Good, true},
		{1, "first_score", number100(0.6, 0.55, 0.64, "score"), balance.Good, false},
		{1, "first_score", number100(0.4, 0.36, 0.44, "score"), balance.Good, true},
		{1, "first_score", number100(0.4, 0.36, 0.45, "score"), balance.Good, false},
		{1, "first_score", number100(0.53, 0.51, 0.55, "score"), balance.Good, false},
		{1, "first_score", number100(0.53, 0.51, 0.55, "score"), balance.Middling, true},
		{1, "first_score", number100(0.53, 0.5, 0.56, "score"), balance.Middling, false},
		{1, "first_score", number100(0.47, 0.45, 0.49, "score"), balance.Middling, true},
		{1, "first_score", number100(0.47, 0.44, 0.499, "score"), balance.Poor, true},
		{1, "first_score", number100(0.48, 0.46, 0.5, "score"), balance.Poor, false},
		{1, "first_score", balance.Number{Lo: 0.6, Hi: 0.7}, balance.Poor, false},
		{2, "draws", balance.Number{}, balance.Poor, true},
	} {
		if got := slices.Contains(on(c.measure, c.n, c.colour).Problems(), gs[c.goal].problem); got != c.want {
			t.Errorf("goal %d, %+v %s: %t", c.goal, c.n, c.colour, got)
		}
	}
	for claim, want := range map[campaign.Claim]bool{campaign.First: true, campaign.Second: true, campaign.Even: false, campaign.Unknown: false} { // a proof says more than these games
		r := on("first_score", number100(0.47, 0.4, 0.54, "score"), balance.Undecided)
		r.Verdict = balance.Conclusion{Claim: claim, Scope: balance.AboutRules}
		if got := slices.Contains(r.Problems(), campaign.Unfair); got != want {
			t.Errorf("%s by the rules: %t", claim, got)
		}
	}
	response := func(score float64) balance.KnobResponse {
		return balance.KnobResponse{Score: number100(score, score, score, "score")}
	}
	for _, c := range []struct {
		name string
		goal int
		v    balance.KnobVariant
		want float64
	}{
		{"more end", 0, balance.KnobVariant{Change: balance.KnobResponse{Completion: number100(0.2, 0.1, 0.3, "share")}}, 0.2},
		{"perhaps more end", 0, balance.KnobVariant{Change: balance.KnobResponse{Completion: number100(0.2, 0, 0.3, "share")}}, 0},
		{"fewer draws", 2, balance.KnobVariant{Change: balance.KnobResponse{Draws: number100(-0.2, -0.3, -0.1, "share")}}, 0.2},
		{"perhaps fewer draws", 2, balance.KnobVariant{Change: balance.KnobResponse{Draws: number100(-0.2, -0.3, 0.1, "share")}}, 0},
		{"more draws", 2, balance.KnobVariant{Change: balance.KnobResponse{Draws: number100(0.2, 0.1, 0.3, "share")}}, 0},
		{"fairer", 1, balance.KnobVariant{Certain: true, Response: response(0.45)}, 0.05},
		{"perhaps fairer", 1, balance.KnobVariant{Response: response(0.45)}, 0},
		{"less fair", 1, balance.KnobVariant{Certain: true, Response: response(0.3)}, -0.1},
	} {
		if got := gs[c.goal].gain(&balance.KnobVariant{Response: response(0.6)}, &c.v); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// A number in an answer: its limits, where they are open and where there are none, and the games behind it.
func TestBriefNumbers(t *testing.T) {
	t.Parallel()
	open := func(n balance.Number, lo, hi bool) balance.Number {
		n.LoOpen, n.HiOpen = lo, hi
		return n
	}
	exact := number100(2, 0, 0, "")
	exact.Method = "none"
	for _, c := range []struct {
		n     balance.Number
		games bool
		want  string
	}{
		{number100(0.5, 0.45, 0.55, "score"), true, "50 % (45–55, 400 games)"},
		{number100(0.5, 0.45, 0.55, "score"), false, "50 % (45–55)"},
		{number100(1.234, -0.5, 3, ""), false, "1.2 (-0.5 to 3.0)"},
		{number100(4, 0, 9, ""), false, "4.0 (0.0–9.0)"},
		{open(number100(4, 3, 0, ""), false, true), false, "4.0 (over 3.0)"},
		{open(number100(4, 0, 9, ""), true, false), false, "4.0 (under 9.0)"},
		{open(number100(4, 0, 0, ""), true, true), true, "4.0 (no bounds, 400 games)"},
		{exact, false, "2.0"},
		{exact, true, "2.0 (400 games)"},
		{balance.Number{}, true, "not measured"},
	} {
		if got := strings.ReplaceAll(brief(c.n, c.games), "−", "-"); got != c.want {
			t.Errorf("%+v: %q, want %q", c.n, got, c.want)
		}
	}
	for unitOf, want := range map[string]string{"score": "50.0 %", "elo per doubling": "0", "plies": "0.5", "": "0.50"} {
		u, d := unit(number100(0.5, 0, 1, unitOf))
		if got := chart.Text(0.5, u, d); got != want {
			t.Errorf("%q: %s, want %s", unitOf, got, want)
		}
	}
	for value, want := range map[float64]int{9.99: 2, 10: 1, -10: 1, 99.9: 1, 100: 0, -100: 0} {
		if _, d := unit(balance.Number{Value: value}); d != want {
			t.Errorf("%g: %d digits, want %d", value, d, want)
		}
	}
	// Without games there is a gap, in a chart and in a list; without limits there are none.
	none, bare := balance.Number{}, balance.Number{Value: 2, N: 9}
	if p, r := point(3, none), row("x", none); p.X != 3 || !math.IsNaN(p.Y) || !math.IsNaN(r.Value) || r.Label != "x" {
		t.Errorf("%+v, %+v", p, r)
	}
	if p, r := point(3, bare), row("x", bare); p.Y != 2 || !math.IsNaN(p.Lo) || r.Value != 2 || !math.IsNaN(r.Hi) || p.N != 9 || r.N != 9 {
		t.Errorf("%+v, %+v", p, r)
	}
	if told("a", none, "b") != "" || say(none) != "" || !strings.HasPrefix(told("a", exact, "b"), "a 2.00") {
		t.Errorf("%q, %q, %q", told("a", none, "b"), say(none), told("a", exact, "b"))
	}
	if got := sentence("a", "", "b"); got != "a b" {
		t.Error(got)
	}
	want := []chart.Bin{{Lo: 2.5, Hi: 4.5, Counts: []float64{5, 2}}}
	if d := cmp.Diff(want, bins([]balance.Bar{{From: 3, To: 4, Count: 7, Part: 2}})); d != "" {
		t.Error(d)
	}
}

// The story of a comparison: what certainly became better and what worse in the games of the strongest agent, and nothing else.
func TestStory(t *testing.T) {
	t.Parallel()
	change := func(measure, verdict string, value float64) balance.Row {
		return balance.Row{Group: "mirror/b", Measure: measure, Verdict: verdict, Change: number100(value, value-0.01, value+0.01, "share")}
	}
	other := change("fpa", "more", 0.1)
	other.Group = "mirror/a"
	ladder := change("elo_per_doubling", "more", 20)
	ladder.Group = "ladder"
	for _, c := range []struct {
		rows []balance.Row
		want string
	}{
		{nil, "Nothing certainly changed in b against itself."},
		{[]balance.Row{other, change("fpa", "undecided", 0.1)}, "Nothing certainly changed in b against itself."},
		{[]balance.Row{change("fpa", "less", -0.1)}, "Fairer (b against itself)."},
		{[]balance.Row{change("fpa", "more", 0.1)}, "Less fair (b against itself)."},
		{[]balance.Row{change("completion", "more", 0.1), change("draws", "more", 0.05)}, "The share of games that end rises by 10.0 percentage points, but draws rise by 5.0 percentage points (b against itself)."},
		{[]balance.Row{change("completion", "less", -0.1)}, "The share of games that end falls by 10.0 percentage points (b against itself)."},
		{[]balance.Row{change("draws", "less", -0.05), change("length", "more", 3), change("mean_length", "more", 3)}, "Draws fall by 5.0 percentage points, longer games (b against itself)."},
		{[]balance.Row{change("length", "less", -3), ladder}, "Shorter games, deeper (b against itself)."},
		{[]balance.Row{change("depth", "less", -3)}, "Less deep (b against itself)."},
	} {
		if got := story(&balance.Comparison{Rows: c.rows}, "mirror/b"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, c := range []struct{ groups, want string }{
		{"all", "all"}, {"all openings/a", "all"}, {"all mirror/a mirror/b openings/c", "mirror/b"}, {"", ""},
	} {
		var rows []balance.Row
		for _, g := range strings.Fields(c.groups) {
			rows = append(rows, balance.Row{Group: g})
		}
		if got := strongest(&balance.Comparison{Rows: rows}); got != c.want {
			t.Errorf("%q: %q, want %q", c.groups, got, c.want)
		}
	}
	for group, want := range map[string]string{"mirror/a": "a against itself", "openings/a": "a from random openings", "all": "all games", "ladder": "ladder"} {
		if got := games(group); got != want {
			t.Errorf("%s: %q", group, got)
		}
	}
	for verdict, want := range map[string]string{"more": "the change favours the first player", "less": "the change favours the second player", "undecided": "no certain change"} {
		if got := says(balance.Row{Verdict: verdict}); got != want {
			t.Errorf("%s: %q", verdict, got)
		}
	}
}

// Intervals that touch decide nothing about a pie rule.
func TestPieSays(t *testing.T) {
	t.Parallel()
	without := number100(0.2, 0.15, 0.25, "share")
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{{0.05, 0.14, "makes it more even"}, {0.05, 0.15, "too few games to say whether a pie rule helps"}, {0.26, 0.3, "does not make it more even"}, {0.25, 0.3, "too few games to say whether a pie rule helps"}} {
		if got := pieSays(&balance.Pie{Residual: number100(0.1, c.lo, c.hi, "share"), Without: without}); !strings.HasSuffix(got, c.want) {
			t.Errorf("%g to %g: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	if got := pieSays(&balance.Pie{Residual: number100(0.1, 0.05, 0.1, "share")}); got != "" {
		t.Errorf("compared with nothing: %q", got)
	}
}

// Of many groups the first and the last are kept, and those evenly between.
func TestPick(t *testing.T) {
	t.Parallel()
	var gs []*balance.Group
	for range 9 {
		gs = append(gs, &balance.Group{})
	}
	got := pick(gs, 3)
	if len(got) != 3 || got[0] != gs[0] || got[1] != gs[4] || got[2] != gs[8] || len(pick(gs[:3], 3)) != 3 {
		t.Errorf("%d picked", len(got))
	}
	for v, want := range map[balance.Verdict]table.Status{balance.Met: table.Good, balance.Missed: table.Poor, balance.Undecided: table.Undecided, "": table.Plain} {
		if got := verdictStatus(v); got != want {
			t.Errorf("%q: %s", v, got)
		}
	}
}
