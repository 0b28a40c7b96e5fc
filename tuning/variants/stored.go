package variants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"

	"spar/arena"
	"spar/arena/campaign"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
	"spar/configs"
)

// PurposePlan is the purpose of the event that holds the plan of a sweep. This event has no games.
const PurposePlan = "sweep/plan"

// ErrMissing means that a study lacks something that is needed to show a sweep.
var ErrMissing = errors.New("the study lacks games of this sweep")

// remember stores the plan in the study, so that the result can be shown without the plan's file. A different plan
// with the same name gets its own event.
func (s *Sweep) remember(ctx context.Context, db *store.DB) error {
	plan := s.Plan
	plan.Targets = append([]string{}, plan.Targets...) // [] instead of null
	text, err := json.Marshal(plan)
	if err != nil {
		return fmt.Errorf("sweep %s: %w", s.Name, err)
	}
	h := fnv.New32a()
	h.Write(text) // a hash never fails
	_, err = db.BeginEvent(ctx, study.Event{
		Name: fmt.Sprintf("%s/plan %08x", s.Name, h.Sum32()), Purpose: PurposePlan,
		Plan: string(text), Seed: s.Seed, Build: study.ThisBuild(),
	})
	return err
}

// Recall measures a sweep whose plan and games a study holds, and plays nothing. The event is that of the plan.
// Recall opens no file because a study names it: rules that are not shipped must be among the user's files, where
// it finds them by name. The error is ErrMissing when games or the file are missing, or when the file has changed.
func Recall(ctx context.Context, db *store.DB, e study.Event, measure Measure, files ...string) (*Result, error) {
	var plan Plan
	if err := json.Unmarshal([]byte(e.Plan), &plan); err != nil {
		return nil, fmt.Errorf("plan of %s: %w", e.Name, err)
	}
	stated := plan.Rules
	if !slices.Contains(configs.Names(configs.Games), stated) {
		at := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == filepath.Base(stated) })
		if at < 0 {
			return nil, fmt.Errorf("%w: its rules are in the file %s: serve that file as well (--rules %s), or use the page "+
				"that spar sweep writes", ErrMissing, stated, stated)
		}
		path, err := filepath.Abs(files[at])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", files[at], err)
		}
		plan.Rules = path
	}
	text, err := json.Marshal(plan)
	if err != nil {
		return nil, fmt.Errorf("plan of %s: %w", e.Name, err)
	}
	s, err := Load(e.Name, text, fmt.Sprint("early=", plan.Early)) // plans of earlier versions lack it
	if err != nil {
		return nil, err
	}
	s.Rules = stated
	return s.Run(ctx, ctx, db, Options{recall: true, Measure: measure})
}

// stored returns how many games of each part count, by name. It returns ErrMissing if the study lacks games of a part;
// parts that stop early have none only if their games were never played.
func (r *runner) stored(parts []*arena.Tournament) (map[string]int64, error) {
	events, err := r.db.Events(r.ctx)
	if err != nil {
		return nil, err
	}
	out, checked := map[string]int64{}, map[string]bool{}
	for _, t := range parts {
		if label := t.Labels[0]; !checked[label] {
			checked[label] = true
			rules, ok, err := r.db.RulesNamed(r.ctx, label)
			if err != nil || !ok {
				return nil, errors.Join(err, fmt.Errorf("%w: no games of %s", ErrMissing, label))
			}
			if rules.Hash != t.Rules[0].RulesHash() {
				return nil, fmt.Errorf("%w: the rules %s have changed since", ErrMissing, label)
			}
		}
		n := int64(0)
		if at := slices.IndexFunc(events, func(e study.Event) bool { return e.Name == t.Name }); at >= 0 {
			for g, err := range r.db.Finished(r.ctx, events[at].ID) {
				if err != nil {
					return nil, err
				}
				if g.Marks&(evidence.Surplus|evidence.Pending) == 0 {
					n++
				}
			}
		}
		if n == 0 || n < campaign.PartGames(t) && t.Stop.EarlyStop == nil {
			return nil, fmt.Errorf("%w: %s", ErrMissing, t.Name)
		}
		out[t.Name], r.games = n, r.games+n
	}
	return out, nil
}
