package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"spar/configs/files"
)

// Mode determines what Open does if the study does not exist.
type Mode int

// Modes of Open.
const (
	// return an error if the study does not exist; a study that this process may not write is opened for reading
	// only
	Existing Mode = iota
	Create        // create the study and its folder if necessary; WatchFiles watches the file
)

// Open opens a study and updates its schema to the current version.
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
	if err := probe(ctx, path); err != nil {
		return fmt.Errorf("study %s: %w", path, err)
	}
	return nil
}

// CheckOutput returns an error if an output file would replace a study or another program's database. A process
// that has the database open would continue to write to the removed file.
func CheckOutput(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	if resultCode(probe(ctx, path)) == codeNotADB {
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

// openReadOnly opens a study and writes no file, not even those that SQLite keeps next to it. The study's schema
// must be up to date.
func openReadOnly(ctx context.Context, path string) (*DB, error) {
	file, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	options := "&_busy_timeout=5000"
	if info, err := os.Stat(file + "-wal"); err != nil || info.Size() == 0 {
		options += "&immutable=1" // as far as can be seen nobody is writing to it
	}
	at, err := newHome(path, "ro", options)
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", path, err)
	}
	at.others = at.first
	handle := sql.OpenDB(at)
	version, err := schemaVersion(ctx, handle)
	if err == nil && version < len(migrations()) {
		err = fmt.Errorf("an older Spar wrote it (schema %d, now %d), and it is read-only", version, len(migrations()))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("study %s: %w", path, err), handle.Close())
	}
	return &DB{sql: handle, path: path, file: file}, nil
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
	at, err := newHome(
		path,
		mode,
		"&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=on&_busy_timeout=5000&_txlock=immediate",
	)
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

// source returns the name under which SQLite opens a file.
func source(path, options string) string {
	return "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path) + "?" + options
}

// probe returns an error for a file that is not a study of a known version. It does not change the file; opening
// it for writing would switch it to WAL mode. Missing and empty files are allowed.
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
	handle, err := sql.Open(Driver, source(path, "mode="+mode+"&_busy_timeout=5000"))
	if err != nil {
		return err
	}
	defer handle.Close()
	// version and schema of one moment: another process may be bringing them up to date
	tx, err := handle.BeginTx(ctx, nil)
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
