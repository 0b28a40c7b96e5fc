// Package store keeps a study in one SQLite file. A study has events; an event has games, each in its slot (event,
// number) and each with its rules, agents and worker. Marks say what a game counts for (package evidence). A superseded
// game keeps its row, but its slot is free. Commit writes games and marks in one transaction; Games, Outcomes and the
// SQL views read them; Salvage saves what a damaged file holds.
//
// This is the only package that links SQLite. While a process has a study open, only SQLite may open or close the file
// there: POSIX drops all locks of a process on a file as soon as it closes the file once, and another reader would then
// delete the log that this process is writing.
package store

import (
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"spar/configs/files"
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

// versionEvidence is the version from which on games are stored with their marks.
const versionEvidence = 4

// DB is an open study.
type DB struct {
	sql  *sql.DB
	path string
	file string   // the path without symbolic links: what every name of the study leads to
	made []string // folders that were made for the file, the lowest first

	home    *home
	gone    atomic.Bool // the file at the path is another one now, or none
	logs    [2]os.FileInfo
	unwatch func() // ends the watch over the file, and saves what a file that is gone held; nil where nobody watches

	locking sync.Mutex
	locks   int    // held by this process
	release func() // of the file lock behind them; nil where none is held
}

// ErrPath says that a study was named that can be no file.
var ErrPath = errors.New("a study is a file")

// ErrIsStudy says that a study was named as the file for something else.
var ErrIsStudy = errors.New("an SQLite database is not overwritten")

// ForeignError says that a file is no study, or one that only a newer Spar can read.
type ForeignError struct{ error }

func (e *ForeignError) Unwrap() error { return e.error }

// ErrBusy says that another process is writing to the study.
var ErrBusy = errors.New("another process is writing to this study")

// Mode says what Open does where there is no study yet.
type Mode int

// The modes of Open.
const (
	Existing Mode = iota // refuse; a study that this process may not write is opened for reading alone
	Create               // make the study and its folder; WatchFiles watches over it
)

// Open opens a study, and brings its schema up to date.
func Open(ctx context.Context, path string, mode Mode) (*DB, error) {
	if mode == Existing {
		return openExisting(ctx, path)
	}
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	var made []string
	if dir, _ := filepath.Split(path); dir != "" { // as it is written: out/../x.db needs out
		made = absentFolders(dir)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("study %s: %w", path, err)
		}
	}
	db, err := open(ctx, path, "rwc")
	if err != nil {
		return nil, err
	}
	db.made = made
	if l, ok := ctx.Value(lossesKey{}).(*Losses); ok {
		if err := db.watch(ctx, l); err != nil {
			return nil, errors.Join(fmt.Errorf("study %s: %w", path, err), db.Close())
		}
	}
	return db, nil
}

// absentFolders lists a folder and those above it that are not there, the lowest first.
func absentFolders(folder string) (out []string) {
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			return out
		}
		out = append(out, at)
	}
}

// Check refuses what Open would refuse, before long work whose games are to be stored there. It makes nothing.
func Check(ctx context.Context, path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	if err := probe(ctx, path); err != nil {
		return fmt.Errorf("study %s: %w", path, err)
	}
	return nil
}

// CheckOutput refuses to replace a study, or another program's database, by a file of another kind: a process that has it
// open would go on writing to the file that is gone.
func CheckOutput(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	if resultCode(probe(ctx, path)) == codeNotADB {
		return nil
	}
	return fmt.Errorf("%w: %s is one: remove it first, or choose another name", ErrIsStudy, path)
}

// CheckPath refuses what can be no study: no name of a file, or that of a folder, a pipe, a device or something below a
// file.
func CheckPath(path string) error {
	if path == "" || path == ":memory:" {
		return fmt.Errorf("%w, not %q", ErrPath, path)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		if err := files.CheckFolder(filepath.Dir(path)); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrPath, path, err)
		}
		return nil
	case info.Mode().IsRegular(): // opening it says what is wrong, if anything is
		return nil
	case info.IsDir():
		return fmt.Errorf("%w: %s is a folder", ErrPath, path)
	}
	return fmt.Errorf("%w: %s is a pipe or a device", ErrPath, path)
}

func openExisting(ctx context.Context, path string) (*DB, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("no study at %s: %w", path, err)
	}
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	if info.Size() == 0 { // which SQLite would make a study of
		return nil, fmt.Errorf("%s is empty: %w of games", path, ErrPath)
	}
	if !writable(path) {
		return openReadOnly(ctx, path)
	}
	db, err := open(ctx, path, "rw")
	if code := resultCode(err); code == codeReadOnly || code == codeCantOpen { // the folder may not be written
		return openReadOnly(ctx, path)
	}
	return db, err
}

// openReadOnly opens a study that may not be written, not even the files that SQLite keeps beside it. Its schema must
// be up to date.
func openReadOnly(ctx context.Context, path string) (*DB, error) {
	file, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	options := "mode=ro&_busy_timeout=5000"
	if info, err := os.Stat(file + "-wal"); err != nil || info.Size() == 0 {
		options += "&immutable=1" // as far as can be seen nobody is writing to it
	}
	handle, err := sql.Open("sqlite3", source(path, options))
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	version, err := schemaVersion(ctx, handle)
	if err == nil && version < len(migrations()) {
		err = fmt.Errorf("an older Spar wrote it (schema %d, now %d), and it is read-only", version, len(migrations()))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("study %s: %w", path, err), handle.Close())
	}
	return &DB{sql: handle, path: path, file: file}, nil
}

// Patience with others who open a fresh study at the same moment: SQLite does not wait for who turns it to WAL mode,
// but says at once that the file is busy.
const (
	openWithin = time.Second
	openAgain  = 5 * time.Millisecond
)

// idleConns is how many connections to a study stay open: enough for who writes, so that none is missing when the file
// is gone.
const idleConns = 4

func open(ctx context.Context, path, mode string) (*DB, error) {
	for began := time.Now(); ; {
		db, err := openOnce(ctx, path, mode)
		if resultCode(err) != codeBusy || time.Since(began) > openWithin {
			return db, err
		}
		select {
		case <-time.After(openAgain):
		case <-ctx.Done():
			return nil, err
		}
	}
}

func openOnce(ctx context.Context, path, mode string) (*DB, error) {
	if err := probe(ctx, path); err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	at, err := newHome(path, mode, "&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=on&_busy_timeout=5000&_txlock=immediate")
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	handle := sql.OpenDB(at)
	handle.SetMaxIdleConns(idleConns)
	db := &DB{sql: handle, path: path, home: at}
	err = db.migrate(ctx)
	if err == nil { // the file is there now, where a link led to none, too
		db.file, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("study %s: %w", path, err), handle.Close())
	}
	return db, nil
}

// source is the name under which SQLite opens a file.
func source(path, options string) string {
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path) + "?" + options
}

// probe refuses a file that is not a study this program knows, without changing it: opening it for writing would turn
// it to WAL mode. A file that is missing or empty is fine.
func probe(ctx context.Context, path string) error {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return nil // opening it says what is wrong, if anything is
	}
	err := probeAs(ctx, path, "ro")
	if resultCode(err) == codeReadOnly {
		// A process that was killed while it created the file has left a journal: what it began has to be taken back
		// before the file can be read.
		err = probeAs(ctx, path, "rw")
	}
	return err
}

func probeAs(ctx context.Context, path, mode string) error {
	handle, err := sql.Open("sqlite3", source(path, "mode="+mode+"&_busy_timeout=5000"))
	if err != nil {
		return err
	}
	defer handle.Close()
	tx, err := handle.BeginTx(ctx, nil) // version and schema of one moment: another process may be bringing them up to date
	if err != nil {
		return explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	version, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	return checkSchema(ctx, tx, version)
}

// queryer is a database or a transaction.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// each yields what a query finds; read reads a row into a value. After an error nothing follows.
func each[T any](ctx context.Context, q queryer, read func(*sql.Rows, *T) error, query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		rows, err := q.QueryContext(ctx, query, args...)
		if err != nil {
			yield(none, explain(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var one T
			err := read(rows, &one)
			if !yield(one, explain(err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(none, explain(err))
		}
	}
}

// list returns what each yields.
func list[T any](ctx context.Context, q queryer, read func(*sql.Rows, *T) error, query string, args ...any) (out []T, err error) {
	for one, err := range each(ctx, q, read, query, args...) {
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// byKey returns what a query of two columns finds, the second by the first.
func byKey[K comparable, V any](ctx context.Context, q queryer, query string, args ...any) (map[K]V, error) {
	type row struct {
		key   K
		value V
	}
	out := map[K]V{}
	for r, err := range each(ctx, q, func(rows *sql.Rows, r *row) error { return rows.Scan(&r.key, &r.value) }, query, args...) {
		if err != nil {
			return nil, err
		}
		out[r.key] = r.value
	}
	return out, nil
}

// schemaVersion returns the version of a study, 0 for an empty file. It fails for a newer version and for another
// program's file.
func schemaVersion(ctx context.Context, q queryer) (int, error) {
	var version, tables int
	err := q.QueryRowContext(ctx, "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version").Scan(&version, &tables)
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

// migrate brings the schema up to date. The version is read again under the write lock: another process may be doing
// the same.
func (db *DB) migrate(ctx context.Context) error {
	version, err := schemaVersion(ctx, db.sql)
	if err != nil || version == len(migrations()) {
		return err
	}
	tx, err := db.sql.BeginTx(ctx, nil)
	if err != nil {
		return explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	if version, err = schemaVersion(ctx, tx); err != nil {
		return err
	}
	if err := checkSchema(ctx, tx, version); err != nil { // again: the file may have changed since it was probed
		return err
	}
	old := version
	for ; version < len(migrations()); version++ {
		if _, err := tx.ExecContext(ctx, migrations()[version]+fmt.Sprintf(";PRAGMA user_version = %d", version+1)); err != nil {
			return explain(err)
		}
	}
	if 0 < old && old < versionEvidence {
		if err := judge(ctx, tx); err != nil {
			return err
		}
	}
	return explain(tx.Commit())
}

// Result codes of SQLite.
const (
	codeBusy       = 5
	codeLocked     = 6
	codeReadOnly   = 8
	codeCorrupt    = 11
	codeCantOpen   = 14
	codeConstraint = 19
	codeMismatch   = 20
	codeNotADB     = 26
)

// explain turns SQLite's errors into words for people.
func explain(err error) error {
	switch resultCode(err) {
	case codeBusy, codeLocked:
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	case codeNotADB:
		return &ForeignError{fmt.Errorf("not an SQLite file (%w)", err)}
	}
	return err
}

// Path is the file of the study.
func (db *DB) Path() string { return db.path }

// Lock keeps other processes from writing games to the study until the returned function is called or this process
// ends. A second writer gets ErrBusy, after a second. What is done under a lock may lock the same DB again: the study
// is free when all have let go.
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

// Discard closes a study and removes its file, and the folders made for it, where it holds nothing: no event was ever
// begun in it.
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

// removeStudy removes a file and what SQLite keeps beside it.
func removeStudy(path string) error {
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// isConstraint tells whether a row was refused for what it says, not for what became of the file.
func isConstraint(err error) bool {
	code := resultCode(err)
	return code == codeConstraint || code == codeMismatch
}
