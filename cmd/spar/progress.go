package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/live"
	"spar/arena/store"
	"spar/engines"
	"spar/ratings"
	"spar/reports/standings"
)

// progress shows a run as it goes: to a person a bar and the standings so far, to a file a line every few seconds.
type progress struct {
	out       io.Writer
	bars      *mpb.Progress
	bar       *mpb.Bar
	standings *standings.Live
	under     atomic.Pointer[string] // text beside and under the bar, which draws itself from another goroutine
	beside    atomic.Pointer[string]
	total     int64
	done      int64
	before    int64
	began     time.Time
	lastSay   time.Time
}

// Times between looks at the standings, and between lines to a file.
const (
	lookEvery = time.Second
	sayEvery  = 5 * time.Second
)

// newProgress prepares the view of a run; the standings begin with what the study holds of it.
func newProgress(ctx context.Context, w io.Writer, t *arena.Tournament, db *store.DB) (*progress, error) {
	var test *ratings.SPRT
	if t.Stop.SPRT != nil {
		if s, err := t.Stop.SPRT.Test(); err == nil { // checked with the plan
			test = &s
		}
	}
	p := &progress{out: w, standings: standings.NewLive(t.Players[0].Name, test)}
	for row, err := range db.Games(ctx, store.Filter{Event: t.Name}) {
		if err != nil {
			return nil, err
		}
		p.add(row.RulesName, row.FirstName, row.SecondName, row.Pair, row.Result, row.Plies, row.Marks)
	}
	return p, nil
}

// add takes a finished game. One that is not judged yet is shown as if it counted.
func (p *progress) add(rules, first, second string, pair int64, result string, plies int, marks evidence.Marks) {
	if r, ok := engines.ParseResult(result); ok {
		p.standings.Add(standings.LiveGame{Rules: rules, First: first, Second: second, Pair: pair, Result: r, Plies: plies, Marks: marks &^ evidence.Pending})
	}
}

func (p *progress) Begin(total int64, _ bool, done int64) {
	p.total, p.done, p.before = total, done, done
	p.began = time.Now()
	p.lastSay = p.began
	p.beside.Store(new(string))
	p.under.Store(new(string))
	if !isTerminal(p.out) {
		return
	}
	p.bars = mpb.New(mpb.WithOutput(p.out), mpb.WithWidth(40))
	p.bar = p.bars.New(total, mpb.BarStyle().Lbound("[").Filler("=").Tip(">").Padding(" ").Rbound("]"),
		mpb.PrependDecorators(decor.CountersNoUnit("%d/%d games ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return *p.beside.Load() })),
		mpb.BarExtender(mpb.BarFillerFunc(func(w io.Writer, _ decor.Statistics) error {
			_, err := io.WriteString(w, *p.under.Load())
			return err
		}), false))
	p.bar.SetCurrent(done)
}

func (p *progress) rate() string {
	played := float64(p.done - p.before)
	elapsed := time.Since(p.began)
	if played == 0 || elapsed <= 0 {
		return ""
	}
	left := time.Duration(float64(p.total-p.done) / played * float64(elapsed)).Round(time.Second)
	return fmt.Sprintf("%.0f games/s, %s gone, %s left", played/elapsed.Seconds(), elapsed.Round(time.Second), left)
}

// hear takes what happens in a run.
func (p *progress) hear(e live.Event) {
	switch e.Kind {
	case live.Begin:
		p.Begin(e.Total, e.Exact, e.Done)
	case live.GameEnd, live.Fault:
		p.game(e.Game)
	case live.End:
		p.End()
	}
}

func (p *progress) game(g *live.Game) {
	p.done++
	p.add(g.Rules, g.First, g.Second, g.Pair, g.Result, g.Plies, g.Marks)
	now := time.Now()
	switch {
	case p.bar == nil && now.Sub(p.lastSay) >= sayEvery:
		p.lastSay = now
		fmt.Fprintf(p.out, "%d/%d games, %s; %s\n", p.done, p.total, p.rate(), liveSummary(p.standings))
	case p.bar != nil:
		if now.Sub(p.lastSay) >= lookEvery {
			p.lastSay = now
			beside, under := " "+p.rate(), liveTable(p.standings)
			p.beside.Store(&beside)
			p.under.Store(&under)
		}
		p.bar.SetCurrent(p.done)
	}
}

func (p *progress) End() {
	if p.bar != nil {
		if p.done < p.total {
			p.bar.Abort(false)
		}
		p.bars.Wait()
	}
}
