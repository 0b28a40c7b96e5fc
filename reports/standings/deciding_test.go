package standings

import (
	"fmt"
	"strings"
	"testing"

	"spar/ratings"
)

// One rating per agent is contradicted where the test says so after Holm, on ten games a match-up at least. Three
// p-values of 0.02 become 0.06 each; alone it counts.
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

// The line of a game: who is the strongest, as far as ranks are decided, and whether moving first helps.
func TestLineOfAGame(t *testing.T) {
	t.Parallel()
	// Results of a match-up in 2n games of n pairs, by the score of the first named in percent; even is what both seats
	// score.
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
		{
			"two lead, one is last", all("abc", func(_, j int) int64 { return []int64{0, 50, 90}[j] }), 400, 0, "a or b",
			"hardly matters",
		},
		{
			"four lead", all("abcdef", func(i, j int) int64 { return map[bool]int64{true: 95, false: 50}[i < 4 && j >= 4] }),
			400, 0, "undecided between 4 agents", "hardly matters",
		},
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
