package record

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/arena/store"
	"spar/arena/study"
)

// The games of an event are summed over rules and machines; thinking and nodes over all events, purposes by name in their order.
func TestSumsOfEvents(t *testing.T) {
	t.Parallel()
	played := []store.Played{
		{Event: 1, Games: 10, Counts: 8, Faults: 1, Timed: 2, Spent: 3 * time.Second, Nodes: 100},
		{Event: 2, Games: 5, Counts: 5, Spent: 2 * time.Second, Nodes: 50},
		{Event: 1, Games: 20, Counts: 17, Faults: 3, Timed: 4, Spent: 1500 * time.Millisecond, Nodes: 1000},
	}
	builds := []store.Stretch{{Event: 1, Games: 30}, {Event: 2, Games: 5}}
	var r Record
	for _, e := range []study.Event{{ID: 1, Name: "a", Purpose: "tournament"}, {ID: 2, Name: "b", Purpose: "tuning"}, {ID: 3, Name: "c", Purpose: "tournament"}} {
		r.addEvent(e, played, builds)
	}
	if r.Games != 35 || r.Spent != 6.5 || r.Nodes != 1150 || len(r.Events) != 3 {
		t.Errorf("%d games, %g s, %d nodes, %d events", r.Games, r.Spent, r.Nodes, len(r.Events))
	}
	if e := r.Events[0]; e.Games != 30 || e.Counts != 25 || e.Faults != 4 || e.Timed != 6 || len(e.Builds) != 1 || e.Builds[0].Games != 30 {
		t.Errorf("%+v", e)
	}
	if d := cmp.Diff([]Purpose{{"tournament", 2, 30, 25}, {"tuning", 1, 5, 5}}, r.Purposes); d != "" {
		t.Error(d)
	}
}
