//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package store

import "fmt"

// lockFile returns an error: without file locks, two processes could write the same games.
func (db *DB) lockFile() (release func(), err error) {
	return nil, fmt.Errorf("study %s: this system has no file locks that Spar knows, "+
		"so it stores no games", db.path)
}

// writable returns true. If the file cannot be written, SQLite will return an error.
func writable(string) bool { return true }
