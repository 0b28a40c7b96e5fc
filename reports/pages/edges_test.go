package pages

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/engines/explain"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
	"spar/tuning"
)

// frameOf says what a chart's values are seen against: ends of its axes that are fixed, marked values and the ends of its colours.
func frameOf(c chart.Chart) string {
	var parts []string
	axis := func(name string, a chart.Axis) {
		if a.Min != 0 || a.Max != 0 {
			parts = append(parts, fmt.Sprintf("%s %g to %g", name, a.Min, a.Max))
		}
	}
	refs := func(rs []chart.Ref) {
		for _, r := range rs {
			parts = append(parts, fmt.Sprintf("at %g %s", r.Value, r.Label))
		}
	}
	switch c := c.(type) {
	case *chart.Lines:
		axis("x", c.X)
		axis("y", c.Y)
		refs(c.Refs)
	case *chart.Forest:
		refs(c.Refs)
	case *chart.Dumbbell:
		refs(c.Refs)
	case *chart.Histogram:
		axis("x", c.X)
		refs(c.Marks)
	case *chart.Boxes:
		axis("x", c.X)
	case *chart.Scatter:
		axis("x", c.X)
		axis("y", c.Y)
	case *chart.Grid:
		parts = append(parts, fmt.Sprintf("colours %g to %g", c.Scale.Lo, c.Scale.Hi))
	}
	return strings.Join(parts, ", ")
}

// Shares stand against the whole of 0 to 100 %, differences against none, scores against even.
func TestFrames(t *testing.T) {
	t.Parallel()
	group := balance.Group{
		Name: "a", Course: &balance.Course{Games: 1}, PieceCounts: &balance.PieceBalance{}, Clarity: &balance.Clarity{Phases: []balance.PhaseClear{{Phase: "opening", Narrow: made(0.3)}}},
		Snowball: &balance.Snowball{Table: []balance.LeadCell{{To: 0.5, At: 0.5, Score: made(0.2)}}},
	}
	b := &builder{r: &balance.Report{Groups: []balance.Group{group}, Restrict: []balance.Restriction{{}}, Knobs: &balance.Knobs{}}}
	b.main = &b.r.Groups[0]
	d := Tuned{Result: &tuning.Result{}, Examination: &tuning.Examination{Pool: []tuning.PoolRow{{}}}}
	compared := Comparison(&balance.Comparison{Rows: []balance.Row{{Measure: "score", Group: "a", Before: made(0.5), After: made(0.6), Change: made(0.1)}, {Measure: "draws", Group: "a", Before: made(0.1), After: made(0.2), Change: made(0.1)}}})
	if rows := compared.Sections[0].Figures[0].Chart.(*chart.Dumbbell).Rows; len(rows) != 1 || rows[0].From.Value != 0.5 || rows[0].To.Value != 0.6 {
		t.Errorf("%+v, want the score alone", rows)
	}
	for _, c := range []struct {
		section     page.Section
		title, want string
	}{
		{b.drama(), "How open games stay", "x 0 to 1"},
		{b.drama(), "When the winner leads for good", "x 0 to 1, y 0 to 1"},
		{b.drama(), "The winner's worst moment", "x 0 to 1, at 0.25 25 %"},
		{b.drama(), "The biggest move of each game", "x 0 to 1"},
		{b.drama(), "Does a lead win?", "colours 0 to 1"},
		{b.play(), "Pieces on the board", "x 0 to 1"},
		{b.depth(), "How many moves are about as good as the best", "x 0 to 1"},
		{b.depth(), "What a player cannot do without", "at 0 no difference"},
		{b.knobs(), "What one step of a knob does", "at 0 as it is"},
		{proof(d.Examination), "Against the start", "at 0 even"},
		{proof(d.Examination), "Scores against the pool", "colours 0 to 1"},
		{course(d), "Elo against the start", "at 0 even"},
		{weights(d), "Weights", "at 0 "},
		{compared.Sections[0], compared.Sections[0].Figures[0].Title, "at 0.5 even"},
	} {
		if got := frameOf(chartOf(t, c.section, c.title)); got != c.want {
			t.Errorf("%s: %q, want %q", c.title, got, c.want)
		}
	}
	for _, s := range []page.Section{b.depth(), b.knobs()} { // names of rows need room beside a forest
		for _, f := range s.Figures {
			if c, ok := f.Chart.(*chart.Forest); ok && !(c.Width > 0 && c.Width < chart.Full) {
				t.Errorf("%s is %g wide", f.Title, c.Width)
			}
		}
	}
	if panels := (&builder{main: &balance.Group{Choice: &balance.Choice{ByPly: []balance.ChoicePly{{Ply: 3, Games: 1, Median: about(2, "moves")}, {Ply: 4}}}}, r: &balance.Report{}}).play(); true {
		both := chartOf(t, panels, "How much choice there is").(*chart.Panels)
		if n := len(both.Charts[0].(*chart.Lines).Lines[0].Points); both.Columns != 1 || n != 1 {
			t.Errorf("%d columns, %d plies; the panels have plies in common, and one game is enough for a ply", both.Columns, n)
		}
	}
}

// Who is favoured: what is known of the rules, else what the games of these agents surely show.
func TestFair(t *testing.T) {
	t.Parallel()
	score := func(lo, hi float64) balance.Number {
		return balance.Number{Value: (lo + hi) / 2, Lo: lo, Hi: hi, N: 100, Of: "games", Unit: "score", Method: "wilson"}
	}
	half := func(n balance.Number, lo, hi bool) balance.Number {
		n.LoOpen, n.HiOpen = lo, hi
		return n
	}
	for _, c := range []struct {
		n      balance.Number
		colour balance.Colour
		short  int
		want   string
	}{
		{score(0.52, 0.62), balance.Undecided, 0, "First player ahead here, stronger play unknown: 57 % (52–62, 100 games)"},
		{score(0.52, 0.62), balance.Undecided, 3, "First player ahead here, stronger play unknown: 57 % (52–62, 100 games)"},
		{score(0.52, 0.62), balance.Undecided, 4, "First player ahead here, stronger play unknown: 57 % (52–62)"},
		{score(0.38, 0.48), balance.Undecided, 4, "Second player ahead here, stronger play unknown: first player 43 % (38–48)"},
		{score(0.5, 0.6), balance.Undecided, 4, "Not settled: first player 55 % (50–60)"},
		{score(0.4, 0.5), balance.Undecided, 4, "Not settled: first player 45 % (40–50)"},
		{half(score(0.52, 0.62), true, false), balance.Undecided, 4, "Not settled: first player 57 % (under 62)"},
		{half(score(0.38, 0.48), false, true), balance.Undecided, 4, "Not settled: first player 43 % (over 38)"},
		{half(score(0.38, 0.48), true, true), balance.Undecided, 4, "Not settled: first player 43 % (no bounds)"},
		{score(0.52, 0.54), balance.Good, 4, "Even among these agents, stronger play unknown: first player 53 % (52–54)"},
		{balance.Number{Lo: 0.6, Hi: 0.7}, balance.Undecided, 4, "Not settled: first player not measured"},
		{balance.Number{Lo: 0.3, Hi: 0.4}, balance.Undecided, 4, "Not settled: first player not measured"},
	} {
		b := &builder{r: &balance.Report{Lights: []balance.Light{{Measure: "first_score", Number: c.n, Colour: c.colour}}}, told: &explain.Rules{}, main: &balance.Group{}}
		if got := b.isFair(c.short).Text; got != c.want {
			t.Errorf("%+v, %d: %q, want %q", c.n, c.short, got, c.want)
		}
	}
	if a := (&builder{r: &balance.Report{}, told: &explain.Rules{}}).isFair(0); a.Text != "No games to tell by." {
		t.Error(a.Text)
	}
	used := &builder{r: &balance.Report{}, told: &explain.Rules{Ending: explain.Ending{Kind: explain.UsedUp}}}
	if a := used.ends(0); a.Text != "Always: moves capture or go ahead" || a.Status != table.Good {
		t.Errorf("%+v", a)
	}
	if n := words("one — two 3", "- 4th x?"); n != 5 {
		t.Errorf("%d words, want 5: dashes are none", n)
	}
}

// A mechanic that never happens makes a game poor; of two that happen equally often the first is told.
func TestOneDeadMechanic(t *testing.T) {
	t.Parallel()
	use := func(mechanic string, k float64) balance.Use {
		return balance.Use{Mechanic: mechanic, PerGame: about(k, ""), Games: made(0.9)}
	}
	for want, alive := range map[string][]balance.Use{
		"No jumps in 9 games":         {use("steps", 5), use("jumps", 0)},
		"5.0 (4.0–6.0) steps a game":  {use("steps", 5), use("jumps", 5)},
		"5.0 (4.0–6.0) jumps a game":  {use("jumps", 5), use("steps", 5)},
		"5.1 (4.1–6.1) steps a game":  {use("jumps", 5), use("steps", 5.1)},
		"5.0 (4.0–6.0) clones a game": {use("clones", 5), use("swaps", 0)},
	} {
		if a := (&builder{main: &balance.Group{Games: 9, Alive: alive}}).isAlive(0); a.Text != want {
			t.Errorf("%q, want %q", a.Text, want)
		}
	}
}

// Limits of what a change of the rules costs and decides belong to what is no cost.
func TestLimitsOfCosts(t *testing.T) {
	t.Parallel()
	response := func(score float64) balance.KnobResponse {
		return balance.KnobResponse{Score: number100(score, score, score, "score")}
	}
	for _, c := range []struct {
		base, now float64
		want      bool
	}{{0.5, 0.2, false}, {0.5, 0.19, true}, {0.3, 0.1, false}, {0.31, 0.1, true}, {0.5, 0.81, true}} {
		if got := decides(response(c.base), &balance.KnobVariant{Certain: true, Response: response(c.now)}); got != c.want {
			t.Errorf("from %g to %g decides the game: %t", c.base, c.now, got)
		}
		if decides(response(c.base), &balance.KnobVariant{Response: response(c.now)}) {
			t.Errorf("from %g to %g is not certain", c.base, c.now)
		}
	}
	use := func(mechanic string, k float64) balance.Use {
		return balance.Use{Mechanic: mechanic, PerGame: balance.Number{Value: k, Lo: k, Hi: k}}
	}
	base := balance.KnobResponse{Alive: []balance.Use{use("steps", 0.5), use("jumps", 20), use("clones", 0.49)}}
	v := &balance.KnobVariant{}
	if got, want := strings.Join(costs(base, v), "; "), "steps 0.5 → 0.0; jumps 20.0 → 0.0"; got != want { // what hardly happened is no loss
		t.Errorf("%q, want %q", got, want)
	}
	if !stills(base, v) || stills(base, &balance.KnobVariant{Response: balance.KnobResponse{Alive: base.Alive}}) {
		t.Error("a variant without mechanics stills the game, one with all of them does not")
	}
	short := balance.KnobResponse{Length: about(1, "plies")}
	v = &balance.KnobVariant{Response: balance.KnobResponse{Length: about(2, "plies")}, Change: balance.KnobResponse{Length: number100(1, 0.5, 1.5, "plies")}}
	if got := strings.Join(costs(short, v), "; "); got != "moves 1 → 2" {
		t.Errorf("a game of one ply that has two: %q", got)
	}
	if got := costs(response(0.25), &balance.KnobVariant{Certain: true, Response: response(0.2)}); got != nil {
		t.Errorf("a twentieth farther from even costs %q", got)
	}
	if got := costs(response(0.25), &balance.KnobVariant{Certain: true, Response: response(0.19)}); len(got) != 1 {
		t.Errorf("more than a twentieth farther from even costs %q", got)
	}
}

// What is advised next: of equal gains the first, with games and a second cost while there is room.
func TestRoomForAdvice(t *testing.T) {
	t.Parallel()
	ends := func(path string) balance.KnobVariant {
		return balance.KnobVariant{Path: path, Value: "1", Response: balance.KnobResponse{Score: made(0.6), Completion: made(0.7), Draws: made(0.3), Length: about(40, "plies")}, Change: balance.KnobResponse{Completion: made(0.2), Draws: made(0.2), Length: about(20, "plies")}}
	}
	k := &balance.Knobs{Agent: "weak", Base: balance.KnobResponse{Score: made(0.6), Completion: made(0.5), Draws: made(0.1), Length: about(20, "plies")}, Variants: []balance.KnobVariant{ends("a"), ends("b")}}
	b := &builder{told: &explain.Rules{}, main: &balance.Group{}, r: &balance.Report{Lights: []balance.Light{{Measure: "completion", Number: made(0.5), Colour: balance.Poor}}, Knobs: k}}
	try := "Try a=1: among weaker agents games that end 50 → 70 %"
	for short, want := range []string{", 100 games; cost: draws 10 → 30 %, moves 20 → 40", ", 100 games; cost: draws 10 → 30 %, moves 20 → 40", ", 100 games; cost: draws 10 → 30 %, moves 20 → 40", "; cost: draws 10 → 30 %, moves 20 → 40", "; cost: draws 10 → 30 %"} {
		if got := b.next(short).Text; got != try+want {
			t.Errorf("%d: %q, want %q", short, got, try+want)
		}
	}
	b.r.Knobs, b.r.Inquiry = nil, []campaign.Stage{{}}
	if got := b.next(0).Text; got != "No other rules tried: normal effort tries some." {
		t.Error(got)
	}
	b.told.Notes = []explain.Note{{Text: "nobody moves"}}
	if got := b.glance(); !slices.Equal(got, []string{"Nobody moves."}) {
		t.Errorf("%q", got)
	}
}

// The head of a page: the rules' title, else their name; agents from the weakest to the strongest; the first sentence of the verdict.
func TestHeadOfAPage(t *testing.T) {
	t.Parallel()
	r := reportOn(t, "classic")
	if r.Rules.Title == r.Rules.Name || r.Rules.Title == "" {
		t.Fatalf("the title %q of %s tells nothing", r.Rules.Title, r.Rules.Name)
	}
	for _, want := range []string{r.Rules.Title, r.Rules.Name} {
		d, err := Balance(r, Options{})
		if err != nil || d.Title != want {
			t.Errorf("%q, %v; want %q", d.Title, err, want)
		}
		r.Rules.Title = ""
	}
	two := twoTiers()
	b := &builder{r: two}
	for want, tiers := range map[string][]balance.Tier{"": nil, ", agents from a to a": {{Name: "a"}}, ", agents from a to b": {{Name: "a"}, {Name: "b"}}} {
		two.Tiers = tiers
		if got := b.subtitle(); got != "Rules , 0 × 0, 0 games"+want {
			t.Errorf("%q", got)
		}
	}
	for text, want := range map[string][2]string{"A. B": {"A.", "B"}, "AB": {"AB", ""}, ". B": {". B", ""}} {
		b := &builder{r: &balance.Report{Verdict: balance.Conclusion{Text: text}}}
		if v := b.verdict(); v.Headline != want[0] || v.Detail != want[1] || firstSentence(text) != want[0] {
			t.Errorf("%q: %+v, %q", text, v, firstSentence(text))
		}
	}
	// One mirror match is enough to stand for the tiers; a tier that there is none of leaves a group its own name.
	b = &builder{r: &balance.Report{Tiers: []balance.Tier{{Name: "a"}}, Groups: []balance.Group{{Name: "all games", Kind: "all", Tier: -1}, {Name: "a against itself", Kind: "mirror"}}}}
	if gs := b.tiers(); len(gs) != 1 || gs[0].Kind != "mirror" || b.title("tiers", "other") != "tiers" {
		t.Errorf("%+v, %s", gs, b.title("tiers", "other"))
	}
	if got := []string{b.label(&balance.Group{Name: "g", Tier: -1}), b.label(&balance.Group{Name: "g"}), b.label(&balance.Group{Name: "g", Tier: 1})}; !slices.Equal(got, []string{"g", "a", "g"}) {
		t.Errorf("%q", got)
	}
	if b.r.Groups = b.r.Groups[:1]; b.title("tiers", "other") != "other" || len(b.tiers()) != 1 {
		t.Error("without mirror matches all games stand for themselves")
	}
}

// What was not measured has no number and no interval; what an exact value has none of is not made up.
func TestNumbersWithoutIntervals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n    balance.Number
		want bool // an interval
	}{
		{balance.Number{Lo: 1, Hi: 2, Method: "none"}, false},
		{balance.Number{Lo: 1, Hi: 2}, true},
		{balance.Number{Hi: 2}, true},
		{balance.Number{Lo: -2}, true},
		{balance.Number{}, false},
		{balance.Number{Method: "wilson"}, true},
		{balance.Number{Lo: 1, Method: "wilson"}, true},
	} {
		lo, hi := limits(c.n)
		if got := !math.IsNaN(lo) && !math.IsNaN(hi); got != c.want || math.IsNaN(lo) != math.IsNaN(hi) {
			t.Errorf("%+v: %g to %g", c.n, lo, hi)
		}
	}
	if got := cell(balance.Number{}, "").Why(); got != "no games to measure it by" {
		t.Error(got)
	}
	if got := cell(balance.Number{}, "too few").Why(); got != "too few" {
		t.Error(got)
	}
	exact := about(2, "")
	if exact.Method = "none"; say(exact) != "2.00" || orNoise(exact) != "2.00" {
		t.Errorf("%q, %q", say(exact), orNoise(exact))
	}
	for name, want := range map[string]string{"fpa": "12.3 %", "mean_length": "12.3", "lead_changes": "12.3"} {
		n := about(12.34, "")
		if name == "fpa" {
			n = made(0.1234)
		}
		if got := estimate(named(name), n).Value(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
