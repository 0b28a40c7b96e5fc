package arena

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
	"spar/engines"
)

// What a machine hands in is taken only where it can have been played as the task says. X completes the left column at
// ply 5.
func TestAccept(t *testing.T) {
	t.Parallel()
	g := must.Get(engines.Named("classic"))(t)
	const whole, part = "a1 b1 a2 b2 a3", "a1 b1 a2 b2"
	const first, second, drawn = engines.FirstWins, engines.SecondWins, engines.Drawn
	type change = func(*Task, *Result)
	ended := func(outcome engines.Result, reason string, faulty int8, rule Adjudge) change {
		return func(t *Task, r *Result) {
			r.Moves, r.Outcome, r.Reason, r.Faulty, t.Adjudicate = part, outcome, reason, faulty, rule
		}
	}
	clock := func(outcome engines.Result) change {
		return func(t *Task, r *Result) {
			ended(outcome, "clock", 0, Adjudge{})(t, r)
			t.GameLimit = 0.5
		}
	}
	thought := func(plies ...int) change {
		return func(t *Task, r *Result) {
			t.Thoughts = true
			for _, p := range plies {
				r.Thoughts = append(r.Thoughts, study.Ply{Ply: p})
			}
		}
	}
	for name, c := range map[string]struct {
		change
		wrong string // empty = accepted
	}{
		"as played":      {func(*Task, *Result) {}, ""},
		"another event":  {func(_ *Task, r *Result) { r.Event++ }, "not those of the task"},
		"another number": {func(_ *Task, r *Result) { r.Number++ }, "not those of the task"},
		"other rules":    {func(_ *Task, r *Result) { r.Rules = "x" }, "not those of the task"},
		"seats changed": {
			func(_ *Task, r *Result) { r.Specs[0], r.Specs[1] = r.Specs[1], r.Specs[0] },
			"not those of the task",
		},
		"another winner": {
			func(_ *Task, r *Result) { r.Outcome = engines.SecondWins },
			`do not lead to the stated result: second by "line"`,
		},
		"another reason":        {func(_ *Task, r *Result) { r.Reason = "full_board" }, "do not lead to"},
		"a fault after the end": {func(_ *Task, r *Result) { r.Faulty = 2 }, "do not lead to"},
		"an illegal move":       {func(_ *Task, r *Result) { r.Moves = "a1 a1" }, "a1"},
		"another opening": {
			func(_ *Task, r *Result) { r.Moves = "b1 a1 b2 a2 b3" },
			"it does not begin with the opening of the task",
		},
		"less than its opening": {func(t *Task, r *Result) {
			ended(second, "forfeit_error", 1, Adjudge{})(t, r)
			r.Moves = "a1"
		}, "it does not begin with the opening of the task"},
		"its opening alone": {func(t *Task, r *Result) {
			ended(second, "forfeit_error", 1, Adjudge{})(t, r)
			r.Moves = "a1 b1"
		}, ""},
		"not over":              {ended(first, "line", 0, Adjudge{}), "do not lead to"},
		"forfeit of the first":  {ended(second, "forfeit_error", 1, Adjudge{}), ""},
		"forfeit of the second": {ended(first, "forfeit_error", 2, Adjudge{}), ""},
		"forfeit by the winner": {ended(first, "forfeit_error", 1, Adjudge{}), "do not lead to"},
		"forfeit of nobody":     {ended(second, "forfeit_error", 0, Adjudge{}), "do not lead to"},
		"forfeit of a third":    {ended(second, "forfeit_error", 3, Adjudge{}), "do not lead to"},
		"forfeit of 39 letters": {ended(first, "forfeit_"+strings.Repeat("x", 31), 2, Adjudge{}), ""},
		"forfeit of 40 letters": {
			ended(first, "forfeit_"+strings.Repeat("x", 32), 2, Adjudge{}), "do not lead to",
		},
		"resigned by the second":   {ended(first, "resign", 0, Adjudge{Resign: 0.1}), ""},
		"resigned by the first":    {ended(second, "resign", 0, Adjudge{Resign: 0.1}), ""},
		"resigned and drawn":       {ended(drawn, "resign", 0, Adjudge{Resign: 0.1}), "do not lead to"},
		"resigned unasked":         {ended(first, "resign", 0, Adjudge{}), "do not lead to"},
		"resigned with a fault":    {ended(first, "resign", 2, Adjudge{Resign: 0.1}), "do not lead to"},
		"agreed":                   {ended(drawn, "agreed_draw", 0, Adjudge{Draw: 0.1}), ""},
		"agreed and won":           {ended(first, "agreed_draw", 0, Adjudge{Draw: 0.1}), "do not lead to"},
		"agreed unasked":           {ended(drawn, "agreed_draw", 0, Adjudge{}), "do not lead to"},
		"exact at its ply":         {ended(first, "exact", 0, Adjudge{Exact: 4}), ""},
		"exact for the second":     {ended(second, "exact", 0, Adjudge{Exact: 1}), ""},
		"exact draw":               {ended(drawn, "exact", 0, Adjudge{Exact: 1}), ""},
		"exact before its ply":     {ended(first, "exact", 0, Adjudge{Exact: 5}), "do not lead to"},
		"exact unasked":            {ended(first, "exact", 0, Adjudge{}), "do not lead to"},
		"exact and open":           {ended(engines.Ongoing, "exact", 0, Adjudge{Exact: 4}), "do not lead to"},
		"out of the game's time":   {clock(drawn), ""},
		"won out of time":          {clock(first), "do not lead to"},
		"out of no time":           {ended(drawn, "clock", 0, Adjudge{}), "do not lead to"},
		"time turned back":         {func(_ *Task, r *Result) { r.Spent[1] = -1 }, "its times or nodes are negative"},
		"fewer nodes than none":    {func(_ *Task, r *Result) { r.Nodes[1] = -1 }, "its times or nodes are negative"},
		"thoughts unasked":         {func(_ *Task, r *Result) { r.Thoughts = []study.Ply{{Ply: 5}} }, "agents' plies: 1"},
		"no thoughts though asked": {thought(), ""},
		"a thought a ply":          {thought(1, 2, 3, 4, 5), ""},
		"more thoughts than plies": {thought(1, 2, 3, 4, 5, 5), "agents' plies: 6"},
		"thoughts of ply 0":        {thought(0), "agents' record of ply 0"},
		"thoughts after the end":   {thought(6), "agents' record of ply 6"},
		"thoughts twice":           {thought(3, 3), "agents' record of ply 3"},
		"a long line": {func(t *Task, r *Result) {
			t.Thoughts, r.Thoughts = true, []study.Ply{{Ply: 1, PV: strings.Repeat("x", mostPV)}}
		}, ""},
		"too long a line": {func(t *Task, r *Result) {
			t.Thoughts, r.Thoughts = true, []study.Ply{{Ply: 1, PV: strings.Repeat("x", mostPV+1)}}
		}, "agents' record of ply 1"},
		"long moves": {func(_ *Task, r *Result) { r.Moves += strings.Repeat(" ", mostMoves-len(r.Moves)) }, ""},
		"too long moves": {
			func(_ *Task, r *Result) { r.Moves += strings.Repeat(" ", mostMoves+1-len(r.Moves)) },
			"65537 bytes of moves",
		},
		"a long detail":     {func(_ *Task, r *Result) { r.Detail = strings.Repeat("x", mostDetail) }, ""},
		"too long a detail": {func(_ *Task, r *Result) { r.Detail = strings.Repeat("x", mostDetail+1) }, "4097 bytes of detail"},
	} {
		task := Task{
			Slot: Slot{3, 7}, Setting: Setting{Rules: g.RulesHash(), Seats: [2]Entrant{{Spec: "s"}, {Spec: "t"}}}, Opening: "a1 b1",
		}
		r := Result{
			Slot: task.Slot, Rules: task.Rules, Specs: [2]string{"s", "t"}, Moves: whole, Outcome: engines.FirstWins,
			Reason: "line",
		}
		c.change(&task, &r)
		err := task.Accept(g, true, &r)
		if c.wrong == "" {
			if plies := len(strings.Fields(r.Moves)); err != nil || r.Plies != plies || r.OpeningPlies != 2 || !r.Timed ||
				r.Moves != whole[:3*plies-1] {
				t.Errorf("%s: %v, %+v", name, err, r)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.wrong) || !strings.HasPrefix(err.Error(), "game 7: ") {
			t.Errorf("%s: %v, want %q", name, err, c.wrong)
		}
	}
}

// cheating is a pool whose worker hands in forfeits and is found out at the end of the first time that it plays.
type cheating struct {
	*Local
	played int
}

func (c *cheating) Play(ctx context.Context, tasks <-chan []Task, results chan<- []Result) error {
	if c.played++; c.played > 1 {
		return c.Local.Play(ctx, tasks, results)
	}
	told, done := make(chan []Result), make(chan struct{})
	go func() {
		defer close(done)
		for rs := range told {
			for i := range rs {
				rs[i].Outcome, rs[i].Reason, rs[i].Faulty = engines.SecondWins, "forfeit_error", 1
			}
			results <- rs
		}
	}()
	err := c.Local.Play(ctx, tasks, told)
	close(told)
	<-done
	return errors.Join(err, &Distrust{
		Worker: LocalWorker, Why: "it cheats",
		Tested: func(at Slot) bool { return at.Number == 0 },
	})
}

// What a worker that is not to be relied on has played is played again, but for the game that somebody else has played
// alike, and no more games are handed out than the limit says. Forfeits are those that count.
func TestDistrust(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, c := range []struct {
		before, limit int64
		// counted as played by the second run, played again, times that the pool played, its forfeits
		played, again, sets, faults int64
	}{
		{0, 0, 8, 7, 2, 1},
		{0, 1, 1, 0, 1, 1},
		{0, 4, 1, 3, 1, 1},
		{2, 4, -1, 5, 1, 0}, // one of the two that were there before is superseded, too, and not played again
		{2, 0, 6, 7, 2, 0},
	} {
		name := fmt.Sprintf("%d before, limit %d", c.before, c.limit)
		db := must.Get(store.Open(ctx, filepath.Join(t.TempDir(), "s.db"), store.Create))(t)
		p := must.Get(LoadPlan("p", []byte("{name: x, games: [classic], agents: [random, greedy], pairs: 4, seed: 3}")))(t)
		if c.before > 0 {
			must.Get(Run(ctx, ctx, p, db, Options{Limit: c.before}))(t)
		}
		assets := NewAssets()
		pool := &cheating{Local: NewLocal(assets, 1)}
		feed, barred := live.NewFeed(time.Now), live.Event{}
		feed.Attach(func(e live.Event) {
			if e.Kind == live.Barred {
				barred = e
			}
		})
		sum := must.Get(Run(ctx, ctx, p, db, Options{Limit: c.limit, Feed: feed, Assets: assets, Pool: pool}))(t)
		if !strings.HasSuffix(barred.Text, fmt.Sprintf("it cheats; %d of its games will be replayed", c.again)) ||
			barred.Done != 1 || barred.Total != 8 {
			t.Errorf("%s: told %+v", name, barred)
		}
		counts := int64(0)
		for _, row := range storetest.Games(t, db, store.Filter{}) {
			if row.Marks&evidence.Superseded == 0 {
				counts++
			}
		}
		if sum.Played != c.played || sum.Superseded != c.again || sum.Faults != c.faults || int64(pool.played) != c.sets ||
			counts != c.before+c.played || sum.Finished != (counts == 8) {
			t.Errorf("%s: played %d, again %d, in %d times, %d games count, %+v", name, sum.Played, sum.Superseded, pool.played,
				counts, sum)
		}
		pool.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
