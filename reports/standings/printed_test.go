package standings

import (
	"bytes"
	"strings"
	"testing"

	"spar/ratings"
)

// A cell of the crosstable has the interval itself, which at an end is all on one side: no pair of four won is up to
// 3.84/(4 + 3.84) = 49 % (Wilson), and the opponent has the mirror image.
func TestCrosstableHasIntervals(t *testing.T) {
	t.Parallel()
	p := rated(t, map[[2]string][5]int64{{"a", "b"}: {4}})
	var out bytes.Buffer
	if err := p.Text(&out, Extras{Crosstable: true}); err != nil {
		t.Fatal(err)
	}
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
