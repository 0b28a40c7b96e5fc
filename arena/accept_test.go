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
	"spar/engines"
)

// What a machine hands in is taken only where it can have been played as the task says. X completes the left column at ply 5.
func TestAccept(t *testing.T) {
	t.Parallel()
	g, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
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
		"as played":             {func(*Task, *Result) {}, ""},
		"another event":         {func(_ *Task, r *Result) { r.Event++ }, "other rules or agents"},
		"another number":        {func(_ *Task, r *Result) { r.Number++ }, "other rules or agents"},
		"other rules":           {func(_ *Task, r *Result) { r.Rules = "x" }, "other rules or agents"},
		"seats changed":         {func(_ *Task, r *Result) { r.Specs[0], r.Specs[1] = r.Specs[1], r.Specs[0] }, "other rules or agents"},
		"another winner":        {func(_ *Task, r *Result) { r.Outcome = engines.SecondWins }, `do not end in second by "line"`},
		"another reason":        {func(_ *Task, r *Result) { r.Reason = "full_board" }, "do not end"},
		"a fault after the end": {func(_ *Task, r *Result) { r.Faulty = 2 }, "do not end"},
		"an illegal move":       {func(_ *Task, r *Result) { r.Moves = "a1 a1" }, "a1"},
		"another opening":       {func(_ *Task, r *Result) { r.Moves = "b1 a1 b2 a2 b3" }, "does not begin with its opening"},
		"less than its opening": {func(_ *Task, r *Result) {
			unfinished(r, engines.SecondWins, "forfeit_error")
			r.Moves, r.Faulty = "a1", 1
		}, "does not begin with its opening"},
		"its opening alone": {func(_ *Task, r *Result) {
			unfinished(r, engines.SecondWins, "forfeit_error")
			r.Moves, r.Faulty = "a1 b1", 1
		}, ""},
		"not over":              {func(_ *Task, r *Result) { unfinished(r, engines.FirstWins, "line") }, "do not end"},
		"forfeit of the first":  {func(_ *Task, r *Result) { unfinished(r, engines.SecondWins, "forfeit_error"); r.Faulty = 1 }, ""},
		"forfeit of the second": {func(_ *Task, r *Result) { unfinished(r, engines.FirstWins, "forfeit_error"); r.Faulty = 2 }, ""},
		"forfeit by the winner": {func(_ *Task, r *Result) { unfinished(r, engines.FirstWins, "forfeit_error"); r.Faulty = 1 }, "do not end"},
		"forfeit of nobody":     {func(_ *Task, r *Result) { unfinished(r, engines.SecondWins, "forfeit_error") }, "do not end"},
		"forfeit of a third":    {func(_ *Task, r *Result) { unfinished(r, engines.SecondWins, "forfeit_error"); r.Faulty = 3 }, "do not end"},
		"forfeit of 39 letters": {func(_ *Task, r *Result) {
			unfinished(r, engines.FirstWins, "forfeit_"+strings.Repeat("x", 31))
			r.Faulty = 2
		}, ""},
		"forfeit of 40 letters": {func(_ *Task, r *Result) {
			unfinished(r, engines.FirstWins, "forfeit_"+strings.Repeat("x", 32))
			r.Faulty = 2
		}, "do not end"},
		"resigned by the second": {func(t *Task, r *Result) { unfinished(r, engines.FirstWins, "resign"); t.Adjudicate.Resign = 0.1 }, ""},
		"resigned by the first":  {func(t *Task, r *Result) { unfinished(r, engines.SecondWins, "resign"); t.Adjudicate.Resign = 0.1 }, ""},
		"resigned and drawn":     {func(t *Task, r *Result) { unfinished(r, engines.Drawn, "resign"); t.Adjudicate.Resign = 0.1 }, "do not end"},
		"resigned unasked":       {func(_ *Task, r *Result) { unfinished(r, engines.FirstWins, "resign") }, "do not end"},
		"resigned with a fault": {func(t *Task, r *Result) {
			unfinished(r, engines.FirstWins, "resign")
			t.Adjudicate.Resign, r.Faulty = 0.1, 2
		}, "do not end"},
		"agreed":                   {func(t *Task, r *Result) { unfinished(r, engines.Drawn, "agreed_draw"); t.Adjudicate.Draw = 0.1 }, ""},
		"agreed and won":           {func(t *Task, r *Result) { unfinished(r, engines.FirstWins, "agreed_draw"); t.Adjudicate.Draw = 0.1 }, "do not end"},
		"agreed unasked":           {func(_ *Task, r *Result) { unfinished(r, engines.Drawn, "agreed_draw") }, "do not end"},
		"exact at its ply":         {func(t *Task, r *Result) { unfinished(r, engines.FirstWins, "exact"); t.Adjudicate.Exact = 4 }, ""},
		"exact for the second":     {func(t *Task, r *Result) { unfinished(r, engines.SecondWins, "exact"); t.Adjudicate.Exact = 1 }, ""},
		"exact draw":               {func(t *Task, r *Result) { unfinished(r, engines.Drawn, "exact"); t.Adjudicate.Exact = 1 }, ""},
		"exact before its ply":     {func(t *Task, r *Result) { unfinished(r, engines.FirstWins, "exact"); t.Adjudicate.Exact = 5 }, "do not end"},
		"exact unasked":            {func(_ *Task, r *Result) { unfinished(r, engines.FirstWins, "exact") }, "do not end"},
		"exact and open":           {func(t *Task, r *Result) { unfinished(r, engines.Ongoing, "exact"); t.Adjudicate.Exact = 4 }, "do not end"},
		"out of the game's time":   {func(t *Task, r *Result) { unfinished(r, engines.Drawn, "clock"); t.GameLimit = 0.5 }, ""},
		"won out of time":          {func(t *Task, r *Result) { unfinished(r, engines.FirstWins, "clock"); t.GameLimit = 0.5 }, "do not end"},
		"out of no time":           {func(_ *Task, r *Result) { unfinished(r, engines.Drawn, "clock") }, "do not end"},
		"time turned back":         {func(_ *Task, r *Result) { r.Spent[1] = -1 }, "negative times or nodes"},
		"fewer nodes than none":    {func(_ *Task, r *Result) { r.Nodes[1] = -1 }, "negative times or nodes"},
		"thoughts unasked":         {func(_ *Task, r *Result) { r.Thoughts = thought(5) }, "1 thoughts"},
		"no thoughts though asked": {func(t *Task, _ *Result) { t.Thoughts = true }, ""},
		"a thought a ply":          {func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(1, 2, 3, 4, 5) }, ""},
		"more thoughts than plies": {func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(1, 2, 3, 4, 5, 5) }, "6 thoughts"},
		"thoughts of ply 0":        {func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(0) }, "thoughts of ply 0"},
		"thoughts after the end":   {func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(6) }, "thoughts of ply 6"},
		"thoughts twice":           {func(t *Task, r *Result) { t.Thoughts, r.Thoughts = true, thought(3, 3) }, "thoughts of ply 3"},
		"a long line": {func(t *Task, r *Result) {
			t.Thoughts, r.Thoughts = true, []study.Ply{{Ply: 1, PV: strings.Repeat("x", mostPV)}}
		}, ""},
		"too long a line": {func(t *Task, r *Result) {
			t.Thoughts, r.Thoughts = true, []study.Ply{{Ply: 1, PV: strings.Repeat("x", mostPV+1)}}
		}, "thoughts of ply 1"},
		"long moves":        {func(_ *Task, r *Result) { r.Moves += strings.Repeat(" ", mostMoves-len(r.Moves)) }, ""},
		"too long moves":    {func(_ *Task, r *Result) { r.Moves += strings.Repeat(" ", mostMoves+1-len(r.Moves)) }, "65537 bytes of moves"},
		"a long detail":     {func(_ *Task, r *Result) { r.Detail = strings.Repeat("x", mostDetail) }, ""},
		"too long a detail": {func(_ *Task, r *Result) { r.Detail = strings.Repeat("x", mostDetail+1) }, "4097 of detail"},
	} {
		task := Task{Slot: Slot{3, 7}, Rules: g.RulesHash(), Seats: [2]Entrant{{Spec: "s"}, {Spec: "t"}}, Opening: "a1 b1"}
		r := Result{Slot: task.Slot, Rules: task.Rules, Specs: [2]string{"s", "t"}, Moves: whole, Outcome: engines.FirstWins, Reason: "line"}
		c.change(&task, &r)
		err := task.Accept(g, true, &r)
		if c.wrong == "" {
			if plies := len(strings.Fields(r.Moves)); err != nil || r.Plies != plies || r.OpeningPlies != 2 || !r.Timed || r.Moves != whole[:3*plies-1] {
				t.Errorf("%s: %v, %+v", name, err, r)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.wrong) || !strings.HasPrefix(err.Error(), "game 7: ") {
			t.Errorf("%s: %v, want %q", name, err, c.wrong)
		}
	}
}

// A position is proved by its children: a win in one is enough, a draw is better than a loss, and what is open leaves it open.
func TestProofOfChildren(t *testing.T) {
	t.Parallel()
	const w, l, d, open = engines.FirstWins, engines.SecondWins, engines.Drawn, engines.Ongoing // for the side that moves, the first
	for _, c := range []struct {
		children []engines.Result
		want     engines.Result
	}{
		{[]engines.Result{l, l}, l},
		{[]engines.Result{l, d}, d},
		{[]engines.Result{d, l}, d},
		{[]engines.Result{d, d}, d},
		{[]engines.Result{l, open}, open},
		{[]engines.Result{open, d}, open},
		{[]engines.Result{open, w}, w},
		{[]engines.Result{l, d, w}, w},
	} {
		e := &even{nodes: make([]evenNode, 2)}
		for _, r := range c.children {
			e.nodes = append(e.nodes, evenNode{side: engines.First, proof: r})
		}
		if got := e.prove(&evenNode{children: 2, count: int32(len(c.children))}); got != c.want {
			t.Errorf("%v: %v, want %v", c.children, got, c.want)
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
	return errors.Join(err, &Distrust{Worker: LocalWorker, Why: "it cheats", Tested: func(at Slot) bool { return at.Number == 0 }})
}

// What a worker that is not to be relied on has played is played again, but for the game that somebody else has played alike, and no
// more games are handed out than the limit says. Forfeits are those that count.
func TestDistrust(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, c := range []struct {
		before, limit               int64
		played, again, sets, faults int64 // counted as played by the second run, played again, times that the pool played, its forfeits
	}{
		{0, 0, 8, 7, 2, 1},
		{0, 1, 1, 0, 1, 1},
		{0, 4, 1, 3, 1, 1},
		{2, 4, -1, 5, 1, 0}, // one of the two that were there before is superseded, too, and not played again
		{2, 0, 6, 7, 2, 0},
	} {
		name := fmt.Sprintf("%d before, limit %d", c.before, c.limit)
		db, err := store.Open(ctx, filepath.Join(t.TempDir(), "s.db"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := LoadPlan("p", []byte("{name: x, games: [classic], agents: [random, greedy], pairs: 4, seed: 3}"))
		if err != nil {
			t.Fatal(err)
		}
		if c.before > 0 {
			if _, err := Run(ctx, ctx, p, db, Options{Limit: c.before}); err != nil {
				t.Fatal(err)
			}
		}
		kit := NewKit()
		pool := &cheating{Local: NewLocal(kit, 1)}
		feed, barred := live.NewFeed(time.Now), live.Event{}
		feed.Attach(func(e live.Event) {
			if e.Kind == live.Barred {
				barred = e
			}
		})
		sum, err := Run(ctx, ctx, p, db, Options{Limit: c.limit, Feed: feed, Kit: kit, Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(barred.Text, fmt.Sprintf("it cheats; games to be played again: %d", c.again)) || barred.Done != 1 || barred.Total != 8 {
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
		if sum.Played != c.played || sum.Again != c.again || sum.Faults != c.faults || int64(pool.played) != c.sets || counts != c.before+c.played || sum.Finished != (counts == 8) {
			t.Errorf("%s: played %d, again %d, in %d times, %d games count, %+v", name, sum.Played, sum.Again, pool.played, counts, sum)
		}
		pool.Close()
		kit.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The child with the best value goes next: what its visits gave in the mean, before the first what the evaluation says, and for its prior
// 0.6 times the root of one more than the parent's visits, over one more than its own. Proven losses are passed over, of equals the first is taken.
func TestChildVisitedNext(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		visits   int32 // of the parent
		children []evenNode
		want     int32
	}{
		"by the evaluation":       {0, []evenNode{{worth: 0.4}, {worth: 0.5}, {worth: 0.5}}, 1},
		"one visit counts":        {1, []evenNode{{worth: 0.1, visits: 1, points: 0.9}, {worth: 0.5}}, 0},
		"the mean of visits":      {4, []evenNode{{worth: 0.9, visits: 3, points: 1.2}, {worth: 0.5}}, 1},
		"by the prior":            {0, []evenNode{{worth: 0.4, prior: 0.2}, {worth: 0.5}}, 0},             // 0.52
		"by too small a prior":    {0, []evenNode{{worth: 0.4, prior: 0.1}, {worth: 0.5}}, 1},             // 0.46
		"by the parent's visits":  {3, []evenNode{{worth: 0.4, prior: 0.1}, {worth: 0.5}}, 0},             // 0.52
		"less after a visit":      {3, []evenNode{{visits: 1, points: 0.4, prior: 0.1}, {worth: 0.5}}, 1}, // 0.46
		"a loss is passed over":   {0, []evenNode{{worth: 0.9, side: engines.First, proof: engines.SecondWins}, {worth: 0.1}}, 1},
		"a win is taken":          {0, []evenNode{{worth: 0.1}, {worth: 0.9, side: engines.First, proof: engines.FirstWins}}, 1},
		"a draw is not":           {0, []evenNode{{worth: 0.6}, {worth: 0.5, proof: engines.Drawn}}, 0},
		"losses alone: the first": {0, []evenNode{{side: 1, proof: engines.FirstWins}, {side: 1, proof: engines.FirstWins}}, 0},
	} {
		e := &even{nodes: append([]evenNode{{}, {visits: c.visits, children: 2, count: int32(len(c.children))}}, c.children...)}
		if got := e.choose(1) - 2; got != c.want {
			t.Errorf("%s: child %d, want %d", name, got, c.want)
		}
	}
}

// Without results no interval is narrow, whatever width is asked for.
func TestNothingIsNarrow(t *testing.T) {
	t.Parallel()
	tour := &Tournament{}
	tour.Stop.Width = 100
	if why, stop := new(stopRule).narrow(&Schedule{t: tour}); stop || why != "" {
		t.Errorf("%q, %t", why, stop)
	}
}
