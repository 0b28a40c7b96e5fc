//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package store

import "os"

// lockFile locks a file next to the study. On this system a lock of the study itself would exclude SQLite, too.
func lockFile(_ *os.File, name string) (release func(), err error) { return lockBeside(name) }
