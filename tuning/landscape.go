package tuning

import (
	"context"
	"fmt"

	"spar/arena/store"
	"spar/tuning/optimise"
)

// Slice shows what becomes of the tuned agent when one number is changed and the others stay: a number that matters has its
// best value near 0, a dead one is flat, and one with the wrong sign rises to one side.
type Slice struct {
	Path   string       `json:"path"`
	Points []SlicePoint `json:"points"`
}

// SlicePoint is the match of the changed agent against the tuned one.
type SlicePoint struct {
	Value float64 `json:"value"` // of the number
	Step  float64 `json:"step"`  // in perturbations of the search
	Match Match   `json:"match"` // from the side of the changed agent
}

// sliceSteps are the changes that are looked at, in perturbations of the search.
func sliceSteps() []float64 { return []float64{-2, -1, 1, 2} }

// Landscape plays the tuned agent with each number moved by one and two perturbations, down and up, against the tuned agent as
// it is, so many pairs each, on the training's openings.
func (t *Tuning) Landscape(ctx context.Context, db *store.DB, r *Result, pairs int, progress Progress) ([]Slice, error) {
	unlock, err := db.Lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return t.landscape(ctx, db, r, pairs, true, progress)
}

func (t *Tuning) landscape(ctx context.Context, db *store.DB, r *Result, pairs int, play bool, progress Progress) ([]Slice, error) {
	plan, err := t.Canonical()
	if err != nil {
		return nil, err
	}
	h, err := t.newHall(ctx, db, fmt.Sprintf("%s landscape %d", t.Name, pairs), purposeLandscape, plan, play)
	if err != nil {
		return nil, err
	}
	defer h.close()
	whole := 2 * pairs * len(sliceSteps()) * len(t.Params)
	progress.Begin(whole)
	defer progress.End()
	h.games = func(done int64) { progress.Step(int(done), h.played, nil) }
	x := make([]float64, len(r.Changes))
	for i, c := range r.Changes {
		x[i] = c.After
	}
	var out []Slice
	for i, p := range t.Params {
		s := Slice{Path: p.Path}
		for _, step := range sliceSteps() {
			at := append([]float64(nil), x...)
			at[i] += step * optimise.DefaultCEnd * r.Changes[i].Scale
			if p.Min != nil && at[i] < *p.Min || p.Max != nil && at[i] > *p.Max {
				continue
			}
			a, err := t.apply(fmt.Sprintf("%s %s %+g", t.Name, p.Path, step), at)
			if err != nil {
				return nil, err
			}
			b, err := t.apply(t.Name+" tuned", x)
			if err != nil {
				return nil, err
			}
			o, err := h.play(ctx, []encounter{{a: a, b: b, pairs: pairs}})
			if err != nil {
				return nil, stopped(ctx, err, whole, h)
			}
			m, err := analyse(o[0].counts)
			if err != nil {
				return nil, err
			}
			s.Points = append(s.Points, SlicePoint{Value: at[i], Step: step, Match: m})
		}
		out = append(out, s)
	}
	return out, nil
}
