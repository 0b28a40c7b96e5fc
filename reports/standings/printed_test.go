package standings

import (
	"bytes"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/ratings"
)

// A cell of the crosstable has the interval itself, which at an end is all on one side: no pair of four won is up to
// 3.84/(4 + 3.84) = 49 % (Wilson), and the opponent has the mirror image.
func TestCrosstableHasIntervals(t *testing.T) {
	t.Parallel()
	p := rated(t, map[[2]string][5]int64{{"a", "b"}: {4}})
	var out bytes.Buffer
	must.Do(t, p.Text(&out, Extras{Crosstable: true}))
	for _, want := range []string{
		"Score of the row's agent against the column's: % (95 % interval) / games", " 0 (0 to 49) /8",
		" 100 (51 to 100) /8",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// rated is a pool of rules x in which agents have met in pairs of games, so often with each number of half points of
// the first named.
func rated(t *testing.T, pairs map[[2]string][5]int64) *Pool {
	t.Helper()
	var b ratings.Builder
	for who, n := range pairs {
		for points, r := range [5][2]ratings.Outcome{
			{ratings.SecondWins, ratings.FirstWins},
			{ratings.Draw, ratings.FirstWins},
			{ratings.Draw, ratings.Draw},
			{ratings.FirstWins, ratings.Draw},
			{ratings.FirstWins, ratings.SecondWins},
		} {
			if n[points] == 0 {
				continue
			}
			must.Do(t, b.AddPairs(who[0], who[1], "x", r[0], r[1], n[points]))
		}
	}
	p := &Pool{Rules: "x", Title: "x", Table: b.Table()}
	must.Do(t, p.Rate(ratings.Options{PerStratum: true}))
	return p
}
