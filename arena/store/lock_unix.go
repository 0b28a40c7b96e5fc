//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package store

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// refused returns an error if this process may not write a file or into a folder. It opens nothing.
func refused(path string) error {
	const wanted = 2 // W_OK
	err := syscall.Access(path, wanted)
	if errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EROFS) {
		return err
	}
	return nil
}

// links returns how many names a file has.
func links(f *os.File) uint64 {
	if info, err := f.Stat(); err == nil {
		if s, ok := info.Sys().(*syscall.Stat_t); ok {
			return uint64(s.Nlink)
		}
	}
	return 1
}

// lockLog takes the lock without which no other process puts the log into the file, by the index of the log. SQLite
// gives it back after it has done so for this process.
func lockLog(index *os.File) bool {
	checkpoint := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 121, Len: 1} // SQLite's wal.c: WAL_CKPT_LOCK
	for began := time.Now(); time.Since(began) < lockPatience; time.Sleep(writeAgain) {
		if syscall.FcntlFlock(index.Fd(), syscall.F_SETLK, &checkpoint) == nil {
			return true
		}
	}
	return false
}

// lockBeside locks a file next to a study, until the returned function is called or this process ends.
func lockBeside(name string) (release func(), err error) {
	path := name + ".lock"
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrBusy
	}
	if err == nil {
		// Whoever held the lock removed its file at the end. One that was opened before that locks nothing.
		var held, there os.FileInfo
		if held, err = f.Stat(); err == nil {
			if there, err = os.Stat(path); err != nil || !os.SameFile(held, there) {
				err = ErrBusy
			}
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		_ = os.Remove(path) // while the lock is held
		_ = f.Close()
	}, nil
}
