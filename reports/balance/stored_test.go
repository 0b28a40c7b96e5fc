package balance

import (
	"errors"
	"path/filepath"
	"testing"

	"spar/agents"
	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines/enginetest"
)

// What one stored game contributes: points of the first player, whether it was drawn by the rules, whether the rules
// ended it. Games that a cap or a clock ended are neither complete nor drawn by the rules, though they score half a
// point.
func TestStoredSamples(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := enginetest.Load(t, "classic")
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "study.db"), store.Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	must := func(id int64, err error) int64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	rules := must(db.RulesID(ctx, "classic", g.RulesHash(), g.Rules().Canonical()))
	names := []string{"top", "other"}
	var ids []int64
	for _, name := range names {
		s := agents.DefaultSpec()
		s.Name = name
		ids = append(ids, must(db.AgentID(ctx, name, s.Canonical())))
	}
	games := []struct {
		result, reason string
		want           values
	}{
		{"first", "line", values{score: 1, done: 1}},
		{"second", "line", values{score: 0, done: 1}},
		{"draw", "full_board", values{score: 0.5, draw: 1, done: 1}},
		{"draw", "repetition", values{score: 0.5, draw: 1, done: 1}},
		{"draw", "ply_cap", values{score: 0.5}},
		{"draw", "clock", values{score: 0.5}},
	}
	for _, e := range []struct{ purpose, group string }{
		{campaign.PurposeMirror, "mirror/"},
		{campaign.PurposeOpenings, "openings/"},
		{campaign.PurposeLadder, ""},
	} {
		ev, err := db.BeginEvent(ctx, study.Event{Name: e.purpose, Purpose: e.purpose, Seed: 7, Plan: "{}"})
		if err != nil {
			t.Fatal(err)
		}
		var rows []study.Game
		add := func(number int64, first, second int64, result, reason string) {
			rows = append(rows, study.Game{
				Event: ev.ID, Number: number, Rules: rules, First: first, Second: second, Pair: number / 2,
				Moves: "b2 a1", Plies: 10 + int(number), Result: result, Reason: reason, Hash: number + 1, Seed: 7,
			})
		}
		for i, x := range games {
			add(int64(i), ids[0], ids[0], x.result, x.reason)
		}
		add(99, ids[0], ids[1], "first", "line") // not a game of an agent with itself
		if err := errors.Join(db.Commit(ctx, rows, nil, ev.ID), db.Judge(ctx)); err != nil {
			t.Fatal(err)
		}
	}
	plans, err := mirrors(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	got, err := samples(ctx, db, "classic", plans)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 {
		t.Errorf("%d groups, want mirror/top and openings/top", len(got))
	}
	for _, group := range []string{"mirror/top", "openings/top"} {
		s := got[group]
		if s == nil || s.seed != 7 || len(s.games) != len(games) {
			t.Fatalf("%s: %+v, want %d games of seed 7", group, s, len(games))
		}
		for i, x := range games {
			want := x.want
			want.pair, want.plies = int64(i/2), float64(10+i)
			if s.games[int64(i)] != want {
				t.Errorf("%s, %s: %+v, want %+v", group, x.reason, s.games[int64(i)], want)
			}
		}
	}
}
