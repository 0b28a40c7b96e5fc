package store

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

// Versions detects changes to a study. It has its own connection, so the caller must close it. It is safe for
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

// Now returns a number that changes with every change to the study.
func (v *Versions) Now(ctx context.Context) (n int64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	err = v.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&n)
	return n, explain(err)
}

// Close closes the connection.
func (v *Versions) Close() error { return v.conn.Close() }

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
