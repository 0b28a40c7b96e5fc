//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package remote

import (
	"errors"
	"os"
)

// lockFolder always fails: Spar plays games only on systems with file locks.
func lockFolder(string) (*os.File, error) {
	return nil, errors.New("this system has no file locks that Spar knows")
}
