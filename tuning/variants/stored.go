package variants

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
)

// PurposePlan is the purpose of the event that holds the plan of a sweep. This event has no games.
const PurposePlan = "sweep/plan"

// remember stores the plan in the study, so that it says what was asked. A different plan
// with the same name gets its own event.
func (s *Sweep) remember(ctx context.Context, db *store.DB) error {
	plan := s.Plan
	plan.Targets = append([]string{}, plan.Targets...) // [] instead of null
	return Remember(ctx, db, s.Name+"/plan", PurposePlan, s.Seed, plan)
}

// Remember stores data other than games in the study, as an event without games. The event's name ends in a hash.
func Remember(ctx context.Context, db *store.DB, name, purpose string, seed int64, what any) error {
	text, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	h := fnv.New32a()
	h.Write(text) // a hash never fails
	_, err = db.BeginEvent(ctx, study.Event{
		Name:    fmt.Sprintf("%s %08x", name, h.Sum32()),
		Purpose: purpose,
		Plan:    string(text),
		Seed:    seed,
		Build:   study.ThisBuild(),
	})
	return err
}

// stored counts the games of each part, by name.
func (r *runner) stored(parts []*arena.Tournament) (map[string]counted, error) {
	events, err := r.db.Events(r.ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]counted{}
	for _, t := range parts {
		var c counted
		at := slices.IndexFunc(events, func(e study.Event) bool { return e.Name == t.Name })
		if at >= 0 {
			for g, err := range r.db.Finished(r.ctx, events[at].ID) {
				if err != nil {
					return nil, err
				}
				if g.Marks&(evidence.Surplus|evidence.Pending) == 0 {
					c.count(g)
				}
			}
		}
		out[t.Name], r.games = c, r.games+c.all
	}
	return out, nil
}
