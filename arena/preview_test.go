package arena

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"spar/agents"
	"spar/arena/study"
	"spar/configs/must"
	"spar/engines/enginetest"
)

// Played again, games are the same ones, in a tournament and in a tuning; a row that says another game is found out.
func TestPlayedAgain(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	s := agents.DefaultSpec()
	s.Name, s.Type = "a", "random"
	told := map[int64]Difference{}
	a := NewReplayCheck([]study.Event{{ID: 2, Plan: `{"Plan":{"Format":"match"}}`}}, nil, 2,
		func(g study.Game, d Difference) { told[g.Number] = d })
	defer a.Close()
	rows := make([]*Recorded, 20)
	for i := range rows {
		r := &Recorded{Label: "classic", First: "a", Second: "a", Under: g, Specs: [2]string{s.Canonical(), s.Canonical()}}
		r.Event = int64(2 + i%2)
		r.Number = int64(i)
		r.Seed = 7
		r.Moves = "b2 a1 c3 a3"
		r.OpeningPlies = 2
		rows[i] = r
		a.Take(r)
	}
	if a.Waiting() != 20 {
		t.Errorf("%d games wait", a.Waiting())
	}
	must.Do(t, a.Play(context.Background()))
	if len(told) != 20 || a.Waiting() != 0 {
		t.Fatalf("%d games told, %d wait", len(told), a.Waiting())
	}
	different := map[string]bool{}
	for n, d := range told {
		if !d.Differs() || d.Ply != 0 && d.Ply < 3 { // the opening is that of the row, what follows is not
			t.Errorf("game %d: %+v", n, d)
		}
		different[fmt.Sprint(d)] = true
	}
	if len(different) < 5 {
		t.Errorf("%d different games of 20", len(different))
	}
	// Once more, with another number of workers: the same.
	before := told
	told = map[int64]Difference{}
	b := NewReplayCheck([]study.Event{{ID: 2, Plan: `{"Plan":{"Format":"match"}}`}}, nil, 1,
		func(g study.Game, d Difference) { told[g.Number] = d })
	defer b.Close()
	for _, r := range rows {
		b.Take(r)
	}
	must.Do(t, b.Play(context.Background()))
	for n := range before {
		if before[n] != told[n] {
			t.Errorf("game %d: %v, then %v", n, before[n], told[n])
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b.Take(rows[0])
	if err := b.Play(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// A game that takes longer than the sample is no error: the estimate is a lower bound and says so. A stop is an error.
func TestSlowGamesAreEstimated(t *testing.T) {
	t.Parallel()
	plan := must.Get(LoadPlan("p", []byte("name: p\ngames: [ctor]\nagents: [minimax-4, mcts-1k]\npairs: 5\n")))(t)
	each, atLeast, err := SecondsPerGame(t.Context(), plan, time.Microsecond)
	if err != nil || !atLeast || each <= 0 {
		t.Errorf("%g s a game, at least: %v, %v", each, atLeast, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, _, err := SecondsPerGame(stopped, plan, time.Microsecond); !errors.Is(err, context.Canceled) {
		t.Errorf("a stop: %v", err)
	}
}
