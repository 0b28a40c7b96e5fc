package remote

import (
	"strings"
	"testing"
	"time"

	"spar/agents"
	"spar/arena"
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
		"by far worse":        {counts{100, 90, 0}, counts{1000, 1, 0}, counts{}, "90 of its 100 games forfeited (90.0 %, 95 % 82.4 to 95.1), 1 of 1000 games of its peers: significantly more"},
		"beside our own":      {counts{100, 90, 0}, counts{}, counts{1000, 1, 0}, "90 of its 100 games forfeited"},
		"nobody to compare":   {counts{100, 90, 0}, counts{}, counts{}, ""},
		"too few":             {counts{4, 4, 0}, counts{1000, 0, 0}, counts{}, ""},
		"enough":              {counts{5, 5, 0}, counts{1000, 0, 0}, counts{}, "5 of its 5 games forfeited"},
		"a little worse":      {counts{100, 10, 0}, counts{1000, 50, 0}, counts{}, ""},
		"it stops moving":     {counts{10, 0, 90}, counts{1000, 0, 1}, counts{}, "90 of its 100 games stopped moving (90.0 %, 95 % 82.4 to 95.1), 1 of 1001 games of its peers: significantly more"}, // those taken away are no games of its own
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
