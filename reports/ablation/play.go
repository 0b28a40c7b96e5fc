package ablation

import (
	"context"
	"time"

	"spar/arena"
	"spar/arena/live"
	"spar/arena/store"
)

// Options are the conditions of a run. They do not change the games.
type Options struct {
	Workers int   // number of goroutines; 0 = as the plan says, or one for each core
	Limit   int64 // stop after this many games; 0 = no limit
	// Watch returns the reader of events for the games under one set of rules. It is called before these games are
	// played. It may be nil.
	Watch func(*arena.Tournament) (*live.Feed, error)
}

// Play plays the games that the study does not have yet, for one set of rules after the other, and returns their
// counts. When ctx ends, it finishes the pairs in progress; when hard ends, it stops these too. Another call
// continues.
func (p *Plan) Play(ctx, hard context.Context, db *store.DB, o Options) (sum arena.Summary, err error) {
	began := time.Now()
	sum.Total = p.Games()
	unlock, err := db.Lock() // of all rules
	if err != nil {
		return sum, err
	}
	defer unlock()
	for _, part := range p.Parts {
		t := part.Tournament
		if t == nil {
			continue
		}
		run := arena.Options{}
		if o.Limit > 0 {
			if run.Limit = o.Limit - sum.Played; run.Limit <= 0 {
				return sum, nil
			}
		}
		if o.Watch != nil {
			if run.Feed, err = o.Watch(t); err != nil {
				return sum, err
			}
		}
		if t.Purpose = "ablation"; o.Workers > 0 { // else as the plan says
			t.Workers = o.Workers
		}
		of, err := arena.Run(ctx, hard, t, db, run)
		sum.Before, sum.Played, sum.Faults, sum.Wall = sum.Before+of.Before, sum.Played+of.Played, sum.Faults+of.Faults,
			time.Since(began)
		if err != nil || !of.Finished {
			return sum, err
		}
		sum.Total -= of.Total - of.Before - of.Played // it may end before all its games
	}
	sum.Finished = true
	return sum, nil
}
