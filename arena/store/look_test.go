package store_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/arena/study"
)

// A query of somebody else reads the study, and can neither write, nor reach another file, nor last.
func TestQuery(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, filepath.Join(dir, "s.db"))
	row := begin(t, db)
	if err := db.Commit(t.Context(), []study.Game{row(0), row(1)}, nil, 1); err != nil {
		t.Fatal(err)
	}
	ask := func(query string) (rows [][]any, more bool, err error) {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond) // less than the query's own limit
		defer cancel()
		more, err = db.Query(ctx, query, 3, func([]string) error { return nil }, func(v []any) error {
			rows = append(rows, append([]any(nil), v...))
			return nil
		})
		return rows, more, err
	}
	if rows, more, err := ask("SELECT count(*), max(first) FROM results"); err != nil || more || len(rows) != 1 ||
		rows[0][0] != int64(2) || rows[0][1] != "two" {
		t.Errorf("%v, %t, %v", rows, more, err)
	}
	if rows, more, err := ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 9) " +
		"SELECT i FROM n"); err != nil || !more || len(rows) != 3 {
		t.Errorf("%v, %t, %v", rows, more, err)
	}
	for _, query := range []string{
		"DELETE FROM games", "SELECT 1; DELETE FROM games", "ATTACH '" + filepath.Join(dir, "other.db") + "' AS o",
		"SELECT 1; ATTACH 'x.db' AS o",
		"PRAGMA query_only = 0", "SELECT * FROM pragma_database_list", "SELECT load_extension('x')",
		"VACUUM INTO '" + filepath.Join(dir, "copy.db") + "'", "CREATE TEMP TABLE x (a)",
		"SELECT length(randomblob(100000000))", "SELECT nothing", "",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n",
	} {
		if rows, _, err := ask(query); err == nil && len(rows) > 0 && query != "" && !strings.HasPrefix(query, "SELECT 1;") {
			t.Errorf("%s: %v", query, rows)
		} else if err == nil && query != "" {
			t.Errorf("%s: no error", query)
		}
	}
	if rows, _, err := ask("SELECT count(*) FROM games"); err != nil || rows[0][0] != int64(2) {
		t.Errorf("afterwards: %v, %v", rows, err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 3 {
		t.Errorf("files were made: %v", files)
	}
}
