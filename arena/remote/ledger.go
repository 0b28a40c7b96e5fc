package remote

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"spar/agents"
	"spar/arena"
	"spar/arena/study"
)

// ledger records which tasks are waiting, which worker holds which task, and which workers are reliable. It does
// not send messages or use the clock; callers pass the time of each event. Its size depends on the work in flight,
// not on the number of games played.
type ledger struct {
	limits
	workers map[string]*worker
	classes map[string]*class
	kinds   map[arena.Setting]*class // classes of the current tasks
	costs   map[cost]time.Duration
	leases  map[place]*lease
	waiting int           // number of leases that no worker holds
	mean    time.Duration // mean time of the latest games; 0 = unknown
	local   counts        // games of this process
	serves  func(*worker, *class) bool
	trust
}

// limits are the settings of a ledger.
type limits struct {
	batch    time.Duration // work, as time, that a claim has for each idle goroutine of a worker
	patience time.Duration // maximum time for one move of a game
	gone     time.Duration // time without messages after which a worker counts as lost
	check    float64       // fraction of untimed pairs to replay on another worker
	novice   float64       // the same fraction for new workers
	novelty  int64         // number of games up to which a worker is new
	own      bool          // this process also plays games
}

// Maximum numbers of leases and bytes in a claim.
const (
	mostLeases = 1000
	mostBytes  = 300 << 10
)

// overhead is the approximate time of a game apart from the thinking of its agents.
const overhead = 20 * time.Microsecond

// place identifies a lease: a game, or its replay as a check.
type place struct {
	arena.Slot
	check bool
}

// lease is an unfinished task. It waits in a queue, or a worker holds it.
type lease struct {
	task   arena.Task
	class  *class
	check  *arena.Result // result to be confirmed by a replay; nil if the game has no result
	holder string        // name of the worker that plays it; empty while it waits
	was    []string      // names of workers that had it earlier
	made   time.Time     // time at which a replay was requested
	moved  time.Time     // time of the last progress; for a waiting lease, the time since when it waits
	plies  int
	closed bool // finished or dropped, but still in a queue
}

func (l *lease) place() place { return place{l.task.Slot, l.check != nil} }

// class is the queue of tasks with the same needs.
type class struct {
	needs
	requeued []*lease // leases that were taken back, and replays; these come first
	queue    []*lease
}

// needs are what a worker must have to play a task.
type needs struct {
	Engines string `json:"engines,omitempty"` // names of external programs, separated by commas
	Memory  int64  `json:"memory,omitempty"`  // bytes for each concurrent game, rounded up to a power of 2
	Timed   bool   `json:"timed,omitempty"`
	Here    bool   `json:"here,omitempty"` // a table is a file of this machine
}

// cost identifies what determines the time of a game: an agent and the rules.
type cost struct{ rules, spec string }

// costsOf returns what determines the time of a game, for each seat. In self-play the nets change with every
// batch, but the time of games does not.
func costsOf(rules string, specs [2]string, toLearn bool) [2]cost {
	if toLearn {
		specs = [2]string{"self-play", ""}
	}
	return [2]cost{{rules, specs[0]}, {rules, specs[1]}}
}

// counts holds the numbers of games and faults of one worker.
type counts struct {
	games, faults, late int64 // late: how often games were taken away because they made no progress
}

func (c *counts) add(o counts) {
	c.games += o.games
	c.faults += o.faults
	c.late += o.late
}

// worker is the ledger's record of a machine.
type worker struct {
	Hello
	counts
	joined, seen time.Time
	here         bool
	lost         bool     // the worker stopped sending messages without signing off
	told         []string // keys of the classes that the worker knows
	holds        map[place]*lease
	playing      map[arena.Slot]int // games that it plays, with their plies, as of its last message
	moved        time.Time          // time of its last progress in a game, or of the last game that it got
	lateAt       time.Time
	checked      int64 // number of games that another worker replayed with equal results
	differed     int64
	alone        int64  // number of its forfeits that did not occur on other workers
	failures     int    // number of games that it could not play, apart from faults of agents
	barred       string // reason why it gets no more games; empty if it does
	rate         float64
	rated        time.Time
	ratedGames   int64
}

func newLedger(l limits, secret uint64) *ledger {
	g := &ledger{limits: l, workers: map[string]*worker{}, costs: map[cost]time.Duration{}}
	g.serves = func(w *worker, c *class) bool { return w.Hello.serves(c.needs, true) }
	g.trust = trust{secret: secret}
	g.reset()
	return g
}

// reset removes all tasks, before a new set or after an interruption.
func (g *ledger) reset() {
	g.classes = map[string]*class{}
	g.kinds = map[arena.Setting]*class{}
	g.leases = map[place]*lease{}
	g.waiting, g.mean = 0, 0
	g.disputes = nil
	g.tested = map[string]map[arena.Slot]struct{}{}
	g.distrusted = nil
	if len(g.costs) > 10_000 { // of candidates that never come back
		clear(g.costs)
	}
	for _, w := range g.workers {
		clear(w.holds)
	}
}

// expect returns the expected time of a task, and whether there is an estimate.
func (g *ledger) expect(t *arena.Task) (time.Duration, bool) {
	sum, known := overhead, true
	for _, c := range costsOf(t.Rules, t.Specs(), t.SelfPlay.On()) {
		d, ok := g.costs[c]
		sum, known = sum+d, known && ok
	}
	return sum, known
}

// add adds tasks; classOf returns their class.
func (g *ledger) add(tasks []arena.Task, now time.Time, classOf func(*arena.Task) needs) {
	for i := range tasks {
		t := tasks[i]
		s := t.Setting
		c, ok := g.kinds[s]
		if !ok {
			n := classOf(&t)
			if c, ok = g.classes[n.key()]; !ok {
				c = &class{needs: n}
				g.classes[n.key()] = c
			}
			g.kinds[s] = c
		}
		l := &lease{task: t, class: c, moved: now}
		if g.leases[l.place()] != nil {
			continue
		}
		g.leases[l.place()] = l
		c.queue = append(c.queue, l)
		g.waiting++
	}
}

// hungry reports whether more tasks are needed. There should be about two claims for each goroutine of the
// workers.
func (g *ledger) hungry(hands int) bool {
	return g.waiting < 2*hands || g.mean > 0 && g.waiting < mostLeases*hands &&
		time.Duration(g.waiting)*g.mean < 2*time.Duration(hands)*g.batch
}

// claim gives tasks to a worker: as much work as its idle goroutines can do in the time limits.batch, but at most
// its share of the waiting tasks. Hands is the number of goroutines of all workers.
func (g *ledger) claim(id string, can func(*class) bool, free, hands int, each time.Duration,
	now time.Time,
) []arena.Task {
	w := g.workers[id]
	if w != nil {
		w.seen, w.here = now, true
		if !g.plays(w, now) {
			return nil
		}
	}
	if w != nil && len(w.holds) > w.Slots { // one that takes short games for the measure of long ones asks too early
		held := time.Duration(0)
		for _, l := range w.holds {
			d, _ := g.expect(&l.task)
			held += d
		}
		if held > time.Duration(w.Slots)*each {
			return nil
		}
	}
	var out []arena.Task
	bytes, work := 0, time.Duration(0)
	most := min(mostLeases, max(free, g.waiting*free/max(1, 2*hands)))
	for len(out) < most && bytes < mostBytes {
		l := g.next(id, can, now)
		if l == nil {
			break
		}
		d, known := g.expect(&l.task)
		if work+d > time.Duration(free)*each && len(out) >= free || !known && len(out) >= free {
			l.class.requeued = append(l.class.requeued, l)
			break
		}
		g.waiting--
		l.holder, l.moved, l.plies = id, now, -1
		if w != nil {
			w.holds[l.place()] = l
		}
		out = append(out, l.task)
		bytes += len(l.task.Opening) + 60
		work += d
	}
	return out
}

// giveAll takes back all leases of a worker, in their original order.
func (g *ledger) giveAll(w *worker, now time.Time) {
	later := func(a, b *lease) int { return cmp.Compare(b.task.Number, a.task.Number) }
	for _, l := range slices.SortedFunc(maps.Values(w.holds), later) {
		g.give(l, now)
	}
}

// hello adds a worker, or marks a known one as present.
func (g *ledger) hello(h Hello, now time.Time) *worker {
	w := g.workers[h.ID]
	if w == nil {
		w = &worker{holds: map[place]*lease{}, joined: now, rated: now}
		g.workers[h.ID] = w
	}
	w.Hello, w.seen, w.here, w.lost, w.playing = h, now, true, false, nil
	return w
}

// release takes back all games of a leaving worker, except those that it will still finish.
func (g *ledger) release(w *worker, keep map[arena.Slot]bool, now time.Time) {
	held := maps.Clone(w.holds)
	maps.DeleteFunc(w.holds, func(p place, _ *lease) bool { return keep[p.Slot] })
	g.giveAll(w, now)
	maps.DeleteFunc(held, func(p place, _ *lease) bool { return !keep[p.Slot] })
	w.holds = held
	w.here = len(keep) > 0
}

// row returns the record of a worker for the study.
func (w *worker) row() study.Worker {
	return study.Worker{
		ID:       w.ID,
		System:   w.System,
		Slots:    w.Slots,
		Speed:    w.Speed,
		Games:    w.games,
		Faults:   w.faults,
		Late:     w.late,
		Checked:  w.checked,
		Differed: w.differed,
		Barred:   w.barred,
		Joined:   w.joined,
		Seen:     w.seen,
	}
}

// remember restores a worker's record from the study. A barred worker therefore stays barred.
func (g *ledger) remember(r study.Worker) {
	g.workers[r.ID] = &worker{
		Hello:      Hello{ID: r.ID, System: r.System, Slots: r.Slots, Speed: r.Speed},
		counts:     counts{r.Games, r.Faults, r.Late},
		ratedGames: r.Games,
		checked:    r.Checked,
		differed:   r.Differed,
		barred:     r.Barred,
		joined:     r.Joined,
		seen:       r.Seen,
		holds:      map[place]*lease{},
	}
}

// beat records the plies of the games that a worker is playing. Only a game with more plies than before counts as
// progress.
func (g *ledger) beat(id string, playing []Playing, now time.Time) {
	w := g.workers[id]
	if w == nil {
		return
	}
	w.seen, w.here, w.lost = now, true, false
	before := w.playing
	w.playing = make(map[arena.Slot]int, len(playing))
	for _, p := range playing {
		w.playing[p.Slot] = p.Plies
		if plies, old := before[p.Slot]; !old || p.Plies > plies {
			w.moved = now
		}
		for _, check := range []bool{false, true} {
			if l := w.holds[place{p.Slot, check}]; l != nil && p.Plies > l.plies {
				l.plies, l.moved = p.Plies, now
			}
		}
	}
	if len(w.playing) < len(before) { // one has ended
		w.moved = now
	}
}

// plays reports whether a worker is connected and is allowed to get games, and not a busy one whose games have made no
// progress for longer than the patience.
func (g *ledger) plays(w *worker, now time.Time) bool {
	return w.here && w.barred == "" && (len(w.playing) < max(1, w.Slots) || now.Sub(w.moved) <= g.patience)
}

// tick gives games without progress to other workers. It returns the workers that are lost since the last call.
func (g *ledger) tick(now time.Time) (lost []*worker) {
	for _, w := range g.workers {
		if w.here && now.Sub(w.seen) > g.gone {
			w.here, w.lost = false, true
			lost = append(lost, w)
			g.giveAll(w, now)
		}
		for _, l := range w.holds {
			// Games that a worker has not begun wait for those that it plays, as long as one of them moves.
			if now.Sub(l.moved) > g.patience && (l.plies >= 0 || now.Sub(w.moved) > g.patience) {
				if l.plies >= 0 && now.Sub(w.lateAt) > g.patience { // all its games at once are one event
					w.late, w.lateAt = w.late+1, now
				}
				g.give(l, now)
			}
		}
		if past := now.Sub(w.rated); past >= 2*time.Second {
			w.rate = float64(w.games-w.ratedGames) / past.Seconds()
			w.rated = now
			w.ratedGames = w.games
		}
	}
	g.suspect(now)
	return lost
}

// finished handles a checked result from a worker. It returns the game's result if that is now certain: this
// result if it is the first one and needs no confirmation, or an earlier one that this one confirms.
func (g *ledger) finished(l *lease, r *arena.Result, now time.Time) *arena.Result {
	id := r.Worker
	took := [2]time.Duration{min(r.Spent[0], now.Sub(l.moved)+time.Minute), min(r.Spent[1], now.Sub(l.moved)+time.Minute)}
	if all := overhead + took[0] + took[1]; g.mean == 0 {
		g.mean = all
	} else {
		g.mean = (127*g.mean + all) / 128
	}
	for side, key := range costsOf(r.Rules, r.Specs, l.task.SelfPlay.On()) {
		spent := took[side]
		if was, ok := g.costs[key]; ok {
			spent = (7*was + spent) / 8
		}
		g.costs[key] = spent
	}
	done := counts{games: 1}
	if r.Faulty != 0 {
		done.faults = 1
	}
	if w := g.workers[id]; w != nil {
		w.counts.add(done)
		w.moved = now
	} else {
		g.local.add(done)
	}
	g.drop(l)
	if l.check != nil {
		return g.compare(l, r, now)
	}
	switch w := g.workers[id]; {
	case w == nil:
	case l.class.doubts(r):
		g.replay(l, r, now)
		return nil
	case g.chosen(w, l, r):
		g.replay(l, r, now)
	}
	return r
}

// replay requests a replay of a game.
func (g *ledger) replay(l *lease, r *arena.Result, now time.Time) {
	first := *r
	twin := &lease{task: l.task, class: l.class, check: &first, made: now, moved: now}
	if l.check != nil { // a third, then
		twin.was = append(l.was, l.check.Worker)
	}
	g.leases[twin.place()] = twin
	twin.class.requeued = append(twin.class.requeued, twin)
	g.waiting++
}

// find returns the lease that a worker's result belongs to, if the worker has or had it.
func (g *ledger) find(id string, s arena.Slot) *lease {
	for _, check := range []bool{false, true} {
		l := g.leases[place{s, check}]
		if l != nil && (l.holder == id || slices.Contains(l.was, id)) {
			return l
		}
	}
	return nil
}

// needsOf returns what a task requires of a machine.
func needsOf(t *arena.Task, specs [2]agents.Spec) needs {
	var names []string
	n := needs{Timed: t.Clock.Seconds > 0 || t.GameLimit > 0, Here: t.Adjudicate.Table != ""}
	memory := int64(0)
	for side, s := range specs {
		n.Here = n.Here || s.Perfect.Table != ""
		n.Timed = n.Timed || s.Timed() || t.Seats[side].Budget.Timed()
		if s.Program() {
			names = append(names, s.Name)
		}
		memory += s.Memory()
	}
	if t.Adjudicate.Exact > 0 && t.Adjudicate.Table == "" {
		memory += int64(cmp.Or(t.Adjudicate.Memory, 64)) * 1_000_000
	}
	slices.Sort(names)
	n.Engines, n.Memory = strings.Join(slices.Compact(names), ","), power(memory)
	return n
}

// power returns the least power of 2 that is at least n; 0 for 0.
func power(n int64) int64 {
	p := int64(1)
	for n > p {
		p <<= 1
	}
	if n == 0 {
		return 0
	}
	return p
}
