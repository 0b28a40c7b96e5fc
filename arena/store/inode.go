package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"spar/configs/strict"
)

// inode is the file of a study as this process has it open. A path does not identify a study: a hard link or a mount
// gives its file a second name, next to which SQLite looks for another log.
type inode struct {
	file  *os.File    // its descriptor
	spare []*os.File  // other descriptors, which cannot be closed earlier
	id    os.FileInfo // identity of the file
	names []string    // path without symbolic links of each open DB

	mu      sync.Mutex
	writers int    // number of open DBs that write
	name    string // their path without symbolic links
	release func() // releases the lock of the file; nil if there are no writers
	holder  *DB    // the DB that has called Lock
	locks   int    // how often

	turn   sync.Mutex  // held during a write and during a checkpoint
	log    *os.File    // index of the writers' log
	stamp  os.FileInfo // size and time of the file as this process left it; nil if others may have changed it
	pages  uint32      // pages of the file by its header after the last checkpoint
	since  time.Time   // first commit after the last complete checkpoint; zero if there was none
	latest time.Time   // last commit
}

// inodes are the files that this process has open. This state belongs to the process because POSIX locks do: when a
// process closes any descriptor of a file, it loses all of its locks, those of SQLite too. So there is one descriptor
// for each file, and the last DB of the file closes it.
var inodes struct {
	sync.Mutex
	all []*inode
}

// hold returns the inode of a study for one more DB, and the path of the DB without symbolic links. If create is set,
// it creates the file if necessary.
func hold(path string, create bool) (i *inode, name string, err error) {
	inodes.Lock()
	defer inodes.Unlock()
	find := func(info os.FileInfo) *inode {
		at := slices.IndexFunc(inodes.all, func(i *inode) bool { return os.SameFile(i.id, info) })
		if at < 0 {
			return nil
		}
		return inodes.all[at]
	}
	if info, err := os.Stat(path); err == nil {
		i = find(info)
	}
	if i == nil {
		flags := os.O_RDONLY
		if create {
			flags = os.O_RDWR | os.O_CREATE
		}
		f, err := os.OpenFile(path, flags, 0o644)
		if err != nil {
			return nil, "", err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, "", errors.Join(err, f.Close())
		}
		if i = find(info); i == nil {
			i = &inode{id: info, file: f}
			inodes.all = append(inodes.all, i)
		} else {
			i.spare = append(i.spare, f)
		}
	}
	name, err = filepath.EvalSymlinks(path)
	if i.names = append(i.names, name); err != nil {
		i.leave(name)
	}
	return i, name, err
}

// drop ends the use of the file by a DB. All connections of the DB must be closed.
func (i *inode) drop(name string) {
	inodes.Lock()
	defer inodes.Unlock()
	i.leave(name)
}

func (i *inode) leave(name string) {
	at := slices.Index(i.names, name)
	if i.names = slices.Delete(i.names, at, at+1); len(i.names) > 0 {
		return
	}
	for _, f := range append(i.spare, i.file) {
		_ = f.Close() // nothing was written through it
	}
	inodes.all = slices.DeleteFunc(inodes.all, func(other *inode) bool { return other == i })
}

// ErrNames is returned to a writer if the file of a study has several names (hard links).
const ErrNames = strict.Mistake("writing under one name could damage the file for the others; remove " +
	"the other hard links, or write to a copy")

// claim makes this process the writer of the file. It returns ErrBusy if another process is, and ErrNames if the file
// has several names.
func (i *inode) claim(ctx context.Context, name string) (err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.writers == 0 {
		if err := patiently(ctx, func() (err error) {
			i.release, err = lockFile(i.file, name)
			return err
		}); err != nil {
			return err
		}
		i.name = name
	}
	i.writers++
	if n := links(i.file); n > 1 {
		err = fmt.Errorf("the file has %d names (hard links): %w", n, ErrNames)
	} else if i.name != name {
		err = fmt.Errorf("this process writes to it as %s: %w", i.name, ErrNames)
	}
	if err != nil {
		i.leaveWriters()
	}
	return err
}

// written reports whether this process writes to the file.
func (i *inode) written() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.writers > 0
}

// yield ends the claim of a DB.
func (i *inode) yield() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.leaveWriters()
}

func (i *inode) leaveWriters() {
	if i.writers--; i.writers == 0 {
		i.release()
	}
}

// join returns an error if a process writes to the file under another name than the given one.
func (i *inode) join(ctx context.Context, name string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.writers > 0 {
		if i.name != name {
			return fmt.Errorf("%w under another name: open it as %s", ErrBusy, i.name)
		}
		return nil
	}
	inodes.Lock()
	again := slices.Index(i.names, name) != len(i.names)-1
	inodes.Unlock()
	if again { // the first DB has asked; and closing the log's index would drop its locks
		return nil
	}
	// Who writes has the index of the log open, next to the name that it uses; but for a moment at its start and end.
	return patiently(ctx, func() error {
		if !lockedElsewhere(i.file) || inUse(name+logIndex) {
			return nil
		}
		return fmt.Errorf("%w%s under another name (hard link or mount): use that name", ErrBusy, owner(i.file))
	})
}

// lockPatience is how long to wait for a lock. If a process is killed while it starts an external program, the
// child has its lock until it is first scheduled.
const lockPatience = time.Second

// patiently repeats an attempt while another process is in the way.
func patiently(ctx context.Context, attempt func() error) error {
	for began := time.Now(); ; {
		err := attempt()
		if !errors.Is(err, ErrBusy) || time.Since(began) > lockPatience || ctx.Err() != nil {
			return err
		}
		time.Sleep(lockPatience / 50)
	}
}

// guard keeps other programs from putting the log into the file until this process does, and notes the state of the
// file: whatever changes it from then on does not know SQLite. The caller holds turn.
func (i *inode) guard(name string) {
	i.stamp = nil
	now, err := os.Stat(name + logIndex)
	if err != nil {
		return
	}
	if i.log != nil {
		if info, err := i.log.Stat(); err != nil || !os.SameFile(info, now) {
			i.log = nil
		}
	}
	if i.log == nil {
		f, err := os.OpenFile(name+logIndex, os.O_RDWR, 0)
		if err != nil {
			return
		}
		inodes.Lock() // closing it would drop the locks of SQLite
		i.spare = append(i.spare, f)
		inodes.Unlock()
		i.log = f
	}
	if lockLog(i.log) {
		i.stamp, _ = i.file.Stat()
	}
}

// committed notes that the log has something for the file. The caller holds turn.
func (i *inode) committed() {
	if i.latest = time.Now(); i.since.IsZero() {
		i.since = i.latest
	}
}

// lock gives a DB the right to add games, until unlock. Other DBs of this process get ErrBusy.
func (i *inode) lock(db *DB) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.holder != nil && i.holder != db {
		return fmt.Errorf("%w (in this process)", ErrBusy)
	}
	i.holder = db
	i.locks++
	return nil
}

func (i *inode) unlock() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.locks--; i.locks == 0 {
		i.holder = nil
	}
}
