package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/arena/study"
	"spar/configs/must"
)

// damagedStudy writes a study of many games and destroys pages of it.
func damagedStudy(t testing.TB, games int, destroy func(data []byte)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.db")
	ctx := context.Background()
	db := must.Get(Open(ctx, path, Create))(t)
	e := must.Get(db.BeginEvent(ctx, study.Event{Name: "e", Purpose: "tournament", Plan: "{}"}))(t)
	rules := must.Get(db.RulesID(ctx, "classic", "h", "{}"))(t)
	a := must.Get(db.AgentID(ctx, "a", `{"type":"random"}`))(t)
	var rows []study.Game
	for i := range int64(games) {
		rows = append(rows, study.Game{
			Event: e.ID, Number: i, Rules: rules, First: a, Second: a, Pair: i / 2,
			Moves: strings.Repeat("b2 ", 20) + fmt.Sprint(i), Result: "draw", Reason: "full_board", Hash: i,
		})
	}
	must.Do(t, db.Commit(ctx, rows, nil, e.ID))
	must.Do(t, db.Close())
	data := must.Get(os.ReadFile(path))(t)
	if destroy != nil {
		destroy(data)
	}
	must.Do(t, os.WriteFile(path, data, 0o644))
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
	if faults, err := Damage(ctx, broken); err != nil || len(faults) == 0 {
		t.Fatalf("a destroyed page is not found: %v, %v", faults, err)
	}
	// Pages may be sound while rows refer to some that are gone: each of 3 games names its rules.
	orphans := damagedStudy(t, 3, nil)
	other := must.Get(sql.Open(Driver, "file:"+orphans+"?_foreign_keys=off"))(t)
	_, err := other.ExecContext(ctx, "DELETE FROM rules")
	must.Do(t, errors.Join(err, other.Close()))
	if faults, err := Damage(ctx, orphans); err != nil ||
		!slices.Equal(faults, []string{"3 rows of games refer to missing rows of rules"}) {
		t.Errorf("games without rules: %q, %v", faults, err)
	}
	if _, err := Damage(ctx, filepath.Join(t.TempDir(), "none.db")); err == nil {
		t.Error("a file that is not there is sound")
	}
}

// TestHotJournal opens a study whose last writer was killed in the middle of a transaction, before the file was in WAL
// mode.
func TestHotJournal(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := damagedStudy(t, 10, nil)
	writer := must.Get(sql.Open(Driver, source(path, "mode=rw&_journal_mode=DELETE&_synchronous=FULL&_cache_size=1")))(t)
	defer writer.Close()
	tx := must.Get(writer.BeginTx(ctx, nil))(t)
	defer tx.Rollback()    //nolint:errcheck // the copy is what counts
	for i := range 2_000 { // more than the cache holds: pages go to the file before the end
		must.Get(tx.ExecContext(ctx, "INSERT INTO agents (name, spec) VALUES (?, ?)", fmt.Sprint("half ", i),
			strings.Repeat("x", 500)))(t)
	}
	left := filepath.Join(t.TempDir(), "left.db")
	for _, ending := range []string{"", "-journal"} {
		data, err := os.ReadFile(path + ending)
		if err != nil || len(data) == 0 {
			t.Fatal(len(data), err)
		}
		must.Do(t, os.WriteFile(left+ending, data, 0o644))
	}
	if faults, err := Damage(ctx, left); err != nil || len(faults) > 0 {
		t.Errorf("the study is called damaged: %v, %v", faults, err)
	}
	db := must.Get(Open(ctx, left, Create))(t)
	defer db.Close()
	var half, whole int
	if err := db.sql.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM agents WHERE name LIKE 'half %'), (SELECT "+
		"count(*) FROM games)").Scan(&half, &whole); err != nil || half != 0 || whole != 10 {
		t.Errorf("%d agents of a transaction that was not committed, %d games of 10: %v", half, whole, err)
	}
}
