package store

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// Sizes are the numbers of rows of a study.
type Sizes struct{ Games, Rules, Agents, Events int64 }

// Sizes counts the rows of a study.
func (db *DB) Sizes(ctx context.Context) (n Sizes, err error) {
	err = db.sql.QueryRowContext(ctx,
		`SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rules), (SELECT count(*) FROM agents),
		(SELECT count(*) FROM events)`).
		Scan(columns(&n)...)
	return n, explain(err)
}

// RulesTotal counts, for one set of rules, the results of games that count for balance.
type RulesTotal struct {
	Rules        string
	Games        int64
	First, Draws int64   // wins of the first player, draws, and wins of the second player
	Plies        float64 // mean length in plies
}

// RulesTotals counts the games of each set of rules, by name, as the study's view first_player does.
func (db *DB) RulesTotals(ctx context.Context) ([]RulesTotal, error) {
	return list(ctx, db.sql, scan[RulesTotal],
		"SELECT rules, games, first, draws, mean_plies FROM first_player ORDER BY rules")
}

// Window returns the id of the n-th game after the game with id after or, if back is true, before it. If there are
// fewer games, it returns the id of the last one in that direction; 0 if there is none. If after is 0, it counts from
// the first game or, if back is true, from the last.
func (db *DB) Window(ctx context.Context, after, n int64, back bool) (id int64, err error) {
	query := `SELECT coalesce((SELECT id FROM games WHERE id > ?1 ORDER BY id LIMIT 1 OFFSET ?2 - 1),
		(SELECT max(id) FROM games WHERE id > ?1), 0)`
	if back {
		query = `SELECT coalesce((SELECT id FROM games WHERE ?1 IN (0) OR id < ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2 - 1),
			(SELECT min(id) FROM games WHERE ?1 IN (0) OR id < ?1), 0)`
	}
	err = db.sql.QueryRowContext(ctx, query, after, n).Scan(&id)
	return id, explain(err)
}

// Versions detects changes of a study. It has its own connection, so the caller must close it. It is safe for
// concurrent use.
type Versions struct {
	mu   sync.Mutex
	conn *sql.Conn
}

// Versions returns a detector of changes for the study.
func (db *DB) Versions(ctx context.Context) (*Versions, error) {
	conn, err := db.sql.Conn(ctx)
	return &Versions{conn: conn}, explain(err)
}

// Now returns a number that changes with every change of the study.
func (v *Versions) Now(ctx context.Context) (n int64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	err = v.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&n)
	return n, explain(err)
}

// Close closes the connection.
func (v *Versions) Close() error { return v.conn.Close() }

// Neighbours returns the ids of the games before and after a game, or 0 if there is none.
func (db *DB) Neighbours(ctx context.Context, id int64) (before, after int64, err error) {
	err = db.sql.QueryRowContext(ctx, "SELECT coalesce((SELECT max(id) FROM games WHERE id < ?1), 0), coalesce((SELECT "+
		"min(id) FROM games WHERE id > ?1), 0)", id).Scan(&before, &after)
	return before, after, explain(err)
}

// Watch calls changed whenever another process or connection has written to the study, until ctx ends. It checks
// at the given interval.
func (db *DB) Watch(ctx context.Context, every time.Duration, changed func()) error {
	versions, err := db.Versions(ctx)
	if err != nil {
		return err
	}
	defer versions.Close()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for last := int64(-1); ; {
		now, err := versions.Now(ctx)
		if err != nil {
			return err
		}
		if last >= 0 && now != last {
			changed()
		}
		last = now
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}
