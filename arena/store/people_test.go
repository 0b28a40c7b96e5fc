package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
)

// Games of people are numbered as they end, count for nothing, and keep what was said of them.
func TestPeople(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := open(t, filepath.Join(t.TempDir(), "s.db"))
	row := begin(t, db)(0)
	var ids []int64
	for range 2 {
		id, err := db.AddHumanGame(ctx, "people", row)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	n := 0
	for g, err := range db.Games(ctx, store.Filter{Event: "people"}) {
		if err != nil || g.ID != ids[n] || g.Number != int64(n) || g.Marks.Counts(evidence.Strength) || g.Marks.Counts(evidence.Balance) || g.Marks&evidence.Human == 0 {
			t.Errorf("game %d: %+v, %v", n, g, err)
		}
		n++
	}
	if builds, err := db.Builds(ctx); err != nil || len(builds) != 1 || builds[0].Games != 2 || builds[0].Build != study.ThisBuild() {
		t.Errorf("%+v, %v; want this build for both", builds, err)
	}
	for _, s := range []store.Table{{ID: "a", State: "{}"}, {ID: "b", State: "{}", Game: ids[1]}, {ID: "a", State: `{"moves":[]}`, Game: ids[0]}} {
		if err := db.SaveTable(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok, err := db.LoadTable(ctx, "a"); err != nil || !ok || got.State != `{"moves":[]}` || got.Game != ids[0] {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
	if _, ok, err := db.LoadTable(ctx, "c"); err != nil || ok {
		t.Errorf("a table that nobody has made: %v, %v", ok, err)
	}
	seen := 0
	for _, err := range db.LatestTables(ctx, "", 10) {
		if err != nil {
			t.Error(err)
		}
		seen++
	}
	if n != 2 || seen != 2 {
		t.Errorf("%d games, %d tables", n, seen)
	}
	if err := db.SaveTable(ctx, store.Table{ID: "c", State: `{"origin":"/g/cup.1"}`}); err != nil {
		t.Fatal(err)
	}
	for table, err := range db.LatestTables(ctx, "/g/cup.1", 10) {
		if err != nil || table.ID != "c" {
			t.Errorf("%+v, %v plays on from no such game", table, err)
		}
		seen++
	}
	if seen != 3 {
		t.Error("a game that was played on from another is not found by it")
	}
	for _, text := range []string{"a1 b2", "a1 (c3) b2"} {
		if err := db.SaveLines(ctx, "/g/cup.1", text); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := db.LoadLines(ctx, "/g/cup.1"); text != "a1 (c3) b2" || err != nil {
		t.Errorf("lines: %q, %v", text, err)
	}
	if text, err := db.LoadLines(ctx, "/g/cup.2"); text != "" || err != nil {
		t.Errorf("lines of no game: %q, %v", text, err)
	}
	o := store.Opinion{Game: ids[0], Fun: 4, Again: true, Confusing: "who leaves"}
	if err := db.AddOpinion(ctx, o); err != nil {
		t.Fatal(err)
	}
	if err := db.AddOpinion(ctx, store.Opinion{Game: ids[0], Fun: 6}); err == nil {
		t.Error("six of five for fun was stored")
	}
	got, err := db.Opinions(ctx, ids[0])
	if err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	got[0].Said = ""
	if d := cmp.Diff(o, got[0]); d != "" {
		t.Error(d)
	}
	if _, err := db.AddHumanGame(ctx, "cup", study.Game{}); err == nil {
		t.Error("a person's game was stored in a tournament")
	}
}
