package tuning

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"spar/agents"
	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/engines"
)

// Purposes of the events of a tuning, besides "validation". Evidence knows those of the search by their first word.
const (
	purposeTraining  = "tuning"
	purposeCheck     = "tuning check"
	purposeLandscape = "tuning landscape"
)

// ErrMissing says that a tuning that should be finished is not.
var ErrMissing = errors.New("the study does not hold all games of this tuning")

// ErrStudy says that a study cannot take the games of a tuning, as when it holds other rules of the same name.
var ErrStudy = errors.New("wrong study")

var errOtherPlan = errors.New("with another plan")

// seedOf derives the seed of everything that serves one purpose: purposes share no random numbers.
func seedOf(master int64, purpose string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", master, purpose) // a hash never fails
	return engines.Scatter(h.Sum64())
}

// hall plays the games that a search asks for, one after the other or side by side, and stores them as an event of a study.
// Games get numbers in the order in which they are asked for; a game whose number is stored is not played again.
type hall struct {
	t       *Tuning
	db      *store.DB     // nil: nothing may be played
	runner  *arena.Runner // nil: nothing may be played
	judge   evidence.Judge
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

// stopped says how far the work of halls has come where the context ended it.
func stopped(ctx context.Context, err error, total int, halls ...*hall) error {
	e := arena.StoppedError{Total: int64(total)}
	for _, h := range halls {
		if h != nil {
			e.Before, e.Played = e.Before+int64(len(h.stored)), e.Played+h.played
		}
	}
	return arena.Stopped(ctx, err, e)
}

// encounter is a match asked for: pairs of games between two agents, or single games of one with itself.
type encounter struct {
	a, b    agents.Spec
	opening int64
	pairs   int
	single  bool // one game a pair: a moves first
	// decided is told of pairs, in order from 0, and tells whether the last one has decided: those after it are not played, or are
	// surplus, and the outcome is that of none of them. Nil where all pairs are asked for. Such an encounter is asked for alone.
	decided func(pair int, a, b finished) bool
}

// outcome is a finished encounter.
type outcome struct {
	games  []finished // in order: a first, b first, a first, ...
	counts [5]float64 // pairs by a's points in halves; empty for single games, and without pairs that repeat earlier ones
	score  float64    // a's mean score a game
}

// finished is a game's result, from the first player's side, and its moves.
type finished struct {
	score   float64
	moves   string
	opening int
	// repeats tells that the game equals an earlier one and is no new information. Games of the training do not say so: there
	// the candidates are compared on whatever they play.
	repeats bool
}

// newHall opens an event of a study. A study that holds another plan of that name is refused.
func (t *Tuning) newHall(ctx context.Context, db *store.DB, name, purpose, plan string, play bool) (*hall, error) {
	h := &hall{t: t, purpose: purpose, seed: int64(seedOf(t.Seed, purpose) >> 1), stored: map[int64]study.Game{}, games: func(int64) {}}
	h.book = t.openings(seedOf(t.Seed, "openings"), false)
	e := study.Event{Name: name, Purpose: purpose, Plan: plan, Seed: t.Seed, Build: study.ThisBuild()}
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
		h.db, h.runner = db, arena.NewRunner(t.Assets, t.Pool, t.Workers).Keep(keptAgents)
		h.runner.Assets.AddRules(t.Game)
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

// keptAgents is how many agents each worker keeps: those of a comparison. Candidates do not come back.
const keptAgents = 8

// pending is a game asked for.
type pending struct {
	at            *finished
	number        int64
	pair, opening int64
	seats         [2]agents.Spec
	ids           [2]int64
	handed        bool
	outcome       engines.Result // Ongoing: to be played
	hash          int64
	timed         bool
	was           evidence.Marks // as stored
}

// play finishes encounters, on all workers, and returns their outcomes in order. When the context ends, the games in flight are
// finished and stored, and the error is that of the context.
func (h *hall) play(ctx context.Context, asked []encounter) ([]outcome, error) {
	out := make([]outcome, len(asked))
	w := &work{h: h}
	for i, e := range asked {
		if e.decided != nil {
			w.decided = e.decided
		}
		per := 2
		if e.single {
			per = 1
		}
		out[i].games = make([]finished, e.pairs*per)
		for k := range out[i].games {
			if k%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			g := pending{at: &out[i].games[k], number: h.next, pair: h.next / 2, opening: e.opening + int64(k/per), seats: [2]agents.Spec{e.a, e.b}}
			if per == 1 {
				g.pair = h.next
			}
			if k%per == 1 {
				g.seats = [2]agents.Spec{e.b, e.a}
			}
			h.next++
			if old, ok := h.stored[g.number]; ok {
				if old.Opening != g.opening || old.Seed != h.seed {
					return nil, fmt.Errorf("game %d of %s is not the one that this tuning plays at that place", old.ID, h.t.Database)
				}
				g.outcome, _ = engines.ParseResult(old.Result)
				g.ids, g.hash, g.timed, g.was = [2]int64{old.First, old.Second}, old.Hash, old.Timed, old.Marks
				*g.at = finished{score: g.outcome.Score(engines.First), moves: old.Moves, opening: old.OpeningPlies}
			} else {
				w.left++
			}
			w.games = append(w.games, g)
		}
	}
	if err := h.finish(ctx, w); err != nil {
		return nil, err
	}
	if w.over {
		out[0].games = out[0].games[:w.last+1]
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
	total, n := 0.0, 0
	for k, g := range o.games {
		points := g.score
		if !single && k%2 == 1 {
			points = 1 - g.score
			if first := o.games[k-1]; !first.repeats && !g.repeats {
				o.counts[int(2*(first.score+points))]++
			}
		}
		if !g.repeats {
			total += points
			n++
		}
	}
	o.score = total / float64(max(1, n))
}

// finish plays what is left of a work, stores each game, and judges all of them.
func (h *hall) finish(ctx context.Context, w *work) error {
	w.advance()
	if w.left == 0 || w.over {
		if rest := w.Rest(); len(rest.Marked) > 0 { // a crash has kept it from the study
			return h.db.Commit(context.WithoutCancel(ctx), nil, rest.Marked, h.event)
		}
		return nil
	}
	if h.db == nil {
		return fmt.Errorf("%w: games of %q are missing", ErrMissing, h.purpose)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	calm := context.WithoutCancel(ctx)
	if err := h.enter(calm, w.games); err != nil {
		return err
	}
	w.equip()
	var unsure *arena.Distrust
	_, err := h.runner.Conduct(ctx, calm, w, h.db, arena.Conducting{Event: h.event, Name: h.purpose})
	switch {
	case w.failed != nil:
		return w.failed
	case errors.As(err, &unsure):
		return h.supersede(calm, unsure)
	case err != nil:
		return err
	case w.left > 0 && !w.over:
		return ctx.Err()
	}
	return nil
}

// enter gives the agents of games to play their rows in the study.
func (h *hall) enter(ctx context.Context, games []pending) error {
	ids := map[string]int64{}
	for i := range games {
		if games[i].outcome != engines.Ongoing {
			continue
		}
		for side, s := range games[i].seats {
			id, ok := ids[s.Name]
			if !ok {
				var err error
				if id, err = h.db.AgentID(ctx, s.Name, s.Canonical()); err != nil {
					return err
				}
				ids[s.Name] = id
			}
			games[i].ids[side] = id
		}
	}
	return nil
}

// work is the source of the games of some encounters. The games are judged in order, so that repetitions and the end of a sequential test
// are the same whoever plays.
type work struct {
	h        *hall
	decided  func(pair int, a, b finished) bool // of the encounter, see there
	over     bool                               // it is
	last     int                                // the game that has decided
	games    []pending                          // with consecutive numbers
	entrants map[string]arena.Entrant
	left     int // games that are not finished
	next     int // games before this one have been handed out
	again    []int
	judged   int // games before this one have been judged
	marked   []study.Marked
	failed   error
}

// equip gives the pool the agents, in place of those of the work before.
func (w *work) equip() {
	w.h.runner.Assets.ForgetAgents()
	w.entrants = map[string]arena.Entrant{}
	for i := range w.games {
		for _, s := range w.games[i].seats {
			if _, ok := w.entrants[s.Name]; !ok {
				w.entrants[s.Name] = w.h.runner.Assets.Entrant(s, w.h.t.Game, w.h.t.Budget)
			}
		}
	}
}

// Next returns games that are not stored.
func (w *work) Next(n int, begun bool) []arena.Task {
	var out []arena.Task
	for len(out) < n && w.failed == nil {
		i, ok := w.pick(begun)
		if !ok {
			break
		}
		g := &w.games[i]
		g.handed = true
		out = append(out, arena.NewTask(w.h.t.Game, arena.Slot{Event: w.h.event, Number: g.number},
			[2]arena.Entrant{w.entrants[g.seats[0].Name], w.entrants[g.seats[1].Name]}, w.h.book.opening(g.opening), w.h.seed, uint64(g.number)))
	}
	return out
}

// pick returns the place of a game to hand out.
func (w *work) pick(begun bool) (int, bool) {
	if begun || w.over { // what is interrupted is not asked for again as a whole
		return 0, false
	}
	if n := len(w.again); n > 0 {
		i := w.again[n-1]
		w.again = w.again[:n-1]
		return i, true
	}
	for ; w.next < len(w.games); w.next++ {
		if w.games[w.next].outcome == engines.Ongoing {
			w.next++
			return w.next - 1, true
		}
	}
	return 0, false
}

func (w *work) place(s arena.Slot) int { return int(s.Number - w.games[0].number) }

// Requeue gives a game back.
func (w *work) Requeue(s arena.Slot) {
	i := w.place(s)
	w.games[i].handed = false
	w.again = append(w.again, i)
}

// Done takes a finished game. An agent that fails ends the tuning: its weights would be blamed for it.
func (w *work) Done(r *arena.Result) arena.Filed {
	g := &w.games[w.place(r.Slot)]
	if !g.handed || g.outcome != engines.Ongoing {
		return arena.Filed{}
	}
	if r.Faulty != 0 {
		w.failed = errors.Join(w.failed, fmt.Errorf("game %d (%s): %s", r.Number, w.h.t.Label, r.Detail))
		return arena.Filed{}
	}
	*g.at = finished{score: r.Outcome.Score(engines.First), moves: r.Moves, opening: r.OpeningPlies}
	g.outcome, g.hash, g.timed, g.was = r.Outcome, r.Hash, r.Timed, evidence.Pending
	w.left--
	w.h.played++
	if w.over {
		w.judge(g)
	} else {
		w.advance()
	}
	w.h.games(w.h.next - int64(w.left))
	row := r.Row(w.h.rules, g.ids[0], g.ids[1], g.pair, g.opening, w.h.seed)
	row.Marks = evidence.Pending
	f := arena.Filed{OK: true, Game: row, Marked: w.marked}
	w.marked = nil
	return f
}

// Rest is what has been judged since.
func (w *work) Rest() arena.Filed {
	f := arena.Filed{Marked: w.marked}
	w.marked = nil
	return f
}

// advance judges the games that are next in order, as far as they are finished. Those that are finished when one has decided are judged then.
func (w *work) advance() {
	for ; w.judged < len(w.games) && !w.over && w.games[w.judged].outcome != engines.Ongoing; w.judged++ {
		g := &w.games[w.judged]
		w.judge(g)
		if w.decided != nil && w.judged%2 == 1 && w.decided(w.judged/2, *w.games[w.judged-1].at, *g.at) {
			w.over, w.last = true, w.judged
		}
	}
	for ; w.over && w.judged < len(w.games); w.judged++ {
		if g := &w.games[w.judged]; g.outcome != engines.Ongoing {
			w.judge(g)
		}
	}
}

// judge says what a finished game counts for.
func (w *work) judge(g *pending) {
	f := evidence.Facts{
		Purpose: w.h.purpose, Rules: w.h.rules, First: g.ids[0], Second: g.ids[1], Hash: g.hash, Timed: g.timed,
		Certain: g.seats[0].Deterministic() && g.seats[1].Deterministic(),
	}
	if w.over {
		f.Given = evidence.Surplus
	}
	marks := w.h.judge.Mark(f)
	g.at.repeats = marks&evidence.Repeated != 0
	if marks != g.was && w.h.db != nil {
		w.marked = append(w.marked, study.Marked{Number: g.number, Marks: marks})
	}
	g.was = marks
}

// close ends what the workers hold.
func (h *hall) close() {
	if h.runner != nil {
		h.runner.Close()
	}
}
