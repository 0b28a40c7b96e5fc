package arena

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"spar/engines"
)

// idle is a source of some games, each of which is given back or finished.
type idle struct {
	left     []Task
	requeued []int64
}

func (s *idle) Next(n int, begun bool) []Task {
	if begun {
		return nil
	}
	n = min(n, len(s.left))
	out := s.left[:n:n]
	s.left = s.left[n:]
	return out
}
func (s *idle) Requeue(at Slot)    { s.requeued = append(s.requeued, at.Number) }
func (s *idle) Done(*Result) Filed { return Filed{} }
func (s *idle) Rest() Filed        { return Filed{} }

// absent is a pool without workers, which may be told to be deserted.
type absent struct {
	Pool
	deserted bool
}

func (p absent) Deserted() bool { return p.deserted }

// A run that is to stop waits for the games that are under way as long as somebody plays: until they are finished or
// playing ends. Where nobody does it looks a tenth of a second later, and leaves them. What was not handed out goes
// back.
func TestStoppingWaitsForWhoPlays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pool     Pool
		finished time.Duration // when the game under way comes in; 0 = never
		ends     time.Duration // when playing ends; 0 = never
		ok       bool
		after    time.Duration
	}{
		"deserted":                      {absent{deserted: true}, 0, 0, false, desertedEvery},
		"deserted, but it comes":        {absent{deserted: true}, desertedEvery / 2, 0, true, desertedEvery / 2},
		"somebody plays":                {absent{}, time.Minute, 0, true, time.Minute},
		"somebody plays, to no end":     {absent{}, 0, time.Hour, true, time.Hour},
		"a pool that is never deserted": {nil, time.Minute, 0, true, time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			source := &idle{left: []Task{{Slot: Slot{Number: 4}}, {Slot: Slot{Number: 5}}, {Slot: Slot{Number: 6}}}}
			conduct := &conductor{source: source, pool: c.pool, inFlight: 1, file: func([]Filed) {}, costs: map[cost]time.Duration{}}
			ctx, stop := context.WithCancel(t.Context())
			playing, end := context.WithCancel(t.Context())
			defer end()
			results := make(chan []Result)
			time.AfterFunc(0, stop)
			if c.finished > 0 {
				time.AfterFunc(c.finished, func() { results <- []Result{{}} })
			}
			if c.ends > 0 {
				time.AfterFunc(c.ends, end)
			}
			began := time.Now()
			ok := conduct.feed(ctx, playing, nil, results)
			if took := time.Since(began); ok != c.ok || took != c.after {
				t.Errorf("%s: %t after %v, want %t after %v", name, ok, took, c.ok, c.after)
			}
			if !slices.Equal(source.requeued, []int64{4, 5}) || len(source.left) != 1 {
				t.Errorf("%s: %v go back", name, source.requeued)
			}
		})
	}
}

// late is a pool that ends playing once it has games, and only then hands them in, one by one.
type late struct{ end context.CancelFunc }

func (late) Workers() int { return 1 }

func (p late) Play(ctx context.Context, tasks <-chan []Task, results chan<- []Result) error {
	for given := 0; given < 3; given++ {
		<-tasks // one each, as nobody knows how long they take
	}
	p.end()
	<-ctx.Done()
	for range 3 {
		results <- []Result{{}}
	}
	return nil
}

// counted is a source that counts what is finished.
type counted struct {
	idle
	done int
}

func (s *counted) Done(*Result) Filed {
	s.done++
	return Filed{}
}

// What is handed in while playing ends is taken, also what is there only when nobody plays any more. Which of the two
// is heard of first is chance: hence the many times.
func TestWhatIsHandedInLastIsTaken(t *testing.T) {
	t.Parallel()
	for range 50 {
		source := &counted{idle: idle{left: make([]Task, 3)}}
		hard, end := context.WithCancel(t.Context())
		if err := conduct(t.Context(), hard, source, late{end}, 0, func([]Filed) {}); err != nil {
			t.Fatal(err)
		}
		if source.done != 3 {
			t.Fatalf("%d of 3 games are taken", source.done)
		}
	}
}

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
			defer assets.Close()
			s.equip(assets, 1, s.ids)
			pool, played := &straggling{workers: c.workers, slow: c.slow}, 0
			if err := conduct(t.Context(), t.Context(), s, pool, 0, func(fs []Filed) { played += len(fs) }); err != nil {
				t.Fatal(err)
			}
			if pool.given > c.most+1 || pool.given < c.most { // the games of a pair are asked for at once
				t.Errorf("%s: %d games ahead of a decision, want %d", name, pool.given, c.most)
			}
			if _, over := s.Finished(); !over || played != 2000 {
				t.Errorf("%s: %d games are played, finished %t", name, played, over)
			}
		})
	}
}
