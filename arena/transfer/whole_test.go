package transfer

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// everything is a study with something in every table: games of two builds, machines, one of which is barred, and what
// people have left.
func everything(t testing.TB) *store.DB {
	t.Helper()
	ctx := context.Background()
	db := played(t, "{name: x, games: [classic], agents: [greedy, random], pairs: 2, "+
		"record_plies: true}")
	events := must.Get(db.Events(ctx))(t)
	e := events[0]
	var games []study.Game
	for _, row := range storetest.Games(t, db, store.Filter{}) {
		games = append(games, row.Game)
	}
	e.Build = study.Build{Version: "2", Commit: "c", Go: "g", CPU: "p", Command: "spar run x"}
	must.Get(db.BeginEvent(ctx, e))(t)
	more := games[0]
	more.Number, more.Pair, more.Worker = 4, 2, "w1"
	must.Do(t, db.Commit(ctx, []study.Game{more}, nil, e.ID))
	id := must.Get(db.FinishTable(ctx, "people", games[1], nil))(t)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	must.Do(t, db.AddValues(ctx, store.Oracle{Name: "exact", Rules: "classic", Spec: "{}", Exact: true, Seed: 3},
		map[int64][]store.PositionValue{2: {{Ply: 1, Value: 0.5, Best: "a1", Legal: 8}}}))
	must.Do(t, db.RecordWorkers(ctx, []study.Worker{
		{
			ID: "w1", System: "linux/amd64", Slots: 4, Speed: 1.5, Games: 6, Faults: 1, Late: 2, Checked: 3, Differed: 4,
			Barred: "it lied", Joined: at, Seen: at.Add(time.Hour),
		},
		{ID: "w2", Joined: at, Seen: at},
	}))
	must.Do(t, db.SaveTable(ctx, store.Table{
		ID: "t1", State: fmt.Sprintf(`{"id":"t1","game":%d,"note":"<a>"}`, id),
		Game: id,
	}))
	must.Do(t, db.SaveTable(ctx, store.Table{ID: "t2", State: `{"id":"t2"}`}))
	raw := must.Get(sql.Open(store.Driver, db.Path()))(t) // of an earlier version
	defer raw.Close()
	must.Get(raw.Exec("INSERT INTO opinions (game, fun, again, confusing, said) VALUES (?, 5, 1, 'why?', '2026'), "+
		"(1, 1, 0, '', '2026'); INSERT INTO lines VALUES ('/g/x.1', 'a1 [b2]', '2026')", id))(t)
	return db
}

// rows are the rows of all tables of a study's file, but for when its events came into it. Agents, which travel by
// name, have to be in that order.
func rows(t testing.TB, db *store.DB) map[string][]string {
	t.Helper()
	raw := must.Get(sql.Open(store.Driver, db.Path()))(t)
	defer raw.Close()
	texts := func(query string) (out []string) {
		t.Helper()
		found := must.Get(raw.Query(query))(t)
		defer found.Close()
		for found.Next() {
			var text string
			must.Do(t, found.Scan(&text))
			out = append(out, text)
		}
		must.Do(t, found.Err())
		return out
	}
	out := map[string][]string{}
	for _, table := range texts("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
		columns := texts("SELECT 'coalesce(' || name || ', ''-'')' FROM pragma_table_info('" + table +
			"') WHERE name <> 'created'")
		out[table] = texts("SELECT concat_ws('|', " + strings.Join(columns, ", ") + ") FROM " + table + " ORDER BY 1")
	}
	return out
}

// Every row of every table of a study travels as JSONL, and once more changes nothing.
func TestEverythingTravels(t *testing.T) {
	t.Parallel()
	from, to := everything(t), storetest.New(t)
	want := rows(t, from)
	for table, rows := range want {
		if len(rows) == 0 {
			t.Errorf("nothing in %s: this test has to fill it", table)
		}
	}
	for range 2 {
		must.Get(Import(t.Context(), to, bytes.NewReader(exported(t, from)), "x.jsonl"))(t)
		if d := cmp.Diff(want, rows(t, to)); d != "" {
			t.Fatal(d)
		}
	}
}

// In a study with other events the games have other ids: what refers to them goes along, a machine that one of the two
// studies has barred is barred, and builds are those that saw to the games.
func TestEverythingIsJoined(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	from := everything(t)
	to := played(t, "{name: other, games: [classic], agents: [random, "+
		"greedy], pairs: 1}")
	must.Do(t, to.RecordWorkers(ctx, []study.Worker{{ID: "w1", System: "its own"}}))
	must.Get(Import(ctx, to, bytes.NewReader(exported(t, from)), "x.jsonl"))(t)
	opinions, err := to.Opinions(ctx)
	if err != nil || len(opinions) != 2 {
		t.Fatalf("%+v, %v", opinions, err)
	}
	id := opinions[0].Game
	var human string
	for _, row := range storetest.Games(t, to, store.Filter{ID: id}) {
		human = row.EventName
	}
	table, ok, err := to.LoadTable(ctx, "t1")
	if err != nil || !ok || human != "people" || table.Game != id ||
		table.State != fmt.Sprintf(`{"id":"t1","game":%d,"note":"<a>"}`, id) {
		t.Errorf("the opinion is of a game of %q, the table %+v, %v", human, table, err)
	}
	workers, err := to.Workers(ctx)
	if err != nil || len(workers) != 2 || workers[0].System != "its own" || workers[0].Barred != "it lied" {
		t.Errorf("%+v, %v", workers, err)
	}
	stretches := func(event string) (out []string) {
		events := must.Get(to.Events(ctx))(t)
		builds := must.Get(to.Builds(ctx))(t)
		for _, b := range builds {
			if events[b.Event-1].Name == event {
				out = append(out, fmt.Sprintf("%d after %d: %s", b.Games, b.Before, b.Command))
			}
		}
		return out
	}
	if got := stretches("x"); len(got) != 2 || got[1] != "1 after 4: spar run x" {
		t.Errorf("%q", got)
	}

	// The event goes on in its own study, by a third build: it saw to what is new here.
	events := must.Get(from.Events(ctx))(t)
	e := events[slices.IndexFunc(events, func(e study.Event) bool { return e.Name == "x" })]
	e.Build = study.Build{Version: "3", Command: "spar run x --workers 2"}
	must.Get(from.BeginEvent(ctx, e))(t)
	var games []study.Game
	for _, row := range storetest.Games(t, from, store.Filter{Event: "x", Limit: 2}) {
		g := row.Game
		g.Number, g.Pair = g.Number+6, 3
		games = append(games, g)
	}
	must.Do(t, from.Commit(ctx, games, nil, e.ID))
	if n, err := Import(ctx, to, bytes.NewReader(exported(t, from)), "x.jsonl"); err != nil || n.Added != 2 {
		t.Fatalf("%+v, %v", n, err)
	}
	if got := stretches("x"); len(got) != 3 || got[2] != "2 after 5: spar run x --workers 2" {
		t.Errorf("%q", got)
	}
}
