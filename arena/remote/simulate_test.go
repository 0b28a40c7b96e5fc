package remote

import (
	"container/heap"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"spar/arena"
	"spar/engines"
)

// The whole simulation: go test ./arena/remote -run TestSimulation -v -tasks 1000000 -machines 1000
var (
	simTasks    = flag.Int("tasks", 30_000, "tasks of the simulation of the coordinator")
	simStudies  = flag.Int("studies", 10, "studies with a cheat")
	simMachines = flag.Int("machines", 200, "workers of it")
)

// happening is something at a time of a simulation.
type happening struct {
	at   time.Time
	what func(now time.Time)
}

type happenings []happening

func (h happenings) Len() int           { return len(h) }
func (h happenings) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h happenings) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *happenings) Push(x any)        { *h = append(*h, x.(happening)) }

func (h *happenings) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// machine is a made-up worker: it takes claims, plays some games at a time, and now and then dies, hangs, leaves or
// says things twice.
type machine struct {
	s      *simulation
	id     string
	slots  int
	pace   float64 // its games take that much longer
	cheats func(game int64) bool
	games  int64
	queue  []arena.Task
	play   map[arena.Slot]int
	dead   bool
	hung   bool
	life   int // of the process: what a dead one had planned does not happen
}

// simulation drives a ledger through time.
type simulation struct {
	t        *testing.T
	g        *ledger
	rng      *rand.Rand
	heap     happenings
	tasks    int
	given    int
	done     []uint8
	finished int
	deaths   int
	hands    int
	truth    func(n int64) engines.Result
	repeated int // results that were handed in for nothing
	wrong    map[int64]string
	barred   map[string]int64 // games of a machine when it was barred
	worst    int              // most leases at a time
}

func (s *simulation) at(t time.Time, f func(time.Time)) { heap.Push(&s.heap, happening{t, f}) }

func (s *simulation) feed(now time.Time) {
	for s.given < s.tasks && s.g.hungry(s.hands) {
		var batch []arena.Task
		for ; s.given < s.tasks && len(batch) < 64; s.given++ {
			batch = append(batch, arena.Task{
				Slot:    arena.Slot{Event: 1, Number: int64(s.given)},
				Setting: arena.Setting{Rules: "r", Seats: [2]arena.Entrant{{Spec: "a"}, {Spec: "b"}}},
			})
		}
		s.g.add(batch, now, func(*arena.Task) needs { return needs{} })
	}
	s.worst = max(s.worst, len(s.g.leases))
}

func anything(*class) bool { return true }

func (m *machine) claim(now time.Time) {
	if m.dead || m.hung || len(m.queue) > 0 {
		return
	}
	tasks := m.s.g.claim(m.id, anything, m.slots-len(m.play), m.s.hands, m.s.g.batch, now)
	m.s.feed(now)
	m.queue = append(m.queue, tasks...)
	m.begin(now)
	if len(m.play) < m.slots && m.s.finished < m.s.tasks { // a hint comes soon
		m.later(now, time.Duration(50+m.s.rng.IntN(200))*time.Millisecond, m.claim)
	}
}

// later does something unless the process has died meanwhile.
func (m *machine) later(now time.Time, d time.Duration, f func(time.Time)) {
	life := m.life
	m.s.at(now.Add(d), func(now time.Time) {
		if m.life == life && !m.dead {
			f(now)
		}
	})
}

func (m *machine) begin(now time.Time) {
	for len(m.play) < m.slots && len(m.queue) > 0 && !m.hung {
		t := m.queue[0]
		m.queue = m.queue[1:]
		m.play[t.Slot] = 0
		took := time.Duration(m.pace * math.Exp(m.s.rng.NormFloat64()/2) * float64(time.Second))
		m.later(now, took, func(now time.Time) { m.end(t, took, now) })
	}
}

func (m *machine) end(t arena.Task, took time.Duration, now time.Time) {
	if m.hung {
		return
	}
	delete(m.play, t.Slot)
	r := arena.Result{
		Slot: t.Slot, Rules: "r", Specs: [2]string{"a", "b"}, Outcome: m.s.truth(t.Number),
		Spent: [2]time.Duration{took / 2, took / 2}, Worker: m.id,
	}
	if m.games++; m.cheats != nil && m.cheats(m.games) {
		r.Outcome = engines.Drawn
	}
	m.hand(r, now)
	if m.s.rng.IntN(50) == 0 { // delivered twice, and late
		m.s.at(now.Add(time.Duration(m.s.rng.IntN(5000))*time.Millisecond), func(now time.Time) { m.hand(r, now) })
	}
	m.begin(now)
	if len(m.queue) == 0 {
		m.claim(now)
	}
}

// hand gives a result to the ledger as the coordinator does.
func (m *machine) hand(r arena.Result, now time.Time) {
	s := m.s
	if w := s.g.workers[m.id]; w == nil || w.barred != "" {
		return
	}
	l := s.g.find(m.id, r.Slot)
	if l == nil {
		s.repeated++
		return
	}
	if s.g.finished(l, &r, now) == nil {
		return
	}
	if s.done[r.Number]++; s.done[r.Number] > 1 {
		s.t.Fatalf("game %d was finished twice", r.Number)
	}
	s.finished++
	if r.Outcome != s.truth(r.Number) {
		s.wrong[r.Number] = m.id
	}
	s.feed(now)
}

func (m *machine) beat(now time.Time) {
	if m.dead {
		return
	}
	var b []Playing
	for slot := range m.play {
		if !m.hung {
			m.play[slot]++
		}
		b = append(b, Playing{Slot: slot, Plies: m.play[slot]})
	}
	m.s.g.beat(m.id, b, now)
	m.later(now, time.Second, m.beat)
}

func (m *machine) join(now time.Time) {
	m.dead = false
	m.hung = false
	m.queue = nil
	m.play = map[arena.Slot]int{}
	m.life++
	m.s.g.hello(Hello{ID: m.id, Slots: m.slots}, now)
	m.beat(now)
	m.claim(now)
	next := time.Duration(m.s.rng.ExpFloat64() * float64(5*time.Minute))
	m.later(now, next, m.trouble)
}

// trouble is what happens to machines: they die without a word, hang with a living heartbeat, or leave and come back.
func (m *machine) trouble(now time.Time) {
	m.s.deaths++
	switch m.s.rng.IntN(3) {
	case 0:
		m.dead = true
	case 1:
		m.hung = true
		m.later(now, 40*time.Second, func(time.Time) { m.dead = true })
	case 2:
		m.dead = true
		m.s.g.release(m.s.g.workers[m.id], nil, now)
	}
	m.s.at(now.Add(time.Duration(m.s.rng.IntN(60))*time.Second), func(now time.Time) {
		if !m.dead {
			m.dead = true
		}
		if m.s.finished < m.s.tasks {
			m.join(now)
		}
	})
}

// simulate lets made-up machines play; the first cheats in those of its games that cheats tells. It returns what it
// saw.
func simulate(t *testing.T, tasks, machines int, cheats func(int64) bool, check float64, seed uint64) *simulation {
	now := time.Unix(0, 0)
	s := &simulation{
		t: t, tasks: tasks, rng: rand.New(rand.NewPCG(seed, 1)), done: make([]uint8, tasks), wrong: map[int64]string{},
		barred: map[string]int64{},
		truth:  func(n int64) engines.Result { return engines.Winner(int(engines.Mix(uint64(n)) & 1)) },
		g: newLedger(limits{
			batch: batchWork, patience: 15 * time.Second, gone: goneAfter, check: check, novice: min(noviceShare, 10*check),
			novelty: noviceGames,
		}, seed),
	}
	for i := range machines {
		m := &machine{s: s, id: fmt.Sprintf("m%d", i), slots: 1 + s.rng.IntN(8), pace: 0.2 + s.rng.Float64()*2}
		if i == 0 && cheats != nil {
			m.cheats, m.slots, m.pace = cheats, 8, 0.5 // it plays the most
		}
		s.hands += m.slots
		s.at(now.Add(time.Duration(s.rng.IntN(20_000))*time.Millisecond), m.join)
	}
	var tick func(time.Time)
	tick = func(now time.Time) {
		s.g.tick(now)
		for _, d := range s.g.disputes { // the coordinator plays them itself
			own := d.a
			own.Outcome, own.Worker = s.truth(d.task.Number), arena.LocalWorker
			s.g.decide(d, &own, now)
		}
		s.g.disputes = nil
		for l := s.g.unserved(now, checkWait); l != nil; l = s.g.unserved(now, checkWait) {
			own := *l.check
			own.Outcome = s.truth(l.task.Number)
			s.g.drop(l)
			s.g.decide(dispute{l.task, *l.check, own}, &own, now)
		}
		for _, d := range s.g.distrusted {
			s.barred[d.Worker] = s.g.workers[d.Worker].games
		}
		s.g.distrusted = nil
		s.feed(now)
		if s.finished < s.tasks || len(s.g.leases) > 0 {
			s.at(now.Add(tickEvery), tick)
		}
	}
	s.at(now, tick)
	s.feed(now)
	var memory runtime.MemStats
	for step, next := 0, 0.1; len(s.heap) > 0 && (s.finished < s.tasks || len(s.g.leases) > 0); step++ {
		h := heap.Pop(&s.heap).(happening)
		h.what(h.at)
		now = h.at
		if now.Sub(time.Unix(0, 0)) > 100*time.Hour {
			t.Fatalf("it does not end: %d of %d games, %d leases", s.finished, tasks, len(s.g.leases))
		}
		if share := float64(s.finished) / float64(tasks); share >= next && tasks >= 1e6 {
			runtime.GC()
			runtime.ReadMemStats(&memory)
			t.Logf("%.0f %% after %v: %d leases, heap %.1f MB", 100*share,
				now.Sub(time.Unix(0, 0)).Round(time.Second), len(s.g.leases), float64(memory.HeapAlloc)/1e6)
			next += 0.3
		}
	}
	return s
}

// No game is lost or doubled, whatever the machines do, and the ledger holds no more than what is in flight.
func TestSimulation(t *testing.T) {
	t.Parallel()
	began := time.Now()
	s := simulate(t, *simTasks, *simMachines, nil, 0.01, 1)
	for n, times := range s.done {
		if times != 1 {
			t.Fatalf("game %d was finished %d times", n, times)
		}
	}
	if len(s.g.leases) != 0 || s.g.waiting != 0 || len(s.barred) != 0 {
		t.Errorf("in the end there are %d leases, %d waiting, and %v barred", len(s.g.leases), s.g.waiting, s.barred)
	}
	// A few claims for each hand: it does not depend on how many games there are.
	if most := 64 + 20*s.hands; s.worst > most {
		t.Errorf("up to %d leases, expected no more than %d", s.worst, most)
	}
	t.Logf("%d tasks, %d machines with %d hands, %d deaths, hangs and farewells, %d results for nothing, up to %d "+
		"leases; %v of real time",
		*simTasks, *simMachines, s.hands, s.deaths, s.repeated, s.worst, time.Since(began))
}

// A machine that is wrong about every game is found within 600 of them with 95 % or more, when it is new and also when
// it begins to cheat later; no other machine is taken for a cheat.
func TestCheatsAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		honest int64 // games before it cheats
		wrong  int64 // one of so many is wrong
		least  float64
	}{
		{"at once", 0, 1, 0.95},
		{"one of ten from the beginning", 0, 10, 0.9},
		{"after 700 honest games", 700, 1, 0.85}, // 0.951 or more, less what chance makes of few studies
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found, total, games := 0, *simStudies, int64(0)
			for seed := range *simStudies {
				cheats := func(game int64) bool { return game > c.honest && game%c.wrong == 0 }
				s := simulate(t, 2*int(c.honest+700), 3, cheats, 0.01, uint64(seed))
				at, ok := s.barred["m0"]
				switch {
				case ok && at <= c.honest+600:
					found, games = found+1, games+at-c.honest
				case !ok && int64(len(s.wrong)) < 600/c.wrong:
					total-- // the others were faster
				}
				if delete(s.barred, "m0"); len(s.barred) > 0 {
					t.Errorf("study %d: honest machines are barred: %v", seed, s.barred)
				}
			}
			if share := float64(found) / float64(total); share < c.least || total == 0 {
				t.Errorf("found within 600 games in %d of %d studies", found, total)
			}
			t.Logf("found within 600 games in %d of %d studies, after %.0f games in the mean", found, total,
				float64(games)/float64(max(1, found)))
		})
	}
}
