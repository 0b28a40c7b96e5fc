package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	_ "github.com/mattn/go-sqlite3" // to look into files, and to make those of other programs
	"go.uber.org/goleak"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// raw opens a file with SQLite alone.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db := must.Get(sql.Open(store.Driver, "file:"+path))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t testing.TB, db *sql.DB, query string) {
	t.Helper()
	must.Get(db.Exec(query))(t)
}

// begin makes an event with one set of rules and two agents, and returns games of it by number.
func begin(t testing.TB, db *store.DB) func(number int64) study.Game {
	t.Helper()
	ctx := context.Background()
	e := must.Get(db.BeginEvent(ctx, study.Event{Name: "cup", Purpose: "tournament", Plan: `{"pairs":2}`, Seed: 7}))(t)
	rules := must.Get(db.RulesID(ctx, "classic", "abc", `{"name":"classic"}`))(t)
	var agents [2]int64
	for i, name := range []string{"one", "two"} {
		agents[i] = must.Get(db.AgentID(ctx, name, `{"type":"random"}`))(t)
	}
	return func(n int64) study.Game {
		g := study.Game{
			Event: e.ID, Number: n, Rules: rules, First: agents[n%2], Second: agents[1-n%2], Pair: n / 2, Opening: n / 2,
			OpeningPlies: 1, Seed: 7,
			Moves: "b2 a1", Result: []string{"first", "second", "draw"}[n%3], Reason: "line", Plies: 5 + int(n), FirstMS: 1.5,
			SecondMS: float64(n), FirstNodes: 3, SecondNodes: 4, Hash: n,
		}
		return g
	}
}

func put(t testing.TB, db *store.DB, games ...study.Game) {
	t.Helper()
	must.Do(t, errors.Join(db.Commit(context.Background(), games, nil, 0), db.Judge(context.Background())))
}

func count(t testing.TB, db *store.DB, f store.Filter) (n int, numbers []int64) {
	t.Helper()
	for g, err := range db.Games(context.Background(), f) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		numbers = append(numbers, g.Number)
	}
	return n, numbers
}

// A study is made with its folder, survives closing, and is WAL with foreign keys.
func TestOpenMakesAStudy(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"study.db", "a folder/deeper/study.db", "odd 100%?#&=.db"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), name)
			must.Refuse(store.Open(context.Background(), path, store.Existing))(t, "no study at "+path)
			db := storetest.Open(t, path)
			game := begin(t, db)
			want := game(0)
			put(t, db, want)
			must.Do(t, db.Close())
			must.Get(os.Stat(path))(t)
			again := must.Get(store.Open(context.Background(), path, store.Existing))(t)
			defer again.Close()
			for _, row := range storetest.Games(t, again, store.Filter{}) {
				want.ID = row.ID
				wantRow := store.Row{
					Game: want, EventName: "cup", RulesName: "classic", FirstName: "one", SecondName: "two",
					RulesJSON: `{"name":"classic"}`,
				}
				if diff := cmp.Diff(wantRow, row); diff != "" {
					t.Error(diff)
				}
			}
			bad := want
			bad.Number, bad.Rules = 1, 99
			if err := again.Commit(context.Background(), []study.Game{bad}, nil, bad.Event); err == nil {
				t.Error("stored a game of rules that are not there")
			}
		})
	}
}

// What is there and is no file is refused, whoever asks, before SQLite sees it.
func TestNoFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if _, err := store.Damage(t.Context(), folder); !errors.Is(err, store.ErrPath) {
		t.Errorf("Damage of a folder: %v", err)
	}
	empty := filepath.Join(folder, "empty.yaml")
	must.Do(t, os.WriteFile(empty, nil, 0o600))
	if _, err := store.Open(t.Context(), empty, store.Existing); !errors.Is(err, store.ErrPath) || err.Error() != empty+
		" is empty: a study is a file with games" {
		t.Errorf("Open of an empty file: %v", err)
	}
	if data, err := os.ReadFile(empty); err != nil || len(data) != 0 {
		t.Errorf("which has %d bytes now, %v", len(data), err)
	}
	for path, want := range map[string]string{
		folder:     "a study is a file: " + folder + " is a folder",
		os.DevNull: "a study is a file: " + os.DevNull + " is a pipe or a device",
	} {
		for what, mode := range map[string]store.Mode{"Create": store.Create, "Existing": store.Existing} {
			if _, err := store.Open(t.Context(), path, mode); !errors.Is(err, store.ErrPath) || err.Error() != want {
				t.Errorf("%s of %s: %v", what, path, err)
			}
		}
	}
}

// Files of other programs and of newer versions are refused and left as they are, byte by byte.
func TestForeignFilesAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		fill func(t *testing.T, path string)
		want string
	}{
		{"a text", func(t *testing.T, path string) {
			must.Do(t, os.WriteFile(path, []byte(strings.Repeat("no database\n", 100)), 0o644))
		}, "not an SQLite file"},
		{"another program's SQLite file", func(t *testing.T, path string) {
			db := raw(t, path)
			exec(t, db, "CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')")
			db.Close()
		}, "an SQLite file, but not a Spar study"},
		{"a newer schema", func(t *testing.T, path string) {
			storetest.Open(t, path).Close()
			db := raw(t, path)
			exec(t, db, "PRAGMA journal_mode = DELETE")
			exec(t, db, "PRAGMA user_version = 1000")
			db.Close()
		}, "a newer Spar wrote it (schema 1000;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "other.db")
			c.fill(t, path)
			before := must.Get(os.ReadFile(path))(t)
			for what, mode := range map[string]store.Mode{"Create": store.Create, "Existing": store.Existing} {
				db, err := store.Open(context.Background(), path, mode)
				if err == nil {
					db.Close()
				}
				if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
					t.Errorf("%s: %v\nlacks %s, or the path", what, err, c.want)
				}
			}
			if err := store.CheckOutput(t.Context(), path); errors.Is(err, store.ErrIsStudy) != (c.name != "a text") {
				t.Errorf("as the file for an export: %v", err)
			}
			after := must.Get(os.ReadFile(path))(t)
			if !cmp.Equal(before, after) {
				t.Error("the file has changed")
			}
			if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
				t.Errorf("left behind: %v", entries)
			}
		})
	}
}

// Several processes may open a fresh study at once: each finds it whole.
func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "study.db")
	errs := make(chan error)
	for range 8 {
		go func() {
			db, err := store.Open(context.Background(), path, store.Create)
			if err == nil {
				_, err = db.Events(context.Background())
				err = errors.Join(err, db.Close())
			}
			errs <- err
		}()
	}
	for range 8 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// An event goes on only under the plan that it was begun with; rules and agents of one name are the same ones.
func TestNamesKeepTheirMeaning(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := storetest.New(t)
	cup := study.Event{Name: "cup", Purpose: "tournament", Plan: `{"pairs":2,"seed":1}`, Seed: 1}
	first := must.Get(db.BeginEvent(ctx, cup))(t)
	if again, err := db.BeginEvent(ctx, cup); err != nil || again.ID != first.ID {
		t.Errorf("the same plan: %+v, %v", again, err)
	}
	cup.Plan = `{"pairs":3,"seed":1}`
	var plan *store.PlanError
	if _, err := db.BeginEvent(ctx, cup); !errors.As(err, &plan) || plan.Event != "cup" ||
		!strings.Contains(err.Error(), `under another plan (pairs was 2, is 3)`) {
		t.Errorf("another plan: %v", err)
	}
	cup.Name = "other cup"
	if other, err := db.BeginEvent(ctx, cup); err != nil || other.ID == first.ID {
		t.Errorf("another name: %+v, %v", other, err)
	}

	a, err1 := db.RulesID(ctx, "classic", "h1", "{}")
	b, err2 := db.RulesID(ctx, "classic", "h1", "{}")
	if _, err3 := db.RulesID(ctx, "classic", "h2", "{}"); a != b || err1 != nil || err2 != nil || err3 == nil ||
		!strings.Contains(err3.Error(), "different rules named classic") {
		t.Errorf("rules: %d, %d, %v, %v, %v", a, b, err1, err2, err3)
	}
	a, err1 = db.AgentID(ctx, "one", "{}")
	b, err2 = db.AgentID(ctx, "one", "{}")
	if _, err3 := db.AgentID(ctx, "one", "{1}"); a != b || err1 != nil || err2 != nil || err3 == nil ||
		!strings.Contains(err3.Error(), "a different agent named one") {
		t.Errorf("agents: %d, %d, %v, %v, %v", a, b, err1, err2, err3)
	}
	events, err := db.Events(ctx)
	if err != nil || len(events) != 2 || events[0].Plan != `{"pairs":2,"seed":1}` || events[0].Seed != 1 {
		t.Errorf("%+v, %v", events, err)
	}
	names, err := db.Names(ctx, "events")
	if err != nil || strings.Join(names, ", ") != "cup, other cup" {
		t.Errorf("%v, %v", names, err)
	}
	if _, err := db.Names(ctx, "games"); err == nil {
		t.Error("games have names")
	}
}

// Readers see the last commit while a writer is in the middle of a transaction.
func TestReadersDoNotWait(t *testing.T) {
	t.Parallel()
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "study.db")
	db := storetest.Open(t, path)
	game := begin(t, db)
	put(t, db, game(0))

	other := raw(t, path)
	other.SetMaxOpenConns(1)
	exec(t, other, "BEGIN IMMEDIATE; UPDATE games SET moves = 'half written'")
	reader := must.Get(store.Open(ctx, path, store.Existing))(t)
	defer reader.Close()
	for g, err := range reader.Games(ctx, store.Filter{}) {
		if err != nil || g.Moves != "b2 a1" {
			t.Errorf("during another's transaction: %q, %v", g.Moves, err)
		}
	}
	exec(t, other, "COMMIT")
	for g, err := range reader.Games(ctx, store.Filter{}) {
		if err != nil || g.Moves != "half written" {
			t.Errorf("after another's transaction: %q, %v", g.Moves, err)
		}
	}
}

// The views answer the usual questions in SQL alone.
func TestViews(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "study.db")
	db := storetest.Open(t, path)
	game := begin(t, db)
	// one-two 1:0, two-one 0:1, one-two draw, two-one 1:0, one-two 0:1, two-one draw
	put(t, db, game(0), game(1), game(2), game(3), game(4), game(5))
	for query, want := range map[string]string{
		"SELECT id, event, number, rules, first, second, result, first_score, plies FROM results " +
			"WHERE number = 2": "3 cup 2 classic one two draw 0.5 7",
		"SELECT rules, agent, games, points, score, wins, draws, losses FROM standings WHERE " +
			"agent = 'one'": "classic one 6 3 0.5 2 2 2",
		"SELECT rules, agent, opponent, games, points FROM crosstable WHERE agent = 'two'":                          "classic two one 6 3",
		"SELECT rules, games, first, second, draws, first_score, mean_plies FROM first_player":                      "classic 6 2 2 2 0.5 7.5",
		"SELECT count(*) FROM games WHERE moves <> '' AND result <> '' AND reason <> '' AND plies > 0 AND seed = 7": "6",
	} {
		rows, err := raw(t, path).Query(query)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		names := must.Get(rows.Columns())(t)
		var got []string
		for rows.Next() {
			values := make([]any, len(names))
			into := make([]any, len(names))
			for i := range values {
				into[i] = &values[i]
			}
			must.Do(t, rows.Scan(into...))
			got = append(got, strings.TrimSpace(fmt.Sprintln(values...)))
		}
		rows.Close()
		if text := strings.Join(strings.Fields(strings.Join(got, "; ")), " "); text != want {
			t.Errorf("%s: %q, want %q", query, text, want)
		}
	}
}
