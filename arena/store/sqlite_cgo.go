//go:build cgo

package store

import (
	"database/sql/driver"
	"errors"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Driver is the name of SQLite's driver in package database/sql, and DriverModule the module that it comes from.
const (
	Driver       = "sqlite3"
	DriverModule = "github.com/mattn/go-sqlite3"
)

// limitText makes a connection refuse rows with more than mostText bytes.
func limitText(c driver.Conn) {
	if c, ok := c.(*sqlite3.SQLiteConn); ok {
		c.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, mostText)
	}
}

// resultCode is SQLite's primary result code of an error (sqlite.org/rescode.html); 0 for errors that are not SQLite's.
func resultCode(err error) int {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return 0
	}
	return int(e.Code)
}
