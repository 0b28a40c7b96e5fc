package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/study"
	"spar/configs/plain"
)

// Options configure a coordinator. They do not change the games.
type Options struct {
	Assets  *arena.Assets
	Workers int        // number of games at the same time in this process; negative = none, 0 = one for each core
	Feed    *live.Feed // receives the list of workers; may be nil
	Log     func(string)
	Record  func([]study.Worker) error // stores the list of workers at intervals; may be nil
	Known   []study.Worker             // workers that the study has stored

	Listen      string // address of an embedded server, like :4222
	Server      string // URL of an existing server, instead of Listen
	Prefix      string // prefix of the NATS subjects; empty = spar
	Token       string
	Credentials string // path of a file with NATS credentials, for an existing server
	TLS         TLS

	Check    float64       // fraction of untimed pairs replayed as a check; negative = none, 0 = 0.01
	Patience time.Duration // maximum time for one move; 0 = a minute
	Scale    bool          // accept machines of other speeds for time budgets, and scale the budgets
	Build    *Build        // required build of workers; nil = this program's
	Speed    float64       // speed of this machine, as the function Speed measures it; 0 = measure it
}

// Coordinator gives tasks to other machines, and can play games itself. It is an arena.Pool that serves one call
// of Play at a time.
type Coordinator struct {
	o       Options
	build   Build
	speed   float64
	run     string
	players []*arena.Player
	referee *arena.Player
	link    *link

	mu       sync.Mutex
	changed  *sync.Cond
	ledger   *ledger
	epoch    int64
	playing  bool
	closed   bool              // no more tasks will be added
	out      []arena.Result    // results that have not been passed on
	outSize  int               // approximate size of out in bytes
	handing  bool              // a goroutine is passing on results
	refereed int               // number of disputed games that the coordinator is playing
	objects  map[string][]byte // texts that workers need, by their SHA-256
	needs    map[arena.Setting]needs
	wires    map[arena.Setting]wireSetting
	recorded time.Time
	told     time.Time
	unmet    map[string]*unmetNeed // games that no worker can play, by what the workers lack
	wish     string                // what a worker would need to play the demand; empty if there is no demand
}

// Times of the coordinator.
const (
	tickEvery   = 250 * time.Millisecond
	beatEvery   = time.Second
	goneAfter   = 4 * time.Second
	batchWork   = time.Second
	localWork   = 20 * time.Millisecond
	checkWait   = 2 * time.Second // time until the coordinator itself replays a game if no worker can
	recordEvery = 5 * time.Second
	tellEvery   = 2 * time.Second
	mostOut     = 20_000   // maximum number of results that wait to be stored
	mostOutSize = 16 << 20 // maximum size of these results in bytes, approximately
)

// Settings for new workers.
const (
	noviceShare = 0.1
	noviceGames = 600
)

// Default values of Options.
const (
	defaultPrefix   = "spar"
	defaultCheck    = 0.01
	defaultPatience = time.Minute
)

// New returns a coordinator that listens for workers. The caller must close it.
func New(ctx context.Context, o Options) (*Coordinator, error) {
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Prefix, o.Patience = cmp.Or(o.Prefix, defaultPrefix), cmp.Or(o.Patience, defaultPatience)
	if o.Log == nil {
		o.Log = func(string) {}
	}
	c := &Coordinator{
		o: o, run: fmt.Sprintf("%016x", rand.Uint64()), needs: map[arena.Setting]needs{},
		unmet: map[string]*unmetNeed{},
	}
	c.changed = sync.NewCond(&c.mu)
	l := limits{
		batch:    batchWork,
		patience: o.Patience,
		gone:     goneAfter,
		check:    o.Check,
		novice:   noviceShare,
		novelty:  noviceGames,
		own:      o.Workers > 0,
	}
	if l.check == 0 {
		l.check = defaultCheck
	} else if l.check < 0 {
		l.check, l.novice = 0, 0
	}
	c.ledger = newLedger(l, rand.Uint64())
	c.ledger.serves = c.serves
	for _, w := range o.Known {
		c.ledger.remember(w)
	}
	for range max(0, o.Workers) {
		c.players = append(c.players, arena.NewPlayer(o.Assets, arena.LocalWorker).Show(o.Feed.Boards(),
			len(c.players)))
	}
	c.referee = arena.NewPlayer(o.Assets, arena.LocalWorker).Keep(8)
	var err error
	if o.Build != nil {
		c.build = *o.Build
	} else if c.build, err = ThisBuild(); err != nil {
		return nil, err
	}
	if c.speed = o.Speed; c.speed == 0 {
		c.speed = Speed()
	}
	c.forget()
	if c.link, err = c.listen(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Close tells the workers that there are no more games, and stops the server.
func (c *Coordinator) Close() error {
	err := c.link.close()
	for _, p := range append(c.players, c.referee) {
		p.Close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return errors.Join(err, c.record(time.Now(), true))
}

// Address returns the URL that workers connect to.
func (c *Coordinator) Address() string { return c.link.url }

// Fingerprint returns the fingerprint of the coordinator's own certificate, by which workers recognise it; empty
// if there is none.
func (c *Coordinator) Fingerprint() string { return c.link.fingerprint }

// Workers returns the approximate number of games that are played at the same time.
func (c *Coordinator) Workers() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(1, c.hands())
}

// Deserted reports whether no game can be played at present: this process does not play, and no connected worker
// has what the remaining games need.
func (c *Coordinator) Deserted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hands() == 0 || c.stuck()
}

// hands returns the number of games that all workers together play at the same time.
func (c *Coordinator) hands() int {
	n := len(c.players)
	for _, w := range c.ledger.workers {
		if w.here && w.barred == "" {
			n += w.Slots
		}
	}
	return n
}

// forget clears the state for a new set of tasks.
func (c *Coordinator) forget() {
	c.ledger.reset()
	c.objects = map[string][]byte{}
	c.wires = map[arena.Setting]wireSetting{}
	c.out, c.outSize, c.closed, c.refereed = nil, 0, false, 0
}

// Play plays games until tasks is closed. It returns an *arena.Distrust if a worker turns out to be unreliable.
func (c *Coordinator) Play(ctx context.Context, tasks <-chan []arena.Task, results chan<- []arena.Result) error {
	c.mu.Lock()
	c.forget()
	c.epoch++
	c.playing = true
	clear(c.needs)
	c.mu.Unlock()
	group, ctx := errgroup.WithContext(ctx)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, c.wake)()
	group.Go(func() error { return c.takeIn(ctx, tasks) })
	done := make(chan struct{})
	group.Go(func() error {
		defer close(done)
		return c.handOut(ctx, results)
	})
	group.Go(func() error { return c.judge(ctx) })
	for _, p := range c.players {
		group.Go(func() error { return c.playHere(ctx, p) })
	}
	group.Go(func() error {
		tick := time.NewTicker(tickEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-done: // there is no more to come
			case <-ctx.Done():
				return nil
			}
			if err := c.tick(time.Now()); err != nil {
				return err
			}
			if c.over(ctx) {
				return nil
			}
		}
	})
	err := group.Wait()
	c.mu.Lock()
	rest := c.out
	c.out, c.playing = nil, false
	c.ledger.reset()
	err = errors.Join(err, c.record(time.Now(), err != nil)) // who was barred; the rest may wait for Close
	c.mu.Unlock()
	c.link.purge()
	if len(rest) > 0 {
		results <- rest
	}
	return err
}

func (c *Coordinator) wake() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed.Broadcast()
}

// over reports whether all games are played and passed on, or the pool cannot continue.
func (c *Coordinator) over(ctx context.Context) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.isOver(ctx)
}

func (c *Coordinator) isOver(ctx context.Context) bool {
	return ctx.Err() != nil || c.closed && len(c.ledger.leases) == 0 && c.settled()
}

// settled reports whether no game is in dispute or on its way to who asked for it. The caller must hold the lock.
func (c *Coordinator) settled() bool {
	return len(c.ledger.disputes) == 0 && c.refereed == 0 && len(c.out) == 0 && !c.handing
}

// takeIn receives as many tasks as are needed to keep all workers busy.
func (c *Coordinator) takeIn(ctx context.Context, tasks <-chan []arena.Task) error {
	for {
		c.mu.Lock()
		for !c.ledger.hungry(max(1, c.hands())) && ctx.Err() == nil {
			c.changed.Wait()
		}
		c.mu.Unlock()
		select {
		case batch, ok := <-tasks:
			if !ok {
				c.mu.Lock()
				c.closed = true
				c.changed.Broadcast()
				c.mu.Unlock()
				return nil
			}
			for i := range batch {
				if err := c.prepare(&batch[i]); err != nil {
					return err
				}
			}
			c.mu.Lock()
			c.ledger.add(batch, time.Now(), func(t *arena.Task) needs { return c.needs[t.Setting] })
			c.changed.Broadcast()
			c.mu.Unlock()
			c.link.hint()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// handOut passes results on to the caller of Play.
func (c *Coordinator) handOut(ctx context.Context, results chan<- []arena.Result) error {
	for {
		c.mu.Lock()
		for len(c.out) == 0 && !c.isOver(ctx) {
			c.changed.Wait()
		}
		batch := c.out
		c.out = nil
		c.outSize = 0
		c.handing = len(batch) > 0
		c.mu.Unlock()
		if len(batch) == 0 {
			return ctx.Err()
		}
		results <- batch // received until Play returns
		c.mu.Lock()
		c.handing = false
		c.changed.Broadcast()
		c.mu.Unlock()
	}
}

// playHere plays games in this process.
func (c *Coordinator) playHere(ctx context.Context, p *arena.Player) error {
	anything := func(*class) bool { return true }
	for {
		c.mu.Lock()
		var batch []arena.Task
		for len(batch) == 0 && !c.isOver(ctx) {
			if batch = c.ledger.claim(arena.LocalWorker, anything, 1, c.hands(), localWork, time.Now()); len(batch) == 0 {
				c.changed.Wait()
			}
		}
		c.changed.Broadcast()
		c.mu.Unlock()
		if len(batch) == 0 {
			return ctx.Err()
		}
		for i := range batch {
			r, err := p.Play(ctx, &batch[i])
			if err != nil {
				return err
			}
			c.mu.Lock()
			c.accept(arena.LocalWorker, []arena.Result{r})
			c.mu.Unlock()
		}
	}
}

// accept handles results that were checked.
func (c *Coordinator) accept(id string, rs []arena.Result) {
	now := time.Now()
	for i := range rs {
		r := &rs[i]
		if l := c.ledger.find(id, r.Slot); l != nil { // otherwise somebody else was faster
			c.finished(l, r, now)
		}
	}
	c.changed.Broadcast()
}

// finished handles the result of a game that had none before.
func (c *Coordinator) finished(l *lease, r *arena.Result, now time.Time) {
	known := c.ledger.finished(l, r, now)
	if known == nil {
		return
	}
	c.out, c.outSize = append(c.out, *known), c.outSize+resultSize(known)
	if l.check == nil || known != r {
		return
	}
	w := c.ledger.workers[l.check.Worker]
	if w != nil && w.alone == 1 { // what follows has most likely the same cause
		c.o.Log(fmt.Sprintf("an agent forfeited game %d on worker %s, but not in the replay: %s "+
			"%s", r.Number, w.ID, l.check.Reason,
			plain.Line(l.check.Detail)))
	}
}

// judge plays disputed games, and replays that no worker can do.
func (c *Coordinator) judge(ctx context.Context) error {
	for {
		c.mu.Lock()
		var d *dispute
		var l *lease
		for d == nil && l == nil && !c.isOver(ctx) {
			if n := len(c.ledger.disputes); n > 0 {
				last := c.ledger.disputes[n-1] // its place is taken by the next one
				d = &last
				c.ledger.disputes = c.ledger.disputes[:n-1]
			} else if l = c.ledger.unserved(time.Now(), checkWait); l == nil {
				c.changed.Wait()
			}
		}
		if d != nil || l != nil {
			c.refereed++
		}
		c.mu.Unlock()
		var task *arena.Task
		switch {
		case d != nil:
			task = &d.task
		case l != nil:
			task = &l.task
		default:
			return ctx.Err()
		}
		r, err := c.referee.Play(ctx, task)
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.refereed--
		if d != nil {
			c.ledger.decide(*d, &r, time.Now())
		} else if !l.closed { // by whoever had it before
			c.finished(l, &r, time.Now())
		}
		c.changed.Broadcast()
		c.mu.Unlock()
	}
}

// tick takes back games that make no progress, and publishes the list of workers.
func (c *Coordinator) tick(now time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.ledger.tick(now) {
		c.o.Log(fmt.Sprintf("worker %s is lost: it was silent for %v; other workers get its games", w.ID, goneAfter))
	}
	c.changed.Broadcast()
	c.link.hint()
	c.tell(now)
	c.reportDemand(now)
	if ds := c.ledger.distrusted; len(ds) > 0 {
		c.ledger.distrusted = ds[1:]
		c.o.Log(ds[0].Error())
		return ds[0]
	}
	return c.record(now, false)
}
