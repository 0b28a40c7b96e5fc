package arena

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
	"spar/engines/solve"
)

// Progress is told about a run as it goes. Its methods are called by one goroutine.
type Progress interface {
	Begin(total int64, exact bool, done int64)
	Game(t *Tournament, r *Record)
	End()
}

// Summary is what a run did.
type Summary struct {
	Total     int64 // games of the whole schedule; the most there may be unless Exact
	Exact     bool
	Before    int64 // games stored before this run
	Played    int64 // played and stored by this run
	Finished  bool
	Why       string // why the tournament is finished
	Withdrawn []string
	Faults    int64
	Wall      time.Duration
}

// Run plays what the store does not hold yet and stores it. When the context ends, the pairs begun are finished and stored; a
// second context, hard, ends the games in flight too. Limit stops after that many games; 0 means no limit.
func Run(ctx, hard context.Context, t *Tournament, db *store.DB, limit int64, progress Progress) (Summary, error) {
	began := time.Now()
	var sum Summary
	unlock, err := db.Lock()
	if err != nil {
		return sum, err
	}
	defer unlock()
	e, err := newEvent(hard, t, db)
	if err != nil {
		return sum, err
	}
	s := NewScheduler(t)
	sum.Total, sum.Exact = s.Total()
	for g, err := range db.Finished(hard, e.id) {
		if err != nil {
			return sum, err
		}
		result, faulty, err := storedResult(g)
		if err != nil {
			return sum, err
		}
		s.Restore(g.Number, result, faulty)
		sum.Before++
	}
	if t.Stop.Minutes > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(t.Stop.Minutes*float64(time.Minute)))
		defer cancel()
	}
	progress.Begin(sum.Total, sum.Exact, sum.Before)
	defer progress.End()
	c := &coordinator{t: t, s: s, e: e, writer: db.NewWriter(), progress: progress, limit: limit, sum: &sum}
	err = c.run(ctx, hard)
	sum.Why, sum.Finished = s.Finished()
	sum.Withdrawn = s.Withdrawn()
	if n, extra := s.Unknown(); err == nil && sum.Finished && extra {
		err = fmt.Errorf("%s holds game %d, which is not in the schedule of this plan", db.Path(), n)
	}
	sum.Wall = time.Since(began)
	return sum, err
}

// coordinator hands out jobs and stores records; it alone talks to the scheduler, the store and the progress.
type coordinator struct {
	t        *Tournament
	s        *Scheduler
	e        *event
	writer   *store.Writer
	progress Progress
	limit    int64
	sum      *Summary
}

func (c *coordinator) run(ctx, hard context.Context) error {
	workers := c.t.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	jobs, records := make(chan Job, workers), make(chan Record, 4*workers)
	group, playing := errgroup.WithContext(hard)
	shared, err := c.t.prepare(hard)
	if err != nil {
		return err
	}
	defer shared.close()
	for range workers {
		group.Go(func() error {
			w := &worker{t: c.t, shared: shared, seats: map[seatKey]agents.Agent{}}
			defer w.close()
			for job := range jobs {
				r, err := w.play(playing, job)
				if err != nil {
					return err
				}
				select {
				case records <- r:
				case <-playing.Done():
					return playing.Err()
				}
			}
			return nil
		})
	}
	failed := c.feed(ctx, playing, jobs, records)
	close(jobs)
	finished := make(chan error, 1)
	go func() { finished <- group.Wait() }()
	for {
		select {
		case r := <-records: // what was in flight when feeding ended early
			if failed == nil {
				failed = c.take(playing, &r)
			}
			continue
		case err := <-finished:
			for len(records) > 0 {
				r := <-records
				if failed == nil {
					failed = c.take(hard, &r)
				}
			}
			if errors.Is(err, context.Canceled) {
				err = nil
			}
			return errors.Join(failed, err, c.writer.Flush(context.WithoutCancel(hard)))
		}
	}
}

// feed hands out jobs until there are none, the context ends or something fails. A pair that has been begun is finished.
func (c *coordinator) feed(ctx, playing context.Context, jobs chan<- Job, records <-chan Record) error {
	var job Job
	have, halfPair := false, false
	inFlight, given := 0, int64(0)
	soft := ctx.Done()
	stopping := false
	for {
		if !have && (!stopping || halfPair) && (c.limit == 0 || given < c.limit) {
			job, have = c.s.Next()
			if have && stopping && job.Number%2 == 0 { // the half pair's other game was stored before
				have, halfPair = false, false
			}
		}
		if !have && inFlight == 0 {
			return nil
		}
		var out chan<- Job
		if have {
			out = jobs
		}
		select {
		case out <- job:
			inFlight++
			given++
			have, halfPair = false, job.Number%2 == 0
		case r := <-records:
			inFlight--
			if err := c.take(playing, &r); err != nil {
				return err
			}
		case <-soft:
			soft, stopping = nil, true
			if have && job.Number%2 == 0 {
				have = false
			}
		case <-playing.Done():
			return nil
		}
	}
}

// take stores a finished game.
func (c *coordinator) take(ctx context.Context, r *Record) error {
	if err := c.writer.Add(context.WithoutCancel(ctx), c.e.row(c.t, r), time.Now()); err != nil {
		return err
	}
	c.s.Done(r.Number, r.Result, r.Faulty)
	c.sum.Played++
	if r.Faulty != 0 {
		c.sum.Faults++
	}
	c.progress.Game(c.t, r)
	return nil
}

// storedResult reads back what the scheduler needs of a stored game.
func storedResult(g study.Game) (engines.Result, int8, error) {
	r, ok := engines.ParseResult(g.Result)
	if !ok {
		return r, 0, fmt.Errorf("game %d has the result %q", g.ID, g.Result)
	}
	faulty := int8(0)
	if strings.HasPrefix(g.Reason, "forfeit_") {
		faulty = 2
		if r == engines.SecondWins {
			faulty = 1
		}
	}
	return r, faulty, nil
}

// event holds the row numbers of what a tournament's games refer to.
type event struct {
	id      int64
	rules   []int64
	players []int64
}

func newEvent(ctx context.Context, t *Tournament, db *store.DB) (*event, error) {
	plan, err := t.Canonical()
	if err != nil {
		return nil, err
	}
	purpose := t.Purpose
	if purpose == "" {
		purpose = "tournament"
	}
	stored, err := db.BeginEvent(ctx, study.Event{Name: t.Name, Purpose: purpose, Plan: plan, Seed: t.Seed})
	if err != nil {
		return nil, err
	}
	e := &event{id: stored.ID}
	for i, g := range t.Rules {
		id, err := db.RulesID(ctx, t.Labels[i], g.RulesHash(), g.Rules().Canonical())
		if err != nil {
			return nil, err
		}
		e.rules = append(e.rules, id)
	}
	for _, s := range t.Players {
		id, err := db.AgentID(ctx, s.Name, s.Canonical())
		if err != nil {
			return nil, err
		}
		e.players = append(e.players, id)
	}
	return e, nil
}

func (e *event) row(t *Tournament, r *Record) study.Game {
	return r.Row(t.Rules[r.Rules], e.id, e.rules[r.Rules], e.players[r.First], e.players[r.Second])
}

// shared is what the workers of a tournament have in common, by index of the rules.
type shared struct {
	books  []*Book
	tables []*solve.Table // of exact adjudication; nil where there is none
}

func (t *Tournament) prepare(ctx context.Context) (*shared, error) {
	tables, err := t.solvedTables(ctx)
	if err != nil {
		return nil, err
	}
	s := &shared{tables: tables}
	for i, g := range t.Rules {
		s.books = append(s.books, NewBook(g, t.Openings, t.Seed+int64(i)))
	}
	return s, nil
}

func (s *shared) close() {
	for _, t := range s.tables {
		if t != nil {
			_ = t.Close() // it was only read
		}
	}
}

// worker plays games one after the other with agents of its own.
type worker struct {
	*shared
	t     *Tournament
	seats map[seatKey]agents.Agent
}

// seatKey names an agent. One that plays itself is there twice, so that its sides share no memory.
type seatKey struct {
	rules, player int
	opposite      bool // the second player of a game of an agent against itself
}

// seat returns the worker's agent for a player.
func (w *worker) seat(key seatKey) (Seat, error) {
	rules, spec := key.rules, w.t.Players[key.player]
	s := Seat{Name: spec.Name, Budget: spec.Budget.Or(w.t.Budget)}
	if a, ok := w.seats[key]; ok {
		s.Agent = a
		return s, nil
	}
	a, err := agents.New(spec, w.t.Rules[rules])
	if err != nil {
		return s, fmt.Errorf("game %s: %w", w.t.Labels[rules], err)
	}
	w.seats[key], s.Agent = a, a
	return s, nil
}

func (w *worker) play(ctx context.Context, job Job) (Record, error) {
	w.restOthers(job)
	var seats [2]Seat
	for side, player := range []int{job.First, job.Second} {
		var err error
		key := seatKey{job.Rules, player, side == engines.Second && job.First == job.Second}
		if seats[side], err = w.seat(key); err != nil {
			return Record{}, err
		}
	}
	return Play(ctx, w.t.Rules[job.Rules], job, Conditions{
		Seed: w.t.Seed, Opening: w.books[job.Rules].Opening(job.Opening), Clock: w.t.Plan.Clock, GameLimit: w.t.gameLimit(job.Rules),
		Adjudge: w.t.Adjudge, Table: w.tables[job.Rules], Thoughts: w.t.Thoughts,
	}, seats)
}

// gameLimit is the rules' own clock, which counts where the plan has a clock too: other games must be repeatable.
func (t *Tournament) gameLimit(rules int) time.Duration {
	if t.Plan.Clock.Seconds == 0 {
		return 0
	}
	return time.Duration(t.Rules[rules].Rules().Clock.Seconds * float64(time.Second))
}

// restOthers ends the processes of agents that do not play in this game, so that a worker never keeps more than two.
func (w *worker) restOthers(job Job) {
	for key, a := range w.seats {
		s, ok := a.(agents.Sleeper)
		if ok && (key.rules != job.Rules || key.player != job.First && key.player != job.Second) {
			s.Sleep()
		}
	}
}

func (w *worker) close() {
	for _, a := range w.seats {
		if c, ok := a.(agents.Closer); ok {
			_ = c.Close() // the games are over; nothing depends on it
		}
	}
}
