//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// writable reports whether this process may write a file, without opening it.
func writable(path string) bool {
	const wanted = 2 // W_OK
	err := syscall.Access(path, wanted)
	return !errors.Is(err, syscall.EACCES) && !errors.Is(err, syscall.EROFS)
}

// lockFile locks a file next to the study, until the returned function is called or this process ends. Links to
// the study share the lock.
func (db *DB) lockFile() (release func(), err error) {
	path := db.file + ".lock"
	began := time.Now()
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, fmt.Errorf("study %s: %w", db.path, err)
		}
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EWOULDBLOCK) && time.Since(began) < lockPatience:
			_ = f.Close()
			time.Sleep(lockPatience / 50)
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return nil, errors.Join(fmt.Errorf("study %s: %w", db.path, ErrBusy), f.Close())
		case err != nil:
			return nil, errors.Join(fmt.Errorf("study %s cannot be locked: %w", db.path, err), f.Close())
		}
		// Whoever held the lock removed its file at the end. One that was opened before and locked after that locks
		// nothing: only the file that stands at the path does, and only who has locked that one may remove it.
		held, err := f.Stat()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("study %s: %w", db.path, err), f.Close())
		}
		if there, err := os.Stat(path); err != nil || !os.SameFile(held, there) {
			_ = f.Close()
			continue
		}
		return func() {
			_ = os.Remove(path) // while the lock is held
			_ = f.Close()
		}, nil
	}
}
