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

// Files are files that a study may mean by a name that is not shipped: of rules and of agents.
type Files struct{ Rules, Agents []string }

// Stored is a tuning as a study holds it, with its result and its latest examination, nil where it has none; nothing is played. The event
// is that of its training. The error is ErrMissing when games are not there. A study names no file to be read: rules and agents that are
// not shipped are those of one of the files, the one of that name, and ErrMissing says that there is none, or that it has changed since.
func Stored(ctx context.Context, db *store.DB, e study.Event, own Files) (*Tuning, *Result, *Examination, error) {
	var stored struct{ Plan json.RawMessage }
	var plan Plan
	if err := errors.Join(json.Unmarshal([]byte(e.Plan), &stored), json.Unmarshal(stored.Plan, &plan)); err != nil {
		return nil, nil, nil, fmt.Errorf("plan of %s: %w", e.Name, err)
	}
	stated := plan
	opponents, err := own.agents(plan.Opponents)
	plan.Opponents = opponents
	if err == nil {
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
	t.Rules, t.Agent, t.Opponents = stated.Rules, stated.Agent, stated.Opponents
	r, err := t.Recall(ctx, db)
	if errors.Is(err, errOtherPlan) {
		return nil, nil, nil, fmt.Errorf("%w: the agents of %s have changed since, or the program has", ErrMissing, e.Name)
	}
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
		if t.pool, err = own.agents(exam.Validation.Pool); err != nil {
			continue // of agents that are not at hand
		}
		x, err := t.RecallValidation(ctx, db, r.Tuned, last)
		if errors.Is(err, ErrMissing) {
			continue // of another agent than the answer, or not finished
		}
		return t, r, x, err
	}
	return t, r, nil, nil
}

// served is the path of what a study calls by a name: the name itself where it is shipped, else one of the files.
func served(kind configs.Kind, name string, files []string) (string, error) {
	if slices.Contains(configs.Names(kind), name) {
		return name, nil
	}
	for _, f := range files {
		if filepath.Base(f) == filepath.Base(name) {
			return filepath.Abs(f)
		}
	}
	what := map[configs.Kind][2]string{configs.Games: {"its rules are", "rules"}, configs.Agents: {"an agent is", "agent"}}[kind]
	return "", fmt.Errorf("%w: %s of a file, %s: serve it, too (--%s %[3]s), or see the page that spar tune report makes", ErrMissing, what[0], name, what[1])
}

// agents is served for the names of agents, self among them.
func (f Files) agents(names []string) ([]string, error) {
	out := slices.Clone(names)
	for i, name := range names {
		if name == self {
			continue
		}
		path, err := served(configs.Agents, name, f.Agents)
		if err != nil {
			return nil, err
		}
		out[i] = path
	}
	return out, nil
}

// meant is a stored plan with the rules and agents of a plan, and without the knobs of other methods than its own: a file may not state them.
func meant(stored []byte, plan Plan) ([]byte, error) {
	var keys map[string]any
	if err := json.Unmarshal(stored, &keys); err != nil {
		return nil, err
	}
	method := plan.Method
	keys["rules"], keys["agent"] = plan.Rules, plan.Agent
	if len(plan.Opponents) > 0 {
		keys["opponents"] = plan.Opponents
	}
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
