//go:build !cgo

package store

import (
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite" // SQLite in Go; it takes the same parameters of a file's name
)

// Driver is the name of SQLite's driver in package database/sql, and DriverModule the module that it comes from.
const (
	Driver       = "sqlite"
	DriverModule = "modernc.org/sqlite"
)

// limitText does nothing: this driver has no limit for the connections of a driver.Connector.
func limitText(driver.Conn) {}

// resultCode is SQLite's primary result code of an error (sqlite.org/rescode.html); 0 for errors that are not SQLite's.
func resultCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff // the rest says more
}
