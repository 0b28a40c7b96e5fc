package serve_test

import (
	"testing"

	"spar/arena/store"
)

func studyOf(t testing.TB, path string) *store.DB {
	t.Helper()
	db, err := store.OpenExisting(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func filterOf(event string) store.Filter { return store.Filter{Event: event} }
