// Package pace tells a search when to stop.
//
// A search reports its work to a [Watch], in positions made or evaluated. After each [Step] of work, or earlier if that
// takes long, the watch checks the clock and the context. The threads of a search share one node limit ([Nodes]), which
// hands out portions, so that the limit holds for their sum. [Limit] divides the time of a whole command into parts.
package pace

import (
	"context"
	"sync/atomic"
	"time"
)

// Step is the most work between two checks. The unit is the cost of making or valuing one position, 0.05 to 3 µs.
// The watch makes shorter steps if a step takes longer than the constant often. Checks cost less than 1 % of the
// time.
const (
	Step  = 256
	often = 100 * time.Microsecond
)

// Watch checks the clock for one goroutine. The zero value has no deadline.
type Watch struct {
	ctx      context.Context
	deadline Deadline
	left     int // work units until the next check
	step     int // work units between two checks
	last     time.Time
	over     bool
}

// New returns a watch that is over when the context has ended or the deadline has passed. The first check is at the
// first call of Spend.
func New(ctx context.Context, deadline Deadline) Watch {
	return Watch{ctx: ctx, deadline: deadline, step: Step}
}

// Spend counts work done and reports whether the time is up. Call it at least once for each Step of work.
func (w *Watch) Spend(work int) bool {
	if w.left -= work; w.left < 0 {
		w.Look()
	}
	return w.over
}

// Over reports whether the time was up at the last check.
func (w *Watch) Over() bool { return w.over }

// Look checks the clock now, for a search that counts its work itself. It reports whether the time is up, or will be up
// before half of the next step is done.
func (w *Watch) Look() bool {
	if !w.deadline.IsZero() {
		now, took := time.Now(), time.Duration(0)
		if w.last.IsZero() {
			w.step = Step / 8 // the first work may find memory cold
		} else if took = now.Sub(w.last); took > often {
			w.step = max(1, w.step/2)
		} else if took < often/4 {
			w.step = min(2*w.step, Step)
		}
		w.last = now
		w.over = w.over || w.deadline.reached(now, min(took, often)/2)
	}
	w.left = w.step
	w.over = w.over || w.ctx != nil && w.ctx.Err() != nil
	return w.over
}

// Next returns the work until the next check.
func (w *Watch) Next() int { return w.left }

// Nodes is a node limit that the threads of a search share.
type Nodes struct {
	left atomic.Int64
	none bool // there is no limit
}

// Limit sets the number of nodes; 0 means no limit.
func (n *Nodes) Limit(most int64) {
	n.left.Store(most)
	n.none = most == 0
}

// unlimited is a portion that no search uses up.
const unlimited = 1 << 62

// Take returns a portion of the remaining nodes, or 0 if none are left. Portions shrink towards the end, so that
// no thread holds nodes that another could use.
func (n *Nodes) Take() int64 {
	if n.none {
		return unlimited
	}
	for {
		left := n.left.Load()
		if left <= 0 {
			return 0
		}
		share := max(1, min(left/8, 4096))
		if n.left.CompareAndSwap(left, left-share) {
			return share
		}
	}
}
