package arena

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"spar/configs/must"
	"spar/engines"
)

// A finished game does not wait for the next one of its batch to end: it is handed over in a moment, once, and in its
// order.
func TestFinishedGamesAreHandedOverWhileOthersArePlayed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		results, began := make(chan []Result, 8), time.Now()
		h := handing{results: results, room: 4}
		var got []int64
		take := func(n int, after time.Duration) {
			t.Helper()
			rs := <-results
			for _, r := range rs {
				got = append(got, r.Number)
			}
			if len(rs) != n || time.Since(began) != after {
				t.Errorf("%d games after %v, want %d after %v", len(rs), time.Since(began), n, after)
			}
		}
		add := func(number int64) { h.add(&Result{Slot: Slot{Number: number}}) }
		add(1)
		time.Sleep(handOver / 2)
		add(2)
		take(2, handOver) // the third takes long
		time.Sleep(time.Hour)
		add(3)
		add(4)
		h.end()
		take(2, handOver+time.Hour)
		time.Sleep(time.Hour)
		if len(results) != 0 || !slices.Equal(got, []int64{1, 2, 3, 4}) {
			t.Errorf("%v, and %d more", got, len(results))
		}
	})
}

// straggling is a pool that plays at once what it gets, but for one game, which it hands in after an hour.
type straggling struct {
	workers int
	slow    int64
	given   int64 // in that hour
}

func (p *straggling) Workers() int { return p.workers }

func (p *straggling) Play(_ context.Context, tasks <-chan []Task, results chan<- []Result) error {
	finish := func(n int64) {
		results <- []Result{{Slot: Slot{1, n}, Outcome: engines.Winner(int(n/2) % 2), Reason: "line", Hash: n}}
	}
	var slow <-chan time.Time
	for {
		select {
		case batch, ok := <-tasks:
			if !ok {
				return nil
			}
			for _, t := range batch {
				if t.Number == p.slow {
					slow = time.After(time.Hour)
				} else {
					finish(t.Number)
				}
			}
			if slow != nil {
				p.given = max(p.given, batch[len(batch)-1].Number+1-p.slow)
			}
		case <-slow:
			slow = nil
			finish(p.slow)
			p.slow = -1
		}
	}
}

// One game that does not come in holds up every decision: what is handed out meanwhile is bounded where decisions may
// end the tournament, by the workers and by what is judged, and all is played in the end.
func TestStragglerHoldsUpDecisions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan    string
		workers int
		slow    int64
		most    int64 // handed out, the slow one among them
	}{
		"from the beginning": {"stop: {width: 0.1}", 2, 0, leastAhead},
		"many workers":       {"stop: {width: 0.1}", 50, 0, 50 * eachAhead},
		"later":              {"stop: {width: 0.1}", 2, 500, 500},
		"an early test":      {"stop: {sprt: {elo0: 0, elo1: 1}}", 2, 0, leastAhead},
		"withdrawals":        {"faults: {withdraw: 3}", 2, 0, leastAhead},
		"nothing to decide":  {"", 2, 0, 2000},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := scheduled(t, "{name: test, games: [classic], agents: [random, greedy], format: match, pairs: 1000, "+c.plan+"}")
			s, assets := NewSchedule(p), NewAssets()
			s.equip(assets, 1, s.ids)
			pool, played := &straggling{workers: c.workers, slow: c.slow}, 0
			must.Do(t, conduct(t.Context(), t.Context(), s, pool, 0, func(fs []Filed) { played += len(fs) }))
			if pool.given > c.most+1 || pool.given < c.most { // the games of a pair are asked for at once
				t.Errorf("%s: %d games ahead of a decision, want %d", name, pool.given, c.most)
			}
			if _, over := s.Finished(); !over || played != 2000 {
				t.Errorf("%s: %d games are played, finished %t", name, played, over)
			}
		})
	}
}
