package fuzzlimit

import (
	"strings"
	"testing"
	"time"
)

// An input that holds more memory than it may is told, one within the limits is not.
func TestWatch(t *testing.T) {
	t.Parallel()
	said := make(chan string, 100)
	begin := watch(t.Cleanup, func(why string) {
		select {
		case said <- why:
		default:
		}
	})
	end := begin()
	time.Sleep(3 * every)
	end()
	select {
	case why := <-said:
		t.Fatalf("nothing happened, and yet %s", why)
	default:
	}
	large := make([]byte, Bytes+1)
	end = begin()
	if why := <-said; !strings.Contains(why, "memory") {
		t.Error(why)
	}
	end()
	large[0] = 1
}
