package store

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"spar/arena/study"
)

// A study that may not be written can be read, and nothing is left beside it.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	path := filepath.Join(dir, "study.db")
	db, err := Open(ctx, path, Create)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.BeginEvent(ctx, study.Event{Name: "cup", Purpose: "tournament", Plan: "{}"}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if db, err = openReadOnly(ctx, path); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if events, err := db.Events(ctx); err != nil || len(events) != 1 || events[0].Name != "cup" {
		t.Errorf("%v, %v", events, err)
	}
	if _, err := db.BeginEvent(ctx, study.Event{Name: "other", Purpose: "tournament", Plan: "{}"}); err == nil {
		t.Error("a study that may not be written was written")
	}
	row := db.sql.QueryRowContext(ctx, "SELECT length(zeroblob(?))", mostText+1)
	if err := explain(row.Scan(new(int64))); Driver == "sqlite3" && (err == nil ||
		!strings.Contains(err.Error(), "more than 64 MB")) {
		t.Errorf("a row of more than 64 MB: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("files %v", files)
	}
}

// What is read through a link to a study is what stands in it now, also where that is still in the log beside the file.
func TestReadOnlyThroughALink(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	db, err := Open(ctx, filepath.Join(dir, "study.db"), Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.BeginEvent(ctx, study.Event{Name: "cup", Purpose: "tournament", Plan: "{}"}); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink("study.db", link); err != nil {
		t.Fatal(err)
	}
	reader, err := openReadOnly(ctx, link)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if events, err := reader.Events(ctx); err != nil || len(events) != 1 {
		t.Errorf("%v, %v", events, err)
	}
}
