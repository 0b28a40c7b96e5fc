package tuning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
)

// Purposes of the events of a tuning, besides "validation".
const (
	purposeTraining  = "tuning"
	purposeCheck     = "tuning check"
	purposeLandscape = "tuning landscape"
)

// Training tells whether games of an event with this purpose are those of a search, whose candidates are nobody that a rating
// would be about.
func Training(purpose string) bool {
	return purpose == purposeTraining || purpose == purposeCheck || purpose == purposeLandscape
}

// ErrStopped says that the context ended before the work was done; what was played is stored, and the same call goes on.
var ErrStopped = errors.New("stopped before the end; run the same command again to go on")

// ErrMissing says that a tuning that should be finished is not.
var ErrMissing = errors.New("the study does not hold all games of this tuning")

// ErrStudy says that a study cannot take the games of a tuning, as when it holds other rules of the same name.
var ErrStudy = errors.New("wrong study")

var errOtherPlan = errors.New("with another plan")

// seedOf derives the seed of everything that serves one purpose: purposes share no random numbers.
func seedOf(master int64, purpose string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", master, purpose) // a hash never fails
	x := h.Sum64()
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hall plays the games that a search asks for, one after the other or side by side, and stores them as an event of a study.
// Games get numbers in the order in which they are asked for; a game whose number is stored is not played again.
type hall struct {
	t       *Tuning
	db      *store.DB // nil: nothing may be played
	writer  *store.Writer
	event   int64
	rules   int64
	purpose string
	seed    int64
	book    *openings
	stored  map[int64]study.Game
	next    int64 // number of the next game
	played  int64 // games played, not found
	games   func(int64)
}

// encounter is a match asked for: pairs of games between two agents, or single games of one with itself.
type encounter struct {
	a, b    agents.Spec
	opening int64
	pairs   int
	single  bool // one game a pair: a moves first
}

// outcome is a finished encounter.
type outcome struct {
	games  []finished // in order: a first, b first, a first, ...
	counts [5]float64 // pairs by a's points in halves; empty for single games
	score  float64    // a's mean score a game
}

// finished is a game's result, from the first player's side, and its moves.
type finished struct {
	score   float64
	moves   string
	opening int
}

// newHall opens an event of a study. A study that holds another plan of that name is refused.
func (t *Tuning) newHall(ctx context.Context, db *store.DB, name, purpose, plan string, play bool) (*hall, error) {
	h := &hall{t: t, purpose: purpose, seed: int64(seedOf(t.Seed, purpose) >> 1), stored: map[int64]study.Game{}, games: func(int64) {}}
	h.book = t.openings(seedOf(t.Seed, "openings"), false)
	e := study.Event{Name: name, Purpose: purpose, Plan: plan, Seed: t.Seed}
	var err error
	if play {
		// The rules first: a study with others of that name is refused before anything is written. An event that is there
		// already is only compared.
		_, err = findEvent(ctx, db, e)
		if known := err == nil || errors.Is(err, errOtherPlan); known {
			if e, err = db.BeginEvent(ctx, e); err != nil {
				return nil, err
			}
		}
		if h.rules, err = db.RulesID(ctx, t.Label, t.Game.RulesHash(), t.Game.Rules().Canonical()); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrStudy, err)
		}
		if e.ID == 0 {
			if e, err = db.BeginEvent(ctx, e); err != nil {
				return nil, err
			}
		}
		h.db, h.writer = db, db.NewWriter()
	} else if e.ID, err = findEvent(ctx, db, e); err != nil {
		return nil, err
	}
	h.event = e.ID
	for g, err := range db.Finished(ctx, e.ID) {
		if err != nil {
			return nil, err
		}
		h.stored[g.Number] = g
	}
	return h, nil
}

// findEvent looks for an event without creating it.
func findEvent(ctx context.Context, db *store.DB, e study.Event) (int64, error) {
	all, err := db.Events(ctx)
	if err != nil {
		return 0, err
	}
	for _, old := range all {
		if old.Name != e.Name {
			continue
		}
		if old.Plan != e.Plan {
			return 0, fmt.Errorf("%w: %s holds %q %w", ErrMissing, db.Path(), e.Name, errOtherPlan)
		}
		return old.ID, nil
	}
	return 0, fmt.Errorf("%w: %s holds no %q", ErrMissing, db.Path(), e.Name)
}

// pending is a game to play.
type pending struct {
	at    *finished
	job   arena.Job
	seats [2]agents.Spec
	ids   [2]int64
}

// play finishes encounters, on all workers, and returns their outcomes in order. When the context ends, the games in flight are
// finished and stored, and the error is ErrStopped.
func (h *hall) play(ctx context.Context, asked []encounter) ([]outcome, error) {
	out := make([]outcome, len(asked))
	var todo []pending
	for i, e := range asked {
		per := 2
		if e.single {
			per = 1
		}
		out[i].games = make([]finished, e.pairs*per)
		for k := range out[i].games {
			g := pending{at: &out[i].games[k], seats: [2]agents.Spec{e.a, e.b}}
			pair := h.next / 2
			if per == 1 {
				pair = h.next
			}
			g.job = arena.Job{Number: h.next, Stream: uint64(h.next), First: 0, Second: 1, Pair: pair, Opening: e.opening + int64(k/per)}
			if k%per == 1 {
				g.seats = [2]agents.Spec{e.b, e.a}
			}
			h.next++
			old, ok := h.stored[g.job.Number]
			if !ok {
				todo = append(todo, g)
				continue
			}
			if old.Opening != g.job.Opening || old.Seed != h.seed {
				return nil, fmt.Errorf("game %d of %s is not the one that this tuning plays at that place", old.ID, h.t.Database)
			}
			*g.at = finished{score: resultScore(old.Result), moves: old.Moves, opening: old.OpeningPlies}
		}
	}
	if err := h.playAll(ctx, todo); err != nil {
		return nil, err
	}
	for i := range out {
		out[i].count(asked[i].single)
	}
	return out, nil
}

func resultScore(result string) float64 {
	switch result {
	case engines.FirstWins.String():
		return 1
	case engines.SecondWins.String():
		return 0
	}
	return 0.5
}

// count sums up from a's side.
func (o *outcome) count(single bool) {
	total := 0.0
	for k, g := range o.games {
		points := g.score
		if !single && k%2 == 1 {
			points = 1 - g.score
		}
		total += points
		if !single && k%2 == 1 {
			o.counts[int(2*(o.games[k-1].score+points))]++
		}
	}
	o.score = total / float64(len(o.games))
}

// playAll plays games in parallel and stores each as it ends.
func (h *hall) playAll(ctx context.Context, todo []pending) error {
	if len(todo) == 0 {
		return nil
	}
	if h.db == nil {
		return fmt.Errorf("%w: game %d of %q is missing", ErrMissing, todo[0].job.Number, h.purpose)
	}
	if ctx.Err() != nil {
		return ErrStopped
	}
	if err := h.enter(context.WithoutCancel(ctx), todo); err != nil {
		return err
	}
	group, playing := errgroup.WithContext(context.WithoutCancel(ctx))
	jobs, records := make(chan int), make(chan record)
	group.Go(func() error {
		defer close(jobs)
		for i := range todo {
			select {
			case jobs <- i:
			case <-ctx.Done(): // games in flight go on
				return nil
			case <-playing.Done():
				return nil
			}
		}
		return nil
	})
	for range cmp.Or(h.t.Workers, runtime.GOMAXPROCS(0)) {
		group.Go(func() error {
			for i := range jobs {
				r, err := h.game(playing, &todo[i])
				if err != nil {
					return err
				}
				records <- record{i, r}
			}
			return nil
		})
	}
	failed := make(chan error, 1)
	go func() {
		failed <- group.Wait()
		close(records)
	}()
	done := 0
	var unstored error
	for r := range records {
		if err := h.take(&todo[r.at], &r.Record); unstored == nil {
			unstored = err
		}
		done++
		h.games(h.next - int64(len(todo)-done))
	}
	if err := errors.Join(<-failed, unstored); err != nil {
		return err
	}
	if done < len(todo) {
		return ErrStopped
	}
	return nil
}

// record is a finished game and its place among those asked for.
type record struct {
	at int
	arena.Record
}

// take stores a finished game.
func (h *hall) take(g *pending, r *arena.Record) error {
	*g.at = finished{score: r.Result.Score(engines.First), moves: h.t.Game.JoinMoves(r.Moves), opening: r.OpeningPlies}
	h.played++
	return h.writer.Add(context.Background(), r.Row(h.t.Game, h.event, h.rules, g.ids[0], g.ids[1]), time.Now())
}

// enter gives the agents of games their rows in the study.
func (h *hall) enter(ctx context.Context, todo []pending) error {
	ids := map[string]int64{}
	for i := range todo {
		for side, s := range todo[i].seats {
			id, ok := ids[s.Name]
			if !ok {
				var err error
				if id, err = h.db.AgentID(ctx, s.Name, s.Canonical()); err != nil {
					return err
				}
				ids[s.Name] = id
			}
			todo[i].ids[side] = id
		}
	}
	return nil
}

// game plays one game. An agent that fails ends the tuning: its weights would be blamed for it.
func (h *hall) game(ctx context.Context, g *pending) (arena.Record, error) {
	var seats [2]arena.Seat
	for side, s := range g.seats {
		a, err := agents.New(s, h.t.Game)
		if err != nil {
			return arena.Record{}, err
		}
		if c, ok := a.(agents.Closer); ok {
			defer c.Close() //nolint:errcheck // the game is over; nothing depends on it
		}
		seats[side] = arena.Seat{Name: s.Name, Agent: a, Budget: s.Budget.Or(h.t.Budget)}
	}
	r, err := arena.Play(ctx, h.t.Game, g.job, arena.Conditions{Seed: h.seed, Opening: h.book.opening(g.job.Opening)}, seats)
	if err == nil && strings.HasPrefix(r.Reason, "forfeit") {
		err = fmt.Errorf("game %d (%s): %s", g.job.Number, h.t.Label, r.Detail)
	}
	return r, err
}

// close stores what is waiting.
func (h *hall) close() error {
	if h.writer == nil {
		return nil
	}
	return h.writer.Flush(context.Background())
}
