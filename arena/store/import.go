package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"spar/arena/evidence"
	"spar/arena/study"
)

// Import adds rows of another study in one transaction. Rows refer to other rows by name; those must be in the study or
// come earlier in the import. If an equal row exists already, nothing changes.
type Import struct {
	db                    *DB
	tx                    *sql.Tx
	events, rules, agents map[string]int64
	batch                 []study.Game
	added                 int64
}

// ErrNotListed is returned for a row that refers to a name that no earlier row has.
var ErrNotListed = errors.New("not listed")

// Import starts an import. Commit or Rollback ends it.
func (db *DB) Import(ctx context.Context) (*Import, error) {
	var tx *sql.Tx
	err := db.repeat(ctx, patience, func() (err error) {
		tx, err = db.sql.BeginTx(ctx, nil)
		return explain(err)
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", db.path, err)
	}
	return &Import{
		db:     db,
		tx:     tx,
		events: map[string]int64{},
		rules:  map[string]int64{},
		agents: map[string]int64{},
	}, nil
}

// Event adds an event with the times of its runs and the builds that played its games. If an event with that name
// exists, it must have the same plan. Builds that the study does not have are assumed to have played the event's
// new games.
func (i *Import) Event(ctx context.Context, e study.Event, builds []Stretch) error {
	if err := i.flush(ctx); err != nil {
		return err
	}
	stored, isNew, err := beginEvent(ctx, i.tx, i.db.path, e)
	if err != nil {
		return err
	}
	i.events[e.Name] = stored.ID
	if isNew {
		if _, err := i.tx.ExecContext(ctx, "UPDATE events SET started = ?, ended = ?, wall_s = ?, cpu_s = ? WHERE id = ?",
			e.Started, e.Ended, e.WallS, e.CPUS, stored.ID); err != nil {
			return explain(err)
		}
	}
	for _, b := range builds {
		before, known := &b.Before, false
		if !isNew {
			before = nil
			if err := i.tx.QueryRowContext(ctx,
				`SELECT EXISTS (SELECT 1 FROM builds
				WHERE event = ? AND version = ? AND commit_hash = ? AND go_version = ? AND cpu = ? AND command = ?)`,
				append([]any{stored.ID}, columns(&b.Build)...)...).Scan(&known); err != nil {
				return explain(err)
			}
		}
		if !known {
			if err := insertBuild(ctx, i.tx, stored.ID, before, b.Since, b.Build); err != nil {
				return err
			}
		}
	}
	return nil
}

// Worker adds the record of a machine. If the study has the machine already, Worker changes only whether it is barred.
func (i *Import) Worker(ctx context.Context, w study.Worker) error {
	err := addWorker(ctx, i.tx, "INSERT OR IGNORE", w)
	if err == nil {
		_, err = i.tx.ExecContext(ctx, "UPDATE workers SET barred = ? WHERE id = ? AND barred = ''", w.Barred, w.ID)
	}
	return explain(err)
}

// Rules adds rules. Existing rules with that name must be the same.
func (i *Import) Rules(ctx context.Context, r StoredRules) (err error) {
	i.rules[r.Name], err = rulesID(ctx, i.tx, i.db.path, r.Name, r.Hash, r.Canonical)
	return err
}

// Agent adds an agent. An existing agent with that name must be the same.
func (i *Import) Agent(ctx context.Context, name, spec string) (err error) {
	i.agents[name], err = agentID(ctx, i.tx, i.db.path, name, spec)
	return err
}

// Effective adds an agent with the knobs and weights that it has under the given rules.
func (i *Import) Effective(ctx context.Context, e study.Effective) error {
	agent, rules := i.agents[e.Agent], i.rules[e.Rules]
	if agent == 0 || rules == 0 {
		return fmt.Errorf("the spec of %q under %q: %w", e.Agent, e.Rules, ErrNotListed)
	}
	difference, err := effectiveDifference(ctx, i.tx, e)
	if err == nil && difference != "" {
		err = fmt.Errorf("%s has games of a different %s under %s (%s): choose another database", i.db.path, e.Agent, e.Rules,
			difference)
	}
	if err != nil {
		return err
	}
	return addEffective(ctx, i.tx, agent, rules, e)
}

// Game adds a game, with the names of its event, rules and agents. It keeps only those marks that do not depend on
// other games: see evidence.Given.
func (i *Import) Game(ctx context.Context, r Row) error {
	g := r.Game
	g.Event = i.events[r.EventName]
	g.Rules = i.rules[r.RulesName]
	g.First = i.agents[r.FirstName]
	g.Second = i.agents[r.SecondName]
	g.Marks &= evidence.Given
	for what, known := range map[string]bool{
		"event " + r.EventName: g.Event != 0, "rules " + r.RulesName: g.Rules != 0,
		"agent " + r.FirstName: g.First != 0, "agent " + r.SecondName: g.Second != 0,
	} {
		if !known {
			return fmt.Errorf("game %d refers to the %s: %w", r.ID, what, ErrNotListed)
		}
	}
	if i.batch = append(i.batch, g); len(i.batch) < 1000 {
		return nil
	}
	return i.flush(ctx)
}

// Table adds a game played by people. It is in progress, or finished if the event and number of its stored game
// are given.
func (i *Import) Table(ctx context.Context, t Table, event string, number int64) error {
	id, err := i.stored(ctx, event, number)
	if err != nil {
		return err
	}
	_, err = i.tx.ExecContext(ctx, "INSERT OR IGNORE INTO tables (id, state, changed, game) VALUES (?1, iif(?4 IS NULL, "+
		"?2, json_replace(?2, '$.game', ?4)), ?3, ?4)",
		t.ID, study.HashTokens(t.State), t.Changed, sql.NullInt64{Int64: id, Valid: id != 0})
	return explain(err)
}

// Opinion adds a person's opinion of the game with that event and number.
func (i *Import) Opinion(ctx context.Context, o Opinion, event string, number int64) error {
	id, err := i.stored(ctx, event, number)
	if err != nil {
		return err
	}
	_, err = i.tx.ExecContext(ctx, `INSERT INTO opinions (game, fun, again, confusing, said) SELECT ?1, ?2, ?3, ?4, ?5
		WHERE NOT EXISTS (SELECT 1 FROM opinions
			WHERE game = ?1 AND fun = ?2 AND again = ?3 AND confusing = ?4 AND said = ?5)`,
		id, o.Fun, o.Again, o.Confusing, o.Said)
	return explain(err)
}

// Lines adds the variations that people analysed for a game.
func (i *Import) Lines(ctx context.Context, l *Lines) error {
	_, err := i.tx.ExecContext(ctx, "INSERT OR IGNORE INTO lines (game, moves, changed) VALUES (?,?,?)", l.Game, l.Moves,
		l.Changed)
	return explain(err)
}

// stored returns the id of a game that the study already has; 0 if it has none.
func (i *Import) stored(ctx context.Context, event string, number int64) (id int64, err error) {
	if event == "" {
		return 0, nil
	}
	if err := i.flush(ctx); err != nil {
		return 0, err
	}
	err = i.tx.QueryRowContext(ctx, "SELECT id FROM games WHERE event = ? AND number = ?", i.events[event],
		number).Scan(&id)
	if absent(err) {
		err = fmt.Errorf("game %d of the event %s: %w", number, event, ErrNotListed)
	}
	return id, explain(err)
}

func (i *Import) flush(ctx context.Context) error {
	n, err := i.db.insert(ctx, i.tx, i.batch)
	i.added += n
	i.batch = i.batch[:0]
	return explain(err)
}

// Commit judges all games of the study again and returns the number of new games.
func (i *Import) Commit(ctx context.Context) (added int64, err error) {
	if err = i.flush(ctx); err == nil {
		if err = judge(ctx, i.tx); err == nil {
			err = i.tx.Commit()
		}
	}
	i.db.inode.turn.Lock()
	i.db.inode.committed()
	i.db.inode.turn.Unlock()
	if err != nil {
		return 0, fmt.Errorf("storing games in %s: %w", i.db.path, explain(err))
	}
	return i.added, nil
}

// Rollback undoes the import. After Commit it does nothing.
func (i *Import) Rollback() { _ = i.tx.Rollback() }
