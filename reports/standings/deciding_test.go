package standings

import (
	"fmt"
	"strings"
	"testing"

	"spar/arena/evidence"
	"spar/engines"
	"spar/ratings"
)

// Equal games are noted where fewer than nine in ten differ; where the moves are not known, as in results from elsewhere, nothing is
// said. Games left out and forfeits are counted in a note each, one is enough.
func TestWhatIsNoted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pool Pool
		want string // of the notes, in order
	}{
		{Pool{Played: 100, Distinct: 100}, ""},
		{Pool{Played: 100, Distinct: 90}, ""},
		{Pool{Played: 100, Distinct: 89}, "only 89 of 100 games (89 %) are distinct"},
		{Pool{Played: 100, Distinct: 89, estimated: true}, "only about 89 of 100 games (89 %) are distinct"},
		{Pool{Played: 100, Distinct: 1}, "only 1 of 100 games (1 %) are distinct"},
		{Pool{Played: 100}, ""},
		{Pool{Played: 100, Distinct: 100, repeated: 1}, "1 games between agents that always answer alike"},
		{Pool{Played: 100, Distinct: 100, mirrored: 1}, "1 games of agents against themselves"},
		{Pool{Played: 100, Distinct: 100, Faults: map[string]int64{"a": 1, "b": 2}}, "3 of 100 games were forfeited"},
		{Pool{Played: 100, Distinct: 100, Faults: map[string]int64{"a": 0}}, ""},
	} {
		var b ratings.Builder
		for _, names := range [][2]string{{"a", "b"}, {"b", "a"}} {
			if err := b.AddCount(names[0], names[1], "x", 25, 10, 15); err != nil {
				t.Fatal(err)
			}
		}
		p := c.pool
		p.Table = b.Table()
		if err := p.Rate(ratings.Options{}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range p.notes {
			if !strings.Contains(n, "cluster") {
				got = append(got, n)
			}
		}
		if c.want == "" && len(got) != 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%d played, %d distinct: %q, want %q", p.Played, p.Distinct, got, c.want)
		}
	}
}

// An anchor with games stands where it is put; one without leaves the mean at 0 and says so; none is asked for says nothing.
func TestAnchors(t *testing.T) {
	t.Parallel()
	for anchor, want := range map[string]float64{"": 0, "a": 1500, "nobody": 0} {
		var b ratings.Builder
		if err := b.AddCount("a", "b", "x", 25, 10, 15); err != nil {
			t.Fatal(err)
		}
		if err := b.AddCount("b", "a", "x", 15, 10, 25); err != nil {
			t.Fatal(err)
		}
		p := Pool{Table: b.Table(), Played: 100}
		if err := p.Rate(ratings.Options{Anchor: anchor, AnchorElo: 1500}); err != nil {
			t.Fatal(err)
		}
		got := p.Row("a").Elo.Value
		if anchor != "a" {
			got += p.Row("b").Elo.Value
		}
		said := strings.Contains(strings.Join(p.notes, "\n"), "has no games here")
		if got-want > 1e-6 || want-got > 1e-6 || said != (anchor == "nobody") {
			t.Errorf("anchor %q: %g, want %g; said %t", anchor, got, want, said)
		}
	}
}

// One rating per agent is contradicted where the test says so after Holm, on ten games a match-up at least. Three p-values of 0.02
// become 0.06 each; alone it counts.
func TestMisfits(t *testing.T) {
	t.Parallel()
	pool := func(p float64, df int, games ...int64) *Pool {
		out := &Pool{Lack: ratings.LackOfFit{P: p, DF: df}}
		for _, n := range games {
			out.Lack.Pairs = append(out.Lack.Pairs, ratings.PairResidual{Games: n})
		}
		return out
	}
	for _, c := range []struct {
		pools []*Pool
		want  string
	}{
		{[]*Pool{pool(0.02, 1, 10)}, "true"},
		{[]*Pool{pool(0.05, 1, 10)}, "false"},
		{[]*Pool{pool(0.02, 0, 10)}, "false"},
		{[]*Pool{pool(0.02, 1, 9)}, "false"},
		{[]*Pool{pool(0.02, 1, 9, 11)}, "true"},
		{[]*Pool{pool(0.02, 1, 9, 10)}, "false"},
		{[]*Pool{pool(0.02, 1, 10), pool(0.02, 1, 10), pool(0.02, 1, 10)}, "false false false"},
		{[]*Pool{pool(0.02, 1, 10), pool(0.9, 1, 10), pool(0.0001, 1, 10)}, "true false true"},
	} {
		MarkMisfits(c.pools)
		var got []string
		for _, p := range c.pools {
			got = append(got, fmt.Sprint(p.Misfit))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
}

// A p-value is never 0, and the score of the first player is that of pairs where a quarter of the games at least stand in pairs of
// which there are two.
func TestSmallNumbers(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]string{0: "p < 0.0001", 0.00009: "p < 0.0001", 0.0001: "p = 0.0001", 0.5: "p = 0.5000"} {
		if got := pValue(p); got != want {
			t.Errorf("%g: %s", p, got)
		}
	}
	for _, c := range []struct {
		pairs, games int64
		want         string
	}{{1, 4, "games"}, {2, 8, "pairs"}, {2, 9, "games"}, {50, 100, "pairs"}, {0, 0, "games"}, {1, 2, "games"}} {
		s := ratings.FirstShare{Games: ratings.Count{Wins: c.games}, Score: ratings.Estimate{N: 1000}, PairScore: ratings.Estimate{N: c.pairs}}
		got := "pairs"
		if ScoreShare(s).N == 1000 {
			got = "games"
		}
		if got != c.want {
			t.Errorf("%d pairs of %d games: over %s, want %s", c.pairs, c.games, got, c.want)
		}
	}
}

// Games whose pair is no pair are rated one by one: of other seats, other rules, a fault in one of them, or one that does not count.
// A pair is told from the first agent's side.
func TestLivePairs(t *testing.T) {
	t.Parallel()
	game := func(rules, first, second string, r engines.Result, m evidence.Marks) LiveGame {
		return LiveGame{Rules: rules, First: first, Second: second, Result: r, Marks: m}
	}
	const w, l, d = engines.FirstWins, engines.SecondWins, engines.Drawn
	for _, c := range []struct {
		a, b  LiveGame
		penta [5]float64
		games int64 // rated
	}{
		{game("x", "a", "b", w, 0), game("x", "b", "a", l, 0), [5]float64{4: 1}, 2},
		{game("x", "a", "b", l, 0), game("x", "b", "a", w, 0), [5]float64{0: 1}, 2},
		{game("x", "b", "a", l, 0), game("x", "a", "b", d, 0), [5]float64{3: 1}, 2},
		{game("x", "b", "a", w, 0), game("x", "a", "b", d, 0), [5]float64{1: 1}, 2},
		{game("x", "a", "b", w, 0), game("x", "a", "b", l, 0), [5]float64{}, 2},
		{game("x", "a", "b", w, 0), game("x", "c", "a", l, 0), [5]float64{}, 2},
		{game("x", "a", "b", w, 0), game("x", "b", "c", l, 0), [5]float64{}, 2},
		{game("x", "a", "b", w, 0), game("y", "b", "a", l, 0), [5]float64{}, 2},
		{game("x", "a", "b", w, evidence.Forfeit), game("x", "b", "a", l, 0), [5]float64{}, 2},
		{game("x", "a", "b", w, evidence.Surplus), game("x", "b", "a", l, 0), [5]float64{}, 1},
		{game("x", "a", "b", w, 0), game("x", "b", "a", l, evidence.Surplus), [5]float64{}, 1},
		{game("x", "a", "b", w, evidence.Surplus), game("x", "b", "a", l, evidence.Surplus), [5]float64{}, 0},
	} {
		live := NewLive("a", nil)
		live.Add(c.a)
		live.Add(c.b)
		if n := live.builder.Table().Games(); live.penta != c.penta || n != c.games || len(live.open) != 0 {
			t.Errorf("%+v and %+v: %v, %d games rated; want %v, %d", c.a, c.b, live.penta, n, c.penta, c.games)
		}
	}
	// Thirteen agents are one more than there is room for.
	live := NewLive("a0", nil)
	for i := range 13 {
		name, next := fmt.Sprint("a", i), fmt.Sprint("a", (i+1)%13)
		for _, g := range []LiveGame{game("x", name, next, w, 0), game("x", next, name, w, 0)} {
			g.Pair = int64(i)
			live.Add(g)
		}
		if text := live.Text(); strings.Contains(text, "more") != (i >= 11) || i == 12 && !strings.Contains(text, "and 1 more") {
			t.Errorf("after %d pairs:\n%s", i+1, text)
		}
	}
}

// Beyond its bound the count of different keys is an estimate that keeps half of them, and says so.
func TestDistinctAtItsBound(t *testing.T) {
	t.Parallel()
	var d distinct
	key := uint64(0)
	for range mostKeys {
		key += oddKey
		d.add(key)
		d.add(key)
	}
	if n, exact := d.count(); n != mostKeys || !exact {
		t.Errorf("%d, exact %t; want %d", n, exact, mostKeys)
	}
	d.add(key + oddKey)
	if n, exact := d.count(); exact || n < mostKeys*99/100 || n > mostKeys*101/100 || d.zeros != 1 {
		t.Errorf("%d, exact %t, %d zeros", n, exact, d.zeros)
	}
}

// The line of a game: who is the strongest, as far as ranks are decided, and whether moving first helps.
func TestLineOfAGame(t *testing.T) {
	t.Parallel()
	// Results of a match-up in 2n games of n pairs, by the score of the first named in percent; even is what both seats score.
	type match struct {
		a, b  string
		score int64
	}
	all := func(names string, score func(i, j int) int64) (out []match) {
		for i, a := range names {
			for j, b := range names {
				if i < j {
					out = append(out, match{string(a), string(b), score(i, j)})
				}
			}
		}
		return out
	}
	even := func(int, int) int64 { return 50 }
	for _, c := range []struct {
		name    string
		matches []match
		n       int64
		first   int64 // added to the first player's score in percent
		leads   string
		moving  string
	}{
		{"nothing", nil, 1, 0, "no games that count", ""},
		{"groups", []match{{"a", "b", 90}, {"c", "d", 90}}, 400, 0, "not comparable", "hardly matters"},
		{"two lead, one is last", all("abc", func(_, j int) int64 { return []int64{0, 50, 90}[j] }), 400, 0, "a or b", "hardly matters"},
		{"four lead", all("abcdef", func(i, j int) int64 { return map[bool]int64{true: 95, false: 50}[i < 4 && j >= 4] }), 400, 0, "undecided between 4 agents", "hardly matters"},
		{"one leads", all("abc", func(i, _ int) int64 { return []int64{90, 50}[i] }), 400, 0, "a", "hardly matters"},
		{"first", all("ab", even), 400, 10, "undecided", "helps"},
		{"second", all("ab", even), 400, -10, "undecided", "hurts"},
		{"no matter", all("ab", even), 2000, 0, "undecided", "hardly matters"},
		{"open", all("ab", even), 100, 0, "undecided", "undecided"},
	} {
		var b ratings.Builder
		for _, m := range c.matches {
			if err := b.AddCount(m.a, m.b, "x", c.n*(m.score+c.first)/100, 0, c.n*(100-m.score-c.first)/100); err != nil {
				t.Fatal(err)
			}
			if err := b.AddCount(m.b, m.a, "x", c.n*(100-m.score+c.first)/100, 0, c.n*(m.score-c.first)/100); err != nil {
				t.Fatal(err)
			}
		}
		p := &Pool{Rules: "x", Title: "x", Table: b.Table()}
		if err := p.Rate(ratings.Options{}); err != nil {
			t.Fatal(err)
		}
		if _, _, moving := p.firstMove(); p.leaders() != c.leads || moving != c.moving {
			t.Errorf("%s: %q, moving first %q; want %q, %q", c.name, p.leaders(), moving, c.leads, c.moving)
		}
	}
}
