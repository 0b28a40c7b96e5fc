// Package store keeps a study in one SQLite file: what was played, by whom, under which rules. It is the only package that
// links SQLite.
package store

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed" // the schema
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"

	"spar/arena/study"
)

//go:embed schema.sql
var schemaV1 string

//go:embed plies.sql
var schemaV2 string

//go:embed values.sql
var schemaV3 string

// migrations lists the steps from one schema version (PRAGMA user_version) to the next.
func migrations() []string { return []string{schemaV1, schemaV2, schemaV3} }

// DB is an open study.
type DB struct {
	sql  *sql.DB
	path string
}

// ErrBusy says that another process is writing to the study.
var ErrBusy = errors.New("another process is writing to this study")

// Open opens a study for writing, creating the file and its folder when missing and bringing its schema up to date.
func Open(ctx context.Context, path string) (*DB, error) {
	if dir := filepath.Dir(path); dir != "." {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("study %s: %w", path, err)
		}
	}
	return open(ctx, path, "rwc")
}

// OpenExisting opens a study that must exist, for reading. Where the file may not be written it is read as it is.
func OpenExisting(ctx context.Context, path string) (*DB, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("no study at %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return openReadOnly(ctx, path)
	}
	if err == nil {
		_ = f.Close() // nothing was written
	}
	db, err := open(ctx, path, "rw")
	var failed sqlite3.Error
	if errors.As(err, &failed) && (failed.Code == sqlite3.ErrReadonly || failed.Code == sqlite3.ErrCantOpen) { // the folder may not be written
		return openReadOnly(ctx, path)
	}
	return db, err
}

// openReadOnly opens a study that may not be written, not even the files that SQLite keeps beside it. Its schema must be up to date.
func openReadOnly(ctx context.Context, path string) (*DB, error) {
	options := "mode=ro&_busy_timeout=5000"
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		options += "&immutable=1" // as far as can be seen nobody is writing to it
	}
	handle, err := sql.Open("sqlite3", source(path, options))
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	version, err := schemaVersion(ctx, handle)
	if err == nil && version < len(migrations()) {
		err = fmt.Errorf("written by an older Spar (schema %d; this one has %d), and it may not be written", version, len(migrations()))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("study %s: %w", path, err), handle.Close())
	}
	return &DB{sql: handle, path: path}, nil
}

func open(ctx context.Context, path, mode string) (*DB, error) {
	if err := probe(ctx, path); err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	handle, err := sql.Open("sqlite3", source(path, "mode="+mode+"&_journal_mode=WAL&_synchronous=NORMAL&_foreign_keys=on&_busy_timeout=5000&_txlock=immediate"))
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	db := &DB{sql: handle, path: path}
	if err := db.migrate(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("study %s: %w", path, err), handle.Close())
	}
	return db, nil
}

// source is the name under which SQLite opens a file.
func source(path, options string) string {
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path) + "?" + options
}

// probe refuses a file that is not a study this program knows, without changing it: opening it for writing would turn it
// to WAL mode. A file that is missing or empty is fine.
func probe(ctx context.Context, path string) error {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return nil // opening it says what is wrong, if anything is
	}
	handle, err := sql.Open("sqlite3", source(path, "mode=ro&_busy_timeout=5000"))
	if err != nil {
		return err
	}
	_, err = schemaVersion(ctx, handle)
	return errors.Join(err, handle.Close())
}

// queryer is a database or a transaction.
type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// schemaVersion returns the version of a study, 0 for an empty file. It fails for a newer version and for another program's
// file.
func schemaVersion(ctx context.Context, q queryer) (int, error) {
	var version, tables int
	err := q.QueryRowContext(ctx, "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version").Scan(&version, &tables)
	switch known := len(migrations()); {
	case err != nil:
		return 0, explain(err)
	case version > known:
		return 0, fmt.Errorf("written by a newer Spar (schema %d; this one knows %d)", version, known)
	case version == 0 && tables > 0:
		return 0, errors.New("an SQLite file, but not a study of Spar")
	}
	return version, nil
}

// migrate brings the schema up to date. The version is read again under the write lock: another process may be doing the same.
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
	for ; version < len(migrations()); version++ {
		if _, err := tx.ExecContext(ctx, migrations()[version]+fmt.Sprintf(";PRAGMA user_version = %d", version+1)); err != nil {
			return explain(err)
		}
	}
	return explain(tx.Commit())
}

// explain turns SQLite's errors into words for people.
func explain(err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return fmt.Errorf("%w (%w)", ErrBusy, err)
	case sqlite3.ErrNotADB:
		return fmt.Errorf("not an SQLite file (%w)", err)
	}
	return err
}

// Path is the file of the study.
func (db *DB) Path() string { return db.path }

// Close closes the study.
func (db *DB) Close() error { return db.sql.Close() }

// BeginEvent finds the event of that name or creates it. It fails when the stored plan differs: a run may be continued only as
// it was begun.
func (db *DB) BeginEvent(ctx context.Context, e study.Event) (study.Event, error) {
	var plan string
	err := db.sql.QueryRowContext(ctx, "SELECT id, plan FROM events WHERE name = ?", e.Name).Scan(&e.ID, &plan)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		r, err := db.sql.ExecContext(ctx, "INSERT INTO events (name, purpose, plan, seed, created) VALUES (?,?,?,?,?)",
			e.Name, e.Purpose, e.Plan, e.Seed, time.Now().UTC().Format(time.RFC3339))
		if err != nil {
			return e, explain(err)
		}
		e.ID, err = r.LastInsertId()
		return e, err
	case err != nil:
		return e, explain(err)
	case plan != e.Plan:
		return e, &PlanError{Event: e.Name, Path: db.path, Stored: plan, Given: e.Plan}
	}
	return e, nil
}

// PlanError says that a study was begun with another plan.
type PlanError struct{ Event, Path, Stored, Given string }

func (e *PlanError) Error() string {
	return fmt.Sprintf("%s holds games of %q under another plan (%s): choose another database, or restore the plan", e.Path, e.Event, e.differences())
}

// differences names what the two plans differ in, the first few of it.
func (e *PlanError) differences() string {
	stored, given := flatten(e.Stored), flatten(e.Given)
	var paths []string
	for path := range stored {
		paths = append(paths, path)
	}
	for path := range given {
		if _, ok := stored[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	var out []string
	for _, path := range paths {
		was, is := "nothing", "nothing"
		if v, ok := stored[path]; ok {
			was = v
		}
		if v, ok := given[path]; ok {
			is = v
		}
		switch {
		case was == is:
		case strings.HasPrefix(path, "Rules") && strings.HasSuffix(path, "Hash"):
			out = append(out, "the rules have changed")
		default:
			out = append(out, fmt.Sprintf("%s was %s, is %s", strings.TrimPrefix(path, "Plan."), was, is))
		}
	}
	out = slices.Compact(out)
	if most := 3; len(out) > most {
		out = append(out[:most:most], fmt.Sprintf("and %d more", len(out)-most))
	}
	return cmp.Or(strings.Join(out, "; "), "with other words or in another order")
}

// flatten lists the values of a JSON text by their paths.
func flatten(text string) map[string]string {
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(strings.TrimPrefix(path+"."+k, "."), x)
			}
		case []any:
			for i, x := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), x)
			}
		default:
			out[path] = fmt.Sprint(v)
		}
	}
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber() // seeds are whole numbers of any size
	if d.Decode(&v) != nil {
		return map[string]string{"plan": text}
	}
	walk("", v)
	return out
}

// RulesID finds or adds rules by name. Rules of one name must be the same.
func (db *DB) RulesID(ctx context.Context, name, hash, canonical string) (int64, error) {
	var id int64
	var stored string
	err := db.sql.QueryRowContext(ctx, "SELECT id, hash FROM rules WHERE name = ?", name).Scan(&id, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		return db.insertID(ctx, "INSERT INTO rules (name, hash, canonical) VALUES (?,?,?)", name, hash, canonical)
	}
	if err == nil && stored != hash {
		err = fmt.Errorf("%s holds games of other rules called %s (hash %s, now %s): choose another database", db.path, name, stored, hash)
	}
	return id, explain(err)
}

// AgentID finds or adds an agent by name. Agents of one name must be the same.
func (db *DB) AgentID(ctx context.Context, name, spec string) (int64, error) {
	var id int64
	var stored string
	err := db.sql.QueryRowContext(ctx, "SELECT id, spec FROM agents WHERE name = ?", name).Scan(&id, &stored)
	if errors.Is(err, sql.ErrNoRows) {
		return db.insertID(ctx, "INSERT INTO agents (name, spec) VALUES (?,?)", name, spec)
	}
	if err == nil && stored != spec {
		err = fmt.Errorf("%s holds games of another agent called %s (stored spec %s, now %s): choose another name or database", db.path, name, stored, spec)
	}
	return id, explain(err)
}

func (db *DB) insertID(ctx context.Context, query string, args ...any) (int64, error) {
	r, err := db.sql.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, explain(err)
	}
	return r.LastInsertId()
}

// Lock keeps other processes from writing games to the study until the returned function is called or this process ends. A
// second writer gets ErrBusy.
func (db *DB) Lock() (func(), error) {
	f, err := os.OpenFile(db.path+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", db.path, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("study %s: %w", db.path, ErrBusy), f.Close())
	}
	return func() {
		_ = os.Remove(f.Name()) // while the lock is held, so that nobody else's is removed
		_ = f.Close()
	}, nil
}
