package sweep

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
	text := []byte(e.Plan)
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
		if text, err = json.Marshal(plan); err != nil {
			return nil, fmt.Errorf("plan of %s: %w", e.Name, err)
		}
	}
	s, err := Load(e.Name, text)
	if err != nil {
		return nil, err
	}
	s.Rules = stated
	return s.Run(ctx, ctx, db, Options{recall: true, Measure: measure})
}

// stored checks that the study holds the games of all parts.
func (r *runner) stored(parts []*arena.Tournament) error {
	events, err := r.db.Events(r.ctx)
	if err != nil {
		return err
	}
	counts := map[string]map[int64]int64{}
	for _, t := range parts {
		label := t.Labels[0]
		if counts[label] == nil {
			rules, ok, err := r.db.RulesNamed(r.ctx, label)
			if err != nil || !ok {
				return errors.Join(err, fmt.Errorf("%w: no games of %s", ErrMissing, label))
			}
			if rules.Hash != t.Rules[0].RulesHash() {
				return fmt.Errorf("%w: the rules %s have changed since", ErrMissing, label)
			}
			if counts[label], err = r.db.EventCounts(r.ctx, rules.ID); err != nil {
				return err
			}
		}
		at := slices.IndexFunc(events, func(e study.Event) bool { return e.Name == t.Name })
		if at < 0 || counts[label][events[at].ID] < campaign.PartGames(t) {
			return fmt.Errorf("%w: %s", ErrMissing, t.Name)
		}
		r.before += counts[label][events[at].ID]
	}
	return nil
}
