package remote

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"spar/agents"
	"spar/agents/patterns"
	"spar/arena"
	"spar/arena/study"
)

func slotOf(n int64) arena.Slot { return arena.Slot{Event: 1, Number: n} }

// held is a ledger in which worker w, of four hands, holds the games from 0 on that began to wait at a time.
func held(n int64, at time.Time) (*ledger, *worker) {
	g := newLedger(limits{batch: time.Second, patience: time.Minute, gone: 10 * time.Second}, 1)
	w := g.hello(Hello{ID: "w", Slots: 4}, at)
	for i := range n {
		g.add([]arena.Task{{Slot: slotOf(i), Rules: "r", Seats: [2]arena.Entrant{{Spec: "a"}, {Spec: "b"}}}}, at, func(*arena.Task) needs { return needs{} })
	}
	g.claim("w", func(*class) bool { return true }, int(n), 1, time.Hour, "hint", at)
	return g, w
}

// A game that has not moved for longer than one is patient goes to others; one that was not begun waits as long as another moves. All that
// are taken at once count as late once, and who gives no sign of life has left.
func TestTick(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	second := func(n int) time.Time { return at.Add(time.Duration(n) * time.Second) }
	for name, c := range map[string]struct {
		moved  []int // the second when each of its games moved last; below 0: not begun
		seen   int
		now    int
		holds  int
		late   int64
		left   bool
		before int // when it was late last
	}{
		"all move":                   {[]int{50, 55}, 60, 60, 2, 0, false, -999},
		"to the second":              {[]int{0}, 60, 60, 1, 0, false, -999},
		"one stands":                 {[]int{0, 55}, 61, 61, 1, 1, false, -999},
		"both stand":                 {[]int{0, 0}, 61, 61, 0, 1, false, -999},
		"late lately":                {[]int{0, 0}, 61, 61, 0, 0, false, 1},
		"late before":                {[]int{0, 0}, 62, 62, 0, 1, false, 1},
		"not begun beside one":       {[]int{-1, 55}, 61, 61, 2, 0, false, -999},
		"not begun and none":         {[]int{-1, -1}, 61, 61, 0, 0, false, -999},
		"not begun beside one stuck": {[]int{-1, 0}, 61, 61, 0, 1, false, -999},
		"a sign of life":             {[]int{20, 20}, 20, 30, 2, 0, false, -999},
		"no sign of life":            {[]int{20, 20}, 20, 31, 0, 0, true, -999},
	} {
		g, w := held(int64(len(c.moved)), at)
		for i, s := range c.moved {
			l := w.holds[place{slotOf(int64(i)), false}]
			if l.plies, l.moved = 5, second(max(s, 0)); s < 0 {
				l.plies = -1
			}
			w.moved = second(max(s, 0)) // the last is the latest
		}
		w.seen, w.lateAt = second(c.seen), second(c.before)
		if left := len(g.tick(second(c.now))) > 0; left != c.left || w.here == c.left || w.lost != c.left || len(w.holds) != c.holds || g.waiting != len(c.moved)-c.holds || w.late != c.late {
			t.Errorf("%s: left %t, %d are held, %d wait, late %d times", name, left, len(w.holds), g.waiting, w.late)
		}
		if len(g.tick(second(c.now))) > 0 {
			t.Errorf("%s: it leaves twice", name)
		}
		if g.beat(w.ID, nil, second(c.now)); !w.here || w.lost {
			t.Errorf("%s: it is not back", name)
		}
	}
	g, w := held(0, at)
	w.games, w.ratedGames = 30, 10
	for _, c := range []struct {
		after time.Duration
		rate  float64
	}{{2*time.Second - 1, 0}, {4 * time.Second, 5}, {5 * time.Second, 5}} { // 20 games in four seconds
		if g.tick(at.Add(c.after)); w.rate != c.rate {
			t.Errorf("after %v: %g games a second, want %g", c.after, w.rate, c.rate)
		}
	}
}

// What games to learn from take is known from batch to batch, though each has another net, and apart from games between agents.
func TestCostOfLessons(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	g, _ := held(0, at)
	how := patterns.SelfPlay{Longest: 9, Depth: 1}
	lesson := func(n int64, spec string, how patterns.SelfPlay) arena.Task {
		return arena.Task{Slot: slotOf(n), Rules: "r", Seats: [2]arena.Entrant{{Spec: spec}, {Spec: spec}}, SelfPlay: how}
	}
	first, next, match := lesson(0, "a", how), lesson(1, "b", how), lesson(2, "a", patterns.SelfPlay{})
	if _, known := g.expect(&next); known {
		t.Error("known before a game")
	}
	g.add([]arena.Task{first}, at, func(*arena.Task) needs { return needs{} })
	g.claim("w", func(*class) bool { return true }, 1, 1, time.Hour, "", at)
	g.finished(g.lots[place{slotOf(0), false}], &arena.Result{Slot: slotOf(0), Rules: "r", Specs: [2]string{"a", "a"}, Worker: "w", Spent: [2]time.Duration{time.Second, 0}}, at)
	g.reset()
	if d, known := g.expect(&next); !known || d != time.Second+overhead {
		t.Errorf("%v, known %t", d, known)
	}
	if _, known := g.expect(&match); known {
		t.Error("a game between agents takes as long as a lesson")
	}
}

// A worker forgets agents that learned batches ago, and no others; it may get them again.
func TestForgetsLessons(t *testing.T) {
	t.Parallel()
	kit := arena.NewKit()
	defer kit.Close()
	k := newKnown(&playing{kit: kit})
	for _, hash := range []string{"older", "1", "2", "3", "4", "5", "6"} {
		kit.AddSpec(hash, agents.Spec{Name: hash})
		k.specs[[2]string{"r", hash}] = hash
		if hash != "older" {
			k.learning(hash)
			k.learning(hash) // every claim of a batch says so
		}
	}
	for hash, want := range map[string]bool{"older": true, "1": false, "2": false, "3": true, "6": true} {
		if _, here := kit.Spec(hash); here != want || (k.specs[[2]string{"r", hash}] != "") != want {
			t.Errorf("%s: here %t", hash, here)
		}
	}
}

// Of a part that is over nothing is played or told any more: the next one may have the same numbers.
func TestRenew(t *testing.T) {
	t.Parallel()
	p := &playing{epoch: 4}
	for _, c := range []struct {
		epoch int64
		left  int
	}{{3, 1}, {4, 1}, {5, 0}} {
		p.queue, p.done, p.failed = make([]arena.Task, 1), make([]arena.Result, 1), make([]Failure, 1)
		before := p.part
		p.renew(c.epoch)
		if len(p.queue) != c.left || len(p.done) != c.left || len(p.failed) != c.left || (p.part > before) != (c.left == 0) || p.epoch != max(4, c.epoch) {
			t.Errorf("epoch %d: %+v", c.epoch, p)
		}
	}
}

// Only a game that has come further has moved, and only those of who says so.
func TestBeat(t *testing.T) {
	t.Parallel()
	at, later := time.Unix(1000, 0), time.Unix(1009, 0)
	g, w := held(2, at)
	w.here = false
	g.beat("nobody", []Playing{{Slot: slotOf(0), Plies: 3}}, later)
	l := w.holds[place{slotOf(0), false}]
	for _, c := range []struct {
		plies int
		moved bool
	}{{0, true}, {0, false}, {3, true}, {3, false}, {2, false}, {4, true}} {
		l.moved = at
		if g.beat("w", []Playing{{Slot: slotOf(0), Plies: c.plies}, {Slot: slotOf(77), Plies: 9}}, later); l.moved.Equal(later) != c.moved {
			t.Errorf("%d plies: moved %t", c.plies, !c.moved)
		}
	}
	if other := w.holds[place{slotOf(1), false}]; !other.moved.Equal(at) || other.plies != -1 || !w.here || !w.seen.Equal(later) {
		t.Errorf("%+v, of %+v", other, w)
	}
}

// A worker all of whose games have stood for longer than one is patient gets no more until one gets on or ends, or it comes anew; one that
// has a hand left does. Waiting for work is no standing still.
func TestStands(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	second := func(n int) time.Time { return at.Add(time.Duration(n) * time.Second) }
	for name, c := range map[string]struct {
		slots  int
		before []Playing // heard at once
		after  []Playing // heard after 61 seconds
		stands bool
	}{
		"both stand":             {2, []Playing{{slotOf(0), 3, ""}, {slotOf(1), 0, ""}}, []Playing{{slotOf(0), 3, ""}, {slotOf(1), 0, ""}}, true},
		"one gets on":            {2, []Playing{{slotOf(0), 3, ""}, {slotOf(1), 0, ""}}, []Playing{{slotOf(0), 3, ""}, {slotOf(1), 1, ""}}, false},
		"one has ended":          {1, []Playing{{slotOf(0), 3, ""}, {slotOf(1), 0, ""}}, []Playing{{slotOf(0), 3, ""}}, false},
		"another in its place":   {2, []Playing{{slotOf(0), 3, ""}, {slotOf(1), 0, ""}}, []Playing{{slotOf(0), 3, ""}, {slotOf(2), 0, ""}}, false},
		"a hand is left":         {3, []Playing{{slotOf(0), 3, ""}, {slotOf(1), 0, ""}}, []Playing{{slotOf(0), 3, ""}, {slotOf(1), 0, ""}}, false},
		"none is played":         {1, nil, nil, false},
		"it begins after a rest": {1, nil, []Playing{{slotOf(0), 0, ""}}, false},
	} {
		g, w := held(0, at)
		w.Slots = c.slots
		g.beat("w", c.before, at)
		g.beat("w", c.before, second(1))
		if g.stands(w, second(60)) {
			t.Errorf("%s: it stands after a minute", name)
		}
		if g.beat("w", c.after, second(61)); g.stands(w, second(61)) != c.stands || g.plays(w, second(61)) == c.stands {
			t.Errorf("%s: it stands: %t", name, !c.stands)
		}
		g.add([]arena.Task{{Slot: slotOf(9), Rules: "r"}}, second(61), func(*arena.Task) needs { return needs{} })
		if got := g.claim("w", anything, 1, 1, time.Hour, "", second(61)); (len(got) == 0) != c.stands {
			t.Errorf("%s: %d games are given to it", name, len(got))
		}
		if g.hello(w.Hello, second(61)); g.stands(w, second(61)) {
			t.Errorf("%s: it stands when it comes anew", name)
		}
	}
	g, w := held(1, at)
	w.Slots = 1
	g.beat("w", []Playing{{slotOf(0), 0, ""}}, at)
	if g.finished(g.lots[place{slotOf(0), false}], &arena.Result{Slot: slotOf(0), Rules: "r", Worker: "w"}, second(90)); g.stands(w, second(90)) {
		t.Error("it stands when it has handed a game in")
	}
}

// One worker hangs and another does not: in the time that one is patient all games are played, each of the hung one's by the other. The
// games that wait behind the one that hangs go with it, though they were given out later.
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
			g.finished(g.lots[place{task.Slot, false}], &arena.Result{Slot: task.Slot, Rules: "r", Specs: [2]string{"a", "a"}, Worker: "good", Spent: [2]time.Duration{g.mean, 0}}, now)
			played++
		}
		g.tick(now)
	}
	if took := now.Sub(began); took > 5*time.Second || given == 0 || bad.late != 1 || good.games != games {
		t.Errorf("%d of %d games after %v; the hung one was given %d and late %d times", played, games, took, given, bad.late)
	}
}

// What a worker has lost goes to others, if there are any that play and can do it; second playings go to this process once they have waited,
// though they were given out meanwhile.
func TestWhoHadItBefore(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		other *worker
		own   bool
		back  bool
	}{
		"nobody else":             {nil, false, true},
		"another":                 {&worker{here: true}, false, false},
		"this process":            {nil, true, false},
		"another that left":       {&worker{}, false, true},
		"another that is barred":  {&worker{here: true, barred: "why"}, false, true},
		"another that stands":     {&worker{here: true, playing: map[arena.Slot]int{{}: 0}}, false, true},
		"another that cannot":     {&worker{here: true, Hello: Hello{Slots: 2, Memory: 1}}, false, true},
		"another that had it too": {&worker{here: true, Hello: Hello{ID: "had"}}, false, true},
	} {
		g := newLedger(limits{batch: time.Second, patience: time.Minute, own: c.own}, 1)
		g.hello(Hello{ID: "w", Slots: 1}, at)
		g.add([]arena.Task{{Slot: slotOf(0), Rules: "r"}}, at, func(*arena.Task) needs { return needs{Memory: 1} })
		l := g.lots[place{slotOf(0), false}]
		if c.other != nil {
			g.workers["other"] = c.other
			if c.other.ID == "had" {
				l.was = append(l.was, "other")
			}
		}
		g.claim("w", anything, 1, 1, time.Hour, "", at)
		g.give(l, at)
		if got := g.claim("w", anything, 1, 1, time.Hour, "", at); (len(got) == 1) != c.back {
			t.Errorf("%s: %d games come back to who had them", name, len(got))
		}
	}
	g, _ := held(1, at)
	g.check = 1
	g.hello(Hello{ID: "other", Slots: 1}, at)
	g.hello(Hello{ID: "third", Slots: 1}, at)
	g.finished(g.lots[place{slotOf(0), false}], &arena.Result{Slot: slotOf(0), Worker: "w"}, at)
	g.claim("other", anything, 1, 1, time.Hour, "", at)
	g.give(g.lots[place{slotOf(0), true}], at.Add(59*time.Second))
	if g.unserved(at.Add(59*time.Second), time.Minute) != nil {
		t.Error("a second playing does not wait for the third worker")
	}
	if g.unserved(at.Add(60*time.Second), time.Minute) == nil {
		t.Error("a second playing that came back waits anew")
	}
}

// A result counts for who played it and teaches what games cost: the first as it is, an agent's later ones by an eighth, the mean of all by
// a 128th. More time than there was is not believed, but for a minute. A hint is done with when all games of its claim are stored.
func TestFinished(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	g, w := held(3, at)
	finish := func(n int64, by string, faulty int8, first, second time.Duration, now time.Time) {
		t.Helper()
		r := &arena.Result{Slot: slotOf(n), Rules: "r", Worker: by, Specs: [2]string{"a", "b"}, Spent: [2]time.Duration{first, second}}
		r.Faulty = faulty
		if g.finished(g.lots[place{slotOf(n), false}], r, now) != r {
			t.Errorf("game %d is not the first", n)
		}
	}
	costs := func(a, b, mean time.Duration) {
		t.Helper()
		if g.costs[cost{"r", "a"}] != a || g.costs[cost{"r", "b"}] != b || g.mean != mean {
			t.Errorf("costs %v, mean %v; want %v, %v and %v", g.costs, g.mean, a, b, mean)
		}
	}
	all := arena.Task{Rules: "r", Seats: [2]arena.Entrant{{Spec: "a"}, {Spec: "b"}}}
	if d, known := g.expect(&all); d != overhead || known {
		t.Errorf("expected %v, known %t, before any game", d, known)
	}
	finish(0, "w", 0, 8*time.Second, 16*time.Second, at.Add(20*time.Second))
	costs(8*time.Second, 16*time.Second, 24*time.Second+overhead)
	if d, known := g.expect(&all); d != 24*time.Second+overhead || !known {
		t.Errorf("expected %v, known %t", d, known)
	}
	finish(1, "w", 2, 16*time.Second, 24*time.Second, at.Add(20*time.Second))
	costs(9*time.Second, 17*time.Second, (127*24*time.Second+40*time.Second)/128+overhead)
	finish(2, "w", 0, time.Hour, time.Hour, at.Add(20*time.Second)) // 80 seconds each
	costs((63+80)*time.Second/8, (119+80)*time.Second/8, (127*((127*24*time.Second+40*time.Second)/128+overhead)+160*time.Second+overhead)/128)
	if w.counts != (counts{games: 3, faults: 1}) || len(w.holds) != 0 || len(g.lots) != 0 || len(g.pending) != 3 || g.local != (counts{}) {
		t.Errorf("%+v, local %+v, %d lots, %d pending", w.counts, g.local, len(g.lots), len(g.pending))
	}
	for i, spent := range []int{0, 0, 1} {
		if g.stored([]arena.Slot{slotOf(int64(i)), slotOf(99)}); len(g.spent) != spent || len(g.pending) != 2-i {
			t.Errorf("%d stored: hints %q, %d pending", i+1, g.spent, len(g.pending))
		}
	}
	g.add([]arena.Task{{Slot: slotOf(9), Rules: "r"}}, at, func(*arena.Task) needs { return needs{} })
	finish(9, arena.LocalWorker, 1, 0, 0, at)
	if g.local != (counts{games: 1, faults: 1}) || w.games != 3 || g.waiting != 0 {
		t.Errorf("by this process: %+v, %d wait", g.local, g.waiting)
	}
}

// More tasks are taken in while fewer than two wait for each hand, or work for less than two claims.
func TestHungry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		waiting, hands int
		mean           time.Duration
		want           bool
	}{
		{0, 0, 0, false}, // no hands
		{7, 4, 0, true},
		{8, 4, 0, false},
		{8, 4, time.Hour, false},
		{79, 4, 100 * time.Millisecond, true}, // 80 are eight seconds
		{80, 4, 100 * time.Millisecond, false},
		{mostLots*4 - 1, 4, time.Nanosecond, true},
		{mostLots * 4, 4, time.Nanosecond, false},
	} {
		g := &ledger{limits: limits{batch: time.Second}, waiting: c.waiting, mean: c.mean}
		if got := g.hungry(c.hands); got != c.want {
			t.Errorf("%d wait for %d hands, %v a game: %t", c.waiting, c.hands, c.mean, got)
		}
	}
}

// A share of the pairs is played again, both games or neither, more of a new worker; nothing that depends on a clock or a program.
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
		w, l := &worker{counts: counts{games: c.games}}, &lot{class: &class{needs: c.class}}
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
	if !g.chosen(&worker{}, &lot{class: &class{}}, &arena.Result{}) {
		t.Error("not every game is played again")
	}
}

// A game that is to be confirmed goes to this process where nobody else can play it, at once or after a while; and whoever differs from
// what this process plays gets nothing more, while the other's game is confirmed.
func TestSecondPlayings(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		other  *worker
		after  time.Duration
		served bool
	}{
		"alone":            {nil, 0, true},
		"beside another":   {&worker{here: true}, time.Minute - 1, false},
		"after a while":    {&worker{here: true}, time.Minute, true},
		"the other left":   {&worker{}, 0, true},
		"the other barred": {&worker{here: true, barred: "why"}, 0, true},
	} {
		g, _ := held(1, at)
		g.check = 1
		if c.other != nil {
			c.other.holds = map[place]*lot{}
			g.workers["other"] = c.other
		}
		r := &arena.Result{Slot: slotOf(0), Worker: "w"}
		g.finished(g.lots[place{slotOf(0), false}], r, at)
		if g.waiting != 1 || len(g.lots) != 1 {
			t.Fatalf("%s: %d wait of %d", name, g.waiting, len(g.lots))
		}
		l := g.unserved(at.Add(c.after), time.Minute)
		if (l != nil) != c.served || g.waiting != 1-map[bool]int{true: 1}[c.served] || l != nil && l.holder != arena.LocalWorker {
			t.Errorf("%s: %+v, %d wait", name, l, g.waiting)
		}
		if again := g.unserved(at.Add(c.after), time.Minute); again != nil {
			t.Errorf("%s: it is to be played twice: %+v", name, again)
		}
		if l != nil && g.finished(l, &arena.Result{Slot: r.Slot, Worker: arena.LocalWorker}, at) != nil {
			t.Errorf("%s: the second playing is the game's result", name)
		}
		if c.served && (g.workers["w"].checked != 1 || len(g.disputes) != 0 || len(g.lots) != 0) {
			t.Errorf("%s: %+v", name, g.workers["w"])
		}
	}
	play := func(by, moves string) arena.Result {
		return arena.Result{Slot: slotOf(4), Worker: by, Moves: moves}
	}
	for own, want := range map[string]struct {
		barred  string
		checked [2]int64
	}{"a1": {"b", [2]int64{1, 0}}, "b2": {"a", [2]int64{0, 0}}, "c3": {"ab", [2]int64{0, 0}}} {
		g := newLedger(limits{}, 1)
		a, b := g.hello(Hello{ID: "a"}, at), g.hello(Hello{ID: "b"}, at)
		result := play("us", own)
		g.decide(dispute{arena.Task{Slot: slotOf(4)}, play("a", "a1"), play("b", "b2")}, &result, at)
		barred := ""
		for _, d := range g.distrusted {
			barred += d.Worker
		}
		if barred != want.barred || a.checked != want.checked[0] || b.checked != want.checked[1] || a.differed+b.differed != int64(len(barred)) {
			t.Errorf("we play %s: barred %q, %+v, %+v", own, barred, a, b)
		}
	}
}

// A forfeit in a game with a program that a machine hands in counts only where it happens elsewhere, too; otherwise what was played there
// does. Whoever plays it, the same is stored, and the machine's fault is counted. This process is believed, and so are games without programs.
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
			if l := g.lots[place{slotOf(0), i > 0}]; l == nil || g.waiting != 1 {
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
			if known != nil && (known.Worker != c.games[c.known].by || known.Faulty != c.games[c.known].faulty || len(g.lots) != 0 || g.waiting != 0) {
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

// What a study has kept of a machine comes back as it was.
func TestRemembered(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	r := study.Worker{ID: "w", System: "s", Slots: 3, Speed: 2, Games: 9, Faults: 2, Late: 1, Checked: 4, Differed: 5, Barred: "why", Joined: at, Seen: at.Add(time.Hour)}
	g := newLedger(limits{}, 1)
	if g.remember(r); g.workers["w"].row() != r || g.workers["w"].here {
		t.Errorf("%+v", g.workers["w"].row())
	}
}

// A machine that leaves keeps the games that it plays to their end, and gives the others back, the first to be played next.
func TestRelease(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0)
	for _, keep := range []map[arena.Slot]bool{{}, {slotOf(1): true}} {
		g, w := held(3, at)
		g.release(w, keep, at)
		if len(w.holds) != len(keep) || g.waiting != 3-len(keep) || w.here != (len(keep) > 0) {
			t.Errorf("%d kept of %v, %d wait, here %t", len(w.holds), keep, g.waiting, w.here)
		}
		var order []int64
		for l := g.next("x", func(*class) bool { return true }, at); l != nil; l = g.next("x", func(*class) bool { return true }, at) {
			order = append(order, l.task.Number)
		}
		if want := map[int][]int64{0: {0, 1, 2}, 1: {0, 2}}[len(keep)]; !slices.Equal(order, want) {
			t.Errorf("kept %v: then %v, want %v", keep, order, want)
		}
	}
}

// How many games a worker asks for: one for each idle hand; of games that are short as many as it has hands, while those at hand are
// work for less than half a second, but none ahead for a hand whose game does not end.
func TestFreeHands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		play, queue int
		mean        time.Duration
		long        int           // games that have begun so much earlier:
		by          time.Duration // than the others
		want        int
	}{
		{0, 0, 0, 0, 0, 4},
		{3, 0, 0, 0, 0, 1},
		{3, 1, 0, 0, 0, 0},
		{4, 9, 0, 0, 0, 0},
		{4, 9, time.Second, 0, 0, 0},
		{4, 0, aheadOf, 0, 0, 0},
		{4, 0, aheadOf - 1, 0, 0, 4},
		{4, 19, 100 * time.Millisecond, 0, 0, 4},                      // 475 ms
		{4, 20, 100 * time.Millisecond, 0, 0, 0},                      // 500 ms
		{4, 0, 100 * time.Millisecond, 1, 800 * time.Millisecond, 4},  // eight means
		{4, 0, 100 * time.Millisecond, 1, 801 * time.Millisecond, 3},  // more: that hand gets nothing ahead
		{4, 14, 100 * time.Millisecond, 1, 801 * time.Millisecond, 3}, // 467 ms for three
		{4, 15, 100 * time.Millisecond, 1, 801 * time.Millisecond, 0},
		{4, 0, 100 * time.Millisecond, 4, 801 * time.Millisecond, 0},
		{3, 0, 100 * time.Millisecond, 3, 801 * time.Millisecond, 1},
		{4, 0, time.Microsecond, 4, aheadOf, 4}, // so short that anything takes long
		{4, 0, time.Microsecond, 4, aheadOf + 1, 0},
	} {
		now := time.Unix(1000, 0)
		p := &playing{o: WorkerOptions{Slots: 4}, mean: c.mean, queue: make([]arena.Task, c.queue), play: map[arena.Slot]*inPlay{}}
		for i := range c.play {
			p.play[slotOf(int64(i))] = &inPlay{began: now}
			if i < c.long {
				p.play[slotOf(int64(i))].began = now.Add(-c.by)
			}
		}
		if got := p.free(now); got != c.want {
			t.Errorf("%d in play, %d wait, %v each, %d for %v: %d, want %d", c.play, c.queue, c.mean, c.long, c.by, got, c.want)
		}
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

// Budgets of time are those of a machine of another speed; 0 is not known. A machine may play on them from 0.8 to 1.25 of our speed.
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
