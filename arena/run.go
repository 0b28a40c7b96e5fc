package arena

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/agents/pace"
	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/study"
	"spar/engines"
)

// Study is the interface to a study's database that a run needs.
type Study interface {
	Committer
	Path() string
	// Lock prevents other processes from writing until the returned function is called.
	Lock() (func(), error)
	// BeginEvent finds or adds an event. A stored event must have the same plan.
	BeginEvent(ctx context.Context, e study.Event) (study.Event, error)
	// EndEvent stores the end of a run and adds its wall and processor times, in seconds.
	EndEvent(ctx context.Context, event int64, ended time.Time, wall, cpu float64) error
	RulesID(ctx context.Context, name, hash, canonical string) (int64, error)
	AgentID(ctx context.Context, name, spec string) (int64, error)
	// AddEffective stores an agent with every knob and weight that it has under the given rules.
	AddEffective(ctx context.Context, agent, rules int64, e study.Effective) error
	// Outcomes yields the stored games of an event by number, with only these fields: number, agents, result, reason,
	// hash, marks and whether the game was timed. It skips superseded games.
	Outcomes(ctx context.Context, event int64) iter.Seq2[study.Game, error]
	// Before yields, in order, those games of earlier events of which a later game may be a duplicate.
	Before(ctx context.Context, event int64) iter.Seq2[evidence.Facts, error]
	// JudgeAfter judges the games of later events again, if there are any, because games of this event may make
	// them repetitions.
	JudgeAfter(ctx context.Context, event int64) error
	// Supersede marks the games of a worker in all events as superseded, except those for which keep returns true. It
	// returns their number. Other games can then take their slots.
	Supersede(ctx context.Context, worker string, keep func(event, number int64) bool) (int64, error)
	// SupersedeFrom marks the games of an event from the given number on as superseded, whichever worker played them.
	// It returns their number.
	SupersedeFrom(ctx context.Context, event, number int64) (int64, error)
}

// Summary is the result of a run.
type Summary struct {
	Total      int64 // number of games in the whole schedule; an upper limit unless Exact
	Exact      bool
	Before     int64 // number of games stored before this run
	Played     int64 // number of games played and stored by this run
	Superseded int64 // number of stored games that were superseded because their worker is unreliable
	Finished   bool
	Why        string // the reason why the tournament is finished
	Withdrawn  []string
	Faults     int64
	Wall       time.Duration
}

// Options are the conditions of a run. They do not change the games.
type Options struct {
	Limit  int64      // stop after this many games; 0 = no limit
	Feed   *live.Feed // receives the events of the run; may be nil
	Assets *Assets    // rules, agents and nets that the pool needs; nil = the run makes its own
	Pool   Pool       // plays the games; nil = this process, with the plan's number of workers
	// Probed means that the agents' programs have been started once: see Tournament.Probe.
	Probed bool
}

// Run plays the games that the study does not have yet and stores them. When ctx ends, Run finishes and stores the
// pairs in progress; when hard ends, it stops those too. The summary is also valid if there is an error. It is
// empty if Run failed before it had read the study.
func Run(ctx, hard context.Context, t *Tournament, db Study, o Options) (Summary, error) {
	began, cpu := time.Now(), ProcessTime()
	var sum Summary
	unlock, err := db.Lock()
	if err != nil {
		return sum, err
	}
	defer unlock()
	runner := NewRunner(o.Assets, o.Pool, t.Workers)
	defer runner.Close()
	if runner.own != nil {
		runner.own.Show(o.Feed.Boards())
	}
	for _, g := range t.Rules { // before the first game: solving may fail
		if _, err := runner.Assets.Table(hard, g, t.Adjudge); err != nil {
			return sum, err
		}
	}
	s, event, err := sum.resume(ctx, hard, t, db, runner.Assets, math.MaxInt64)
	if err != nil {
		return sum, err
	}
	if !o.Probed && s.left() { // stored games need no agents
		if err := t.Probe(hard); err != nil {
			return sum, err
		}
	}
	limit := pace.Within(pace.Seconds(60 * t.Stop.Minutes))
	ctx, cancel := limit.Soft(ctx)
	defer cancel()
	kill, end := limit.Hard(hard) // games of slow agents may outlast the limit by far
	defer end()
	o.Feed.Publish(live.Event{
		Kind:  live.Begin,
		Run:   t.Name,
		Done:  sum.Before,
		Total: sum.Total,
		Exact: sum.Exact,
	})
	before := sum.Before
	newest := s.newest
	given := int64(0)
	for {
		var played int64
		played, err = runner.Conduct(ctx, kill, s, db, Conducting{
			Event: event, Name: t.Name, Feed: o.Feed, Limit: max(0, o.Limit-given),
		})
		sum.Played = sum.Before + played - before
		given += played
		var d *Distrust
		if !errors.As(err, &d) {
			break
		}
		// What that worker has played is played again, and every decision is made again, from the first game on.
		var again int64
		if again, err = t.supersede(context.WithoutCancel(hard), db, event, d); err != nil {
			return sum, errors.Join(d, err)
		}
		sum.Superseded += again
		if s, event, err = sum.resume(hard, hard, t, db, runner.Assets, newest); err != nil {
			return sum, err
		}
		o.Feed.Publish(live.Event{
			Kind: live.Barred,
			Run:  t.Name,
			Text: fmt.Sprintf("%v; %d of its games will be replayed", d,
				again),
			Done:  sum.Before,
			Total: sum.Total,
			Exact: sum.Exact,
		})
		if sum.Played = sum.Before - before; o.Limit > 0 && given >= o.Limit {
			break
		}
	}
	sum.Before = before
	if sum.Why, sum.Finished = s.Finished(); !sum.Finished && !s.left() { // a limit that was just enough
		sum.Why, sum.Finished = s.Finished()
	}
	sum.Faults, sum.Withdrawn = s.faults, s.Withdrawn()
	if n, extra := s.unknown(); err == nil && extra {
		err = fmt.Errorf("%s holds game %d, which the schedule of this plan does not contain", db.Path(), n)
	}
	sum.Wall = time.Since(began)
	calm := context.WithoutCancel(hard)
	if err == nil && sum.Played > 0 {
		err = errors.Join(db.JudgeAfter(calm, event), db.EndEvent(calm, event, time.Now(), sum.Wall.Seconds(),
			(ProcessTime()-cpu).Seconds()))
	}
	o.Feed.Publish(live.Event{
		Kind:  live.End,
		Run:   t.Name,
		Text:  sum.Why,
		Done:  sum.Before + sum.Played,
		Total: sum.Total,
		Exact: sum.Exact,
	})
	return sum, err
}

// resume makes the schedule and restores it from the study. Games stored after the given row belong to this run.
// If ctx ends, resume may return its error with an empty summary.
func (sum *Summary) resume(ctx, hard context.Context, t *Tournament, db Study, assets *Assets, after int64) (*Schedule,
	int64, error,
) {
	s := NewSchedule(t)
	event, err := s.enter(hard, db, assets)
	if err != nil {
		return nil, 0, err
	}
	sum.Total, sum.Exact = s.Total()
	if sum.Before, err = s.recall(ctx, hard, db, event, after); err != nil {
		*sum = Summary{} // how much is stored is not known
	}
	return s, event, err
}

// ErrStart is returned if an agent's program does not start. No games were played.
var ErrStart = errors.New("an agent cannot be started")

// Probe starts and ends the programs of all agents that have one. If one fails, it returns ErrStart with the
// reason. Agents that cannot play one of the games are errors, too.
func (t *Tournament) Probe(ctx context.Context) error {
	if err := agents.Fit(ctx, t.Rules, t.Players...); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for _, p := range t.Players {
		group.Go(func() error {
			err := agents.Probe(ctx, p)
			if err == nil || ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("%w: %w", ErrStart, err)
		})
	}
	return group.Wait()
}

// enter adds the tournament to the study, and gives the schedule the data that its tasks need.
func (s *Schedule) enter(ctx context.Context, db Study, assets *Assets) (int64, error) {
	t := s.t
	plan, err := t.Canonical()
	if err != nil {
		return 0, err
	}
	e := study.Event{
		Name:    t.Name,
		Purpose: t.purpose(),
		Plan:    plan,
		Seed:    t.Seed,
		Build:   study.ThisBuild(),
	}
	for _, p := range t.Players {
		p.Budget = p.Budget.Or(t.Budget) // who states none is another under another's
		for i, g := range t.Rules {
			text, hash := p.Effective(g)
			e.Effective = append(e.Effective, study.Effective{
				Agent: p.Name,
				Rules: t.Labels[i],
				Spec:  text,
				Hash:  hash,
			})
		}
	}
	effective := e.Effective
	if e, err = db.BeginEvent(ctx, e); err != nil {
		return 0, err
	}
	var rows ids
	for i, g := range t.Rules {
		id, err := db.RulesID(ctx, t.Labels[i], g.RulesHash(), g.Rules().Canonical())
		if err != nil {
			return 0, err
		}
		rows.rules = append(rows.rules, id)
	}
	for _, p := range t.Players {
		id, err := db.AgentID(ctx, p.Name, p.Canonical())
		if err != nil {
			return 0, err
		}
		rows.players = append(rows.players, id)
		for i := range t.Rules {
			if err := db.AddEffective(ctx, id, rows.rules[i], effective[i]); err != nil {
				return 0, err
			}
		}
		effective = effective[len(t.Rules):]
	}
	s.equip(assets, e.ID, rows)
	return e.ID, nil
}

// recall restores the schedule from the study and returns the number of games.
func (s *Schedule) recall(ctx, hard context.Context, db Study, event, after int64) (n int64, err error) {
	looked := 0
	ended := func(err error) error {
		if looked++; err == nil && looked%10_000 == 0 { // millions of games are abandoned, some are not
			return ctx.Err()
		}
		return err
	}
	for f, err := range db.Before(hard, event) {
		if err := ended(err); err != nil {
			return 0, err
		}
		s.judge.Mark(f)
	}
	for g, err := range db.Outcomes(hard, event) {
		if err := ended(err); err != nil {
			return n, err
		}
		stored, err := storedOf(&g, after)
		if err != nil {
			return n, err
		}
		s.stored = append(s.stored, stored)
		s.newest = max(s.newest, g.ID)
		n++
	}
	return n, nil
}

// storedOf returns the part of a game that a schedule needs. Games stored after the given row belong to this run.
func storedOf(g *study.Game, after int64) (storedGame, error) {
	outcome, ok := engines.ParseResult(g.Result)
	if !ok {
		return storedGame{}, fmt.Errorf("game %d has an unknown result %q", g.ID, g.Result)
	}
	return storedGame{g.Number, plays{g.Rules, g.First, g.Second, g.Opening}, played{
		outcome, evidence.Capped(g.Reason), evidence.Faulty(g.Result, g.Reason), g.Timed, g.Hash, g.Marks, g.ID > after,
	}}, nil
}

// Rest returns the marks and notes made since the last stored game.
func (s *Schedule) Rest() Filed {
	f := Filed{Marked: s.marked, Notes: s.notes}
	s.marked, s.notes = nil, nil
	return f
}

// supersede removes a worker's games from the study, except those confirmed by a replay. If the pairings depend on
// results, it also removes all games after the first of these, since other games may then get their numbers.
func (t *Tournament) supersede(ctx context.Context, db Study, event int64, d *Distrust) (int64, error) {
	first := int64(-1)
	n, err := db.Supersede(ctx, d.Worker, func(e, number int64) bool {
		keep := d.Tested(Slot{e, number})
		if !keep && e == event && (first < 0 || number < first) {
			first = number
		}
		return keep
	})
	if err != nil || first < 0 || t.Format != "swiss" {
		return n, err
	}
	later, err := db.SupersedeFrom(ctx, event, first)
	return n + later, err
}

// StoppedError is returned if an interrupt stopped a long computation. The games played so far are stored, and the same
// call continues the computation.
type StoppedError struct {
	Total  int64 // number of games of the whole computation, an upper limit
	Before int64 // number of games stored by earlier calls
	Played int64 // number of games played by this call
}

func (e *StoppedError) Error() string {
	of := ""
	if n := e.Before + e.Played; n < e.Total {
		of = fmt.Sprintf(" of at most %d", e.Total)
	}
	return fmt.Sprintf("stopped: %d%s games are stored; run the same command again to continue", e.Before+e.Played, of)
}

// Stopped returns e if err only says that ctx has ended, and otherwise err.
func Stopped(ctx context.Context, err error, e StoppedError) error {
	if err == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return err
	}
	return &e
}
