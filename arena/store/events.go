package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"spar/agents"
	"spar/arena/study"
)

// BeginEvent finds or creates the event with the given name. It returns a *PlanError if the stored plan differs, or if
// an agent has already played under the same rules with other knobs or weights. A run can therefore only continue with
// the same plan, and a study never mixes two versions of an agent.
func (db *DB) BeginEvent(ctx context.Context, e study.Event) (study.Event, error) {
	stored := e
	err := db.write(ctx, func(tx *sql.Tx) (err error) {
		if stored, _, err = beginEvent(ctx, tx, db.path, e); err == nil {
			err = addBuild(ctx, tx, stored.ID, e.Build)
		}
		return err
	})
	return stored, err
}

// beginEvent is BeginEvent, except that it does not store the build.
func beginEvent(ctx context.Context, q queryer, path string, e study.Event) (_ study.Event, isNew bool, err error) {
	var plan string
	err = q.QueryRowContext(ctx, "SELECT id, plan FROM events WHERE name = ?", e.Name).Scan(&e.ID, &plan)
	isNew = absent(err)
	if err != nil && !isNew {
		return e, false, explain(err)
	}
	if !isNew && plan != e.Plan {
		return e, false, &PlanError{
			Event:  e.Name,
			Path:   path,
			Stored: plan,
			Given:  e.Plan,
		}
	}
	for _, now := range e.Effective {
		difference, err := effectiveDifference(ctx, q, now)
		if err != nil {
			return e, false, err
		}
		if difference != "" {
			return e, false, &PlanError{
				Event:  e.Name,
				Path:   path,
				Stored: plan,
				Given:  e.Plan,
				Builds: difference,
			}
		}
	}
	if !isNew {
		return e, false, nil
	}
	now := time.Now().UTC().Format(time.RFC3339)
	e.Started = cmp.Or(e.Started, now)
	e.ID, err = insertID(
		ctx,
		q,
		`INSERT INTO events (name, purpose, plan, seed, created, version, commit_hash, go_version, cpu, started)
		VALUES (?,?,?,?,?,?,?,?,?,?)`,
		e.Name,
		e.Purpose,
		e.Plan,
		e.Seed,
		now,
		e.Build.Version,
		e.Build.Commit,
		e.Build.Go,
		e.Build.CPU,
		e.Started,
	)
	return e, true, err
}

// EndEvent stores the end of a run of an event and adds its times, in seconds, to those of earlier runs.
func (db *DB) EndEvent(ctx context.Context, event int64, ended time.Time, wall, cpu float64) error {
	return db.exec(ctx, patience, "UPDATE events SET ended = ?, wall_s = wall_s + ?, cpu_s = cpu_s + ? WHERE id = ?",
		ended.UTC().Format(time.RFC3339), wall, cpu, event)
}

// effectiveDifference describes how an agent differs from the stored one with the same name and rules; empty if
// there is none or they are equal.
func effectiveDifference(ctx context.Context, q queryer, now study.Effective) (string, error) {
	var own, spec, hash string
	err := q.QueryRowContext(ctx,
		`SELECT a.spec, e.spec, e.hash FROM effective_specs e JOIN agents a ON a.id = e.agent JOIN rules r ON r.id = e.rules
		WHERE a.name = ? AND r.name = ?`, now.Agent, now.Rules).
		Scan(&own, &spec, &hash)
	switch {
	case absent(err):
		return "", nil
	case err != nil:
		return "", explain(err)
	case hash == now.Hash || hash == "" && stated(own):
		return "", nil
	case hash == "" || now.Hash == "":
		return fmt.Sprintf("an older Spar played the games of %s under %s and did not store the agent's weights, which may "+
			"differ from the current ones", now.Agent, now.Rules), nil
	}
	return effectiveWords(spec, now), nil
}

// stated reports whether a stored spec determines the agent's play completely, without any default of the program.
func stated(spec string) bool {
	var s agents.Spec
	return json.Unmarshal([]byte(spec), &s) == nil && s.Complete()
}

// effectiveWords describes the differences between a spec and the stored one. All weights together are one item.
func effectiveWords(stored string, now study.Effective) string {
	words := differences(stored, now.Spec, func(path, was, is string) string {
		if top, _, _ := strings.Cut(path, "."); strings.HasSuffix(top, "weights") {
			return strings.ReplaceAll(top, "_", " ")
		}
		return fmt.Sprintf("%s was %s, is %s", path, was, is)
	})
	for i, w := range words {
		if strings.HasSuffix(w, "weights") {
			words[i] = fmt.Sprintf("%s of %s under %s", w, now.Agent, now.Rules)
		} else {
			words[i] = fmt.Sprintf("%s under %s: %s", now.Agent, now.Rules, w)
		}
	}
	return some(words)
}

// AddEffective stores an agent with the knobs and weights that it has under the given rules. Agent and rules are row
// ids. It returns an error if another version is stored.
func (db *DB) AddEffective(ctx context.Context, agent, rules int64, e study.Effective) error {
	return db.write(ctx, func(tx *sql.Tx) error { return addEffective(ctx, tx, agent, rules, e) })
}

func addEffective(ctx context.Context, q queryer, agent, rules int64, e study.Effective) error {
	r, err := q.ExecContext(ctx, `INSERT INTO effective_specs (agent, rules, spec, hash) VALUES (?,?,?,?)
		ON CONFLICT DO UPDATE SET spec = excluded.spec, hash = excluded.hash WHERE hash IN ('', excluded.hash)`,
		agent, rules, e.Spec, e.Hash)
	if err != nil {
		return explain(err)
	}
	if n, err := r.RowsAffected(); err != nil || n == 1 {
		return err
	}
	var stored string
	if err := q.QueryRowContext(ctx, "SELECT spec FROM effective_specs WHERE agent = ? AND rules = ?", agent,
		rules).Scan(&stored); err != nil {
		return explain(err)
	}
	return fmt.Errorf("the study has games of a different agent named %s under %s (%s): choose another name or database",
		e.Agent, e.Rules, effectiveWords(stored, e))
}

// Effective lists the agents with the knobs and weights that they have under each of the study's rules, sorted by
// agent and rules. The spec is empty if it was not stored.
func (db *DB) Effective(ctx context.Context) ([]study.Effective, error) {
	return list(ctx, db.sql, scan[study.Effective],
		`SELECT a.name, r.name, e.spec, e.hash FROM effective_specs e JOIN agents a ON a.id = e.agent
		JOIN rules r ON r.id = e.rules ORDER BY a.name, r.name`)
}

// PlanError says that the stored plan is different, or that agents have changed since the event began.
type PlanError struct {
	Event, Path, Stored, Given string
	Builds                     string // differences between the agents if the plans are equal; otherwise empty
}

// BadInput always returns true: see strict.IsBadInput.
func (*PlanError) BadInput() bool { return true }

func (e *PlanError) Error() string {
	if e.Builds != "" {
		return fmt.Sprintf("%s has games of %q by other versions of its agents (%s): choose another database",
			e.Path, e.Event, e.Builds)
	}
	words := differences(e.Stored, e.Given, func(path, was, is string) string {
		if strings.HasPrefix(path, "Rules") && strings.HasSuffix(path, "Hash") {
			return "the rules have changed"
		}
		if _, knob, ok := strings.Cut(path, "]."); ok && strings.HasPrefix(path, "Players[") {
			path = "an agent's " + knob
		}
		return fmt.Sprintf("%s was %s, is %s", strings.TrimPrefix(path, "Plan."), was, is)
	})
	return fmt.Sprintf("%s has games of %q under another plan (%s): choose another database with --db, or restore the plan",
		e.Path, e.Event, some(words))
}

// differences lists the differences between two JSON texts in words, each once.
func differences(before, after string, words func(path, was, is string) string) []string {
	stored, given := flatten(before), flatten(after)
	both := maps.Clone(stored)
	maps.Copy(both, given)
	paths := slices.Sorted(maps.Keys(both))
	var out []string
	for _, path := range paths {
		was, is := "absent", "absent"
		if v, ok := stored[path]; ok {
			was = v
		}
		if v, ok := given[path]; ok {
			is = v
		}
		if was != is {
			out = append(out, words(path, was, is))
		}
	}
	return slices.Compact(out)
}

// some joins the first few texts.
func some(words []string) string {
	if most := 3; len(words) > most {
		words = append(words[:most:most], fmt.Sprintf("and %d more", len(words)-most))
	}
	return cmp.Or(strings.Join(words, "; "), "their text differs")
}

// flatten lists the values of a JSON text by their paths.
func flatten(text string) map[string]string {
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(strings.TrimPrefix(path+"."+k, "."), x)
			}
		case []any:
			for i, x := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), x)
			}
		default:
			out[path] = fmt.Sprint(v)
		}
	}
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber() // seeds are whole numbers of any size
	if d.Decode(&v) != nil {
		return map[string]string{"plan": text}
	}
	walk("", v)
	return out
}

// ErrTaken is wrapped by errors about a name that means something else in the study.
var ErrTaken = errors.New("choose another name or database")

// RulesID finds rules by name, or adds them. It returns an error if other rules have that name.
func (db *DB) RulesID(ctx context.Context, name, hash, canonical string) (int64, error) {
	return db.id(ctx, func(tx *sql.Tx) (int64, error) {
		return rulesID(ctx, tx, db.path, name, hash, canonical)
	})
}

func rulesID(ctx context.Context, q queryer, path, name, hash, canonical string) (int64, error) {
	var id int64
	var stored string
	err := q.QueryRowContext(ctx, "SELECT id, hash FROM rules WHERE name = ?", name).Scan(&id, &stored)
	if absent(err) {
		return insertID(ctx, q, "INSERT INTO rules (name, hash, canonical) VALUES (?,?,?)", name, hash, canonical)
	}
	if err == nil && stored != hash {
		err = fmt.Errorf("%s has games under different rules named %s (hash %s, now %s): %w", path, name, stored, hash, ErrTaken)
	}
	return id, explain(err)
}

// AgentID finds an agent by name, or adds it. It returns an error if another agent has that name.
func (db *DB) AgentID(ctx context.Context, name, spec string) (int64, error) {
	return db.id(ctx, func(tx *sql.Tx) (int64, error) { return agentID(ctx, tx, db.path, name, spec) })
}

func agentID(ctx context.Context, q queryer, path, name, spec string) (int64, error) {
	var id int64
	var stored string
	err := q.QueryRowContext(ctx, "SELECT id, spec FROM agents WHERE name = ?", name).Scan(&id, &stored)
	if absent(err) {
		return insertID(ctx, q, "INSERT INTO agents (name, spec) VALUES (?,?)", name, spec)
	}
	if err == nil && stored != spec {
		err = fmt.Errorf("%s has games of a different agent named %s (stored spec %s, now %s): %w", path, name, stored, spec,
			ErrTaken)
	}
	return id, explain(err)
}

func insertID(ctx context.Context, q queryer, query string, args ...any) (int64, error) {
	r, err := q.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, explain(err)
	}
	return r.LastInsertId()
}

// Events lists the events of the study.
func (db *DB) Events(ctx context.Context) ([]study.Event, error) {
	return list(ctx, db.sql, func(rows *sql.Rows, e *study.Event) error {
		return rows.Scan(&e.ID, &e.Name, &e.Purpose, &e.Plan, &e.Seed, &e.Build.Version, &e.Build.Commit, &e.Build.Go,
			&e.Build.CPU,
			&e.Started, &e.Ended, &e.WallS, &e.CPUS)
	}, `SELECT id, name, purpose, plan, seed, version, commit_hash, go_version, cpu, started, ended, wall_s, cpu_s
		FROM events ORDER BY id`)
}
