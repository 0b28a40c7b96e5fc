package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"spar/arena/evidence"
	"spar/arena/study"
)

// RecordWorkers stores records of workers. It replaces earlier records of these workers. It fails after a few
// seconds if the study cannot be written.
func (db *DB) RecordWorkers(ctx context.Context, workers []study.Worker) error {
	return db.persist(ctx, ctx, briefly, func(tx *sql.Tx) error {
		for _, w := range workers {
			if err := addWorker(ctx, tx, "INSERT OR REPLACE", w); err != nil {
				return err
			}
		}
		return nil
	})
}

// addWorker stores the record of a machine. The SQL verb determines what happens to an earlier record.
func addWorker(ctx context.Context, q queryer, insert string, w study.Worker) error {
	_, err := q.ExecContext(
		ctx,
		insert+` INTO workers (id, system, slots, speed, games, faults, late, checked, differed, barred, joined, seen)
		VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`,
		w.ID,
		w.System,
		w.Slots,
		w.Speed,
		w.Games,
		w.Faults,
		w.Late,
		w.Checked,
		w.Differed,
		w.Barred,
		w.Joined.UTC().Format(time.RFC3339),
		w.Seen.UTC().Format(time.RFC3339),
	)
	return explain(err)
}

// Workers lists the machines that have played games of the study, in the order in which they joined.
func (db *DB) Workers(ctx context.Context) ([]study.Worker, error) {
	return list(ctx, db.sql, func(rows *sql.Rows, w *study.Worker) error {
		var joined, seen string
		err := rows.Scan(&w.ID, &w.System, &w.Slots, &w.Speed, &w.Games, &w.Faults, &w.Late, &w.Checked, &w.Differed,
			&w.Barred, &joined, &seen)
		if err != nil {
			return err
		}
		if w.Joined, err = time.Parse(time.RFC3339, joined); err == nil {
			w.Seen, err = time.Parse(time.RFC3339, seen)
		}
		if err != nil {
			return fmt.Errorf("worker %s: %w", w.ID, err)
		}
		return nil
	}, `SELECT id, system, slots, speed, games, faults, late, checked, differed, barred, joined, seen
		FROM workers ORDER BY joined, id`)
}

// aside is the number that is added to the number of a superseded game, more than once if necessary, so that its
// slot is free.
const aside = 1_000_000_000

// Supersede marks the games of a worker in all events as superseded, except those for which keep returns true. It
// returns their number. They stay in the study under numbers that no schedule uses, so that other games can take
// their slots.
func (db *DB) Supersede(ctx context.Context, worker string, keep func(event, number int64) bool) (int64, error) {
	return db.supersede(ctx, "worker = ?", worker, keep)
}

// SupersedeFrom marks the games of an event from the given number on as superseded, whichever worker played them. It
// returns their number.
func (db *DB) SupersedeFrom(ctx context.Context, event, number int64) (int64, error) {
	return db.supersede(ctx, "event = ?", event, func(_, n int64) bool { return n < number })
}

func (db *DB) supersede(ctx context.Context, where string, arg any, keep func(event, number int64) bool) (int64,
	error,
) {
	type place struct{ Event, Number int64 }
	return db.id(ctx, func(tx *sql.Tx) (int64, error) {
		places, err := list(ctx, tx, scan[place],
			"SELECT event, number FROM games WHERE "+where+" AND (marks & ?) = 0", arg, int64(evidence.Superseded))
		if err != nil {
			return 0, err
		}
		places = slices.DeleteFunc(places, func(p place) bool { return keep(p.Event, p.Number) })
		for _, p := range places {
			if err := setAside(ctx, tx, p.Event, p.Number); err != nil {
				return 0, fmt.Errorf("game %d: %w", GameID(p.Event, p.Number), explain(err))
			}
		}
		return int64(len(places)), nil
	})
}

// RetireAgents renames agents whose games are all superseded, like "tuned 7+ (superseded 12)", so that other
// agents can use their names. It returns their number.
func (db *DB) RetireAgents(ctx context.Context) (int64, error) {
	return db.id(ctx, func(tx *sql.Tx) (int64, error) {
		r, err := tx.ExecContext(
			ctx,
			`UPDATE agents SET name = name || ' (superseded ' || id || ')' WHERE name NOT LIKE '% (superseded %)'
			AND id NOT IN (SELECT first FROM games WHERE number < ?1 UNION SELECT second FROM games WHERE number < ?1)`,
			aside,
		)
		if err != nil {
			return 0, explain(err)
		}
		return r.RowsAffected()
	})
}

// setAside moves a game to a number outside the schedule, and marks it.
func setAside(ctx context.Context, tx *sql.Tx, event, number int64) error {
	to := number + aside
	for taken := true; ; to += aside {
		if err := tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM games WHERE id = ?)",
			GameID(event, to)).Scan(&taken); err != nil {
			return err
		}
		if !taken {
			break
		}
	}
	if _, err := tx.ExecContext(ctx, "PRAGMA defer_foreign_keys = on"); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE games SET id = ?, number = ?, marks = (marks | ?) & ~? WHERE id = ?",
		GameID(event, to), to, int64(evidence.Superseded), int64(evidence.Pending), GameID(event, number)); err != nil {
		return err
	}
	for _, table := range []string{"plies", "position_values", "opinions", "tables"} { // all that refer to games
		if _, err := tx.ExecContext(ctx, "UPDATE "+table+" SET game = ? WHERE game = ?", GameID(event, to),
			GameID(event, number)); err != nil {
			return err
		}
	}
	return nil
}
