package campaign

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

// asked is an inquiry that takes a third of a second, of classic: four stages with up to 8000 positions per move.
func asked(t *testing.T, name string) *Campaign {
	c := plan(t, name)
	c.Record.Rules.Rules = "gone.yaml" // the study has its rules
	c.Record.Inquiry = Inquiry{Nodes: 125, Stages: 4, Free: 3, Forced: 1, Work: 1e6}
	return c
}

func inquire(t *testing.T, c *Campaign, o Options, runs int) []Stage {
	t.Helper()
	ctx := context.Background()
	db := storetest.New(t)
	var sum Summary
	for range runs {
		sum = must.Get(c.runInquiry(ctx, ctx, db, o))(t)
		if sum.Finished {
			break
		}
	}
	stages, finished, err := Inquired(ctx, db, c.Rules.Label, c.Rules.Game)
	if err != nil || !finished || !sum.Finished {
		t.Fatalf("finished %t, run %+v, %v", finished, sum, err)
	}
	return stages
}

// Classic tic-tac-toe is a draw, which both kinds of search find. The games are the same on any number of workers, and
// where the run was interrupted after every 40 games.
func TestInquiry(t *testing.T) {
	t.Parallel()
	text := func(stages []Stage) string {
		out := must.Get(json.Marshal(stages))(t)
		return string(out)
	}
	whole := inquire(t, asked(t, "classic"), Options{Workers: 3}, 1)
	if f := Judge(whole); f.Claim != Even || f.Forced != nil {
		t.Errorf("%+v", f)
	}
	if n := len(whole); n < 3 || len(whole[0].FirstMoves) != 3 || whole[0].Free.All().Games() != 18 ||
		whole[0].Side != "second" {
		t.Errorf("%d stages, %+v", n, whole[0])
	}
	// A game of classic has 5 to 9 plies, and each free game begins with one of the three first moves.
	chosen := whole[0].Free.Chosen
	for _, p := range whole[0].FirstMoves {
		chosen += p.Chosen
	}
	if chosen != 18 || whole[0].Free.Chosen != 0 || whole[0].Plies < 5 || whole[0].Plies > 9 {
		t.Errorf("first moves chosen %d times, %.1f plies", chosen, whole[0].Plies)
	}
	if parts := inquire(t, asked(t, "classic"), Options{Workers: 1, Limit: 40}, 100); text(parts) != text(whole) {
		t.Errorf("%s\nin one go %s", text(parts), text(whole))
	}
	// A ceiling of work ends it early, with the stage that was begun.
	c := asked(t, "classic")
	c.Record.Inquiry.Work = 1
	if got := inquire(t, c, Options{Workers: 1}, 1); len(got) != 1 || text(got) != text(whole[:1]) {
		t.Errorf("%d stages", len(got))
	}
}

// The replies to a first move, one of each class of positions, by hand: to the centre a corner and an edge. With two
// stones a turn the same side goes on; with a line of two a stone beside the first in a corner, also across, ends the
// game, and two pairs of the other five are images of each other.
func TestReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set         map[string]any
		first, side string
		want        int
	}{
		{nil, "b2", "second", 2},
		{nil, "a1", "second", 5},
		{map[string]any{"turn.placements": 2, "turn.first_turn": 2}, "b2", "first", 2},
		{map[string]any{"turn.placements": 2, "turn.first_turn": 2, "win.line": 2}, "a1", "first", 3},
		{nil, "z9", "", 0},
	} {
		lines, side := repliesTo(load(t, "classic", c.set).Game, c.first)
		if len(lines) != c.want || side != c.side {
			t.Errorf("%s of %v: %q by %q, want %d by %q", c.first, c.set, lines, side, c.want, c.side)
		}
		for _, l := range lines {
			if !strings.HasPrefix(l, c.first+" ") || len(strings.Fields(l)) != 2 {
				t.Errorf("%s: %q", c.first, l)
			}
		}
	}
}

// runInquiry plays only the inquiry of a study. Its games are the same as in the whole study.
func (c *Campaign) runInquiry(ctx, hard context.Context, db *store.DB, o Options) (Summary, error) {
	sum := Summary{Finished: true}
	unlock, err := db.Lock()
	if err != nil {
		return sum, err
	}
	defer unlock()
	if err := c.begin(hard, db); err != nil {
		return sum, err
	}
	return sum, c.inquire(ctx, hard, db, o, &sum,
		&meter{began: time.Now(), work: c.inquiryAhead().work * float64(c.Rules.Game.Cells())})
}
