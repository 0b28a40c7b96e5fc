package tuning

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"spar/arena/store"
	"spar/arena/study"
	"spar/configs"
)

// Training tells whether an event holds the training of a tuning, and with it its plan.
func Training(e study.Event) bool { return e.Purpose == purposeTraining }

// Stored is a tuning as a study holds it, with its result and its latest examination, nil where it has none; nothing is played. The event
// is that of its training. The error is ErrMissing when games are not there, and for a tuning of an agent's file. A study names no file to
// be read: rules that are not shipped are those of one of the files, the one of that name, and ErrMissing says that there is none, or that
// it has changed since.
func Stored(ctx context.Context, db *store.DB, e study.Event, files ...string) (*Tuning, *Result, *Examination, error) {
	var stored struct{ Plan json.RawMessage }
	var plan Plan
	if err := errors.Join(json.Unmarshal([]byte(e.Plan), &stored), json.Unmarshal(stored.Plan, &plan)); err != nil {
		return nil, nil, nil, fmt.Errorf("plan of %s: %w", e.Name, err)
	}
	for _, name := range append([]string{plan.Agent.Agent}, plan.Opponents...) {
		if name != self && !slices.Contains(configs.Names(configs.Agents), name) {
			return nil, nil, nil, fmt.Errorf("%w: the agent %s is of a file; spar tune report makes its page", ErrMissing, name)
		}
	}
	stated := plan.Rules
	if !slices.Contains(configs.Names(configs.Games), stated.Rules) {
		at := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == filepath.Base(stated.Rules) })
		if at < 0 {
			return nil, nil, nil, fmt.Errorf("%w: its rules are of a file, %s: serve it, too (--rules %[2]s), or see the page that spar tune report makes", ErrMissing, stated.Rules)
		}
		path, err := filepath.Abs(files[at])
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %w", files[at], err)
		}
		plan.Rules.Rules = path
	}
	text, err := meant(stored.Plan, plan)
	if err != nil {
		return nil, nil, nil, err
	}
	t, err := Load(e.Name, text)
	if err != nil {
		return nil, nil, nil, err
	}
	if rules, ok, err := db.RulesNamed(ctx, t.Label); err != nil || !ok || rules.Hash != t.Game.RulesHash() {
		return nil, nil, nil, errors.Join(err, fmt.Errorf("%w: the rules %s have changed since", ErrMissing, t.Label))
	}
	t.Rules = stated
	r, err := t.Recall(ctx, db)
	if err != nil {
		return t, nil, nil, err
	}
	events, err := db.Events(ctx)
	if err != nil {
		return t, r, nil, err
	}
	var last *Check
	if n := len(r.Checks); n > 0 {
		last = &r.Checks[n-1]
	}
	for _, v := range slices.Backward(events) {
		var exam struct{ Validation Validation }
		if v.Purpose != "validation" || !strings.HasPrefix(v.Name, t.Name+" validation ") || json.Unmarshal([]byte(v.Plan), &exam) != nil {
			continue
		}
		t.Validation = exam.Validation
		if t.pool = exam.Validation.Pool; slices.ContainsFunc(t.pool, func(name string) bool { return !slices.Contains(configs.Names(configs.Agents), name) }) {
			continue
		}
		x, err := t.RecallValidation(ctx, db, r.Tuned, last)
		if errors.Is(err, ErrMissing) {
			continue // of another agent than the answer, or not finished
		}
		return t, r, x, err
	}
	return t, r, nil, nil
}

// meant is a stored plan with the rules of a plan, and without the knobs of other methods than its own: a file may not state them.
func meant(stored []byte, plan Plan) ([]byte, error) {
	var keys map[string]any
	if err := json.Unmarshal(stored, &keys); err != nil {
		return nil, err
	}
	method := plan.Method
	keys["rules"] = plan.Rules
	for _, section := range map[string][]string{
		methodSPSA: {"cma", "learn"}, methodCMA: {"spsa", "learn"}, methodTD: {"spsa", "cma"}, methodFit: {"spsa", "cma"}, methodPipeline: {"cma"},
	}[method] {
		delete(keys, section)
	}
	if learn, ok := keys["learn"].(map[string]any); ok && method != methodPipeline {
		delete(learn, "method")
		delete(learn, "share")
	}
	return json.Marshal(keys)
}
