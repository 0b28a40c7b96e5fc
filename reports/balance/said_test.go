package balance

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/engines/enginetest"
)

// What the games cannot say is named by the numbers of the measures; a report that has everything misses nothing.
func TestWhatIsMissing(t *testing.T) {
	t.Parallel()
	ok := Number{Value: 0.5, Lo: 0.4, Hi: 0.6, N: 9}
	full := func() *Report {
		g := Group{Name: "top", Kind: "mirror", Board: &BoardUse{}, Variety: &Variety{Openings: []EffectivePly{{}}}, Clarity: &Clarity{}, Permanence: &Permanence{Browne: ok}, Snowball: &Snowball{Half: ok}}
		g.Outcome.First, g.Outcome.Decisive = ok, ok
		g.Course = &Course{Decisiveness: ok, LeadChanges: ok, Drama: ok, Late: ok, Killer: ok}
		r := &Report{Groups: []Group{g}, Ladder: &Ladder{}, Matrix: &Matrix{}, Joint: &JointAdvantage{}, FirstMove: &FirstMoves{Pie: &Pie{Residual: ok}}, Restrict: []Restriction{{}}, Knobs: &Knobs{}, Oracle: &Oracle{}}
		r.Trends.Advantage.Slope, r.Trends.Draws.Slope, r.Size.Refinement, r.Size.Playouts = ok, ok, ok, 1
		return r
	}
	values := []int{12, 13, 14, 15, 16, 19, 21, 22}
	for name, c := range map[string]struct {
		change func(r *Report)
		want   []int // measures, in their order
		why    string
	}{
		"nothing":               {func(*Report) {}, nil, ""},
		"all but groups":        {func(r *Report) { r.Groups, r.Headline = nil, -1 }, append([]int{1, 1}, values...), "nobody valued the positions"},
		"no mirror":             {func(r *Report) { r.Groups[0].Kind = "all" }, []int{1}, "no tier plays against itself"},
		"no trend":              {func(r *Report) { r.Trends.Advantage.Slope = Number{} }, []int{3}, "fewer than two tiers"},
		"no trend of draws":     {func(r *Report) { r.Trends.Draws.Slope = Number{} }, []int{4}, "fewer than two tiers"},
		"no ladder":             {func(r *Report) { r.Ladder = nil }, []int{7, 8}, "no matches between"},
		"no matrix":             {func(r *Report) { r.Matrix = nil }, []int{9}, "no two different"},
		"no joint fit":          {func(r *Report) { r.Joint = nil }, []int{2}, "no two different"},
		"no first moves":        {func(r *Report) { r.FirstMove = nil }, []int{10, 11}, "no games from the true start"},
		"no pie":                {func(r *Report) { r.FirstMove.Pie = nil }, []int{11}, "only one first move"},
		"no measured pie":       {func(r *Report) { r.FirstMove.Pie.Residual = Number{} }, []int{11}, "too few games"},
		"no restrictions":       {func(r *Report) { r.Restrict = nil }, []int{23}, "no matches of an agent"},
		"no knobs":              {func(r *Report) { r.Knobs = nil }, []int{24}, "no games under rules"},
		"no board":              {func(r *Report) { r.Groups[0].Board = nil }, []int{20}, "no game whose moves"},
		"no variety":            {func(r *Report) { r.Groups[0].Variety = nil }, []int{18}, "all games begin"},
		"no openings":           {func(r *Report) { r.Groups[0].Variety.Openings = nil }, []int{18}, "all games begin"},
		"no refinement":         {func(r *Report) { r.Size.Refinement = Number{} }, []int{25}, "nobody won"},
		"no playouts":           {func(r *Report) { r.Size.Playouts = 0 }, []int{25}, "nobody measured"},
		"no outcome":            {func(r *Report) { r.Groups[0].Outcome.First = Number{} }, []int{1}, "every game was forfeited"},
		"no decisive game":      {func(r *Report) { r.Groups[0].Outcome.Decisive = Number{} }, []int{1}, "nobody won"},
		"no values":             {func(r *Report) { r.Oracle = nil }, values, "nobody valued"},
		"no course":             {func(r *Report) { r.Groups[0].Course = nil }, values, "nobody valued"},
		"no decisiveness":       {func(r *Report) { r.Groups[0].Course.Decisiveness = Number{} }, []int{12}, "nobody won a game of the sample"},
		"no lead changes":       {func(r *Report) { r.Groups[0].Course.LeadChanges = Number{} }, []int{13}, "no games in"},
		"no drama":              {func(r *Report) { r.Groups[0].Course.Drama = Number{} }, []int{14}, "nobody won"},
		"no last third":         {func(r *Report) { r.Groups[0].Course.Late = Number{} }, []int{15}, "last third"},
		"no killers":            {func(r *Report) { r.Groups[0].Course.Killer = Number{} }, []int{16}, "valued twice"},
		"no killers, exact":     {func(r *Report) { r.Groups[0].Course.Killer, r.Oracle.Kind = Number{}, "exact" }, []int{16}, "no move can gain"},
		"no clarity":            {func(r *Report) { r.Groups[0].Clarity = nil }, []int{19}, "has a choice"},
		"no permanence":         {func(r *Report) { r.Groups[0].Permanence = nil }, []int{21}, "beyond the noise"},
		"no measured one":       {func(r *Report) { r.Groups[0].Permanence.Browne = Number{} }, []int{21}, "beyond the noise"},
		"no permanence, exact":  {func(r *Report) { r.Groups[0].Permanence, r.Oracle.Kind = nil, "exact" }, []int{21}, "no move can gain"},
		"no snowball":           {func(r *Report) { r.Groups[0].Snowball = nil }, []int{22}, "not both sides"},
		"no half of a snowball": {func(r *Report) { r.Groups[0].Snowball.Half = Number{} }, []int{22}, "not both sides"},
	} {
		a := assembly{report: full()}
		c.change(a.report)
		a.missing()
		var got []int
		for _, m := range a.report.Missing {
			got = append(got, m.Number)
		}
		slices.Sort(got)
		if slices.Sort(c.want); !slices.Equal(got, c.want) || c.why != "" && !slices.ContainsFunc(a.report.Missing, func(m Missing) bool { return strings.Contains(m.Reason, c.why) }) {
			t.Errorf("%s: %+v, want %v", name, a.report.Missing, c.want)
		}
	}
}

// Warnings are of what is so, and of nothing else.
func TestWarningsOfAReport(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for name, c := range map[string]struct {
		change func(r *Report)
		want   string // its beginning; empty for no warning
	}{
		"nothing": {func(*Report) {}, ""},
		"repeated games": {func(r *Report) {
			r.Lights = []Light{{Measure: "repeated_games", Colour: Poor, Number: Number{Value: 0.4, N: 9}}}
		}, "40.0 % of the games of top equal"},
		"some repeated games": {func(r *Report) { r.Lights = []Light{{Measure: "repeated_games", Colour: Middling}} }, ""},
		"another poor light":  {func(r *Report) { r.Lights = []Light{{Measure: "draws", Colour: Poor}} }, ""},
		"few that end": {func(r *Report) {
			r.Lights = []Light{{Measure: "completion", Number: Number{Value: 0.9, Hi: 0.95, N: 9}}}
		}, "90.0 % of the games end"},
		"surely few that end": {func(r *Report) {
			r.Lights = []Light{{Measure: "completion", Number: Number{Value: 0.9, Hi: 0.94, N: 9}}}
		}, ""}, // the verdict says it
		"enough that end": {func(r *Report) {
			r.Lights = []Light{{Measure: "completion", Number: Number{Value: 0.95, Hi: 0.99, N: 9}}}
		}, ""},
		"nothing of ends":      {func(r *Report) { r.Lights = []Light{{Measure: "completion", Number: Number{Hi: 0.99}}} }, ""},
		"short games":          {func(r *Report) { r.Groups[0].Length.All.Median = Number{Value: 7, Hi: 8, N: 9} }, "games are really short: half of those of top have 7 moves at most, 4 turns"},
		"longer games":         {func(r *Report) { r.Groups[0].Length.All.Median = Number{Value: 8, Hi: 9, N: 9} }, ""},
		"a forfeit":            {func(r *Report) { r.Study.Games, r.Study.Forfeits = 9, 1 }, "1 of 9 games were forfeited"},
		"a repetition":         {func(r *Report) { r.Study.Games, r.Study.Repeated = 9, 1 }, "1 of 9 games repeat"},
		"a bad game":           {func(r *Report) { r.Study.BadGames = 1 }, "the moves of 1 games do not replay"},
		"an adjudicated one":   {func(r *Report) { r.Study.Decided = 1 }, "1 games were adjudicated"},
		"a timed one":          {func(r *Report) { r.Study.Timed = 1 }, "1 games were played under a budget"},
		"openings":             {func(r *Report) { r.Study.Opened = true }, "all games begin with openings"},
		"openings of no group": {func(r *Report) { r.Study.Opened, r.Headline = true, -1 }, ""},
		"a tier":               {func(r *Report) { r.Tiers = make([]Tier, 1) }, "only 1 tiers"},
		"two tiers":            {func(r *Report) { r.Tiers = make([]Tier, 2) }, "only 2 tiers"},
		"three tiers":          {func(r *Report) { r.Tiers = make([]Tier, 3) }, ""},
		"a warning of values":  {func(r *Report) { r.Oracle = &Oracle{Warning: "noisy"} }, "noisy"},
		"values without one":   {func(r *Report) { r.Oracle = &Oracle{} }, ""},
		"scores go up and down": {func(r *Report) {
			r.Trends.Score.Points = []TierPoint{point("a", 0.5), point("b", 0.7), point("c", 0.5)}
		}, "the first player's score goes up and down with strength (a 50.0 %, b 70.0 %, c 50.0 %)"},
	} {
		r := &Report{Groups: []Group{{Name: "top"}}}
		c.change(r)
		(&assembly{report: r, pass: &pass{data: &Data{Game: g}}}).warnings()
		if got := strings.Join(r.Warnings, "; "); len(r.Warnings) > 1 || (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func point(name string, v float64) TierPoint {
	return TierPoint{Name: name, InFit: true, Number: Number{Value: v, Lo: v - 0.05, Hi: v + 0.05, N: 9}}
}

// Games of two agents against each other, from the side of the one whose name comes first: two with the seats swapped and of one number
// are a pair, whatever their order; the third of a pair waits for a fourth.
func TestDuels(t *testing.T) {
	t.Parallel()
	p := newPass(&Data{Label: "r"}, nil)
	p.names = []string{"b", "a"}
	for _, x := range []struct {
		event, first int32
		pair         int64
		half         uint8
	}{
		{0, 1, 0, 2}, {0, 0, 0, 1}, // a wins and draws: 3 half points
		{0, 0, 1, 2}, {0, 1, 1, 0}, // b wins both, as the first at first: 0
		{0, 1, 2, 1},               // alone
		{0, 1, 3, 1}, {0, 1, 3, 1}, // twice in the same seat: no pair
		{1, 0, 0, 0}, // of another event: alone, a wins as second
		{2, 0, 0, 0}, // of one that is left out
	} {
		p.matched(&record{event: x.event, first: x.first, second: 1 - x.first, pair: x.pair, half: x.half, inOrder: x.first == 1}, false)
	}
	p.matched(&record{first: 1, second: 1, inOrder: true, half: 2}, false) // against itself
	p.settle()
	all := p.duels(func(event int32) bool { return event < 2 })
	want := duel{a: 1, b: 0, wins: 2, draws: 4, losses: 2, pairs: [5]float64{1, 0, 0, 1, 0}, alone: 4}
	want.both[2][1], want.both[0][2] = 1, 1
	want.one[0][1], want.one[1][0] = 3, 1
	if d := cmp.Diff([]*duel{&want}, all, cmp.AllowUnexported(duel{})); d != "" {
		t.Fatal(d)
	}
	if same, other := all[0].from(1), all[0].from(0); same != want || other.wins != 2 || other.losses != 2 || other.draws != 4 || other.pairs != [5]float64{0, 1, 0, 0, 1} || other.a != 0 || other.b != 1 || other.alone != 4 {
		t.Errorf("%+v, %+v", same, other)
	}
	table, err := p.table(all)
	if err != nil {
		t.Fatal(err)
	}
	if pairs, _ := table.Pentanomial("a", "b"); pairs != [5]int64{1, 0, 0, 1, 0} || table.Games() != 8 {
		t.Errorf("%d games, pairs %v", table.Games(), pairs)
	}
	// Pairs are the units where at most a tenth as many games are alone.
	m := newMeasurer(Options{})
	for alone, of := range map[int64]string{0: "pairs", 4: "pairs", 5: "games"} {
		_, score := m.duel(duel{wins: 60, losses: 20 + alone, pairs: [5]float64{4, 6, 10, 14, 6}, alone: alone})
		if score.Of != of || (score.Warning == "games without their pair are left out") != (alone == 4) {
			t.Errorf("%d alone: %s, %q", alone, score.Of, score.Warning)
		}
	}
}

// Games that began with 1 3 (15), 1 4 (15) and 2 5 (10, too few to tell what is chosen there): at the start 30 and 10 of 40, after 1 half and
// half of 30. H = -sum p ln p + 1/(2n), and exp(H) counts by games; its variance is ((sum p ln² p - H²)/n + 1/(2n²)), times weight² exp(2H).
func TestPolicyAndOpenings(t *testing.T) {
	t.Parallel()
	m := newMeasurer(Options{})
	l := &lineSums{games: 40, lines: []line{{prefix{1, 3}.cut(2), 15, 0, 0, 1}, {prefix{1, 4}.cut(2), 0, 15, 0, 2}, {prefix{2, 5}.cut(2), 4, 0, 6, 3}}}
	plain := -0.75*math.Log(0.75) - 0.25*math.Log(0.25)
	start, after := plain+1.0/80, math.Ln2+1.0/60
	first := (0.75*math.Log(0.75)*math.Log(0.75)+0.25*math.Log(0.25)*math.Log(0.25)-plain*plain)/40 + 1.0/3200
	second := 1.0 / 1800 // without any spread of ln p
	mean := (40*math.Exp(start) + 30*math.Exp(after)) / 70
	half := m.z * math.Sqrt(1600*math.Exp(2*start)*first+900*math.Exp(2*after)*second) / 70
	got := m.policy(l)
	near(t, "policy", got.Value, mean)
	near(t, "lower", got.Lo, mean-half)
	near(t, "upper", got.Hi, mean+half)
	if got.N != 40 {
		t.Errorf("%+v", got)
	}
	for n, enough := range map[uint32]bool{9: false, 19: false, 20: true} { // who always chooses alike has one move
		alike := &lineSums{games: int64(n), lines: []line{{prefix{1}.cut(1), n, 0, 0, 1}}}
		if got := m.policy(alike); got.OK() != enough || enough && got.Value != 1 {
			t.Errorf("of %d games: %+v", n, got)
		}
	}
	g := enginetest.Load(t, "classic")
	legal := g.NewPosition().AppendMoves(nil)
	opened := m.effective(g, 1, []line{{prefix{legal[0]}.cut(1), 5, 3, 2, 1}, {prefix{legal[1]}.cut(1), 20, 0, 10, 2}})
	near(t, "effective", opened.Effective.Value, math.Exp(start))
	near(t, "plain", opened.Plain, math.Exp(plain))
	near(t, "its lower end", opened.Effective.Lo, math.Exp(start-m.z*math.Sqrt(first)))
	near(t, "its upper end", opened.Effective.Hi, math.Exp(start+m.z*math.Sqrt(first)))
	if opened.Seen != 2 || opened.Top[0].Games != 30 || opened.Top[1].Moves != g.MoveText(legal[0]) || opened.Top[1].Games != 10 || opened.Top[1].Score.Value != 0.65 || opened.Effective.Warning != "" {
		t.Errorf("%+v", opened)
	}
	for n, want := range map[uint32]string{3: "most openings were seen once: a lower bound", 4: "few games"} {
		if got := m.effective(g, 1, []line{{prefix{legal[0]}.cut(1), 1, 0, 0, 1}, {prefix{legal[1]}.cut(1), n - 1, 0, 0, 2}}); got.Effective.Warning != want {
			t.Errorf("two openings in %d games: %q", n, got.Effective.Warning)
		}
	}
}

// An interval and a band overlap where they have a point in common; an open side has no end.
func TestBandsAndIntervals(t *testing.T) {
	t.Parallel()
	b := band{0.4, 0.6}
	for _, c := range []struct {
		n    Number
		want bool
	}{
		{Number{Lo: 0.5, Hi: 0.55}, true},
		{Number{Lo: 0.6, Hi: 0.7}, true},
		{Number{Lo: 0.61, Hi: 0.7}, false},
		{Number{Lo: 0.3, Hi: 0.4}, true},
		{Number{Lo: 0.3, Hi: 0.39}, false},
		{Number{Lo: 0.3, HiOpen: true}, true},
		{Number{Lo: 0.7, HiOpen: true}, false},
		{Number{LoOpen: true, Hi: 0.7}, true},
		{Number{LoOpen: true, Hi: 0.3}, false},
	} {
		if got := overlaps(c.n, b); got != c.want {
			t.Errorf("%+v overlaps %+v: %t", c.n, b, got)
		}
	}
	for want, x := range map[string]Number{
		"50.0 % (40.0 to 60.0, 9 games)": {Value: 0.5, Lo: 0.4, Hi: 0.6, N: 9, Of: "games"}, "50.0 % (no bound to 60.0, 9 games)": {Value: 0.5, LoOpen: true, Hi: 0.6, N: 9, Of: "games"}, "50.0 % (40.0 to no bound, 9 games)": {Value: 0.5, Lo: 0.4, HiOpen: true, N: 9, Of: "games"},
	} {
		if got := interval(x, 100, " %"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
