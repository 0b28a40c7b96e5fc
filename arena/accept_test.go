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
	unfinished := func(r *Result, outcome engines.Result, reason string) {
		r.Moves, r.Outcome, r.Reason = part, outcome, reason
	}
	thought := func(plies ...int) (out []study.Ply) {
		for _, p := range plies {
			out = append(out, study.Ply{Ply: p})
		}
		return out
	}
	for name, c := range map[string]struct {
		change func(*Task, *Result)
		wrong  string // empty = accepted
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
		"less than its opening": {func(_ *Task, r *Result) {
			unfinished(r, engines.SecondWins, "forfeit_error")
			r.Moves, r.Faulty = "a1", 1
		}, "it does not begin with the opening of the task"},
		"its opening alone": {func(_ *Task, r *Result) {
			unfinished(r, engines.SecondWins, "forfeit_error")
			r.Moves, r.Faulty = "a1 b1", 1
		}, ""},
		"not over": {func(_ *Task, r *Result) { unfinished(r, engines.FirstWins, "line") }, "do not lead to"},
		"forfeit of the first": {func(_ *Task, r *Result) {
			unfinished(r, engines.SecondWins,
				"forfeit_error")
			r.Faulty = 1
		}, ""},
		"forfeit of the second": {func(_ *Task, r *Result) {
			unfinished(r, engines.FirstWins,
				"forfeit_error")
			r.Faulty = 2
		}, ""},
		"forfeit by the winner": {func(_ *Task, r *Result) {
			unfinished(r, engines.FirstWins,
				"forfeit_error")
			r.Faulty = 1
		}, "do not lead to"},
		"forfeit of nobody": {
			func(_ *Task, r *Result) { unfinished(r, engines.SecondWins, "forfeit_error") },
			"do not lead to",
		},
		"forfeit of a third": {func(_ *Task, r *Result) {
			unfinished(r, engines.SecondWins,
				"forfeit_error")
			r.Faulty = 3
		}, "do not lead to"},
		"forfeit of 39 letters": {func(_ *Task, r *Result) {
			unfinished(r, engines.FirstWins, "forfeit_"+strings.Repeat("x", 31))
			r.Faulty = 2
		}, ""},
		"forfeit of 40 letters": {func(_ *Task, r *Result) {
			unfinished(r, engines.FirstWins, "forfeit_"+strings.Repeat("x", 32))
			r.Faulty = 2
		}, "do not lead to"},
		"resigned by the second": {func(t *Task, r *Result) {
			unfinished(r, engines.FirstWins,
				"resign")
			t.Adjudicate.Resign = 0.1
		}, ""},
		"resigned by the first": {func(t *Task, r *Result) {
			unfinished(r, engines.SecondWins,
				"resign")
			t.Adjudicate.Resign = 0.1
		}, ""},
		"resigned and drawn": {func(t *Task, r *Result) {
			unfinished(r, engines.Drawn,
				"resign")
			t.Adjudicate.Resign = 0.1
		}, "do not lead to"},
		"resigned unasked": {func(_ *Task, r *Result) { unfinished(r, engines.FirstWins, "resign") }, "do not lead to"},
		"resigned with a fault": {func(t *Task, r *Result) {
			unfinished(r, engines.FirstWins, "resign")
			t.Adjudicate.Resign, r.Faulty = 0.1, 2
		}, "do not lead to"},
		"agreed": {func(t *Task, r *Result) {
			unfinished(r, engines.Drawn,
				"agreed_draw")
			t.Adjudicate.Draw = 0.1
		}, ""},
		"agreed and won": {func(t *Task, r *Result) {
			unfinished(r, engines.FirstWins,
				"agreed_draw")
			t.Adjudicate.Draw = 0.1
		}, "do not lead to"},
		"agreed unasked": {
			func(_ *Task, r *Result) { unfinished(r, engines.Drawn, "agreed_draw") },
			"do not lead to",
		},
		"exact at its ply": {func(t *Task, r *Result) {
			unfinished(r, engines.FirstWins,
				"exact")
			t.Adjudicate.Exact = 4
		}, ""},
		"exact for the second": {func(t *Task, r *Result) {
			unfinished(r, engines.SecondWins,
				"exact")
			t.Adjudicate.Exact = 1
		}, ""},
		"exact draw": {func(t *Task, r *Result) {
			unfinished(r, engines.Drawn,
				"exact")
			t.Adjudicate.Exact = 1
		}, ""},
		"exact before its ply": {func(t *Task, r *Result) {
			unfinished(r, engines.FirstWins,
				"exact")
			t.Adjudicate.Exact = 5
		}, "do not lead to"},
		"exact unasked": {
			func(_ *Task, r *Result) { unfinished(r, engines.FirstWins, "exact") },
			"do not lead to",
		},
		"exact and open": {func(t *Task, r *Result) {
			unfinished(r, engines.Ongoing,
				"exact")
			t.Adjudicate.Exact = 4
		}, "do not lead to"},
		"out of the game's time": {
			func(t *Task, r *Result) { unfinished(r, engines.Drawn, "clock"); t.GameLimit = 0.5 },
			"",
		},
		"won out of time": {func(t *Task, r *Result) {
			unfinished(r, engines.FirstWins,
				"clock")
			t.GameLimit = 0.5
		}, "do not lead to"},
		"out of no time":           {func(_ *Task, r *Result) { unfinished(r, engines.Drawn, "clock") }, "do not lead to"},
		"time turned back":         {func(_ *Task, r *Result) { r.Spent[1] = -1 }, "its times or nodes are negative"},
		"fewer nodes than none":    {func(_ *Task, r *Result) { r.Nodes[1] = -1 }, "its times or nodes are negative"},
		"thoughts unasked":         {func(_ *Task, r *Result) { r.Thoughts = thought(5) }, "agents' plies: 1"},
		"no thoughts though asked": {func(t *Task, _ *Result) { t.Thoughts = true }, ""},
		"a thought a ply":          {func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(1, 2, 3, 4, 5) }, ""},
		"more thoughts than plies": {
			func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(1, 2, 3, 4, 5, 5) },
			"agents' plies: 6",
		},
		"thoughts of ply 0": {
			func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(0) },
			"agents' record of ply 0",
		},
		"thoughts after the end": {
			func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(6) },
			"agents' record of ply 6",
		},
		"thoughts twice": {
			func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(3, 3) },
			"agents' record of ply 3",
		},
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
		p, err := LoadPlan("p", []byte("{name: x, games: [classic], agents: [random, greedy], pairs: 4, seed: 3}"))
		if err != nil {
			t.Fatal(err)
		}
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
		for row, err := range db.Games(ctx, store.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
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
