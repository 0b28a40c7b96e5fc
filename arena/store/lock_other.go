//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package store

import "fmt"

// lockFile always fails: without file locks two processes could write the same games.
func (db *DB) lockFile() (release func(), err error) {
	return nil, fmt.Errorf("study %s: this system has no file locks that Spar knows, "+
		"so it stores no games", db.path)
}

// writable returns true; SQLite will report an error otherwise.
func writable(string) bool { return true }
