package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"spar/arena/study"
)

// Oracle is an evaluator of positions whose values a study stores.
type Oracle struct {
	ID    int64  `json:"-"`
	Name  string `json:"oracle" help:"name of an evaluator of positions"`
	Rules string `json:"rules" help:"label of the rules"`
	Spec  string `json:"spec" help:"settings that determine the values, JSON as text"`
	Exact bool   `json:"exact" help:"true for values of the solved game"`
	Seed  int64  `json:"seed" help:"seed"`
}

// PositionValue is an oracle's value of one position of a game: the position after Ply plies, before the next
// move.
type PositionValue struct {
	Ply       int      `json:"ply" help:"plies played so far"`
	Side      int      `json:"side" help:"side to move: 0 first, 1 second"`
	Value     float64  `json:"value" help:"expected score of the first player"` // 0 to 1
	Again     *float64 `json:"again,omitempty" help:"the same value with a second seed"`
	Best      string   `json:"best" help:"best move by this evaluator"`
	BestValue float64  `json:"best_value" help:"value of that move for the side to move"`
	Played    *float64 `json:"played,omitempty" help:"value of the move played, for the side to move"`
	Legal     int      `json:"legal" help:"legal moves"`
}

// oracleID finds an oracle by its rules and spec, or adds it. It returns its row id.
func oracleID(ctx context.Context, q queryer, o Oracle) (int64, error) {
	var id int64
	err := q.QueryRowContext(ctx, "SELECT o.id FROM oracles o JOIN rules r ON r.id = o.rules WHERE r.name = ? "+
		"AND o.spec = ?", o.Rules, o.Spec).Scan(&id)
	if !absent(err) {
		return id, explain(err)
	}
	var rules int64
	if err := q.QueryRowContext(ctx, "SELECT id FROM rules WHERE name = ?", o.Rules).Scan(&rules); err != nil {
		return 0, fmt.Errorf("no rules %q: %w", o.Rules, explain(err))
	}
	return insertID(ctx, q, "INSERT INTO oracles (name, rules, spec, exact, seed) VALUES (?,?,?,?,?)", o.Name, rules,
		o.Spec, o.Exact, o.Seed)
}

// Oracles lists the oracles of the rules with the given label, in the order in which they were added.
func (db *DB) Oracles(ctx context.Context, rules string) ([]Oracle, error) {
	return list(ctx, db.sql, scan[Oracle],
		`SELECT o.id, o.name, r.name, o.spec, o.exact, o.seed FROM oracles o JOIN rules r ON r.id = o.rules
		WHERE r.name = ? ORDER BY o.id`, rules)
}

// AddValues stores an oracle's values of whole games in one transaction, by game id. It replaces existing values. If
// the DB is open only for reading, AddValues opens the study for writing during this call, unless the study is of an
// older version. It returns ErrBusy if another process writes.
func (db *DB) AddValues(ctx context.Context, o Oracle, games map[int64][]PositionValue) error {
	switch {
	case db.memory != nil: // to store them would update the schema of the study
		return nil
	case !db.writes:
		w, err := Open(ctx, db.path, Writing)
		if err != nil {
			return err
		}
		return errors.Join(w.AddValues(ctx, o, games), w.Close())
	}
	err := db.write(ctx, func(tx *sql.Tx) error { return addValues(ctx, tx, o, games) })
	if err != nil {
		return fmt.Errorf("storing values in %s: %w", db.path, err)
	}
	return nil
}

func addValues(ctx context.Context, tx *sql.Tx, o Oracle, games map[int64][]PositionValue) error {
	oracle, err := oracleID(ctx, tx, o)
	if err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, `INSERT OR REPLACE INTO position_values
		(oracle, game, ply, side, value, again, best, best_value, played_value, legal) VALUES (?,?,?,?,?,?,?,?,?,?)`)
	if err != nil {
		return explain(err)
	}
	defer insert.Close()
	for game, values := range games {
		for _, v := range values {
			if _, err := insert.ExecContext(ctx, append([]any{oracle, game}, columns(&v)...)...); err != nil {
				return fmt.Errorf("game %d: %w", game, explain(err))
			}
		}
	}
	return nil
}

// Values returns all values of an oracle, identified by its rules and spec, by game id and in the order of plies.
func (db *DB) Values(ctx context.Context, o Oracle) (map[int64][]PositionValue, error) {
	out := map[int64][]PositionValue{}
	var game int64
	for v, err := range each(ctx, db.sql, func(rows *sql.Rows, v *PositionValue) error {
		return rows.Scan(append([]any{&game}, columns(v)...)...)
	}, `SELECT game, ply, side, value, again, best, best_value, played_value, legal
		FROM position_values WHERE oracle = (SELECT o.id FROM oracles o JOIN rules r ON r.id = o.rules
			WHERE r.name = ? AND o.spec = ?) ORDER BY game, ply`, o.Rules, o.Spec) {
		if err != nil {
			return nil, err
		}
		out[game] = append(out[game], v)
	}
	return out, nil
}

// RulesNamed returns the rules with the given label. The result ok is false if the study has none.
func (db *DB) RulesNamed(ctx context.Context, name string) (r StoredRules, ok bool, err error) {
	err = db.sql.QueryRowContext(ctx,
		"SELECT id, name, hash, canonical FROM rules WHERE name = ?", name).Scan(columns(&r)...)
	if absent(err) {
		return r, false, nil
	}
	return r, err == nil, explain(err)
}

// AgentNames returns the names of the agents by id.
func (db *DB) AgentNames(ctx context.Context) (map[int64]string, error) {
	return byKey[int64, string](ctx, db.sql, "SELECT id, name FROM agents")
}

// SomeGamesOf yields an even sample of the games of one set of rules, without names: both games of every step-th
// pair.
func (db *DB) SomeGamesOf(ctx context.Context, rules, step int64) iter.Seq2[study.Game, error] {
	return db.query(ctx, "WHERE rules = ? AND ((id - 1) >> 1) % ? = 0 ORDER BY id", rules, step)
}

// EventCounts returns the number of games of one set of rules by event.
func (db *DB) EventCounts(ctx context.Context, rules int64) (map[int64]int64, error) {
	return byKey[int64, int64](ctx, db.sql, "SELECT event, count(*) FROM games WHERE rules = ? GROUP BY event", rules)
}
