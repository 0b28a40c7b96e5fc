package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gonum.org/v1/gonum/floats"

	"spar/agents"
	"spar/agents/pace"
	"spar/arena"
	"spar/arena/live"
	"spar/arena/openings"
	"spar/arena/store"
)

// Status is the progress of studies.
type Status struct {
	Rules, Part string // the rules and the part that are being played
	Done, Total int64  // games played so far, and in total
	Share       float64
	Left        time.Duration // time left for playing; 0 if unknown
}

// Summary is the result of a run.
type Summary struct {
	Games      int64 // games of the whole study
	Before     int64 // games that were stored before this run
	Played     int64
	Faults     int64
	Superseded int64 // stored games that were superseded because their worker was unreliable
	Finished   bool  // the run ended normally; also true if the time was up (see Cut)
	Cut        bool  // the time was up before all games were played; another run plays the rest
	Wall       time.Duration
}

// Options are the conditions of a run. They do not change the games.
type Options struct {
	Workers int   // number of games at the same time; 0 = one for each core
	Limit   int64 // stop after this many games; 0 = no limit
	// Progress is called after each game. Calls do not overlap. It may be nil.
	Progress func(Status)
	// Feed receives the events of the run. May be nil.
	Feed *live.Feed
	// Assets and Pool determine where games are played; nil = in this process.
	Assets *arena.Assets
	Pool   arena.Pool
	// Time is the time limit of the whole command including the report. A fraction of it is for playing. Each part
	// gets a fraction of the remaining time.
	Time pace.Limit
	// Done is the work that the caller has done before, and Ahead the work that it will do afterwards. Progress
	// includes both.
	Done, Ahead Load
}

// Load is an amount of work: games, and the simulations that they cost.
type Load struct {
	Games int64
	Work  float64 // number of simulations
}

// Plus returns the sum of two loads.
func (l Load) Plus(o Load) Load { return Load{l.Games + o.Games, l.Work + o.Work} }

// LoadOf returns an upper bound on the work of parts.
func LoadOf(parts []*arena.Tournament) Load {
	var out Load
	for _, t := range parts {
		out = out.Plus(Load{PartGames(t), PartWork(t) * length(t)})
	}
	return out
}

// Run plays the studies one after the other, each part by part, and skips stored games. When ctx ends, Run finishes and
// stores the pairs in progress; when hard ends, it stops those too. A second call continues where the first stopped. It
// returns ErrOther if a study was started with different options.
func Run(ctx, hard context.Context, db *store.DB, cs []*Campaign, o Options) (Summary, error) {
	unlock, err := db.Lock() // of all parts, and of the plans before them
	if err != nil {
		return Summary{}, err
	}
	defer unlock()
	began := time.Now()
	if err := prepare(ctx, db, cs, o); err != nil {
		return Summary{}, err
	}
	o.Time = o.Time.Part(playShare)
	var parts []*arena.Tournament
	var after Load // of the parts: steps and inquiries
	for _, c := range cs {
		if err := c.begin(hard, db); err != nil {
			return Summary{}, err
		}
		parts = append(parts, c.Parts()...)
		after.Work += c.inquiryAhead().work * float64(c.Rules.Game.Cells())
	}
	if o.Feed == nil {
		o.Feed = live.NewFeed(time.Now)
	}
	before := int64(-1)
	for {
		m := &meter{began: time.Now(), tell: o.Progress, work: after.Work}
		detach := o.Feed.Attach(m.hear)
		sum, err := m.run(ctx, hard, db, parts, o)
		for _, c := range cs {
			if err == nil && sum.Finished && sum.Superseded == 0 {
				err = c.inquire(ctx, hard, db, o, &sum, m)
			}
		}
		detach()
		if before < 0 {
			before = sum.Before
		}
		// Where games of parts that were finished are missing again, everything is examined once more.
		if err == nil && sum.Superseded > 0 && ctx.Err() == nil && o.Limit == 0 {
			continue
		}
		sum.Played, sum.Before, sum.Wall = sum.Before+sum.Played-before, before, time.Since(began)
		return sum, err
	}
}

// RunParts plays tournaments one after the other. It reports their progress as that of a single run.
func RunParts(ctx, hard context.Context, db *store.DB, parts []*arena.Tournament, o Options) (Summary, error) {
	if o.Feed == nil {
		o.Feed = live.NewFeed(time.Now)
	}
	m := &meter{
		began:    time.Now(),
		tell:     o.Progress,
		done:     o.Done.Games,
		total:    o.Done.Games + o.Ahead.Games,
		finished: o.Done.Work,
		work:     o.Done.Work + o.Ahead.Work,
	}
	defer o.Feed.Attach(m.hear)()
	return m.run(ctx, hard, db, parts, o)
}

func (m *meter) run(ctx, hard context.Context, db *store.DB, parts []*arena.Tournament, o Options) (Summary, error) {
	var sum Summary
	for _, t := range parts {
		sum.Games, m.work = sum.Games+PartGames(t), m.work+PartWork(t)*length(t)
	}
	m.total, sum.Finished = m.total+sum.Games, true
	for _, t := range parts {
		if ctx.Err() != nil { // also where all that is left is stored: looking takes time, too
			sum.Finished = false
			break
		}
		s, cut, err := m.play(ctx, hard, t, db, o, &sum)
		if err != nil {
			return sum, err
		}
		if s.Finished { // it may have ended before all its games
			left := PartGames(t) - s.Before - s.Played
			sum.Games -= left
			m.total -= left
		}
		if !s.Finished && !cut {
			sum.Finished = false
			break
		}
	}
	sum.Wall = time.Since(m.began)
	return sum, nil
}

// play plays a part and adds its games to sum; it plays none if sum has reached the limit on games. It stops the part
// when its fraction of the time is over (cut); that fraction is proportional to the work.
func (m *meter) play(ctx, hard context.Context, t *arena.Tournament, db *store.DB, o Options,
	sum *Summary,
) (s arena.Summary, cut bool, err error) {
	limit := int64(0)
	if o.Limit > 0 {
		if limit = o.Limit - sum.Played; limit <= 0 {
			return s, false, nil
		}
	}
	t.Workers = o.Workers
	m.part(t)
	left := o.Time.Part(min(1, m.ofPart/max(m.work-m.finished, m.ofPart, 1)))
	soft, end := left.Soft(ctx)
	defer end()
	firm, over := left.Hard(hard)
	defer over()
	s, err = arena.Run(soft, firm, t, db, arena.Options{
		Limit:  limit,
		Feed:   o.Feed,
		Assets: o.Assets,
		Pool:   o.Pool,
	})
	cut = !s.Finished && left.Over() && ctx.Err() == nil && hard.Err() == nil
	if cut && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	sum.Before += s.Before
	sum.Played += s.Played
	sum.Faults += s.Faults
	sum.Superseded += s.Superseded
	sum.Cut = sum.Cut || cut
	return s, cut, err
}

// length estimates the number of plies of a game. The estimate is good enough only to compare rules.
func length(t *arena.Tournament) float64 { return float64(t.Rules[0].Cells()) }

// meter computes the progress of the whole study from that of its parts. It measures work in simulations, so that
// many quick games of weak tiers do not seem to be half of the work.
type meter struct {
	tell        func(Status)
	t           *arena.Tournament
	began       time.Time
	total, done int64
	before      int64   // games of finished parts
	work        float64 // total work, including expected later parts
	finished    float64 // work of finished parts
	played      float64 // work of this run
	worked      float64 // work done in the current part so far
	ofPart      float64
	works       map[string]float64 // work of one decision, for each player of the part
}

func (m *meter) part(t *arena.Tournament) {
	m.finished += m.ofPart
	m.before = m.done
	m.t, m.worked, m.ofPart = t, 0, PartWork(t)*length(t)
	m.works = map[string]float64{}
	for _, p := range t.Players {
		m.works[p.Name] = agentWork(p)
	}
}

// hear receives an event of a part.
func (m *meter) hear(e live.Event) {
	switch e.Kind {
	case live.Begin, live.Barred: // games of a machine that is barred are not there any more
		m.done = m.before + e.Done
		m.worked = m.ofPart * float64(e.Done) / float64(max(e.Total, 1))
	case live.GameEnd, live.Fault:
		m.game(e.Game)
	}
}

func (m *meter) game(g *live.Game) {
	m.done++
	w := (m.works[g.First] + m.works[g.Second]) / 2 * length(m.t)
	m.worked += w
	m.played += w
	if m.tell == nil {
		return
	}
	at := m.finished + m.worked
	p := live.Progress{
		Done:    at,
		Before:  at - m.played,
		Total:   m.work,
		Elapsed: time.Since(m.began),
	}
	s := Status{
		Rules: m.t.Labels[0],
		Part:  m.t.Name,
		Done:  m.done,
		Total: m.total,
		Share: p.Share(),
	}
	if p.Elapsed > time.Second {
		s.Left, _ = p.Left()
	}
	m.tell(s)
}

// Estimate plays a few games of each study for about the duration d, without storing them. It returns, for each
// study, the expected seconds for all its games with all workers busy.
func Estimate(ctx context.Context, cs []*Campaign, workers int, d time.Duration) ([]float64, error) {
	var out []float64
	for _, c := range cs {
		unit, err := c.unit(ctx, workers, d)
		if err != nil {
			return nil, err
		}
		out = append(out, unit*c.Work())
	}
	return out, nil
}

// estimateFor is how long an estimate plays sample games for each study.
const estimateFor = 2 * time.Second

// Fill estimates the time of the studies, as Estimate does. If minutes is positive, it scales their numbers of games
// to fill that time or, if left is set, the time that left allows. It returns the seconds of each study after
// scaling, and those of all studies before scaling.
func Fill(ctx context.Context, cs []*Campaign, workers int, minutes float64, left pace.Limit) (each []float64,
	before float64, err error,
) {
	d := min(estimateFor, left.Part(0.02).Left()/time.Duration(len(cs)))
	if each, err = Estimate(ctx, cs, workers, d); err != nil || minutes <= 0 {
		return each, floats.Sum(each), err
	}
	before = floats.Sum(each)
	work := make([]float64, len(cs))
	for i, c := range cs {
		work[i] = c.Work()
	}
	if left.Set() {
		minutes = left.Left().Minutes()
	}
	Scale(cs, before, minutes)
	for i, c := range cs {
		each[i] *= c.Work() / work[i]
	}
	return each, before, nil
}

// prepare copies the numbers of games from stored studies; new studies get as many as fit the requested minutes. It
// fails with ErrOther if a stored study has different options, or if minutes are given and only some studies exist.
func prepare(ctx context.Context, db *store.DB, cs []*Campaign, o Options) error {
	known := 0
	for _, c := range cs {
		ok, err := c.Resume(ctx, db)
		if err != nil {
			return err
		}
		if ok {
			known++
		}
	}
	minutes := cs[0].Record.Request.Minutes
	switch {
	case minutes == 0 || known == len(cs):
		return nil
	case known > 0:
		return fmt.Errorf("%w: %s already has a study of some of these rules; with --minutes, all studies must start in "+
			"one command", ErrOther, db.Path())
	}
	_, _, err := Fill(ctx, cs, o.Workers, minutes, o.Time)
	return err
}

// unit returns the seconds for one unit of work. It measures games of the strongest tier that can play one in the
// given time.
func (c *Campaign) unit(ctx context.Context, workers int, d time.Duration) (float64, error) {
	for i := len(c.Record.Budgets) - 1; ; i-- {
		tier := c.tiers()[i+1]
		t := c.part("estimate", PurposePlan, "mirror", 50, openings.Options{Plies: OpeningPlies}, []agents.Spec{tier})
		t.Seed, t.Workers = c.Record.Request.Seed, workers
		if each, atLeast, err := arena.SecondsPerGame(ctx, t, d); !atLeast || i == 0 {
			return each / agentWork(tier), err
		}
	}
}
