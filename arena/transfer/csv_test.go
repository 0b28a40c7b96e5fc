package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"spar/arena/store"
	"spar/ratings/results"
)

// The table of games has one line a game, in the order of the study, with what the study says of it; who reads it for ratings finds the
// same games.
func TestCSV(t *testing.T) {
	t.Parallel()
	db := played(t, "{name: cup, games: [classic], agents: [greedy, random], pairs: 3}")
	var out bytes.Buffer
	if err := CSV(t.Context(), db, &out); err != nil {
		t.Fatal(err)
	}
	want := []string{"id,event,number,rules,player_first,player_second,pair_id,result,reason,plies,seed,first_ms,second_ms,first_nodes,second_nodes,moves,marks,worker"}
	points := map[string]float64{} // of the first player, by pairing
	for r, err := range db.Games(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		won := map[string]float64{"first": 1, "draw": 0.5, "second": 0}[r.Result]
		points[r.FirstName+" "+r.SecondName] += won
		seats := "greedy,random"
		if r.Number%2 == 1 { // the second game of a pair
			seats = "random,greedy"
		}
		want = append(want, fmt.Sprintf("%d,cup,%d,classic,%s,%d,%g,%s,%d,%d,%g,%g,%d,%d,%s,%s,%s", r.ID, r.Number, seats, r.Number/2, won, r.Reason, len(strings.Fields(r.Moves)),
			r.Seed, r.FirstMS, r.SecondMS, r.FirstNodes, r.SecondNodes, r.Moves, r.Marks, r.Worker))
	}
	if got := out.String(); got != strings.Join(want, "\n")+"\n" || len(want) != 7 {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	table, sum, err := results.Read(&out, results.Options{})
	if err != nil || sum != (results.Summary{Games: 6, Paired: true}) {
		t.Fatalf("%+v, %v", sum, err)
	}
	for _, p := range table.Pairings() {
		names := table.Players()
		who := names[p.First] + " " + names[p.Second]
		if got := float64(p.Wins) + float64(p.Draws)/2; got != points[who] {
			t.Errorf("%s: %g points, want %g", who, got, points[who])
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := CSV(ended, db, &out); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
