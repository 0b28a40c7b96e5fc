package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/ratings/results"
)

// The table of games has one line per game, in the order of the study, with what the study says of it; who reads it for
// ratings finds the same games.
func TestCSV(t *testing.T) {
	t.Parallel()
	db := played(t, "{name: cup, games: [classic], agents: [greedy, random], pairs: 3}")
	var out bytes.Buffer
	must.Do(t, CSV(t.Context(), db, &out))
	want := []string{
		"id,event,number,rules,player_first,player_second,pair_id,opening,result,reason,plies,seed,first_ms,second_ms,first_nodes,second_nodes,moves,marks,counts_for_strength,counts_for_balance,worker",
	}
	points := map[string]float64{} // of the first player, by pairing
	for _, r := range storetest.Games(t, db, store.Filter{}) {
		won := map[string]float64{"first": 1, "draw": 0.5, "second": 0}[r.Result]
		points[r.FirstName+" "+r.SecondName] += won
		seats := "greedy,random"
		if r.Number%2 == 1 { // the second game of a pair
			seats = "random,greedy"
		}
		want = append(want, fmt.Sprintf("%d,cup,%d,classic,%s,cup %d,,%g,%s,%d,%d,%g,%g,%d,%d,%s,%s,1,1,%s", r.ID, r.Number,
			seats, r.Number/2, won, r.Reason, len(strings.Fields(r.Moves)),
			r.Seed, r.FirstMS, r.SecondMS, r.FirstNodes, r.SecondNodes, r.Moves, r.Marks, r.Worker))
	}
	if got := out.String(); got != strings.Join(want, "\n")+"\n" || len(want) != 7 {
		t.Errorf("%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
	table, sum, err := results.Read(&out, results.Options{})
	if err != nil || sum.Games != 6 || !sum.Paired {
		t.Fatalf("%+v, %v", sum, err)
	}
	for _, p := range table.Pairings() {
		names := table.Players()
		who := names[p.First] + " " + names[p.Second]
		if got := float64(p.Wins) + float64(p.Draws)/2; got != points[who] {
			t.Errorf("%s: %g points, want %g", who, got, points[who])
		}
	}
	// Pairs of two events are other pairs, though both are numbered from 0: as two of one they would be one unit of
	// four games.
	two := played(t, "{name: cup, games: [classic], agents: [greedy, random], pairs: 3}", "{name: other, games: "+
		"[classic], agents: [greedy, random], pairs: 3, seed: 2}")
	out.Reset()
	must.Do(t, CSV(t.Context(), two, &out))
	if table, sum, err = results.Read(&out, results.Options{}); err != nil || sum.Games != 12 {
		t.Fatalf("%+v, %v", sum, err)
	}
	if pairs, _ := table.Clusters(); pairs != 6 {
		t.Errorf("%d pairs, want 6", pairs)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := CSV(ended, db, &out); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// Who rates an export counts what the study counts, and is told how many games that leaves out: mirror matches among
// them, which nobody could rate.
func TestRatingAnExportCountsAsTheStudy(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := played(t, "{name: cup, games: [classic], agents: [greedy, random], pairs: 4}")
	var games []study.Game
	for _, row := range storetest.Games(t, db, store.Filter{}) {
		games = append(games, row.Game)
	}
	mirror := games[0]
	mirror.Number = 8
	mirror.Pair = 4
	mirror.Second = mirror.First
	mirror.Marks = evidence.Mirror
	marked := []study.Marked{
		{Number: 1, Marks: evidence.Surplus},
		{Number: 2, Marks: evidence.Repeated},
		{Number: 3, Marks: evidence.Forfeit},
		{Number: 4, Marks: evidence.Pending},
	}
	must.Do(t, db.Commit(ctx, []study.Game{mirror}, marked, mirror.Event))
	var out bytes.Buffer
	must.Do(t, CSV(ctx, db, &out))
	if _, sum, err := results.Read(&out, results.Options{}); err != nil ||
		sum.Games != 5 || sum.LeftOut != 4 || !sum.Paired {
		t.Errorf("%+v, %v; of nine games three of the first eight and the mirror match do not count", sum, err)
	}
}
