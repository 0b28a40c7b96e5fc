package tuning_test

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/configs/must"
	"spar/engines"
)

// doubtful is a pool in which one worker turns every result round, from some game on, until it is found out some games
// later.
type doubtful struct {
	arena.Pool
	mu       sync.Mutex
	from, to int // games
	seen     int
}

func (p *doubtful) Play(ctx context.Context, tasks <-chan []arena.Task, results chan<- []arena.Result) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	through := make(chan []arena.Result)
	var found error
	var group sync.WaitGroup
	group.Go(func() {
		for rs := range through {
			p.mu.Lock()
			for i := range rs {
				if p.seen++; p.seen > p.from && p.seen <= p.to {
					rs[i].Worker = "cheat"
					switch rs[i].Outcome {
					case engines.FirstWins:
						rs[i].Outcome = engines.SecondWins
					case engines.SecondWins:
						rs[i].Outcome = engines.FirstWins
					}
				}
			}
			if p.seen >= p.to && p.from < p.to {
				p.to = 0
				found = &arena.Distrust{Worker: "cheat", Why: "a test", Tested: func(arena.Slot) bool { return false }}
				cancel()
			}
			p.mu.Unlock()
			results <- rs
		}
	})
	err := p.Pool.Play(ctx, tasks, through)
	close(through)
	group.Wait()
	if found != nil {
		return found
	}
	return err
}

// What a worker has played that turns out to be unreliable is played again, and with it everything that came of it: the
// tuning is that of honest workers, whether the games were of the search or of the checks.
func TestDistrustedTuning(t *testing.T) {
	t.Parallel()
	want := run(t, load(t, small, "workers=2", "checks.pool=[]"))
	for name, c := range map[string]struct {
		from, to int
		checks   int // games of checks that are played again
	}{
		"from the first game": {0, 30, 0},
		"early in the search": {20, 50, 0},
		"late in the search":  {150, 200, 20}, // a check was of what the search had found by then
		"in a check":          {125, 135, 10}, // the first is after half of the games
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := load(t, small, "workers=2", "checks.pool=[]")
			assets := arena.NewAssets()
			local := arena.NewLocal(assets, 2)
			defer local.Close()
			x.Assets, x.Pool = assets, &doubtful{Pool: local, from: c.from, to: c.to}
			var told []string
			x.Again = func(text string) { told = append(told, text) }
			db := open(t, x)
			got := must.Get(x.Run(t.Context(), db, nil))(t)
			if got.Played = 0; !reflect.DeepEqual(got, want) {
				t.Errorf("%v, with honest workers %v", got.Changes, want.Changes)
			}
			if len(told) != 1 || !strings.HasPrefix(told[0], "worker cheat is unreliable: a test; ") {
				t.Errorf("told %q", told)
			}
			superseded, checks := 0, 0
			for row, err := range db.Games(t.Context(), store.Filter{}) {
				switch {
				case err != nil:
					t.Fatal(err)
				case row.Marks&evidence.Superseded != 0:
					if superseded++; row.EventName == x.Name+" checks" {
						checks++
					}
				case row.Worker == "cheat":
					t.Errorf("game %d of the cheat counts", row.Number)
				}
			}
			if superseded < c.to-c.from {
				t.Errorf("%d games are superseded, the cheat has played %d", superseded, c.to-c.from)
			}
			if checks != c.checks {
				t.Errorf("%d games of checks are superseded, want %d", checks, c.checks)
			}
			if again, err := x.Recall(t.Context(), db); err != nil {
				t.Error(err)
			} else if again.Played = 0; !reflect.DeepEqual(again, want) {
				t.Error("the result recalled from the study differs")
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
