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
