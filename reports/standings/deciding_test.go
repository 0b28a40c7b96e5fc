package standings

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"spar/configs/must"
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

// The bound on the difference of the strongest is that of any two candidates: a and b are equal in 400 games, c is tied to
// them by 20 games of b, whose score of 1/2 has a 95 % interval of about 150 Elo. Who has no bound is said of each game.
func TestUndecidedOfAllCandidates(t *testing.T) {
	t.Parallel()
	pool := func(title string, results map[string][2]int64) *Pool { // wins and losses of the first, half in each seat
		var b ratings.Builder
		for pair, n := range results {
			must.Do(t, errors.Join(b.AddCount(pair[:1], pair[1:], title, n[0]/2, 0, n[1]/2),
				b.AddCount(pair[1:], pair[:1], title, n[1]/2, 0, n[0]/2)))
		}
		p := &Pool{Title: title, Rules: title, Table: b.Table()}
		must.Do(t, p.Rate(ratings.Options{}))
		return p
	}
	text := strings.Join(Undecided([]*Pool{
		pool("even", map[string][2]int64{"ab": {200, 200}, "bc": {10, 10}}),
		pool("lost", map[string][2]int64{"ab": {40, 20}, "bc": {40, 0}}),
		pool("far", map[string][2]int64{"ab": {40, 0}}),
	}), "\n")
	for _, want := range []string{
		`The strongest agent in even: the candidates differ by at most 1[3-7]\d Elo \(95 %\)\.`,
		`(?m)^No bound for the Elo of a and b in far:`, `(?m)^No bound for the Elo of c in lost:`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s\nlacks %s", text, want)
		}
	}
}
