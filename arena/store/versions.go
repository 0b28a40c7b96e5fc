package store

import (
	"context"
	"database/sql"
	"os"
	"sync"
	"time"
)

// Versions detects changes to a study. It has its own connection, so the caller must close it. It is safe for
// concurrent use.
type Versions struct {
	mu    sync.Mutex
	conn  *sql.Conn
	began int64 // so that no other detector returns the same numbers
}

// Versions returns a detector of changes for the study.
func (db *DB) Versions(ctx context.Context) (*Versions, error) {
	conn, err := db.sql.Conn(ctx)
	return &Versions{conn: conn, began: time.Now().UnixNano()}, explain(err)
}

// Now returns a number that changes with every change to the study, and differs from those of other studies.
func (v *Versions) Now(ctx context.Context) (n int64, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	err = v.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&n)
	return v.began + n, explain(err)
}

// Replaced reports whether the path of the study no longer names its file.
func (db *DB) Replaced() bool {
	info, err := os.Stat(db.path)
	return err != nil || !os.SameFile(info, db.inode.id)
}

// Close closes the connection.
func (v *Versions) Close() error { return v.conn.Close() }
