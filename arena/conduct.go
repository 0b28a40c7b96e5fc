package arena

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/arena/live"
)

// Conduct plays the tasks of a source and stores the results. It stops when the source has no more tasks, when ctx
// ends (then it finishes pairs in progress), when hard ends (then it abandons unfinished games), or after o.Limit
// games. It returns the number of games stored.
func Conduct(ctx, hard context.Context, source Source, pool Pool, db Committer, o Conducting) (int64, error) {
	playing, fail := context.WithCancel(hard)
	defer fail()
	storing, enough := context.WithCancel(hard) // ends the patience with a study that cannot be written
	defer enough()
	defer context.AfterFunc(ctx, func() {
		late := time.AfterFunc(storeWithin, enough)
		context.AfterFunc(storing, func() { late.Stop() })
	})()
	s := newSink(storing, db, o, func() { fail(); enough() })
	err := conduct(ctx, playing, source, pool, o.Limit, s.put)
	if rest := source.Rest(); len(rest.Marked) > 0 || len(rest.Notes) > 0 {
		s.put([]Filed{rest})
	}
	err = errors.Join(err, s.close())
	return s.stored, err
}

// storeWithin is how long a run that is to end waits for a study that cannot be written.
const storeWithin = 30 * time.Second

// Conducting holds the options of Conduct.
type Conducting struct {
	Event int64      // row number in the study
	Name  string     // name of the event, for the feed
	Feed  *live.Feed // receives games after they are stored; may be nil
	Limit int64      // maximum number of games to hand out; 0 = no limit
}

// conduct plays the tasks of a source and passes finished games to file.
func conduct(ctx, hard context.Context, source Source, pool Pool, limit int64, file func([]Filed)) error {
	c := &conductor{
		source: source,
		pool:   pool,
		limit:  limit,
		file:   file,
		costs:  map[cost]time.Duration{},
	}
	hard, abandon := context.WithCancel(hard)
	defer abandon()
	group, playing := errgroup.WithContext(hard)
	tasks, results := make(chan []Task), make(chan []Result, 4*pool.Workers())
	group.Go(func() error { return pool.Play(playing, tasks, results) })
	if !c.feed(ctx, playing, tasks, results) {
		abandon()
	}
	close(tasks)
	finished := make(chan error, 1)
	go func() { finished <- group.Wait() }()
	for {
		select {
		case rs := <-results: // what was in flight when feeding ended early
			c.take(rs)
		case err := <-finished:
			for len(results) > 0 {
				c.take(<-results)
			}
			if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				err = nil
			}
			return err
		}
	}
}

// conductor hands out tasks and collects results. Only it calls the source.
type conductor struct {
	source   Source
	pool     Pool
	limit    int64
	file     func([]Filed)
	given    int64
	inFlight int
	queue    []Task // tasks from the source that have not been handed out
	costs    map[cost]time.Duration
	before   int // number of tasks in the last batch
}

// cost identifies what determines the time of a game: an agent and the rules.
type cost struct{ rules, spec string }

// A batch should have a few milliseconds of work. The overhead of passing it on is then small, and no player waits
// long.
const (
	batchWork  = 4 * time.Millisecond
	mostOfWork = 64                    // maximum number of tasks in a batch
	overhead   = 10 * time.Microsecond // approximate time of a game apart from the thinking of its agents
)

// next returns a batch: one task, or several if they are known to be short.
func (c *conductor) next(begun bool) []Task {
	batch := make([]Task, 0, c.before)
	// What is ahead of a decision may turn out to be needless: it stays small compared with what was played.
	most := min(mostOfWork, max(1, int(c.given/32)))
	for work := time.Duration(0); len(batch) < most; {
		if c.limit > 0 && c.given+int64(len(batch)) >= c.limit {
			break
		}
		if len(c.queue) == 0 {
			if !begun && c.far() {
				break
			}
			if c.queue = c.source.Next(2, begun); len(c.queue) == 0 {
				break
			}
		}
		t, known := c.queue[0], true
		for _, e := range t.Seats {
			d, ok := c.costs[cost{t.Rules, e.Spec}]
			work, known = work+d, known && ok && !e.Budget.Timed()
		}
		if work += overhead; len(batch) > 0 && (work > batchWork || !known) {
			break
		}
		batch, c.queue = append(batch, t), c.queue[1:]
		if !known {
			break
		}
	}
	c.before = len(batch)
	return batch
}

// Limits on the number of games that are handed out before earlier ones are judged. Without them, many games could
// be played in vain while a slow one delays all decisions.
const (
	leastAhead = 64 // minimum limit; the number of judged games if that is larger
	eachAhead  = 8  // additional games for each game that the pool plays at the same time
)

// far reports whether so many games are unjudged that the source should not be asked for more.
func (c *conductor) far() bool {
	d, ok := c.source.(Decider)
	if !ok || c.inFlight == 0 {
		return false
	}
	ahead, judged := d.Ahead()
	return ahead >= max(leastAhead, judged) && ahead >= int64(eachAhead*c.pool.Workers())
}

// giveBack returns tasks that were not handed out to the source.
func (c *conductor) giveBack(batch []Task) {
	for _, t := range append(batch, c.queue...) {
		c.source.Requeue(t.Slot)
	}
	c.queue = nil
}

// desertedEvery is the interval at which a run that is stopping checks whether the pool still has workers.
const desertedEvery = 100 * time.Millisecond

// feed hands out tasks until there are none, ctx ends or a game fails. It then hands out the second games of pairs
// in progress if a worker can play them. If no worker can, the result ok is false.
func (c *conductor) feed(ctx, playing context.Context, tasks chan<- []Task, results <-chan []Result) (ok bool) {
	var batch []Task
	soft, stopping := ctx.Done(), false
	var look <-chan time.Time
	for {
		if len(batch) == 0 {
			batch = c.next(stopping)
		}
		if len(batch) == 0 && c.inFlight == 0 {
			return true
		}
		var out chan<- []Task
		if len(batch) > 0 {
			out = tasks
		}
		select {
		case out <- batch:
			c.inFlight += len(batch)
			c.given += int64(len(batch))
			batch = nil
		case rs := <-results:
			c.inFlight -= len(rs)
			c.take(rs)
		case <-soft:
			soft, stopping = nil, true
			c.giveBack(batch)
			batch = nil
			if _, may := c.pool.(Deserter); may {
				tick := time.NewTicker(desertedEvery)
				defer tick.Stop()
				look = tick.C
			}
		case <-look:
			if c.pool.(Deserter).Deserted() {
				return false
			}
		case <-playing.Done():
			return true
		}
	}
}

// take passes finished games to the source and to the function file.
func (c *conductor) take(rs []Result) {
	filed := make([]Filed, 0, len(rs))
	for i := range rs {
		r := &rs[i]
		if f := c.source.Done(r); f.OK {
			filed = append(filed, f)
		}
		for side, spent := range r.Spent {
			key := cost{r.Rules, r.Specs[side]}
			if was, ok := c.costs[key]; ok {
				spent = (7*was + spent) / 8
			}
			c.costs[key] = spent
		}
	}
	if len(filed) > 0 {
		c.file(filed)
	}
}
