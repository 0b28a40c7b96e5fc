//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package store

import "os"

func links(*os.File) uint64 { return 1 }

func lockLog(*os.File) bool { return false }

// refused returns nil. If a file cannot be written, SQLite returns an error.
func refused(string) error { return nil }
