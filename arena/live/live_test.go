package live_test

import (
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"spar/arena/live"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newFeed() *live.Feed { return live.NewFeed(func() time.Time { return time.Unix(0, 0) }) }

// Events are numbered from 1 without gaps, and a reader that is attached hears each once.
func TestAttached(t *testing.T) {
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
}
