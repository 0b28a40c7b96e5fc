package remote

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"

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

// A machine's name may stand in a subject: letters, digits and low lines, 24 at most, and never nothing. Texts are cut between letters.
func TestNamesOfMachines(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"lab-7.example.org": "lab_7_example_org", "__a b__": "a_b", "*>": "worker", "Zürich": "Z_rich", "abcdefghijklmnopqrstuvwxyz": "abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrstuvwx": "abcdefghijklmnopqrstuvwx",
	} {
		if got := workerName(name); got != want || !workerForm.MatchString(got) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := workerName(""); !workerForm.MatchString(got) || len(got) > 24 {
		t.Errorf("of the host: %q", got)
	}
	for most, want := range []string{"", "a", "a", "aé", "aéb", "aéb"} {
		if got := clip("aéb", most); got != want {
			t.Errorf("%d bytes: %q, want %q", most, got, want)
		}
	}
	if a, b := signature("a"), signature("b"); a == b || len(a) != 12 || a != signature("a") || !equalText("a", "a") || equalText("a", "ab") || equalText("", "a") {
		t.Errorf("%s, %s", a, b)
	}
	for err, want := range map[error]bool{errors.New("other"): false, nats.ErrConnectionClosed: true, nats.ErrTimeout: false, &net.OpError{Op: "dial", Err: errors.New("refused")}: true, io.EOF: false} {
		if isNet(err) != want || isNet(fmt.Errorf("there: %w", err)) != want {
			t.Errorf("%v may pass: %t", err, !want)
		}
	}
}
