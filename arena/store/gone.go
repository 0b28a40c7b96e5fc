package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"spar/arena/study"
)

// GoneError says that the file of an open study was deleted, moved, replaced or overwritten.
type GoneError struct {
	Path, What string
	content    bool // the file is there, but its content is not that of the study
}

func (e *GoneError) Error() string {
	return fmt.Sprintf("study %s: %s while it was open", e.Path, e.What)
}

// Losses lists the studies whose files disappeared while they were open for writing, or could not be written. It is
// safe for concurrent use.
type Losses struct {
	stop context.CancelCauseFunc
	tell func(error)

	mu   sync.Mutex
	said []error
	owes map[*DB]bool // those with games that are in no file
}

type lossesKey struct{}

// WatchFiles returns a context that makes Spar watch the files of studies opened for writing. If a file is deleted,
// moved, replaced or overwritten, it calls tell with a *GoneError within a second, and ends the context with that
// cause. If the study cannot be written, it calls tell with the reason. When the study is then closed, the games that
// are not in an intact file are saved in a new one.
func WatchFiles(ctx context.Context, tell func(error)) (context.Context, *Losses) {
	ctx, stop := context.WithCancelCause(ctx)
	l := &Losses{stop: stop, tell: tell, owes: map[*DB]bool{}}
	return context.WithValue(ctx, lossesKey{}, l), l
}

// Err returns an error that names the lost studies and the files that now have their games; nil if none was lost.
func (l *Losses) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.said...)
}

// Settle waits until all games that were given to studies are in files, for at most the given time.
func (l *Losses) Settle(most time.Duration) {
	for began := time.Now(); time.Since(began) < most; time.Sleep(writeAgain) {
		l.mu.Lock()
		n := len(l.owes)
		if l.mu.Unlock(); n == 0 {
			return
		}
	}
}

// owe notes whether a study has games that are in no file.
func (l *Losses) owe(db *DB, owes bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if delete(l.owes, db); owes {
		l.owes[db] = true
	}
}

func (l *Losses) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said = append(l.said, err)
}

// home is where the connections of a DB are made: to the same file, as long as its path leads there.
type home struct {
	driver driver.Driver
	path   string // path as the user wrote it
	from   string // name under which SQLite opens the file
	writes bool
	id     os.FileInfo
}

func newHome(db *DB, options string) (*home, error) {
	found, err := sql.Open(Driver, "") // which opens nothing
	if err != nil {
		return nil, err
	}
	h := &home{
		driver: found.Driver(),
		path:   db.path,
		from:   source(db.file, options),
		writes: db.writes,
		id:     db.inode.id,
	}
	return h, found.Close()
}

// Connect opens a connection, or returns an error if the path now leads to another file.
func (h *home) Connect(ctx context.Context) (driver.Conn, error) {
	if gone := h.check(); gone != nil {
		return nil, gone
	}
	conn, err := h.driver.Open(h.from)
	if err != nil {
		return nil, err
	}
	limitText(conn)
	if gone := h.check(); gone != nil {
		err = gone
	} else if to, ok := conn.(driver.ExecerContext); ok && h.writes { // see look; files may be what is missing
		_, err = to.ExecContext(ctx, "PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY", nil)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// Driver returns SQLite's driver.
func (h *home) Driver() driver.Driver { return h.driver }

// check returns an error if the path leads to another file or to none.
func (h *home) check() *GoneError {
	now, err := os.Stat(h.path)
	switch {
	case err != nil:
		return &GoneError{Path: h.path, What: "it was deleted or moved"}
	case !os.SameFile(now, h.id):
		return &GoneError{Path: h.path, What: "another file took its place"}
	}
	return nil
}

// Intervals of what a writer does for its file.
const (
	lookEvery  = 250 * time.Millisecond
	idle       = time.Second      // after the last commit, the log goes into the file
	mostLogged = 30 * time.Second // as it does so long after the first commit
	mostLog    = 4 << 20          // and if the log has so many bytes
)

// spare is the number of open connections that are kept in reserve: if a study's file is removed, no new
// connection can be opened, and readers may need a second one.
const spare = 2

// keep looks after the file until the study is closed: it puts the log into the file, and watches the file if there is
// somebody to tell.
func (db *DB) keep(ctx context.Context) error {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	var kept [spare]*sql.Conn
	for n := range kept {
		var err error
		if kept[n], err = db.sql.Conn(ctx); err == nil {
			_, err = schemaVersion(ctx, kept[n]) // SQLite opens the log at the first read
		}
		if err != nil {
			stop()
			return err
		}
	}
	for n, suffix := range logs() {
		db.logs[n], _ = os.Stat(db.file + suffix) // none is there where it is kept elsewhere
	}
	db.inode.turn.Lock()
	db.inode.guard(db.file)
	db.inode.turn.Unlock()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for ctx.Err() == nil && db.look(ctx, false) == nil {
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
		for _, c := range kept {
			_ = c.Close() // back to the others
		}
	}()
	db.unwatch = sync.OnceFunc(func() {
		stop()
		<-ended
	})
	return nil
}

// look checks the file and puts the log into it if that is due, or if it looks for the last time. It returns the error if
// the file is gone.
func (db *DB) look(ctx context.Context, last bool) *GoneError {
	if gone := db.gone.Load(); gone != nil {
		return gone
	}
	i := db.inode
	i.turn.Lock()
	defer i.turn.Unlock()
	if db.losses != nil {
		gone := db.home.check()
		if now, err := i.file.Stat(); gone == nil && err == nil && i.stamp != nil && (now.Size() != i.stamp.Size() ||
			!now.ModTime().Equal(i.stamp.ModTime())) {
			gone = db.overwritten()
		}
		if gone != nil {
			return db.lose(gone)
		}
	}
	if now := time.Now(); i.since.IsZero() || !last && now.Sub(i.latest) < idle && now.Sub(i.since) < mostLogged &&
		size(db.file+logs()[0]) < mostLog {
		return nil
	}
	var busy, frames, done int
	err := db.sql.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &done)
	i.guard(db.file)
	complete := err == nil && done == frames
	if i.since = time.Now(); complete {
		i.since = time.Time{}
	}
	if db.losses != nil && err == nil && !db.sized(ctx, complete) {
		return db.lose(db.overwritten())
	}
	return nil
}

// sized reports whether the header of the file states the number of pages that SQLite has put there. It does not if
// another program overwrote the file during the checkpoint, which writes the header first and hides that change.
func (db *DB) sized(ctx context.Context, complete bool) bool {
	var pages uint32
	if db.sql.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages) != nil {
		return true // unknown
	}
	var header [4]byte
	_, err := db.inode.file.ReadAt(header[:], 28) // https://www.sqlite.org/fileformat.html#the_database_header
	has := binary.BigEndian.Uint32(header[:])
	if err != nil || has < db.inode.pages || has > pages || complete && has != pages {
		return false
	}
	db.inode.pages = has
	return true
}

func (db *DB) overwritten() *GoneError {
	return &GoneError{Path: db.path, What: "another program overwrote its content", content: true}
}

// lose ends the work on a study whose file is gone.
func (db *DB) lose(gone *GoneError) *GoneError {
	db.gone.Store(gone)
	db.sql.SetMaxOpenConns(db.sql.Stats().OpenConnections)
	db.losses.tell(gone)
	db.losses.stop(gone)
	return gone
}

func size(path string) int64 {
	if info, err := os.Stat(path); err == nil {
		return info.Size()
	}
	return 0
}

// logs returns the suffixes of the files that SQLite keeps next to an open study.
func logs() [2]string { return [2]string{"-wal", logIndex} }

const logIndex = "-shm"

// removeLogs removes SQLite's files next to a study that is gone. SQLite would apply them to a new file of that name
// and damage it.
func (db *DB) removeLogs() {
	for n, suffix := range logs() {
		now, err := os.Stat(db.file + suffix)
		if err == nil && db.logs[n] != nil && os.SameFile(now, db.logs[n]) {
			_ = os.Remove(db.file + suffix)
		}
	}
}

// rescue writes games and tables to a new file, in the folder of the study or else in the temporary folder, and returns
// its name. If whole is set, the file gets the content of the study, too.
func (db *DB) rescue(whole bool, games []study.Game, tables map[string]Table) (to string, err error) {
	for _, folder := range []string{filepath.Dir(db.path), os.TempDir()} {
		if err = os.MkdirAll(folder, 0o755); err != nil {
			continue
		}
		end := filepath.Ext(db.path)
		name := filepath.Join(folder, strings.TrimSuffix(filepath.Base(db.path), end)+".saved")
		to = name + end
		for n := 2; ; n++ {
			if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
				break
			}
			to = fmt.Sprintf("%s-%d%s", name, n, end)
		}
		if err = db.save(context.Background(), to, whole, games, tables); err == nil {
			return to, nil
		}
		_ = removeStudy(to)
	}
	return "", explain(err)
}

func (db *DB) save(ctx context.Context, to string, whole bool, games []study.Game, tables map[string]Table) (err error) {
	if whole {
		if _, err = db.sql.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
			return err
		}
	}
	out, err := Open(ctx, to, Create)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	return out.write(ctx, func(tx *sql.Tx) error {
		for _, of := range db.known.rows { // those of the study are there already
			for _, row := range of.rows {
				if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO "+of.table+" VALUES (?"+strings.Repeat(",?", len(row)-1)+")",
					row...); err != nil {
					return err
				}
			}
		}
		if _, err := out.insert(ctx, tx, games); err != nil {
			return err
		}
		for _, t := range tables {
			if _, err := tx.ExecContext(ctx, saveTable, t.row()...); err != nil {
				return err
			}
		}
		return judge(ctx, tx)
	})
}

// settle saves the games that are not in an intact file when the study is closed.
func (db *DB) settle() (err error) {
	defer db.known.close()
	gone, games := db.gone.Load(), db.known.waiting
	why := error(gone)
	if gone == nil {
		if len(games) == 0 {
			return nil
		}
		ctx, end := context.WithCancel(context.Background())
		end() // one attempt
		if why = db.Commit(ctx, games, nil, 0); why == nil {
			return nil
		}
		_ = db.sql.Close() // it may use the descriptors that are missing
	}
	var tables map[string]Table
	var missing error
	whole := gone != nil && !gone.content
	if !whole {
		games, tables, missing = db.known.all()
	}
	switch to, err := db.rescue(whole, games, tables); {
	case err != nil:
		return fmt.Errorf("%w; its games could not be saved: %w", why, err)
	case missing != nil:
		return fmt.Errorf("%w; some of its games are saved in %s (%w)", why, to, missing)
	default:
		return fmt.Errorf("%w; its games are saved in %s", why, to)
	}
}
