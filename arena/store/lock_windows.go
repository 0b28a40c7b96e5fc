package store

import (
	"errors"
	"os"
	"syscall"
)

// lockFile opens a file next to the study for this process alone, until the returned function is called or this
// process ends. Windows then removes the file.
func lockFile(_ *os.File, name string) (release func(), err error) {
	const (
		sharingViolation = syscall.Errno(32) // ERROR_SHARING_VIOLATION: another process has the file open
		deleteOnClose    = 0x04000000        // FILE_FLAG_DELETE_ON_CLOSE
	)
	path, err := syscall.UTF16PtrFromString(name + ".lock")
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
		deleteOnClose, 0)
	// A file that is being removed is denied until it is gone.
	if errors.Is(err, sharingViolation) || errors.Is(err, syscall.ERROR_ACCESS_DENIED) {
		return nil, ErrBusy
	}
	return func() { _ = syscall.CloseHandle(handle) }, err
}
