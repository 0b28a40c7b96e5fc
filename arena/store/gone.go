package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// GoneError says that the file of an open study was deleted, moved or replaced.
type GoneError struct {
	Path     string
	Replaced bool // another file has its path
}

func (e *GoneError) Error() string {
	if e.Replaced {
		return fmt.Sprintf("study %s: another file has taken its place while it was open", e.Path)
	}
	return fmt.Sprintf("study %s: it was deleted or moved while it was open", e.Path)
}

// Losses lists the studies whose files disappeared while they were open for writing. It is safe for concurrent
// use.
type Losses struct {
	stop context.CancelCauseFunc
	tell func(error)

	mu   sync.Mutex
	said []error
}

type lossesKey struct{}

// WatchFiles returns a context that makes Spar watch the files of studies opened for writing. If a file is
// deleted, moved or replaced, it calls tell with a *GoneError within a second, and ends the context with that
// cause. When the study is then closed, its games are saved in a new file.
func WatchFiles(ctx context.Context, tell func(error)) (context.Context, *Losses) {
	ctx, stop := context.WithCancelCause(ctx)
	l := &Losses{stop: stop, tell: tell}
	return context.WithValue(ctx, lossesKey{}, l), l
}

// Err returns an error that names the lost studies and the files that now have their games; nil if none was lost.
func (l *Losses) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.said...)
}

func (l *Losses) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = append(l.said, err)
}

// lookEvery is the interval between checks that an open study's file still has its path.
const lookEvery = 250 * time.Millisecond

// home is the file that the connections of a study use: the one that the first connection opened.
type home struct {
	driver              driver.Driver
	path, first, others string // path; names under which SQLite opens the first connection and other connections

	mu sync.Mutex
	id os.FileInfo // identity of the file; nil before the first connection
}

func newHome(path, mode, options string) (*home, error) {
	found, err := sql.Open(Driver, "") // which opens nothing
	if err != nil {
		return nil, err
	}
	return &home{
		driver: found.Driver(), path: path, first: source(path, "mode="+mode+options),
		others: source(path, "mode=rw"+options),
	}, found.Close()
}

// Connect opens a connection, or returns an error if the path leads to another file now.
func (h *home) Connect(context.Context) (driver.Conn, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	from := h.first
	if h.id != nil {
		if err := h.check(); err != nil {
			return nil, err
		}
		from = h.others
	}
	conn, err := h.driver.Open(from)
	if err != nil {
		return nil, err
	}
	limitText(conn)
	if h.id == nil {
		h.id, err = os.Stat(h.path)
	} else {
		err = h.check()
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// Driver returns SQLite's driver.
func (h *home) Driver() driver.Driver { return h.driver }

// check returns a *GoneError if the path leads to another file or to none.
func (h *home) check() error {
	now, err := os.Stat(h.path)
	if err == nil && os.SameFile(now, h.id) {
		return nil
	}
	return &GoneError{Path: h.path, Replaced: err == nil}
}

// spare is the number of open connections that are kept in reserve: if a study's file is removed, no new
// connection can be opened, and readers may need a second one.
const spare = 2

// watch checks the study's file until the study is closed or the file is gone.
func (db *DB) watch(ctx context.Context, l *Losses) error {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var kept [spare]*sql.Conn
	for i := range kept {
		var err error
		if kept[i], err = db.sql.Conn(ctx); err == nil {
			_, err = schemaVersion(ctx, kept[i]) // SQLite opens the log at the first read
		}
		if err != nil {
			stop()
			return err
		}
	}
	for i, suffix := range logs() {
		db.logs[i], _ = os.Stat(db.file + suffix) // none is there where it is kept elsewhere
	}
	ended := make(chan error, 1)
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for look := true; look; {
			select {
			case <-ctx.Done():
				look = false
			case <-tick.C:
			}
			if gone := db.home.check(); gone != nil {
				db.gone.Store(true)
				db.sql.SetMaxOpenConns(db.sql.Stats().OpenConnections)
				l.tell(gone)
				l.stop(gone)
				ended <- gone
				look = false
			}
		}
		for _, c := range kept {
			_ = c.Close() // back to the others
		}
		close(ended)
	}()
	db.unwatch = sync.OnceFunc(func() {
		stop()
		gone := <-ended
		if gone == nil {
			return
		}
		if to, err := db.rescue(); err != nil {
			l.add(fmt.Errorf("%w; its games could not be saved: %w", gone, err))
		} else {
			l.add(fmt.Errorf("%w; its games are saved in %s", gone, to))
		}
	})
	return nil
}

// logs are the suffixes of the files that SQLite keeps next to an open study.
func logs() [2]string { return [2]string{"-wal", "-shm"} }

// removeLogs removes SQLite's files next to a study that was removed. SQLite would apply them to a new file of
// that name and damage it.
func (db *DB) removeLogs() {
	for i, suffix := range logs() {
		if now, err := os.Stat(db.file + suffix); err == nil && db.logs[i] != nil && os.SameFile(now, db.logs[i]) {
			_ = os.Remove(db.file + suffix)
		}
	}
}

// rescue writes the content of a study to a new file in the original folder, and returns its name.
func (db *DB) rescue() (to string, err error) {
	if err := os.MkdirAll(filepath.Dir(db.path), 0o755); err != nil {
		return "", err
	}
	end := filepath.Ext(db.path)
	for n := 1; ; n++ {
		to = strings.TrimSuffix(db.path, end) + ".saved" + strings.TrimSuffix(fmt.Sprintf("-%d", n), "-1") + end
		if _, err := os.Lstat(to); err != nil {
			break
		}
	}
	_, err = db.sql.ExecContext(context.Background(), "VACUUM INTO ?", to)
	return to, explain(err)
}
