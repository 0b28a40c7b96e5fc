package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"spar/arena/study"
	"spar/configs/fuzzlimit"
)

// damagedStudy writes a study of many games and destroys pages of it.
func damagedStudy(t testing.TB, games int, destroy func(data []byte)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.db")
	ctx := context.Background()
	db, err := Open(ctx, path, Create)
	if err != nil {
		t.Fatal(err)
	}
	e, err := db.BeginEvent(ctx, study.Event{Name: "e", Purpose: "tournament", Plan: "{}"})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := db.RulesID(ctx, "classic", "h", "{}")
	if err != nil {
		t.Fatal(err)
	}
	a, err := db.AgentID(ctx, "a", `{"type":"random"}`)
	if err != nil {
		t.Fatal(err)
	}
	var rows []study.Game
	for i := range int64(games) {
		rows = append(rows, study.Game{
			Event: e.ID, Number: i, Rules: rules, First: a, Second: a, Pair: i / 2,
			Moves: strings.Repeat("b2 ", 20) + fmt.Sprint(i), Result: "draw", Reason: "full_board", Hash: i,
		})
	}
	if err := db.Commit(ctx, rows, nil, e.ID); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if destroy != nil {
		destroy(data)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDamage(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	sound := damagedStudy(t, 600, nil)
	if faults, err := Damage(ctx, sound); err != nil || len(faults) > 0 {
		t.Errorf("a sound study: %v, %v", faults, err)
	}
	const page = 4096
	// The page that holds the text of one game in the middle.
	broken := damagedStudy(t, 600, func(data []byte) {
		at := strings.Index(string(data), strings.Repeat("b2 ", 20)+"300")
		clear(data[at/page*page : at/page*page+page])
	})
	faults, err := Damage(ctx, broken)
	if err != nil || len(faults) == 0 {
		t.Fatalf("a destroyed page is not found: %v, %v", faults, err)
	}
	out := filepath.Join(t.TempDir(), "out.db")
	saved, err := Salvage(ctx, broken, out)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range saved {
		if s.Table == "games" && (s.Rows+s.Lost != 600 || s.Lost < 1 || s.Lost > 60) {
			t.Errorf("games: %+v of 600 with one page of 4096 bytes destroyed", s)
		}
	}
	if faults, err := Damage(ctx, out); err != nil || len(faults) > 0 {
		t.Errorf("what was saved is damaged: %v, %v", faults, err)
	}
	if _, err := Salvage(ctx, broken, out); err == nil {
		t.Error("salvage overwrites a file")
	}
	// Pages may be sound while rows refer to some that are gone: each of 3 games names its rules.
	orphans := damagedStudy(t, 3, nil)
	other, err := sql.Open("sqlite3", "file:"+orphans+"?_foreign_keys=off")
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.ExecContext(ctx, "DELETE FROM rules")
	if err := errors.Join(err, other.Close()); err != nil {
		t.Fatal(err)
	}
	if faults, err := Damage(ctx, orphans); err != nil ||
		!slices.Equal(faults, []string{"3 rows of games refer to missing rows of rules"}) {
		t.Errorf("games without rules: %q, %v", faults, err)
	}
	if _, err := Damage(ctx, filepath.Join(t.TempDir(), "none.db")); err == nil {
		t.Error("a file that is not there is sound")
	}
}

// Every game that stands in a page that is left is saved, wherever the others were: in the tables of rules, agents and
// events, in the schema, or on the way to the games. Those are found here by searching the file for their moves.
func TestSalvageTakesWholePages(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const games, page = 500, 4096
	moves := regexp.MustCompile(`(?:b2 ){20}(\d+)draw`)
	path := damagedStudy(t, games, nil)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rulesAt := strings.Index(string(data), "classic") / page
	for seed := range 6 {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(seed), 1))
			broken := slices.Clone(data)
			from := rng.IntN(12) * (seed % 3) // often the first pages, which lead to the others
			for at := from * page; at < min((from+1+rng.IntN(12))*page, len(broken)); at++ {
				if at/page != rulesAt {
					broken[at] = byte(rng.Uint32())
				}
			}
			want := map[string]bool{}
			for at := 0; at < len(broken); at += page {
				if broken[at] == tableLeaf { // in others may be what stood there once
					for _, m := range moves.FindAllSubmatch(broken[at:at+page], -1) {
						want[string(m[1])] = true
					}
				}
			}
			folder := t.TempDir()
			file, out := filepath.Join(folder, "broken.db"), filepath.Join(folder, "out.db")
			if err := os.WriteFile(file, broken, 0o600); err != nil {
				t.Fatal(err)
			}
			if faults, err := Damage(ctx, file); err != nil || len(faults) == 0 {
				t.Errorf("damage: %v, %v", faults, err)
			}
			saved, err := Salvage(ctx, file, out)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range saved {
				if s.Table == "games" && s.Rows != int64(len(want)) {
					t.Errorf("%+v, want the %d that are left", s, len(want))
				}
			}
			if faults, err := Damage(ctx, out); err != nil || len(faults) > 0 {
				t.Errorf("what was saved is damaged: %v, %v", faults, err)
			}
		})
	}
}

// FuzzCarve holds that no file makes the reader of pages panic or take long.
func FuzzCarve(f *testing.F) {
	db, err := os.ReadFile(damagedStudy(f, 3, nil))
	if err != nil {
		f.Fatal(err)
	}
	for at := 0; at+4096 <= len(db); at += 4096 {
		if page := db[at:][:4096]; bytes.IndexByte([]byte{tableLeaf, indexLeaf, indexInterior}, page[0]) >= 0 {
			f.Add(page)
		}
	}
	f.Add(db[:4096])
	f.Add(db[:8192])
	watch := fuzzlimit.Watch(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		defer watch()()
		c := newCarver(bytes.NewReader(data), int64(len(data)))
		for _, withoutKey := range []bool{false, true} {
			for r := range c.rows(t.Context(), withoutKey) {
				for _, field := range r.fields {
					if s, ok := field.(string); ok && strings.ContainsRune(s, 0) {
						t.Errorf("%q", s)
					}
				}
			}
		}
	})
}

// A study of an older version lacks tables and columns: what it has is saved, and nothing counts as lost.
func TestSalvageOlderStudy(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := damagedStudy(t, 10, nil)
	older, err := sql.Open("sqlite3", source(path, "mode=rw"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := older.ExecContext(ctx, "DROP TABLE workers; DROP TABLE opinions; ALTER TABLE plies "+
		"DROP COLUMN pv"); err != nil {
		t.Fatal(err)
	}
	if err := older.Close(); err != nil {
		t.Fatal(err)
	}
	saved, err := Salvage(ctx, path, filepath.Join(t.TempDir(), "out.db"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]int64{}
	for _, s := range saved {
		if rows[s.Table] = s.Rows; s.Lost != 0 {
			t.Errorf("%s: %d lost", s.Table, s.Lost)
		}
	}
	for table, want := range map[string]int64{
		"games": 10, "agents": 1, "events": 1, "rules": 1, "workers": 0,
		"opinions": 0,
	} {
		if got, ok := rows[table]; !ok || got != want {
			t.Errorf("%s: %d rows saved (%t), want %d", table, got, ok, want)
		}
	}
}

// TestHotJournal opens a study whose last writer was killed in the middle of a transaction, before the file was in WAL
// mode.
func TestHotJournal(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := damagedStudy(t, 10, nil)
	writer, err := sql.Open("sqlite3", source(path, "mode=rw&_journal_mode=DELETE&_synchronous=FULL&_cache_size=1"))
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	tx, err := writer.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()    //nolint:errcheck // the copy is what counts
	for i := range 2_000 { // more than the cache holds: pages go to the file before the end
		if _, err := tx.ExecContext(ctx, "INSERT INTO agents (name, spec) VALUES (?, ?)", fmt.Sprint("half ", i),
			strings.Repeat("x", 500)); err != nil {
			t.Fatal(err)
		}
	}
	left := filepath.Join(t.TempDir(), "left.db")
	for _, ending := range []string{"", "-journal"} {
		data, err := os.ReadFile(path + ending)
		if err != nil || len(data) == 0 {
			t.Fatal(len(data), err)
		}
		if err := os.WriteFile(left+ending, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if faults, err := Damage(ctx, left); err != nil || len(faults) > 0 {
		t.Errorf("the study is called damaged: %v, %v", faults, err)
	}
	db, err := Open(ctx, left, Create)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var half, whole int
	if err := db.sql.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM agents WHERE name LIKE 'half %'), (SELECT "+
		"count(*) FROM games)").Scan(&half, &whole); err != nil || half != 0 || whole != 10 {
		t.Errorf("%d agents of a transaction that was not committed, %d games of 10: %v", half, whole, err)
	}
}
