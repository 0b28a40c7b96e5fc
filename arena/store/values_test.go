package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// valued is a study with three games of one set of rules.
func valued(t *testing.T) *store.DB {
	t.Helper()
	ctx := context.Background()
	db := storetest.New(t)
	rules := must.Get(db.RulesID(ctx, "classic", "hash", "{}"))(t)
	agent := must.Get(db.AgentID(ctx, "random", "{}"))(t)
	event := must.Get(db.BeginEvent(ctx, study.Event{Name: "e", Purpose: "tournament", Plan: "{}"}))(t)
	var rows []study.Game
	for i := range 3 {
		g := study.Game{
			Event: event.ID, Number: int64(i), Rules: rules, First: agent, Second: agent, Moves: "b2",
			Result: "draw", Reason: "ply_cap", Plies: 1,
		}
		rows = append(rows, g)
	}
	must.Do(t, db.Commit(ctx, rows, nil, event.ID))
	return db
}

func TestPositionValues(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := valued(t)
	o := store.Oracle{Name: "strong", Rules: "classic", Spec: `{"seed":1}`, Seed: 1}
	other := o
	other.Spec, other.Exact = `{"exact":true}`, true
	some := new(0.25)
	values := map[int64][]store.PositionValue{
		1: {{
			Ply: 0, Value: 0.5, Again: some, Best: "b2", BestValue: 0.5, Played: some, Legal: 9,
		}, {Ply: 1, Side: 1, Value: 1, Best: "a1"}},
		3: {{Ply: 0, Value: 0.75}},
	}
	for range 2 { // again replaces
		must.Do(t, db.AddValues(ctx, o, values))
	}
	got, err := db.Values(ctx, o)
	if d := cmp.Diff(values, got); err != nil || d != "" {
		t.Error(err, d)
	}
	if none, err := db.Values(ctx, other); err != nil || len(none) != 0 {
		t.Error(none, err)
	}
	if err := db.AddValues(ctx, other, nil); err != nil {
		t.Error(err)
	}
	list, err := db.Oracles(ctx, "classic")
	o.ID, other.ID = 1, 2
	if d := cmp.Diff([]store.Oracle{o, other}, list); err != nil || d != "" {
		t.Error(err, d)
	}
	if err := db.AddValues(ctx, o, map[int64][]store.PositionValue{99: {{}}}); err == nil {
		t.Error("stored values of a game that is not there")
	}
	if err := db.AddValues(ctx, store.Oracle{Rules: "chess"}, nil); err == nil {
		t.Error("stored an oracle of rules that are not there")
	}
}

// What GamesOf reads of a game is what Games reads, whatever shares a column; a reader that stops or is told to gets no
// more.
func TestGamesOfReadsWhatGamesDo(t *testing.T) {
	t.Parallel()
	db := valued(t)
	other := must.Get(db.AgentID(t.Context(), "other", `{"a":1}`))(t)
	rows := []study.Game{
		{
			Number: 3, First: 1, Second: other, Pair: 1<<40 + 1, OpeningPlies: 3, Moves: "a1 b2 c3 a2", Result: "first",
			Reason: "line", Plies: 4,
			FirstMS: 0.1, SecondMS: 12.5, FirstNodes: 1 << 41, SecondNodes: 7, Hash: -5,
			Marks: evidence.Timed | evidence.Surplus,
		},
		{
			Number: 4, First: other, Second: 1, OpeningPlies: 1, Moves: "b2", Result: "second", Reason: "forfeit_illegal",
			Plies: 300, Hash: 1 << 62, Marks: evidence.Forfeit,
		},
		{
			Number: 5, First: other, Second: other, Result: "draw", Reason: "agreed_draw",
			Marks: evidence.Mirror | evidence.Repeated | evidence.Pending,
		},
	}
	for i := range rows {
		rows[i].Event, rows[i].Rules = 1, 1
	}
	must.Do(t, db.Commit(t.Context(), rows, nil, 1))
	var want []study.Game
	var briefs []store.Brief
	for _, g := range storetest.Games(t, db, store.Filter{Rules: "classic"}) {
		want = append(want, g.Game)
		half := map[string]uint8{"first": 2, "draw": 1, "second": 0}[g.Result]
		briefs = append(briefs, store.Brief{
			ID: g.ID, Event: g.Event, Pair: g.Pair, Hash: g.Hash, Rules: int32(g.Rules),
			First: int32(g.Game.First), Second: int32(g.Game.Second), Half: half, Marks: g.Marks,
			Opening: evidence.Opening(g.Rules, g.Moves, g.OpeningPlies),
		})
	}
	if len(want) != 6 || want[3].Marks != rows[0].Marks || want[3].FirstNodes != 1<<41 {
		t.Fatalf("%d games, %+v", len(want), want[3])
	}
	var got []study.Game
	for g, err := range db.GamesOf(t.Context(), 1) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, *g)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var short []store.Brief
	for g, err := range db.Briefs(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		short = append(short, g)
	}
	if diff := cmp.Diff(briefs, short); diff != "" {
		t.Error(diff)
	}
	for range db.GamesOf(t.Context(), 1) {
		break
	}
	ended, end := context.WithCancel(t.Context())
	end()
	n := 0
	for g, err := range db.GamesOf(ended, 1) {
		if n++; g != nil || !errors.Is(err, context.Canceled) {
			t.Error(g, err)
		}
	}
	if n != 1 {
		t.Errorf("%d answers after the end, want one error", n)
	}
}
