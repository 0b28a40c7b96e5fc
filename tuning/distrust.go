package tuning

import (
	"context"
	"errors"
	"fmt"

	"spar/arena"
	"spar/arena/study"
)

// trusted does something, and again for as long as a worker turns out to be unreliable meanwhile, whose games have left the study then.
func trusted[T any](ctx context.Context, t *Tuning, do func() (T, error)) (T, error) {
	for {
		out, err := do()
		if ctx.Err() != nil || !errors.As(err, new(*arena.Distrust)) {
			return out, err
		}
		if t.Again != nil {
			t.Again(fmt.Sprintf("%v; its games, and what came of them, are played again", err))
		}
	}
}

// supersede takes what a worker has played out of the study, but for games that were played again alike. The candidates of a search come
// from the games before them: with one of its games go all later ones, and what was played with the search's answers. It returns
// the distrust, for trusted, unless something has gone wrong.
func (h *hall) supersede(ctx context.Context, d *arena.Distrust) error {
	events, err := h.db.Events(ctx)
	if err != nil {
		return err
	}
	led := false
	from := func(e study.Event, number int64) error {
		_, err := h.db.SupersedeFrom(ctx, e.ID, number)
		return err
	}
	for _, e := range events {
		if e.Purpose != purposeTraining {
			continue
		}
		first := int64(-1)
		for g, err := range h.db.Finished(ctx, e.ID) {
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
		if led && (e.Purpose == purposeCheck || e.Purpose == purposeLandscape) {
			if err := from(e, 0); err != nil {
				return err
			}
		}
	}
	if _, err := h.db.Supersede(ctx, d.Worker, func(event, number int64) bool { return d.Tested(arena.Slot{Event: event, Number: number}) }); err != nil {
		return err
	}
	if _, err := h.db.RetireAgents(ctx); err != nil { // candidates to come have the names of those that are gone
		return err
	}
	if led && h.purpose != purposeTraining && h.purpose != purposeCheck {
		return fmt.Errorf("%v; its games have led the search, which has to go on from them anew: spar tune does, with the same database", d)
	}
	return d
}
