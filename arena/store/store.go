// Package store keeps a study in one SQLite file. A study has events; an event has games, each in its slot (event,
// number) and each with its rules, agents and worker. The marks of a game determine what it counts for (package
// evidence). A superseded game keeps its row, but its slot is free. Commit writes games and marks in one
// transaction. Games, Outcomes and the SQL views read them.
//
// This is the only package that links SQLite. While a process has a study open, no other code in that process may
// open and close the file. Under POSIX, closing a file once drops all locks of the process on it; another reader
// would then delete the log that this process is writing.
package store

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"spar/configs/strict"
)

//go:embed schema.sql
var schemaV1 string

//go:embed plies.sql
var schemaV2 string

//go:embed values.sql
var schemaV3 string

//go:embed evidence.sql
var schemaV4 string

//go:embed people.sql
var schemaV5 string

//go:embed workers.sql
var schemaV6 string

//go:embed lines.sql
var schemaV7 string

//go:embed builds.sql
var schemaV8 string

// migrations lists the steps from one schema version (PRAGMA user_version) to the next.
func migrations() []string {
	return []string{schemaV1, schemaV2, schemaV3, schemaV4, schemaV5, schemaV6, schemaV7, schemaV8}
}

// versionEvidence is the first schema version that stores the marks of games.
const versionEvidence = 4

// DB is an open study.
type DB struct {
	sql  *sql.DB
	path string
	file string   // path without symbolic links; it is the same for all names of the study
	made []string // folders created for the file, the innermost first

	home *home
	gone atomic.Bool // set if the file was removed or another file has its path
	logs [2]os.FileInfo
	// stops watching the file, and saves the games if the file is gone; nil if the file is not watched
	unwatch func()

	locking sync.Mutex
	locks   int    // number of locks held by this process
	release func() // releases the file lock; nil if no lock is held
}

// ErrPath is the error for a path that cannot be a study's file.
var ErrPath = strict.Mistake("a study is a file")

// ErrIsStudy is the error if an output file is a study.
var ErrIsStudy = errors.New("is an SQLite database, which Spar does not overwrite")

// ForeignError says that a file is not a study, or that it needs a newer version of Spar.
type ForeignError struct{ error }

func (e *ForeignError) Unwrap() error { return e.error }

// BadInput reports true: see strict.IsBadInput.
func (*ForeignError) BadInput() bool { return true }

// lockPatience is how long to wait for a lock. If a process is killed while it starts an external program, the
// child has its lock until it is first scheduled.
const lockPatience = time.Second

// ErrBusy says that another process is writing to the study.
var ErrBusy = errors.New("another process is writing to this study")

// schemaVersion returns the schema version of a study, 0 for an empty file. It fails for a newer version and for
// another program's file.
func schemaVersion(ctx context.Context, q queryer) (int, error) {
	var version, tables int
	err := q.QueryRowContext(ctx, "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM "+
		"pragma_user_version").Scan(&version, &tables)
	switch known := len(migrations()); {
	case err != nil:
		return 0, explain(err)
	case version > known:
		return 0, &ForeignError{fmt.Errorf("a newer Spar wrote it (schema %d; this one reads up to %d)", version, known)}
	case version == 0 && tables > 0:
		return 0, &ForeignError{errors.New("an SQLite file, but not a study of Spar")}
	}
	return version, nil
}

// migrate updates the schema. It reads the version again under the write lock, since another process may be migrating,
// too.
func (db *DB) migrate(ctx context.Context) error {
	version, err := schemaVersion(ctx, db.sql)
	if err != nil || version == len(migrations()) {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		version, err := schemaVersion(ctx, tx)
		if err != nil {
			return err
		}
		if err := checkSchema(ctx, tx, version); err != nil { // again: the file may have changed since it was probed
			return err
		}
		old := version
		for ; version < len(migrations()); version++ {
			if _, err := tx.ExecContext(ctx, migrations()[version]+fmt.Sprintf(";PRAGMA user_version = %d",
				version+1)); err != nil {
				return explain(err)
			}
		}
		if 0 < old && old < versionEvidence {
			if err := judge(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
}

// Result codes of SQLite (sqlite.org/rescode.html).
const (
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeCorrupt  = 11
	codeCantOpen = 14
	codeTooBig   = 18
	codeNotADB   = 26
)

// explain replaces SQLite's errors by explanations for users.
func explain(err error) error {
	switch resultCode(err) {
	case codeBusy, codeLocked:
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	case codeCorrupt:
		return fmt.Errorf("%w: \"sqlite3 X.db .recover | sqlite3 NEW.db\" saves the readable part", err)
	case codeNotADB:
		return &ForeignError{fmt.Errorf("not an SQLite file (%w)", err)}
	case codeTooBig:
		return rowError("a row", fmt.Errorf("it has more than %d MB", mostText>>20))
	}
	if err != nil {
		if _, scanned, ok := strings.Cut(err.Error(), "sql: Scan error on column index "); ok {
			_, column, _ := strings.Cut(scanned, ", name ")
			return rowError("a row", errors.New(column))
		}
	}
	return err
}

// write runs do in a transaction, and commits it if do succeeds.
func (db *DB) write(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := db.sql.BeginTx(ctx, nil)
	if err != nil {
		return explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if err := do(tx); err != nil {
		return err
	}
	return explain(tx.Commit())
}

// Path returns the path of the study's file.
func (db *DB) Path() string { return db.path }

// Lock prevents other processes from writing games to the study until unlock is called or this process ends. They
// get ErrBusy after a second. The holder may lock the same DB again; the last unlock releases it.
func (db *DB) Lock() (unlock func(), err error) {
	db.locking.Lock()
	defer db.locking.Unlock()
	if db.release == nil {
		if db.release, err = db.lockFile(); err != nil {
			return nil, err
		}
	}
	db.locks++
	return sync.OnceFunc(db.unlock), nil
}

func (db *DB) unlock() {
	db.locking.Lock()
	defer db.locking.Unlock()
	if db.locks--; db.locks == 0 && !db.gone.Load() { // nobody makes a study in its place before this one is closed
		db.release()
		db.release = nil
	}
}

// Close closes the study.
func (db *DB) Close() error {
	if db.unwatch != nil {
		db.unwatch()
	}
	err := db.sql.Close()
	if db.gone.Load() {
		db.removeLogs()
	}
	db.locking.Lock()
	defer db.locking.Unlock()
	if db.locks == 0 && db.release != nil {
		db.release()
		db.release = nil
	}
	return err
}

// Discard closes a study. If it has no event, Discard also removes the file and the folders created for it.
func (db *DB) Discard(ctx context.Context) error {
	unlock, err := db.Lock()
	if err != nil {
		return errors.Join(err, db.Close())
	}
	events, err := db.Events(ctx)
	err = errors.Join(err, db.Close())
	if err == nil && len(events) == 0 {
		err = removeStudy(db.file)
	}
	unlock()
	if err != nil || len(events) > 0 {
		return err
	}
	for _, folder := range db.made {
		if err := os.Remove(folder); err != nil { // something else has come into it
			break
		}
	}
	return nil
}

// removeStudy removes a file, and SQLite's files next to it.
func removeStudy(path string) error {
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
