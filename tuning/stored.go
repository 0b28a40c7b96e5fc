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

// Training reports whether an event is the training of a tuning.
func Training(e study.Event) bool { return e.Purpose == purposeTraining }

// Files are the user's files of rules and of agents that a study may refer to by name.
type Files struct{ Rules, Agents []string }

// Stored returns a tuning from a study, with its result and its latest validation (nil if there is none). It plays
// nothing. The event must be that of the training.
//
// Stored opens no file because a study names it. Rules and agents that are not shipped must be among the user's
// files, where it finds them by name. The error is ErrMissing if games or files are missing, or if a file has
// changed.
func Stored(ctx context.Context, db *store.DB, e study.Event, own Files) (*Tuning, *Result, *Examination, error) {
	var stored struct{ Plan json.RawMessage }
	var plan Plan
	if err := errors.Join(json.Unmarshal([]byte(e.Plan), &stored), json.Unmarshal(stored.Plan, &plan)); err != nil {
		return nil, nil, nil, fmt.Errorf("plan of %s: %w", e.Name, err)
	}
	stated := plan
	var err error
	if plan.Checks.Pool, err = own.agents(plan.Checks.Pool); err == nil {
		plan.Agent.Agent, err = served(configs.Agents, plan.Agent.Agent, own.Agents)
	}
	if err == nil {
		plan.Rules.Rules, err = served(configs.Games, plan.Rules.Rules, own.Rules)
	}
	if err != nil {
		return nil, nil, nil, err
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
	t.Rules, t.Agent, t.Checks = stated.Rules, stated.Agent, stated.Checks
	r, err := t.Recall(ctx, db)
	if errors.Is(err, errOtherPlan) {
		return nil, nil, nil, fmt.Errorf("%w: the agents of %s have changed since, or another version of spar made it",
			ErrMissing, e.Name)
	}
	if err != nil {
		return t, nil, nil, err
	}
	events, err := db.Events(ctx)
	if err != nil {
		return t, r, nil, err
	}
	for _, v := range slices.Backward(events) {
		var exam struct{ Validation Validation }
		if v.Purpose != purposeValidation || !strings.HasPrefix(v.Name, t.Name+" validation ") ||
			json.Unmarshal([]byte(v.Plan), &exam) != nil {
			continue
		}
		t.Validation = exam.Validation
		if t.pool, err = own.agents(exam.Validation.Pool); err != nil {
			continue // it needs agents that are not among the files
		}
		x, err := t.RecallValidation(ctx, db, r.Tuned, r.LastCheck())
		if errors.Is(err, ErrMissing) {
			continue // it is of another agent than the answer, or not finished
		}
		return t, r, x, err
	}
	return t, r, nil, nil
}

// served returns the path of rules or of an agent that a study names: the name itself if they are shipped,
// otherwise one of the user's files.
func served(kind configs.Kind, name string, files []string) (string, error) {
	if slices.Contains(configs.Names(kind), name) {
		return name, nil
	}
	for _, f := range files {
		if filepath.Base(f) == filepath.Base(name) {
			return filepath.Abs(f)
		}
	}
	what := map[configs.Kind][2]string{
		configs.Games:  {"its rules are", "rules"},
		configs.Agents: {"an agent is", "agent"},
	}[kind]
	return "", fmt.Errorf("%w: %s in the file %s: serve that file as well (--%s %[3]s), or use the page that spar tune "+
		"report writes",
		ErrMissing, what[0], name, what[1])
}

// agents is served for a list of agents.
func (f Files) agents(names []string) ([]string, error) {
	out := slices.Clone(names)
	for i, name := range names {
		path, err := served(configs.Agents, name, f.Agents)
		if err != nil {
			return nil, err
		}
		out[i] = path
	}
	return out, nil
}

// meant completes a stored plan with the rules and agents of another plan.
func meant(stored []byte, plan Plan) ([]byte, error) {
	var keys map[string]any
	if err := json.Unmarshal(stored, &keys); err != nil {
		return nil, err
	}
	delete(keys, "cma") // of older versions
	delete(keys, "opponents")
	keys["rules"], keys["agent"], keys["checks"] = plan.Rules, plan.Agent, plan.Checks
	return json.Marshal(keys)
}
