package tuning

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/tuning/optimise"
)

// Who plays whom: the sides of a comparison each other, or both the rival whose turn it is; under CMA-ES a candidate
// plays the mean and every rival. One level deeper go both sides, and a rival that searches. Against each opponent a
// candidate has its own openings, from its number on, after the games of the stage before.
func TestWhoPlaysWhom(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), t.TempDir()+"/s.db", store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, c := range []struct {
		set    []string
		method string
		deeper float64
		want   string // the matches of candidates 0, 1 and 2
		games  []int
	}{
		{
			[]string{"opponents=[self, random, greedy]"},
			methodSPSA, 0, "0+:0- 1+:random 1-:random 2+:greedy 2-:greedy",
			[]int{2, 2, 2},
		},
		{
			[]string{"opponents=[random, greedy]"},
			methodSPSA, 0, "0+:random 0-:random 1+:greedy 1-:greedy 2+:random 2-:random",
			[]int{2, 2, 2},
		},
		{[]string{"opponents=[self, random, greedy]"}, methodSPSA, 1, "0+ deeper:0- deeper 1+ deeper:random 1- " +
			"deeper:random 2+ deeper:greedy deeper 2- deeper:greedy deeper", []int{2, 2, 2}},
		{nil, methodSPSA, 0.5, "0+:0- 1+ deeper:1- deeper 2+:2-", []int{2, 2, 2}},
		{
			[]string{"opponents=[self, greedy]"},
			methodCMA, 0, "0+:0- 0+:greedy 1+:1- 1+:greedy 2+:2- 2+:greedy",
			[]int{4, 4, 4},
		},
		{[]string{"opponents=[random]"}, methodCMA, 0, "0+:random 1+:random 2+:random", []int{2, 2, 2}},
	} {
		x := loadInside(t, append(c.set, "games=600")...)
		x.Method, x.Deeper = c.method, c.deeper
		event := fmt.Sprint("case ", i)
		r := &runner{t: x, result: &Result{}}
		if r.train, err = x.newMatchRunner(t.Context(), db, event, purposeTraining, "a plan", true); err != nil {
			t.Fatal(err)
		}
		defer r.train.close()
		var asked []optimise.Candidate
		for id := range 3 {
			k := optimise.Candidate{ID: id, Opening: 3 * id, Pairs: 1}
			for _, p := range x.Params {
				k.Plus, k.Minus = append(k.Plus, p.Start), append(k.Minus, -p.Start)
			}
			asked = append(asked, k)
		}
		out, err := r.compare(t.Context(), asked, 10)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for row, err := range db.Games(t.Context(), store.Filter{Event: event}) {
			if err != nil {
				t.Fatal(err)
			}
			match := strings.ReplaceAll(row.FirstName+":"+row.SecondName, "inside ", "")
			if row.Number%2 == 0 { // the second game of a pair is the other way round
				got = append(got, match)
			}
			if want := 10 + 3*int64(match[strings.IndexAny(match, "012")]-'0'); row.Opening != want {
				t.Errorf("%s begins with opening %d, want %d", match, row.Opening, want)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v: %q, want %s", c.set, got, c.want)
		}
		var games []int
		for i, o := range out {
			if games = append(games, o.Games); o.ID != i || o.Score < 0 || o.Score > 1 {
				t.Errorf("%+v", o)
			}
		}
		if !slices.Equal(games, c.games) {
			t.Errorf("%v: outcomes of %v games, want %v", c.set, games, c.games)
		}
	}
}
