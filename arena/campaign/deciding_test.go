package campaign

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"spar/agents"
	"spar/arena"
	"spar/engines"
)

// One decision costs its simulations and one; a game costs the mean of its players: ten pairs of 8 simulations against
// random play are 20 games of (9 + 1)/2.
func TestWork(t *testing.T) {
	t.Parallel()
	random, greedy, deep := agents.DefaultSpec(), agents.DefaultSpec(), agents.DefaultSpec()
	random.Type, greedy.Type, deep.Type = "random", "heuristic", "minimax"
	for _, c := range []struct {
		s    agents.Spec
		want float64
	}{{random, 1}, {greedy, 1}, {deep, 30}, {treeSearch(8), 9}, {treeSearch(100), 101}} {
		if got := agentWork(c.s); got != c.want {
			t.Errorf("%s: %g, want %g", c.s.Type, got, c.want)
		}
	}
	for games, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3} {
		if got := pairsOf(games); got != want {
			t.Errorf("%d games are %d pairs, want %d", games, got, want)
		}
	}
	p := Part(load(t, "classic", nil), "x", PurposeLadder, "ladder", 10, arena.Openings{Plies: 1}, Tiers([]int64{8}))
	if got := PartWork(p); got != 20*5 || PartGames(p) != 20 {
		t.Errorf("%d games of work %g, want 20 of 100 in all", PartGames(p), got)
	}
	c := tiny(t, "classic")
	want := c.stepsAhead().Work / 9
	for _, p := range c.Parts() {
		want += PartWork(p)
	}
	if got := c.Work(); got != want || want <= 0 {
		t.Errorf("work %g, that of the parts is %g", got, want)
	}
}

// faulty is a pool in which the first player of each event's first game forfeits it.
type faulty struct{ arena.Pool }

func (p faulty) Play(ctx context.Context, tasks <-chan []arena.Task, results chan<- []arena.Result) error {
	through := make(chan []arena.Result)
	var group sync.WaitGroup
	group.Go(func() {
		for rs := range through {
			for i := range rs {
				if r := &rs[i]; r.Number == 0 {
					r.Outcome, r.Reason, r.Faulty = engines.SecondWins, "forfeit_illegal", 1
				}
			}
			results <- rs
		}
	})
	defer group.Wait()
	defer close(through)
	return p.Pool.Play(ctx, tasks, through)
}

// Studies with minutes begin together or go on together; one that is there decides its own sizes, and without minutes
// the others keep theirs.
func TestPrepare(t *testing.T) {
	t.Parallel()
	db := open(t)
	stored := tiny(t, "classic")
	run(t, db, []*Campaign{stored}, Options{Limit: 1})
	one, two := plan(t, "classic"), plan(t, "rolling")
	if err := prepare(t.Context(), db, []*Campaign{one, two}, Options{Workers: 1}); err != nil || one.Record.Sizes != stored.Record.Sizes || two.Record.Sizes != plan(t, "rolling").Record.Sizes {
		t.Errorf("%v: sizes %+v and %+v", err, one.Record.Sizes, two.Record.Sizes)
	}
	timed := func(name string) *Campaign {
		c := plan(t, name)
		c.Record.Request.Minutes = 3
		return c
	}
	both := open(t)
	first := tiny(t, "classic")
	first.Record.Request.Minutes = 3
	if err := first.begin(t.Context(), both); err != nil {
		t.Fatal(err)
	}
	if err := prepare(t.Context(), both, []*Campaign{timed("classic")}, Options{Workers: 1}); err != nil {
		t.Error(err)
	}
	if err := prepare(t.Context(), both, []*Campaign{timed("classic"), timed("rolling")}, Options{Workers: 1}); !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), "begin together") {
		t.Errorf("some of the rules are there: %v", err)
	}
	if err := prepare(t.Context(), db, []*Campaign{timed("classic")}, Options{Workers: 1}); !errors.Is(err, ErrOther) {
		t.Errorf("another request: %v", err)
	}
}
