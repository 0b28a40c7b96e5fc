package ratings

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// ring is a table in which each player beats the next, the last the first: in both seats he wins won of each hundred games and
// loses the others.
func ring(t *testing.T, names string, won int64) *Table {
	t.Helper()
	return build(t, func(b *Builder) error {
		var errs []error
		for i := range names {
			x, y := names[i:i+1], string(names[(i+1)%len(names)])
			errs = append(errs, b.AddCount(x, y, "", won, 0, 100-won), b.AddCount(y, x, "", 100-won, 0, won))
		}
		return errors.Join(errs...)
	})
}

// Three in a ring, by hand. No rating explains anything: the potential is 0 and all is cyclic, around one triangle. A flow is the
// logit of (s+¼)/(n+½) points; its noise is that of the scores of both seats by the slope of the logit there; of the three
// dimensions one is cyclic, so that a third of the noise is expected there.
func TestRingOfThree(t *testing.T) {
	t.Parallel()
	table := ring(t, "abc", 64)
	h := table.Hodge()
	s := 128.25 / 200.5
	y := 400 * math.Log10(s/(1-s))
	near(t, "total", h.Total, 3*200*y*y, 0, 1e-9)
	near(t, "gradient", h.Gradient, 0, 1e-6, 0)
	near(t, "cyclic", h.Cyclic, h.Total, 0, 1e-9)
	near(t, "curl", h.Curl, h.Total, 0, 1e-9)
	near(t, "harmonic", h.Harmonic, 0, 1e-3, 0)
	near(t, "share", h.CyclicShare, 1, 1e-9, 0)
	seat := 64.25 / 100.5
	slope := math.Ln10 / 400 * s * (1 - s)
	noise := 200 * (2 * seat * (1 - seat) / 100 / 4) / (slope * slope) // of one match-up, times its games
	near(t, "noise", h.NoiseShare, noise/h.Total, 1e-9, 0)
	near(t, "corrected", h.Corrected, min(1, (h.Total-noise)/(h.Total-3*noise)), 1e-9, 0)
	for i, want := range map[int]float64{0: y, 1: -y, 2: y} { // a-b, a-c, b-c
		near(t, "pair", h.Pairs[i].Elo, want, 1e-9, 0)
	}
	for i := range 3 {
		near(t, "potential", h.Ratings[i], 0, 1e-9, 0)
	}
	wins, cyclic, triads := table.Copeland()
	if fmt.Sprint(wins) != "[0 0 0]" || cyclic != 1 || triads != 1 {
		t.Errorf("Copeland %v, %d of %d triads cyclic", wins, cyclic, triads)
	}
	n := table.NashAverage()
	rank, err := table.AlphaRank(0.01)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		near(t, "mass", n.Mass[i], 1.0/3, 1e-5, 0)
		near(t, "skill", n.Skill[i], 0, 1e-3, 0)
		near(t, "α-rank", rank[i], 1.0/3, 1e-12, 0)
	}
}

// Four in a ring have no triangle: what flows around is harmonic. There is no triad that met.
func TestRingOfFour(t *testing.T) {
	t.Parallel()
	table := ring(t, "abcd", 64)
	h := table.Hodge()
	near(t, "cyclic", h.Cyclic, h.Total, 0, 1e-9)
	near(t, "curl", h.Curl, 0, 0, 0)
	near(t, "harmonic", h.Harmonic, h.Total, 0, 1e-9)
	if wins, cyclic, triads := table.Copeland(); fmt.Sprint(wins) != "[0 0 0 0]" || cyclic != 0 || triads != 0 {
		t.Errorf("Copeland %v, %d of %d triads cyclic", wins, cyclic, triads)
	}
}

// Strictly transitive flows, a-b 1, b-c 1, a-c 2 in logits, leave nothing cyclic: the potential is 1, 0, -1 times the unit. With the
// shrinking (s+¼)/(n+½) such scores are made by hand.
func TestTransitiveTable(t *testing.T) {
	t.Parallel()
	// Of a million games, so that whole numbers meet the logits.
	const n = 1_000_000
	points := func(logit float64) int64 {
		return int64(math.Round(2*n/(1+math.Exp(-logit))/2)) - 0
	}
	one, two := points(0.5), points(1)
	table := build(t, all(
		count("a", "b", one, 0, n-one), count("b", "a", n-one, 0, one),
		count("b", "c", one, 0, n-one), count("c", "b", n-one, 0, one),
		count("a", "c", two, 0, n-two), count("c", "a", n-two, 0, two),
	))
	h := table.Hodge()
	unit := 0.5 * 400 / math.Ln10
	for i, want := range []float64{unit, 0, -unit} {
		near(t, "potential", h.Ratings[i], want, 1e-3, 0)
	}
	near(t, "cyclic share", h.CyclicShare, 0, 1e-9, 0)
	near(t, "energies", h.Gradient+h.Cyclic, h.Total, 0, 1e-9)
	if wins, cyclic, triads := table.Copeland(); fmt.Sprint(wins) != "[2 0 -2]" || cyclic != 0 || triads != 1 {
		t.Errorf("Copeland %v, %d of %d triads cyclic", wins, cyclic, triads)
	}
	m := table.NashAverage()
	near(t, "mass of the best", m.Mass[0], 1, 1e-5, 0)
	near(t, "skill of the second", m.Skill[1], -unit, 1e-2, 0)
	near(t, "skill of the third", m.Skill[2], -2*unit, 1e-2, 0)
}

// Match-ups that are level, were never played, or by a single game. Scores of unequal seats count the two seats alike.
func TestPayoff(t *testing.T) {
	t.Parallel()
	// a beats b in one game; b and c are level; a and c never met.
	table := build(t, all(count("a", "b", 1, 0, 0), count("b", "c", 3, 2, 3)))
	if wins, _, triads := table.Copeland(); fmt.Sprint(wins) != "[1 -1 0]" || triads != 0 {
		t.Errorf("Copeland %v, %d triads", wins, triads)
	}
	// As first 9 of 10, as second 1 of 2: (0.9 + 0.5)/2, not 10 of 12.
	p := build(t, all(count("a", "b", 9, 0, 1), count("b", "a", 1, 0, 1))).payoff()
	near(t, "both seats", p.score[0][1], 0.7, 1e-12, 0)
	near(t, "both seats, reversed", p.score[1][0], 0.3, 1e-12, 0)
	near(t, "games", p.games[0][1], 12, 0, 0)
	near(t, "flow", p.flow(0, 1), 400*math.Log10((8.4+0.25)/(12.5-8.4-0.25)), 1e-9, 0)
	// One seat alone.
	p = build(t, count("b", "a", 3, 2, 5)).payoff()
	near(t, "one seat", p.score[1][0], 0.4, 1e-12, 0)
	near(t, "one seat, reversed", p.score[0][1], 0.6, 1e-12, 0)
	// Two who drew everything, and a third whom nobody met: all alike.
	level := build(t, all(count("a", "b", 0, 9, 0), func(b *Builder) error { return b.AddPlayer("c") }))
	n, h := level.NashAverage(), level.Hodge()
	for i := range 3 {
		near(t, "mass", n.Mass[i], 1.0/3, 1e-9, 0)
		near(t, "potential", h.Ratings[i], 0, 1e-9, 0)
	}
	if h.Total != 0 || h.CyclicShare != 0 || h.NoiseShare != 0 || h.Corrected != 0 {
		t.Errorf("%+v, want nothing", h)
	}
	empty := build(t, all())
	if h := empty.Hodge(); len(h.Pairs) != 0 || h.Total != 0 {
		t.Errorf("%+v of no games", h)
	}
	if n := empty.NashAverage(); len(n.Mass) != 0 {
		t.Errorf("%+v of no games", n)
	}
	// One match-up of two has no cycle: its rating difference is its flow.
	two := build(t, all(count("a", "b", 60, 0, 40), count("b", "a", 40, 0, 60))).Hodge()
	near(t, "difference of two", two.Ratings[0]-two.Ratings[1], 400*math.Log10(120.25/80.25), 1e-9, 0)
	near(t, "cyclic of two", two.Cyclic, 0, 1e-9, 0)
	beside := build(t, all(count("a", "b", 60, 0, 40), count("b", "a", 40, 0, 60), func(b *Builder) error { return b.AddPlayer("nobody") })).Hodge()
	for i, want := range []float64{two.Ratings[0], two.Ratings[1], 0} {
		near(t, "potential beside one who never played", beside.Ratings[i], want, 1e-9, 0)
	}
	near(t, "noise of two", two.NoiseShare, 0, 1e-9, 0)
}

// The stationary law of two: the better holds 1-eps; equals, and those who never met, a half each.
func TestAlphaRank(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fill func(*Builder) error
		want []float64
	}{
		{count("a", "b", 6, 0, 4), []float64{0.9, 0.1}},
		{count("a", "b", 4, 0, 6), []float64{0.1, 0.9}},
		{count("a", "b", 4, 2, 4), []float64{0.5, 0.5}},
		{count("a", "b", 1, 0, 0), []float64{0.9, 0.1}},
		{func(b *Builder) error { return errors.Join(b.AddPlayer("a"), b.AddPlayer("b")) }, []float64{0.5, 0.5}},
		{func(b *Builder) error { return b.AddPlayer("a") }, []float64{1}},
		// a > b > c > all below: rates 0.9 up and 0.1 down in detailed balance, each step a factor of nine.
		{all(count("a", "b", 1, 0, 0), count("b", "c", 1, 0, 0), count("a", "c", 1, 0, 0)), nil},
	} {
		got, err := build(t, c.fill).AlphaRank(0.1)
		if err != nil {
			t.Fatal(err)
		}
		if c.want == nil {
			// The chain of three: π_a(0.1+0.1) = 0.9(π_b+π_c), π_c(0.9+0.9) = 0.1(π_a+π_b), which sum to 1: π_a = 0.9/1.1, π_c = 0.1/1.9.
			c.want = []float64{0.9 / 1.1, 1 - 0.9/1.1 - 0.1/1.9, 0.1 / 1.9}
		}
		for i, w := range c.want {
			near(t, "mass", got[i], w, 1e-12, 0)
		}
	}
	// a and b are level, b beats c, c beats a: as much leaves each of them as comes.
	got, err := build(t, all(count("a", "b", 4, 2, 4), count("b", "c", 1, 0, 0), count("c", "a", 1, 0, 0))).AlphaRank(0.1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "sum", got[0]+got[1]+got[2], 1, 1e-12, 0)
	near(t, "a", got[0]*(0.5+0.9), got[1]*0.5+got[2]*0.1, 1e-12, 0)
	near(t, "b", got[1]*(0.5+0.1), got[0]*0.5+got[2]*0.9, 1e-12, 0)
	near(t, "c", got[2]*(0.9+0.1), got[0]*0.9+got[1]*0.1, 1e-12, 0)
	if got, err := build(t, all()).AlphaRank(0.1); got != nil || err != nil {
		t.Errorf("%v, %v of no players", got, err)
	}
	for _, eps := range []float64{0, 0.5, -1, math.NaN()} {
		if _, err := build(t, all()).AlphaRank(eps); !errors.Is(err, ErrOptions) {
			t.Errorf("eps %g: %v", eps, err)
		}
	}
}

// The limits of the masses hold the estimate, are the same for the same seed, and narrow with the games; options are checked.
func TestNashBootstrap(t *testing.T) {
	t.Parallel()
	width := func(scale int64) float64 {
		table := build(t, func(b *Builder) error {
			return errors.Join(b.AddCount("a", "b", "", 6*scale, 0, 4*scale), b.AddCount("b", "c", "", 6*scale, 0, 4*scale), b.AddCount("c", "a", "", 6*scale, 0, 4*scale))
		})
		n, err := table.NashBootstrap(40, 7, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := table.NashBootstrap(40, 7, 0.9)
		total := 0.0
		for i := range n.Mass {
			if !(0 <= n.MassLo[i] && n.MassLo[i] <= n.Mass[i] && n.Mass[i] <= n.MassHi[i] && n.MassHi[i] <= 1) || n.Replicates != 40 {
				t.Errorf("%+v", n)
			}
			if n.MassLo[i] != again.MassLo[i] || n.MassHi[i] != again.MassHi[i] {
				t.Error("the same seed gives other limits")
			}
			total += n.MassHi[i] - n.MassLo[i]
		}
		return total
	}
	if few, many := width(10), width(1000); !(many < few/3) {
		t.Errorf("limits %g wide of few games, %g of a hundred times as many", few, many)
	}
	// Of two who are level, either is all there is in about half of the replicates.
	level, err := build(t, all(count("a", "b", 200, 0, 200), count("b", "a", 200, 0, 200))).NashBootstrap(60, 5, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		near(t, "lower quartile", level.MassLo[i], 0, 1e-3, 0)
		near(t, "upper quartile", level.MassHi[i], 1, 1e-3, 0)
	}
	table := ring(t, "abc", 60)
	for _, c := range []struct {
		replicates int
		level      float64
	}{{0, 0.9}, {10001, 0.9}, {10, 0}, {10, 1}} {
		if _, err := table.NashBootstrap(c.replicates, 1, c.level); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	// With one replicate both limits are that one.
	one, err := table.NashBootstrap(1, 3, 0.9)
	if err != nil || one.MassLo[0] != one.MassHi[0] || one.MassLo[0] == one.Mass[0] {
		t.Errorf("%+v, %v", one, err)
	}
}

// Lack of fit of a ring of three, by hand. All ratings are 0. Of n pairs of each match-up 60 % are won twice and 40 % lost twice: 0.4n
// points more than expected, with n/2 the variance by games. Pairs vary twice as much and a bit: square and mean of a pair's excess
// are 1 and 0.2, so (n - 0.04n)·n/(n-1). One degree of freedom is left.
func TestLackOfFitByHand(t *testing.T) {
	t.Parallel()
	pairsOf := func(n int64) *Table {
		return build(t, func(b *Builder) error {
			var errs []error
			for _, x := range []string{"ab", "bc", "ca"} {
				errs = append(errs, b.AddPairs(x[:1], x[1:], "", FirstWins, SecondWins, n*6/10), b.AddPairs(x[:1], x[1:], "", SecondWins, FirstWins, n*4/10))
			}
			return errors.Join(errs...)
		})
	}
	for _, n := range []int64{20, 10, 5} {
		l := mustFit(t, pairsOf(n), Options{Errors: ErrorPair, NoAdvantage: true}).LackOfFit()
		effect := (float64(n) - 0.04*float64(n)) * float64(n) / float64(n-1) / (float64(n) / 2)
		z := 0.2 * float64(n) / math.Sqrt(float64(n)/2*effect)
		// The variance is estimated on 3(n-1) degrees of freedom: F on 1 and as many is the square of Student's t.
		beyond := func(x float64) float64 {
			return 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(3 * (n - 1))}.Survival(x)
		}
		if l.DF != 1 || !l.Clustered || len(l.Pairs) != 3 {
			t.Fatalf("%+v", l)
		}
		near(t, "chi-square", l.ChiSquare, 3*z*z, 1e-6, 0)
		near(t, "p", l.P, beyond(math.Sqrt(3)*z), 1e-6, 0)
		for _, p := range l.Pairs {
			sign := 1.0
			if p.A+p.B == "ac" {
				sign = -1
			}
			near(t, p.A+p.B, p.Z, sign*z, 1e-6, 0)
			near(t, "expected", p.Expected, float64(n), 1e-6, 0)
			near(t, "observed", p.Observed, float64(n)*(1+sign*0.2), 1e-9, 0)
			near(t, "Holm's p", p.P, min(1, 3*beyond(z)), 1e-6, 0)
			if p.Games != 2*n {
				t.Errorf("%d games, want %d", p.Games, 2*n)
			}
		}
	}
	// By games the excess is the same and the variance the model's.
	l := mustFit(t, pairsOf(20), Options{Errors: ErrorDrawAware}).LackOfFit()
	near(t, "chi-square by games", l.ChiSquare, 3*16.0/10, 1e-6, 0)
	if l.Clustered {
		t.Error("clustered without pairs")
	}
	// Draws take from the variance of a game: at equality ¼ - d/4. A ring in which each wins 30, draws 50 and loses 20.
	drawn := build(t, func(b *Builder) error {
		return errors.Join(b.AddCount("a", "b", "", 30, 50, 20), b.AddCount("b", "c", "", 30, 50, 20), b.AddCount("c", "a", "", 30, 50, 20))
	})
	l = mustFit(t, drawn, Options{Errors: ErrorDrawAware, NoAdvantage: true}).LackOfFit()
	near(t, "chi-square with draws", l.ChiSquare, 3*25/(100*(0.25-0.125)), 1e-3, 0)
	// Two players have nothing to fit worse than perfectly.
	l = mustFit(t, build(t, all(count("a", "b", 6, 0, 4), count("b", "a", 4, 0, 6))), Options{}).LackOfFit()
	if l.DF != 0 || l.P != 1 {
		t.Errorf("two players: %+v", l)
	}
}

// What the fit says in words: the groups, whom to let play whom, who has no bound and why.
func TestWarnings(t *testing.T) {
	t.Parallel()
	level := func(a, b string) func(*Builder) error {
		return all(count(a, b, 3, 1, 2), count(b, a, 3, 1, 2))
	}
	many := func(b *Builder) error {
		var errs []error
		for i := range 7 {
			errs = append(errs, level(fmt.Sprintf("x%d", i), fmt.Sprintf("y%d", i))(b))
		}
		return errors.Join(errs...)
	}
	crowd := func(b *Builder) error {
		var errs []error
		for i := range 8 {
			errs = append(errs, b.AddPlayer(fmt.Sprintf("idle%d", i)))
		}
		return errors.Join(errs...)
	}
	for _, c := range []struct {
		name   string
		fill   func(*Builder) error
		o      Options
		want   []string
		never  string
		advise int // suggestions
	}{
		{"fine", level("a", "b"), Options{Errors: ErrorDrawAware}, nil, "", 0},
		{
			"two groups", all(level("a", "b"), level("c", "d")),
			Options{},
			[]string{`2 groups never met and are rated apart, each with mean 0: {"a", "b"}, {"c", "d"}; to join them play "a" against "c"`},
			"more", 1,
		},
		{
			"the middle of a group", all(count("b", "a", 6, 0, 4), count("a", "b", 4, 0, 6), count("a", "c", 6, 0, 4), count("c", "a", 4, 0, 6), level("x", "y")),
			Options{},
			[]string{`to join them play "a" against "x"`},
			`"b" against`, 1,
		},
		{"seven groups", many, Options{}, []string{`7 groups never met`, `{"x4", "y4"}, 2 more; to join them`, `"x0" against "x3"`}, `"x0" against "x4"`, 6},
		{"nobody plays", all(level("a", "b"), crowd), Options{}, []string{`"idle0", "idle1", "idle2", "idle3", "idle4", "idle5" and 2 more: no games`}, "", 8},
		{"one does not play", all(level("a", "b"), func(b *Builder) error { return b.AddPlayer("z") }), Options{}, []string{`"z": no games`}, "more", 1},
		{
			"seats never swapped in four match-ups", all(count("a", "c", 3, 1, 2), count("a", "d", 3, 1, 2), count("b", "c", 3, 1, 2), count("b", "d", 2, 1, 3)),
			Options{},
			[]string{`to identify it play "c" against "a", "d" against "a", "c" against "b"`},
			`"d" against "b"`, 3,
		},
		{
			"seats never swapped in one of two strata", func(b *Builder) error {
				return errors.Join(b.AddCount("a", "b", "x", 3, 1, 2), b.AddCount("b", "a", "x", 3, 1, 2), b.AddCount("a", "c", "x", 3, 1, 2), b.AddCount("d", "e", "y", 3, 1, 2))
			},
			Options{PerStratum: true},
			[]string{`the first-player advantage in "y" cannot be told`, `to identify it play "e" against "d"`},
			`"c" against "a"`, 2,
		},
		{"draw parameters by stratum", level("a", "b"), Options{Model: ModelDavidson, PerStratum: true, Errors: ErrorDrawAware}, nil, "", 0},
		{
			"draw parameters of two strata", all(level("a", "b"), func(b *Builder) error { return b.AddCount("a", "b", "y", 3, 1, 2) }),
			Options{Model: ModelDavidson, PerStratum: true, Errors: ErrorDrawAware},
			[]string{"ratings are converted to score-Elo with the mean draw parameter of all strata"},
			"games", 0,
		},
		{
			"scores of two strata", all(level("a", "b"), func(b *Builder) error { return b.AddCount("a", "b", "y", 3, 1, 2) }),
			Options{PerStratum: true, Errors: ErrorDrawAware},
			nil, "", 0,
		},
		{"draws only", all(count("a", "b", 0, 2, 0), count("b", "a", 0, 2, 0)), Options{}, []string{`"a", "b": draws only`}, "no games", 0},
		{"no games", all(), Options{}, []string{"no games"}, "groups", 0},
		{
			"one above", all(level("b", "c"), level("c", "d"), count("a", "b", 5, 0, 0), count("b", "a", 0, 0, 5)),
			Options{},
			[]string{`"a": no upper bound relative to "b", "c", "d"`, `to place them play "a" against "b"`},
			"seats", 1,
		},
		{
			"one below", all(level("b", "c"), level("c", "d"), count("a", "b", 0, 0, 5), count("b", "a", 5, 0, 0)),
			Options{PriorSD: 300},
			[]string{`"a": no lower bound relative to "b", "c", "d"`, `N(0, 300) prior`},
			"seats", 1,
		},
		{
			"two above two", all(level("a", "b"), level("c", "d"), count("a", "c", 5, 0, 0), count("c", "b", 0, 0, 5)),
			Options{},
			[]string{`"a", "b": no upper bound relative to the mean of their group`, `to place them play "a" against "c", "b" against "c"`, `to place them play "c" against "a", "d" against "a"`},
			`"a" against "b"`, 4,
		},
		{
			"four above", all(level("y", "z"), count("a", "y", 5, 0, 0), count("b", "y", 5, 0, 0), count("c", "y", 5, 0, 0), count("d", "y", 5, 0, 0)),
			Options{},
			[]string{`"a", "b", "c", "d": no upper bound relative to "y", "z"`, `to place them play "a" against "b", "b" against "a", "c" against "a"`},
			`"d" against`, 3,
		},
		{"seats never swapped", all(count("a", "b", 3, 1, 2)), Options{}, []string{`the seats were never balanced; it is taken as N(0, 400); to identify it play "b" against "a"`}, "", 1},
		{"first always wins", all(count("a", "b", 5, 0, 0), count("b", "a", 5, 0, 0)), Options{}, []string{"the first player won every game that could tell: the advantage has only a lower bound"}, "second player won", 2},
		{"one win of either seat", all(count("a", "b", 1, 0, 0), count("b", "a", 1, 0, 0)), Options{}, []string{`"a", "b": the seats explain every point given away`}, "no finite maximum", 2},
		{"second always wins", all(count("a", "b", 0, 0, 5), count("b", "a", 0, 0, 5)), Options{}, []string{"the second player won every game that could tell"}, "first player won", 2},
		{"prior on request", level("a", "b"), Options{AlwaysPrior: true}, []string{"every rating carries the N(0, 400) prior, by request"}, "tells the first-player advantage apart", 0},
	} {
		f := mustFit(t, build(t, c.fill), c.o)
		text := strings.Join(f.Warnings, "\n")
		if len(c.want) == 0 && text != "" {
			t.Errorf("%s: %s", c.name, text)
		}
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s:\n%s\nwant in it: %s", c.name, text, w)
			}
		}
		if c.never != "" && strings.Contains(text, c.never) {
			t.Errorf("%s:\n%s\nwant nothing of %s", c.name, text, c.never)
		}
		if len(f.Suggestions) != c.advise {
			t.Errorf("%s: %d suggestions %v, want %d", c.name, len(f.Suggestions), f.Suggestions, c.advise)
		}
	}
	// Repeated games: nine of ten distinct are fine, eight are not; without hashes nothing is known.
	for distinct, warned := range map[int]bool{10: false, 9: false, 8: true} {
		table := build(t, func(b *Builder) error {
			var errs []error
			for i := range 10 {
				names := []string{"a", "b"}
				errs = append(errs, b.Add(Game{First: names[i%2], Second: names[1-i%2], Result: Outcome(i / 2 % 3), Hash: uint64(min(i/2, (distinct+i%2)/2-1) + 1)}))
			}
			return errors.Join(errs...)
		})
		hashed, n := table.Distinct()
		if hashed != 10 || n != int64(distinct) {
			t.Fatalf("%d of %d distinct, want %d of 10", n, hashed, distinct)
		}
		if text := strings.Join(mustFit(t, table, Options{}).Warnings, "\n"); strings.Contains(text, "are distinct") != warned {
			t.Errorf("%d of 10 distinct: %s", distinct, text)
		}
	}
	if f := mustFit(t, build(t, level("a", "b")), Options{}); strings.Contains(strings.Join(f.Warnings, ""), "distinct") {
		t.Errorf("%v of games without hashes", f.Warnings)
	}
}
