package live_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"spar/arena/live"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func numbers(events []live.Event) []int64 {
	var out []int64
	for _, e := range events {
		out = append(out, e.N)
	}
	return out
}

func newFeed() *live.Feed { return live.NewFeed(func() time.Time { return time.Unix(0, 0) }) }

// Events are numbered from 1 without gaps; a reader that comes late gets what it has missed.
func TestReplay(t *testing.T) {
	t.Parallel()
	f := newFeed()
	var heard []int64
	detach := f.Attach(func(e live.Event) { heard = append(heard, e.N) })
	f.Publish(live.Event{Kind: live.Begin}, live.Event{Kind: live.GameEnd})
	f.Publish(live.Event{Kind: live.End})
	detach()
	f.Publish(live.Event{Kind: live.Stage})
	if !slices.Equal(heard, []int64{1, 2, 3}) {
		t.Errorf("an attached reader heard %v", heard)
	}
	for from, want := range map[int64][]int64{0: {1, 2, 3, 4}, 1: {2, 3, 4}, 3: {4}} {
		if got, err := f.Next(t.Context(), from); err != nil || !slices.Equal(numbers(got), want) {
			t.Errorf("after %d: %v, %v; want %v", from, numbers(got), err, want)
		}
	}
}

// A reader that has everything waits for the next event, and leaves when its context ends.
func TestWaiting(t *testing.T) {
	t.Parallel()
	f := newFeed()
	got := make(chan []int64)
	go func() {
		events, _ := f.Next(context.Background(), 0)
		got <- numbers(events)
	}()
	f.Publish(live.Event{Kind: live.Stage, Text: "round 1"})
	if n := <-got; !slices.Equal(n, []int64{1}) {
		t.Errorf("woken with %v", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Next(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a reader whose context has ended: %v", err)
	}
}

// Only the last events are kept; a reader that is further behind is told so, and so is one that was told by another
// process.
func TestMissed(t *testing.T) {
	t.Parallel()
	f := newFeed()
	for range 5000 {
		f.Publish(live.Event{Kind: live.GameEnd})
	}
	events, err := f.Next(t.Context(), 10)
	if !errors.Is(err, live.ErrMissed) || len(events) != 4096 || events[0].N != 905 || events[4095].N != 5000 {
		t.Errorf("%d events from %d, %v", len(events), events[0].N, err)
	}
	for i, e := range events {
		if e.N != events[0].N+int64(i) {
			t.Fatalf("event %d stands at place %d", e.N, i)
		}
	}
	if events, err := f.Next(t.Context(), 5001); !errors.Is(err, live.ErrMissed) || len(events) != 4096 ||
		events[0].N != 905 {
		t.Errorf("after a number that was not given: %d events, %v", len(events), err)
	}
	if events, err := newFeed().Next(t.Context(), 1); !errors.Is(err, live.ErrMissed) || len(events) != 0 {
		t.Errorf("before the first event: %v, %v", events, err)
	}
}
