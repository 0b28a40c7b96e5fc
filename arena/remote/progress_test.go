package remote

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/arena"
	"spar/arena/study"
)

func slotOf(n int64) arena.Slot { return arena.Slot{Event: 1, Number: n} }

// One worker hangs and another does not: in the time that one is patient all games are played, each of the hung one's
// by the other. The games that wait behind the one that hangs go with it, though they were given out later.
func TestHungWorker(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	g := newLedger(limits{batch: time.Second, patience: 2 * time.Second, gone: 4 * time.Second}, 1)
	bad, good := g.hello(Hello{ID: "bad", Slots: 1}, now), g.hello(Hello{ID: "good", Slots: 1}, now)
	g.mean = 10 * time.Millisecond
	g.costs[cost{"r", "a"}] = g.mean
	const games = 60
	for i := range int64(games) {
		g.add([]arena.Task{{Slot: slotOf(i), Rules: "r", Seats: [2]arena.Entrant{{Spec: "a"}, {Spec: "a"}}}}, now, func(*arena.Task) needs { return needs{} })
	}
	began, played, given := now, 0, 0
	var stuck []Playing
	for ; played < games && now.Sub(began) < time.Minute; now = now.Add(50 * time.Millisecond) {
		if got := g.claim("bad", anything, 1, 2, g.batch, "", now); len(got) > 0 {
			if given += len(got); stuck == nil {
				stuck = []Playing{{got[0].Slot, 0, ""}}
			}
		}
		g.beat("bad", stuck, now)
		g.beat("good", nil, now)
		for _, task := range g.claim("good", anything, 1, 2, g.batch, "", now) {
			g.finished(g.leases[place{task.Slot, false}], &arena.Result{Slot: task.Slot, Rules: "r", Specs: [2]string{"a", "a"}, Worker: "good", Spent: [2]time.Duration{g.mean, 0}}, now)
			played++
		}
		g.tick(now)
	}
	if took := now.Sub(began); took > 5*time.Second || given == 0 || bad.late != 1 || good.games != games {
		t.Errorf("%d of %d games after %v; the hung one was given %d and late %d times", played, games, took, given, bad.late)
	}
}

// A share of the pairs is played again, both games or neither, more of a new worker; nothing that depends on a clock or
// a program.
func TestChosen(t *testing.T) {
	t.Parallel()
	const n = 2000
	for name, c := range map[string]struct {
		class  needs
		games  int64
		lo, hi int // of 1000 pairs
	}{
		"a share":         {needs{}, 11, 60, 140}, // 100, the standard error is 9.5
		"a new worker":    {needs{}, 10, 440, 560},
		"under a clock":   {needs{Timed: true}, 0, 0, 0},
		"with a program":  {needs{Engines: "p"}, 0, 0, 0},
		"by much memory":  {needs{Memory: 1 << 30}, 11, 60, 140},
		"from large file": {needs{Files: 1 << 30}, 11, 60, 140},
	} {
		g := newLedger(limits{check: 0.1, novice: 0.5, novelty: 10}, 7)
		w, l := &worker{counts: counts{games: c.games}}, &lease{class: &class{needs: c.class}}
		var chosen []int64
		for i := range int64(n) {
			if g.chosen(w, l, &arena.Result{Slot: slotOf(i)}) {
				chosen = append(chosen, i)
			}
		}
		if len(chosen) < 2*c.lo || len(chosen) > 2*c.hi {
			t.Errorf("%s: %d of %d", name, len(chosen), n)
		}
		for i := 0; i < len(chosen); i += 2 {
			if chosen[i]%2 != 0 || i+1 == len(chosen) || chosen[i+1] != chosen[i]+1 {
				t.Errorf("%s: half a pair at game %d", name, chosen[i])
				break
			}
		}
	}
	g := newLedger(limits{check: 1}, 7) // a share of 1 is every game
	if !g.chosen(&worker{}, &lease{class: &class{}}, &arena.Result{}) {
		t.Error("not every game is played again")
	}
}

// A forfeit in a game with a program that a machine hands in counts only where it happens elsewhere, too; otherwise
// what was played there does. Whoever plays it, the same is stored, and the machine's fault is counted. This process is
// believed, and so are games without programs.
func TestDoubts(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	type playing struct {
		by     string
		faulty int8
	}
	for name, c := range map[string]struct {
		engines string
		games   []playing // one after another, as long as the game is not known
		known   int       // of them, which is the game's; -1: none yet
		faults  int64     // of a
		checked int64
		alone   int64
	}{
		"in doubt":                        {"p", []playing{{"a", 1}}, -1, 1, 0, 0},
		"both fail":                       {"p", []playing{{"a", 1}, {"b", 1}}, 0, 1, 1, 0},
		"we fail, too":                    {"p", []playing{{"a", 2}, {arena.LocalWorker, 2}}, 0, 1, 1, 0},
		"the other plays":                 {"p", []playing{{"a", 1}, {"b", 0}}, 1, 1, 0, 1},
		"we play":                         {"p", []playing{{"a", 1}, {arena.LocalWorker, 0}}, 1, 1, 0, 1},
		"the other's other program fails": {"p,q", []playing{{"a", 1}, {"b", 2}}, -1, 1, 0, 0},
		"and for a third it does not":     {"p,q", []playing{{"a", 1}, {"b", 2}, {"c", 0}}, 2, 1, 0, 0},
		"and for a third it fails, too":   {"p,q", []playing{{"a", 1}, {"b", 2}, {"c", 2}}, 1, 1, 0, 0},
		"and for us the first fails":      {"p,q", []playing{{"a", 1}, {"b", 2}, {arena.LocalWorker, 1}}, 2, 1, 0, 0},
		"no fault":                        {"p", []playing{{"a", 0}}, 0, 0, 0, 0},
		"our own fault":                   {"p", []playing{{arena.LocalWorker, 1}}, 0, 0, 0, 0},
		"a fault of an agent of ours":     {"", []playing{{"a", 1}}, 0, 1, 0, 0},
	} {
		g := newLedger(limits{batch: time.Second, patience: time.Minute}, 1)
		for _, id := range []string{"a", "b", "c"} {
			g.hello(Hello{ID: id, Slots: 1, Engines: []string{"p", "q"}}, at)
		}
		g.add([]arena.Task{{Slot: slotOf(0), Rules: "r"}}, at, func(*arena.Task) needs { return needs{Engines: c.engines} })
		for i, p := range c.games {
			if l := g.leases[place{slotOf(0), i > 0}]; l == nil || g.waiting != 1 {
				t.Fatalf("%s: playing %d is not asked for", name, i+1)
			}
			for _, before := range c.games[:i] {
				if got := g.claim(before.by, anything, 1, 1, time.Hour, "", at); len(got) > 0 {
					t.Errorf("%s: %s is to play its own game again", name, before.by)
				}
			}
			if len(g.claim(p.by, anything, 1, 1, time.Hour, "", at)) != 1 {
				t.Fatalf("%s: %s does not get playing %d", name, p.by, i+1)
			}
			r := &arena.Result{Slot: slotOf(0), Rules: "r", Faulty: p.faulty, Worker: p.by}
			known := g.finished(g.find(p.by, slotOf(0)), r, at)
			if want := i == len(c.games)-1 && c.known >= 0; (known != nil) != want {
				t.Fatalf("%s: after playing %d the game is known: %t", name, i+1, !want)
			}
			if known != nil && (known.Worker != c.games[c.known].by || known.Faulty != c.games[c.known].faulty || len(g.leases) != 0 || g.waiting != 0) {
				t.Errorf("%s: %+v counts, %d are to be played", name, known, g.waiting)
			}
			if late := g.find(p.by, slotOf(0)); late != nil {
				t.Errorf("%s: playing %d may come twice", name, i+1)
			}
		}
		if a := g.workers["a"]; a.faults != c.faults || a.checked != c.checked || a.alone != c.alone || len(g.disputes)+len(g.distrusted) != 0 {
			t.Errorf("%s: %+v, %d disputes", name, a, len(g.disputes))
		}
	}
	// Where no other machine has the program, this process plays the game at once.
	g := newLedger(limits{batch: time.Second, patience: time.Minute}, 1)
	g.hello(Hello{ID: "a", Slots: 1, Engines: []string{"p"}}, at)
	g.hello(Hello{ID: "b", Slots: 1}, at)
	g.add([]arena.Task{{Slot: slotOf(0), Rules: "r"}}, at, func(*arena.Task) needs { return needs{Engines: "p"} })
	g.claim("a", anything, 1, 1, time.Hour, "", at)
	g.finished(g.find("a", slotOf(0)), &arena.Result{Slot: slotOf(0), Rules: "r", Faulty: 1, Worker: "a"}, at)
	if g.unserved(at, time.Minute) == nil {
		t.Error("a game that nobody else can play waits")
	}
}

// What goes over the wire has bounds, and what a worker says of itself, too.
func TestBoundsOfMessages(t *testing.T) {
	t.Parallel()
	for size, fine := range map[int]bool{mostMessage - 2: true, mostMessage - 1: false} { // and two quotes
		text := strings.Repeat("x", size)
		if data, err := encode(text); (err == nil) != fine || len(data) != size+2 {
			t.Errorf("%d bytes are written: %v", size+2, err)
		}
		var back string
		if err := decode([]byte(`"`+text+`"`), &back); (err == nil) != fine {
			t.Errorf("%d bytes are read: %v", size+2, err)
		}
	}
	for text, fine := range map[string]bool{`{"id":"w"}`: true, `{"id":"w"} `: true, `{"id":"w"} {}`: false, `{"name":"w"}`: false, `{"id":`: false} {
		var h Hello
		if err := decode([]byte(text), &h); (err == nil) != fine {
			t.Errorf("%s: %v", text, err)
		}
	}
	many := func(n int) []string { return slices.Repeat([]string{"e"}, n) }
	long := func(n int) string { return fmt.Sprintf("%0*d", n, 0) }
	for _, c := range []struct {
		h    Hello
		fine bool
	}{
		{Hello{ID: "w", Slots: 1}, true},
		{Hello{ID: "w", Slots: 4096}, true},
		{Hello{ID: "w", Slots: 4097}, false},
		{Hello{ID: "w"}, false},
		{Hello{ID: "x", Slots: 1}, false},
		{Hello{ID: "w", Slots: 1, Engines: many(100)}, true},
		{Hello{ID: "w", Slots: 1, Engines: many(101)}, false},
		{Hello{ID: "w", Slots: 1, Engines: []string{long(4096)}}, true},
		{Hello{ID: "w", Slots: 1, Engines: []string{long(4097)}}, false},
		{Hello{ID: "w", Slots: 1, System: long(200)}, true},
		{Hello{ID: "w", Slots: 1, System: long(201)}, false},
		{Hello{ID: "w", Slots: 1, Build: Build{Program: long(401)}}, false},
		{Hello{ID: "w", Slots: 1, Speed: 1e11, Memory: 1, Files: 1}, true},
		{Hello{ID: "w", Slots: 1, Speed: 1e12}, false},
		{Hello{ID: "w", Slots: 1, Speed: -1}, false},
		{Hello{ID: "w", Slots: 1, Memory: -1}, false},
		{Hello{ID: "w", Slots: 1, Files: -1}, false},
	} {
		if err := c.h.check("w"); (err == nil) != c.fine {
			t.Errorf("%+v: %v", c.h, err)
		}
	}
	if (&Hello{ID: "a b", Slots: 1}).check("a b") == nil {
		t.Error("a name with a space")
	}
	r := &arena.Result{Moves: "a1 b2", Detail: "why", Thoughts: []study.Ply{{PV: "c3"}, {}}}
	if got := resultSize(r); got != 600+5+3+150+2+150 {
		t.Errorf("%d bytes", got)
	}
}

// Budgets of time are those of a machine of another speed; 0 is not known. A machine may play on them from 0.8 to 1.25
// of our speed.
func TestSpeeds(t *testing.T) {
	t.Parallel()
	for by, want := range map[float64]float64{0: 1, -2: 1, 2: 2, 0.5: 0.5} {
		s := setting{Clock: arena.Clock{Seconds: 60, Increment: 2}, GameLimit: 600}
		s.Seats[1].Budget.Seconds, s.Seats[1].Budget.MoveTime = 8, 4*time.Second
		s.scale(by)
		if b := s.Seats[1].Budget; s.Clock.Seconds != 60*want || s.Clock.Increment != 2*want || s.GameLimit != 600*want || b.Seconds != 8*want || b.MoveTime != time.Duration(4*want*1e9) {
			t.Errorf("by %g: %+v", by, s)
		}
	}
	for speed, want := range map[float64]bool{80: false, 81: true, 124: true, 125: false, 0: false} {
		if got := (&Coordinator{speed: 100}).equal(speed); got != want || !(&Coordinator{speed: 100, o: Options{Scale: true}}).equal(speed) {
			t.Errorf("a speed of %g beside 100: %t", speed, got)
		}
	}
}
