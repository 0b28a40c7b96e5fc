//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package store

import "fmt"

// lockFile fails: without file locks two processes might write the same games.
func (db *DB) lockFile() (release func(), err error) {
	return nil, fmt.Errorf("study %s: this system has no file locks that Spar knows, "+
		"so it stores no games", db.path)
}

// writable leaves it to SQLite to find out.
func writable(string) bool { return true }
