package store

import (
	"fmt"
	"strings"
	"testing"

	"spar/arena/study"
	"spar/engines/enginetest"
)

// Games are stored as they are, however many come at once, and those that are there already are no more for it.
func TestGamesOfAnyNumber(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), t.TempDir()+"/s.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g := enginetest.Load(t, "classic")
	rules, err := db.RulesID(t.Context(), "classic", g.RulesHash(), g.Rules().Canonical())
	if err != nil {
		t.Fatal(err)
	}
	agent, err := db.AgentID(t.Context(), "a", "{}")
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range []int64{1, rowsAtOnce - 1, rowsAtOnce, rowsAtOnce + 1, 2 * rowsAtOnce} {
		name := fmt.Sprint("event ", i)
		e, err := db.BeginEvent(t.Context(), study.Event{Name: name, Plan: "{}"})
		if err != nil {
			t.Fatal(err)
		}
		var games []study.Game
		for k := range n {
			games = append(games, study.Game{Event: e.ID, Number: k, Pair: k / 2, Rules: rules, First: agent, Second: agent, Moves: "a1 b1 a2 b2 a3", Result: "first", Reason: "line", Plies: 5, Hash: 100 + k, FirstNodes: k})
		}
		for range 2 { // the second time they are there
			if err := db.Commit(t.Context(), games, nil, e.ID); err != nil {
				t.Fatal(err)
			}
		}
		at := int64(0)
		for row, err := range db.Games(t.Context(), Filter{Event: name}) {
			if err != nil || row.Number != at || row.Hash != 100+at || row.FirstNodes != at || row.Pair != at/2 || row.Event != e.ID {
				t.Fatalf("%d games: %+v, %v", n, row.Game, err)
			}
			at++
		}
		if at != n {
			t.Errorf("%d of %d games", at, n)
		}
		other := games[n-1:]
		other[0].Moves = "a1 b1 a2 b2 c3 a3 c1"
		if err := db.Commit(t.Context(), other, nil, e.ID); err == nil || !strings.Contains(err.Error(), fmt.Sprint(n-1)) {
			t.Errorf("another game in the place of game %d: %v", n-1, err)
		}
	}
}
