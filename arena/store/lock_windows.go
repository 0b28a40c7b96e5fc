package store

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// lockFile opens a file beside that of the study for this process alone, until the returned function is called or
// this process ends. Windows then removes the file.
func (db *DB) lockFile() (release func(), err error) {
	const (
		sharingViolation = syscall.Errno(32) // ERROR_SHARING_VIOLATION: another process has the file open
		deleteOnClose    = 0x04000000        // FILE_FLAG_DELETE_ON_CLOSE
	)
	path, err := syscall.UTF16PtrFromString(db.file + ".lock")
	if err != nil {
		return nil, fmt.Errorf("study %s: %w", db.path, err)
	}
	for began := time.Now(); ; time.Sleep(lockPatience / 50) {
		handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
			deleteOnClose, 0)
		if err == nil {
			return func() { _ = syscall.CloseHandle(handle) }, nil
		}
		// A file that is being removed is denied until it is gone.
		busy := errors.Is(err, sharingViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED)
		switch {
		case !busy:
			return nil, fmt.Errorf("study %s cannot be locked: %w", db.path, err)
		case time.Since(began) >= lockPatience && errors.Is(err, sharingViolation):
			return nil, fmt.Errorf("study %s: %w", db.path, ErrBusy)
		case time.Since(began) >= lockPatience:
			return nil, fmt.Errorf("study %s cannot be locked: %w", db.path, err)
		}
	}
}

// writable returns true. If the file cannot be written, SQLite will return an error.
func writable(string) bool { return true }
