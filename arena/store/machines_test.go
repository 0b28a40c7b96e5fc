package store_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// Superseded games leave their places to others and keep what belongs to them; what is to be kept stays, as does what
// others played.
func TestSupersede(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const aside = 1_000_000_000
	path := filepath.Join(t.TempDir(), "s.db")
	db := storetest.Open(t, path)
	game := begin(t, db)
	by := func(worker string, n int64) study.Game {
		g := game(n)
		g.Worker, g.Hash = worker, g.Hash+int64(len(worker))
		return g
	}
	put(t, db, by("a", 0), by("a", 1), by("bb", 2), by("a", 3))
	exec(t, raw(t, path), "INSERT INTO plies (game, ply, ms, nodes, depth, legal) SELECT id, 1, 1, 1, 1, 1 FROM games "+
		"WHERE number = 1")
	numbers := func() (of map[int64]string) {
		of = map[int64]string{}
		for n, g := range stored(t, db) {
			of[n] = g.Worker
			if got := g.Marks&evidence.Superseded != 0; got != (n >= aside) {
				t.Errorf("game %d is superseded: %t", n, got)
			}
		}
		return of
	}
	supersede := func(want int64, f func() (int64, error)) {
		t.Helper()
		if n, err := f(); err != nil || n != want {
			t.Errorf("%d games superseded, %v, want %d", n, err, want)
		}
	}
	supersede(2, func() (int64, error) {
		return db.Supersede(ctx, "a", func(event, number int64) bool { return event == 1 && number == 0 })
	})
	if d := cmp.Diff(map[int64]string{0: "a", aside + 1: "a", 2: "bb", aside + 3: "a"}, numbers()); d != "" {
		t.Error(d)
	}
	var n int
	if err := raw(t, path).QueryRow("SELECT count(*) FROM plies JOIN games ON games.id = plies.game WHERE "+
		"games.number = ?", aside+1).Scan(&n); err != nil || n != 1 {
		t.Errorf("%d plies went with their game, %v", n, err)
	}
	put(t, db, by("ccc", 1), by("ccc", 3)) // the places are free
	supersede(3, func() (int64, error) { return db.SupersedeFrom(ctx, 1, 1) })
	if d := cmp.Diff(map[int64]string{
		0: "a", aside + 1: "a", 2*aside + 1: "ccc", aside + 2: "bb", aside + 3: "a",
		2*aside + 3: "ccc",
	}, numbers()); d != "" {
		t.Error(d)
	}
	supersede(0, func() (int64, error) { return db.SupersedeFrom(ctx, 1, 1) })
	var left []int64
	for g, err := range db.Outcomes(ctx, 1) {
		if err != nil {
			t.Fatal(err)
		}
		left = append(left, g.Number)
	}
	if !slices.Equal(left, []int64{0}) {
		t.Errorf("the schedule still has %v", left)
	}
	// An agent without a game that counts leaves its name to another; one with a game keeps it.
	id := must.Get(db.AgentID(ctx, "candidate", "{}"))(t)
	if n, err := db.RetireAgents(ctx); err != nil || n != 1 {
		t.Errorf("%d agents retired, %v, want 1", n, err)
	}
	if other, err := db.AgentID(ctx, "candidate", `{"another":1}`); err != nil || other == id {
		t.Errorf("another agent of that name has id %d, as before %d: %v", other, id, err)
	}
}
