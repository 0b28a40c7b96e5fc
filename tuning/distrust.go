package tuning

import (
	"context"
	"errors"
	"fmt"

	"spar/arena"
	"spar/arena/study"
)

// untilTrusted repeats an action until no worker turns out to be unreliable during it. The games of such a worker are
// superseded before each repetition.
func untilTrusted[T any](ctx context.Context, t *Tuning, do func() (T, error)) (T, error) {
	for {
		out, err := do()
		if ctx.Err() != nil || !errors.As(err, new(*arena.Distrust)) {
			return out, err
		}
		if t.Again != nil {
			t.Again(fmt.Sprintf("%v; Spar plays its games again, and all games that depended on them", err))
		}
	}
}

// supersede supersedes the games of an unreliable worker, except those whose replay on another worker was the
// same. The candidates of a search depend on the games before them: with a game of the worker, supersede
// supersedes all later games of its search, and all checks. If that succeeds it returns the
// distrust again, which makes untilTrusted repeat the action; otherwise it returns the error.
func (m *matchRunner) supersede(ctx context.Context, d *arena.Distrust) error {
	events, err := m.db.Events(ctx)
	if err != nil {
		return err
	}
	led := false
	from := func(e study.Event, number int64) error {
		_, err := m.db.SupersedeFrom(ctx, e.ID, number)
		return err
	}
	for _, e := range events {
		if e.Purpose != purposeTraining {
			continue
		}
		first := int64(-1)
		for g, err := range m.db.Finished(ctx, e.ID) {
			if err != nil {
				return err
			}
			if first < 0 && g.Worker == d.Worker && !d.Tested(arena.Slot{Event: e.ID, Number: g.Number}) {
				first = g.Number
			}
		}
		if first < 0 {
			continue
		}
		if led, err = true, from(e, first); err != nil {
			return err
		}
	}
	for _, e := range events {
		if led && e.Purpose == purposeCheck {
			if err := from(e, 0); err != nil {
				return err
			}
		}
	}
	if _, err := m.db.Supersede(ctx, d.Worker, func(event, number int64) bool {
		return d.Tested(arena.Slot{Event: event, Number: number})
	}); err != nil {
		return err
	}
	if _, err := m.db.RetireAgents(ctx); err != nil { // candidates to come have the names of those that are gone
		return err
	}
	if led && m.purpose != purposeTraining && m.purpose != purposeCheck {
		return fmt.Errorf("%v; the search used its games and must be repeated from the first of them: run spar tune "+
			"again with the same database", d)
	}
	return d
}
