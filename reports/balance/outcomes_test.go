package balance

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/arena/oracle"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/ratings"
)

// How fast agents play: time and nodes over their own moves, of which the first to move has one more in an odd number; what came with
// the opening is nobody's, and who spent no time or made no move has no speed.
func TestSpeeds(t *testing.T) {
	t.Parallel()
	p := &pass{names: []string{"z", "a", "timeless", "idle"}}
	for _, r := range []struct {
		first, second int32
		plies, opened int32
		ms            [2]float32
		nodes         [2]int64
	}{
		{0, 1, 7, 2, [2]float32{30, 10}, [2]int64{600, 50}}, // five moves of theirs: three and two
		{1, 0, 4, 0, [2]float32{10, 30}, [2]int64{50, 400}},
		{2, 2, 4, 0, [2]float32{}, [2]int64{9, 9}},
		{3, 0, 2, 2, [2]float32{5, 0}, [2]int64{}},
		{0, 3, 1, 0, [2]float32{0, 5}, [2]int64{}}, // one move, of the first to move
	} {
		x := record{first: r.first, second: r.second, plies: r.plies, opening: r.opened, ms: r.ms, nodes: r.nodes}
		p.timing(&x)
	}
	got := p.pace()
	want := []Speed{{Agent: "a", MS: 5, Nodes: 5000, Moves: 4}, {Agent: "z", MS: 10, Nodes: 1000 / 60.0 * 1000, Moves: 6}}
	if len(got) != 2 {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for i, w := range want {
		if got[i].Agent != w.Agent || got[i].Moves != w.Moves || math.Abs(got[i].MS-w.MS) > 1e-9 || math.Abs(got[i].Nodes-w.Nodes) > 1e-9 {
			t.Errorf("%+v, want %+v", got[i], w)
		}
	}
	p = &pass{names: []string{"a"}, speeds: []speedSums{{ms: 0.5, nodes: 2, moves: 1}}}
	if got := p.pace(); len(got) != 1 || got[0].MS != 0.5 || got[0].Nodes != 4000 {
		t.Errorf("one move in half a millisecond: %+v", got)
	}
}

// An interval that a statistic cannot have is open; of what is the same in every resample it is Wilson's where it is a share, and the
// exact limit of Poisson's distribution where it is a count of nothing: -ln(0.025)/n.
func TestIntervalsOfResamples(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	wilson := func(v float64, n int64) (float64, float64) { return m.wilson(v, float64(n)) }
	zeroLo, zeroHi := wilson(0, 50)
	oneLo, oneHi := wilson(1, 50)
	fewLo, fewHi := wilson(0.4, 10)
	for _, c := range []struct {
		name   string
		value  float64
		n      int64
		lo, hi float64
		ok     bool
		unit   string
		want   Number
	}{
		{"as resampled", 0.5, 50, 0.4, 0.6, true, "share", Number{Lo: 0.4, Hi: 0.6, Method: "bootstrap"}},
		{"the value lies in it", 0.5, 50, 0.55, 0.6, true, "share", Number{Lo: 0.5, Hi: 0.6, Method: "bootstrap"}},
		{"and on the other side", 0.5, 50, 0.4, 0.45, true, "share", Number{Lo: 0.4, Hi: 0.5, Method: "bootstrap"}},
		{"never", 0, 50, 0, 0, true, "share", Number{Lo: zeroLo, Hi: zeroHi, Method: "wilson"}},
		{"always", 1, 50, 1, 1, true, "score", Number{Lo: oneLo, Hi: oneHi, Method: "wilson"}},
		{"never, of another unit", 0, 50, 0, 0, true, "plies", Number{Method: "bootstrap"}},
		{"no changes", 0, 50, 0, 0, true, "changes", Number{Hi: -math.Log(0.025) / 50, Method: "poisson"}},
		{"one change in each", 1, 50, 1, 1, true, "changes", Number{Lo: 1, Hi: 1, Method: "bootstrap"}},
		{"a few agree", 0.4, 10, 0.4, 0.4, true, "share", Number{Lo: fewLo, Hi: fewHi, Method: "wilson", Warning: "few games"}},
		{"a few scores agree", 0.4, 10, 0.4, 0.4, true, "score", Number{Lo: 0.4, Hi: 0.4, Method: "bootstrap", Warning: "few games"}},
		{"thirty agree", 0.4, 30, 0.4, 0.4, true, "share", Number{Lo: 0.4, Hi: 0.4, Method: "bootstrap"}},
		{"no interval", 0.4, 10, 0, 0, false, "share", Number{LoOpen: true, HiOpen: true, Method: "bootstrap", Warning: "too few games for an interval"}},
	} {
		got := m.bootstrapped(c.value, c.n, c.lo, c.hi, c.ok, "games", c.unit)
		c.want.Value, c.want.N, c.want.Of, c.want.Unit = c.value, c.n, "games", c.unit
		if math.Abs(got.Hi-c.want.Hi) < 1e-12 {
			got.Hi = c.want.Hi
		}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	for _, got := range []Number{m.bootstrapped(1, 0, 0, 0, true, "games", ""), m.bootstrapped(math.NaN(), 5, 0, 0, true, "games", ""), m.bootstrapped(math.Inf(1), 5, 0, 0, true, "games", ""), m.ratio(fold([][]float64{{3, 0}, {4, 0}}), 0, 1, "games", "share"), m.mean(nil, "games", "plies")} {
		if got.OK() || got != (Number{}) {
			t.Errorf("a number of nothing: %+v", got)
		}
	}
	// Two games of one ply each, without a change of the lead.
	if got := m.ratio(fold([][]float64{{0, 1}, {0, 1}}), 0, 1, "games", "changes per 10 plies"); got.Method != "poisson" || got.Lo != 0 || math.Abs(got.Hi+math.Log(0.025)/2) > 1e-9 || got.LoOpen || got.HiOpen {
		t.Errorf("no changes in ten plies: %+v", got)
	}
	if got := m.ratio(fold([][]float64{{5, 10}, {5, 10}}), 0, 1, "games", "changes per 10 plies"); got.Method == "poisson" || got.Value != 0.5 || got.N != 2 {
		t.Errorf("half a change: %+v", got)
	}
}

// Weighted least squares by hand: points (0, 0), (1, 2), (3, 3) with weights 1, 4, 1. The means are 7/6 and 11/6,
// Sxx = 13 - 6·(7/6)² = 4.8333, Sxy = 17 - 6·(7/6)·(11/6) = 4.1667, the slope 0.86207.
func TestWeightedLine(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	x, y, se := []float64{0, 1, 3}, []float64{0, 2, 3}, []float64{1, 0.5, 1}
	slope, at, p := m.line(x, y, se)
	b := (17 - 6*7.0/6*11/6) / (13 - 6*49.0/36)
	a := 11.0/6 - b*7/6
	near(t, "slope", slope.Value, b)
	near(t, "intercept", at, a)
	chi := a*a + 4*(2-a-b)*(2-a-b) + (3-a-3*b)*(3-a-3*b)
	near(t, "p", p, math.Erfc(math.Sqrt(chi/2))) // chi-squared on one degree of freedom
	if chi <= 1 {
		t.Fatalf("the points scatter by %g only", chi)
	}
	sxx := 13 - 6*49.0/36
	near(t, "half", slope.Hi-slope.Value, 12.7062*math.Sqrt(chi/sxx)) // Student's t of one degree
	near(t, "other half", slope.Value-slope.Lo, 12.7062*math.Sqrt(chi/sxx))
	// Two points lie on a line; the error is that of the points.
	slope, at, p = m.line(x[:2], y[:2], []float64{1, 1})
	near(t, "slope of two", slope.Value, 2)
	near(t, "half of two", slope.Hi-slope.Value, 1.959964*math.Sqrt(2))
	if at != 0 || p != 1 || slope.N != 2 {
		t.Errorf("%+v, %g, %g", slope, at, p)
	}
	for _, x := range [][]float64{{2}, {2, 2}} {
		if slope, at, p := m.line(x, y[:len(x)], se[:len(x)]); slope.OK() || at != 0 || p != 1 {
			t.Errorf("a line through %v: %+v, %g, %g", x, slope, at, p)
		}
	}
}

// How many more units decide: the side towards the limit must shrink to the distance over 1.4294, the square of that in units, and at
// 0 and 1, where sides shrink with the units themselves, as much. Wilson's side there is 3.8415 / (n + 3.8415): it is under 1 % from 381
// games on, and under 50 % from 4 on.
func TestMoreUnits(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	m := newMeasurer(Options{})
	n := Number{Value: 0.5, Lo: 0.4, Hi: 0.7, N: 100}
	open := n
	open.HiOpen = true
	for _, c := range []struct {
		name   string
		n      Number
		limits []float64
		want   int64
	}{
		{"far off", n, []float64{0.1, inf, -inf}, 0},
		{"below", n, []float64{0.45}, int64(math.Ceil(100*math.Pow(1.4294*0.1/0.05, 2))) - 100},
		{"above", n, []float64{0.55}, int64(math.Ceil(100*math.Pow(1.4294*0.2/0.05, 2))) - 100},
		{"the harder counts", n, []float64{0.45, 0.55, 0.6}, int64(math.Ceil(100*math.Pow(1.4294*0.2/0.05, 2))) - 100},
		{"on the limit", n, []float64{0.5}, 0},
		{"open towards it", open, []float64{0.9}, 0},
		{"open on the other side", open, []float64{0.45}, int64(math.Ceil(100*math.Pow(1.4294*0.1/0.05, 2))) - 100},
		{"one draw", m.share(1, 1, "games"), []float64{0.2, 0.5}, 3},
		{"12 of 12", m.share(12, 12, "games"), []float64{0.99, inf, 0.95}, 369},
		{"54 of 54", m.share(54, 54, "games"), []float64{0.99, inf, 0.95}, 327},
		{"54 of 54 clustered", m.clustered(&groupData{}, effect{games: 108}, m.share(54, 54, "games")), []float64{0.99}, 761 - 108},
		{"none of 54", m.share(0, 54, "games"), []float64{0.01}, 327},
		{"all won", m.score(12, 0, 0, "games"), []float64{0.99}, 369},
		{"Elo 1", Number{Value: 1, Lo: 0, Hi: 3, N: 100, Unit: "elo"}, []float64{2}, int64(math.Ceil(100*math.Pow(1.4294*2, 2))) - 100},
		{"at 1", Number{Value: 1, Lo: 0.9, Hi: 1, N: 100, Unit: "share"}, []float64{0.95}, int64(math.Ceil(100*1.4294*0.1/0.05)) - 100},
		{"at 0", Number{Value: 0, Lo: 0, Hi: 0.1, N: 100, Unit: "share"}, []float64{0.05}, int64(math.Ceil(100*1.4294*0.1/0.05)) - 100},
		{"one off the limit", Number{Value: 5, Lo: 3, Hi: 8, N: 100}, []float64{4}, int64(math.Ceil(100*math.Pow(1.4294*2, 2))) - 100},
		{"ten millions", n, []float64{0.5001}, 0},
	} {
		if got := moreNeeded(c.n, c.limits); got != c.want {
			t.Errorf("%s: %d more, want %d", c.name, got, c.want)
		}
	}
	if got := complement(Number{Value: 0.2, Lo: 0.1, Hi: 0.4, LoOpen: true, N: 9}); math.Abs(got.Value-0.8) > 1e-12 || math.Abs(got.Lo-0.6) > 1e-12 || math.Abs(got.Hi-0.9) > 1e-12 || got.LoOpen || !got.HiOpen {
		t.Errorf("%+v", got)
	}
	if got := complement(Number{}); got != (Number{}) {
		t.Errorf("%+v", got)
	}
	if got := interval(Number{Value: 0.5, Lo: 0.4, Hi: 0.6, N: 9, Of: "games"}, 100, " %"); got != "50.0 % (40.0 to 60.0, 9 games)" {
		t.Error(got)
	}
	if got := interval(Number{Value: 5, LoOpen: true, HiOpen: true, N: 9, Of: "pairs"}, 1, ""); got != "5.0 (no bound to no bound, 9 pairs)" {
		t.Error(got)
	}
}

// What is counted fits one of it.
func TestOneOfMany(t *testing.T) {
	t.Parallel()
	for want, n := range map[string]Number{"1 game": {N: 1, Of: "games"}, "2 games": {N: 2, Of: "games"}, "1 ply": {N: 1, Of: "plies"}, "0 decisive games": {Of: "decisive games"}} {
		if got := n.Count(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := interval(Number{Value: 0.5, Lo: 0.1, Hi: 0.9, N: 1, Of: "games"}, 100, " %"); got != "50.0 % (10.0 to 90.0, 1 game)" {
		t.Error(got)
	}
	r := &Report{Groups: []Group{{Kind: "all", Outcome: Outcome{Score: Number{Value: 0.5, Lo: 0.1, Hi: 0.9, N: 1, Of: "games"}}}}}
	if got := r.agentsFare(); !strings.HasSuffix(got, "; 1 game).") {
		t.Error(got)
	}
	for want, e := range map[string]Exact{"9 of 9 first moves keep": {Keeping: 9, FirstOf: 9}, "1 of 9 first moves keeps": {Keeping: 1, FirstOf: 9}, "1 of 1 first move keeps": {Keeping: 1, FirstOf: 1}, "0 of 9 first moves keep": {FirstOf: 9}} {
		if got := e.firstMoves("keep"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A colour needs the whole interval: on one side of a limit, up to the limit itself.
func TestColoursOfIntervals(t *testing.T) {
	t.Parallel()
	r := rule{good: band{0.45, 0.55}, middling: band{0.4, 0.6}, text: func(Number) string { return "x" }}
	up := rule{good: band{20, math.Inf(1)}, middling: band{0, math.Inf(1)}, saturates: true, text: r.text}
	for _, c := range []struct {
		r              rule
		lo, hi         float64
		loOpen, hiOpen bool
		want           Colour
	}{
		{r, 0.45, 0.55, false, false, Good},
		{r, 0.449, 0.55, false, false, Undecided},
		{r, 0.56, 0.6, false, false, Middling},
		{r, 0.55, 0.6, false, false, Undecided},
		{r, 0.4, 0.44, false, false, Middling},
		{r, 0.61, 0.7, false, false, Poor},
		{r, 0.6, 0.7, false, false, Undecided},
		{r, 0.2, 0.39, false, false, Poor},
		{r, 0.46, 0.5, true, false, Undecided},
		{r, 0.46, 0.5, false, true, Undecided},
		{r, 0.2, 0.3, true, false, Poor},
		{r, 0.2, 0.3, false, true, Undecided},
		{up, 20, 30, false, true, Good},
		{up, 20, 30, false, false, Good},
		{up, 1, 19, false, false, Middling},
		{up, 0, 19, false, false, Poor},
		{up, -5, 19, false, false, Poor},
		{up, -5, 20, false, false, Undecided},
		{up, -5, 19, true, false, Poor},
		{up, -5, 19, false, true, Undecided},
	} {
		n := Number{Value: (c.lo + c.hi) / 2, Lo: c.lo, Hi: c.hi, LoOpen: c.loOpen, HiOpen: c.hiOpen, N: 100, Of: "games"}
		l := c.r.judge(n)
		if l.Colour != c.want || (l.More > 0) != (l.MoreOf != "") {
			t.Errorf("%g to %g (%t, %t): %s, %d more %s, want %s", c.lo, c.hi, c.loOpen, c.hiOpen, l.Colour, l.More, l.MoreOf, c.want)
		}
		if want := powered * n.half(); c.want != Poor && math.Abs(l.Detects-want) > 1e-12 {
			t.Errorf("%g to %g shows %g, want %g", c.lo, c.hi, l.Detects, want)
		}
	}
	if l := r.judge(Number{}); l.Colour != NoData || l.Text != "not measured" {
		t.Errorf("%+v", l)
	}
	// All games of a study decide where those of the headline do not, unless these say otherwise.
	few, many := Number{Value: 0.9, Lo: 0.4, Hi: 1, N: 10, Of: "games"}, Number{Value: 0.5, Lo: 0.46, Hi: 0.54, N: 100, Of: "games"}
	for _, c := range []struct {
		few, all Number
		want     Colour
	}{
		{few, many, Good},
		{few, Number{}, Undecided},
		{many, few, Good},
		{few, Number{Value: 0.5, Lo: 0.46, Hi: 0.54, N: 10}, Undecided},
		{few, Number{Value: 0.9, Lo: 0.8, Hi: 1, N: 100}, Poor},
		{Number{Value: 0.58, Lo: 0.551, Hi: 0.65, N: 10}, many, Undecided}, // no game of the headline's interval is good
		{Number{Value: 0.56, Lo: 0.55, Hi: 0.65, N: 10}, many, Good},
		{few, Number{Value: 0.58, Lo: 0.56, Hi: 0.6, N: 100}, Middling},
	} {
		if got := r.widest(r.judge(c.few), c.all); got.Colour != c.want || strings.Contains(got.Text, "in all games") != (c.want != r.judge(c.few).Colour) {
			t.Errorf("%+v with %+v: %s %q, want %s", c.few, c.all, got.Colour, got.Text, c.want)
		}
	}
}

// The seat between equals as Elo and as a score: an end that is open is the end of all scores.
func TestJointScore(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	for _, c := range []struct {
		v      ratings.Interval
		lo, hi float64
	}{
		{ratings.Interval{Lo: 10, Hi: 200}, ratings.ExpectedScore(10), ratings.ExpectedScore(200)}, {ratings.Interval{LoOpen: true, Hi: 200}, 0, ratings.ExpectedScore(200)}, {ratings.Interval{Lo: 10, HiOpen: true}, ratings.ExpectedScore(10), 1},
	} {
		var b ratings.Builder
		if err := errors.Join(b.AddCount("a", "b", "", 3, 0, 1), b.AddCount("b", "a", "", 1, 2, 1)); err != nil {
			t.Fatal(err)
		}
		fit, err := b.Table().Fit(ratings.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fit.Advantages[0] = ratings.AdvantageRow{Elo: ratings.Estimate{Value: 100, Interval: c.v}, Games: ratings.Count{Wins: 20, Losses: 20}}
		fit.Errors, fit.Clusters = ratings.ErrorPair, 25
		for i := range fit.Players {
			fit.Players[i].Elo.Prior = fit.Players[i].Name == "b"
		}
		j := m.joint(fit)
		if math.Abs(j.Score.Value-ratings.ExpectedScore(100)) > 1e-12 || j.Score.Lo != c.lo || j.Score.Hi != c.hi || j.Score.LoOpen || j.Score.HiOpen || j.Score.Unit != "score" {
			t.Errorf("%+v: %+v", c.v, j.Score)
		}
		if j.Elo.Value != 100 || j.Elo.LoOpen != c.v.LoOpen || j.Elo.HiOpen != c.v.HiOpen || j.Elo.N != 25 || j.Elo.Of != "pairs" || j.Elo.Warning != "few pairs" || j.Agents != 2 || j.Games != 40 || !j.Separated {
			t.Errorf("%+v", j)
		}
		if a := j.ByAgent[slices.IndexFunc(j.ByAgent, func(a AsFirst) bool { return a.Agent == "a" })]; a.AsFirst.Value != 0.75 || a.AsSecond.Value != 0.5 || a.AsSecond.N != 4 {
			t.Errorf("%+v", j.ByAgent)
		}
		fit.Errors = ratings.ErrorGame
		if j := m.joint(fit); j.Elo.N != 40 || j.Elo.Of != "games" || j.Elo.Warning != "" {
			t.Errorf("by games: %+v", j.Elo)
		}
	}
	if m.joint(nil) != nil || m.joint(&ratings.Fit{}) != nil {
		t.Error("a seat of nothing")
	}
	for x, want := range map[float64]float64{3: 3, math.Inf(1): 0, math.Inf(-1): 0} {
		if finite(x) != want {
			t.Errorf("%g is %g", x, finite(x))
		}
	}
	if finite(math.NaN()) != 0 {
		t.Error("not a number is one")
	}
}

// What a restriction is, in words; the first that applies.
func TestRestrictionsInWords(t *testing.T) {
	t.Parallel()
	with := func(set func(s *agents.Spec)) *agents.Spec {
		s := agents.DefaultSpec()
		s.Type, s.Description = "mcts", "as told"
		set(&s)
		return &s
	}
	noisy := with(func(s *agents.Spec) { s.Mixture.Epsilon = 0.25 })
	for _, c := range []struct {
		s, twin *agents.Spec
		want    string
	}{
		{nil, nil, ""},
		{with(func(*agents.Spec) {}), nil, "as told"},
		{with(func(s *agents.Spec) { s.Mixture.NeverCaptures, s.Mixture.Mirrors = true, true }), nil, "never captures"},
		{with(func(s *agents.Spec) { s.Mixture.NeverCentre = true }), nil, "never places in the centre"},
		{with(func(s *agents.Spec) { s.Mixture.Mirrors = true }), nil, "mirrors the opponent"},
		{with(func(s *agents.Spec) { s.Mixture.IgnoresOpponent = true }), nil, "ignores the opponent"},
		{noisy, nil, "plays 25 % of its moves at random"},
		{noisy, with(func(*agents.Spec) {}), "plays 25 % of its moves at random"},
		{noisy, noisy, "as told"},
		{with(func(s *agents.Spec) { s.Type = "heuristic" }), nil, "looks one ply ahead"},
		{with(func(s *agents.Spec) { s.Type = "random" }), nil, "plays at random"},
		{with(func(s *agents.Spec) { s.Type, s.Budget.Depth = "minimax", 3 }), nil, "looks 3 plies ahead"},
		{with(func(s *agents.Spec) { s.Type, s.Budget.Depth = "minimax", 1 }), nil, "looks 1 plies ahead"},
		{with(func(s *agents.Spec) { s.Type, s.Budget.Depth = "minimax", 0 }), nil, "as told"},
		{with(func(s *agents.Spec) { s.Budget.Depth = 3 }), nil, "as told"},
	} {
		if got := describeRestriction(c.s, c.twin); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A restricted agent is compared with its twin, the first of the event's plan, whoever is named first in a duel; games between others
// of the event, and events without a plan or of another purpose, say nothing about a restriction.
func TestRestrictedAgainstItsTwin(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	var games []Game
	add := func(event int64, first, second, moves string) {
		x := played(t, g, int64(len(games)+1), first, second, moves)
		x.Event = event
		games = append(games, x)
	}
	for range 3 { // a twin wins both games of a pair against each of the others; the others of each other, too
		for _, p := range [][2]string{{"twin", "a"}, {"twin", "z"}, {"a", "z"}} {
			add(1, p[0], p[1], centreWin5)
			add(1, p[1], p[0], cornerLost)
		}
		add(2, "twin", "a", cornerLost)
		add(3, "twin", "a", cornerLost)
	}
	d := records(g, "classic", []Event{event(1, campaign.PurposeRestricted, "twin", "a", "z"), event(2, campaign.PurposeLadder, "twin", "a"), event(3, campaign.PurposeRestricted)}, players(map[string]int64{"twin": 100, "a": 100, "z": 100}), games)
	r := measureGames(t, d, Options{})
	var names []string
	for _, x := range r.Restrict {
		names = append(names, x.Name)
		if x.Twin != "twin" || x.Score.Value != 0 || x.Elo.Value >= 0 {
			t.Errorf("%+v", x)
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"a", "z"}) {
		t.Errorf("%v are compared with the twin", names)
	}
}

// The rarest mechanic that matters: not passes or swaps, and what the games cannot say about is not rare.
func TestRarestMechanic(t *testing.T) {
	t.Parallel()
	use := func(name string, share float64) Use {
		return Use{Mechanic: name, Games: Number{Value: share, N: 9, Method: "wilson"}}
	}
	for _, c := range []struct {
		alive []Use
		want  float64
	}{
		{nil, 1}, {[]Use{use("passes", 0.1), use("swaps", 0), use("chains", 0)}, 1}, {[]Use{use("jumps", 1.5), use("steps", 1.2)}, 1.2}, {[]Use{use("jumps", 0.4), use("steps", 0.3), use("leaves", 0.35), use("surrounds", 0.5)}, 0.3}, {[]Use{{Mechanic: "jumps"}, use("steps", 0.7)}, 0.7}, {[]Use{use("steps", 0.7), {Mechanic: "jumps"}}, 0.7},
	} {
		g := &Group{Games: 5, Alive: c.alive}
		if got := g.rarest(); got.Value != c.want || !got.OK() || got.Method == "none" && (got.Lo != 1 || got.Hi != 1) {
			t.Errorf("%+v: %+v, want %g", c.alive, got, c.want)
		}
	}
}

// What a ply does is counted by what it is: a piece that leaves for its age may be the one that moved, or the one on whose cell the new
// one stands.
func TestUsesOfAPly(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing")
	bits := func(cells ...int) (b engines.Bits) {
		for _, c := range cells {
			b = b.With(engines.Cell(c))
		}
		return b
	}
	place := func(text string) engines.Move {
		p := g.NewPosition()
		m, err := p.ParseMove(text)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	take, err := g.ReadMove("a1xb1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		m             engines.Move
		moving        bool
		before, after [2]engines.Bits
		want          map[int]int32
	}{
		{"a piece", place("a1"), false, [2]engines.Bits{bits(1), bits(2)}, [2]engines.Bits{bits(0, 1), bits(2)}, nil},
		{"from the hand", place("a1"), true, [2]engines.Bits{bits(1), bits(2)}, [2]engines.Bits{bits(0, 1), bits(2)}, map[int]int32{useReturns: 1}},
		{"the oldest leaves", place("a1"), false, [2]engines.Bits{bits(1, 3), bits(2)}, [2]engines.Bits{bits(0, 3), bits(2)}, map[int]int32{useLeaves: 1}},
		{"on the cell of the oldest", place("a1"), false, [2]engines.Bits{bits(0, 3), bits(2)}, [2]engines.Bits{bits(0, 3), bits(2)}, map[int]int32{useLeaves: 1}},
		{"two are surrounded", place("a1"), false, [2]engines.Bits{bits(1), bits(2, 5)}, [2]engines.Bits{bits(0, 1), bits()}, map[int]int32{useSurrounds: 2}},
		{"taken by replacement", take, true, [2]engines.Bits{bits(0), bits(1, 5)}, [2]engines.Bits{bits(1), bits(5)}, map[int]int32{useTakes: 1}},
		{"taken, and one is surrounded", take, true, [2]engines.Bits{bits(0), bits(1, 5)}, [2]engines.Bits{bits(1), bits()}, map[int]int32{useTakes: 1, useSurrounds: 1}},
		{"a pass", engines.Pass, false, [2]engines.Bits{bits(1), bits(2)}, [2]engines.Bits{bits(1), bits(2)}, map[int]int32{usePasses: 1}},
		{"a swap", engines.Swap, false, [2]engines.Bits{bits(1), bits(2)}, [2]engines.Bits{bits(2), bits(1)}, map[int]int32{useSwaps: 1}},
		{"a stop", engines.Stop, false, [2]engines.Bits{bits(1), bits(2)}, [2]engines.Bits{bits(1), bits(2)}, nil},
	} {
		var u, want useCounts
		for i, n := range c.want {
			want[i] = n
		}
		if u.count(&seen{rules: engines.MechanicsOf(engines.Surrounds), move: c.m, moving: c.moving, before: c.before, struck: c.after}); u != want {
			t.Errorf("%s: %v, want %v", c.name, u, want)
		}
		// The same where the rules enclose and do not surround.
		u, want[useEncloses], want[useSurrounds] = useCounts{}, want[useSurrounds], 0
		if u.count(&seen{move: c.m, moving: c.moving, before: c.before, struck: c.after}); u != want {
			t.Errorf("%s, enclosing: %v, want %v", c.name, u, want)
		}
	}
}

// What is counted of a game: its line of play from the true start, also where that is one ply long; who played both sides chose it.
func TestLinesOfAGroup(t *testing.T) {
	t.Parallel()
	d := newGroup(0, 9, "x", "all", "")
	for _, r := range []record{
		{replay: replay{prefixN: 1}, plies: 1}, {replay: replay{prefixN: 3}, plies: 5, second: 1}, {replay: replay{prefixN: 3}, plies: 5, opening: 2}, {plies: 5}, {replay: replay{prefixN: 3, bad: true}, plies: 5},
	} {
		d.game(&r)
	}
	chosen := 0
	for _, h := range d.chosen.moves {
		if h != nil {
			chosen++
		}
	}
	if d.lines.games != 2 || chosen != 1 || len(d.chosen.agents) != 1 || d.tree.n != 4 {
		t.Errorf("%d lines, %d first moves that one agent chose, %d trees", d.lines.games, chosen, d.tree.n)
	}
}

// All games between agents that search, of the study and of the inquiry: 3 of 4 and 16 of 20, 7, 7 and 6, are ended by the rules. Where
// agents or searches play the same few games again and again, only the distinct ones count.
func TestCompletionOfAll(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	probe := func(distinct, first, draws, second, caps int64) campaign.Probe {
		return campaign.Probe{Distinct: distinct, By: map[string]campaign.Tally{"puct": {First: first, Draws: draws, Second: second, Caps: caps}}}
	}
	searches := map[[2]int32]*endTally{{0, 0}: {all: [2]int64{1, 3}, fresh: [2]int64{1, 3}}}
	stage := campaign.Stage{Free: probe(7, 3, 1, 2, 1), FirstMoves: []campaign.Probe{probe(7, 5, 0, 0, 2)}, Replies: []campaign.Probe{probe(6, 0, 5, 0, 1)}}
	p := &pass{ends: searches, data: &Data{Inquiry: []campaign.Stage{stage}}}
	if n := m.completion(p); n.N != 24 || math.Abs(n.Value-19.0/24) > 1e-12 {
		t.Errorf("%+v, want 19 of 24", n)
	}
	searches[[2]int32{0, 1}] = &endTally{all: [2]int64{0, 100}, fresh: [2]int64{0, 2}}
	p.data.Inquiry = append(p.data.Inquiry, campaign.Stage{Free: probe(2, 40, 0, 0, 0)})
	if n := m.completion(p); n.N != 28 || math.Abs(n.Value-23.0/28) > 1e-12 {
		t.Errorf("%+v, want 23 of 28", n)
	}
}

// How games ended is counted of those that count, between agents that search: two random moves or one say nothing about the rules.
func TestEndsAreOfSearchers(t *testing.T) {
	t.Parallel()
	agent := func(kind string) Agent { return Agent{Spec: &agents.Spec{Type: kind}} }
	r, s, unknown := int32(0), int32(1), int32(2)
	p := newPass(&Data{Agents: map[string]Agent{"r": agent("random"), "s": agent("mcts")}}, nil)
	p.names, p.mirrored = []string{"r", "s", "unknown"}, true
	for _, x := range []record{
		{first: r, second: r}, {first: r, second: s}, {first: s, second: r}, {first: s, second: s}, {first: s, second: unknown},
		{first: s, second: s, kind: endCap}, {first: s, second: s, marks: evidence.Surplus},
	} {
		p.ended(&x, false)
	}
	if n := newMeasurer(Options{}).completion(p); n.N != 3 || n.Value != 2.0/3 {
		t.Errorf("%+v, want 2 of 3", n)
	}
	q := newPass(p.data, nil)
	q.names = p.names
	if q.ended(&record{first: s, second: s}, false); len(q.ends) > 0 {
		t.Error("a tournament counts as a study of the rules")
	}
}

// An end of an interval that is open, and a number that does not exist, are null.
func TestNumberAsJSON(t *testing.T) {
	t.Parallel()
	n := Number{Value: 2, Lo: 1, Hi: 3, N: 5}
	for want, n := range map[string]Number{
		"null": {}, `"lo":1,"hi":3`: n, `"lo":null,"hi":3`: {Value: 2, Lo: 1, Hi: 3, N: 5, LoOpen: true}, `"lo":1,"hi":null`: {Value: 2, Lo: 1, Hi: 3, N: 5, HiOpen: true},
	} {
		if text, err := json.Marshal(n); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s, %v, want %s", text, err, want)
		}
	}
}

// Positions are valued of games from the true start where there are such, otherwise of those from openings; of the strongest tier more.
func TestGamesFromTheStartAreValued(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	var games []Game
	for id := range int64(24) {
		tier := string("ab"[id%2])
		x := played(t, g, id+1, tier, tier, centreWin5)
		if x.Event = 1; id >= 12 {
			x.Event = 2
		}
		games = append(games, x)
	}
	for _, c := range []struct {
		purposes [2]string
		a, b     int // games of each
		event    func(id int64) bool
	}{
		{[2]string{campaign.PurposeMirror, campaign.PurposeOpenings}, 2, 4, func(id int64) bool { return id <= 12 }},
		{[2]string{campaign.PurposeOpenings, campaign.PurposeMirror}, 2, 4, func(id int64) bool { return id > 12 }},
	} {
		d := records(g, "classic", []Event{event(1, c.purposes[0], "a", "b"), event(2, c.purposes[1], "a", "b")}, players(map[string]int64{"a": 50, "b": 100}), games)
		got, top, err := d.sample(t.Context(), oracle.Options{Games: 4, Others: 2})
		if err != nil || top != "b" {
			t.Fatalf("the strongest is %s, %v", top, err)
		}
		of := map[string]int{}
		for _, x := range got {
			of[games[x.ID-1].First]++
			if !c.event(x.ID) {
				t.Errorf("%v: game %d is valued", c.purposes, x.ID)
			}
		}
		if of["a"] != c.a || of["b"] != c.b {
			t.Errorf("%v: %v games are valued, want %d and %d", c.purposes, of, c.a, c.b)
		}
	}
}

// The median of 0 to 399: ranks within 1.96·sqrt(400/4) = 19.6 of 200, rounded outwards, the 180th and the 221st.
func TestMedianOfMany(t *testing.T) {
	t.Parallel()
	n := newMeasurer(Options{}).quantile(400, func(i int) float64 { return float64(i) }, 0.5, "games", "plies")
	if n.Value != 199.5 || n.Lo != 179 || n.Hi != 220 || n.LoOpen || n.HiOpen {
		t.Errorf("%+v, want 199.5 from 179 to 220", n)
	}
}

// What is said of the agents names the strongest of their tiers, also where that is the weakest there is; agents of no tier have their group's name.
func TestAgentsFare(t *testing.T) {
	t.Parallel()
	for tier, want := range map[int]string{-1: "Among x alone,", 0: "Among agents up to random,", 1: "Among agents up to mcts-10,", 2: "Among x alone,"} {
		r := &Report{Tiers: []Tier{{Name: "random"}, {Name: "mcts-10"}}, Groups: []Group{{Kind: "mirror", Tier: tier, Name: "x alone", Outcome: Outcome{Score: Number{Value: 0.6, Lo: 0.5, Hi: 0.7, N: 20, Of: "pairs"}}}}}
		if got := r.agentsFare(); !strings.HasPrefix(got, want+" the first player scores 60.0 % (50.0 % to 70.0 %; 20 pairs)") {
			t.Errorf("tier %d: %s", tier, got)
		}
	}
}

// The headline is the strongest tier from the true start that has games.
func TestHeadline(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	var games []Game
	for i, tier := range []string{"a", "b", "c"} {
		for k := range 4 {
			x := played(t, g, int64(4*i+k+1), tier, tier, []string{centreWin5, cornerWin7, cornerLost, cornerDraw}[k])
			games = append(games, x)
		}
	}
	d := records(g, "classic", []Event{event(1, campaign.PurposeMirror, "a", "b", "c")}, players(map[string]int64{"a": 50, "b": 100, "c": 200}), games)
	if r := measureGames(t, d, Options{}); r.Groups[r.Headline].Key != "mirror/c" {
		t.Errorf("the headline is %s", r.Groups[r.Headline].Key)
	}
	if fixed, all := (&Report{Knobs: &Knobs{Variants: []KnobVariant{{Response: KnobResponse{Score: Number{N: 7}}}, {Response: KnobResponse{Score: Number{N: 5}}}}}}).stored([]Event{{Games: 20}, {Games: 30, Clear: true}}); fixed != 20 || all != 62 {
		t.Errorf("%d and %d games", fixed, all)
	}
}

// Typical games: of an even number of lengths the lower one in the middle, and of equally frequent openings that which was played first.
func TestTypicalGames(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for _, order := range [][]string{{cornerWin7, centreWin5, centreWin5, cornerWin7}, {centreWin5, cornerWin7, cornerWin7, centreWin5}} {
		var games []Game
		for i, moves := range order {
			games = append(games, played(t, g, int64(i+1), "top", "top", moves))
		}
		r := measureGames(t, records(g, "classic", []Event{event(1, campaign.PurposeMirror, "top")}, players(map[string]int64{"top": 100}), games), Options{})
		got := map[string]Sample{}
		for _, s := range r.Samples {
			got[s.Kind] = s
		}
		short, long := int64(slices.Index(order, centreWin5)+1), int64(slices.Index(order, cornerWin7)+1)
		if s := got["median"]; s.Game != short || s.Why != "5 plies, as long as half of the games at most" {
			t.Errorf("of median length is game %d, want %d: %s", s.Game, short, s.Why)
		}
		if got["shortest"].Game != short || got["longest"].Game != long {
			t.Errorf("the shortest is %d, the longest %d, want %d and %d", got["shortest"].Game, got["longest"].Game, short, long)
		}
		if s := got["opening"]; s.Game != 1 || s.Why != "2 of 4 games began like this, up to symmetry" {
			t.Errorf("the most frequent opening is that of game %d: %s", s.Game, s.Why)
		}
	}
}

// The effect of units among some games is that of the units that have such a game: nine are too few to say, whatever else was played.
func TestEffectIsOfUnitsAmong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		units int
		want  float64
	}{{9, 1}, {10, 2}} {
		var e endings
		for i := range c.units { // two of a unit end alike: as good as one game
			half := uint8(2 * (i % 2))
			e.add([]*record{{half: half}, {half: half}})
		}
		for range 30 {
			e.add([]*record{{kind: endDraw, half: 1}})
		}
		decided := func(c class) bool { return c.half != 1 }
		effect := e.effect(decided, func(c class) float64 { return float64(c.half) / 2 })
		got := effect.value()
		if math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%d units: an effect of %g, want %g", c.units, got, c.want)
		}
	}
}
