package store_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"spar/arena/store"
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
	if rows, more, err := ask("SELECT count(*), max(first) FROM results"); err != nil || more || len(rows) != 1 || rows[0][0] != int64(2) || rows[0][1] != "two" {
		t.Errorf("%v, %t, %v", rows, more, err)
	}
	if rows, more, err := ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 9) SELECT i FROM n"); err != nil || !more || len(rows) != 3 {
		t.Errorf("%v, %t, %v", rows, more, err)
	}
	for _, query := range []string{
		"DELETE FROM games", "SELECT 1; DELETE FROM games", "ATTACH '" + filepath.Join(dir, "other.db") + "' AS o", "SELECT 1; ATTACH 'x.db' AS o",
		"PRAGMA query_only = 0", "SELECT * FROM pragma_database_list", "SELECT load_extension('x')", "VACUUM INTO '" + filepath.Join(dir, "copy.db") + "'", "CREATE TEMP TABLE x (a)",
		"SELECT length(randomblob(100000000))", "SELECT nothing", "", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n",
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

// Games come page by page, by keys, from either end.
func TestPagesOfGames(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "s.db"))
	row := begin(t, db)
	var games []study.Game
	for n := range int64(7) {
		games = append(games, row(n))
	}
	if err := db.Commit(t.Context(), games, nil, 1); err != nil {
		t.Fatal(err)
	}
	first := func(n int64) (id int64) {
		for r, err := range db.Games(t.Context(), store.Filter{}) {
			if id = r.ID; err != nil || r.Number == n {
				break
			}
		}
		return id
	}
	for _, c := range []struct {
		after, n int64 // number of a game, -1 for none
		back     bool
		want     int64 // number of a game, -1 for none
	}{
		{-1, 1, false, 0},
		{-1, 2, false, 1},
		{0, 1, false, 1},
		{-1, 99, false, 6},
		{6, 1, false, -1},
		{-1, 1, true, 6},
		{6, 1, true, 5},
		{-1, 99, true, 0},
		{0, 1, true, -1},
	} {
		after, want := int64(0), int64(0)
		if c.after >= 0 {
			after = first(c.after)
		}
		if c.want >= 0 {
			want = first(c.want)
		}
		if got, err := db.Window(t.Context(), after, c.n, c.back); err != nil || got != want {
			t.Errorf("window %+v: %d, want %d, %v", c, got, want, err)
		}
	}
	versions, err := db.Versions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer versions.Close()
	one, err := versions.Now(t.Context())
	if two, again := versions.Now(t.Context()); err != nil || again != nil || one != two {
		t.Errorf("versions %d, %d of an unchanged study: %v, %v", one, two, err, again)
	}
	if err := db.Commit(t.Context(), []study.Game{row(7)}, nil, 1); err != nil {
		t.Fatal(err)
	}
	if two, err := versions.Now(t.Context()); err != nil || one == two {
		t.Errorf("version %d after a change, %v", two, err)
	}
	ids := func(f store.Filter) (out []int64) {
		for g, err := range db.Games(t.Context(), f) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, g.ID)
		}
		return out
	}
	for _, c := range []struct {
		f    store.Filter
		want []int64
	}{
		{store.Filter{Limit: 3}, []int64{1, 2, 3}},
		{store.Filter{Limit: 3, After: 3}, []int64{4, 5, 6}},
		{store.Filter{Limit: 3, Last: true}, []int64{8, 7, 6}},
		{store.Filter{Limit: 3, After: 2, Until: 5}, []int64{3, 4, 5}},
		{store.Filter{Limit: 3, Last: true, Until: 4, After: 7}, []int64{6, 5, 4}},
		{store.Filter{Limit: 3, Last: true, After: 5}, []int64{4, 3, 2}},
	} {
		got := ids(c.f)
		if len(got) != len(c.want) || got[0] != c.want[0] || got[2] != c.want[2] {
			t.Errorf("%+v: %v, want %v", c.f, got, c.want)
		}
	}
	if before, after, err := db.Neighbours(t.Context(), 1); err != nil || before != 0 || after != 2 {
		t.Errorf("%d, %d, %v", before, after, err)
	}
}
