//go:build !cgo

package store

import _ "github.com/mattn/go-sqlite3" // without cgo it only says that it needs it

// resultCode returns 0: without cgo there is no SQLite.
func resultCode(error) int { return 0 }
