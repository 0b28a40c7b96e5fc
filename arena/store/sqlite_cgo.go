//go:build cgo

package store

import (
	"errors"
	"fmt"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// resultCode is SQLite's primary result code of an error (sqlite.org/rescode.html); 0 for errors that are not SQLite's.
func resultCode(err error) int {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return 0
	}
	return int(e.Code)
}

// confine restricts a connection to reading its study: it cannot use other files, settings or extensions.
func confine(connection any) error {
	c, ok := connection.(*sqlite3.SQLiteConn)
	if !ok {
		return fmt.Errorf("a connection of type %T", connection)
	}
	c.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, queryBytes)
	c.RegisterAuthorizer(func(what int, name, second, _ string) int {
		const recursive = 33 // SQLITE_RECURSIVE (sqlite.org/c3ref/c_alter_table.html)
		switch what {
		case sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, recursive:
			return sqlite3.SQLITE_OK
		case sqlite3.SQLITE_FUNCTION:
			if second != "load_extension" {
				return sqlite3.SQLITE_OK
			}
		}
		return sqlite3.SQLITE_DENY
	})
	return nil
}
