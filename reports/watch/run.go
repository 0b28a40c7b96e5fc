package watch

import (
	"context"
	"fmt"
	"time"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
	"spar/reports/screen"
	"spar/reports/standings"
)

// Run shows a run in progress, with the current standings.
type Run struct {
	ctx       context.Context
	db        *store.DB
	plan      *arena.Tournament
	shown     *Display
	standings *standings.Live
	total     int64
	done      int64
	before    int64
	most      bool   // the total number of games is an upper limit
	stage     string // stage of the format
	machines  []live.Machine
	began     time.Time
}

// NewRun returns the view of a run. Its standings start with the stored games.
func NewRun(ctx context.Context, w *Display, t *arena.Tournament, db *store.DB) (*Run, error) {
	p := &Run{ctx: ctx, db: db, plan: t, shown: w}
	w.every = 500 * time.Millisecond
	return p, p.recall()
}

// recall starts the standings with the stored games, except superseded ones.
func (p *Run) recall() error {
	var test *ratings.SPRT
	if p.plan.Stop.SPRT != nil {
		if s, err := p.plan.Stop.SPRT.Test(); err == nil { // checked with the plan
			test = &s
		}
	}
	p.standings = standings.NewLive(p.plan.Players[0].Name, test)
	for row, err := range p.db.Games(p.ctx, store.Filter{Event: p.plan.Name}) {
		if err != nil {
			return err
		}
		if row.Marks&evidence.Superseded != 0 {
			continue
		}
		p.add(standings.LiveGame{
			Number:  row.Number,
			Rules:   row.RulesName,
			First:   row.FirstName,
			Second:  row.SecondName,
			Pair:    row.Pair,
			Plies:   row.Plies,
			Marks:   row.Marks,
			Opening: standings.OpeningLabel(row.RulesName, row.Moves, row.OpeningPlies),
		}, row.Result)
	}
	return nil
}

// add adds a finished game.
func (p *Run) add(g standings.LiveGame, result string) {
	if r, ok := engines.ParseResult(result); ok {
		g.Result = r
		p.standings.Add(g)
	}
}

// news prints messages that must be shown at once.
func (p *Run) news() {
	for _, text := range p.standings.News() {
		p.shown.Say("warning: " + text)
	}
}

func (p *Run) rate() string {
	at := live.Progress{Done: float64(p.done), Before: float64(p.before), Elapsed: time.Since(p.began)}
	if at.Rate() == 0 {
		return ""
	}
	take := func(games float64) time.Duration {
		d, _ := at.Take(games)
		return d.Round(time.Second)
	}
	whole := float64(p.total - p.done)
	left := take(whole).String()
	if p.most {
		left = "at most " + left
		if least, most, ok := p.standings.Ahead(); ok {
			left = fmt.Sprintf("about %s to %s left, %s", take(min(least, whole)), take(min(most, whole)), left)
		}
	}
	return fmt.Sprintf("%.0f games/s, %s elapsed, %s left", at.Rate(), at.Elapsed.Round(time.Second), left)
}

// Hear receives the events of a run.
func (p *Run) Hear(e live.Event) {
	switch e.Kind {
	case live.Begin:
		p.begin(e)
	case live.GameEnd, live.Fault:
		p.game(e.Game)
	case live.Verdict:
		for _, j := range e.Judged {
			p.standings.Judge(j.Number, j.Marks)
		}
		p.news()
	case live.Stage:
		p.stage = e.Text + ": "
	case live.Withdrawn:
		p.shown.Hear(e)
	case live.Barred: // what its games were counted for goes with them
		p.begin(e)
		p.shown.Hear(e)
		if err := p.recall(); err != nil {
			p.shown.Say("warning: cannot count the stored games again for the standings: " + err.Error())
		}
	case live.Machines:
		p.machines = e.Machines
	case live.End:
		p.shown.Clear()
	}
}

// begin sets the counters to the number of stored games.
func (p *Run) begin(e live.Event) {
	p.total, p.most, p.done, p.before, p.began = e.Total, !e.Exact, e.Done, e.Done, time.Now()
}

// machinesLine describes in one line the machines that are connected.
func machinesLine(ms []live.Machine) string {
	n, slots, holds, rate, lost := 0, 0, 0, 0.0, ""
	for _, m := range ms {
		if m.Lost {
			lost += ", lost " + m.Worker
		}
		if m.Here && m.Barred == "" {
			n++
			slots += m.Slots
			holds += m.Holds
			rate += m.Rate
		}
	}
	if len(ms) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s: %d games at a time, %d games leased, %.0f games/s%s", screen.Plural(n, "other machine"),
		slots, holds, rate, lost)
}

func (p *Run) game(g *live.Game) {
	p.done++
	p.add(standings.LiveGame{
		Number:  g.Number,
		Rules:   g.Rules,
		First:   g.First,
		Second:  g.Second,
		Pair:    g.Pair,
		Plies:   g.Plies,
		Marks:   g.Marks,
		Opening: standings.OpeningLabel(g.Rules, g.Moves, g.Random),
	}, g.Result)
	p.news()
	p.shown.Show(func() string {
		return fmt.Sprintf("%s%d/%d games, %s%s\n%s", p.stage, p.done, p.total, p.rate(), machinesLine(p.machines),
			p.standings.Text())
	})
}
