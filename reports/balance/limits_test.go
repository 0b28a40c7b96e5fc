package balance

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/campaign"
	"spar/engines/enginetest"
)

// What a score and its interval say at the limits: a side is favoured where a half lies outside, play is even from 45 to 55 % with both
// ends included.
func TestSidesAtTheLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lo, hi float64
		want   campaign.Claim
	}{
		{0.51, 0.7, campaign.First},
		{0.5, 0.7, campaign.Unknown},
		{0.3, 0.49, campaign.Second},
		{0.3, 0.5, campaign.Unknown},
		{0.45, 0.55, campaign.Even},
		{0.5, 0.5, campaign.Even},
		{0.44, 0.55, campaign.Unknown},
		{0.45, 0.56, campaign.Unknown},
	} {
		if got := sideOf(Number{Value: (c.lo + c.hi) / 2, Lo: c.lo, Hi: c.hi, N: 9}); got != c.want {
			t.Errorf("%g to %g: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
	for _, c := range []struct {
		slope  Number
		unit   string
		want   bool
		reason string
	}{
		{Number{Lo: -101, Hi: 101}, "elo per doubling", true, ""},
		{Number{Lo: -100, Hi: 101}, "elo per doubling", false, "not steeper than 100"},
		{Number{Lo: -101, Hi: 100}, "elo per doubling", false, "not steeper than 100"},
		{Number{Lo: -0.16, Hi: 0.16}, "score per doubling", true, ""},
		{Number{Lo: -0.16, Hi: 0.14}, "score per doubling", false, "no steep rise"},
		{Number{Lo: -0.7, Hi: 0.7}, "logit per doubling", true, ""},
		{Number{Lo: -0.69, Hi: 0.7}, "logit per doubling", false, "ln 2 is 0.693"},
		{Number{Lo: -11, Hi: 11}, "plies per doubling", true, ""},
		{Number{Lo: -11, Hi: 9}, "plies per doubling", false, "no steep rise"},
	} {
		if got := vague(c.slope, c.unit); got != c.want {
			t.Errorf("%g to %g %s: %t %s", c.slope.Lo, c.slope.Hi, c.unit, got, c.reason)
		}
	}
	for _, c := range []struct {
		lo, hi float64 // of the second score less 0.5, which is sure
		want   bool
	}{{0.1, 0.3, true}, {-0.3, -0.1, true}, {-0.1, 0.3, false}, {0, 0.2, false}, {-0.2, 0, false}} {
		if got := moved(Number{Value: 0.5, Lo: 0.5, Hi: 0.5, N: 9}, Number{Value: 0.5 + (c.lo+c.hi)/2, Lo: 0.5 + c.lo, Hi: 0.5 + c.hi, N: 9}); got != c.want {
			t.Errorf("moved by %g to %g: %t", c.lo, c.hi, got)
		}
	}
	for half, want := range []struct {
		side int
		won  bool
	}{{1, true}, {0, false}, {0, true}} {
		a := &arc{rec: &record{half: uint8(half)}}
		if side, won := a.winner(); side != want.side || won != want.won {
			t.Errorf("%d half points: %d, %t", half, side, won)
		}
	}
}

// The p-value of no change is that of the change over the standard error of the side on which 0 lies, a 1.96th of the half width there:
// 0.3 with 0.2 on that side is 1.5 half widths or 2.94 errors, p 0.0033. What is open or has no width says nothing.
func TestPOfNoChange(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	p := math.Erfc(1.5 * 1.959964 / math.Sqrt2)
	for _, c := range []struct {
		change Number
		want   float64
	}{
		{Number{Value: 0.3, Lo: 0.1, Hi: 0.9, N: 9}, p},
		{Number{Value: -0.3, Lo: -0.9, Hi: -0.1, N: 9}, p},
		{Number{Value: 0.3, Lo: 0, Hi: 0.9, N: 9}, 0.05},
		{Number{Value: -0.3, Lo: -0.9, Hi: 0, N: 9}, 0.05},
		{Number{Value: 0.3, Lo: 0.1, Hi: 0.9}, 1},
		{Number{Value: 0, Lo: -0.1, Hi: 0.1, N: 9}, 1},
		{Number{Value: 0.3, Lo: 0.1, Hi: 0.9, LoOpen: true, N: 9}, 1},
		{Number{Value: 0.3, Lo: 0.1, Hi: 0.9, HiOpen: true, N: 9}, 1},
		{Number{Value: 0.3, Lo: 0.3, Hi: 0.9, N: 9}, 1},
		{Number{Value: -0.3, Lo: -0.9, Hi: -0.3, N: 9}, 1},
	} {
		if got := m.unchanged(c.change); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%+v: p %g, want %g", c.change, got, c.want)
		}
	}
}

// The error of an advantage in Elo: of 30 wins, 40 draws and 30 losses, half a point more on each side makes 30.25 of 100.5 either way; the
// variance is 0.5 - 0.1990/2... by hand (30.25 + 10)/100.5 - 1/4 = 0.150498, and 173.718 sqrt(0.150498/100.5)/(1/4) = 26.890.
func TestErrorOfElo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wins, draws, caps, losses int64
		want                      float64
	}{
		{30, 40, 0, 30, 26.890},
		{30, 25, 15, 30, 26.890},
		{0, 100, 0, 0, 400 / math.Ln10 * math.Sqrt(0.25/100.5*0.5/100.5) / 0.25}, // (0.25 + 25)/100.5 - 1/4 = 0.125/100.5
		// s = 10.25/10.5, variance s - s² = 0.023243.
		{10, 0, 0, 0, 173.7178 * math.Sqrt(0.0232426/10.5) / 0.0232426},
	} {
		if got := eloError(Outcome{FirstWins: c.wins, Draws: c.draws, Caps: c.caps, SecondWins: c.losses}); math.Abs(got-c.want) > 2e-3 {
			t.Errorf("%+v: %.4f, want %.4f", c, got, c.want)
		}
	}
}

// The advantage in doublings is that in Elo over what a doubling gives: the rung up from a tier, for the top one the rung to it. A rung
// that may give nothing is no unit.
func TestRungTrend(t *testing.T) {
	t.Parallel()
	elo := func(v, half float64) Number { return Number{Value: v, Lo: v - half, Hi: v + half, N: 50} }
	tier := func(i int, name string, advantage Number) tierGroup {
		g := &Group{}
		g.Outcome.Elo = advantage
		return tierGroup{Tier{Index: i, Name: name, Doubling: float64(i)}, g}
	}
	tiers := []tierGroup{tier(0, "a", elo(40, 8)), tier(1, "b", elo(60, 9)), tier(2, "c", elo(30, 6)), tier(3, "d", Number{}), tier(4, "e", elo(5, 0))}
	ladder := &Ladder{Rungs: []Rung{
		{Lower: "a", Upper: "b", Doubling: 2, Elo: elo(200, 40)}, // 100 Elo a doubling
		{Lower: "b", Upper: "c", Doubling: 1, Elo: elo(120, 24)},
		{Lower: "c", Upper: "d", Doubling: 1, Elo: elo(20, 20)}, // from 0 on
		{Lower: "d", Upper: "e", Doubling: 0, Elo: elo(50, 5)},  // no doubling
	}}
	got := rungTrend(tiers, ladder)
	// a: 40/100, its half width hypot(8/100, 0.4 * 40/200) = 0.08 sqrt 2; b: 60/120, hypot(9/120, 0.5 * 24/120) = 0.125.
	want := []TierPoint{
		{Tier: 0, Name: "a", Number: Number{Value: 0.4, Lo: 0.4 - 0.08*math.Sqrt2, Hi: 0.4 + 0.08*math.Sqrt2, N: 50, Unit: "doublings", Method: "delta"}},
		{Tier: 1, Name: "b", Doubling: 1, Number: Number{Value: 0.5, Lo: 0.375, Hi: 0.625, N: 50, Unit: "doublings", Method: "delta"}},
	}
	close := cmp.Comparer(func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
	if d := cmp.Diff(want, got.Points, close); d != "" {
		t.Error(d)
	}
	// Without the third rung the top tier has the second one's unit: 30/120, hypot(6/120, 0.25/5) = 0.05 sqrt 2.
	ladder.Rungs = ladder.Rungs[:2]
	if got = rungTrend(tiers[:3], ladder); len(got.Points) != 3 || math.Abs(got.Points[2].Number.Value-0.25) > 1e-12 || math.Abs(got.Points[2].Number.Hi-0.25-0.05*math.Sqrt2) > 1e-12 {
		t.Errorf("%+v", got.Points)
	}
	if got = rungTrend(tiers, nil); len(got.Points) != 0 || got.LackOfFit != 1 {
		t.Errorf("without a ladder: %+v", got)
	}
}

// A line through tiers says what speaks against it: two points always lie on one; beyond that first that it may go anywhere, then that
// the points lie off it. Tiers without a budget are shown and not fitted, those without a number neither.
func TestWarningsOfTrends(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for name, c := range map[string]struct {
		values []float64 // by doublings, from -1; NaN is none
		err    float64
		want   string
		points int
	}{
		"two":          {[]float64{50, 0, 10, math.NaN()}, 1, "two tiers only", 3},
		"a line":       {[]float64{50, 0, 10, 20}, 1, "", 4},
		"off the line": {[]float64{50, 0, 8, 0}, 1, "do not lie on a line", 4},
		"vague":        {[]float64{50, 0, 10, 20}, 200, "no trend can be told", 4},
		"one":          {[]float64{50, 0}, 1, "", 2},
	} {
		var tiers []tierGroup
		for i, v := range c.values {
			g := &Group{}
			if !math.IsNaN(v) {
				g.Outcome.Elo = Number{Value: v, Lo: v - c.err, Hi: v + c.err, N: 9}
			}
			tiers = append(tiers, tierGroup{Tier{Index: i, Doubling: float64(i - 1)}, g})
		}
		got := m.trend(tiers, "elo per doubling", func(g *Group) (Number, float64) { return g.Outcome.Elo, c.err })
		if fitted := len(c.values) > 2; got.Slope.OK() != fitted || fitted != (got.Slope.Unit == "elo per doubling") || len(got.Points) != c.points || got.Points[0].InFit || !got.Points[1].InFit {
			t.Errorf("%s: %+v", name, got)
		}
		if c.want == "" && got.Slope.Warning != "" || !strings.Contains(got.Slope.Warning, c.want) {
			t.Errorf("%s: %q", name, got.Slope.Warning)
		}
	}
}

// Numbers in words: shares in per cent, Elo and plies without a fraction, open ends named.
func TestNumbersInWords(t *testing.T) {
	t.Parallel()
	x := Number{Value: 0.524, Lo: 0.481, Hi: 0.567, N: 360}
	for _, c := range []struct {
		measure string
		number  Number
		want    string
	}{
		{"score", x, "52.4 % [48.1, 56.7] n 360"},
		{"fpa", x, "52.4 % [48.1, 56.7] n 360"},
		{"draws", x, "52.4 % [48.1, 56.7] n 360"},
		{"completion", x, "52.4 % [48.1, 56.7] n 360"},
		{"alive", x, "52.4 % [48.1, 56.7] n 360"},
		{"choice", x, "0.5 [0.5, 0.6] n 360"},
		{"elo", Number{Value: 12.4, Lo: 5, Hi: 20.6, N: 3}, "12 [5, 21] n 3"},
		{"length", Number{Value: 12.4, LoOpen: true, Hi: 20.6, N: 3}, "12 [no bound, 21] n 3"},
		{"length", Number{Value: 12.4, Lo: 5, HiOpen: true, N: 3}, "12 [5, no bound] n 3"},
		{"score", Number{Value: 1}, "-"},
	} {
		if got := Text(c.measure, c.number); got != c.want {
			t.Errorf("%s: %q, want %q", c.measure, got, c.want)
		}
		if got := Short(c.measure, c.number); !strings.HasPrefix(c.want, got) || strings.Contains(got, "n") && got != strings.TrimSuffix(c.want, " n 3") {
			t.Errorf("%s: %q in tables", c.measure, got)
		}
	}
	j := Judged{Rules: "x", Target: "score>=0.5", Measure: "score", Verdict: Undecided, Number: x}
	if got := j.String(); got != "x: score>=0.5 is "+string(Undecided)+": score 52.4 % [48.1, 56.7] n 360" {
		t.Error(got)
	}
	if j.Number = (Number{}); j.String() != "x: score>=0.5 is "+string(Undecided)+": the games cannot say" {
		t.Error(j)
	}
}

// What a study consists of: games of a search for weights are left out, those under a clock, adjudicated ones and forfeits counted; the
// seeds are the least and the greatest. Who waits is told of how many games there are, and why the game is not solved.
func TestWhatAStudyConsistsOf(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	var games []Game
	for i := range 7 {
		x := played(t, g, int64(i+1), "top", "top", []string{centreWin5, cornerLost, cornerDraw}[i%3])
		x.Hash, x.Event = int64(i+1), int64(1+i/3)
		games = append(games, x)
	}
	games[0].Timed, games[1].Timed = true, true
	games[2].Result, games[2].Reason = "first", "resign"
	games[3].Result, games[3].Reason = "first", "forfeit_illegal"
	games[4].Moves = "b2 b2"
	one, two, three := event(1, campaign.PurposeMirror, "top"), event(2, campaign.PurposeMirror, "top"), event(3, "tuning", "top")
	one.Seed, two.Seed, three.Seed = 3, 9, 20
	var at, all int64
	r := measureGames(t, records(g, "classic", []Event{one, two, three}, players(map[string]int64{"top": 100}), games), Options{
		unsolved: "it is too large", SolveMemory: -1, Progress: func(what string, done, total int64) {
			if what == ReadingGames {
				at, all = max(at, done), total
			}
		},
	})
	if all != 7 || at > all {
		t.Errorf("%d of %d games were read, want 7", at, all)
	}
	s := r.Study
	s.Events = nil
	if d := cmp.Diff(Played{Games: 7, Distinct: 6, Forfeits: 1, LeftOut: 1, Timed: 2, Decided: 1, BadGames: 1, FirstSeed: 3, LastSeed: 20}, s); d != "" {
		t.Error(d)
	}
	found := false
	for _, x := range r.Missing {
		found = found || x == Missing{Measure: "Exact value", Reason: "it is too large"}
	}
	if !found {
		t.Errorf("missing: %+v", r.Missing)
	}
}

// A game that cannot be solved in the memory that there is has no exact value, which is no measure of a number: the report says how much
// memory was tried, and measures the rest.
func TestTooLargeToSolve(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	r := measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeMirror, "top")}, players(map[string]int64{"top": 100}),
		[]Game{played(t, g, 1, "top", "top", centreWin5)}), Options{SolveMemory: 1000})
	want := Missing{Measure: "Exact value", Reason: "the game is too large to be solved in 1.0 kB"}
	if !slices.Contains(r.Missing, want) || len(r.Groups) != 1 {
		t.Errorf("missing %+v, want %+v among them; %d groups", r.Missing, want, len(r.Groups))
	}
}

// A first move that surely serves the first player better than those that the players choose is told with the verdict.
func TestForcedMoveIsTold(t *testing.T) {
	t.Parallel()
	probe := func(moves string, first, second int64) campaign.Probe {
		t := campaign.Tally{First: first, Second: second}
		return campaign.Probe{Moves: moves, Distinct: 2 * t.Games(), By: map[string]campaign.Tally{campaign.AlphaBeta: t, campaign.TreeSearch: t}}
	}
	g := Group{Name: "all", Kind: "all"}
	g.Outcome.Score = Number{Value: 0.4, Lo: 0.3, Hi: 0.45, N: 20, Of: "games"}
	r := &Report{Groups: []Group{g}, Inquiry: []campaign.Stage{{Nodes: 500, Free: probe("", 4, 6), FirstMoves: []campaign.Probe{probe("b2", 11, 1), probe("a1", 4, 8)}}}}
	c := newMeasurer(Options{}).conclude(r, false)
	if want := " The players do not find it: begun with b2, the first player scores 92 % (24 games), more than where they choose."; !strings.HasSuffix(c.Rules, want) {
		t.Errorf("%q", c.Rules)
	}
	if r.Exact = (&Exact{Winner: "first", Text: "Solved."}); newMeasurer(Options{}).conclude(r, false).Rules != "Solved." {
		t.Error("games are told beside an exact value")
	}
}

// What a doubling gives is the mean over the rungs between tiers with budgets, here (120 + 60 + 30)/4; it stops at the first such rung
// that may give nothing, and the ladder goes on above its top where the last surely gives something.
func TestDoublings(t *testing.T) {
	t.Parallel()
	elo := func(v, lo float64) Number { return Number{Value: v, Lo: lo, Hi: 2*v - lo, N: 9} }
	open := Number{Value: 30, LoOpen: true, Lo: 9, Hi: 60, N: 9}
	for name, c := range map[string]struct {
		rungs     []Rung
		slope     float64
		saturated string
		goesOn    bool
	}{
		"none with a budget":  {[]Rung{{Lower: "a", Upper: "b", Elo: elo(50, 0)}}, 0, "", false},
		"sure without budget": {[]Rung{{Lower: "a", Upper: "b", Elo: elo(50, 1)}}, 0, "", true},
		"all sure": {[]Rung{
			{Lower: "a", Upper: "b", Elo: elo(500, 0)}, {Lower: "b", Upper: "c", Doubling: 2, Elo: elo(120, 90)}, {Lower: "c", Upper: "d", Doubling: 1, Elo: elo(60, 30)}, {Lower: "d", Upper: "e", Doubling: 1, Elo: elo(30, 1)},
		}, 52.5, "", true},
		"not the last": {[]Rung{{Lower: "b", Upper: "c", Doubling: 1, Elo: elo(120, 90)}, {Lower: "c", Upper: "d", Doubling: 1, Elo: elo(60, 0)}}, 90, "d over c", false},
		"the first":    {[]Rung{{Lower: "b", Upper: "c", Doubling: 1, Elo: elo(20, -9)}, {Lower: "c", Upper: "d", Doubling: 1, Elo: elo(60, -1)}}, 40, "c over b", false},
		"open":         {[]Rung{{Lower: "b", Upper: "c", Doubling: 1, Elo: open}}, 30, "c over b", false},
	} {
		l := Ladder{Rungs: c.rungs}
		newMeasurer(Options{}).doublings(&l)
		if math.Abs(l.Slope.Value-c.slope) > 1e-12 || l.Slope.OK() != (c.slope != 0) || l.Saturated != c.saturated || l.LowerBound != c.goesOn {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// Ranks of the values that enclose a quantile: by the binomial distribution below 200 games, as its sums give them, from there on by the
// normal one, 100 ∓ 1.96·7.07 and outwards. A rank that no value has leaves the side open.
func TestRanksOfQuantiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n      int
		p      float64
		lo, hi float64 // ranks from 1; 0 is open
	}{
		{199, 0.5, 86, 114},
		{200, 0.5, 86, 115},
		{20, 0.05, 0, 4},
		{20, 0.95, 17, 0},
		{60, 0.05, 0, 8},
		{72, 0.05, 1, 9},
		{5, 0.5, 0, 0},
	} {
		got := newMeasurer(Options{}).quantile(c.n, func(i int) float64 { return float64(i + 1) }, c.p, "games", "plies")
		if got.Lo != c.lo || got.LoOpen != (c.lo == 0) || got.Hi != c.hi || got.HiOpen != (c.hi == 0) || math.Abs(got.Value-(1+c.p*float64(c.n-1))) > 1e-9 {
			t.Errorf("%g of %d: %+v, want ranks %g and %g", c.p, c.n, got, c.lo, c.hi)
		}
	}
	if got := newMeasurer(Options{}).quantile(0, nil, 0.5, "games", "plies"); got != (Number{}) {
		t.Errorf("of none: %+v", got)
	}
}

// A score as Elo, 400 log10 of the odds: 0.75 is 190.85. All points, or none, have no Elo: half a point goes to the other side, of 10 games
// 10.5 of 11, 528.89, and that side is open, as is one that reaches it.
func TestScoreAsElo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		score         Number
		value, lo, hi float64
		open          [2]bool
		warn          string
	}{
		{Number{Value: 0.75, Lo: 0.5, Hi: 0.9, N: 10}, 190.8485, 0, 381.6970, [2]bool{}, ""},
		{Number{Value: 0.75, Lo: 0, Hi: 0.9, N: 10}, 190.8485, 0, 381.6970, [2]bool{true, false}, ""},
		{Number{Value: 0.75, Lo: 0.5, Hi: 1, N: 10}, 190.8485, 0, 0, [2]bool{false, true}, ""},
		{Number{Value: 1, Lo: 0.75, Hi: 1, N: 10}, 528.8877, 190.8485, 0, [2]bool{false, true}, "not one point lost"},
		{Number{Value: 0, Lo: 0, Hi: 0.25, N: 10}, -528.8877, 0, -190.8485, [2]bool{true, false}, "not one point won"},
		{Number{Value: 1, Lo: 0.99, Hi: 1, N: 10}, 528.8877, 528.8877, 0, [2]bool{false, true}, "not one point lost"},
		{Number{Value: 0, Lo: 0, Hi: 0.01, N: 10}, -528.8877, 0, -528.8877, [2]bool{true, false}, "not one point won"},
	} {
		got := elo(c.score)
		near(t, "value", got.Value, c.value)
		near(t, "lower", got.Lo, c.lo)
		near(t, "upper", got.Hi, c.hi)
		if got.LoOpen != c.open[0] || got.HiOpen != c.open[1] || got.Unit != "elo" || got.N != 10 || !strings.HasPrefix(got.Warning, c.warn) || (got.Warning == "") != (c.warn == "") {
			t.Errorf("%+v: %+v", c.score, got)
		}
	}
	if got := elo(Number{Value: 0.5}); got != (Number{}) {
		t.Errorf("of no games: %+v", got)
	}
}

// Rows beyond the most blocks are added to the first ones: sums and numbers of rows stay, and so many blocks are drawn from.
func TestBlocks(t *testing.T) {
	t.Parallel()
	b := newBlocks(2)
	for i := range maxBlocks + 3 {
		b.add(float64(i%2), 1)
	}
	if b.n != maxBlocks+3 || len(b.flat) != 2*maxBlocks || b.total[0] != maxBlocks/2+1 || b.total[1] != maxBlocks+3 || b.some[0] != maxBlocks/2+1 || b.some[1] != maxBlocks+3 {
		t.Errorf("%d rows, %d sums, totals %v, of %v", b.n, len(b.flat), b.total, b.some)
	}
	if first, last := b.flat[:8], b.flat[2*maxBlocks-2:]; !slices.Equal(first, []float64{0, 2, 2, 2, 0, 2, 1, 1}) || !slices.Equal(last, []float64{1, 1}) {
		t.Errorf("%v ... %v", first, last)
	}
}
