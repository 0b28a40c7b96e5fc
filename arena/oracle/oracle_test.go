package oracle

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/agents"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// The first player wins: a1 keeps the draw, b1 loses it, the rest is won.
const wonGame = "a1 b1 b2 c3 a3 c1 a2"

func newStudy(t *testing.T, rules string, moves ...string) (*store.DB, *engines.Game, []Game) {
	t.Helper()
	g := enginetest.Load(t, rules)
	ctx := context.Background()
	db := storetest.New(t)
	id := must.Get(db.RulesID(ctx, rules, g.RulesHash(), g.Rules().Canonical()))(t)
	agent := must.Get(db.AgentID(ctx, "x", "{}"))(t)
	event := must.Get(db.BeginEvent(ctx, study.Event{Name: "test", Purpose: "tournament", Plan: "{}"}))(t)
	var rows []study.Game
	var games []Game
	for i, m := range moves {
		rows = append(rows, study.Game{
			Event: event.ID, Number: int64(i), Rules: id, First: agent, Second: agent, Moves: m,
			Result: "first", Reason: "line",
		})
		games = append(games, Game{ID: int64(i + 1), Moves: m})
	}
	must.Do(t, errors.Join(db.Commit(ctx, rows, nil, event.ID), db.Judge(ctx)))
	return db, g, games
}

func searcher(t *testing.T, iterations int64) agents.Spec {
	t.Helper()
	s := must.Get(Default(nil, agents.Budget{}, iterations))(t)
	return s
}

func TestExactValues(t *testing.T) {
	t.Parallel()
	db, g, games := newStudy(t, "classic", wonGame)
	table := must.Get(solve.Solve(context.Background(), g, solve.Options{}))(t)
	v := must.Get(Evaluate(context.Background(), db, "classic", g, table, games, Options{}))(t)
	got := v.Games[1]
	if len(got) != 7 || !v.Exact || v.Noise != 0 {
		t.Fatalf("%+v", v)
	}
	for i, want := range []float64{0.5, 0.5, 1, 1, 1, 1, 1} {
		if got[i].Value != want || got[i].Ply != i || got[i].Side != i%2 || got[i].Legal != 9-i || got[i].Again != nil {
			t.Errorf("ply %d: %+v, expected %v", i, got[i], want)
		}
	}
	if got[1].Best != "b2" || got[1].BestValue != 0.5 {
		t.Errorf("after the corner: %+v", got[1])
	}
	if got[1].Played == nil || *got[1].Played != 0 {
		t.Errorf("b1 is worth %+v", got[1].Played)
	}
}

func TestSearchedValues(t *testing.T) {
	t.Parallel()
	db, g, games := newStudy(t, "vanishing", "a1 b2 c3 a3 c1", "b2 a1 c3 c1 b1", "a2 b2 c2 a1 c3", "b1 b2 a3 c1 a2")
	ctx := context.Background()
	evaluate := func(seed int64, workers int, calls *int) *Values {
		v := must.Get(Evaluate(ctx, db, "vanishing", g, nil, games, Options{
			Agent: searcher(t, 60), Seed: seed, Workers: workers, Progress: func(int64, int64) { *calls++ },
		}))(t)
		return v
	}
	calls := 0
	one := evaluate(1, 1, &calls)
	if calls != 4 || len(one.Games) != 4 {
		t.Fatalf("%d calls, %d games", calls, len(one.Games))
	}
	apart, positions := 0.0, 0.0 // the value of a position is about that of its best move
	for id, values := range one.Games {
		for _, p := range values {
			apart += math.Abs(engines.OfFirst(p.BestValue, p.Side) - p.Value)
			positions++
			if !(p.Value >= 0 && p.Value <= 1) || p.Again == nil {
				t.Errorf("game %d: %+v", id, p)
			}
		}
	}
	if positions == 0 || apart/positions > 0.2 {
		t.Errorf("the best moves of %g positions are worth %.2f more or less than these, in the mean", positions,
			apart/positions)
	}
	// They are in the study now: nothing is searched again, and the values are the same.
	again := evaluate(1, 4, &calls)
	if calls != 4 {
		t.Error("stored values were searched again")
	}
	if d := cmp.Diff(one, again); d != "" {
		t.Error(d)
	}
	stored := must.Get(Stored(ctx, db, "vanishing"))(t)
	if d := cmp.Diff(one, stored); d != "" {
		t.Error(d)
	}
	// Another study, another number of workers, half of it after a stop.
	other, _, _ := newStudy(t, "vanishing", games[0].Moves, games[1].Moves, games[2].Moves, games[3].Moves)
	stopped, stop := context.WithCancel(ctx)
	o := Options{Agent: searcher(t, 60), Seed: 1, Workers: 1, Progress: func(int64, int64) { stop() }}
	if _, err := Evaluate(stopped, other, "vanishing", g, nil, games, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	half, err := Stored(ctx, other, "vanishing")
	if err != nil || half == nil || len(half.Games) == 0 || len(half.Games) == 4 {
		t.Fatalf("%v %+v", err, half)
	}
	o.Progress, o.Workers = nil, 3
	whole := must.Get(Evaluate(ctx, other, "vanishing", g, nil, games, o))(t)
	if d := cmp.Diff(one, whole); d != "" {
		t.Error(d)
	}
}
