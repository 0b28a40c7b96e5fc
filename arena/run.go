package arena

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/arena/store"
	"spar/engines"
)

// Progress is told about a run as it goes. Its methods are called by one goroutine.
type Progress interface {
	Begin(total, done int64)
	Game(r *Record)
	End()
}

// Summary is what a run did.
type Summary struct {
	Total  int64 // games of the whole schedule
	Before int64 // of them stored before this run
	Played int64 // played and stored by this run
	Wall   time.Duration
}

// Run plays what the store does not hold yet and stores it. When the context ends, the games in flight are finished and
// stored; a second context, hard, ends those too. Limit stops after that many games; 0 means no limit.
func Run(ctx, hard context.Context, t *Tournament, db *store.DB, limit int64, progress Progress) (Summary, error) {
	began := time.Now()
	sum := Summary{}
	e, err := newEvent(hard, t, db)
	if err != nil {
		return sum, err
	}
	schedule := NewSchedule(t)
	sum.Total = schedule.Len()
	stored := make([]bool, sum.Total)
	for g, err := range db.Finished(hard, e.id) {
		if err != nil {
			return sum, err
		}
		if g.Number < 0 || g.Number >= sum.Total {
			return sum, fmt.Errorf("%s: game %d is not in the schedule of %d games", db.Path(), g.Number, sum.Total)
		}
		stored[g.Number] = true
		sum.Before++
	}
	progress.Begin(sum.Total, sum.Before)
	defer progress.End()

	workers := t.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	jobs := make(chan Job)
	records := make(chan Record, 4*workers)
	group, hard := errgroup.WithContext(hard)
	group.Go(func() error { // hands out what is missing, in order
		defer close(jobs)
		given := int64(0)
		for n := range sum.Total {
			if stored[n] {
				continue
			}
			if limit > 0 && given == limit {
				return nil
			}
			given++
			select {
			case jobs <- schedule.Job(n):
			case <-ctx.Done():
				return nil
			case <-hard.Done():
				return nil
			}
		}
		return nil
	})
	players, playing := errgroup.WithContext(hard)
	for range workers {
		players.Go(func() error {
			w := newWorker(t)
			defer w.close()
			for job := range jobs {
				r, err := w.play(playing, job)
				if err != nil {
					return err
				}
				records <- r
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(records)
		return players.Wait()
	})
	writer := db.NewWriter()
	var failed error
	for r := range records {
		if failed != nil {
			continue // let the games in flight finish
		}
		if failed = writer.Add(context.WithoutCancel(hard), e.row(t, &r), time.Now()); failed != nil {
			stop() // what cannot be stored need not be played
			continue
		}
		sum.Played++
		progress.Game(&r)
	}
	failed = errors.Join(failed, writer.Flush(context.WithoutCancel(hard)))
	sum.Wall = time.Since(began)
	return sum, errors.Join(failed, ignoreCancel(group.Wait()))
}

func ignoreCancel(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
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
	stored, err := db.BeginEvent(ctx, store.Event{Name: t.Name, Purpose: "tournament", Plan: plan, Seed: t.Seed})
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

func (e *event) row(t *Tournament, r *Record) store.Game {
	text := make([]byte, 0, 3*len(r.Moves))
	for i, m := range r.Moves {
		if i > 0 {
			text = append(text, ' ')
		}
		text = append(text, m...)
	}
	return store.Game{
		Event: e.id, Number: r.Number, Rules: e.rules[r.Rules], First: e.players[r.First], Second: e.players[r.Second],
		Pair: r.Pair, Opening: r.Opening, OpeningPlies: r.OpeningPlies, Seed: r.Seed, Moves: string(text),
		Result: r.Result.String(), Reason: r.Reason, Detail: r.Detail, Plies: r.Plies,
		FirstMS: float64(r.Spent[0].Microseconds()) / 1000, SecondMS: float64(r.Spent[1].Microseconds()) / 1000,
		FirstNodes: r.Nodes[0], SecondNodes: r.Nodes[1], Hash: r.Hash(t.Rules[r.Rules].RulesHash()), Timed: r.Timed,
	}
}

// worker plays games one after the other with agents of its own.
type worker struct {
	t     *Tournament
	books []openingBook
	seats map[[3]int]agents.Agent // by rules, player, side
}

func newWorker(t *Tournament) *worker {
	w := &worker{t: t, seats: map[[3]int]agents.Agent{}}
	for i, g := range t.Rules {
		w.books = append(w.books, openingBook{game: g, plies: t.Openings.Plies, seed: t.Seed + int64(i)})
	}
	return w
}

func (w *worker) seat(rules, player, side int) (Seat, error) {
	spec := w.t.Players[player]
	s := Seat{Name: spec.Name, Budget: spec.Budget.Or(w.t.Budget)}
	key := [3]int{rules, player, side}
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
	var seats [2]Seat
	for side, player := range []int{job.First, job.Second} {
		var err error
		if seats[side], err = w.seat(job.Rules, player, side); err != nil {
			return Record{}, err
		}
	}
	return Play(ctx, w.t.Rules[job.Rules], job, w.books[job.Rules].opening(job.Opening), seats, w.t.Seed, nil)
}

func (w *worker) close() {
	for _, a := range w.seats {
		if c, ok := a.(agents.Closer); ok {
			_ = c.Close() // the games are over; nothing depends on it
		}
	}
}

// Verify replays a stored game and tells what does not agree with its row.
func Verify(g *engines.Game, row store.Game) error {
	p, err := replayRecord(g, fields(row.Moves))
	switch {
	case err != nil:
		return fmt.Errorf("game %d: %w", row.ID, err)
	case p.Ply() != row.Plies:
		return fmt.Errorf("game %d: %d plies replay, the row says %d", row.ID, p.Ply(), row.Plies)
	case p.Over() && (p.Result().String() != row.Result || p.Reason().String() != row.Reason):
		return fmt.Errorf("game %d: replays to %s by %s, the row says %s by %s", row.ID, p.Result(), p.Reason(), row.Result, row.Reason)
	case !p.Over() && engineReason(row.Reason):
		return fmt.Errorf("game %d: goes on after its last move, the row says %s by %s", row.ID, row.Result, row.Reason)
	}
	return nil
}
