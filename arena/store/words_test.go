package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"spar/arena/study"
	"spar/engines/enginetest"
)

// What two plans differ in is told by their paths, in order, with what was and what is; lists by their places, and what one of them lacks
// as nothing. Of many differences the first three are told.
func TestDifferencesOfPlans(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after string
		want          string
	}{
		{`{"a":1}`, `{"a":1}`, "with other words or in another order"},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, "with other words or in another order"},
		{`{"a":1}`, `{"a":2}`, "a 1 2"},
		{`{"a":1}`, `{}`, "a 1 nothing"},
		{`{}`, `{"a":null}`, "a nothing <nil>"},
		{`{"g":{"b":true,"a":"x"}}`, `{"g":{"b":false,"a":"y"}}`, "g.a x y; g.b true false"},
		{`{"l":[1,2]}`, `{"l":[1,3,4]}`, "l[1] 2 3; l[2] nothing 4"},
		{`{"seed":9007199254740993}`, `{"seed":9007199254740992}`, "seed 9007199254740993 9007199254740992"},
		{`{"a":1,"b":1,"c":1}`, `{"a":2,"b":2,"c":2}`, "a 1 2; b 1 2; c 1 2"},
		{`{"a":1,"b":1,"c":1,"d":1}`, `{"a":2,"b":2,"c":2,"d":2}`, "a 1 2; b 1 2; c 1 2; and 1 more"},
		{`{"a":1,"b":1,"c":1,"d":1,"e":1}`, `{}`, "a 1 nothing; b 1 nothing; c 1 nothing; and 2 more"},
		{`{`, `{"a":1}`, "a nothing 1; plan { nothing"},
	} {
		got := some(differences(c.before, c.after, func(path, was, is string) string { return fmt.Sprint(path, " ", was, " ", is) }))
		if got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.before, c.after, got, c.want)
		}
	}
	same := differences(`{"a":1,"b":2}`, `{"a":3,"b":4}`, func(string, string, string) string { return "changed" })
	if !slices.Equal(same, []string{"changed"}) {
		t.Errorf("%q", same)
	}
}

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
