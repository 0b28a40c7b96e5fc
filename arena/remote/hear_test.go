package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"spar/agents"
	"spar/arena"
	"spar/arena/live"
	"spar/arena/study"
	"spar/engines"
)

// heard is the end of a wire that is not connected, with a ledger in which two games wait, of which the second needs a program.
func heard(t *testing.T) *link {
	t.Helper()
	g := waiting("yY", time.Unix(1000, 0))
	g.batch, g.patience, g.gone = time.Second, time.Minute, time.Minute
	c := &Coordinator{ledger: g, run: "run", epoch: 3, speed: 100, playing: true, build: Build{Program: "p"}, o: Options{Log: func(string) {}}, wires: map[setting]wireSetting{}}
	c.changed = sync.NewCond(&c.mu)
	return &link{c: c, stream: "S", work: make(chan struct{}, 1), spent: make(chan []string, 9)}
}

func message(t *testing.T, v any) *nats.Msg {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return &nats.Msg{Data: data}
}

// hinted tells whether somebody was asked to look after hints.
func (l *link) hinted() bool {
	select {
	case <-l.work:
		return true
	default:
		return false
	}
}

// Who says hello is welcome, with what it will not be given and how budgets of time are scaled for it; another build, one that is barred, and
// one that says what no worker says are not. Who comes back begins with nothing.
func TestHello(t *testing.T) {
	t.Parallel()
	ours := Hello{ID: "w", Slots: 2, Speed: 100, Build: Build{Program: "p"}}
	with := func(change func(h *Hello)) Hello { h := ours; change(&h); return h }
	for name, c := range map[string]struct {
		hello         Hello
		scale         bool
		before        func(g *ledger)
		refused, note string
		by            float64
	}{
		"a new one":            {hello: ours, by: 1},
		"a slow one":           {hello: with(func(h *Hello) { h.Speed = 50 }), note: "this machine's speed is 0.50 of the coordinator's", by: 1},
		"a slow one, scaled":   {hello: with(func(h *Hello) { h.Speed = 50 }), scale: true, by: 2},
		"one of unknown speed": {hello: with(func(h *Hello) { h.Speed = 0 }), note: "this machine's speed is 0.00", by: 1},
		"of no speed, scaled":  {hello: with(func(h *Hello) { h.Speed = 0 }), scale: true, by: 1},
		"another build":        {hello: with(func(h *Hello) { h.Build.Program = "q" }), refused: "the coordinator is another build", by: 1},
		"one that comes back": {hello: ours, before: func(g *ledger) {
			g.hello(ours, time.Now())
			g.claim("w", func(*class) bool { return true }, 1, 1, time.Hour, "", time.Now())
		}, by: 1},
		"one that is barred":    {hello: ours, before: func(g *ledger) { g.hello(ours, time.Now()).barred = "it cheats" }, refused: "not to be relied on: it cheats", by: 1},
		"with another's name":   {hello: with(func(h *Hello) { h.ID = "x" }), refused: "it says of itself what none can: worker \"x\"", by: 1},
		"without hands":         {hello: with(func(h *Hello) { h.Slots = 0 }), refused: "it says of itself what none can: 0 games at a time", by: 1},
		"with a long system":    {hello: with(func(h *Hello) { h.System = strings.Repeat("s", 201) }), refused: "it says of itself what none can: too much", by: 1},
		"with a line in a name": {hello: with(func(h *Hello) { h.System = "a\nb" }), by: 1},
	} {
		l := heard(t)
		l.c.o.Scale = c.scale
		if c.before != nil {
			c.before(l.c.ledger)
		}
		got, err := l.hello("w", message(t, c.hello))
		w, ok := got.(Welcome)
		if err != nil || !ok || !strings.HasPrefix(w.Refused, c.refused) || (w.Refused == "") != (c.refused == "") || !strings.HasPrefix(w.Note, c.note) || (w.Note == "") != (c.note == "") || w.Scale != c.by || w.Run != "run" || w.Stream != "S" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if l.hinted() != (c.refused == "") {
			t.Errorf("%s: hints are looked after: %t", name, c.refused != "")
		}
		if known := l.c.ledger.workers["w"]; c.refused == "" && (known == nil || !known.here || len(known.holds) != 0 || l.c.ledger.waiting != 2 || strings.Contains(known.System, "\n")) {
			t.Errorf("%s: %+v, %d wait", name, known, l.c.ledger.waiting)
		}
	}
	l := heard(t)
	if got, err := l.hello("w", &nats.Msg{Data: []byte("{")}); err != nil || got.(Welcome).Refused == "" || len(l.c.ledger.workers) != 0 {
		t.Errorf("half a hello: %+v, %v", got, err)
	}
}

// A worker that tells of itself hears how far things are and where hints for it are; one that is not known here, or speaks to a coordinator
// before this one, has to say hello. One that was away makes hints, and one that is barred hears why.
func TestBeats(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		id, run string
		engines []string
		away    bool
		barred  string
		epoch   int64
		kinds   int
	}{
		"one that plays":        {"w", "run", nil, false, "", 3, 1},
		"one with the program":  {"w", "run", []string{"p"}, false, "", 3, 2},
		"one that was away":     {"w", "run", nil, true, "", 3, 1},
		"one that is barred":    {"w", "run", nil, false, "why", 3, 0},
		"one that is not known": {"x", "run", nil, false, "", -1, 0},
		"of another run":        {"w", "before", nil, false, "", -1, 0},
	} {
		l := heard(t)
		w := l.c.ledger.hello(Hello{ID: "w", Slots: 2, Engines: c.engines}, time.Now())
		w.here, w.barred = !c.away, c.barred
		got, err := l.beat(c.id, message(t, Beat{Run: c.run}))
		s, ok := got.(State)
		if err != nil || !ok || s.Run != "run" || s.Epoch != c.epoch || s.Barred != c.barred || len(s.Consumers) != c.kinds || !slices.IsSorted(s.Consumers) || s.Look {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if c.id == "w" && c.run == "run" && !slices.Equal(w.told, s.Consumers) {
			t.Errorf("%s: it was told of %v, and is thought to know of %v", name, s.Consumers, w.told)
		}
		if l.hinted() != c.away || c.away && !w.here {
			t.Errorf("%s: hints are looked after: %t", name, !c.away)
		}
	}
}

// Hints of a kind of work are for those who wait and can do it, as many as there is work at most; who has not heard of the kind yet waits
// elsewhere.
func TestWanted(t *testing.T) {
	t.Parallel()
	idle := func(g *ledger, id string, engines ...string) *worker {
		return g.hello(Hello{ID: id, Slots: 1, Engines: engines}, time.Now())
	}
	plain, program := needs{}.key(), needs{Engines: "p"}.key()
	for name, c := range map[string]struct {
		make      func(g *ledger)
		want      map[string]int
		elsewhere int
	}{
		"nobody":                {func(*ledger) {}, map[string]int{}, 0},
		"one":                   {func(g *ledger) { idle(g, "a") }, map[string]int{plain: 1}, 1},
		"with program":          {func(g *ledger) { idle(g, "a", "p") }, map[string]int{plain: 1, program: 1}, 2},
		"that knows":            {func(g *ledger) { idle(g, "a").told = []string{consumer(plain)} }, map[string]int{plain: 1}, 0},
		"that knows of another": {func(g *ledger) { idle(g, "a", "p").told = []string{consumer(plain)} }, map[string]int{plain: 1, program: 1}, 1},
		"three":                 {func(g *ledger) { idle(g, "a"); idle(g, "b"); idle(g, "c") }, map[string]int{plain: 1}, 1},
		"one barred":            {func(g *ledger) { idle(g, "a").barred = "why" }, map[string]int{}, 0},
		"one away":              {func(g *ledger) { idle(g, "a").here = false }, map[string]int{}, 0},
		"one at work":           {func(g *ledger) { idle(g, "a").holds[place{}] = &lot{} }, map[string]int{}, 0},
		"no work": {func(g *ledger) {
			idle(g, "a")
			for _, l := range g.lots {
				g.drop(l)
			}
		}, map[string]int{}, 0},
	} {
		l := heard(t)
		c.make(l.c.ledger)
		if got, elsewhere := l.c.wanted(); !maps.Equal(got, c.want) || len(elsewhere) != c.elsewhere {
			t.Errorf("%s: %v and %v elsewhere, want %v and %d", name, got, elsewhere, c.want, c.elsewhere)
		}
	}
}

// A worker is given games while some are played, of this run; a hint that led to none is done with, and one that is none is refused.
func TestClaimOfAWorker(t *testing.T) {
	t.Parallel()
	const hint = "$JS.ACK.S.1"
	for name, c := range map[string]struct {
		id    string
		claim Claim
		idle  bool
		games int
		spent bool
		wrong bool
	}{
		"a game":             {"w", Claim{Run: "run", Free: 1, Ticket: hint}, false, 1, false, false},
		"none free":          {"w", Claim{Run: "run", Free: 0}, false, 1, false, false},
		"of another run":     {"w", Claim{Run: "before", Free: 1, Ticket: hint}, false, 0, false, false},
		"not known":          {"x", Claim{Run: "run", Free: 1}, false, 0, false, false},
		"nothing is played":  {"w", Claim{Run: "run", Free: 1, Ticket: hint}, true, 0, true, false},
		"without a hint":     {"w", Claim{Run: "run", Free: 1}, true, 0, false, false},
		"a hint that is not": {"w", Claim{Run: "run", Free: 1, Ticket: "$JS.ACK.T.1"}, false, 0, false, true},
	} {
		l := heard(t)
		l.c.playing = !c.idle
		l.c.ledger.hello(Hello{ID: "w", Slots: 2}, time.Now())
		got, err := l.claim(c.id, message(t, c.claim))
		if (err != nil) != c.wrong {
			t.Errorf("%s: %v", name, err)
		}
		if b, _ := got.(Batch); len(b.Games) != c.games || len(b.Settings) != c.games || c.games > 0 && (b.Run != "run" || b.Epoch != 3 || b.Games[0].Number != 0) {
			t.Errorf("%s: %+v", name, got)
		}
		if len(l.spent) > 0 != c.spent {
			t.Errorf("%s: the hint is done with: %t", name, !c.spent)
		}
	}
}

// Hands are those of this process and of the machines that are there and relied on; with none of either the playing is deserted.
func TestHands(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own      int
		machines []worker
		want     int
	}{
		"nobody":      {0, nil, 0},
		"this one":    {3, nil, 3},
		"two others":  {0, []worker{{Hello: Hello{Slots: 2}, here: true}, {Hello: Hello{Slots: 5}, here: true}}, 7},
		"one left":    {1, []worker{{Hello: Hello{Slots: 2}}, {Hello: Hello{Slots: 5}, here: true}}, 6},
		"one barred":  {1, []worker{{Hello: Hello{Slots: 2}, here: true, barred: "why"}}, 1},
		"others left": {0, []worker{{Hello: Hello{Slots: 2}}}, 0},
	} {
		co := &Coordinator{ledger: newLedger(limits{}, 1), players: make([]*arena.Player, c.own)}
		for i := range c.machines {
			co.ledger.workers[string(rune('a'+i))] = &c.machines[i]
		}
		if got := co.hands(); got != c.want || co.Workers() != max(1, c.want) || co.Deserted() != (c.want == 0) {
			t.Errorf("%s: %d hands, %d workers, deserted %t", name, got, co.Workers(), co.Deserted())
		}
	}
}

// A playing is over when no tasks will come and nothing is played, disputed, decided or on its way, or when it is given up.
func TestOver(t *testing.T) {
	t.Parallel()
	over, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		change func(c *Coordinator)
		want   bool
	}{
		"everything done":   {func(*Coordinator) {}, true},
		"tasks may come":    {func(c *Coordinator) { c.closed = false }, false},
		"a game in play":    {func(c *Coordinator) { c.ledger.lots[place{}] = &lot{} }, false},
		"a dispute":         {func(c *Coordinator) { c.ledger.disputes = make([]dispute, 1) }, false},
		"a decision":        {func(c *Coordinator) { c.refereed = 1 }, false},
		"a result":          {func(c *Coordinator) { c.out = make([]arena.Result, 1) }, false},
		"a result half way": {func(c *Coordinator) { c.handing = true }, false},
	} {
		co := &Coordinator{ledger: newLedger(limits{}, 1), closed: true}
		c.change(co)
		if got := co.over(t.Context()); got != c.want || !co.over(over) {
			t.Errorf("%s: over %t", name, got)
		}
	}
}

// Who looks is told every two seconds of the machines that were here, by name; who hands in too late is not listened to, and hints are done
// with when the games are on disk.
func TestTold(t *testing.T) {
	t.Parallel()
	feed := live.NewFeed(time.Now)
	var told [][]live.Machine
	var mu sync.Mutex
	feed.Attach(func(e live.Event) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, e.Machines)
	})
	at := time.Unix(1000, 0)
	g, w := held(2, at)
	g.hello(Hello{ID: "a", Slots: 1}, at).barred = "why"
	g.workers["never"] = &worker{}
	w.games, w.faults, w.rate = 7, 2, 1.5
	c := &Coordinator{ledger: g, o: Options{Feed: feed}}
	c.changed = sync.NewCond(&c.mu)
	for _, after := range []time.Duration{0, tellEvery - 1, tellEvery, 2*tellEvery - 1, 2 * tellEvery} {
		c.tell(at.Add(after))
	}
	mu.Lock()
	want := []live.Machine{{Worker: "a", Slots: 1, Here: true, Barred: "why"}, {Worker: "w", Slots: 4, Here: true, Games: 7, Rate: 1.5, Holds: 2, Faults: 2}}
	if len(told) != 3 || !slices.Equal(told[0], want) {
		t.Errorf("told %d times: %+v", len(told), told)
	}
	mu.Unlock()
	result := arena.Result{Slot: slotOf(1), Rules: "r", Worker: "w"}
	c.accept("x", []arena.Result{result}) // never had it
	c.accept("w", []arena.Result{result, result, {Slot: slotOf(9), Worker: "w"}})
	if len(c.out) != 1 || c.out[0].Number != 1 || len(w.holds) != 1 || w.games != 8 {
		t.Errorf("%d results, %+v", len(c.out), w)
	}
	c.accept("w", []arena.Result{{Slot: slotOf(0), Rules: "r", Worker: "w"}})
	for i, spent := range []int{0, 1} {
		if c.Stored([]study.Game{{Event: 1, Number: int64(i)}}); len(g.spent) != spent {
			t.Errorf("%d stored: %q are done with", i+1, g.spent)
		}
	}
}

// Of what a machine says of its boards, eight at most are shown: positions of games that it was given. Boards of two machines, and those
// of players of this process, do not stand in each other's way.
func TestBoardsThatAreShown(t *testing.T) {
	t.Parallel()
	kit := arena.NewKit()
	defer kit.Close()
	g, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
	l := heard(t)
	l.c.o.Kit = kit
	w := &worker{holds: map[place]*lot{}}
	said := []Playing{{Slot: arena.Slot{Event: 1, Number: 99}, At: "XO./.../... X 2"}}
	bad := map[int64]string{1: "", 2: "no position", 3: "XO./.../... X 2 " + strings.Repeat(" ", mostPosition)}
	for n := range int64(20) {
		task := arena.Task{Slot: arena.Slot{Event: 1, Number: n}, Rules: kit.AddRules(g), Seats: [2]arena.Entrant{{Name: "this"}, {Name: "that"}}}
		if n == 4 {
			task.Rules = "unknown"
		}
		w.holds[place{task.Slot, false}] = &lot{task: task}
		at, spoilt := bad[n]
		if !spoilt {
			at = "XO./.../... X 2"
		}
		said = append(said, Playing{Slot: task.Slot, At: at})
	}
	boards := live.NewFeed(time.Now).Boards()
	boards.Put(0, live.Board{Number: 1000})
	l.c.show(boards, "one", w, said)
	l.c.show(boards, "two", w, said[:2])
	var shown []string
	for player, b := range boards.Look() {
		if b.Number == 1000 {
			continue
		}
		if player < mostShown || b.First != "this" || b.Second != "that" || b.Position.Ply() != 2 {
			t.Errorf("player %d: %+v", player, b)
		}
		shown = append(shown, fmt.Sprint(b.Machine, b.Number))
	}
	slices.Sort(shown)
	if got, want := strings.Join(shown, " "), "one0 one10 one11 one5 one6 one7 one8 one9 two0"; got != want || len(boards.Look()) != 10 {
		t.Errorf("%s, want %s and that of this process", got, want)
	}
}

// Disputes, and checks that nobody else can play, are decided one after another by the coordinator's own playing, until there are none.
func TestJudge(t *testing.T) {
	t.Parallel()
	g, err := engines.Named("classic")
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1000, 0)
	for name, c := range map[string]struct{ disputes, checks int64 }{"nothing": {}, "one dispute": {1, 0}, "two disputes": {2, 0}, "one check": {0, 1}, "one of each": {1, 1}, "three": {2, 1}} {
		kit := arena.NewKit()
		t.Cleanup(kit.Close)
		random := kit.Entrant(agents.Spec{Name: "random", Type: "random"}, g, agents.Budget{})
		co := &Coordinator{ledger: newLedger(limits{}, 1), referee: arena.NewPlayer(kit, arena.LocalWorker), closed: true}
		co.changed = sync.NewCond(&co.mu)
		honest, other := co.ledger.hello(Hello{ID: "honest"}, at), co.ledger.hello(Hello{ID: "other"}, at)
		for n := range c.disputes + c.checks {
			task := arena.Task{Slot: slotOf(n), Rules: kit.AddRules(g), Seats: [2]arena.Entrant{random, random}, Seed: 7}
			a, err := arena.NewPlayer(kit, "honest").Play(t.Context(), &task)
			if err != nil {
				t.Fatal(err)
			}
			if n < c.disputes {
				b := a
				b.Worker, b.Moves = "other", a.Moves+" a1"
				co.ledger.disputes = append(co.ledger.disputes, dispute{task, a, b})
			} else {
				l := &lot{task: task, check: &a, class: &class{}}
				l.class.again = []*lot{l}
				co.ledger.classes[name] = l.class
				co.ledger.lots[l.place()] = l
				co.ledger.waiting++
			}
		}
		if err := co.judge(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(co.ledger.disputes) + len(co.ledger.lots); n > 0 || co.refereed != 0 {
			t.Errorf("%s: %d are left", name, n)
		}
		if honest.checked != c.disputes+c.checks || honest.barred != "" || (other.barred != "") != (c.disputes > 0) {
			t.Errorf("%s: honest %+v, other %+v", name, honest, other)
		}
	}
}
