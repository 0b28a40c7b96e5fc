package remote

import (
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"spar/arena"
	"spar/arena/live"
	"spar/configs/plain"
	"spar/engines"
)

// hello registers a worker and answers its greeting.
func (l *link) hello(id string, m *nats.Msg) (any, error) {
	c := l.c
	var h Hello
	err := decode(m.Data, &h)
	if err == nil {
		err = h.check(id)
	}
	welcome := Welcome{
		Run:     c.run,
		Stream:  l.stream,
		Scale:   1,
		Beat:    beatEvery,
		Refused: c.build.differs(h.Build),
	}
	if err != nil { // without an answer it would ask for ever
		l.complain(id, err)
		welcome.Refused = "invalid greeting: " + clip(err.Error(), 200)
		return welcome, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if welcome.Refused != "" {
		c.o.Log(fmt.Sprintf("worker %s was refused: its build is %s, the coordinator's is %s", id, h.Build, c.build))
		return welcome, nil
	}
	if old := c.ledger.workers[id]; old != nil && old.barred != "" {
		welcome.Refused = "barred: " + old.barred
		return welcome, nil
	}
	if c.ledger.workers[id] == nil && len(c.ledger.workers) >= mostWorkers {
		welcome.Refused = fmt.Sprintf("the coordinator already has %d workers, the maximum", mostWorkers)
		return welcome, nil
	}
	switch {
	case !c.equal(h.Speed):
		welcome.Note = fmt.Sprintf("this machine is %.2f times as fast as the coordinator: it gets no games with time limits "+
			"(scale_time in the --machines file allows them, with scaled limits)", h.Speed/c.speed)
	case c.o.Scale && h.Speed > 0:
		welcome.Scale = c.speed / h.Speed
	}
	h.System = plain.Line(h.System)
	w := c.ledger.hello(h, time.Now())
	c.ledger.giveAll(w, time.Now()) // of a connection before this one
	c.changed.Broadcast()
	l.hint()
	return welcome, nil
}

// mostWorkers is the maximum number of workers that a coordinator knows, including those that have left.
const mostWorkers = 10_000

// beat records the games that a worker is playing, with their plies.
func (l *link) beat(id string, m *nats.Msg) (any, error) {
	c := l.c
	var b Beat
	if err := decode(m.Data, &b); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := State{Run: c.run, Epoch: c.epoch}
	w := c.ledger.workers[id]
	if w == nil || b.Run != c.run {
		return State{Run: c.run, Epoch: sayHello}, nil
	}
	came := !w.here
	b.Playing = b.Playing[:min(len(b.Playing), w.Slots)]
	c.ledger.beat(id, b.Playing, time.Now())
	if boards := c.o.Feed.Boards(); boards.Wanted() {
		s.Look = true
		c.show(boards, id, w, b.Playing)
	}
	if s.Barred = w.barred; s.Barred == "" {
		for key, k := range c.ledger.classes {
			if c.serves(w, k) {
				s.Consumers = append(s.Consumers, consumer(key))
			}
		}
		slices.Sort(s.Consumers)
		s.Wish = c.wish
	}
	w.told = s.Consumers
	if came {
		l.hint()
	}
	return s, nil
}

// Limits on the boards that a worker may show.
const (
	mostShown    = 8
	mostPosition = 4096 // size of a position's text in bytes
)

// show publishes boards from a worker if they are positions of its games. It uses the rules and agents of these
// games. The caller must hold the lock.
func (c *Coordinator) show(boards *live.Boards, id string, w *worker, playing []Playing) {
	h := fnv.New32a()
	h.Write([]byte(id)) // a hash never fails
	first, shown := (1+int(h.Sum32()>>8))*mostShown, 0
	for _, one := range playing {
		lease := w.holds[place{one.Slot, false}]
		if lease == nil || one.At == "" || len(one.At) > mostPosition || shown == mostShown {
			continue
		}
		g, err := c.o.Assets.Game(lease.task.Rules)
		if err != nil {
			continue
		}
		state, err := g.ParseState(one.At)
		if err != nil {
			continue
		}
		boards.Put(first+shown, live.Board{
			Position: engines.PositionAt(state), First: lease.task.Seats[0].Name,
			Second: lease.task.Seats[1].Name, Number: one.Number, Machine: id,
		})
		shown++
	}
}

// claim answers a request for games.
func (l *link) claim(id string, m *nats.Msg) (any, error) {
	c := l.c
	var q Claim
	if err := decode(m.Data, &q); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.ledger.workers[id]
	if w == nil || q.Run != c.run {
		return Batch{}, nil
	}
	b := Batch{Run: c.run, Epoch: c.epoch}
	var tasks []arena.Task
	if c.playing && len(w.holds) < 4*mostLeases { // who takes more than it plays keeps others waiting
		can := func(k *class) bool { return c.serves(w, k) }
		tasks = c.ledger.claim(id, can, min(max(1, q.Free), w.Slots), c.hands(), c.ledger.batch, time.Now())
	}
	if len(tasks) == 0 {
		return b, nil
	}
	c.changed.Broadcast()
	at := map[arena.Setting]int{}
	for i := range tasks {
		s := tasks[i].Setting
		k, ok := at[s]
		if !ok {
			k = len(b.Settings)
			at[s] = k
			b.Settings = append(b.Settings, c.wires[s])
		}
		b.Games = append(b.Games, wireGame{k, tasks[i].Event, tasks[i].Number, tasks[i].Opening, tasks[i].Stream})
	}
	return b, nil
}

// result handles finished games from a worker.
func (l *link) result(id string, m *nats.Msg) (any, error) {
	c := l.c
	var rs Results
	if err := decode(m.Data, &rs); err != nil {
		return Receipt{Run: c.run, Refused: "not understood"}, nil
	}
	c.mu.Lock()
	for len(c.out) > mostOut || c.outSize > mostOutSize {
		c.changed.Wait()
	}
	w := c.ledger.workers[id]
	if w == nil || !c.playing || rs.Run != c.run || rs.Epoch != c.epoch || w.barred != "" {
		c.mu.Unlock()
		return Receipt{Run: c.run, Refused: "no longer needed"}, nil
	}
	w.seen = time.Now()
	type given struct {
		task  arena.Task
		timed bool
	}
	tasks := make([]given, len(rs.Results))
	for i := range rs.Results {
		if l := c.ledger.find(id, rs.Results[i].Slot); l != nil {
			tasks[i] = given{l.task, l.class.Timed}
		}
	}
	c.mu.Unlock()
	good, refused := rs.Results[:0], ""
	for i := range rs.Results {
		r, t := &rs.Results[i], &tasks[i]
		g, err := c.o.Assets.Game(t.task.Rules)
		if err != nil {
			continue // a slot that is not the worker's, or not any more
		}
		if err := t.task.Accept(g, t.timed, r); err != nil {
			refused = err.Error()
			continue
		}
		r.Worker = id
		good = append(good, *r)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.playing || rs.Epoch != c.epoch { // it ended meanwhile, and the next one may have the same numbers
		return Receipt{Run: c.run, Refused: "no longer needed"}, nil
	}
	c.accept(id, good)
	if len(good) > 0 {
		w.failures = 0
	}
	c.unplayed(w, rs.Failed)
	if refused != "" {
		c.ledger.bar(id, "it submitted an impossible result: "+refused, time.Now())
	}
	l.hint()
	return Receipt{Run: c.run, Refused: refused}, nil
}

// unplayed gives the games that a worker could not play to other workers. A worker that fails repeatedly and plays
// no game gets no more. Failures in one message count once, since they probably have a common cause, such as a
// missing agent.
func (c *Coordinator) unplayed(w *worker, failed []Failure) {
	why, gave := "", false
	for _, f := range failed {
		if l := c.ledger.find(w.ID, f.Slot); l != nil && l.holder == w.ID {
			c.ledger.give(l, time.Now())
			why, gave = f.Why, true
		}
	}
	if !gave {
		return
	}
	if w.failures++; w.failures >= 10 {
		w.barred = "it failed to play: " + plain.Line(clip(why, 500))
		c.ledger.giveAll(w, time.Now())
		c.o.Log(fmt.Sprintf("worker %s gets no more games: %s", w.ID, w.barred))
	}
}

// bye takes back the games of a worker that leaves.
func (l *link) bye(id string, m *nats.Msg) (any, error) {
	var b Beat
	if err := decode(m.Data, &b); err != nil {
		return nil, err
	}
	c := l.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.ledger.workers[id]; w != nil && b.Run == c.run {
		keep := map[arena.Slot]bool{}
		for _, p := range b.Playing {
			keep[p.Slot] = true
		}
		c.ledger.release(w, keep, time.Now())
		c.changed.Broadcast()
		l.hint()
	}
	return Receipt{Run: c.run}, nil
}

// Headers of a message that contains a part of an object.
const (
	headerSize  = "Spar-Size"
	headerError = "Spar-Error"
)

// object sends a part of an object.
func (l *link) object(m *nats.Msg) {
	var q Part
	reply := nats.NewMsg(m.Reply)
	data := []byte(nil)
	size := int64(0)
	err := decode(m.Data, &q)
	if err == nil {
		l.c.mu.Lock()
		o, ok := l.c.objects[q.Object]
		l.c.mu.Unlock()
		if err = errNoObject; ok {
			data, size, err = part(o, q.Offset)
		}
	}
	if err != nil {
		reply.Header.Set(headerError, err.Error())
	} else {
		reply.Header.Set(headerSize, fmt.Sprint(size))
		reply.Data = data
	}
	if m.Reply != "" {
		_ = l.nc.PublishMsg(reply) // the worker asks again
	}
}
