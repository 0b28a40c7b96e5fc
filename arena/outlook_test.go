package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"spar/agents"
	"spar/arena/evidence"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/enginetest"
)

// A game that was played again differs where its moves first do, else in what it came to; other numbers of nodes tell only of games
// that are the same.
func TestDifferencesOfGames(t *testing.T) {
	t.Parallel()
	row := study.Game{Moves: "b2 a1 c3", Result: "first", Reason: "line", FirstNodes: 5, SecondNodes: 7}
	now := func(moves string, outcome engines.Result, reason string, first, second int64) *Result {
		return &Result{Moves: moves, Outcome: outcome, Reason: reason, Nodes: [2]int64{first, second}}
	}
	for _, c := range []struct {
		name string
		now  *Result
		want Difference
		says string
	}{
		{"the same", now("b2 a1 c3", engines.FirstWins, "line", 5, 7), Difference{Stored: "first by line", Now: "first by line"}, "was first by line, is first by line"},
		{"other nodes", now("b2 a1 c3", engines.FirstWins, "line", 5, 8), Difference{Stored: "first by line", Now: "first by line", Searched: true}, "was first by line, is first by line"},
		{"another move", now("b2 a2 c3", engines.FirstWins, "line", 5, 7), Difference{Ply: 2, Stored: "a1", Now: "a2"}, "ply 2 was a1, is a2"},
		{"longer", now("b2 a1 c3 a3", engines.FirstWins, "line", 5, 7), Difference{Ply: 4, Stored: "end", Now: "a3"}, "ply 4 was end, is a3"},
		{"shorter", now("b2", engines.FirstWins, "line", 5, 7), Difference{Ply: 2, Stored: "a1", Now: "end"}, "ply 2 was a1, is end"},
		{"another end", now("b2 a1 c3", engines.Drawn, "full_board", 5, 8), Difference{Stored: "first by line", Now: "draw by full_board"}, "was first by line, is draw by full_board"},
	} {
		got := differenceOf(row, c.now)
		if got != c.want || got.String() != c.says || got.Differs() != (c.want.Stored != c.want.Now) {
			t.Errorf("%s: %+v %q, want %+v %q", c.name, got, got.String(), c.want, c.says)
		}
	}
}

// Which games cannot be played again, and why; in a Swiss system two may meet again from the same opening, and each meeting has random
// numbers of its own.
func TestWhatCanBePlayedAgain(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	spec := func(set func(s *agents.Spec)) string {
		s := agents.DefaultSpec()
		s.Name, s.Type = "a", "random"
		set(&s)
		return s.Canonical()
	}
	random := spec(func(*agents.Spec) {})
	plan := func(format string) string {
		b, err := json.Marshal(struct{ Plan *Plan }{&Plan{Format: format}})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	a := NewAgain([]study.Event{{ID: 1, Plan: plan("swiss")}, {ID: 2, Plan: plan("match")}, {ID: 3, Plan: "{}"}, {ID: 4, Plan: "no plan"}}, []study.Effective{{Agent: "kept", Rules: "classic", Spec: random}}, 1, nil)
	defer a.Close()
	row := func(set func(r *Recorded)) *Recorded {
		r := &Recorded{Label: "classic", First: "a", Second: "a", Under: g, Specs: [2]string{random, random}}
		r.Event, r.Reason = 1, "line"
		set(r)
		return r
	}
	for _, c := range []struct {
		name string
		r    *Recorded
		want string
	}{
		{"able", row(func(*Recorded) {}), ""},
		{"timed", row(func(r *Recorded) { r.Timed = true }), "they depended on a clock"},
		{"superseded", row(func(r *Recorded) { r.Marks = evidence.Superseded }), "they were played again already"},
		{"forfeited", row(func(r *Recorded) { r.Reason = "forfeit_error" }), "a fault of an agent"},
		{"unknown first", row(func(r *Recorded) { r.First, r.Specs[0] = "x", "" }), "the study does not say what their agents are"},
		{"unknown second", row(func(r *Recorded) { r.Second, r.Specs[1] = "y", "{}" }), "the study does not say what their agents are"},
		{"an evaluation that is gone", row(func(r *Recorded) {
			r.First, r.Specs[0] = "e", spec(func(s *agents.Spec) { s.Type, s.Evaluation.File, s.Evaluation.Hash = "heuristic", "none/learned", "x" })
		}), "the evaluation none/learned that they were played with is not there"},
		{"another evaluation", row(func(r *Recorded) {
			r.First, r.Specs[0] = "f", spec(func(s *agents.Spec) {
				s.Type, s.Evaluation.File, s.Evaluation.Hash = "heuristic", "breakthrough/learned", "x"
			})
		}), "the evaluation breakthrough/learned that they were played with is not there"},
		{"as kept under the rules", row(func(r *Recorded) { r.Second, r.Specs[1] = "kept", "" }), ""},
		{"a program", row(func(r *Recorded) { r.First, r.Specs[0] = "p", spec(func(s *agents.Spec) { s.Type = "ugi" }) }), "programs of others"},
		{"one of a module", row(func(r *Recorded) { r.First, r.Specs[0] = "q", spec(func(s *agents.Spec) { s.Type = "own" }) }), "programs of others"},
	} {
		if got := a.Able(c.r); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for i, c := range []struct {
		event, first, second, opening, pair, want int64
	}{
		{1, 1, 2, 5, 0, 0}, {1, 2, 1, 5, 0, 0}, {1, 2, 1, 5, 3, 1}, {1, 1, 2, 5, 3, 1}, {1, 1, 2, 5, 9, 2}, {1, 1, 2, 6, 9, 0}, {1, 1, 3, 5, 9, 0}, {2, 1, 2, 5, 0, 0}, {2, 1, 2, 5, 1, 0}, {3, 1, 2, 5, 1, 0}, {4, 1, 2, 5, 2, 0},
	} {
		r := row(func(r *Recorded) { r.Event, r.Opening, r.Pair = c.event, c.opening, c.pair })
		r.Game.First, r.Game.Second = c.first, c.second
		if got := a.meeting(r); got != c.want {
			t.Errorf("meeting %d is number %d, want %d", i, got, c.want)
		}
	}
	for text, ok := range map[string]bool{plan("match"): true, `{}`: false, `{"Plan":{}}`: false, `x`: false} {
		if p, err := storedPlan(text); (err == nil) != ok || (p != nil) != ok {
			t.Errorf("%s: %+v, %v", text, p, err)
		}
	}
}

// Played again, games are the same ones, in a tournament and in a tuning; a row that says another game is found out.
func TestPlayedAgain(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	s := agents.DefaultSpec()
	s.Name, s.Type = "a", "random"
	told := map[int64]Difference{}
	a := NewAgain([]study.Event{{ID: 2, Plan: `{"Plan":{"Format":"match"}}`}}, nil, 2, func(g study.Game, d Difference) { told[g.Number] = d })
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
	b := NewAgain([]study.Event{{ID: 2, Plan: `{"Plan":{"Format":"match"}}`}}, nil, 1, func(g study.Game, d Difference) { told[g.Number] = d })
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

// Only an error that says no more than that the context has ended becomes a stop.
func TestStopped(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	e := StoppedError{Total: 10, Before: 3, Played: 4}
	other := errors.New("other")
	var stopped *StoppedError
	for _, c := range []struct {
		ctx  context.Context
		err  error
		stop bool
	}{{ended, context.Canceled, true}, {ended, fmt.Errorf("x: %w", context.Canceled), true}, {ended, other, false}, {ended, nil, false}, {context.Background(), context.Canceled, false}} {
		got := Stopped(c.ctx, c.err, e)
		if errors.As(got, &stopped) != c.stop || !c.stop && !errors.Is(got, c.err) {
			t.Errorf("%v: %v, want a stop: %t", c.err, got, c.stop)
		}
	}
	if e.Error() != "stopped before the end, with 7 of at most 10 games stored; run the same command again to go on" {
		t.Error(e.Error())
	}
}

// How long a game takes is found by playing; a program of others is not asked, and where nothing is left there is nothing to find.
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

// How many different openings there are: as many as lines, one without plies, and of drawn ones no more than the rules have.
func TestDistinctOpenings(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for _, c := range []struct {
		o    Openings
		n    int64
		want int64
	}{
		{Openings{Plies: 0}, 0, 0}, {Openings{Plies: 0}, 9, 1}, {Openings{Lines: []string{"b2", "a1"}}, 1, 1}, {Openings{Lines: []string{"b2", "a1"}}, 9, 2}, {Openings{Plies: 1}, 2, 2}, {Openings{Plies: 1}, 100, 3}, {Openings{Plies: 2}, 1000, 12},
	} {
		if got := NewBook(g, c.o, 1).Distinct(c.n); got != c.want {
			t.Errorf("%+v: %d of %d, want %d", c.o, got, c.n, c.want)
		}
	}
}

// Agents that always answer alike are told of where there are fewer openings than pairs.
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
		{2, 20, "classic: g1, g2 always answer alike, and there are 3 different openings for 20 pairs: at most 6 different games"},
		{4, 20, "classic: g1, g2, g3, g4 always"},
		{5, 20, "classic: g1, g2, g3, g4 and 1 more always"},
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
