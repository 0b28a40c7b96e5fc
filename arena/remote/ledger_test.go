package remote

import (
	"strings"
	"testing"
	"time"
)

// A worker whose games fail, or stop moving, beyond what chance allows beside its peers gets no more; its peers go on.
func TestSuspects(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		own, peer, local counts
		want             string
	}{
		"like its peers": {counts{100, 5, 0}, counts{100, 5, 0}, counts{}, ""},
		"by far worse": {counts{100, 90, 0}, counts{1000, 1, 0}, counts{}, "90 of its 100 games forfeited (90.0 %, " +
			"95 % interval 82.4 to 95.1), significantly more than for its peers (1 of 1000)"},
		"beside our own":    {counts{100, 90, 0}, counts{}, counts{1000, 1, 0}, "90 of its 100 games forfeited"},
		"nobody to compare": {counts{100, 90, 0}, counts{}, counts{}, ""},
		"too few":           {counts{4, 4, 0}, counts{1000, 0, 0}, counts{}, ""},
		"enough":            {counts{5, 5, 0}, counts{1000, 0, 0}, counts{}, "5 of its 5 games forfeited"},
		"a little worse":    {counts{100, 10, 0}, counts{1000, 50, 0}, counts{}, ""},
		// those taken away are no games of its own
		"it stops moving": {counts{10, 0, 90}, counts{1000, 0, 1}, counts{}, "90 of its 100 games made no progress (90.0 " +
			"%, 95 % interval 82.4 to 95.1), significantly more than for its peers (1 of 1001)"},
		"all have stopped":    {counts{0, 0, 90}, counts{0, 0, 90}, counts{}, ""},
		"its peers are worse": {counts{1000, 5, 0}, counts{100, 90, 0}, counts{}, ""},
		"late among the slow": {counts{0, 0, 9}, counts{10, 0, 90}, counts{}, ""},
	} {
		g := newLedger(limits{}, 1)
		g.hello(Hello{ID: "it"}, at).counts = c.own
		g.hello(Hello{ID: "peer"}, at).counts = c.peer
		g.local = c.local
		g.suspect(at)
		if got := g.workers["it"].barred; !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if other := g.workers["peer"].barred; (other != "") != (name == "its peers are worse") {
			t.Errorf("%s: the peer: %q", name, other)
		}
	}
	g := newLedger(limits{}, 1) // it looks once a second
	g.suspect(at)
	g.hello(Hello{ID: "it"}, at).counts = counts{100, 90, 0}
	g.local = counts{1000, 1, 0}
	if g.suspect(at.Add(time.Second - 1)); g.workers["it"].barred != "" {
		t.Error("it looks again within a second")
	}
	if g.suspect(at.Add(time.Second)); g.workers["it"].barred == "" {
		t.Error("it does not look again after a second")
	}
}
