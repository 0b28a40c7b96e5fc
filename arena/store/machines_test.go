package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
)

// What is known of machines is kept as it was last told, in the order in which they joined; a time that is none is an error.
func TestMachinesAreKept(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "s.db")
	db := open(t, path)
	at := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	late := study.Worker{ID: "a", System: "linux", Slots: 4, Speed: 1.5, Games: 10, Faults: 1, Late: 2, Checked: 3, Differed: 4, Barred: "why", Joined: at.Add(time.Hour), Seen: at.Add(2 * time.Hour)}
	early := study.Worker{ID: "b", Slots: 1, Joined: at, Seen: at.In(time.FixedZone("", 3600))}
	if err := db.RecordWorkers(ctx, []study.Worker{late, early}); err != nil {
		t.Fatal(err)
	}
	late.Games = 11
	if err := db.RecordWorkers(ctx, []study.Worker{late}); err != nil {
		t.Fatal(err)
	}
	early.Seen = at
	got, err := db.Workers(ctx)
	if d := cmp.Diff([]study.Worker{early, late}, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	for _, column := range []string{"joined", "seen"} {
		exec(t, raw(t, path), "UPDATE workers SET "+column+" = 'never' WHERE id = 'a'")
		if got, err := db.Workers(ctx); err == nil || got != nil {
			t.Errorf("%s at no time: %+v, %v", column, got, err)
		}
		exec(t, raw(t, path), "UPDATE workers SET "+column+" = '2026-11-22T09:00:00Z' WHERE id = 'a'")
	}
}

// Superseded games leave their places to others and keep what belongs to them; what is to be kept stays, as does what others played.
func TestSupersede(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	const aside = 1_000_000_000
	path := filepath.Join(t.TempDir(), "s.db")
	db := open(t, path)
	game := begin(t, db)
	by := func(worker string, n int64) study.Game {
		g := game(n)
		g.Worker, g.Hash = worker, g.Hash+int64(len(worker))
		return g
	}
	put(t, db, by("a", 0), by("a", 1), by("bb", 2), by("a", 3))
	exec(t, raw(t, path), "INSERT INTO plies (game, ply, ms, nodes, depth, legal) SELECT id, 1, 1, 1, 1, 1 FROM games WHERE number = 1")
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
	if err := raw(t, path).QueryRow("SELECT count(*) FROM plies JOIN games ON games.id = plies.game WHERE games.number = ?", aside+1).Scan(&n); err != nil || n != 1 {
		t.Errorf("%d plies went with their game, %v", n, err)
	}
	put(t, db, by("ccc", 1), by("ccc", 3)) // the places are free
	supersede(3, func() (int64, error) { return db.SupersedeFrom(ctx, 1, 1) })
	if d := cmp.Diff(map[int64]string{0: "a", aside + 1: "a", 2*aside + 1: "ccc", aside + 2: "bb", aside + 3: "a", 2*aside + 3: "ccc"}, numbers()); d != "" {
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
	id, err := db.AgentID(ctx, "candidate", "{}")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := db.RetireAgents(ctx); err != nil || n != 1 {
		t.Errorf("%d agents retired, %v, want 1", n, err)
	}
	if other, err := db.AgentID(ctx, "candidate", `{"another":1}`); err != nil || other == id {
		t.Errorf("another agent of that name has id %d, as before %d: %v", other, id, err)
	}
}

// Games have neighbours by their ids, 0 at either end.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "s.db"))
	game := begin(t, db)
	put(t, db, game(0), game(3), game(7))
	var ids []int64
	for _, g := range stored(t, db) {
		ids = append(ids, g.ID)
	}
	slices.Sort(ids)
	for i, want := range [][2]int64{{0, ids[1]}, {ids[0], ids[2]}, {ids[1], 0}} {
		if before, after, err := db.Neighbours(context.Background(), ids[i]); err != nil || [2]int64{before, after} != want {
			t.Errorf("beside %d: %d, %d, %v, want %v", ids[i], before, after, err, want)
		}
	}
}

// Another connection's writing is heard of, and nothing else; the watch ends with its context.
func TestWatch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.db")
	db := open(t, path)
	game := begin(t, db)
	other := open(t, path)
	ctx, cancel := context.WithCancel(context.Background())
	heard, ended := make(chan struct{}, 100), make(chan error, 1)
	go func() { ended <- other.Watch(ctx, 5*time.Millisecond, func() { heard <- struct{}{} }) }()
	time.Sleep(60 * time.Millisecond)
	if len(heard) != 0 {
		t.Error("something was heard before anything was written")
	}
	put(t, db, game(0))
	select {
	case <-heard:
	case <-time.After(20 * time.Second):
		t.Error("a game was written, and nothing is heard")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// An import names what its games refer to: what no row before has named is refused with its name, as is another agent or other rules
// of a name; games that are there already are not counted, and marks that the study can tell are not taken over.
func TestImportOfRows(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t, filepath.Join(t.TempDir(), "s.db"))
	game := begin(t, db)
	put(t, db, game(0))
	row := func(n int64) store.Row {
		r := store.Row{EventName: "cup", RulesName: "classic", FirstName: []string{"one", "two"}[n%2], SecondName: []string{"two", "one"}[n%2]}
		r.Game = game(n)
		return r
	}
	begun := func() *store.Import {
		i, err := db.Import(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	named := func() *store.Import {
		i := begun()
		if err := errors.Join(i.Event(ctx, study.Event{Name: "cup", Purpose: "tournament", Plan: `{"pairs":2}`, Seed: 7}, nil), i.Rules(ctx, store.RulesOf{Name: "classic", Hash: "abc", Canonical: `{"name":"classic"}`}),
			i.Agent(ctx, "one", `{"type":"random"}`), i.Agent(ctx, "two", `{"type":"random"}`)); err != nil {
			t.Fatal(err)
		}
		return i
	}
	for what, change := range map[string]func(r *store.Row){"event": func(r *store.Row) { r.EventName = "x" }, "rules": func(r *store.Row) { r.RulesName = "x" }, "first": func(r *store.Row) { r.FirstName = "x" }, "second": func(r *store.Row) { r.SecondName = "x" }} {
		i, r := named(), row(1)
		change(&r)
		if err := i.Game(ctx, r); !errors.Is(err, store.ErrNotListed) {
			t.Errorf("an unknown %s: %v", what, err)
		}
		i.Rollback()
	}
	for what, do := range map[string]func(i *store.Import) error{
		"effective agent": func(i *store.Import) error {
			return i.Effective(ctx, study.Effective{Agent: "x", Rules: "classic", Spec: "{}"})
		},
		"effective rules": func(i *store.Import) error {
			return i.Effective(ctx, study.Effective{Agent: "one", Rules: "x", Spec: "{}"})
		},
	} {
		i := named()
		if err := do(i); !errors.Is(err, store.ErrNotListed) {
			t.Errorf("%s: %v", what, err)
		}
		i.Rollback()
	}
	for what, do := range map[string]func(i *store.Import) error{
		"another plan": func(i *store.Import) error {
			return i.Event(ctx, study.Event{Name: "cup", Purpose: "tournament", Plan: `{"pairs":3}`, Seed: 7}, nil)
		},
		"other rules": func(i *store.Import) error {
			return i.Rules(ctx, store.RulesOf{Name: "classic", Hash: "abd", Canonical: `{"name":"classic","x":1}`})
		},
		"another agent": func(i *store.Import) error { return i.Agent(ctx, "one", `{"type":"greedy"}`) },
	} {
		i := begun()
		if err := do(i); err == nil {
			t.Errorf("%s is taken", what)
		}
		i.Rollback()
	}
	i, marked := named(), row(1)
	marked.Marks = evidence.Surplus | evidence.Pending | evidence.Repeated
	if err := errors.Join(i.Effective(ctx, study.Effective{Agent: "one", Rules: "classic", Spec: `{"type":"random","x":1}`, Hash: "h1"}), i.Game(ctx, row(0)), i.Game(ctx, marked)); err != nil {
		t.Fatal(err)
	}
	if n, err := i.Commit(ctx); err != nil || n != 1 {
		t.Errorf("%d games were not there before, %v, want 1", n, err)
	}
	if got := stored(t, db)[1].Marks; got != evidence.Surplus|evidence.Pending {
		t.Errorf("the marks are %v, want those that its study alone knows", got)
	}
	i = begun()
	if err := errors.Join(i.Rules(ctx, store.RulesOf{Name: "classic", Hash: "abc", Canonical: `{"name":"classic"}`}), i.Agent(ctx, "one", `{"type":"random"}`)); err != nil {
		t.Fatal(err)
	}
	if err := i.Effective(ctx, study.Effective{Agent: "one", Rules: "classic", Spec: `{"type":"random","x":2}`, Hash: "h2"}); err == nil {
		t.Error("another effective spec of the same agent is taken")
	}
	i.Rollback()

	// More games than a batch holds, of a new event, with the times of its runs.
	i = named()
	e := study.Event{Name: "new", Purpose: "tournament", Plan: "{}", Seed: 7, Started: "2026-01-02T03:04:05Z", Ended: "2026-01-02T04:04:05Z", WallS: 12.5, CPUS: 20}
	if err := i.Event(ctx, e, nil); err != nil {
		t.Fatal(err)
	}
	const games = 1001
	for n := range int64(games) {
		r := row(n)
		r.EventName = "new"
		if err := i.Game(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := i.Commit(ctx); err != nil || n != games {
		t.Errorf("%d games, %v, want %d", n, err, games)
	}
	events, err := db.Events(ctx)
	if err != nil {
		t.Fatal(err)
	}
	// Of these a reader whose context ends is told so after some hundred more.
	ended, stop := context.WithCancel(ctx)
	defer stop()
	read, told := 0, error(nil)
	for _, err := range db.GamesOf(ended, row(0).Rules) {
		if told = err; err == nil {
			read++
		}
		stop()
	}
	if !errors.Is(told, context.Canceled) || read == 0 || read > 256 {
		t.Errorf("%d games were read after the end: %v", read, told)
	}
	if got := events[len(events)-1]; got.Name != "new" || got.Started != e.Started || got.Ended != e.Ended || got.WallS != e.WallS || got.CPUS != e.CPUS {
		t.Errorf("%+v", got)
	}
}

// A study in which nothing was ever begun is removed with what lies beside it and the folders that were made for it; one with an event stays, as does one that is in use.
func TestDiscard(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	exists := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	for _, c := range []struct {
		name        string
		event, held bool
		stays       bool
	}{{"empty", false, false, false}, {"with an event", true, false, true}, {"in use", false, true, true}} {
		folder := t.TempDir()
		path := filepath.Join(folder, "new", "folders", "s.db")
		db := open(t, path)
		if c.event {
			begin(t, db)
		}
		if c.held {
			unlock, err := open(t, path).Lock()
			if err != nil {
				t.Fatal(err)
			}
			defer unlock()
		}
		if err := db.Discard(ctx); (err != nil) != c.held {
			t.Errorf("%s: %v", c.name, err)
		}
		if exists(path) != c.stays || !c.stays && (exists(path+"-wal") || exists(path+"-shm")) {
			t.Errorf("%s: the file stays: %t", c.name, exists(path))
		}
		if exists(filepath.Join(folder, "new")) != c.stays || !exists(folder) {
			t.Errorf("%s: the folders stay: %t", c.name, !c.stays)
		}
	}
}

// What a salvage saved, in words.
func TestSavedInWords(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]store.Saved{
		"saved 5 rows of games": {Table: "games", Rows: 5}, "saved 5 rows of games, at least 1 lost": {Table: "games", Rows: 5, Lost: 1}, "saved 0 rows of plies: no such table": {Table: "plies", Why: "no such table"},
	} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A short account of each game: ids that do not fit into a column of their own come apart again.
func TestBriefs(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "s.db"))
	game := begin(t, db)
	surplus := game(2)
	surplus.Marks = evidence.Surplus
	put(t, db, game(0), game(1), surplus)
	n := 0
	for o, err := range db.Briefs(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		want := game(int64(n))
		half := map[string]uint8{"first": 2, "draw": 1, "second": 0}[want.Result]
		if o.Event != want.Event || int64(o.Rules) != want.Rules || int64(o.First) != want.First || int64(o.Second) != want.Second || o.Pair != want.Pair || o.Hash != want.Hash || o.Half != half || (o.Marks == evidence.Surplus) != (n == 2) {
			t.Errorf("game %d: %+v, want %+v", n, o, want)
		}
		n++
	}
	for range db.Briefs(context.Background()) {
		break // whoever has seen enough may stop
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range db.Briefs(ctx) {
		if err == nil {
			t.Error("no error of a context that has ended")
		}
	}
	if n != 3 {
		t.Errorf("%d games", n)
	}
}
