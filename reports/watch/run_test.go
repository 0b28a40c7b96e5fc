package watch

import (
	"context"
	"io"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

// Games that workers have played ahead of one that decides are shown as played, and rated when it is known what they
// count for.
func TestProgressRatesWhatIsJudged(t *testing.T) {
	t.Parallel()
	plan, err := arena.LoadPlan("m", []byte("{name: m, games: [classic], format: match, pairs: 3, agents: [greedy, "+
		"random], stop: {sprt: {elo0: 0, elo1: 20}}}"))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	db := storetest.New(t)
	p := must.Get(NewRun(ctx, NewDisplay(io.Discard), plan, db))(t)
	game := func(number int64, m evidence.Marks) {
		g := live.Game{
			Number: number, Pair: number / 2, Rules: "classic", First: "greedy", Second: "random", Result: "first",
			Plies: 5, Marks: m,
		}
		if number%2 == 1 {
			g.First, g.Second, g.Result = g.Second, g.First, "second"
		}
		p.Hear(live.Event{Kind: live.GameEnd, Game: &g})
	}
	shows := func(done int64, pairs string) {
		t.Helper()
		if got := p.standings.Test(); p.done != done || !strings.HasSuffix(got, pairs) {
			t.Errorf("%d games, %s; want %d and %s", p.done, got, done, pairs)
		}
	}
	p.Hear(live.Event{Kind: live.Begin, Total: 6})
	for number := int64(5); number > 1; number-- {
		game(number, evidence.Pending)
	}
	shows(4, "points: 0 0 0 0 0")
	game(0, 0)
	game(1, 0)
	shows(6, "points: 0 0 0 0 1")
	p.Hear(live.Event{Kind: live.Verdict, Judged: []live.Judged{
		{Number: 2, Marks: evidence.Repeated},
		{Number: 3, Marks: evidence.Repeated},
		{Number: 4},
		{Number: 5},
	}})
	shows(6, "points: 0 0 0 0 2")
}

// Where a machine is barred, what is shown begins anew from the study: its games are counted no more, nor rated, nor
// the time that they took.
func TestProgressWithoutABarredMachine(t *testing.T) {
	t.Parallel()
	plan, err := arena.LoadPlan("cup", []byte("{name: cup, games: [classic], format: match, pairs: 3, agents: [greedy, "+
		"random], stop: {sprt: {elo0: 0, elo1: 20}}}"))
	if err != nil {
		t.Fatal(err)
	}
	db := storetest.New(t)
	must.Get(arena.Run(t.Context(), t.Context(), plan, db, arena.Options{}))(t)
	p := must.Get(NewRun(t.Context(), NewDisplay(io.Discard), plan, db))(t)
	p.Hear(live.Event{Kind: live.Begin, Done: 6, Total: 6, Exact: true})
	all := p.standings.Health()
	must.Get(db.Supersede(t.Context(), arena.LocalWorker,
		func(_, number int64) bool { return number < 3 }))(t)
	p.Hear(live.Event{Kind: live.Barred, Done: 3, Total: 6, Exact: true})
	if p.done != 3 || p.before != 3 || p.rate() != "" {
		t.Errorf("%d games, %d of them before, %q", p.done, p.before, p.rate())
	}
	if got := p.standings.Test(); !strings.HasSuffix(got, "points: 0 0 0 0 1") || p.standings.Health() == all {
		t.Errorf("rated: %s, %s", got, p.standings.Health())
	}
	again, err := NewRun(t.Context(), NewDisplay(io.Discard), plan, db)
	if err != nil || again.standings.Health() != p.standings.Health() {
		t.Errorf("another run of the study shows %s, this one %s, %v", again.standings.Health(), p.standings.Health(), err)
	}
}
