package arena

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"spar/agents"
	"spar/arena/study"
	"spar/engines/enginetest"
)

// Played again, games are the same ones, in a tournament and in a tuning; a row that says another game is found out.
func TestPlayedAgain(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	s := agents.DefaultSpec()
	s.Name, s.Type = "a", "random"
	told := map[int64]Difference{}
	a := NewReplayCheck([]study.Event{{ID: 2, Plan: `{"Plan":{"Format":"match"}}`}}, nil, 2, func(g study.Game, d Difference) { told[g.Number] = d })
	defer a.Close()
	rows := make([]*Recorded, 20)
	for i := range rows {
		r := &Recorded{Label: "classic", First: "a", Second: "a", Under: g, Specs: [2]string{s.Canonical(), s.Canonical()}}
		r.Event, r.Number, r.Seed, r.Moves, r.OpeningPlies = int64(2+i%2), int64(i), 7, "b2 a1 c3 a3", 2
		rows[i] = r
		a.Take(r)
	}
	if a.Waiting() != 20 {
		t.Errorf("%d games wait", a.Waiting())
	}
	if err := a.Play(context.Background()); err != nil {
		t.Fatal(err)
	}
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
	b := NewReplayCheck([]study.Event{{ID: 2, Plan: `{"Plan":{"Format":"match"}}`}}, nil, 1, func(g study.Game, d Difference) { told[g.Number] = d })
	defer b.Close()
	for _, r := range rows {
		b.Take(r)
	}
	if err := b.Play(context.Background()); err != nil {
		t.Fatal(err)
	}
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

// How long a game takes is found by playing; a program of others is not asked, and where nothing is left there is
// nothing to find.
func TestCalibrate(t *testing.T) {
	t.Parallel()
	load := func(text string) *Tournament {
		t.Helper()
		p, err := LoadPlan("test", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	one := load("name: x\ngames: [classic]\nagents: [random, greedy]\npairs: 2\nworkers: 1\n")
	took, err := Calibrate(context.Background(), one, 5*time.Second)
	if err != nil || took <= 0 || took > 1 {
		t.Errorf("%g s a game, %v", took, err)
	}
	if one.Workers = 0; one.WorkerCount() != runtime.GOMAXPROCS(0) {
		t.Errorf("%d workers", one.WorkerCount())
	}
	if one.Workers = 3; one.WorkerCount() != 3 {
		t.Errorf("%d workers, want 3", one.WorkerCount())
	}
	for i := range one.Players {
		one.Players[i].Type = "ugi"
		if took, err := Calibrate(context.Background(), one, time.Second); err != nil || took != 0 {
			t.Errorf("program %d: %g, %v", i+1, took, err)
		}
		one.Players[i].Type = "random"
	}
	long := load("name: x\ngames: [connect4]\nagents: [random, greedy, {agent: uct-10k, name: slow, set: {budget.iterations: 1000000000}}]\npairs: 1\nworkers: 1\n")
	if took, err := Calibrate(context.Background(), long, 20*time.Millisecond); err != nil || took < 0.02 || took > 30 {
		t.Errorf("one game and no second one: %g s, %v", took, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Calibrate(ctx, one, time.Second); err == nil {
		t.Error("calibrated after the end")
	}
}

// Agents that play without randomness are told of where there are fewer openings than pairs.
func TestAlikeIsTold(t *testing.T) {
	t.Parallel()
	agent := func(n int) (out string) {
		for i := range n {
			out += fmt.Sprintf(", {agent: greedy, name: g%d, set: {ties: first}}", i+1)
		}
		return out
	}
	for _, c := range []struct {
		certain, pairs int
		want           string
	}{
		{1, 20, ""},
		{2, 3, ""},
		{2, 20, "classic: g1, g2 play without randomness, and 20 pairs have only 3 different openings"},
		{4, 20, "classic: g1, g2, g3, g4 play"},
		{5, 20, "classic: g1, g2, g3, g4 and 1 more play"},
	} {
		p, err := LoadPlan("test", []byte(fmt.Sprintf("name: x\ngames: [classic]\nagents: [random%s]\npairs: %d\nopenings: {plies: 1}\n", agent(c.certain), c.pairs)))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.alike(), "\n"); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d that answer alike, %d pairs: %q, want %q", c.certain, c.pairs, got, c.want)
		}
	}
}
