//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package remote

import (
	"errors"
	"os"
)

// lockFolder returns an error: Spar plays games only on systems with file locks.
func lockFolder(string) (*os.File, error) {
	return nil, errors.New("Spar cannot lock files on this system")
}
