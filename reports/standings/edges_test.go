package standings

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
)

// rated is a pool of rules x in which agents have met in pairs of games, so often with each number of half points of the first named.
func rated(t *testing.T, pairs map[[2]string][5]int64) *Pool {
	t.Helper()
	var b ratings.Builder
	for who, n := range pairs {
		for points, r := range [5][2]ratings.Outcome{{ratings.SecondWins, ratings.FirstWins}, {ratings.Draw, ratings.FirstWins}, {ratings.Draw, ratings.Draw}, {ratings.FirstWins, ratings.Draw}, {ratings.FirstWins, ratings.SecondWins}} {
			if n[points] == 0 {
				continue
			}
			if err := b.AddPairs(who[0], who[1], "x", r[0], r[1], n[points]); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := &Pool{Rules: "x", Title: "x", Table: b.Table()}
	if err := p.Rate(ratings.Options{PerStratum: true}); err != nil {
		t.Fatal(err)
	}
	return p
}

// A score's interval is over pairs where all games are in pairs, whatever points they have; otherwise over games.
func TestIntervalsOverPairs(t *testing.T) {
	t.Parallel()
	counts := [5]int64{3, 5, 7, 11, 13}
	p := rated(t, map[[2]string][5]int64{{"a", "b"}: counts})
	var five []float64
	for _, n := range counts {
		five = append(five, float64(n))
	}
	want, err := ratings.AnalyzeMatch(five, p.Fit.Level)
	if err != nil {
		t.Fatal(err)
	}
	m := p.matchesOf(func(string, string) bool { return true })[0]
	if math.Abs(*m.Score.Lo-ratings.ExpectedScore(want.Elo.Interval.Lo)) > 1e-6 || math.Abs(*m.Score.Hi-ratings.ExpectedScore(want.Elo.Interval.Hi)) > 1e-6 || m.Games != 78 || m.Points != 3*0+5*0.5+7+11*1.5+13*2 {
		t.Errorf("%+v, %g to %g; want %+v", m, *m.Score.Lo, *m.Score.Hi, want.Elo.Interval)
	}
	games := ratings.Count{Wins: 40, Draws: 20, Losses: 20} // two more than are in pairs
	single, err := ratings.AnalyzeMatch([]float64{20, 20, 40}, p.Fit.Level)
	if err != nil {
		t.Fatal(err)
	}
	if lo, hi := p.scoreInterval("a", "b", games); math.Abs(lo-ratings.ExpectedScore(single.Elo.Interval.Lo)) > 1e-6 || math.Abs(hi-ratings.ExpectedScore(single.Elo.Interval.Hi)) > 1e-6 {
		t.Errorf("over games: %g to %g, want %+v", lo, hi, single.Elo.Interval)
	}
	if lo, hi := p.scoreInterval("a", "nobody", ratings.Count{}); lo != 0 || hi != 1 {
		t.Errorf("of no games: %g to %g", lo, hi)
	}
}

// The match-ups that are wanted are listed, and no others; a rating has the best agents first, whatever their names.
func TestWantedMatchUps(t *testing.T) {
	t.Parallel()
	won, even := [5]int64{4: 8, 2: 4, 0: 2}, [5]int64{4: 4, 2: 4, 0: 4}
	p := rated(t, map[[2]string][5]int64{{"b", "a"}: won, {"b", "c"}: won, {"c", "a"}: even})
	var got []string
	for _, m := range p.matchesOf(func(a, b string) bool { return a == "a" }) {
		got = append(got, m.Agent+m.Opponent)
	}
	if !slices.Equal(got, []string{"ab", "ac"}) {
		t.Errorf("%v", got)
	}
	order := func(p *Pool) (out string) {
		r, err := p.RatingJSON(Extras{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Players {
			out += x.Agent
		}
		return out
	}
	if got := order(p); got != "bac" && got != "bca" {
		t.Errorf("b is the best of %s", got)
	}
	if got := order(rated(t, map[[2]string][5]int64{{"c", "b"}: won, {"b", "a"}: won, {"c", "a"}: won})); got != "cba" {
		t.Errorf("c is better than b, and b than a: %s", got)
	}
}

// Zero has no sign: neither an advantage in an object nor a rating in a table.
func TestNoNegativeZero(t *testing.T) {
	t.Parallel()
	p := rated(t, map[[2]string][5]int64{{"a", "b"}: {2: 4, 4: 3, 0: 3}})
	p.Fit.Advantages[0].Elo.Value = math.Copysign(0, -1)
	r, err := p.RatingJSON(Extras{})
	if err != nil || r.Advantage == nil || math.Signbit(*r.Advantage) || math.Signbit(r.Advantages[0].Elo) {
		t.Errorf("%+v, %v", r.Advantages, err)
	}
	for i := range p.Fit.Players {
		p.Fit.Players[i].Elo.Value = -1e-6
	}
	var b bytes.Buffer
	if err := WriteCSV(&b, []*Pool{p}); err != nil || strings.Contains(b.String(), "-0.0000,") || !strings.Contains(b.String(), ",0.0000,") {
		t.Errorf("%v\n%s", err, &b)
	}
}

// Only drawn games decide nothing, and so have no share of the decided ones; a bound is open beyond what games can give.
func TestSharesOfDecidedGames(t *testing.T) {
	t.Parallel()
	for want, pairs := range map[bool][5]int64{false: {2: 9}, true: {2: 9, 4: 1}} {
		if a := rated(t, map[[2]string][5]int64{{"a", "b"}: pairs}).advantages(); len(a) != 1 || a[0].Score == nil || (a[0].Decisive != nil) != want {
			t.Errorf("decided %t: %+v", want, a)
		}
	}
	var b ratings.Builder
	for _, r := range []ratings.Outcome{ratings.Draw, ratings.Draw, ratings.FirstWins} { // one decided game is enough
		if err := b.Add(ratings.Game{First: "a", Second: "b", Result: r, Stratum: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	one := &Pool{Rules: "x", Table: b.Table()}
	if err := one.Rate(ratings.Options{PerStratum: true}); err != nil {
		t.Fatal(err)
	}
	if a := one.advantages(); len(a) != 1 || a[0].Decisive == nil {
		t.Errorf("%+v", a)
	}
	for x, want := range map[float64]bool{0: true, farAway: true, -farAway: true, farAway + 1: false, math.Inf(1): false, math.NaN(): false} {
		if got := Bound(x, false); (got != nil) != want || want && *got != x {
			t.Errorf("%g: %v", x, got)
		}
		if Bound(x, true) != nil {
			t.Errorf("%g is open", x)
		}
	}
}

// What agents are worth where cycles count is told on request, cycles or none; without, only where they are more than noise.
func TestCyclesOnRequest(t *testing.T) {
	t.Parallel()
	p := rated(t, map[[2]string][5]int64{{"a", "b"}: {2: 8, 4: 2, 0: 2}})
	for _, detail := range []bool{true, false} {
		x, err := p.Intransitivity(detail)
		if err != nil || *x.Corrected > 0 || len(x.Agents) != map[bool]int{true: 2, false: 0}[detail] || len(x.Worst) != 1 {
			t.Fatalf("asked %t: %+v, %v", detail, x, err)
		}
	}
	for distinct, want := range map[int64]string{0: "x: 24 games; ", 1: "x: 24 games, 1 distinct; "} {
		p.Played, p.Distinct = 24, distinct
		var b bytes.Buffer
		if err := p.Text(&b, Extras{}); err != nil || !strings.HasPrefix(b.String(), want) {
			t.Errorf("want %q, %v\n%s", want, err, &b)
		}
	}
}

// Of agents whose ratings change from game to game the one that changes most is named, the first of those that change alike.
func TestMostSpread(t *testing.T) {
	t.Parallel()
	var b ratings.Builder
	// The first scores 75 % in one game and 25 % in the other; c and d do so the other way round, by less.
	for _, x := range []struct {
		a, b, game string
		wins       int64
	}{{"a", "b", "x", 75}, {"a", "b", "y", 25}, {"c", "d", "x", 40}, {"c", "d", "y", 60}, {"a", "c", "x", 50}, {"a", "c", "y", 50}, {"b", "d", "x", 50}, {"b", "d", "y", 50}} {
		if err := b.AddCount(x.a, x.b, x.game, x.wins, 0, 100-x.wins); err != nil {
			t.Fatal(err)
		}
		if err := b.AddCount(x.b, x.a, x.game, 100-x.wins, 0, x.wins); err != nil {
			t.Fatal(err)
		}
	}
	p := Pool{Table: b.Table()}
	if err := p.Rate(ratings.Options{PerStratum: true}); err != nil {
		t.Fatal(err)
	}
	if got := p.spread([]string{"x", "y"}); !strings.HasPrefix(got, "; a has ") && !strings.HasPrefix(got, "; b has ") {
		t.Error(got)
	}
}

// Each place of the live view has its number from 1, and its line the leader's own rating and interval.
func TestPlacesOfTheLiveView(t *testing.T) {
	t.Parallel()
	l := NewLive("c", nil)
	pair := int64(0)
	for _, x := range [][2]string{{"b", "a"}, {"b", "c"}, {"a", "c"}} {
		for i := range 6 {
			second := engines.SecondWins // the first named wins from both seats, but once
			if i == 0 {
				second = engines.FirstWins
			}
			l.Add(LiveGame{Rules: "x", First: x[0], Second: x[1], Pair: pair, Result: engines.FirstWins})
			l.Add(LiveGame{Rules: "x", First: x[1], Second: x[0], Pair: pair, Result: second})
			pair++
		}
	}
	var places []string
	for line := range strings.Lines(l.Text()) {
		if words := strings.Fields(line); len(words) > 2 && len(words[1]) == 1 {
			places = append(places, words[0]+words[1])
		}
	}
	if !slices.Equal(places, []string{"1b", "2a", "3c"}) {
		t.Errorf("%q in\n%s", places, l.Text())
	}
	best := l.Players()[0]
	if want := "b leads, Elo " + signed(best.Elo.Value) + " (" + eloInterval(best.Elo.Value, best.Elo.Interval) + "); "; !strings.HasPrefix(l.Line(), want) {
		t.Errorf("%q, want %q", l.Line(), want)
	}
}

// A worker's only game is compared with those of others; who has none of a match-up has nothing to compare.
func TestWorkerOfOneGame(t *testing.T) {
	t.Parallel()
	got := workers([]store.Cell{
		{Worker: "a", Rules: 1, First: 1, Second: 2, Games: 1, Points: 1, Squares: 1},
		{Worker: "b", Rules: 1, First: 1, Second: 2, Games: 3, Points: 1, Squares: 1},
		{Worker: "c", Rules: 1, First: 1, Second: 2, Faults: 2},
	}, nil)
	// Of four games 2 points: a mean of one half, and a spread of a quarter; a scores 1, b a third.
	want := (1 - 1.0/3) / math.Sqrt(0.25*(1+1.0/3))
	if len(got) != 3 || got[0].Compared != 1 || got[0].Residual == nil || math.Abs(*got[0].Residual-want) > 1e-12 || got[1].Compared != 3 || got[2].Compared != 0 || got[2].Residual != nil || got[2].Faults != 2 {
		t.Errorf("%+v", got)
	}
}

// Games that do not count are counted apart, each kind by itself; the place of a pair is empty when it is used again.
func TestGamesThatDoNotCount(t *testing.T) {
	t.Parallel()
	c := newCollector()
	for i, m := range []evidence.Marks{evidence.Surplus, evidence.Surplus, evidence.Pending, evidence.Mirror, evidence.Mirror, evidence.Mirror, evidence.Training, evidence.Repeated, 0} {
		c.add(&store.Brief{Rules: 1, First: 1, Second: 2, Event: 1, Pair: int64(i), Hash: int64(i), Marks: m})
	}
	if s := c.rules[1]; s.surplus != 2 || s.pending != 1 || s.mirrored != 3 || s.repeated != 1 || s.played != 2 || len(c.open) != 1 {
		t.Errorf("%+v, %d pairs are open", s, len(c.open))
	}
	used := &openPair{games: make([]played, 2)}
	c.close(used)
	if again := c.fresh(); again != used || len(again.games) != 0 || len(c.spare) != 0 {
		t.Errorf("%d games of a pair before", len(again.games))
	}
	for want, keys := range map[int64][]uint64{2: {0, 0, 2}, 3: {0, 2, 1, 3}, 1: {1, 0}} { // 0 stands for a free place, and is counted as 1
		var d distinct
		for _, key := range keys {
			d.add(key)
		}
		if n, exact := d.count(); n != want || !exact {
			t.Errorf("%d different keys of %v, want %d", n, keys, want)
		}
	}
}
