package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/configs/files"
	"spar/configs/strict"
)

// Mode determines whether Open may write, and what it does if the study does not exist.
type Mode int

// Modes of Open.
const (
	Existing Mode = iota // read a study; nothing is written
	Writing              // write to a study that exists
	Create               // write to a study; create it and its folder if necessary
)

// Open opens a study. Readers see what a writer has committed, even while it is still writing. They read a study of
// an older version from a copy in memory. A writer updates the schema to the current version. Open returns ErrBusy if
// another process writes to the study, and ErrNames if a writer's file has several names. WatchFiles watches the
// files of writers.
func Open(ctx context.Context, path string, mode Mode) (*DB, error) {
	return start(path, mode, func(db *DB) error {
		if mode == Existing {
			return db.openReader(ctx)
		}
		return db.openWriter(ctx, mode == Create)
	})
}

// start checks a path and opens its study with a function. If that fails, it closes what is open.
func start(path string, mode Mode, open func(db *DB) error) (*DB, error) {
	if _, err := os.Stat(path); err != nil && mode != Create {
		return nil, fmt.Errorf("no study at %s: %w", path, files.Cause(err))
	}
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	if mode != Create && size(path) == 0 { // which SQLite would make a study of
		return nil, fmt.Errorf("%s is empty: %w with games", path, ErrPath)
	}
	db := &DB{path: path}
	err := open(db)
	if err == nil {
		return db, nil
	}
	err = damaged(fmt.Errorf("study %s: %w", path, err))
	if db.inode != nil {
		err = errors.Join(err, db.Close())
	}
	return nil, err
}

// absentFolders lists the missing folders of a path, the innermost first.
func absentFolders(folder string) (out []string) {
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			return out
		}
		out = append(out, at)
	}
}

// Check returns the error that Open would return, so that a command can stop before long work. It creates nothing.
func Check(ctx context.Context, path string) error {
	if err := CheckPath(path); err != nil {
		return err
	}
	if _, err := probe(ctx, path); err != nil {
		return damaged(fmt.Errorf("study %s: %w", path, err))
	}
	return nil
}

// damaged calls the error of a damaged study the user's input.
func damaged(err error) error {
	if resultCode(err) == codeCorrupt {
		return strict.Bad(err)
	}
	return err
}

// CheckOutput returns an error if an output file would replace a study or another program's database. A process
// that has the database open would continue to write to the removed file.
func CheckOutput(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	if _, err := probe(ctx, path); resultCode(err) == codeNotADB {
		return nil
	}
	return fmt.Errorf("%s %w: remove it, or choose another name", path, ErrIsStudy)
}

// CheckPath returns an error for a path that cannot be a study: empty, a folder, a pipe, a device, or below a file.
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

// openReader opens a study for reading.
func (db *DB) openReader(ctx context.Context) error {
	version, err := db.attach(ctx)
	if err == nil && version == 0 {
		err = fmt.Errorf("it is empty: %w of games", ErrPath)
	}
	if err == nil && version < len(migrations()) {
		err = db.copy(ctx)
	}
	return err
}

// attach opens the file for reading and returns the version of its schema.
func (db *DB) attach(ctx context.Context) (version int, err error) {
	if db.inode, db.file, err = hold(db.path, false); err != nil {
		return 0, err
	}
	if err = db.inode.join(ctx, db.file); err != nil {
		return 0, err
	}
	if version, err = probe(ctx, db.file); err != nil {
		return 0, err
	}
	_, none := os.Stat(db.file + logs()[0])
	if other := db.loggedAs(); none != nil && other != "" {
		return 0, fmt.Errorf("its newest games are in the log of its other name (hard link): %w",
			strict.Mistake("use "+other))
	}
	closed := errors.Join(refused(db.file), refused(filepath.Dir(db.file))) != nil || links(db.inode.file) > 1
	options := "mode=ro&_busy_timeout=5000"
	if none != nil && closed { // SQLite cannot keep a log here, or would keep it next to the wrong name: nobody writes
		options += "&immutable=1"
	}
	db.tidies = (none != nil || db.inode.written()) && !closed
	if db.home, err = newHome(db, options); err == nil {
		db.sql = sql.OpenDB(db.home)
		db.sql.SetMaxIdleConns(idleConns)
	}
	return version, err
}

// loggedAs returns a name of the file in its folder that has a log beside it, as a killed writer leaves it. It is empty
// if there is none.
func (db *DB) loggedAs() string {
	found, _ := filepath.Glob(filepath.Join(filepath.Dir(db.file), "*"+logs()[0]))
	for _, log := range found {
		name := strings.TrimSuffix(log, logs()[0])
		if info, err := os.Stat(name); err == nil && os.SameFile(info, db.inode.id) {
			return name
		}
	}
	return ""
}

// copy replaces the open study by a copy in memory with the current schema.
func (db *DB) copy(ctx context.Context) error {
	name := "file:/" + rand.Text() + "?vfs=memdb" // sqlite.org/src/file/src/memdb.c: shared by connections of that name
	memory, err := sql.Open(Driver, name+"&_foreign_keys=on&_txlock=immediate")
	if err != nil {
		return err
	}
	memory.SetMaxIdleConns(idleConns)
	if db.memory, err = memory.Conn(ctx); err == nil {
		_, err = db.sql.ExecContext(ctx, "VACUUM INTO ?", name)
	}
	if err == nil {
		err = migrate(ctx, memory)
	}
	old := db.sql
	db.sql, db.home = memory, nil
	return errors.Join(explain(err), old.Close())
}

// How long Open retries if another process opens a new study at the same time. SQLite does not wait for the switch
// to WAL mode, but reports immediately that the file is busy.
const (
	openWithin = time.Second
	openAgain  = 5 * time.Millisecond
)

// idleConns is the number of idle connections to a study that are kept. It is enough for writers if the file is
// removed.
const idleConns = 4

// openWriter opens a study for writing.
func (db *DB) openWriter(ctx context.Context, create bool) (err error) {
	dir, _ := filepath.Split(db.path)
	if dir != "" && create { // as it is written: out/../x.db needs out
		db.made = absentFolders(dir)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if db.inode, db.file, err = hold(db.path, create); err != nil {
		return err
	}
	if err := refused(filepath.Dir(db.file)); err != nil {
		return fmt.Errorf("cannot write to its folder, where SQLite keeps the write-ahead log of a study: %w", err)
	}
	if err := db.inode.claim(ctx, db.file); err != nil {
		return err
	}
	db.writes = true
	if now, err := os.Stat(db.path); err != nil || !os.SameFile(now, db.inode.id) {
		return fmt.Errorf("%w: it was deleted or replaced just now", ErrBusy)
	}
	db.inode.turn.Lock() // one after the other: who comes first creates it
	version, err := probe(ctx, db.file)
	if err == nil {
		db.home, err = newHome(db, "mode=rw&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=on&_busy_timeout=100&"+
			"_txlock=immediate")
	}
	if err == nil {
		db.sql = sql.OpenDB(db.home)
		db.sql.SetMaxIdleConns(idleConns)
		err = db.open(ctx)
	}
	db.inode.turn.Unlock()
	if err == nil && version < len(migrations()) {
		most := briefly // nothing is lost if that fails
		if version == 0 {
			most = 0
		}
		err = db.persist(ctx, ctx, most, func(tx *sql.Tx) error { return migrate(ctx, tx) })
	}
	if err != nil {
		return err
	}
	i := db.inode
	i.turn.Lock()
	if size(db.file+logs()[0]) > 0 && i.since.IsZero() { // left by one that was killed
		i.since = time.Now()
	}
	i.turn.Unlock()
	db.losses, _ = ctx.Value(lossesKey{}).(*Losses)
	return db.keep(ctx)
}

// open makes the first connection. SQLite does not wait for the switch to WAL mode, but reports immediately that the
// file is busy.
func (db *DB) open(ctx context.Context) error {
	for began := time.Now(); ; {
		_, err := schemaVersion(ctx, db.sql)
		if resultCode(err) != codeBusy || time.Since(began) > openWithin {
			return err
		}
		select {
		case <-time.After(openAgain):
		case <-ctx.Done():
			return err
		}
	}
}

// source returns the name under which SQLite opens a file.
func source(path, options string) string {
	if strings.HasPrefix(path, "//") { // which a URI takes for the name of a machine
		path = "/" + strings.TrimLeft(path, "/")
	}
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path) + "?" + options
}

// probe returns the version of a study's schema, 0 for a missing or empty file, and an error for a file that is not a
// study of a known version. It does not change the file; opening it for writing would switch it to WAL mode.
func probe(ctx context.Context, path string) (version int, err error) {
	if size(path) == 0 {
		return 0, nil // opening it says what is wrong, if anything is
	}
	options := "mode=ro&_busy_timeout=5000"
	if size(path+logs()[0]) == 0 && size(path+"-journal") == 0 {
		options += "&immutable=1" // SQLite would create files next to it
	}
	if version, err = probeAs(ctx, path, options); resultCode(err) == codeReadOnly {
		// A process that was killed while it created the file has left a journal: what it began has to be taken back
		// before the file can be read.
		version, err = probeAs(ctx, path, "mode=rw&_busy_timeout=5000")
	}
	return version, err
}

func probeAs(ctx context.Context, path, options string) (version int, err error) {
	handle, err := sql.Open(Driver, source(path, options))
	if err != nil {
		return 0, err
	}
	defer handle.Close()
	// version and schema of one moment: another process may be bringing them up to date
	tx, err := handle.BeginTx(ctx, nil)
	if err != nil {
		return 0, explain(err)
	}
	defer tx.Rollback() //nolint:errcheck // it has only read
	if version, err = schemaVersion(ctx, tx); err == nil {
		err = checkSchema(ctx, tx, version)
	}
	return version, err
}
