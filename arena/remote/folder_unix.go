//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package remote

import (
	"errors"
	"os"
	"syscall"
)

// lockFolder locks a file until it is closed or this process ends. It fails at once if another process holds the lock.
func lockFolder(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(os.NewSyscallError("flock", err), f.Close())
	}
	return f, nil
}
