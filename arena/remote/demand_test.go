package remote

import (
	"slices"
	"testing"
	"time"

	"spar/arena"
)

// What no worker has who is here is told after a while, and again now and then, until one has it; the games of a class
// that somebody serves, second playings and those that this process plays are not told of. With nothing else left the
// playing is deserted.
func TestGamesThatNobodyHereCanPlay(t *testing.T) {
	t.Parallel()
	start := time.Unix(1000, 0)
	var said []string
	c := &Coordinator{ledger: newLedger(limits{gone: time.Hour, patience: time.Hour}, 1), speed: 1, unmet: map[string]*unmetNeed{}, o: Options{Log: func(s string) { said = append(said, s) }}}
	g := c.ledger
	add := func(n needs, numbers ...int64) {
		for _, i := range numbers {
			g.add([]arena.Task{{Slot: arena.Slot{Number: i}, Seed: int64(n.Memory) + int64(len(n.Engines))}}, start, func(*arena.Task) needs { return n })
		}
	}
	at := start
	told := func(after time.Duration) []string {
		at, said = at.Add(after), nil
		c.reportDemand(at)
		return said
	}
	add(needs{Engines: "prog"}, 1)
	add(needs{Engines: "prog", Memory: 1}, 2) // which anybody has
	if got := told(time.Hour); got != nil || c.wish != "" || !c.Deserted() {
		t.Errorf("without any worker: %q, wish %q, deserted %t", got, c.wish, c.Deserted())
	}
	a := g.hello(Hello{ID: "a", Slots: 1, Engines: []string{"Prog"}, Memory: 1, Speed: 1}, at)
	add(needs{}, 3)
	if c.Deserted() {
		t.Error("deserted with a game that is served")
	}
	const wish = "some games need a worker with --engine prog=COMMAND"
	for i, want := range [][]string{nil, {wish + " (2 so far)"}, nil, {wish + " (2 so far)"}} {
		if got := told([]time.Duration{0, wantedAfter, wantedEvery - 1, 1}[i]); !slices.Equal(got, want) || (c.wish == wish) != (i > 0) {
			t.Errorf("look %d: %q, wish %q", i, got, c.wish)
		}
	}
	if tasks := g.claim("a", func(k *class) bool { return c.serves(a, k) }, 1, 1, time.Hour, "", at); len(tasks) != 1 || c.Deserted() {
		t.Errorf("%d tasks given, deserted while one is played: %t", len(tasks), c.Deserted())
	}
	g.drop(g.find("a", arena.Slot{Number: 3}))
	if !c.Deserted() {
		t.Error("not deserted with nothing that anybody here can play")
	}
	for what, undo := range map[string]func() func(){
		"a dispute":  func() func() { g.disputes = make([]dispute, 1); return func() { g.disputes = nil } },
		"a referee":  func() func() { c.refereed = 1; return func() { c.refereed = 0 } },
		"results":    func() func() { c.out = make([]arena.Result, 1); return func() { c.out = nil } },
		"on its way": func() func() { c.handing = true; return func() { c.handing = false } },
		"a check": func() func() {
			l := g.leases[place{arena.Slot{Number: 1}, false}]
			l.check = &arena.Result{}
			return func() { l.check = nil }
		},
		"own hands": func() func() { c.players = make([]*arena.Player, 1); return func() { c.players = nil } },
	} {
		back := undo()
		if c.Deserted() {
			t.Errorf("deserted with %s", what)
		}
		back()
	}
	g.hello(Hello{ID: "b", Slots: 1, Engines: []string{"prog"}, Memory: 1, Speed: 1}, at)
	if got := told(wantedEvery); got != nil || c.wish != "" || c.Deserted() {
		t.Errorf("with a worker that has it: %q, wish %q", got, c.wish)
	}
	g.workers["b"].here = false
	if told(0); c.wish != "" {
		t.Error("one that left a moment ago is missed at once")
	}
	if got := told(wantedAfter); len(got) != 1 {
		t.Errorf("after it left: %q", got)
	}
}
