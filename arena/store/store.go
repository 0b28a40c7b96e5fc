// Package store keeps a study in one SQLite file. A study has events; an event has games, each in its slot (event,
// number) and each with its rules, agents and worker. The marks of a game determine what it counts for (package
// evidence). A superseded game keeps its row, but its slot is free. Commit writes games and marks in one
// transaction. Games, Outcomes and the SQL views read them.
//
// One process writes to a study: it locks the inode of its file. Readers open the file for reading only; they read a
// study of an older version from a copy in memory.
//
// This is the only package that links SQLite. While a process has a study open, no other code in that process may
// open and close the file. Under POSIX, closing a file once drops all locks of the process on it; another reader
// would then delete the log that this process is writing.
package store

import (
	"cmp"
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
	file string   // path without symbolic links
	made []string // folders created for the file, the innermost first

	inode  *inode
	home   *home     // nil for a copy in memory
	memory *sql.Conn // keeps a copy in memory; nil if the study is read from its file
	writes bool      // it has the claim to the inode
	tidies bool      // it removes the log that reading creates

	losses  *Losses // nil if the file is not watched
	gone    atomic.Pointer[GoneError]
	logs    [2]os.FileInfo
	known   journal
	closed  atomic.Bool
	unwatch func() // stops what looks after the file; nil for a reader
}

// ErrPath is returned for a path that cannot be a study's file.
var ErrPath = strict.Mistake("a study is a file")

// ErrIsStudy is returned if an output file is a study.
var ErrIsStudy = errors.New("is an SQLite database, which Spar does not overwrite")

// ForeignError says that a file is not a study, or that it needs a newer version of Spar.
type ForeignError struct{ error }

func (e *ForeignError) Unwrap() error { return e.error }

// BadInput always returns true: see strict.IsBadInput.
func (*ForeignError) BadInput() bool { return true }

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
		return 0, &ForeignError{errors.New("an SQLite file, but not a Spar study")}
	}
	var longest int
	if q.QueryRowContext(ctx, "SELECT max(octet_length(name)) FROM (SELECT name FROM agents UNION ALL SELECT name FROM rules "+
		"UNION ALL SELECT name FROM events)").Scan(&longest) == nil && longest > mostGame { // pages repeat names
		return 0, &ForeignError{fmt.Errorf("it has a name of %d bytes, and Spar reads up to %d", longest, mostGame)}
	}
	return version, nil
}

// migrate updates the schema.
func migrate(ctx context.Context, q queryer) error {
	old, err := schemaVersion(ctx, q)
	if err != nil {
		return err
	}
	if err := checkSchema(ctx, q, old); err != nil { // again: the file may have changed since it was probed
		return err
	}
	for version := old; version < len(migrations()); version++ {
		if _, err := q.ExecContext(ctx, migrations()[version]+fmt.Sprintf(";PRAGMA user_version = %d", version+1)); err != nil {
			return explain(err)
		}
	}
	if 0 < old && old < versionEvidence {
		return judge(ctx, q)
	}
	return nil
}

// Result codes of SQLite (sqlite.org/rescode.html).
const (
	codeBusy     = 5
	codeLocked   = 6
	codeNoMemory = 7
	codeReadOnly = 8
	codeIO       = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeProtocol = 15
	codeTooBig   = 18
	codeNotADB   = 26
)

// explain replaces SQLite's errors by explanations for users.
func explain(err error) error {
	switch resultCode(err) {
	case codeBusy, codeLocked:
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	case codeCorrupt:
		return fmt.Errorf("%w: \"spar verify X.db\" prints the command that saves the readable part", err)
	case codeNotADB:
		return &ForeignError{fmt.Errorf("not an SQLite file (%w)", err)}
	case codeTooBig:
		return rowError("a row", fmt.Errorf("it is larger than %d MB", mostText>>20))
	}
	if err != nil {
		if _, scanned, ok := strings.Cut(err.Error(), "sql: Scan error on column index "); ok {
			_, column, _ := strings.Cut(scanned, ", name ")
			return rowError("a row", errors.New(column))
		}
	}
	return err
}

// How long a failed write is repeated: where games wait for it, and where a person does.
const (
	patience = 10 * time.Minute
	briefly  = 5 * time.Second
)

// write runs do in a transaction, and commits it if do succeeds. It repeats what fails for a reason that may pass, like
// a lock of another program or a full disk, until ctx ends or patience does.
func (db *DB) write(ctx context.Context, do func(tx *sql.Tx) error) error {
	err := db.persist(ctx, ctx, patience, do)
	db.known.outdated()
	return err
}

// id is write for the id of a row.
func (db *DB) id(ctx context.Context, do func(tx *sql.Tx) (int64, error)) (id int64, err error) {
	err = db.write(ctx, func(tx *sql.Tx) (err error) {
		id, err = do(tx)
		return err
	})
	return id, err
}

// exec is write for one statement, for some time.
func (db *DB) exec(ctx context.Context, most time.Duration, query string, args ...any) error {
	err := db.persist(ctx, ctx, most, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return explain(err)
	})
	db.known.outdated()
	return err
}

// persist is write for some time. The context wait ends the repetition.
func (db *DB) persist(ctx, wait context.Context, most time.Duration, do func(tx *sql.Tx) error) error {
	return db.repeat(wait, most, func() error { return db.transaction(ctx, do) })
}

// repeat repeats a write that fails for a reason that may pass.
func (db *DB) repeat(wait context.Context, most time.Duration, write func() error) error {
	said := false
	for began := time.Now(); ; {
		err := write()
		failing := time.Since(began)
		if !passing(err) || failing > most || wait.Err() != nil || db.gone.Load() != nil {
			if said && err == nil {
				db.losses.tell(fmt.Errorf("study %s: Spar can write to it again", db.path))
			}
			return err
		}
		if !said && failing > idle && most == patience && db.losses != nil {
			db.losses.tell(fmt.Errorf("study %s: %w; Spar keeps its games and tries again for ten minutes, or for 30 s after Ctrl-C", db.path, err))
			said = true
		}
		select {
		case <-time.After(writeAgain):
		case <-wait.Done():
		}
	}
}

// writeAgain is the pause between attempts to write.
const writeAgain = 50 * time.Millisecond

// passing reports whether the reason for a failed write may pass.
func passing(err error) bool {
	switch resultCode(err) {
	case codeBusy, codeLocked, codeNoMemory, codeReadOnly, codeIO, codeFull, codeCantOpen, codeProtocol:
		return true
	}
	return false
}

func (db *DB) transaction(ctx context.Context, do func(tx *sql.Tx) error) error {
	if !db.writes {
		return fmt.Errorf("study %s is open for reading only", db.path)
	}
	i := db.inode
	i.turn.Lock()
	defer i.turn.Unlock()
	tx, err := db.sql.BeginTx(ctx, nil)
	if err != nil {
		return explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if err = do(tx); err == nil {
		err = explain(tx.Commit())
	}
	if errors.Is(err, sql.ErrTxDone) { // rolled back, because ctx ended
		err = cmp.Or(ctx.Err(), err)
	}
	if err == nil {
		i.committed()
	}
	return err
}

// Reads reports whether the study is open for reading only.
func (db *DB) Reads() bool { return !db.writes }

// Path returns the path of the study's file.
func (db *DB) Path() string { return db.path }

// Lock gives this DB the right to add games until unlock is called. Other processes cannot write to the study in any
// case; other DBs of this process get ErrBusy. The holder may lock the same DB again; the last unlock releases it.
func (db *DB) Lock() (unlock func(), err error) {
	if !db.writes {
		return nil, fmt.Errorf("study %s is open for reading only", db.path)
	}
	if err := db.inode.lock(db); err != nil {
		return nil, fmt.Errorf("study %s: %w", db.path, err)
	}
	return sync.OnceFunc(db.inode.unlock), nil
}

// Close closes the study. Closing it again does nothing.
func (db *DB) Close() error {
	if db.closed.Swap(true) {
		return nil
	}
	err := db.close()
	db.release()
	return err
}

// close closes the connections. Games that are not in an intact file are saved in a new one.
func (db *DB) close() error {
	if db.unwatch != nil {
		db.unwatch()
		// a reader that stays open keeps SQLite from emptying the log, which would damage another file of this name
		if db.look(context.Background(), true) == nil {
			_, _ = db.sql.Exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)")
		}
		if lost := db.settle(); lost != nil {
			db.losses.add(lost)
		}
		if db.losses != nil {
			db.losses.owe(db, false)
		}
	}
	gone := db.gone.Load()
	if gone != nil && gone.content {
		db.removeLogs() // and SQLite must not put its log into the content of others, as it does when it closes
		return nil
	}
	var err error
	if db.memory != nil {
		err = db.memory.Close()
	}
	if db.sql != nil {
		err = errors.Join(err, db.sql.Close())
	}
	if gone != nil {
		db.removeLogs()
	}
	return err
}

// release lets others use the file. A reader removes what SQLite has put next to a study that nobody else uses.
func (db *DB) release() {
	if gone := db.gone.Load(); gone != nil && gone.content {
		return // its connections are open
	}
	if db.tidies && !lockedElsewhere(db.inode.file) && db.inode.claim(context.Background(), db.file) == nil {
		if tidy, err := sql.Open(Driver, source(db.file, "mode=rw")); err == nil {
			_, _ = schemaVersion(context.Background(), tidy)
			_ = tidy.Close()
		}
		db.inode.yield()
	}
	if db.writes {
		db.inode.yield()
	}
	db.inode.drop(db.file)
}

// Discard closes a study. If it has no event, Discard also removes the file and the folders created for it.
func (db *DB) Discard(ctx context.Context) error {
	events, err := db.Events(ctx)
	db.closed.Store(true)
	err = errors.Join(err, db.close())
	if err == nil && len(events) == 0 {
		err = removeStudy(db.file) // before others may write to it
	}
	db.release()
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
