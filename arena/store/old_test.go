package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
	"spar/arena/study"
	"spar/configs/must"
)

// older makes a study of an older version, of before games were stored with their marks: an event of two random agents,
// one of two agents that state no weights, and games of them.
func older(t *testing.T, version int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "old.db")
	db := must.Get(sql.Open(Driver, "file:"+path))(t)
	defer db.Close()
	bring := func(from, to int) {
		for at, step := range migrations()[from:to] {
			must.Get(db.Exec(fmt.Sprintf("%s;PRAGMA user_version = %d", step, from+at+1)))(t)
		}
	}
	written := min(version, 3) // when the rows below were written; the later versions found them
	bring(0, written)
	if _, err := db.Exec(`
		INSERT INTO events VALUES (1, 'plain', 'tournament', '{"pairs":1}', 1, '2020-01-01T00:00:00Z'), (2, 'clever', 'tournament', '{"pairs":2}', 1, '2020-01-01T00:00:00Z'),
			(3, 'search', 'tuning', '{}', 1, '2020-01-01T00:00:00Z');
		INSERT INTO rules VALUES (1, 'classic', 'h1', '{"name":"classic"}');
		INSERT INTO agents VALUES (1, 'random', '{"type":"random"}'), (2, 'dice', '{"type":"random"}'),
			(3, 'greedy', '{"type":"heuristic","ties":"first"}'), (4, 'minimax', '{"type":"minimax","ties":"first"}');
		INSERT INTO games VALUES
			(1, 1, 0, 1, 1, 2, 0, 0, 0, 7, 'b2 a1', 'first', 'line', '', 2, 1, 1, 1, 1, 11, 0),
			(2, 1, 1, 1, 2, 1, 0, 0, 0, 7, 'b2 a1', 'first', 'line', '', 2, 1, 1, 1, 1, 11, 0),
			(10000000001, 2, 0, 1, 3, 4, 0, 0, 0, 7, 'b2 a1', 'draw', 'full_board', '', 2, 1, 1, 1, 1, 11, 0),
			(10000000002, 2, 1, 1, 4, 3, 0, 0, 0, 7, 'b2 a1', 'second', 'line', '', 2, 1, 1, 1, 1, 11, 0),
			(10000000003, 2, 2, 1, 3, 4, 1, 0, 0, 7, 'b2 a1', 'draw', 'full_board', '', 2, 1, 1, 1, 1, 11, 0),
			(20000000001, 3, 0, 1, 3, 3, 0, 0, 0, 7, 'b2 a1', 'first', 'forfeit_illegal', 'x', 2, 1, 1, 1, 1, 12, 1)`); err != nil {
		t.Fatal(err)
	}
	if version >= 2 {
		must.Get(db.Exec("INSERT INTO plies VALUES (1, 1, 0.5, 1, 2, 3.0, 9)"))(t)
	}
	bring(written, version)
	return path
}

// Studies of every older version get the tables of today and keep their games.
func TestOlderVersionsAreBroughtUpToDate(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for version := 1; version < len(migrations()); version++ {
		db := must.Get(Open(ctx, older(t, version), Create))(t)
		if err := db.AddValues(ctx, Oracle{Name: "strong", Rules: "classic", Spec: "{}"}, nil); err != nil {
			t.Error(err)
		}
		n := 0
		for _, err := range db.Finished(ctx, 2) {
			n++
			if err != nil {
				t.Error(err)
			}
		}
		if _, err := db.Thoughts(ctx, 1); err != nil || n != 3 {
			t.Errorf("version %d: %d games, %v", version, n, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A study of the version before evidence was stored is read as one of today's; each game gets its marks.
func TestVersion3IsRead(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := must.Get(Open(ctx, older(t, 3), Existing))(t)
	defer db.Close()
	got := map[int64]evidence.Marks{}
	for g, err := range db.Games(ctx, Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		got[g.ID] = g.Marks
	}
	if diff := cmp.Diff(map[int64]evidence.Marks{
		1: 0, 2: 0, 10000000001: 0, 10000000002: 0, 10000000003: evidence.Repeated,
		20000000001: evidence.Mirror | evidence.Forfeit | evidence.Training | evidence.Timed,
	}, got); diff != "" {
		t.Error(diff)
	}
	if thoughts, err := db.Thoughts(ctx, 1); err != nil || thoughts[1].Legal != 9 || thoughts[1].PV != "" {
		t.Errorf("%v, %v", thoughts, err)
	}
	rows := must.Get(db.sql.Query("SELECT agent, games, points FROM standings"))(t)
	defer rows.Close()
	points := map[string][2]float64{}
	for rows.Next() {
		var name string
		var n, p float64
		must.Do(t, rows.Scan(&name, &n, &p))
		points[name] = [2]float64{n, p}
	}
	if diff := cmp.Diff(map[string][2]float64{"random": {2, 1}, "dice": {2, 1}, "greedy": {2, 1.5}, "minimax": {2, 0.5}},
		points); diff != "" {
		t.Error(diff)
	}
}

// A study does not mix builds of an agent: other weights, or other knobs, under the same rules are named and refused.
func TestBuildsAreNotMixed(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := must.Get(Open(ctx, filepath.Join(t.TempDir(), "study.db"), Create))(t)
	defer db.Close()
	rules, err1 := db.RulesID(ctx, "ctor", "h", "{}")
	agent, err2 := db.AgentID(ctx, "greedy", `{"type":"heuristic"}`)
	must.Do(t, errors.Join(err1, err2))
	spec := func(ties, weight string) study.Effective {
		text := `{"ties":"` + ties + `","type":"heuristic","weights":{"a":` + weight + `,"b":2}}`
		return study.Effective{Agent: "greedy", Rules: "ctor", Spec: text, Hash: "hash of " + text}
	}
	event := func(e study.Effective) error {
		_, err := db.BeginEvent(ctx, study.Event{
			Name: "cup", Plan: "{}", Purpose: "tournament",
			Effective: []study.Effective{e},
		})
		return err
	}
	must.Do(t, errors.Join(event(spec("first", "1")), db.AddEffective(ctx, agent, rules, spec("first", "1")),
		event(spec("first", "1")), db.AddEffective(ctx, agent, rules, spec("first", "1"))))
	must.Fail(t, event(spec("first", "3")), "(weights of greedy under ctor)")
	must.Fail(t, event(spec("random", "1")), "(greedy under ctor: ties was first, is random)")
	must.Fail(t, db.AddEffective(ctx, agent, rules, spec("first", "3")), "weights of greedy under ctor")
	all, err := db.Effective(ctx)
	if diff := cmp.Diff([]study.Effective{spec("first", "1")}, all); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
}

// An event keeps what began it, and the times of its runs add up.
func TestEventsKeepTheirBuild(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := must.Get(Open(ctx, filepath.Join(t.TempDir(), "study.db"), Create))(t)
	defer db.Close()
	want := study.Event{
		Name: "cup", Purpose: "tournament", Plan: "{}", Seed: 5,
		Build: study.Build{Version: "v1", Commit: "abc", Go: "go1.26", CPU: "x"}, Started: "2026-01-02T03:04:05Z",
	}
	e := must.Get(db.BeginEvent(ctx, want))(t)
	end := time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)
	must.Do(t, errors.Join(db.EndEvent(ctx, e.ID, end, 2, 3), db.EndEvent(ctx, e.ID, end.Add(time.Hour), 0.5,
		1)))
	want.ID = e.ID
	want.Ended = "2026-01-02T05:00:00Z"
	want.WallS = 2.5
	want.CPUS = 4
	events, err := db.Events(ctx)
	if diff := cmp.Diff([]study.Event{want}, events); diff != "" || err != nil {
		t.Errorf("%s%v", diff, err)
	}
}

// What a commit has written survives a power cut: SQLite waits for the disk at each, not only when it tidies up.
func TestCommitsAreSynced(t *testing.T) {
	t.Parallel()
	db := must.Get(Open(t.Context(), filepath.Join(t.TempDir(), "s.db"), Create))(t)
	defer db.Close()
	const full = 2 // https://sqlite.org/pragma.html#pragma_synchronous
	var level int
	if err := db.sql.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&level); err != nil || level < full {
		t.Errorf("synchronous = %d, %v", level, err)
	}
}
