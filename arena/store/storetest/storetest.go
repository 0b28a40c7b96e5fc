// Package storetest opens and reads studies in tests.
package storetest

import (
	"path/filepath"
	"testing"

	"spar/arena/store"
	"spar/configs/must"
)

// New returns an empty study, which is closed when the test ends.
func New(t testing.TB) *store.DB {
	t.Helper()
	return Open(t, filepath.Join(t.TempDir(), "study.db"))
}

// Open opens or creates the study at a path and closes it when the test ends.
func Open(t testing.TB, path string) *store.DB {
	t.Helper()
	db := must.Get(store.Open(t.Context(), path, store.Create))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Games returns the games of a study that a filter selects, in order.
func Games(t testing.TB, db *store.DB, f store.Filter) []store.Row {
	t.Helper()
	var rows []store.Row
	for row, err := range db.Games(t.Context(), f) {
		must.Do(t, err)
		rows = append(rows, row)
	}
	return rows
}
