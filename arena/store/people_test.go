package store_test

import (
	"errors"
	"fmt"
	"testing"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// Games played by people are numbered as they end and count for nothing.
func TestPeople(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := storetest.New(t)
	row := begin(t, db)(0)
	var ids []int64
	for range 2 {
		id := must.Get(db.FinishTable(ctx, "people", row, nil))(t)
		ids = append(ids, id)
	}
	n := 0
	for g, err := range db.Games(ctx, store.Filter{Event: "people"}) {
		if err != nil || g.ID != ids[n] || g.Number != int64(n) || g.Marks.Counts(evidence.Strength) ||
			g.Marks.Counts(evidence.Balance) || g.Marks&evidence.Human == 0 {
			t.Errorf("game %d: %+v, %v", n, g, err)
		}
		n++
	}
	if builds, err := db.Builds(ctx); err != nil || len(builds) != 1 || builds[0].Games != 2 ||
		builds[0].Build != study.ThisBuild() {
		t.Errorf("%+v, %v; want this build for both", builds, err)
	}
	for _, s := range []store.Table{
		{ID: "a", State: "{}"},
		{ID: "b", State: "{}", Game: ids[1]},
		{ID: "a", State: `{"moves":[]}`, Game: ids[0]},
	} {
		must.Do(t, db.SaveTable(ctx, s))
	}
	if got, ok, err := db.LoadTable(ctx, "a"); err != nil || !ok || got.State != `{"moves":[]}` || got.Game != ids[0] {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
	if _, ok, err := db.LoadTable(ctx, "c"); err != nil || ok {
		t.Errorf("a table that nobody has made: %v, %v", ok, err)
	}
	seen := 0
	for _, err := range db.LatestTables(ctx, 10) {
		if err != nil {
			t.Error(err)
		}
		seen++
	}
	if n != 2 || seen != 2 {
		t.Errorf("%d games, %d tables", n, seen)
	}
	if _, err := db.FinishTable(ctx, "cup", study.Game{}, nil); err == nil {
		t.Error("a person's game was stored in a tournament")
	}
}

// A person's game goes with all that is kept of it; games of agents stay, and one wrong number deletes nothing.
func TestDeleteHumanGames(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := storetest.New(t)
	row := begin(t, db)(0)
	must.Do(t, db.Commit(ctx, []study.Game{row}, nil, row.Event))
	var ids []int64
	for range 3 {
		id := must.Get(db.FinishTable(ctx, "people", row, nil))(t)
		exec(t, raw(t, db.Path()), fmt.Sprintf("INSERT INTO opinions VALUES (NULL, %d, 3, 1, '', '')", id))
		must.Do(t, db.SaveTable(ctx, store.Table{ID: fmt.Sprint(id), State: "{}", Game: id}))
		ids = append(ids, id)
	}
	games := func() (n int, agents int64) {
		for _, g := range storetest.Games(t, db, store.Filter{}) {
			if n++; g.EventName != "people" {
				agents = g.ID
			}
		}
		return n, agents
	}
	n, agents := games()
	if n != 4 {
		t.Fatalf("%d games", n)
	}
	for _, wrong := range [][]int64{{ids[0], agents}, {ids[0], 424242}} {
		if err := db.DeleteHumanGames(ctx, wrong); !errors.Is(err, store.ErrNotOfPeople) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	if n, _ := games(); n != 4 {
		t.Errorf("%d games are left by refused deletions, want 4", n)
	}
	must.Do(t, db.DeleteHumanGames(ctx, ids[:2]))
	opinions, err := db.Opinions(ctx)
	_, kept, err2 := db.LoadTable(ctx, fmt.Sprint(ids[0]))
	if n, _ := games(); n != 2 || len(opinions) != 1 || opinions[0].Game != ids[2] || kept ||
		errors.Join(err, err2) != nil {
		t.Errorf("%d games, opinions %+v, a table of a deleted game: %t, %v %v", n, opinions, kept, err, err2)
	}
}
