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
	"spar/configs/strict"
	"spar/engines"
)

// Purposes of the events of a tuning. Package evidence recognises those of the search by their first word.
const (
	purposeTraining   = "tuning"
	purposeCheck      = "tuning check"
	purposeValidation = evidence.PurposeValidation
)

// ErrMissing means that the study does not hold all games of a tuning that should be finished.
var ErrMissing = errors.New("the study does not hold all games of this tuning")

// ErrStudy means that a study cannot take the games of a tuning, for example because it holds other rules of the same
// name.
const ErrStudy = strict.Mistake("wrong study")

var errOtherPlan = errors.New("with another plan")

// seedOf derives the seed for one purpose: two purposes share no random numbers.
func seedOf(master int64, purpose string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", master, purpose) // a hash never fails
	return engines.Scatter(h.Sum64())
}

// matchRunner plays matches and stores their games as one event of a study. Games are numbered in the order in
// which matches are requested; a game that is already stored is not played again.
type matchRunner struct {
	t       *Tuning
	db      *store.DB     // nil: only stored games are used
	runner  *arena.Runner // nil: only stored games are used
	judge   evidence.Judge
	event   int64
	rules   int64
	purpose string
	seed    int64
	book    *openingSet
	stored  map[int64]study.Game
	next    int64 // number that the next game gets
	played  int64 // games played in this run
	show    func(done int64)
}

// stopped converts the error of a run. If the context ended, it returns how many games the match runners
// completed; otherwise it returns the error.
func stopped(ctx context.Context, err error, total int, runners ...*matchRunner) error {
	e := arena.StoppedError{Total: int64(total)}
	for _, r := range runners {
		if r != nil {
			e.Before += int64(len(r.stored))
			e.Played += r.played
		}
	}
	return arena.Stopped(ctx, err, e)
}

// match is a match to play: pairs of games between two agents, or single games of an agent against itself.
type match struct {
	a, b    agents.Spec
	opening int64 // index of the first pair's opening
	pairs   int
	single  bool // one game per pair, in which a moves first
	// decided stops the match early. It receives the pairs in order, from 0, and returns true for the pair that
	// decides the match. Later pairs are not played; those that are already played are no part of the result. Nil
	// plays all pairs. A match with decided must be the only one of its call.
	decided func(pair int, a, b game) bool
}

// matchResult is the result of a match.
type matchResult struct {
	games []game // in the order of play; a and b move first in turn
	// numbers of pairs in which a scored 0, 1/2, 1, 3/2 and 2 points, without repeated pairs; empty for single
	// games
	counts [5]float64
	score  float64 // mean score of a per game
}

// game is a finished game.
type game struct {
	score   float64 // score of the first player
	moves   string
	opening int // number of plies of the opening
	// repeats means that the game has the same moves as an earlier one, so it adds no information. It is never set
	// in training, where the search compares candidates by all games they play.
	repeats bool
}

// newMatchRunner opens an event of a study. It refuses a study that holds an event of that name with another plan.
func (t *Tuning) newMatchRunner(ctx context.Context, db *store.DB, name, purpose, plan string, play bool) (*matchRunner,
	error,
) {
	m := &matchRunner{
		t:       t,
		purpose: purpose,
		seed:    int64(seedOf(t.Seed, purpose) >> 1),
		stored:  map[int64]study.Game{},
		book:    t.openings(seedOf(t.Seed, "openings"), false),
		show:    func(int64) {},
	}
	e := study.Event{
		Name:    name,
		Purpose: purpose,
		Plan:    plan,
		Seed:    t.Seed,
		Build:   study.ThisBuild(),
	}
	var err error
	if m.event, err = findEvent(ctx, db, e); err != nil && !play {
		return nil, err
	}
	if play {
		// An event of that name comes first, because its plan may differ. Otherwise the rules come first, so that a
		// study with others of that name is refused before anything is written.
		begin := func() (err error) {
			e, err = db.BeginEvent(ctx, e)
			m.event = e.ID
			return err
		}
		known := err == nil || errors.Is(err, errOtherPlan)
		if known {
			if err := begin(); err != nil {
				return nil, err
			}
		}
		if m.rules, err = db.RulesID(ctx, t.Label, t.Game.RulesHash(), t.Game.Rules().Canonical()); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrStudy, err)
		}
		if !known {
			if err := begin(); err != nil {
				return nil, err
			}
		}
		m.db, m.runner = db, arena.NewRunner(t.Assets, t.Pool, t.Workers).Keep(keptAgents)
		m.runner.Assets.AddRules(t.Game)
	}
	for g, err := range db.Finished(ctx, m.event) {
		if err != nil {
			return nil, err
		}
		m.stored[g.Number] = g
	}
	return m, nil
}

// findEvent returns the id of an event without creating it.
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

// keptAgents is the number of agents that each worker keeps, enough for a comparison. Candidates do not occur again.
const keptAgents = 8

// play finishes matches, on all workers, and returns their results in order. When the context ends, play stores the
// games in flight and returns the error of the context.
func (m *matchRunner) play(ctx context.Context, asked ...match) ([]matchResult, error) {
	out := make([]matchResult, len(asked))
	s := &matchSource{m: m}
	for i, a := range asked {
		if a.decided != nil {
			s.decided = a.decided
		}
		per := 2
		if a.single {
			per = 1
		}
		out[i].games = make([]game, a.pairs*per)
		for k := range out[i].games {
			if k%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			g := scheduled{
				at:      &out[i].games[k],
				number:  m.next,
				pair:    m.next / int64(per),
				opening: a.opening + int64(k/per),
				seats:   [2]agents.Spec{a.a, a.b},
			}
			if k%per == 1 {
				g.seats = [2]agents.Spec{a.b, a.a}
			}
			m.next++
			if old, ok := m.stored[g.number]; ok {
				if old.Opening != g.opening || old.Seed != m.seed {
					return nil, fmt.Errorf("game %d of %s differs from the game that this tuning plans: use a new study (--db)",
						old.ID, m.t.Database)
				}
				g.outcome, _ = engines.ParseResult(old.Result)
				g.ids = [2]int64{old.First, old.Second}
				g.hash = old.Hash
				g.timed = old.Timed
				g.was = old.Marks
				*g.at = game{score: g.outcome.Score(engines.First), moves: old.Moves, opening: old.OpeningPlies}
			} else {
				s.left++
			}
			s.games = append(s.games, g)
		}
	}
	if err := m.finish(ctx, s); err != nil {
		return nil, err
	}
	if s.over {
		out[0].games = out[0].games[:s.last+1]
	}
	for i := range out {
		out[i].count(asked[i].single)
	}
	return out, nil
}

// count counts the results of a match from a's view.
func (r *matchResult) count(single bool) {
	total, n := 0.0, 0
	for k, g := range r.games {
		points := g.score
		if !single && k%2 == 1 {
			points = 1 - g.score
			if first := r.games[k-1]; !first.repeats && !g.repeats {
				r.counts[int(2*(first.score+points))]++
			}
		}
		if !g.repeats {
			total += points
			n++
		}
	}
	r.score = total / float64(max(1, n))
}

// finish plays the remaining games of a source, stores each, and decides what each counts for.
func (m *matchRunner) finish(ctx context.Context, s *matchSource) error {
	s.advance()
	if s.left == 0 || s.over {
		rest := s.Rest()
		if len(rest.Marked) > 0 { // a crash came before these marks were stored
			return m.db.Commit(context.WithoutCancel(ctx), nil, rest.Marked, m.event)
		}
		return nil
	}
	if m.db == nil {
		return fmt.Errorf("%w: games of %q are missing", ErrMissing, m.purpose)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	calm := context.WithoutCancel(ctx)
	if err := m.enter(calm, s.games); err != nil {
		return err
	}
	s.equip()
	var distrust *arena.Distrust
	_, err := m.runner.Conduct(ctx, calm, s, m.db, arena.Conducting{Event: m.event, Name: m.purpose})
	switch {
	case s.failed != nil:
		return s.failed
	case errors.As(err, &distrust):
		return m.supersede(calm, distrust)
	case err != nil:
		return err
	case s.left > 0 && !s.over:
		return ctx.Err()
	}
	return nil
}

// enter stores the agents of the coming games in the study.
func (m *matchRunner) enter(ctx context.Context, games []scheduled) error {
	ids := map[string]int64{}
	for i := range games {
		if games[i].outcome != engines.Ongoing {
			continue
		}
		for side, s := range games[i].seats {
			id, ok := ids[s.Name]
			if !ok {
				var err error
				if id, err = m.db.AgentID(ctx, s.Name, s.Canonical()); err != nil {
					return err
				}
				ids[s.Name] = id
			}
			games[i].ids[side] = id
		}
	}
	return nil
}

// close releases the workers' resources.
func (m *matchRunner) close() {
	if m.runner != nil {
		m.runner.Close()
	}
}

// scheduled is a game that a match needs.
type scheduled struct {
	at            *game // the game with its place in the schedule
	number        int64
	pair, opening int64
	seats         [2]agents.Spec
	ids           [2]int64 // ids of the two agents in the study
	handed        bool     // the game was given to a worker
	outcome       engines.Result
	hash          int64
	timed         bool
	was           evidence.Marks // marks as they are in the store
}

// matchSource is the arena.Source of some matches. It processes games in order of their numbers, so that
// repetitions and the end of a sequential test do not depend on the workers.
type matchSource struct {
	m        *matchRunner
	decided  func(pair int, a, b game) bool // the match's decided function
	over     bool                           // the match has been decided
	last     int                            // index of the game that decided it
	games    []scheduled                    // with consecutive numbers
	entrants map[string]arena.Entrant
	left     int // number of unfinished games
	next     int // index of the next game to give to a worker
	judged   int // number of games, from the first one, that have been processed
	marked   []study.Marked
	failed   error
}

// equip gives the pool the agents of the matches and removes earlier ones.
func (s *matchSource) equip() {
	s.m.runner.Assets.ForgetAgents()
	s.entrants = map[string]arena.Entrant{}
	for i := range s.games {
		for _, spec := range s.games[i].seats {
			if _, ok := s.entrants[spec.Name]; !ok {
				s.entrants[spec.Name] = s.m.runner.Assets.Entrant(spec, s.m.t.Game, s.m.t.Budget)
			}
		}
	}
}

// Next returns games that are not stored. If stopping is true, it returns none, because a search plays an interrupted
// batch again as a whole.
func (s *matchSource) Next(n int, stopping bool) []arena.Task {
	var out []arena.Task
	for ; s.next < len(s.games) && len(out) < n && s.failed == nil && !stopping && !s.over; s.next++ {
		g := &s.games[s.next]
		if g.handed || g.outcome != engines.Ongoing {
			continue
		}
		g.handed = true
		out = append(out, arena.NewTask(s.m.t.Game, arena.Slot{Event: s.m.event, Number: g.number},
			[2]arena.Entrant{s.entrants[g.seats[0].Name], s.entrants[g.seats[1].Name]},
			s.m.book.opening(g.opening), s.m.seed, uint64(g.number)))
	}
	return out
}

func (s *matchSource) index(slot arena.Slot) int { return int(slot.Number - s.games[0].number) }

// Requeue takes back a game that a worker did not play.
func (s *matchSource) Requeue(slot arena.Slot) {
	i := s.index(slot)
	s.games[i].handed = false
	s.next = min(s.next, i)
}

// Done takes a finished game. An agent that fails ends the tuning: otherwise the search would blame its weights.
func (s *matchSource) Done(r *arena.Result) arena.Filed {
	g := &s.games[s.index(r.Slot)]
	if !g.handed || g.outcome != engines.Ongoing {
		return arena.Filed{}
	}
	if r.Faulty != 0 {
		s.failed = errors.Join(s.failed, fmt.Errorf("game %d (%s): %s", r.Number, s.m.t.Label, r.Detail))
		return arena.Filed{}
	}
	*g.at = game{score: r.Outcome.Score(engines.First), moves: r.Moves, opening: r.OpeningPlies}
	g.outcome = r.Outcome
	g.hash = r.Hash
	g.timed = r.Timed
	g.was = evidence.Pending
	s.left--
	s.m.played++
	if s.over {
		s.mark(g)
	} else {
		s.advance()
	}
	s.m.show(s.m.next - int64(s.left))
	row := r.Row(s.m.rules, g.ids[0], g.ids[1], g.pair, g.opening, s.m.seed)
	row.Marks = evidence.Pending
	f := s.Rest()
	f.OK, f.Game = true, row
	return f
}

// Rest returns the games whose marks have changed since the last call.
func (s *matchSource) Rest() arena.Filed {
	f := arena.Filed{Marked: s.marked}
	s.marked = nil
	return f
}

// advance processes the next games in order, as far as they are finished. After a game decides the match, it
// processes all other finished games as surplus.
func (s *matchSource) advance() {
	for ; s.judged < len(s.games) && !s.over && s.games[s.judged].outcome != engines.Ongoing; s.judged++ {
		g := &s.games[s.judged]
		s.mark(g)
		if s.decided != nil && s.judged%2 == 1 && s.decided(s.judged/2, *s.games[s.judged-1].at, *g.at) {
			s.over, s.last = true, s.judged
		}
	}
	for ; s.over && s.judged < len(s.games); s.judged++ {
		if g := &s.games[s.judged]; g.outcome != engines.Ongoing {
			s.mark(g)
		}
	}
}

// mark decides what a finished game counts for.
func (s *matchSource) mark(g *scheduled) {
	f := evidence.Facts{
		Purpose: s.m.purpose,
		Rules:   s.m.rules,
		First:   g.ids[0],
		Second:  g.ids[1],
		Hash:    g.hash,
		Timed:   g.timed,
		Certain: g.seats[0].Deterministic() && g.seats[1].Deterministic(),
	}
	if s.over {
		f.Given = evidence.Surplus
	}
	marks := s.m.judge.Mark(f)
	g.at.repeats = marks&evidence.Repeated != 0
	if marks != g.was && s.m.db != nil {
		s.marked = append(s.marked, study.Marked{Number: g.number, Marks: marks})
	}
	g.was = marks
}
