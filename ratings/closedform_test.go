package ratings

import (
	"errors"
	"math"
	"testing"

	"spar/configs/must"
)

// Constants of the normal and of Student's distribution, from tables.
const (
	z975 = 1.959963984540054
	z80  = 0.8416212335729143
	t9   = 2.262157162798205 // 97.5 %, 9 degrees of freedom
	ln19 = 2.9444389791664403
)

// Where all or none of n succeed Wilson's interval ends at z²/(n+z²) from there, and the exact one at 1-(α/2)^(1/n).
// The exact limits of 1 of 2 are 1-sqrt(0.975) and sqrt(0.975).
func TestSharesAtTheEdges(t *testing.T) {
	t.Parallel()
	for _, n := range []int64{1, 2, 40} {
		z2 := z975 * z975
		w, c := Wilson(0, n, 0.95), ClopperPearson(0, n, 0.95)
		near(t, "wilson, none", w.Hi, z2/(float64(n)+z2), 1e-12, 0)
		near(t, "exact, none", c.Hi, 1-math.Pow(0.025, 1/float64(n)), 1e-9, 0)
		w, c = Wilson(n, n, 0.95), ClopperPearson(n, n, 0.95)
		near(t, "wilson, all", w.Lo, 1-z2/(float64(n)+z2), 1e-12, 0)
		near(t, "exact, all", c.Lo, math.Pow(0.025, 1/float64(n)), 1e-9, 0)
	}
	for _, n := range []int64{5, 100, 1000, 100_000, 1_000_000} { // far out in the tails, by which workers are suspected
		end := -math.Expm1(math.Log(5e-7) / float64(n))
		near(t, "far out, none", ClopperPearson(0, n, 0.999999).Hi/end, 1, 1e-3, 0)
		near(t, "far out, all", (1-ClopperPearson(n, n, 0.999999).Lo)/end, 1, 1e-3, 0)
	}
	// at the upper end of 1 of n, none or one has the chance (1-p)^(n-1) (1+(n-1)p)
	for _, n := range []float64{10_000, 1_000_000} {
		p := ClopperPearson(1, int64(n), 0.999999).Hi
		near(t, "far out, one", math.Exp((n-1)*math.Log1p(-p))*(1+(n-1)*p)/5e-7, 1, 1e-3, 0)
	}
	c := ClopperPearson(1, 2, 0.95)
	near(t, "exact, 1 of 2, lo", c.Lo, 1-math.Sqrt(0.975), 1e-9, 0)
	near(t, "exact, 1 of 2, hi", c.Hi, math.Sqrt(0.975), 1e-9, 0)
	for _, f := range []func(k, n int64, level float64) Estimate{Wilson, ClopperPearson} {
		for _, n := range []int64{0, -1} {
			if s := f(0, n, 0.95); s.Value != 0.5 || s.Interval != (Interval{Lo: 0, Hi: 1}) || s.N != 0 {
				t.Errorf("%d games: %+v, want no information", n, s)
			}
		}
	}
}

// The first player's score of ten games, 6 won, 2 drawn, 2 lost: the mean is 0.7, the variance (6·1 + 2·0.25)/10 - 0.49
// = 0.16, the error sqrt(0.16/9). The interval is Wilson's for 0.7·0.3/(0.16/9) trials, with Student's quantile of 9
// degrees of freedom. Pairs and decided games are worked out likewise.
func TestFirstPlayerByHand(t *testing.T) {
	t.Parallel()
	in := func(stratum string) func(string) bool { return func(s string) bool { return s == stratum } }
	table := build(t, all(count("a", "b", 4, 1, 0), count("b", "a", 2, 1, 2)))
	f := table.FirstPlayer(0.95, in(""))
	se := math.Sqrt(0.16 / 9)
	near(t, "score", f.Value, 0.7, 1e-12, 0)
	near(t, "error", f.SE, se, 1e-12, 0)
	_, want := wilson(0.7, 0.7*0.3/(se*se), t9)
	near(t, "lo", f.Lo, want.Lo, 1e-9, 0)
	near(t, "hi", f.Hi, want.Hi, 1e-9, 0)
	if d := table.FirstDecisive(0.95, in("")); d.Value != 0.75 || d.N != 8 || d.Unit != "decisive games" || f.N != 10 {
		t.Errorf("score %+v, of decisive games %+v", f, d)
	}
	// Pairs: twenty of (first wins, first wins), ten of (draw, second wins), in x alone: sums 2 and 0.5 of 1.5 on
	// average, squares 20·0.25 + 10·1 = 15.
	table = build(t, func(b *Builder) error {
		return errors.Join(b.AddPairs("a", "b", "x", FirstWins, FirstWins, 20), b.AddPairs("b", "a", "x", Draw, SecondWins, 10),
			b.AddCount("a", "b", "y", 1, 0, 2))
	})
	f = table.FirstPlayer(0.95, in("x"))
	near(t, "pair score", f.Value, 0.75, 1e-12, 0)
	near(t, "pair error", f.SE, math.Sqrt(15.0/3600*30/29), 1e-12, 0)
	if f.N != 60 {
		t.Errorf("%d games", f.N)
	}
	// Of the 50 decided games 40 are the first player's, by pair 2 of 2 and 0 of 1: 20·0.4² + 10·0.8² = 9.6 is the sum of
	// squares, and 50²/(20·2² + 10) = 250/9 is the effective number of pairs.
	d := table.FirstDecisive(0.95, in("x"))
	near(t, "share of decided games", d.Value, 0.8, 1e-12, 0)
	near(t, "its error by pair", d.SE, math.Sqrt(9.6/2500*250/241), 1e-12, 0)
	// Two pairs that one seat won are two trials, not four: Wilson's bound of 2 of 2 is 2/(2 + 1.96²).
	won := build(t, func(b *Builder) error { return b.AddPairs("a", "b", "x", FirstWins, FirstWins, 2) })
	near(t, "bound of split pairs", won.FirstPlayer(0.95, in("x")).Lo, 2/(2+3.8414588), 1e-6, 0)
}

// A match by hand: 3 losses, 2 draws, 5 wins. The mean is 0.6, the variance (2·0.25+5)/10 - 0.36 = 0.19, the error
// sqrt(0.19/9).
func TestMatchByHand(t *testing.T) {
	t.Parallel()
	m := must.Get(AnalyzeMatch([]float64{3, 2, 5}, 0.95))(t)
	se := math.Sqrt(0.19 / 9)
	near(t, "score", m.Score.Value, 0.6, 1e-12, 0)
	near(t, "error", m.Score.SE, se, 1e-12, 0)
	near(t, "Elo", m.Elo.Value, 400*math.Log10(0.6/0.4), 1e-9, 0)
	elo := func(s float64) float64 { return 400 * math.Log10(s/(1-s)) }
	near(t, "lo", m.Elo.Interval.Lo, elo(0.6-t9*se), 1e-6, 0)
	near(t, "hi", m.Elo.Interval.Hi, elo(0.6+t9*se), 1e-6, 0)
	near(t, "LOS", m.LOS, 0.5*math.Erfc(-0.1/se/math.Sqrt2), 1e-12, 0)
	near(t, "normalized", m.Normalized.Value, 0.1/math.Sqrt(0.19)*800/math.Ln10, 1e-9, 0)
	near(t, "its error", m.Normalized.SE, 800/math.Ln10*math.Sqrt((1+0.01/0.19/2)/10), 1e-9, 0)
	if m.Score.N != 10 || m.Score.Unit != "games" || len(m.Warnings) != 0 {
		t.Errorf("%+v", m)
	}
	// As pairs, (3, 0, 2, 0, 5), the mean is the same; σ is that of one game, sqrt(2) times that of a pair's mean.
	p := must.Get(AnalyzeMatch([]float64{3, 0, 2, 0, 5}, 0.95))(t)
	near(t, "normalized of pairs", p.Normalized.Value, 0.1/math.Sqrt(2*0.19)*800/math.Ln10, 1e-9, 0)
	near(t, "its error of pairs", p.Normalized.SE, 800/math.Ln10/math.Sqrt2*math.Sqrt((1+0.01/0.19/2)/10), 1e-9, 0)
	if p.Score.Unit != "pairs" || p.Score.SE != m.Score.SE {
		t.Errorf("%+v", p)
	}
	// Nine are too few: the exact binomial interval of 6 of 9, and odds with one virtual win and loss, 7 against 4.
	few := must.Get(AnalyzeMatch([]float64{3, 0, 6}, 0.95))(t)
	exact := ClopperPearson(6, 9, 0.95)
	near(t, "lo of nine", few.Elo.Interval.Lo, elo(exact.Interval.Lo), 1e-9, 0)
	near(t, "hi of nine", few.Elo.Interval.Hi, elo(exact.Interval.Hi), 1e-9, 0)
	near(t, "LOS of nine", few.LOS, 0.5*math.Erfc(-3/math.Sqrt(11)/math.Sqrt2), 1e-12, 0)
	if len(few.Warnings) != 1 || few.Score.SE != exact.SE || few.Normalized.Value != 0 {
		t.Errorf("%+v", few)
	}
	none, err := AnalyzeMatch([]float64{0, 0, 0}, 0.95)
	if err != nil || none.LOS != 0.5 || none.Score.Value != 0.5 || !none.Elo.Interval.LoOpen ||
		!none.Elo.Interval.HiOpen || len(none.Warnings) != 1 {
		t.Errorf("%+v, %v", none, err)
	}
	for counts, open := range map[[3]float64][2]bool{
		{0, 0, 4}: {false, true}, {4, 0, 0}: {true, false},
		{3, 0, 6}: {false, false},
	} {
		m, err := AnalyzeMatch(counts[:], 0.95)
		if err != nil || m.Elo.Interval.LoOpen != open[0] || m.Elo.Interval.HiOpen != open[1] {
			t.Errorf("%v: %+v, %v", counts, m.Elo.Interval, err)
		}
	}
	for _, level := range []float64{0, 1, math.NaN()} {
		if _, err := AnalyzeMatch([]float64{1, 1, 1}, level); !errors.Is(err, ErrOptions) {
			t.Errorf("level %v: %v", level, err)
		}
	}
}

// The closed form 2·ceil((z + z_power)²·v/gap²) and its inverses. At 100 Elo the gap is 1/(1+10^(-1/4)) - 1/2 =
// 0.140065, so with v = 0.113 45.2 pairs, 46.
func TestPlanByHand(t *testing.T) {
	t.Parallel()
	gap := 1/(1+math.Pow(10, -0.25)) - 0.5
	p := Plan{Elo: 100, PairVariance: 0.113}
	pairs := (z975 + z80) * (z975 + z80) * 0.113 / (gap * gap)
	if games, err := p.GamesNeeded(); err != nil || games != 92 || math.Ceil(pairs) != 46 {
		t.Errorf("%d games, %v; want 92 (%.2f pairs)", games, err, pairs)
	}
	phi := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	shift := gap / math.Sqrt(0.113/46)
	power := must.Get(p.PowerOf(92))(t)
	near(t, "power", power, phi(shift-z975)+phi(-shift-z975), 1e-9, 0)
	elo, half := must.Get2(p.Detectable(92))(t)
	near(t, "detectable gap", ExpectedScore(elo)-0.5, (z975+z80)*math.Sqrt(0.113/46), 1e-5, 0)
	// The half-width is z·sqrt(v/pairs) over the slope of the score at equality, ln 10/1600 an Elo.
	near(t, "half-width", half, z975*math.Sqrt(0.113/46)/(math.Ln10/1600), 1e-6, 0)
	// The variance of a pair's mean: (¼ - d/4)(1+r)/2 at equality; twice the correlation term, twice the games.
	for _, c := range []struct{ draws, r, variance float64 }{
		{0, 0, 0.125},
		{0.5, 0, 0.0625},
		{0, 0.5, 0.1875},
		{0.5, -0.5, 0.03125},
	} {
		p := Plan{DrawRate: c.draws, PairCorrelation: c.r}
		_, half := must.Get2(p.Detectable(2))(t)
		near(t, "half-width of one pair", half, z975*math.Sqrt(c.variance)/(math.Ln10/1600), 1e-6, 0)
	}
	for name, bad := range map[string]Plan{
		"alpha": {Alpha: 1}, "power": {Power: 0.025}, "draws": {DrawRate: 1}, "correlation": {PairCorrelation: -1},
		"variance":   {PairVariance: 0.26},
		"difference": {Elo: 2001}, "no difference": {PairVariance: 0.1},
		"more games than there are": {Elo: 1e-7, PairVariance: 0.1},
	} {
		if _, err := bad.GamesNeeded(); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What to expect of a sequential test, by Wald: half way between symmetric hypotheses either verdict is as likely,
// after (ln 19)²·v/d² pairs; under a hypothesis the verdict is wrong with 5 %, after 0.9·ln 19/(d²/2v) pairs, d being
// the difference of the scores.
func TestExpectByHand(t *testing.T) {
	t.Parallel()
	d := 2 * (1/(1+math.Pow(10, -50.0/400)) - 0.5)
	const v = 0.113
	for _, c := range []struct{ elo, h1, pairs float64 }{
		{0, 0.5, ln19 * ln19 * v / (d * d)},
		{50, 0.95, 0.9 * ln19 * 2 * v / (d * d)},
		{-50, 0.05, 0.9 * ln19 * 2 * v / (d * d)},
	} {
		e := must.Get(SPRT{Elo0: -50, Elo1: 50}.Expect(Plan{Elo: c.elo, PairVariance: v}))(t)
		near(t, "accepted", e.AcceptH1, c.h1, 1e-9, 0)
		near(t, "rejected", e.AcceptH0, 1-c.h1, 1e-9, 0)
		near(t, "games", e.Games, 2*c.pairs, 1e-6, 0)
	}
	// In normalized Elo the difference of the scores is that of t times σ of a game, sqrt(2v).
	d = 100 * math.Ln10 / 800 * math.Sqrt(2*v)
	e := must.Get(SPRT{Model: BoundsNormalized, Elo0: -50, Elo1: 50}.Expect(Plan{PairVariance: v}))(t)
	near(t, "games by normalized bounds", e.Games, 2*ln19*ln19*v/(d*d), 1e-6, 0)
	near(t, "accepted by normalized bounds", e.AcceptH1, 0.5, 1e-9, 0)
	if _, err := (SPRT{Elo0: 5}).Expect(Plan{}); err == nil {
		t.Error("hypotheses in the wrong order were taken")
	}
}

// The logistic scale by hand: 400 Elo are odds of ten to one.
func TestScale(t *testing.T) {
	t.Parallel()
	near(t, "400", ExpectedScore(400), 10.0/11, 1e-12, 0)
	near(t, "-400", ExpectedScore(-400), 1.0/11, 1e-12, 0)
	near(t, "0", ExpectedScore(0), 0.5, 0, 0)
	near(t, "far", ExpectedScore(-40000), 0, 1e-90, 0)
	near(t, "far above", ExpectedScore(1e6), 1, 0, 0)
	near(t, "inverse", EloOfScore(10.0/11), 400, 1e-9, 0)
	for score, want := range map[float64]float64{0: -4000, -1: -4000, 1: 4000, 2: 4000, 0.5: 0, 1e-300: -4000} {
		if got := EloOfScore(score); got != want {
			t.Errorf("score %g is %g Elo, want %g", score, got, want)
		}
	}
	for _, x := range []float64{-30, -3, -1e-9, 0, 1e-9, 3, 30} {
		near(t, "sum", logistic(x)+logistic(-x), 1, 1e-15, 0)
	}
}
