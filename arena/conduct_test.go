package arena

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"
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

// A run that is to stop waits for the games that are under way as long as somebody plays: until they are finished or playing ends. Where
// nobody does it looks a tenth of a second later, and leaves them. What was not handed out goes back.
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

// What is handed in while playing ends is taken, also what is there only when nobody plays any more. Which of the two is heard of first is
// chance: hence the many times.
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
