package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// stored lists the games of a study by number.
func stored(t testing.TB, db *store.DB) map[int64]study.Game {
	t.Helper()
	out := map[int64]study.Game{}
	for _, g := range storetest.Games(t, db, store.Filter{}) {
		out[g.Number] = g.Game
	}
	return out
}

// A place in the schedule holds one game. The same game again changes nothing, another one is an error that names both,
// unless a clock explains the difference.
func TestCommitIsIdempotent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	with := func(g study.Game, change func(*study.Game)) study.Game {
		change(&g)
		return g
	}
	for _, c := range []struct {
		name          string
		first, second func(*study.Game)
		conflict      bool
	}{
		{"the same", func(*study.Game) {}, func(*study.Game) {}, false},
		{
			"the same, played by another machine in another time", func(*study.Game) {},
			func(g *study.Game) { g.Worker, g.FirstMS, g.Marks = "w2", 9, evidence.Surplus }, false,
		},
		{"other moves", func(*study.Game) {}, func(g *study.Game) { g.Moves = "b2 c3" }, true},
		{"another result", func(*study.Game) {}, func(g *study.Game) { g.Result = "draw" }, true},
		{"another reason", func(*study.Game) {}, func(g *study.Game) { g.Reason = "full_board" }, true},
		{"other players", func(*study.Game) {}, func(g *study.Game) { g.First, g.Second = g.Second, g.First }, true},
		{
			"other moves, the first timed", func(g *study.Game) { g.Timed = true }, func(g *study.Game) { g.Moves = "b2 c3" },
			false,
		},
		{
			"other moves, the second timed", func(*study.Game) {}, func(g *study.Game) { g.Moves, g.Timed = "b2 c3", true },
			false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			game := begin(t, db)
			first := with(game(0), c.first)
			must.Do(t, db.Commit(ctx, []study.Game{first}, nil, 0))
			want := stored(t, db)
			err := db.Commit(ctx, []study.Game{game(1), with(game(0), c.second)}, nil, 0)
			var conflict *store.ConflictError
			if errors.As(err, &conflict) != c.conflict || !c.conflict && err != nil {
				t.Fatalf("%v; want a conflict: %t", err, c.conflict)
			}
			if c.conflict {
				if conflict.Stored.Moves != "b2 a1" || conflict.Given.Number != 0 || !strings.Contains(err.Error(), `"b2 a1"`) ||
					!strings.Contains(err.Error(), db.Path()) {
					t.Errorf("%v", err)
				}
			} else {
				want[1] = with(game(1), func(g *study.Game) { g.ID = 2 })
			}
			if diff := cmp.Diff(want, stored(t, db)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// everyKind fills a study with games of every kind and returns their marks by number: those of the first event below
// 100, of the tuning from 100, of the person from 200.
func everyKind(t testing.TB, db *store.DB) map[int64]evidence.Marks {
	t.Helper()
	ctx := context.Background()
	id := func(id int64, err error) int64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	var events []int64
	for _, purpose := range []string{"tournament", "tuning", evidence.PurposeHuman} {
		e, err := db.BeginEvent(ctx, study.Event{Name: "event of " + purpose, Purpose: purpose, Plan: "{}"})
		events = append(events, id(e.ID, err))
	}
	classic := id(db.RulesID(ctx, "classic", "h1", "{}"))
	ctor := id(db.RulesID(ctx, "ctor", "h2", "{}"))
	certain := id(db.AgentID(ctx, "certain", `{"type":"heuristic","ties":"first"}`))
	sure := id(db.AgentID(ctx, "sure", `{"type":"minimax","ties":"first"}`))
	chance := id(db.AgentID(ctx, "chance", `{"type":"random"}`))
	foreign := id(db.AgentID(ctx, "foreign", `not known`))
	want := map[int64]evidence.Marks{}
	var games []study.Game
	add := func(marks evidence.Marks, g study.Game) {
		t.Helper()
		event := g.Event
		g.Event = events[event]
		g.Number = 100*event + int64(len(games))
		g.Pair = int64(len(games))
		if g.Result == "" {
			g.Result, g.Reason = "first", "line"
		}
		g.Moves, g.Plies = "b2 a1", 2
		games = append(games, g)
		want[g.Number] = marks
	}
	add(0, study.Game{Rules: classic, First: certain, Second: sure, Hash: 1})
	add(0, study.Game{Rules: classic, First: sure, Second: certain, Hash: 1, Result: "draw", Reason: "full_board"})
	add(evidence.Repeated, study.Game{Rules: classic, First: certain, Second: sure, Hash: 1})
	add(0, study.Game{Rules: ctor, First: certain, Second: sure, Hash: 1, Result: "second", Reason: "line"})
	add(0, study.Game{Rules: classic, First: chance, Second: certain, Hash: 1})
	add(0, study.Game{Rules: classic, First: chance, Second: certain, Hash: 1})
	add(0, study.Game{Rules: classic, First: certain, Second: foreign, Hash: 1})
	add(0, study.Game{Rules: classic, First: certain, Second: foreign, Hash: 1, Result: "draw", Reason: "repetition"})
	add(evidence.Mirror, study.Game{Rules: classic, First: chance, Second: chance, Hash: 1})
	add(evidence.Mirror, study.Game{Rules: classic, First: sure, Second: sure, Hash: 1})
	add(evidence.Mirror|evidence.Repeated, study.Game{Rules: classic, First: sure, Second: sure, Hash: 1})
	add(evidence.Forfeit, study.Game{
		Rules: classic, First: chance, Second: sure, Hash: 2, Result: "second",
		Reason: "forfeit_illegal",
	})
	add(evidence.Timed, study.Game{Rules: classic, First: certain, Second: sure, Hash: 1, Timed: true})
	add(evidence.Surplus, study.Game{Rules: classic, First: certain, Second: sure, Hash: 9, Marks: evidence.Surplus})
	add(0, study.Game{Rules: classic, First: certain, Second: sure, Hash: 9})
	add(evidence.Superseded, study.Game{Rules: classic, First: chance, Second: sure, Hash: 3, Marks: evidence.Superseded})
	add(evidence.Pending, study.Game{Rules: classic, First: sure, Second: certain, Hash: 10, Marks: evidence.Pending})
	add(0, study.Game{Rules: classic, First: sure, Second: certain, Hash: 10})
	add(evidence.Training, study.Game{Event: 1, Rules: classic, First: certain, Second: sure, Hash: 1})
	add(evidence.Training|evidence.Mirror, study.Game{Event: 1, Rules: classic, First: sure, Second: sure, Hash: 1})
	add(evidence.Human, study.Game{Event: 2, Rules: classic, First: foreign, Second: sure, Hash: 1})
	// Stored in the opposite order, as workers may finish them: the order of numbers decides which one is the
	// repetition.
	for i := len(games) - 1; i >= 0; i-- {
		must.Do(t, db.Commit(ctx, games[i:i+1], nil, 0))
	}
	return want
}

// The stored marks are those of evidence.Judge in the order of events and numbers, and judging again changes nothing.
func TestJudge(t *testing.T) {
	t.Parallel()
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "study.db")
	db := storetest.Open(t, path)
	want := everyKind(t, db)
	marks := func() map[int64]evidence.Marks {
		out := map[int64]evidence.Marks{}
		for n, g := range stored(t, db) {
			out[n] = g.Marks
		}
		return out
	}
	for range 2 {
		must.Do(t, db.Judge(ctx))
		if diff := cmp.Diff(want, marks()); diff != "" {
			t.Fatal(diff)
		}
	}
	// A study that is right already is not written: a trigger would refuse it.
	other := raw(t, path)
	exec(t, other, "CREATE TRIGGER no_writes BEFORE UPDATE ON games BEGIN SELECT raise(ABORT, 'written'); END")
	if err := db.Judge(ctx); err != nil {
		t.Error(err)
	}
}

// The views know the same marks and uses as evidence.
func TestViewsCountAsEvidence(t *testing.T) {
	t.Parallel()
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "study.db")
	db := storetest.Open(t, path)
	game := begin(t, db)
	var games []study.Game
	for bits := evidence.Marks(0); bits <= evidence.Pending; bits = max(1, bits<<1) {
		g := game(int64(len(games)))
		g.Marks = bits
		games = append(games, g)
		g = game(int64(len(games)))
		g.Marks = bits | evidence.Forfeit | evidence.Pending
		games = append(games, g)
	}
	must.Do(t, db.Commit(ctx, games, nil, 0))
	other := raw(t, path)
	counted := [2]int{}
	for _, g := range games {
		var words string
		var mirror, forfeit, repeated, training, strength, balance bool
		must.Do(t, other.QueryRow("SELECT marks, mirror, forfeit, repeated, training, counts_for_strength, "+
			"counts_for_balance FROM results WHERE number = ?", g.Number).
			Scan(&words, &mirror, &forfeit, &repeated, &training, &strength, &balance))
		has := func(m evidence.Marks) bool { return g.Marks&m != 0 }
		if words != g.Marks.String() || mirror != has(evidence.Mirror) || forfeit != has(evidence.Forfeit) ||
			repeated != has(evidence.Repeated) ||
			training != has(evidence.Training) || strength != g.Marks.Counts(evidence.Strength) ||
			balance != g.Marks.Counts(evidence.Balance) {
			t.Errorf("%q: %q %t %t %t %t %t %t", g.Marks, words, mirror, forfeit, repeated, training, strength, balance)
		}
		for i, use := range []evidence.Use{evidence.Strength, evidence.Balance} {
			if g.Marks.Counts(use) {
				counted[i]++
			}
		}
	}
	var strength, cross, balance int
	if err := other.QueryRow("SELECT (SELECT sum(games) FROM standings), (SELECT sum(games) FROM crosstable), (SELECT "+
		"sum(games) FROM first_player)").Scan(&strength, &cross, &balance); err != nil {
		t.Fatal(err)
	}
	if strength != 2*counted[0] || cross != 2*counted[0] || balance != counted[1] {
		t.Errorf("standings count %d games, crosstable %d, first_player %d; want %d, %d, %d", strength, cross, balance,
			2*counted[0], 2*counted[0], counted[1])
	}
}

// Before an event are the games of earlier ones of its purpose that leave nothing to chance, in their order, with what
// marks keep them from counting: it is those that a later game can repeat.
func TestBefore(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), storetest.New(t)
	everyKind(t, db)
	old := stored(t, db)[0] // certain against sure in classic
	if err := db.Commit(ctx, []study.Game{{
		Event: old.Event, Number: 50, Pair: 50, Rules: old.Rules, First: old.First,
		Second: old.Second, Hash: 11, Moves: "b2", Plies: 1, Result: "first", Reason: "line", Marks: evidence.Superseded,
	}},
		nil, 0); err != nil {
		t.Fatal(err)
	}
	before := func(event int64) (out []string) {
		t.Helper()
		names := map[int64]string{old.First: "certain", old.Second: "sure"}
		for f, err := range db.Before(ctx, event) {
			if err != nil {
				t.Fatal(err)
			}
			text := fmt.Sprintf("%s %s-%s rules %d hash %d certain %t", f.Purpose, names[f.First], names[f.Second], f.Rules,
				f.Hash, f.Certain)
			out = append(out, strings.TrimSpace(text+" "+(f.Given&evidence.Given).String()))
		}
		return out
	}
	next := must.Get(db.BeginEvent(ctx, study.Event{Name: "next", Purpose: "tournament", Plan: "{}"}))(t)
	want := []string{
		"tournament certain-sure rules 1 hash 1 certain true",
		"tournament sure-certain rules 1 hash 1 certain true",
		"tournament certain-sure rules 1 hash 1 certain true",
		"tournament certain-sure rules 2 hash 1 certain true",
		"tournament sure-sure rules 1 hash 1 certain true",
		"tournament sure-sure rules 1 hash 1 certain true",
		"tournament certain-sure rules 1 hash 9 certain true surplus",
		"tournament certain-sure rules 1 hash 9 certain true",
		"tournament sure-certain rules 1 hash 10 certain true pending",
		"tournament sure-certain rules 1 hash 10 certain true",
		"tournament certain-sure rules 1 hash 11 certain true superseded",
	}
	if diff := cmp.Diff(want, before(next.ID)); diff != "" {
		t.Error(diff)
	}
	if first := before(old.Event); len(first) != 0 {
		t.Errorf("before the first event: %q", first)
	}
}
