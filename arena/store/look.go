package store

import (
	"context"
	"time"
)

// Sizes are the numbers of rows of a study.
type Sizes struct{ Games, Rules, Agents, Events int64 }

// Sizes counts the rows of a study.
func (db *DB) Sizes(ctx context.Context) (n Sizes, err error) {
	err = db.sql.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM rules), (SELECT count(*) FROM agents),
		(SELECT count(*) FROM events)`).Scan(&n.Games, &n.Rules, &n.Agents, &n.Events)
	return n, explain(err)
}

// Neighbours are the ids of the games before and after one, 0 where there is none.
func (db *DB) Neighbours(ctx context.Context, id int64) (before, after int64, err error) {
	err = db.sql.QueryRowContext(ctx, "SELECT coalesce((SELECT max(id) FROM games WHERE id < ?1), 0), coalesce((SELECT min(id) FROM games WHERE id > ?1), 0)", id).Scan(&before, &after)
	return before, after, explain(err)
}

// Watch calls changed whenever another process, or another connection of this one, has written to the study, until ctx ends. It asks
// as often as told.
func (db *DB) Watch(ctx context.Context, every time.Duration, changed func()) error {
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return explain(err)
	}
	defer conn.Close()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for last := int64(-1); ; {
		var now int64
		if err := conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&now); err != nil {
			return explain(err)
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
