package remote

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/agents"
	"spar/arena"
	"spar/arena/study"
)

// What a task asks of a machine, and whether a machine has it.
func TestNeeds(t *testing.T) {
	t.Parallel()
	program := func(name string) agents.Spec { return agents.Spec{Name: name, Type: "ugi"} }
	minimax := agents.Spec{Type: "minimax"}
	minimax.Minimax.TableMB = 3
	perfect := agents.Spec{Type: "perfect"}
	perfect.Perfect.MemoryMB = 2
	tabled := perfect
	tabled.Perfect.Table = "t"
	for name, c := range map[string]struct {
		task  arena.Task
		specs [2]agents.Spec
		files int64
		want  needs
	}{
		"nothing":            {arena.Task{}, [2]agents.Spec{}, 0, needs{}},
		"files":              {arena.Task{}, [2]agents.Spec{}, 1000, needs{Files: 1024}},
		"a byte":             {arena.Task{}, [2]agents.Spec{}, 1, needs{Files: 1}},
		"a power of two":     {arena.Task{}, [2]agents.Spec{}, 1024, needs{Files: 1024}},
		"programs":           {arena.Task{}, [2]agents.Spec{program("b"), program("a")}, 0, needs{Engines: "a,b"}},
		"one program twice":  {arena.Task{}, [2]agents.Spec{program("a"), program("a")}, 0, needs{Engines: "a"}},
		"two tables":         {arena.Task{}, [2]agents.Spec{minimax, minimax}, 0, needs{Memory: 8 << 20}}, // 6 MiB
		"perfect":            {arena.Task{}, [2]agents.Spec{perfect, {}}, 0, needs{Memory: 1 << 21}},
		"perfect by default": {arena.Task{}, [2]agents.Spec{{Type: "perfect"}, {}}, 0, needs{Memory: 1 << 26}},
		"perfect by a table": {arena.Task{}, [2]agents.Spec{tabled, {}}, 0, needs{}},
		"a clock":            {arena.Task{Clock: arena.Clock{Seconds: 1}}, [2]agents.Spec{}, 0, needs{Timed: true}},
		"a limit":            {arena.Task{GameLimit: 1}, [2]agents.Spec{}, 0, needs{Timed: true}},
		"a budget of time":   {arena.Task{Seats: [2]arena.Entrant{1: {Budget: agents.Budget{MoveTime: 1}}}}, [2]agents.Spec{}, 0, needs{Timed: true}},
		"judged":             {arena.Task{Adjudicate: arena.Adjudge{Exact: 4}}, [2]agents.Spec{}, 0, needs{Memory: 1 << 26}},
		"judged, by more":    {arena.Task{Adjudicate: arena.Adjudge{Exact: 4, Memory: 100}}, [2]agents.Spec{perfect, {}}, 0, needs{Memory: 1 << 27}},
		"judged by a table":  {arena.Task{Adjudicate: arena.Adjudge{Exact: 4, Table: "t"}}, [2]agents.Spec{}, 0, needs{}},
	} {
		if got := needsOf(&c.task, c.specs, c.files); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	for _, c := range []struct {
		hello Hello
		needs needs
		equal bool
		want  bool
	}{
		{Hello{}, needs{}, false, true},
		{Hello{}, needs{Timed: true}, false, false},
		{Hello{}, needs{Timed: true}, true, true},
		{Hello{Memory: 1024, Slots: 2}, needs{Memory: 512}, false, true}, // each game at a time
		{Hello{Memory: 1023, Slots: 2}, needs{Memory: 512}, false, false},
		{Hello{Memory: 511}, needs{Memory: 512}, false, false},
		{Hello{Slots: 8}, needs{Memory: 1 << 40}, false, true}, // not known
		{Hello{Files: 10}, needs{Files: 10}, false, true},
		{Hello{Files: 9}, needs{Files: 10}, false, false},
		{Hello{Engines: []string{"a"}}, needs{}, false, true},
		{Hello{Engines: []string{"b", "a"}}, needs{Engines: "a,b"}, false, true},
		{Hello{Engines: []string{"a"}}, needs{Engines: "a,b"}, false, false},
		{Hello{}, needs{Engines: "a"}, false, false},
	} {
		if got := c.hello.serves(c.needs, c.equal); got != c.want {
			t.Errorf("%+v for %+v (equal %t): %t", c.hello, c.needs, c.equal, got)
		}
	}
}

// A worker whose games fail, or stop moving, beyond what chance allows beside its peers gets no more; its peers go on.
func TestSuspects(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		own, peer, local counts
		want             string
	}{
		"like its peers":      {counts{100, 5, 0}, counts{100, 5, 0}, counts{}, ""},
		"by far worse":        {counts{100, 90, 0}, counts{1000, 1, 0}, counts{}, "90 of its 100 games forfeited (90.0 %, 95 % 82.4 to 95.1), and 1 of its peers' 1000: more than chance allows"},
		"beside our own":      {counts{100, 90, 0}, counts{}, counts{1000, 1, 0}, "90 of its 100 games forfeited"},
		"nobody to compare":   {counts{100, 90, 0}, counts{}, counts{}, ""},
		"too few":             {counts{4, 4, 0}, counts{1000, 0, 0}, counts{}, ""},
		"enough":              {counts{5, 5, 0}, counts{1000, 0, 0}, counts{}, "5 of its 5 games forfeited"},
		"a little worse":      {counts{100, 10, 0}, counts{1000, 50, 0}, counts{}, ""},
		"it stops moving":     {counts{10, 0, 90}, counts{1000, 0, 1}, counts{}, "90 of its 100 games stopped moving (90.0 %, 95 % 82.4 to 95.1), and 1 of its peers' 1001: more"}, // those taken away are no games of its own
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

// waiting is a ledger of a task for each letter, of which capitals need a program; x expects a second of work, y is not known.
func waiting(names string, at time.Time) *ledger {
	g := newLedger(limits{batch: time.Second}, 1)
	g.costs = map[cost]time.Duration{{"r", "x"}: 500 * time.Millisecond, {"r", "X"}: 500 * time.Millisecond}
	for i, name := range strings.Split(names, "") {
		task := arena.Task{Slot: arena.Slot{Number: int64(i)}, Rules: "r", Seats: [2]arena.Entrant{{Spec: name}, {Spec: name}}}
		g.add([]arena.Task{task}, at.Add(time.Duration(i)*time.Second), func(*arena.Task) needs {
			if strings.ToUpper(name) == name {
				return needs{Engines: "p"}
			}
			return needs{}
		})
	}
	return g
}

func numbers(tasks []arena.Task) string {
	out := ""
	for _, t := range tasks {
		out += fmt.Sprint(t.Number)
	}
	return out
}

// A claim is work for the time given, one game for each free hand where nothing is known, and no more than a share of what waits. The task
// that has waited longest decides what kind it is of; what is given back comes first.
func TestClaims(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	everything := func(*class) bool { return true }
	for name, c := range map[string]struct {
		tasks       string
		free, hands int
		each        time.Duration
		want        string
	}{
		"as many as hands":        {"yyyyyyyy", 2, 2, time.Hour, "01"},
		"known, by time":          {"xxxxxxxxxx", 1, 1, 3500 * time.Millisecond, "012"}, // a second and two overheads each
		"time for all hands":      {"xxxxxxxxxx", 2, 2, 2500 * time.Millisecond, "0123"},
		"little time":             {"xxxxxxxxxx", 3, 3, time.Nanosecond, "012"}, // each hand one at least
		"half of what waits":      {"xxxxxxxxxx", 1, 1, time.Hour, "01234"},
		"a share of what waits":   {"xxxxxxxxxx", 1, 2, time.Hour, "01"},
		"the free hands at least": {"xx", 2, 8, time.Hour, "01"},
		"what waits longest":      {"YyYy", 1, 1, time.Hour, "0"},
		"across kinds":            {"XxXx", 1, 1, time.Hour, "01"},
		"nothing for no hand":     {"yyyy", 0, 2, time.Hour, ""},
	} {
		g := waiting(c.tasks, at)
		g.hello(Hello{ID: "w", Slots: 8}, at)
		got := numbers(g.claim("w", everything, c.free, c.hands, c.each, "", at))
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if g.waiting != len(c.tasks)-len(got) || len(g.workers["w"].holds) != len(got) {
			t.Errorf("%s: %d wait, %d are held, after %d of %d were claimed", name, g.waiting, len(g.workers["w"].holds), len(got), len(c.tasks))
		}
	}
	g := waiting("yYyY", at)
	if got := numbers(g.claim("w", func(c *class) bool { return c.Engines != "" }, 2, 1, time.Hour, "", at)); got != "13" {
		t.Errorf("of one kind: %s", got)
	}
	for _, l := range slices.Collect(func(yield func(*lot) bool) {
		for _, n := range []int64{3, 1} { // the last given back comes first
			if !yield(g.lots[place{Slot: arena.Slot{Number: n}}]) {
				return
			}
		}
	}) {
		g.give(l, at.Add(-time.Hour))
	}
	if got := numbers(g.claim("w", everything, 4, 1, time.Hour, "", at)); got != "1302" {
		t.Errorf("given back: %s, want 1302", got)
	}
	// A worker that holds more games than it plays at a time asks too early, while they are work for longer than it is to have.
	g = waiting("xxxxxx", at)
	g.hello(Hello{ID: "w", Slots: 1}, at)
	g.claim("w", everything, 2, 1, time.Nanosecond, "", at)
	if got := numbers(g.claim("w", everything, 1, 1, 2*time.Second, "", at)); got != "" {
		t.Errorf("%s are given to one that holds more than two seconds of work", got)
	}
	if got := numbers(g.claim("w", everything, 1, 1, 3*time.Second, "", at)); got == "" {
		t.Error("none are given to one that holds less than three seconds of work")
	}
	g.workers["w"].barred = "no"
	if got := numbers(g.claim("w", everything, 1, 1, time.Hour, "", at)); got != "" {
		t.Errorf("%s are given to one that is barred", got)
	}
}

// Lots that were closed while they waited are passed over, and who had a lot is remembered for a while.
func TestQueues(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	lotAt := func(second int, closed bool) *lot {
		return &lot{moved: at.Add(time.Duration(second) * time.Second), closed: closed}
	}
	for name, c := range map[string]struct {
		again, queue []*lot
		left         int
		since        int // seconds
	}{
		"empty":             {nil, nil, 0, 0},
		"a queue":           {nil, []*lot{lotAt(3, false), lotAt(4, false)}, 2, 3},
		"closed in front":   {nil, []*lot{lotAt(3, true), lotAt(4, false)}, 1, 4},
		"all closed":        {[]*lot{lotAt(1, true)}, []*lot{lotAt(3, true), lotAt(4, true)}, 0, 0},
		"again":             {[]*lot{lotAt(7, false), lotAt(9, false)}, []*lot{lotAt(3, false)}, 3, 9},
		"one again":         {[]*lot{lotAt(9, false)}, []*lot{lotAt(3, false), lotAt(4, false)}, 3, 9},
		"again, closed":     {[]*lot{lotAt(7, false), lotAt(9, true)}, nil, 1, 7},
		"again, all closed": {[]*lot{lotAt(7, true), lotAt(9, true)}, []*lot{lotAt(3, false)}, 1, 3},
	} {
		q := &class{again: c.again, queue: c.queue}
		if some := q.tidy(); some != (c.left > 0) || len(q.again)+len(q.queue) != c.left {
			t.Errorf("%s: %t, %d and %d are left", name, some, len(q.again), len(q.queue))
		}
		if c.left > 0 && !q.since().Equal(at.Add(time.Duration(c.since)*time.Second)) {
			t.Errorf("%s: since %v", name, q.since().Sub(at))
		}
	}
	g := waiting("y", at)
	l := g.lots[place{}]
	for i := range 10 {
		l.holder = fmt.Sprint(i)
		g.give(l, at)
	}
	if got := strings.Join(l.was, ""); got != "23456789" {
		t.Errorf("of ten who had it the last eight are remembered: %s", got)
	}
}

// Who fails again and again gets no more games, and another gets those that it had; a failure about a game that it does not hold is none.
func TestUnplayed(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	g, logged := waiting("yy", at), ""
	c := &Coordinator{ledger: g, o: Options{Log: func(s string) { logged += s }}}
	w := g.hello(Hello{ID: "w", Slots: 8}, at)
	everything := func(*class) bool { return true }
	for i := range 10 {
		if w.barred != "" {
			t.Fatalf("barred after %d failures", i)
		}
		if got := numbers(g.claim("w", everything, 2, 1, time.Hour, "", at)); len(got) != 2 {
			t.Fatalf("%q are claimed of two", got)
		}
		c.unplayed(w, []Failure{{Slot: arena.Slot{Number: 7}, Why: "nobody's"}})
		c.unplayed(w, []Failure{{Slot: arena.Slot{Number: 1}, Why: "no engine"}, {Slot: arena.Slot{Number: 1}, Why: "no engine"}}) // told at once: one failure
		if i < 9 {
			c.unplayed(&worker{Hello: Hello{ID: "other"}}, []Failure{{Slot: arena.Slot{}}})
			if len(w.holds) != 1 || g.waiting != 1 {
				t.Fatalf("%d are held and %d wait after a failure", len(w.holds), g.waiting)
			}
			g.giveAll(w, at)
		}
	}
	if w.barred != "it could not play: no engine" || len(w.holds) != 0 || g.waiting != 2 || !strings.Contains(logged, "worker w gets no more games") {
		t.Errorf("after ten failures: %q, %d held, %d wait, %q", w.barred, len(w.holds), g.waiting, logged)
	}
}

// What is known of the machines is kept, the first to join first, now and then or where it must; who never was here is none.
func TestRecordOfMachines(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	var kept [][]study.Worker
	var full error
	c := &Coordinator{ledger: newLedger(limits{}, 1)}
	if err := c.record(at, true); err != nil {
		t.Error(err)
	}
	c.o.Record = func(rows []study.Worker) error { kept = append(kept, rows); return full }
	c.ledger.workers["never"] = &worker{}
	if err := c.record(at, true); err != nil || len(kept) != 0 {
		t.Errorf("nobody: %v, %v", kept, err)
	}
	c.ledger.hello(Hello{ID: "late", Slots: 1}, at.Add(time.Second))
	c.ledger.hello(Hello{ID: "early", Slots: 2}, at)
	for _, x := range []struct {
		after time.Duration
		must  bool
		want  int
	}{{recordEvery - 1, false, 0}, {recordEvery, false, 1}, {recordEvery + 1, false, 1}, {recordEvery + 2, true, 2}, {2*recordEvery + 2, false, 3}} {
		if err := c.record(at.Add(x.after), x.must); err != nil || len(kept) != x.want {
			t.Errorf("after %v: kept %d times, want %d, %v", x.after, len(kept), x.want, err)
		}
	}
	if rows := kept[0]; len(rows) != 2 || rows[0].ID != "early" || rows[1].ID != "late" || rows[0].Slots != 2 {
		t.Errorf("%+v", rows)
	}
	full = errors.New("full")
	if err := c.record(at, true); !errors.Is(err, full) {
		t.Error(err)
	}
}
