package remote

import (
	"testing"
	"time"

	"spar/arena"
)

func slotOf(n int64) arena.Slot { return arena.Slot{Event: 1, Number: n} }

// One worker hangs and another does not: in the time that one is patient all games are played, each of the hung one's
// by the other. The games that wait behind the one that hangs go with it, though they were given out later.
func TestHungWorker(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	g := newLedger(limits{batch: time.Second, patience: 2 * time.Second, gone: 4 * time.Second}, 1)
	bad := g.hello(Hello{ID: "bad", Slots: 1}, now)
	good := g.hello(Hello{ID: "good", Slots: 1}, now)
	g.mean = 10 * time.Millisecond
	g.costs[cost{"r", "a"}] = g.mean
	const games = 60
	for i := range int64(games) {
		g.add([]arena.Task{{Slot: slotOf(i), Setting: arena.Setting{Rules: "r", Seats: [2]arena.Entrant{{Spec: "a"}, {Spec: "a"}}}}}, now,
			func(*arena.Task) needs { return needs{} })
	}
	began, played, given := now, 0, 0
	var stuck []Playing
	for ; played < games && now.Sub(began) < time.Minute; now = now.Add(50 * time.Millisecond) {
		if got := g.claim("bad", anything, 1, 2, g.batch, now); len(got) > 0 {
			if given += len(got); stuck == nil {
				stuck = []Playing{{got[0].Slot, 0, ""}}
			}
		}
		g.beat("bad", stuck, now)
		g.beat("good", nil, now)
		for _, task := range g.claim("good", anything, 1, 2, g.batch, now) {
			g.finished(g.leases[place{task.Slot, false}], &arena.Result{
				Slot: task.Slot, Rules: "r", Specs: [2]string{"a", "a"},
				Worker: "good", Spent: [2]time.Duration{g.mean, 0},
			}, now)
			played++
		}
		g.tick(now)
	}
	if took := now.Sub(began); took > 5*time.Second || given == 0 || bad.late != 1 || good.games != games {
		t.Errorf("%d of %d games after %v; the hung one was given %d and late %d times", played, games, took, given, bad.late)
	}
}
