package remote

import (
	"sync/atomic"
	"testing"

	"spar/arena"
)

// A worker waits for a hint only when it has neither games nor results: the coordinator writes none for those who hold games. (One that had
// handed in nothing yet used to wait five seconds, at a tenth of the games a second.)
func TestBusyWithResults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		p    *playing
		want bool
	}{
		{"nothing", &playing{}, false},
		{"a game in play", &playing{play: map[arena.Slot]*atomic.Int64{{}: nil}}, true},
		{"a game that waits", &playing{queue: make([]arena.Task, 1)}, true},
		{"a result to hand in", &playing{done: make([]arena.Result, 1)}, true},
		{"a failure to tell", &playing{failed: make([]Failure, 1)}, true},
	} {
		if got := c.p.busy(); got != c.want {
			t.Errorf("%s: busy %t", c.name, got)
		}
	}
}
