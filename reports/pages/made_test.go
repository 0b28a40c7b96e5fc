package pages

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/agents/patterns"
	"spar/arena/campaign"
	"spar/engines/enginetest"
	"spar/engines/explain"
	"spar/ratings"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
	"spar/tuning"
	"spar/tuning/fit"
	"spar/tuning/learn"
	"spar/tuning/optimise"
	"spar/tuning/sweep"
)

// fields are the words of a text for a terminal, a line for each of its lines that say something.
func fields(s string) []string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		if l = strings.Join(strings.Fields(l), " "); strings.Trim(l, "─ ") != "" {
			out = append(out, l)
		}
	}
	return out
}

func twoTiers() *balance.Report {
	spread := func(median float64, lo, hi int) balance.Spread {
		return balance.Spread{Median: about(median, "plies"), P5: about(median-4, "plies"), P25: about(median-2, "plies"), P75: about(median+2, "plies"), P95: about(median+4, "plies"), Mean: about(median+0.5, "plies"), CV: about(0.5, ""), Min: lo, Max: hi}
	}
	return &balance.Report{
		Tiers: []balance.Tier{{Name: "a"}, {Name: "b"}},
		Groups: []balance.Group{
			{Name: "a against itself", Kind: "mirror", Games: 100, Distinct: 98, Forfeits: 2, Length: balance.Length{All: spread(10, 5, 20)}, Outcome: balance.Outcome{FirstWins: 50, Draws: 10, Caps: 5, SecondWins: 35, First: made(0.5), Draw: made(0.1), Cap: made(0.05), Second: made(0.35), Score: made(0.575), Elo: about(52, "elo"), Decisive: made(0.6)}, Ends: balance.Ends{Reasons: []balance.ReasonShare{{Reason: "line", Kind: "win", Games: 85, Share: made(0.85)}, {Reason: "full_board", Kind: "draw", Games: 10, Share: made(0.1)}}}},
			{Name: "b against itself", Kind: "mirror", Tier: 1, Games: 60, Distinct: 60, Length: balance.Length{All: spread(12, 7, 30), Finished: spread(11, 7, 21), ByResult: map[string]balance.Spread{"first": spread(9, 7, 19), "second": spread(14, 8, 18)}, Histogram: []balance.Bar{{From: 7, To: 8, Count: 9, Part: 2}}}, Outcome: balance.Outcome{FirstWins: 30, SecondWins: 30, Score: made(0.5), Elo: about(1, "elo")}, Ends: balance.Ends{Completion: made(0.9), Reasons: []balance.ReasonShare{{Reason: "ply_cap", Kind: "cap", Games: 4, Share: made(0.07)}, {Reason: "line", Kind: "win", Games: 56, Share: made(0.93)}}}},
			{Name: "b from random openings", Kind: "openings", Tier: 1, Outcome: balance.Outcome{Score: made(0.52)}},
		},
		Trends: balance.Trends{
			Advantage: balance.Trend{Slope: about(-9, "elo per doubling"), Points: []balance.TierPoint{{Tier: 0, Name: "a", Number: about(52, "elo")}, {Tier: 1, Name: "b", Number: about(1, "elo")}, {Tier: 2, Name: "c", Number: about(3, "elo")}}},
			Rungs:     balance.Trend{Points: []balance.TierPoint{{Name: "a", Number: about(2, "")}, {Name: "other", Number: about(7, "")}}},
			Score:     balance.Trend{Points: []balance.TierPoint{{Tier: 0, Number: made(0.575)}, {Tier: 1, Number: made(0.5)}}},
		},
	}
}

// Who wins: a bar and a row for each group, what the first move is worth to each agent, the seats of a joint fit.
func TestOutcomeSection(t *testing.T) {
	t.Parallel()
	r := twoTiers()
	b := &builder{r: r, main: &r.Groups[1]}
	s := b.outcome()
	same(t, "lead", "The first player scores 50.0 % (45.0 to 55.0 %) in b against itself; that is worth +1 (0 to +2) Elo.", s.Lead)
	same(t, "paragraphs", []string{"The advantage changes by −9 (−10 to −8) Elo with each doubling of the search."}, s.Paragraphs)
	same(t, "results", []string{"a against itself | 100 | 98 | 50.0 % | 10.0 % | 5.0 % | 35.0 % | 57.5 % | +52 | 2", "b against itself | 60 | 60 | – | – | – | – | 50.0 % | +1 | 0", "b from random openings | 0 | 0 | – | – | – | – | 52.0 % | – | 0"}, rowsOf(tableOf(t, s, "Results of every group")))
	same(t, "advantage", []string{"a | +52 | 2.00 | 60.0 %", "b | +1 | – | –", "c | +3 | – | –"}, rowsOf(tableOf(t, s, "What moving first is worth")))
	stack := chartOf(t, s, "Results by strength").(*chart.Stack)
	same(t, "bars", []chart.Bar{{Label: "a", Values: []float64{50, 10, 5, 35}, N: 100}, {Label: "b", Values: []float64{30, 0, 0, 30}, N: 60}}, stack.Bars)
	picture := b.picture().Chart.(*chart.Lines)
	same(t, "from the start", []float64{0.575, 0.5}, []float64{picture.Lines[0].Points[0].Y, picture.Lines[0].Points[1].Y})
	same(t, "from openings", []chart.Point{{X: 1, Y: 0.52, Lo: 0.47, Hi: 0.57, N: 100}}, picture.Lines[1].Points)
	same(t, "agents", []string{"a", "b"}, picture.X.Names)
	for n := range 8 {
		r.Groups = append(r.Groups[:3:3], make([]balance.Group, n)...)
		if got := tableOf(t, b.outcome(), "Results of every group").Fold; got != (3+n > 6) {
			t.Errorf("%d groups are folded: %t", 3+n, got)
		}
	}
	p := 0.004
	r.Joint = &balance.JointAdvantage{Elo: about(20, "elo"), Score: made(0.53), ByAgent: []balance.AsFirst{{Agent: "a", AsFirst: made(0.7), AsSecond: made(0.4)}}, SeatP: &p, Uneven: "a"}
	s = b.outcome()
	seats := tableOf(t, s, "Does an agent only win")
	same(t, "seats", []string{"a | 70.0 % | 40.0 %"}, rowsOf(seats))
	if !strings.Contains(seats.Note, "worth +20 (+19 to +21) Elo. That is a mean") || !strings.Contains(seats.Note, "(a differs, p = 0.004 by Holm)") || !strings.Contains(seats.Note, "random openings") || seats.Fold {
		t.Errorf("%q, folded %t", seats.Note, seats.Fold)
	}
	if !strings.HasPrefix(s.Lead, "The first player scores 50.0 %") {
		t.Errorf("mirror matches lead by the joint fit: %q", s.Lead)
	}
	for n, want := range map[int]bool{8: false, 9: true} {
		r.Joint.ByAgent = make([]balance.AsFirst, n)
		if got := tableOf(t, b.outcome(), "Does an agent only win").Fold; got != want {
			t.Errorf("%d agents are folded: %t", n, got)
		}
	}
	r.Groups = []balance.Group{{Name: "all games", Kind: "all", Tier: -1, Outcome: balance.Outcome{Score: made(0.6)}}}
	r.Joint.Elo, r.Joint.Uneven = balance.Number{}, ""
	b.main = &r.Groups[0]
	s = b.outcome()
	same(t, "lead of a round-robin", "Between agents of equal strength the first player scores 53.0 % (48.0 to 58.0 %), by one fit of strengths and the seat; over all games as they were played, 60.0 % (55.0 to 65.0 %).", s.Lead)
	if note := tableOf(t, s, "Does an agent only win").Note; note != "One fit of strengths and the seat over all agents: the seat is worth an unknown number of Elo." {
		t.Error(note)
	}
	r.Joint.Score = balance.Number{}
	if s := b.outcome(); !strings.HasPrefix(s.Lead, "The first player scores 60.0 %") || chartOf(t, s, "Results").(*chart.Stack).Bars[0].Label != "all games" {
		t.Error(s.Lead)
	}
	r.Exact = &balance.Exact{Text: "A draw."}
	if s := b.outcome(); s.Paragraphs[1] != "A draw." {
		t.Errorf("%q", s.Paragraphs)
	}
	r.Trends.Advantage = balance.Trend{}
	if s := b.outcome(); len(s.Paragraphs) != 1 || len(s.Tables) != 2 {
		t.Errorf("%q, %d tables", s.Paragraphs, len(s.Tables))
	}
	for _, n := range []int{1, 2} { // two tiers and two points make a line
		r.Tiers, r.Trends.Score.Points = make([]balance.Tier, n), make([]balance.TierPoint, 2)
		if got := b.picture() != nil; got != (n == 2) {
			t.Errorf("%d tiers: a line is %t", n, got)
		}
		r.Tiers, r.Trends.Score.Points = make([]balance.Tier, 2), make([]balance.TierPoint, n)
		if got := b.picture() != nil; got != (n == 2) {
			t.Errorf("%d points: a line is %t", n, got)
		}
	}
}

// How long games are and why they end.
func TestLengthSection(t *testing.T) {
	t.Parallel()
	r := twoTiers()
	b := &builder{r: r, main: &r.Groups[1], told: &explain.Rules{Ending: explain.Ending{Text: "It may go on."}}}
	s := b.length()
	same(t, "lengths", []string{
		"a against itself | 10.0 | 6.0 | 14.0 | 10.5 | 0.50 | 5 | 20", "b against itself | 12.0 | 8.0 | 16.0 | 12.5 | 0.50 | 7 | 30", "b against itself, without caps | 11.0 | 7.0 | 15.0 | 11.5 | 0.50 | 7 | 21",
		"b against itself, first wins | 9.0 | 5.0 | 13.0 | 9.5 | 0.50 | 7 | 19", "b against itself, second wins | 14.0 | 10.0 | 18.0 | 14.5 | 0.50 | 8 | 18",
	}, rowsOf(tableOf(t, s, "Length in plies")))
	same(t, "ends", []string{"a against itself | line | win | 85 | 85.0 %", "a against itself | full board | draw | 10 | 10.0 %", "b against itself | ply cap | cap | 4 | 7.0 %", "b against itself | line | win | 56 | 93.0 %"}, rowsOf(tableOf(t, s, "Why games ended")))
	same(t, "lead", "Half of the games are over by ply 12, nineteen of twenty by ply 16, all by ply 30. A cap, not the rules, ended 10 % of them.", s.Lead)
	same(t, "paragraphs", []string{"It may go on.", "The rules end 90.0 % (85.0 to 95.0 %) of the games; a cap ends the others."}, s.Paragraphs)
	why := chartOf(t, s, "Why games end").(*chart.Stack)
	same(t, "endings", []chart.Bar{{Label: "a", Values: []float64{85, 10, 0}, N: 95}, {Label: "b", Values: []float64{56, 0, 4}, N: 60}}, why.Bars)
	same(t, "reasons", []chart.Part{{Name: "line", Colour: chart.A}, {Name: "full board", Colour: chart.C}, {Name: "ply cap", Colour: chart.Caps}}, why.Parts)
	same(t, "histogram", []chart.Bin{{Lo: 6.5, Hi: 8.5, Counts: []float64{7, 2}}}, chartOf(t, s, "Length of games").(*chart.Histogram).Bins)
	same(t, "marks", []chart.Ref{{Value: 12, Label: "median 12"}, {Value: 16, Label: "95 % 16"}}, chartOf(t, s, "Length of games").(*chart.Histogram).Marks)
	same(t, "boxes", []chart.Quantiles{{Label: "a", P5: 6, P25: 8, P50: 10, P75: 12, P95: 14, N: 100}, {Label: "b", P5: 8, P25: 10, P50: 12, P75: 14, P95: 16, N: 100}}, chartOf(t, s, "Length by strength").(*chart.Boxes).Rows)
	r.Study.Decided = 1
	if s := b.length(); !strings.Contains(s.Paragraphs[1], "games that were not adjudicated") {
		t.Errorf("%q", s.Paragraphs)
	}
	all := &r.Groups[1].Length.All
	for _, c := range []struct {
		median, most float64
		lo, hi       int
		want         string
	}{
		{9, 9, 9, 9, "All games have 9 plies."}, {9, 9, 5, 9, "Half of the games or more have 9 plies, and none has more."}, {7, 9, 5, 9, "Half of the games are over by ply 7, all by ply 9."}, {7.5, 8, 5, 9, "Half of the games are over by ply 7.5, nineteen of twenty by ply 8, all by ply 9."},
	} {
		all.Median.Value, all.P95.Value, all.Min, all.Max = c.median, c.most, c.lo, c.hi
		if got := b.length().Lead; got != c.want+" A cap, not the rules, ended 10 % of them." {
			t.Errorf("%+v: %q", c, got)
		}
	}
	for v, want := range map[float64]string{7.04: "7", 7.06: "7.1", 6.94: "6.9", 6.96: "7"} {
		if got := number(v); got != want {
			t.Errorf("%g plies: %s, want %s", v, got, want)
		}
	}
}

// A row for each step of a knob, with exact values where some are known.
func TestKnobsSection(t *testing.T) {
	t.Parallel()
	k := &balance.Knobs{Agent: "a", Text: "One helps.", Base: balance.KnobResponse{Score: made(0.6)}, Variants: []balance.KnobVariant{
		{Path: "win.line", Value: "4", Base: "3", P: 0.02, Response: balance.KnobResponse{Score: made(0.5), Draws: made(0.1), Completion: made(0.9), Length: about(20, "plies")}, Change: balance.KnobResponse{Score: made(-0.1)}},
		{Path: "turn.pie", Value: "true", Base: "false", P: 1},
	}}
	b := &builder{r: &balance.Report{Knobs: k}}
	s := b.knobs()
	same(t, "lead", "One helps. Under the rules as they are it is 60.0 % (55.0 to 65.0 %).", s.Lead)
	same(t, "rows", []string{"win.line = 4 | 3 | 50.0 % | -10.0 | 0.020 | 10.0 % | 90.0 % | 20.0", "turn.pie = true | false | – | – | 1.000 | – | – | –"}, rowsOf(tableOf(t, s, "One knob")))
	same(t, "forest", []chart.Row{{Label: "win.line = 4", Value: -10, Lo: -15, Hi: -5, N: 100}, {Label: "turn.pie = true", Value: nan()}}, chartOf(t, s, "What one step of a knob does").(*chart.Forest).Rows)
	k.Variants[1].Exact = "draw"
	s = b.knobs()
	same(t, "exact", []string{"win.line = 4 | 3 |  | 50.0 % | -10.0 | 0.020 | 10.0 % | 90.0 % | 20.0", "turn.pie = true | false | draw | – | – | 1.000 | – | – | –"}, rowsOf(tableOf(t, s, "One knob")))
	if got := tableOf(t, s, "One knob").Columns[2].Name; got != "with perfect play" {
		t.Error(got)
	}
}

// What the numbers rest on: what was left out is counted, what was not measured is not named.
func TestMethodSection(t *testing.T) {
	t.Parallel()
	r := &balance.Report{
		Study: balance.Played{Games: 1, Distinct: 5, Repeated: 3, Forfeits: 2, Events: []balance.EventInfo{{Name: "e", Purpose: "mirror", Games: 7, Seed: 11}}}, Method: balance.Method{Level: 0.95},
		Size: balance.Size{LogTree: about(8, ""), Branching: about(4, ""), Positions: 123, Visited: 456, RulesBytes: 70, RulesPacked: 30, States: []balance.StateGrowth{{Ply: 1, Visited: 9, Unique: 4}}, Speeds: []balance.Speed{{Agent: "a", MS: 1.5, Nodes: 2000, Moves: 33}}},
	}
	b := &builder{r: r, study: "x.db"}
	s := b.method()
	same(t, "lead", "1 game in x.db; every interval is at 95 % and treats the game or the pair of games as the unit, never the ply.", s.Lead)
	if s.Paragraphs[0] != "5 distinct games; 3 repetitions by agents that leave nothing to chance were left out, and 2 forfeits counted apart." || len(s.Paragraphs) != 2 {
		t.Errorf("%q", s.Paragraphs)
	}
	size := []string{"log10 of the game tree | 8.00", "legal moves a ply | 4.00", "game refinement, sqrt(branching) / length | –", "different positions met | 123", "positions visited | 456", "bytes of the rules | 70", "the same compressed | 30"}
	same(t, "size", size, rowsOf(tableOf(t, s, "Size")))
	same(t, "speeds", []string{"a | 1.50 | 2000 | 33"}, rowsOf(tableOf(t, s, "Speed")))
	same(t, "events", []string{"e | mirror | 7 | 11"}, rowsOf(tableOf(t, s, "What was played")))
	growth := chartOf(t, s, "Different positions by ply").(*chart.Lines).Lines
	same(t, "growth", []chart.Point{{X: 1, Y: 4}, {X: 1, Y: 9}}, []chart.Point{growth[0].Points[0], growth[1].Points[0]})

	r.Study.Decided, r.Study.BadGames, r.Study.Events[0].Clear = 4, 2, true
	r.Size.SolvedStates, r.Size.Playouts = 1, 1
	r.Targets = []balance.Judged{{Target: "fpa<=0.05", Verdict: balance.Met, Number: made(0.02)}}
	r.Lights = []balance.Light{{Title: "Fair", Number: made(0.5), Colour: balance.Good, Good: "45 to 55 %", Middling: "40 to 60 %", Text: "even"}}
	r.Knobs = &balance.Knobs{Agent: "a", Variants: []balance.KnobVariant{{Response: balance.KnobResponse{Score: made(0.5)}}, {Response: balance.KnobResponse{Score: made(0.6)}}}}
	r.Oracle = &balance.Oracle{Name: "mcts", Budget: "9 playouts", Kind: "agent", Games: 8, Positions: 77, Noise: 0.0123, Warning: "Few.", Brier: about(0.2, ""), Bins: []balance.CalibrationBin{{Mean: 0.4, Observed: made(0.45)}, {Mean: 0.6}}}
	s = b.method()
	said := strings.Join(s.Paragraphs, "\n")
	for _, want := range []string{"4 games were adjudicated", "2 games do not replay", "confidence sequences", "Values come from mcts (9 playouts), 8 games, 77 positions; the standard deviation of a value is 0.012. Few."} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
	same(t, "solved", append(size[:5:5], "positions in all (solved) | 1", "random games a second and core | 1", size[5], size[6]), rowsOf(tableOf(t, s, "Size")))
	same(t, "targets", []string{"fpa<=0.05 | met | 2.0 %"}, rowsOf(tableOf(t, s, "What was required")))
	same(t, "lights", []string{"Fair | 50.0 % | 45 to 55 % | 40 to 60 % | even"}, rowsOf(tableOf(t, s, "Limits")))
	same(t, "knobs played", []string{"e | mirror | 7 | 11", "a under 2 other rules | balance/knob | 200 | –"}, rowsOf(tableOf(t, s, "What was played")))
	same(t, "calibration", []chart.Point{{X: 0.4, Y: 0.45, Lo: 0.4, Hi: 0.5, N: 100}}, chartOf(t, s, "How good the position values are").(*chart.Calibration).Bins)
	r.Oracle.Kind, r.Oracle.Warning = "exact", ""
	if s := b.method(); !strings.HasSuffix(strings.Join(s.Paragraphs, "\n"), "Values are those of the solved game, exact: 8 games, 77 positions.") {
		t.Errorf("%q", s.Paragraphs)
	}
}

// What is missing is named once, with the group where it is one.
func TestMissingOfGroups(t *testing.T) {
	t.Parallel()
	got := missing([]balance.Missing{{Measure: "x", Group: "a", Reason: "r"}, {Measure: "x", Group: "b", Reason: "r"}, {Measure: "x", Group: "c", Reason: "other"}, {Measure: "y", Reason: "r"}})
	same(t, "missing", []page.Missing{{What: "x of 2 groups of games", Why: "r"}, {What: "x, c", Why: "other"}, {What: "y", Why: "r"}}, got)
}

// The verdict of the page: a game that often does not end is poor whoever wins; an undecided light leaves the sentence plain.
func TestPageVerdict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, headline, detail string
		lights                 []balance.Light
		want                   table.Status
	}{
		{"One. Two. ", "One.", "Two.", []balance.Light{{Measure: "other", Colour: balance.Poor}, {Measure: "first_score", Colour: balance.Good}}, table.Good},
		{"One", "One", "", []balance.Light{{Measure: "first_score", Colour: balance.Undecided}}, table.Plain},
		{"One", "One", "", []balance.Light{{Measure: "first_score", Colour: balance.Good}, {Measure: "completion", Colour: balance.Poor}}, table.Poor},
		{"One", "One", "", []balance.Light{{Measure: "first_score", Colour: balance.Good}, {Measure: "completion", Colour: balance.Middling}}, table.Good},
		{". x", ". x", "", nil, table.Plain},
	} {
		v := (&builder{r: &balance.Report{Verdict: balance.Conclusion{Text: c.text}, Lights: c.lights}}).verdict()
		same(t, c.text, page.Verdict{Headline: c.headline, Detail: c.detail, Status: c.want}, v)
	}
	// What is known of the rules has no grade of a sample: that stands with what the agents did, and is none where it says so itself.
	fare := "Among these agents, the first player scores 72.0 %."
	for _, c := range []struct {
		claim  campaign.Claim
		scope  string
		light  balance.Light
		status table.Status
		detail string
	}{
		{campaign.Even, balance.AboutRules, balance.Light{Colour: balance.Poor, Text: "x"}, table.Plain, "Poor: among these agents, the first player scores 72.0 %."},
		{campaign.Unknown, balance.AboutRules, balance.Light{Colour: balance.Middling, Text: "x; unknown for stronger play"}, table.Plain, fare},
		{campaign.Even, balance.AboutRules, balance.Light{Colour: balance.Undecided, Text: "x"}, table.Plain, fare},
		{campaign.First, balance.AboutRules, balance.Light{Colour: balance.Poor, Text: "x; with best play: y"}, table.Poor, fare},
		{campaign.First, balance.AboutAgents, balance.Light{Colour: balance.Poor, Text: "x"}, table.Poor, fare},
	} {
		c.light.Measure = "first_score"
		v := (&builder{r: &balance.Report{Verdict: balance.Conclusion{Text: "Rules. " + fare, Rules: "Rules.", Agents: fare, Claim: c.claim, Scope: c.scope}, Lights: []balance.Light{c.light}}}).verdict()
		same(t, string(c.claim)+" of "+c.scope, page.Verdict{Headline: "Rules.", Detail: c.detail, Status: c.status}, v)
	}
	b := &builder{r: &balance.Report{Ends: "every game ends"}}
	if c := b.chip(balance.Light{Measure: "completion", Colour: balance.Good, Text: "every game ends", Number: balance.Number{Warning: "few games"}}); c.Note != "every game ends; few games" {
		t.Error(c.Note)
	}
	if c := b.chip(balance.Light{Measure: "completion", Colour: balance.Good, Text: "the rules end 100 %"}); c.Note != "" {
		t.Error(c.Note)
	}
	b = &builder{}
	if c := b.chip(balance.Light{More: 1, MoreOf: "games", Number: balance.Number{Warning: "few"}}); c.Note != "with about 1 more game it is decided four times in five, if the value stays; few" {
		t.Error(c.Note)
	}
	// What is solved decides against the interval, and says so.
	solved := balance.Light{Measure: "first_score", Text: "the first player scores 50.0 % in all games; with best play: the first player wins."}
	if c := b.chip(solved); c.Note != "with best play: the first player wins" {
		t.Error(c.Note)
	}
	if solved.Measure = "draws"; b.chip(solved).Note != "" {
		t.Error("of another measure")
	}
	if c := b.chip(balance.Light{Number: balance.Number{Warning: "few"}}); c.Note != "few" {
		t.Error(c.Note)
	}
	if count(1, "game") != "1 game" || count(0, "game") != "0 games" {
		t.Error(count(1, "game"), count(0, "game"))
	}
}

// The best of a sweep: which targets it misses and for whom, what is open, and that hardly anybody wins.
func TestSweepVerdict(t *testing.T) {
	t.Parallel()
	judged := func(rules, target string, v balance.Verdict) balance.Judged {
		return balance.Judged{Rules: rules, Target: target, Verdict: v}
	}
	for _, c := range []struct {
		name             string
		targets          []string
		verdict          balance.Verdict
		judged           []balance.Judged
		draws            balance.Number
		headline, detail string
		status           table.Status
	}{
		{"no targets", nil, "", nil, made(0.2), "The fairest of 2 variants has win.line 1: the first player scores 50.0 % [46.0, 54.0] n 200.", "Measured again on fresh seeds, mcts-10v against itself.", table.Plain},
		{"met", []string{"fpa<=0.05", "draws<=0.3"}, balance.Met, nil, made(0.55), "The best of 2 variants has win.line 1: the first player scores 50.0 % [46.0, 54.0] n 200.", "It meets the targets: fpa<=0.05, draws<=0.3. Measured again on fresh seeds, mcts-10v against itself.", table.Good},
		{
			"missed",
			[]string{"fpa<=0.05"},
			balance.Missed,
			[]balance.Judged{judged("classic[0]", "draws<=0.1", balance.Met), judged("classic[0], mcts-5v", "fpa<=0.05", balance.Missed), judged("classic[0]", "length<=9", balance.Missed), judged("classic[0]", "depth>=2", balance.Undecided)},
			balance.Number{},
			"The best of 2 variants has", "It misses fpa<=0.05 (mcts-5v), length<=9. Not decided: depth>=2. Measured again on fresh seeds, mcts-10v against itself. Nothing met the targets; nearest is win.line 1", table.Poor,
		},
		{"open", []string{"fpa<=0.05"}, balance.Undecided, []balance.Judged{judged("classic[0]", "fpa<=0.05", balance.Undecided)}, made(0.56), "The best of 2 variants has", "Not decided: fpa<=0.05. Measured again", table.Undecided},
	} {
		r := result(true, "win.line")
		r.Targets = c.targets
		n := r.Again[0].Numbers
		n["draws"] = c.draws
		r.Again[0].Verdict, r.Again[0].Judged = c.verdict, c.judged
		v := sweepVerdict(r)
		if !strings.HasPrefix(v.Headline, c.headline) || !strings.HasPrefix(v.Detail, c.detail) || v.Status != c.status {
			t.Errorf("%s: %s, %q\n%q", c.name, v.Status, v.Headline, v.Detail)
		}
		if got := strings.Contains(v.Detail, "of its games are drawn"); got != (c.name == "open") {
			t.Errorf("%s: most games are drawn: %t", c.name, got)
		}
	}
	a := sweep.Again{Rules: "x", Judged: []balance.Judged{judged("x", "t", balance.Met), judged("x, a", "u", balance.Missed), judged("x, b", "v", balance.Met), judged("y", "w", balance.Met)}}
	if got := verdictsOf(a, "a"); got != "t met; u missed" {
		t.Error(got)
	}
}

// Tables and figures of a sweep over two knobs: cells by both values, what holds an even score, the best and the rules as they are.
func TestSweepSections(t *testing.T) {
	t.Parallel()
	r := result(true, "win.line", "pieces.cap")
	r.Effects = []sweep.Effect{{Path: "win.line", Value: "2", Numbers: sweep.Numbers{"score": made(0.1)}}}
	r.Variants[3].Verdict, r.Variants[2].Numbers["score"] = balance.Met, balance.Number{}
	r.Variants[0].Winner, r.Variants[0].Plies = "second", 8
	s := all(r)
	same(t, "all", []string{
		"1 | 1 | 50.0 % | 20.0 % | 95.0 % | 12 | 3.0 | second player wins in 8 | undecided | classic[0] (as it is)", "1 | 2 | 60.0 % | 20.0 % | 95.0 % | 12 | 4.0 |  | undecided | classic[1]",
		"2 | 1 | – | 20.0 % | 95.0 % | 12 | 5.0 |  | undecided | classic[2]", "2 | 2 | 80.0 % | 20.0 % | 95.0 % | 12 | 6.0 |  | met | classic[3]",
	}, rowsOf(tableOf(t, s, "Variants")))
	same(t, "again", []string{"win.line 1, pieces.cap 1 | mcts-5v | 50.0 % | 20.0 % | 95.0 % | 12 | ", "win.line 1, pieces.cap 1 | mcts-10v | 50.0 % | 20.0 % | 95.0 % | 12 | "}, rowsOf(tableOf(t, fresh(r), "Fresh")))
	same(t, "effects", []string{"win.line | 2 | 10.0 % | – | – | – | –"}, rowsOf(tableOf(t, effectsOf(r), "Main")))
	g := heat(r, measures()[0]).(*chart.Grid)
	same(t, "heat", [][]chart.Cell{
		{{Value: 0.5, Text: "50 %", Mark: chart.Hatched | chart.Framed | chart.Cornered}, {Value: 0.6, Text: "60 %"}}, {{Value: nan(), Text: "–"}, {Value: 0.8, Text: "80 %"}},
	}, g.Cells)
	same(t, "colours of a score are about one half", [3]float64{0, 0.5, 1}, [3]float64{g.Scale.Lo, g.Scale.Mid, g.Scale.Hi})
	for _, m := range measures()[1:3] {
		same(t, "colours of a share", [2]float64{0, 1}, [2]float64{m.scale.Lo, m.scale.Hi})
	}
	r.Variants = append(r.Variants[:1:1], r.Variants[2:]...)
	if c := heat(r, measures()[1]).(*chart.Grid).Cells[0][1]; c.Mark != chart.Crossed || c.Text != "none" {
		t.Errorf("a combination that was not played: %+v", c)
	}
	r = result(true, "win.line")
	lines := slice(r, measures()[0]).(*chart.Lines)
	same(t, "agents", []string{"mcts-5v", "mcts-10v"}, []string{lines.Lines[0].Name, lines.Lines[1].Name})
	same(t, "slice", []chart.Point{{X: 0, Y: 0.5, Lo: 0.46, Hi: 0.54, N: 200}, {X: 1, Y: 0.6, Lo: 0.56, Hi: 0.64, N: 200}}, lines.Lines[1].Points)
	same(t, "depth is of all agents", 1, len(slice(r, measures()[4]).(*chart.Lines).Lines))
	r.Knobs[0].Base = "0" // a value that was not tried otherwise stands first
	same(t, "base first", []string{"0", "1", "2"}, slice(r, measures()[0]).(*chart.Lines).X.Names)
	if effectsOf(r).Title != "" {
		t.Error("one knob has effects by itself")
	}
	trade := tradeOff(result(true, "win.line"))
	same(t, "trade-off", []chart.Dot{{X: 0, Y: 3, XLo: -0.04, XHi: 0.04, YLo: 2.96, YHi: 3.04, Label: "1", Front: true}, {X: 0.1, Y: 4, XLo: 0.06, XHi: 0.14, YLo: 3.96, YHi: 4.04, Label: "2"}}, chartOf(t, trade, "Unfairness and depth").(*chart.Scatter).Dots)
	same(t, "front", "No variant is both fairer and deeper than these, by the values: win.line 1.", trade.Lead)
	r.Variants[0].Numbers["depth"] = balance.Number{}
	if tradeOff(r).Title != "" {
		t.Error("one variant with a depth is a trade-off")
	}
	rows := forest(result(true, "a", "b", "c"), measures()[0]).(*chart.Forest).Rows
	if len(rows) != 8 || rows[0].Label != "1 · 1 · 1" || !rows[0].Hollow || rows[1].Hollow {
		t.Errorf("%+v", rows)
	}
	r = result(true, "win.line")
	for _, c := range []struct {
		score [2]float64
		want  string
	}{{[2]float64{0.5, 0.6}, "From 50.0 % with win.line 1 to 60.0 % with win.line 2."}, {[2]float64{0.7, 0.6}, "From 60.0 % with win.line 2 to 70.0 % with win.line 1."}, {[2]float64{0.6, 0.6}, "The same everywhere."}} {
		r.Variants[0].Numbers["score"], r.Variants[1].Numbers["score"] = made(c.score[0]), made(c.score[1])
		if got := caption(r, measures()[0]); got != c.want {
			t.Errorf("%v: %q", c.score, got)
		}
	}
	r.Variants[0].Far, r.Variants[1].Far = 2, 1
	if r.Again = []sweep.Again{{Rules: "measured again"}}; best(r) != "measured again" {
		t.Errorf("one that was measured again is not the best, but %q", best(r))
	}
	r.Again = nil
	if got := best(r); got != "classic[1]" {
		t.Errorf("the best is %q", got)
	}
	if r.Targets = nil; best(r) != "" {
		t.Error("without targets nothing is nearest to them")
	}
}

// A sweep on a terminal and as CSV.
func TestSweepTexts(t *testing.T) {
	t.Parallel()
	r := result(true, "win.line")
	r.Rounds, r.Notes = []sweep.Round{{Round: 1, Candidates: 8, Games: 20, Kept: []string{"x", "y"}}}, []string{"take care"}
	r.Variants[0].Far, r.Variants[1].Verdict = 1, balance.Met // the second is nearer, and stands first
	r.Variants[1].ByTier[0] = sweep.Numbers{"score": measured(0.7)}
	r.Again[0].Judged = []balance.Judged{{Rules: "classic[0]", Target: "fpa<=0.05", Measure: "fpa", Verdict: balance.Met, Number: measured(0)}}
	var b bytes.Buffer
	if err := SweepText(&b, r); err != nil {
		t.Fatal(err)
	}
	depth := func(v string) string { return "20.0 % [16.0, 24.0] 95.0 % [91.0, 99.0] 12 [12, 12] " + v }
	same(t, "text", []string{
		"made-up: 2 variants of classic, 4000 games; mcts-10v against itself from the true start, 95 % intervals", "round 1: 8 candidates, 20 games of each tier, 2 kept",
		"win.line agent n score fpa draws completion length depth targets",
		"2 mcts-5v 200 70.0 % [66.0, 74.0] - - - - -",
		"2 mcts-10v 200 60.0 % [56.0, 64.0] 10.0 % [6.0, 14.0] " + depth("4.0 [4.0, 4.0] met"),
		"1 mcts-5v 200 50.0 % [46.0, 54.0] 0.0 % [-4.0, 4.0] " + depth("-"),
		"1 mcts-10v 200 50.0 % [46.0, 54.0] 0.0 % [-4.0, 4.0] " + depth("3.0 [3.0, 3.0] undecided as it is; none is fairer and deeper, by the values alone"),
		"depth is in steps of 60 % from the random player up, from 200 games of neighbouring agents",
		"skipped: win.line=9: does not fit", "note: take care", "the best of 2, measured again on fresh seeds:",
		"win.line agent n score fpa draws completion length fpa before",
		"1 mcts-5v 200 50.0 % [46.0, 54.0] 0.0 % [-4.0, 4.0] 20.0 % [16.0, 24.0] 95.0 % [91.0, 99.0] 12 [12, 12]",
		"1 mcts-10v 200 50.0 % [46.0, 54.0] 0.0 % [-4.0, 4.0] 20.0 % [16.0, 24.0] 95.0 % [91.0, 99.0] 12 [12, 12] 0.0 % [-4.0, 4.0] n 200",
		"classic[0]: fpa<=0.05 is met: fpa 0.0 % [-4.0, 4.0] n 200",
	}, fields(b.String()))
	r = result(false, "win.line")
	r.Targets, r.Again = nil, nil
	r.Variants[0].Far = 1
	b.Reset()
	if err := SweepText(&b, r); err != nil {
		t.Fatal(err)
	}
	if got := fields(b.String()); got[1] != "win.line agent n score fpa draws completion length" || !strings.HasPrefix(got[2], "1 mcts-5v") || len(got) != 7 {
		t.Errorf("without targets, depth and a second measurement:\n%s", strings.Join(got, "\n"))
	}
	b.Reset()
	plan := &sweep.Sweep{Variants: []sweep.Variant{{Rules: campaign.Rules{Label: "classic"}, Base: true}, {Rules: campaign.Rules{Label: "classic[win.line=2]"}}}, Skipped: []sweep.Skipped{{Rules: "win.line=9", Reason: "does not fit"}}}
	plan.Name, plan.Design, plan.Database = "s", "grid", "s.db"
	if err := SweepPlanText(&b, plan); err != nil {
		t.Fatal(err)
	}
	same(t, "plan", []string{"s (grid): 2 variants, 1 skipped, into s.db", "classic (the rules as they are)", "classic[win.line=2]", "skipped: win.line=9: does not fit"}, fields(b.String())[:4])
	r = result(false, "win.line")
	x := r.Variants[1].Numbers["draws"]
	x.LoOpen = true
	r.Variants[1].Numbers["draws"] = x
	r.Variants[0].Winner, r.Again[0].Winner = "draw", "draw"
	b.Reset()
	if err := SweepCSV(&b, r); err != nil {
		t.Fatal(err)
	}
	same(t, "CSV", []string{
		"rules,base,measured,win.line,score,score_lo,score_hi,score_n,fpa,fpa_lo,fpa_hi,fpa_n,draws,draws_lo,draws_hi,draws_n,completion,completion_lo,completion_hi,completion_n,length,length_lo,length_hi,length_n,depth,depth_lo,depth_hi,depth_n,verdict,pareto,exact",
		"classic[0],true,first,1,0.5,0.46,0.54,200,0,-0.04,0.04,200,0.2,0.16,0.24000000000000002,200,0.95,0.9099999999999999,0.99,200,12,11.96,12.04,200,,,,0,undecided,true,draw",
		"classic[1],false,first,2,0.6,0.5599999999999999,0.64,200,0.1,0.060000000000000005,0.14,200,0.2,,0.24000000000000002,200,0.95,0.9099999999999999,0.99,200,12,11.96,12.04,200,,,,0,undecided,false,",
		"classic[0],false,fresh,1,0.5,0.46,0.54,200,0,-0.04,0.04,200,0.2,0.16,0.24000000000000002,200,0.95,0.9099999999999999,0.99,200,12,11.96,12.04,200,,,,0,met,false,draw",
	}, strings.Split(strings.TrimSpace(b.String()), "\n"))
}

// The texts of studies for a terminal.
func TestStudyTexts(t *testing.T) {
	t.Parallel()
	r := twoTiers()
	r.Rules.Name, r.Headline, r.Verdict.Text = "classic", 1, "Even. And more."
	var b bytes.Buffer
	Overview(&b, []*balance.Report{r, {Headline: -1, Rules: balance.Rules{Name: "x"}}})
	same(t, "overview", []string{"rules first player's score draws completion median plies 60 % steps verdict", "classic 50.0 % [45.0, 55.0] n 100 - 90.0 % [85.0, 95.0] n 100 12 [11, 13] n 100 - Even.", "x - - - - - -"}, fields(b.String()))
	c := &balance.Comparison{
		Before: balance.Side{DB: "a.db", Rules: "x", Games: 1}, After: balance.Side{DB: "b.db", Rules: "y", Games: 2}, Knobs: []balance.KnobChange{{Path: "win.line", Before: "3", After: "4"}}, Warnings: []string{"few"},
		Rows: []balance.Row{{Group: "all", Measure: "score", Before: made(0.5), After: made(0.6), Change: made(0.1), Paired: true, Verdict: "more"}, {Group: "all", Measure: "draws", Before: made(0.5), Verdict: "undecided"}},
	}
	b.Reset()
	if err := ComparisonText(&b, c); err != nil {
		t.Fatal(err)
	}
	same(t, "comparison", []string{
		"before x in a.db, 1 game", "after y in b.db, 2 games", "changed win.line: 3 to 4", "games measure before after change verdict",
		"all score 50.0 % [45.0, 55.0] n 100 games 60.0 % [55.0, 65.0] n 100 games 10.0 points [5.0, 15.0] n 100 pairs more", "all draws 50.0 % [45.0, 55.0] n 100 games - - undecided", "note: few", "note: " + ofPairs, "95 % intervals; more or less where the interval of the change does not hold 0",
	}, fields(b.String()))
	c.Knobs = nil
	b.Reset()
	if err := ComparisonText(&b, c); err != nil || !strings.Contains(b.String(), "the rules are the same") {
		t.Errorf("%v\n%s", err, b.String())
	}
	d := Comparison(c)
	if want := "(5.0 to 15.0 points)"; !strings.Contains(d.Verdict.Detail, want) {
		t.Errorf("no %s in %q", want, d.Verdict.Detail)
	}
	again := func(c *balance.Comparison) string { return Comparison(c).Commands[0].Text }
	same(t, "commands", []string{"spar report --compare a.db b.db --rules x --rules-after y --out comparison.html", "spar report --compare a.db b.db --rules x --out comparison.html"},
		[]string{again(c), again(&balance.Comparison{Before: c.Before, After: balance.Side{DB: "b.db", Rules: "x"}})})
	same(t, "differences", []string{"all games | first player's score | 50.0 % | 60.0 % | 10.0 % | yes | more", "all games | draws | 50.0 % | – | – | no | undecided"}, rowsOf(tableOf(t, d.Sections[0], "Differences")))
	if !strings.HasSuffix(d.Verdict.Detail, " Certain in these games: first player's score higher.") {
		t.Errorf("%+v", d.Verdict)
	}
	c.Rows[0].After, c.Rows[0].Verdict = made(0.5), "undecided"
	if d := Comparison(c); !strings.Contains(d.Verdict.Detail, "The first player's score stays at 50.0 %, all games: no certain change") || strings.Contains(d.Verdict.Detail, "Certain") {
		t.Errorf("%+v", d.Verdict)
	}
	if d := Comparison(&balance.Comparison{}); d.Verdict.Headline != "The rules are the same." || d.Verdict.Detail != "No kind of games in common tells what that does." {
		t.Errorf("%+v", d.Verdict)
	}
}

// A learned evaluation: its gate, whether its scores come true, who is nearer to the truth, how the training went, its matches.
func TestNetPage(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	layout, err := patterns.NewLayout(g, patterns.Architecture{Tables: []string{"psq"}})
	if err != nil {
		t.Fatal(err)
	}
	net, err := layout.New(make([]float32, layout.Params()))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gate   *patterns.Gate
		status table.Status
		open   bool
	}{
		{nil, table.Undecided, false},
		{&patterns.Gate{Lo: 0.51, Hi: 0.6, Pairs: 1}, table.Good, false},
		{&patterns.Gate{Lo: 0.5, Hi: 0.6, Pairs: 1}, table.Undecided, true},
		{&patterns.Gate{Lo: 0.4, Hi: 0.5, Pairs: 1}, table.Undecided, true},
		{&patterns.Gate{Lo: 0.4, Hi: 0.49, Pairs: 1}, table.Poor, false},
		{&patterns.Gate{Score: 0.5, Hi: 1}, table.Undecided, false}, // no pairs could be played
	} {
		if v := netVerdict(c.gate); v.Status != c.status || strings.Contains(v.Detail, "not decided") != c.open {
			t.Errorf("%+v: %+v", c.gate, v)
		}
	}
	if v := netVerdict(&patterns.Gate{Score: 0.55, Lo: 0.51, Hi: 0.59, Pairs: 40, Against: "linear", Search: "mcts"}); v.Headline != "It scores 55.0 % (51.0 to 59.0, 40 pairs) against the linear evaluation at equal CPU time." || v.Detail != "The gate of the training: mcts." {
		t.Errorf("%+v", v)
	}
	worth := 3.5
	l := Learned{Name: "n", Net: net, Contests: []learn.Contest{{Search: "mcts", Against: "linear", Score: 0.6, Lo: 0.5, Hi: 0.7, Games: 80, Ours: 50, Budget: 90}, {Search: "mcts", Against: "other", Why: "over at once"}}, Portrait: learn.Portrait{
		Positions: 30, Worth: []*float64{nil, &worth, nil, nil, nil, nil, nil, nil, nil},
		Patterns: []learn.Heavy{{Term: patterns.Term{Table: "line", Cells: "a1 b1", Holds: "XX"}, Points: -12.5, Share: 0.25}},
		Bins:     []learn.CalibrationBin{{Predicted: 0.3, Scored: 0.4, Lo: 0.3, Hi: 0.5, N: 50}, {Predicted: 0.5, Scored: 0.4, Lo: 0.3, Hi: 0.5, N: 50}, {Predicted: 0.29, Scored: 0.4, Lo: 0.3, Hi: 0.5}, {Predicted: 0.51, Scored: 0.4, Lo: 0.3, Hi: 0.5}},
		Disputes: []learn.Dispute{{Position: "p1\nresult", Net: 0.8, Linear: 0.3, Exact: "win"}, {Position: "p2", Net: 0.8, Linear: 0.4, Exact: "draw"}, {Position: "p3", Net: 0.2, Linear: 0.9, Exact: "loss"}, {Position: "p4", Net: 0.6, Linear: 0.1}, {Position: "p5", Net: 0.4, Linear: 0.6, Exact: "draw"}},
	}}
	d := Net(l)
	section := func(id string) page.Section {
		for _, s := range d.Sections {
			if s.ID == id {
				return s
			}
		}
		return page.Section{}
	}
	same(t, "patterns", []string{"line | a1 b1 | XX | -12.5 | 25.0 %"}, rowsOf(tableOf(t, section("patterns"), "The patterns")))
	same(t, "worth", []float64{nan(), 3.5}, []float64{chartOf(t, section("patterns"), "What a piece of the first player is worth by itself").(*chart.Grid).Cells[0][0].Value, chartOf(t, section("patterns"), "What a piece of the first player is worth by itself").(*chart.Grid).Cells[0][1].Value})
	same(t, "calibration", "In 2 of 4 groups of positions the expected score lies within the 95 % interval of what came; one ply of play with a tenth of random moves.", section("calibration").Lead)
	same(t, "came", "30.0 % | 40.0 %", rowsOf(tableOf(t, section("calibration"), "Expected"))[0])
	same(t, "disputes", []string{"Of 4 that a short proof decides, the net is nearer to the truth in 2."}, section("disputes").Paragraphs)
	same(t, "exact", "p4 | 60 % | 10 % | not proved", rowsOf(tableOf(t, section("disputes"), "The widest"))[3])
	if v := section("disputes").Games[0]; v.ID != "dispute-1" || v.Result != "result" || v.Title != "net 80 %, weights 30 %" {
		t.Errorf("%+v", v)
	}
	same(t, "contests", []string{"mcts | linear | 60.0 % | 50 against 90", "mcts | other | no pairs: over at once | 0 against 0"}, rowsOf(tableOf(t, section("contests"), "Matches")))
	if len(d.Missing) != 1 || section("course").ID != "" {
		t.Errorf("a file without a course: %+v", d.Missing)
	}
	s := netCourse([]patterns.Stage{{Games: 10, Loss: 0.6, Draws: 0.1}, {Games: 20, Loss: 0.5, Draws: 0.2, Plies: 7.5}})
	same(t, "course", "In the last of 2 stages the loss was 0.500 (0.693 knows nothing), 20.0 % of the games were drawn, and they lasted 7.5 plies.", s.Lead)
	both := s.Figures[0].Chart.(*chart.Panels).Charts
	same(t, "loss", []chart.Point{{X: 10, Y: 0.6}, {X: 20, Y: 0.5}}, both[0].(*chart.Lines).Lines[0].Points)
	same(t, "draws", []chart.Point{{X: 10, Y: 0.1}, {X: 20, Y: 0.2}}, both[1].(*chart.Lines).Lines[0].Points)
	if s := netCourse([]patterns.Stage{{Loss: 0.6}}); !strings.HasPrefix(s.Lead, "In the last of 1 stages the loss was 0.600") {
		t.Errorf("a course of one stage: %q", s.Lead)
	}
	l.Portrait.Disputes, l.Portrait.Worth, l.Contests = l.Portrait.Disputes[3:4], nil, nil
	d = Net(l)
	if section("disputes").Paragraphs != nil || section("contests").ID != "" || len(section("patterns").Figures) != 0 {
		t.Errorf("%+v", d.Sections)
	}
	if l.Portrait.Disputes = nil; netDisputes(l).Title != "" {
		t.Error("no disputes make a section")
	}
}

// Nothing is nothing, whatever its sign.
func TestHundredths(t *testing.T) {
	t.Parallel()
	if got := hundredths(balance.Number{Value: math.Copysign(0, -1), Lo: -0.5, Hi: 0.25}); math.Signbit(got.Value) || got.Lo != -50 || got.Hi != 25 {
		t.Errorf("%+v", got)
	}
	if got := hundredths(balance.Number{Value: -0.01}).Value; got != -1 {
		t.Errorf("%g", got)
	}
}

// Earlier states are seen from their own side: what the net scores against them they score less than one half.
func TestNetCurve(t *testing.T) {
	t.Parallel()
	early, late := patterns.Rung{Games: 128, Score: 0.8, Lo: 0.7, Hi: 0.95, Pairs: 20}, patterns.Rung{Games: 512, Score: 0.55, Lo: 0.45, Hi: 0.6, Pairs: 30}
	for _, c := range []struct {
		curve []patterns.Rung
		lead  string
	}{
		{[]patterns.Rung{early, late}, "What it was after 512 games scores 45.0 % (40.0 to 55.0, 30 pairs) against what it became: whether it still got better then is not decided; it did before."},
		{[]patterns.Rung{late, early}, "What it was after 128 games scores 20.0 % (5.0 to 30.0, 20 pairs) against what it became: it still got better, more games may help."},
		{[]patterns.Rung{late}, "What it was after 512 games scores 45.0 % (40.0 to 55.0, 30 pairs) against what it became: that it got better in the last games is not shown."},
		{[]patterns.Rung{{Games: 9, Score: 0.6, Lo: 0.5, Hi: 0.7, Pairs: 2}}, "What it was after 9 games scores 40.0 % (30.0 to 50.0, 2 pairs) against what it became: that it got better in the last games is not shown."},
	} {
		same(t, "lead", c.lead, netCurve(c.curve).Lead)
	}
	s := netCurve([]patterns.Rung{early, late})
	same(t, "points", []chart.Point{{X: 128, Y: 0.2, Lo: 0.05, Hi: 0.3, N: 20}, {X: 512, Y: 0.45, Lo: 0.4, Hi: 0.55, N: 30}}, chartOf(t, s, "Strength against training").(*chart.Lines).Lines[0].Points)
	tab := tableOf(t, s, "Strength")
	same(t, "rows", []string{"128 | 20.0 %", "512 | 45.0 %"}, rowsOf(tab))
	same(t, "interval", "20.0 % (5.0 to 30.0 %), n = 40", tab.Rows[0][1].String())
	if netCurve(nil).Title != "" {
		t.Error("no curve makes a section")
	}
}

// Of two numbers changed together the rows are the first and the columns the second; words stand for themselves, the tuned agent's cell
// has a frame, and what is not decided is hatched.
func TestPlaneOfTwoNumbers(t *testing.T) {
	t.Parallel()
	p := &tuning.Plane{
		Paths: [2]string{"x", "order"},
		Axes:  [2][]tuning.Spot{{{Value: 1.5, Step: -1}, {Value: 2, Step: 0}}, {{Word: "near", Value: 9}, {Word: "far", Value: 9, Step: 1}}},
		Cells: [][]*tuning.PlaneCell{{{Match: match(0.4, -70, 30)}, {Match: match(0.5, 7, 30)}}, {nil, {Match: match(0.6, 70, 80)}}},
	}
	s := together([]*tuning.Plane{p})
	g := chartOf(t, s, "x and order").(*chart.Grid)
	same(t, "labels", []string{"x", "order"}, []string{g.YLabel, g.XLabel})
	same(t, "rows", []string{"1.50", "2.00"}, g.Rows)
	same(t, "columns", []string{"near", "far"}, g.Columns)
	same(t, "cells", [][]chart.Cell{{{Value: -70, Text: "-70"}, {Value: 7, Text: "+7", Mark: chart.Hatched}}, {{Text: "tuned", Mark: chart.Framed}, {Value: 70, Text: "+70", Mark: chart.Hatched}}}, g.Cells)
	if len(s.Tables) != 0 {
		t.Errorf("a table without an interaction: %v", rowsOf(s.Tables[0]))
	}
	p.Interaction = &tuning.Interaction{Score: 0.02, Lo: -0.01, Hi: 0.05}
	tab := tableOf(t, together([]*tuning.Plane{p}), "Interactions")
	same(t, "interactions", []string{"x and order | 0.020"}, rowsOf(tab))
	same(t, "interval", "0.020 (-0.010 to 0.050)", strings.ReplaceAll(tab.Rows[0][1].String(), "−", "-"))
}

func match(score, elo, half float64) tuning.Match {
	return tuning.Match{Match: ratings.Match{
		Score: ratings.Estimate{Value: score, N: 40},
		Elo:   ratings.Estimate{Value: elo, N: 40, Interval: ratings.Interval{Lo: elo - half, Hi: elo + half}},
	}}
}

// A tuning's sections: how far each number moved and by chance, the matches, the pool, the ridges.
func TestTuningSections(t *testing.T) {
	t.Parallel()
	r := &tuning.Result{Games: 100, Changes: []tuning.Change{{Path: "x", Before: 10, After: 14, Noise: 2, Scale: 4}, {Path: "y", Before: 5, After: 4, Scale: 1}, {Path: "z", Before: 1, After: 9}}}
	for _, at := range []struct {
		games   int
		current []float64
	}{{50, []float64{12, 5}}, {100, []float64{14, 4}}} {
		r.Course = append(r.Course, tuning.Point{Games: at.games, Current: at.current})
	}
	r.Checks = []tuning.Check{{Games: 50, Match: match(0.6, 70, 20)}}
	x := &tuning.Examination{Condition: "depth 3", Worst: "b", WorstWas: "a", Look: 2, Direct: match(0.55, 35, 10), Deeper: match(0.45, -35, 10), Training: &r.Checks[0], Optimism: &tuning.Estimate{Elo: 35, SE: 10}, Path: []tuning.PathPoint{{Pairs: 4, LLR: 0.5}}, Pool: []tuning.PoolRow{{Opponent: "a", Tuned: match(0.7, 147, 10), Start: match(0.6, 70, 10)}, {Opponent: "b", Tuned: match(0.4, -70, 10), Start: match(0.5, 0, 10)}}}
	x.SPRT.SPRTResult = ratings.SPRTResult{State: ratings.StateAcceptH1, Elo: ratings.Estimate{N: 40}}
	d := Tuned{Result: r, Examination: x}
	s := weights(d)
	same(t, "numbers", []string{"x | 10.00 | 14.00 | 2.00 | 2.0", "y | 5.00 | 4.00 | – | –", "z | 1.00 | 9.00 | – | –"}, rowsOf(tableOf(t, s, "Numbers")))
	same(t, "moves", []chart.Move{{Label: "x", From: chart.Row{Value: 2.5, Lo: nan(), Hi: nan()}, To: chart.Row{Value: 3.5, Lo: 2.52, Hi: 4.48}}, {Label: "y", From: chart.Row{Value: 5, Lo: nan(), Hi: nan()}, To: chart.Row{Value: 4, Lo: nan(), Hi: nan()}}}, chartOf(t, s, "Weights").(*chart.Dumbbell).Rows)
	s = course(d)
	lines := chartOf(t, s, "Weights against games").(*chart.Lines).Lines
	same(t, "x and y", [][]chart.Point{{{X: 50, Y: 0.5}, {X: 100, Y: 1}}, {{X: 50, Y: 0}, {X: 100, Y: -1}}, nil}, [][]chart.Point{lines[0].Points, lines[1].Points, lines[2].Points})
	elos := chartOf(t, s, "Elo against the start").(*chart.Lines).Lines
	same(t, "checks", [][]chart.Point{{{X: 50, Y: 70, Lo: 50, Hi: 90, N: 40}}, {{X: 100, Y: 35, Lo: 25, Hi: 45, N: 40}}}, [][]chart.Point{elos[0].Points, elos[1].Points})
	same(t, "farthest", []int{1, 2, 0}, farthest([]tuning.Change{{After: 1, Scale: 1}, {After: -9, Scale: 1}, {After: 5, Scale: 2}, {After: 99}}, 3))
	s = proof(x)
	same(t, "pool", []string{"a | 147 | 70", "b | -70 | 0"}, rowsOf(tableOf(t, s, "The pool")))
	same(t, "scores", [][]chart.Cell{{{Value: 0.7}, {Value: 0.4}}, {{Value: 0.6}, {Value: 0.5}}}, chartOf(t, s, "Scores against the pool").(*chart.Grid).Cells)
	same(t, "forest", []chart.Row{{Label: "start", Value: 35, Lo: 25, Hi: 45, N: 40}, {Label: "start, one level deeper", Value: -35, Lo: -45, Hi: -25, N: 40}, {Label: "start, on the training's openings", Value: 70, Lo: 50, Hi: 90, N: 40}}, chartOf(t, s, "Against the start").(*chart.Forest).Rows)
	same(t, "path", []chart.Point{{X: 4, Y: 0.5}}, chartOf(t, s, "The sequential test").(*chart.Lines).Lines[0].Points)
	if !strings.Contains(s.Paragraphs[0], "accepts that it is better after 40 pairs. This was look 2") {
		t.Errorf("%q", s.Paragraphs)
	}
	cs := chips(x)
	if len(cs) != 4 || cs[0].Status != table.Good || cs[1].Status != table.Poor || cs[2].Label != "worst pairing: b" || cs[3].Value.String() != "35 (15 to 55)" {
		t.Errorf("%+v", cs)
	}
	x.Optimism, x.Worst, x.Pool = nil, "", nil
	if len(chips(x)) != 2 || len(proof(x).Tables) != 0 {
		t.Errorf("%+v", chips(x))
	}
	if got := matchStatus(match(0.5, 5, 5)); got != table.Undecided {
		t.Errorf("an interval from 0 on is %s", got)
	}
	if got := matchStatus(match(0.5, -5, 5)); got != table.Undecided {
		t.Errorf("an interval up to 0 is %s", got)
	}
	s = around([]tuning.Slice{{Path: "x", Points: []tuning.SlicePoint{{Spot: tuning.Spot{Step: -1}, Match: match(0.4, -70, 9)}}}})
	same(t, "slices", []chart.Point{{}, {X: -1, Y: -70, Lo: -79, Hi: -61, N: 40}}, s.Figures[0].Chart.(*chart.Panels).Charts[0].(*chart.Lines).Lines[0].Points)
	r.Model = &fit.Model{Games: 30, Held: 0.6, Null: 0.7, Slope: 0.9, Calibration: []fit.Bin{{Predicted: 0.4, Observed: 0.5, SE: 0.1, Games: 9}}, Ridges: []fit.RidgeRow{{Ridge: 1, Train: 0.5, Held: 0.62, HeldSE: 0.01}, {Ridge: 10, Train: 0.55, Held: 0.6, HeldSE: 0.01, Chosen: true}}}
	s = regression(r)
	same(t, "ridges", []string{"1.0000 | 0.5000 | 0.6200 | ", "10.0000 | 0.5500 | 0.6000 | chosen"}, rowsOf(tableOf(t, s, "Loss")))
	same(t, "held out", "0.6200 (0.6004 to 0.6396), n = 30", tableOf(t, s, "Loss").Rows[0][2].String())
	same(t, "calibration", []chart.Point{{X: 0.4, Y: 0.5, Lo: 0.304, Hi: 0.696, N: 9}}, chartOf(t, s, "Calibration").(*chart.Calibration).Bins)
}

// What a tuning says on a terminal.
func TestTuningTexts(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	text := func() []string {
		defer b.Reset()
		return fields(b.String())
	}
	TuningText(&b, &tuning.Result{Warnings: []string{"few"}, Changes: []tuning.Change{{Path: "x", Before: 10, After: 14, Noise: 2}, {Path: "y", Before: 1, After: 1}}, Choices: []tuning.Choice{{Path: "ties", Before: "first", After: "random"}, {Path: "kind", Before: "a", After: "a"}}, Checks: []tuning.Check{{Games: 50, Match: match(0.6, 70, 20)}}})
	same(t, "tuning", []string{"number before after ± by chance moved", "x 10 14 2 2.0 sd", "y 1 1", "ties: random (was first)", "kind: a (as it was)", "against the start, on the training's own openings:", "games score Elo 95 % pairs", "50 60.0 % +70 +50 to +90 40", "warning: few"}, text())
	TuningText(&b, &tuning.Result{})
	same(t, "nothing", []string{"number before after ± by chance moved"}, text())

	plan := &tuning.Tuning{Label: "classic", Params: []tuning.Param{{Path: "x", Start: 1.5, Scale: 0.25}}}
	plan.Name, plan.Method, plan.Start.Name, plan.Direction, plan.Games, plan.Database = "t", "spsa", "greedy", true, 400, "t.db"
	TuningPlanText(&b, plan)
	planned := []string{"t: spsa of greedy under classic, 400 games into t.db", "only the direction of the weights matters: their common length is kept", "number start scale bounds", "x 1.5 0.25 " + plan.Params[0].Bounds()}
	same(t, "plan", planned, text())
	plan.Direction = false
	TuningPlanText(&b, plan)
	same(t, "plan of all", slices.Delete(planned, 1, 2), text())

	x := &tuning.Examination{Name: "n", Look: 2, Candidate: "c", Condition: "depth 3", Worst: "b", WorstWas: "a", Direct: match(0.55, 35, 10), Deeper: match(0.45, -35, 10), Training: &tuning.Check{Match: match(0.6, 70, 20)}, Optimism: &tuning.Estimate{Elo: 35, SE: 10}, Earlier: []string{"e"}, Warnings: []string{"w"}, Pool: []tuning.PoolRow{{Opponent: "a", Tuned: match(0.7, 147, 10), Start: match(0.6, 70, 10)}}, Ratings: []tuning.PoolRating{{Agent: "a", Elo: 12, Interval: ratings.Interval{Lo: -8, HiOpen: true}, Games: 60}}}
	x.SPRT.SPRTResult = ratings.SPRTResult{State: ratings.StateAcceptH0, Elo: ratings.Estimate{N: 40}, LLR: -2.5, Lower: -2.94, Upper: 2.94, SPRT: ratings.SPRT{Elo1: 5}}
	ExaminationText(&b, x)
	same(t, "examination", []string{
		"n, examination 2: c against the start", "sequential test (0 against 5 normalized Elo, error rates 5 %): not better after 40 pairs, LLR -2.50 (bounds -2.94, 2.94)", "match score Elo 95 % pairs",
		"held out, against the start 55.0 % +35 +25 to +45 40", "one level deeper (depth 3) 45.0 % -35 -45 to -25 40", "on the training's openings: +70 Elo (+50 to +90); optimism +35 ± 20 Elo", "the pool, from both sides:",
		"opponent tuned Elo 95 % start Elo 95 % pairs", "a 70.0 % +147 +137 to +157 60.0 % +70 +60 to +80 40", "worst pairing: b; the start's: a", "rating in the pool Elo 95 % games", "a +12 -8 to no bound 60", "examined before: e", "warning: w",
	}, text())

	f := &tuning.StudyFit{Rules: "classic", Games: 30, Sets: []string{"early", "late"}, Forced: 4, Opening: 9, Warnings: []string{"w"}, Model: &fit.Model{
		Names: []string{"p", "q"}, Samples: 70, Null: 0.7, Slope: 0.9, Condition: -1, Redundant: []fit.Relation{{Terms: []fit.Term{{Feature: "p", Part: 0.8}, {Feature: "q", Part: -0.6}}}},
		Weights: []fit.Weight{{Feature: "p", Value: 0.5, SE: 0.1, NaiveSE: 0.05, Standard: 0.25, Estimable: true}, {Feature: "q", Dead: true}, {Feature: "p", Value: -0.5, SE: 0.1, NaiveSE: 0.05, Standard: -0.25}, {Feature: "q", Value: 1, Dead: true}},
		Ridges:  []fit.RidgeRow{{Ridge: 1, Train: 0.5, Held: 0.62, HeldSE: 0.01}, {Ridge: 10, Train: 0.55, Held: 0.6, HeldSE: 0.01, Chosen: true}}, Calibration: []fit.Bin{{Predicted: 0.4, Observed: 0.5, SE: 0.1, Samples: 20, Games: 9}},
	}}
	want := []string{
		"classic: 30 games, 70 positions (left out: 9 of openings, 4 with one move)", "early weight (logit) ± 95 % naive ± weight x rms", "p +0.5000 0.1960 0.0980 +0.250",
		"late weight (logit) ± 95 % naive ± weight x rms", "p -0.5000 not to be told apart 0.0980 -0.250",
		"ridge loss (train) loss (held out) ±", "1 0.5000 0.6200 0.0196", "10 0.5500 0.6000 0.0196 chosen", "without any feature: 0.7000", "calibration, games held out:", "predicted observed difference ± 95 % positions games", "40.0 % 50.0 % +10.0 ± 19.6 20 9",
		"slope of the held-out logits: 0.90 (1 is right, less is overconfident)", "condition number: infinite", "redundant: +0.80 p -0.60 q", "warning: w",
	}
	FitText(&b, f, false)
	same(t, "fit", want, text())
	FitText(&b, f, true)
	same(t, "all weights", append(append(append(want[:3:3], "q +0.0000 no data +0.000"), want[3:5]...), "q +1.0000 no data +0.000"), text()[:7])
	if got := condition(0); got != "0" {
		t.Error(got)
	}

	if err := PredictionText(&b, optimise.Outlook{Distance: make([]float64, 3), DrawRate: 0.25}, 50, []optimise.Prediction{{Games: 100, Loss: 12.3, Start: 50, REnd: 0.02}}); err != nil {
		t.Fatal(err)
	}
	same(t, "prediction", []string{"SPSA, 3 numbers, a start that loses 50 Elo, 25 % draws between equals:", "games Elo still missing of best r_end", "100 12.3 50 0.02"}, text()[:3])
	steps := func(n int, k float64) (out []optimise.SimulationPoint) {
		for i := range n {
			out = append(out, optimise.SimulationPoint{Games: 10 * (i + 1), Current: k + float64(i), Mean: k})
		}
		return out
	}
	sims := []optimise.Simulation{{Start: 50, Mean: 2, Course: steps(22, 1)}, {Start: 50, Mean: 4, Course: steps(22, 3)}}
	if err := SimulationText(&b, "spsa", 3, 220, sims); err != nil {
		t.Fatal(err)
	}
	same(t, "simulation", []string{ // every second of 22 and the last
		"spsa, 3 numbers, 220 games, 2 runs; Elo below the planted optimum:", "after games search answer", "10 2.0 2.0", "30 4.0 2.0", "50 6.0 2.0", "70 8.0 2.0", "90 10.0 2.0", "110 12.0 2.0", "130 14.0 2.0", "150 16.0 2.0", "170 18.0 2.0", "190 20.0 2.0", "210 22.0 2.0", "220 23.0 2.0",
		"the start lost 50; the answer loses 3.0 ± 1.0 (standard error over 2 runs), at worst 4.0",
	}, text())
	if err := SimulationText(&b, "spsa", 3, 30, []optimise.Simulation{{Course: steps(3, 1)}}); err != nil {
		t.Fatal(err)
	}
	same(t, "a short simulation", []string{"10 1.0 1.0", "20 2.0 1.0", "30 3.0 1.0"}, text()[2:5])
}

// The answers of a designer, case by case: how many words there is room for decides what is said, never the number.
func TestShortAnswers(t *testing.T) {
	t.Parallel()
	g := twoTiers().Groups[1]
	fills, open := &explain.Rules{Ending: explain.Ending{Kind: explain.Fills}}, &explain.Rules{}
	completion := func(v float64, c balance.Colour) []balance.Light {
		return []balance.Light{{Measure: "completion", Number: made(v), Colour: c}}
	}
	for _, c := range []struct {
		told   *explain.Rules
		main   *balance.Group
		lights []balance.Light
		short  int
		want   string
	}{
		{fills, &g, nil, 1, "Always: the board fills; half by move 12"},
		{fills, &g, nil, 2, "Always: the board fills"},
		{fills, nil, nil, 0, "Always: the board fills"},
		{open, nil, completion(0.9, balance.Good), 0, "Not measured."},
		{open, &g, nil, 0, "Not measured."},
		{open, &g, completion(1, balance.Good), 2, "All 100 games (95 %: 95.0–100)"},
		{open, &g, completion(0.9, balance.Good), 0, "90 % (85–95, 100 games); half by move 12"},
		{open, &g, completion(0.9, balance.Good), 4, "90 % (85–95)"},
		{open, &g, completion(0.9, balance.Good), 3, "90 % (85–95, 100 games)"},
		{open, &g, completion(0.6, balance.Poor), 3, "Often not: only 60 % (55–65, 100 games)"},
		{open, &g, completion(0.6, balance.Poor), 4, "Often not: only 60 % (55–65)"},
		{open, &g, completion(0.8, balance.Undecided), 0, "80 % (75–85, 100 games) so far; half by move 12"},
		{open, &g, completion(0.8, balance.Undecided), 3, "80 % (75–85, 100 games) so far"},
		{open, &g, completion(0.8, balance.Undecided), 4, "80 % (75–85) so far"},
	} {
		if got := (&builder{r: &balance.Report{Lights: c.lights}, told: c.told, main: c.main}).ends(c.short).Text; got != c.want {
			t.Errorf("ends, %d: %q, want %q", c.short, got, c.want)
		}
	}

	// A bound is that of the table, rounded as it is, but never all.
	for lo, want := range map[float64]string{12 / (12 + 3.8415): "75.8", 0.9996: "99.9", 0.99: "99.0"} {
		if got := nearlyAll(lo); got != want {
			t.Errorf("%g: %s, want %s", lo, got, want)
		}
	}

	for _, c := range []struct {
		completed, games int64
		want             string
	}{{100, 101, "All 100 games between searches (95 %: 95.0–100)"}, {100, 100, "All 100 games (95 %: 95.0–100)"}, {99, 101, "All 100 games (95 %: 95.0–100)"}} {
		r := &balance.Report{Lights: completion(1, balance.Good), Completed: balance.Number{N: c.completed}}
		r.Study.Games = c.games
		if got := (&builder{r: r, told: open, main: &g}).ends(2).Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("completion of %d games, %d on the page: %q, want %q", c.completed, c.games, got, c.want)
		}
	}

	skill := func(lo, hi float64) balance.Number {
		return balance.Number{Value: (lo + hi) / 2, Lo: lo, Hi: hi, N: 9, Unit: "rungs", Method: "student"}
	}
	for _, c := range []struct {
		skill  balance.Number
		want   string
		status table.Status
	}{
		{balance.Number{}, "Not measured: no ladder of agents.", table.Good},
		{skill(1, 3), "2.0 (1.0–3.0) levels of skill", table.Good},
		{skill(0, 3), "Thinking longer gains nothing sure: 1.5 (0.0–3.0) levels", table.Good},
		{skill(-3, 0), "Thinking longer gains nothing sure: -1.5 (-3.0 to 0.0) levels", table.Good},
		{skill(-3, -1), "Thinking longer makes these agents worse", table.Poor},
	} {
		a := (&builder{r: &balance.Report{Ladder: &balance.Ladder{Skill: c.skill}, Lights: []balance.Light{{Measure: "top_doubling", Colour: balance.Good}}}}).isDeep(0)
		if got := strings.ReplaceAll(a.Text, "−", "-"); got != c.want || a.Status != c.status {
			t.Errorf("deep: %s %q, want %s %q", a.Status, got, c.status, c.want)
		}
	}

	use := func(mechanic string, a, share float64) balance.Use {
		return balance.Use{Mechanic: mechanic, PerGame: about(a, ""), Games: made(share)}
	}
	mattered := func(u balance.Use) balance.Use {
		u.Mattered = made(0.25)
		return u
	}
	course, choice := &balance.Course{LeadChanges: about(3, "")}, &balance.Choice{Mean: about(8, "")}
	for _, c := range []struct {
		group  balance.Group
		short  int
		want   string
		status table.Status
	}{
		{balance.Group{}, 0, "Not measured.", table.Plain},
		{balance.Group{Alive: []balance.Use{use("passes", 0, 0), use("swaps", 9, 1)}, Choice: choice}, 0, "8.0 (7.0–9.0) choices a move", table.Plain},
		{balance.Group{Choice: choice, Course: course}, 4, "3.0 (2.0–4.0) lead changes", table.Plain},
		{balance.Group{Alive: []balance.Use{use("steps", 5, 0.9), use("jumps", 7, 0.9), use("returns", 6, 0.2)}, Course: course, Choice: choice}, 0, "7.0 (6.0–8.0) jumps a game; 3.0 (2.0–4.0) lead changes", table.Good},
		{balance.Group{Alive: []balance.Use{use("jumps", 7, 0.4)}, Course: course}, 1, "7.0 (6.0–8.0) jumps a game", table.Middling},
		{balance.Group{Alive: []balance.Use{use("jumps", 7, 0.45)}}, 0, "7.0 (6.0–8.0) jumps a game", table.Good}, // up to 50 % of the games
		{balance.Group{Alive: []balance.Use{mattered(use("jumps", 7, 0.9))}, Course: course}, 0, "7.0 (6.0–8.0) jumps a game, 25 % (20–30) of them mattered", table.Good},
		{balance.Group{Alive: []balance.Use{mattered(use("jumps", 7, 0.9))}, Course: course}, 1, "7.0 (6.0–8.0) jumps a game", table.Good},
		{balance.Group{Games: 1, Alive: []balance.Use{use("jumps", 7, 0.9), use("steps", 0, 0), use("chains", 0, 0)}}, 0, "No steps, no further jumps in 1 game", table.Poor},
	} {
		if a := (&builder{main: &c.group}).isAlive(c.short); a.Text != c.want || a.Status != c.status {
			t.Errorf("alive: %s %q, want %s %q", a.Status, a.Text, c.status, c.want)
		}
	}

	g.Choice = choice
	b := &builder{r: &balance.Report{Size: balance.Size{Positions: 1234}}, told: &explain.Rules{}, main: &g, game: enginetest.Load(t, "classic")}
	for median, want := range map[float64]string{12: "about 3.0 minutes", 39.9: "about 10.0 minutes", 40: "about 10 minutes", 0.2: "about 0.1 minutes"} {
		g.Length.All.Median.Value = median
		if got := b.glance(); len(got) != 2 || !strings.Contains(got[0], want+" at 15 seconds a move") || !strings.Contains(got[1], "8.0 (7.0–9.0) moves; these games met 1234 different positions") {
			t.Errorf("%g moves: %q, want %q", median, got, want)
		}
	}
	g.Choice, g.Length.All.Median = nil, balance.Number{}
	if got := b.glance(); len(got) != 0 {
		t.Errorf("%q", got)
	}
	r := &balance.Report{Samples: []balance.Sample{{Kind: "longest", Moves: "a b c"}, {Kind: "shortest", Moves: "a"}, {Kind: "median", Moves: "a b"}, {Kind: "draw", Moves: "a b"}}}
	var titles []string
	for _, v := range (&builder{r: r}).finals() {
		titles = append(titles, v.Title)
	}
	none := balance.KnobResponse{Score: made(0.6), Completion: made(0.5)}
	ends := func(path string, gain float64) balance.KnobVariant {
		return balance.KnobVariant{Path: path, Value: "1", Response: balance.KnobResponse{Score: made(0.6), Completion: made(0.5 + gain)}, Change: balance.KnobResponse{Completion: made(gain)}}
	}
	none.Alive = []balance.Use{use("jumps", 20, 1)}
	with := func(v balance.KnobVariant, jumps float64) balance.KnobVariant { // jumps happen so often a game, surely less than 20 times
		v.Response.Alive = []balance.Use{{Mechanic: "jumps", PerGame: balance.Number{Value: jumps, Lo: jumps, Hi: jumps}}}
		return v
	}
	for _, c := range []struct {
		variants []balance.KnobVariant
		want     string
	}{
		// What mends most and stills the game comes after what leaves it what it is, and is named where nothing else helps.
		{[]balance.KnobVariant{with(ends("a", 0.4), 1.9), with(ends("b", 0.2), 2)}, "Try b=1: among weaker agents games that end 50 → 70 %, 100 games; cost: jumps 20.0 → 2.0"},
		{[]balance.KnobVariant{with(ends("b", 0.2), 2), with(ends("a", 0.4), 1.9)}, "Try b=1"},
		{[]balance.KnobVariant{with(ends("a", 0.2), 1.9), with(ends("c", 0.4), 0)}, "Try c=1: among weaker agents games that end 50 → 90 %, 100 games; cost: jumps 20.0 → 0.0"},
		{[]balance.KnobVariant{with(ends("a", 0.2), 20), with(ends("b", 0.4), 20), with(ends("c", 0.3), 20)}, "Try b=1: among weaker agents games that end 50 → 90 %, 100 games"},
		{[]balance.KnobVariant{ends("a", 0.2), ends("b", 0.4), ends("c", 0.3)}, "Try b=1: among weaker agents games that end 50 → 90 %, 100 games"},
		{[]balance.KnobVariant{ends("a", 0), ends("b", -0.1)}, "None of 2 steps tried surely helps."},
		{[]balance.KnobVariant{ends("a", 0), ends("b", 0.1)}, "Try b=1"},
		{nil, "No other rules tried"},
	} {
		b := &builder{told: &explain.Rules{}, main: &g, r: &balance.Report{Lights: completion(0.5, balance.Poor), Knobs: &balance.Knobs{Agent: "weak", Base: none, Variants: c.variants}}}
		if got := b.next(0).Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("next: %q, want %q", got, c.want)
		}
	}
	learned := &builder{told: &explain.Rules{}, main: &g, r: &balance.Report{Lights: completion(0.5, balance.Poor), Inquiry: []campaign.Stage{{Learned: true}}}}
	if got := learned.next(0).Text; got != "No other rules tried: a learned evaluation is of these alone." {
		t.Error(got)
	}
	same(t, "finals", []string{"A game of median length", "The shortest game", "The longest game"}, titles)
	r.Samples[3].Moves = "a c"
	if got := (&builder{r: r}).finals(); len(got) != 3 || got[1].Title != "A draw" {
		t.Errorf("%d games", len(got))
	}
}
