package pace

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// looks is a context that counts how often it is asked, and ends at the last of them.
type looks struct {
	context.Context
	n, last int
}

func (l *looks) Err() error {
	if l.n++; l.n >= l.last {
		return context.Canceled
	}
	return nil
}

// A watch looks at once, then after every Step of work, whatever the size of the pieces, and stays over.
func TestWatchLooksAfterEveryStep(t *testing.T) {
	t.Parallel()
	for _, piece := range []int{1, 7, Step / 2, Step} {
		ctx := &looks{Context: context.Background(), last: 4}
		w := New(ctx, Deadline{})
		work := 0
		for !w.Spend(piece) {
			work += piece
		}
		if work < 2*Step || work > 3*(Step+piece) {
			t.Errorf("pieces of %d: %d work done until the fourth look", piece, work)
		}
		if !w.Over() || !w.Spend(1) {
			t.Errorf("pieces of %d: the watch goes on", piece)
		}
	}
	past := New(context.Background(), After(-time.Second))
	if !past.Spend(1) {
		t.Error("a deadline that has passed does not end the first piece of work")
	}
	var never Watch
	if never.Spend(10 * Step) {
		t.Error("the zero value ends")
	}
}

// Threads together take exactly the limit.
func TestNodesAreDealtOut(t *testing.T) {
	t.Parallel()
	for _, most := range []int64{1, 9, 1000, 1_000_000} {
		var n Nodes
		n.Limit(most)
		var taken atomic.Int64
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for {
					share := n.Take()
					if share == 0 {
						return
					}
					taken.Add(share)
				}
			})
		}
		all.Wait()
		if taken.Load() != most {
			t.Errorf("%d of %d nodes dealt out", taken.Load(), most)
		}
	}
}

// A deadline in processor time comes only when the thread has used its time, however long it sleeps.
func TestDeadlineInProcessorTime(t *testing.T) {
	t.Parallel()
	if !HasCPU {
		t.Skip("no such clock here")
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	began, limit := ThreadTime(), 20*time.Millisecond
	w := New(context.Background(), AfterCPU(limit))
	if time.Sleep(2 * limit); w.Look() {
		t.Errorf("over after %v of processor time", ThreadTime()-began)
	}
	for !w.Spend(1) {
	}
	if used := ThreadTime() - began; used < limit-time.Millisecond {
		t.Errorf("over after %v of processor time, want %v", used, limit)
	}
}
