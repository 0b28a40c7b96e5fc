//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package remote

import (
	"errors"
	"os"
)

// lockFolder fails: games are played on systems with file locks only.
func lockFolder(string) (*os.File, error) {
	return nil, errors.New("this system has no file locks that Spar knows")
}
