package store_test

import (
	"cmp"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
)

// Six games of begin, by two workers: the fourth depended on a clock, the fifth was lost by a fault of its first player, the sixth is
// superseded. Number n has 5+n plies, 1 of them the opening, and took 1.5 + n ms and 7 nodes; one is first in those of even numbers.
// The results are first, second, draw, first, second, draw.
func TestSumsOfGames(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := open(t, filepath.Join(t.TempDir(), "s.db"))
	game := begin(t, db)
	var games []study.Game
	for n := range int64(6) {
		g := game(n)
		g.Worker = map[bool]string{true: "a", false: "b"}[n < 3]
		g.Timed = n == 3
		games = append(games, g)
	}
	games[4].Reason, games[5].Marks = "forfeit_illegal", evidence.Superseded
	put(t, db, games...)
	rules, one, two := games[0].Rules, games[0].First, games[0].Second
	same := func(what string, want, got any, err error) {
		t.Helper()
		if d := gocmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", what, err, d)
		}
	}

	cells, err := db.ByWorker(ctx)
	slices.SortFunc(cells, func(x, y store.Cell) int {
		return cmp.Or(cmp.Compare(x.Worker, y.Worker), cmp.Compare(x.First, y.First))
	})
	same("cells", []store.Cell{
		{Worker: "a", Rules: rules, First: one, Second: two, Games: 2, Points: 1.5, Squares: 1.25},
		{Worker: "a", Rules: rules, First: two, Second: one, Games: 1},
		{Worker: "b", Rules: rules, First: one, Second: two, Games: 1, Faults: 1},
		{Worker: "b", Rules: rules, First: two, Second: one, Games: 1, Points: 1, Squares: 1, Superseded: 1},
	}, cells, err)

	played, err := db.Played(ctx)
	same("played", []store.Played{
		{Event: games[0].Event, Rules: rules, Worker: "a", Games: 3, Counts: 3, Spent: 7500 * time.Microsecond, Nodes: 21},
		{Event: games[0].Event, Rules: rules, Worker: "b", Games: 3, Counts: 2, Faults: 1, Timed: 1, Spent: 16500 * time.Microsecond, Nodes: 21},
	}, played, err)

	// The forfeit counts for strength and not for balance, the superseded game for neither.
	costs, err := db.Costs(ctx, "classic")
	want := map[string]store.Cost{"one": {Games: 5, Decisions: 15, MS: 8.5, Nodes: 17}, "two": {Games: 5, Decisions: 15, MS: 9, Nodes: 18}}
	same("costs", want, costs, err)
	costs, err = db.Costs(ctx, "")
	same("costs of all rules", want, costs, err)
	costs, err = db.Costs(ctx, "ctor")
	same("costs of others", map[string]store.Cost{}, costs, err)
	totals, err := db.RulesTotals(ctx)
	same("totals", []store.RulesTotal{{Rules: "classic", Games: 4, First: 2, Draws: 1, Plies: 6.5}}, totals, err)

	sizes, err := db.Sizes(ctx)
	same("sizes", store.Sizes{Games: 6, Rules: 1, Agents: 2, Events: 1}, sizes, err)
	kept, err := db.Rules(ctx)
	same("rules", []store.StoredRules{{ID: rules, Name: "classic", Hash: "abc", Canonical: `{"name":"classic"}`}}, kept, err)
	specs, err := db.AgentSpecs(ctx)
	same("specs", map[string]string{"one": `{"type":"random"}`, "two": `{"type":"random"}`}, specs, err)
	schema, err := db.Schema(ctx)
	if has := func(word string) bool {
		return slices.ContainsFunc(schema, func(s string) bool { return len(s) > len(word) && s[:len(word)] == word })
	}; err != nil || !has("CREATE TABLE games") || !has("CREATE VIEW standings") {
		t.Errorf("schema %q, %v", schema, err)
	}
}

// Games that a fault ended are those of which evidence says so, wherever they are counted or looked for.
func TestFaultsAreForfeits(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), open(t, filepath.Join(t.TempDir(), "s.db"))
	game, want := begin(t, db), int64(0)
	var games []study.Game
	for n, reason := range []string{"forfeit_illegal", "forfeit_timeout", "forfeit", "forfeited", "Forfeit_x", "no_forfeit_", "line"} {
		g := game(int64(n))
		if g.Reason = reason; evidence.IsForfeit(reason) {
			want++
		}
		games = append(games, g)
	}
	put(t, db, games...)
	found, _ := count(t, db, store.Filter{Faults: true})
	var faults, lost int64
	played, err := db.Played(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range played {
		faults += p.Faults
	}
	cells, err := db.ByWorker(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cells {
		lost += c.Faults
	}
	if int64(found) != want || faults != want || lost != want || want != 2 {
		t.Errorf("%d found, %d of what was played, %d of workers, want %d", found, faults, lost, want)
	}
}

// Kinds are told apart by all that they have in common, and every game is of one.
func TestKinds(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "s.db"))
	game := begin(t, db)
	games := []study.Game{game(0), game(1), game(2), game(4), game(6), game(8), game(10)} // the second by exchanged seats
	games[3].Reason, games[4].Timed, games[5].Marks = "clock", true, evidence.Surplus
	put(t, db, games...)
	kinds, err := db.Kinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, k := range kinds {
		got = append(got, k.Games)
		if k.EventName != "cup" || k.RulesName != "classic" || k.FirstName == k.SecondName || k.RulesJSON != `{"name":"classic"}` || (k.FirstName == "one") != (k.First == games[0].First) || k.Event != games[0].Event || k.Reason == "" {
			t.Errorf("%+v", k)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, []int64{1, 1, 1, 1, 3}) {
		t.Errorf("%d", got)
	}
}

// What counts or writes says that it could not, and that nothing was done, where the file does not answer or has lost its tables.
func TestNothingIsCountedOfABrokenStudy(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(db *store.DB, path string){
		"closed": func(db *store.DB, _ string) { db.Close() },
		"without tables": func(_ *store.DB, path string) {
			other := raw(t, path)
			for _, view := range []string{"standings", "crosstable", "first_player", "results"} {
				exec(t, other, "DROP VIEW "+view)
			}
			for _, table := range []string{"games", "agents", "rules"} {
				exec(t, other, "DROP TABLE "+table)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, path := t.Context(), filepath.Join(t.TempDir(), "s.db")
			db := open(t, path)
			game := begin(t, db)(0)
			spoil(db, path)
			for _, c := range []struct {
				what string
				try  func() (int64, error)
			}{ // the first learns of the change only as it reads
				{"supersede", func() (int64, error) { return db.Supersede(ctx, "a", func(_, _ int64) bool { return false }) }},
				{"supersede from", func() (int64, error) { return db.SupersedeFrom(ctx, 1, 0) }},
				{"retire", func() (int64, error) { return db.RetireAgents(ctx) }},
				{"a person's game", func() (int64, error) { return db.AddHumanGame(ctx, "play", game) }},
				{"workers' games", func() (int64, error) { all, err := db.ByWorker(ctx); return int64(len(all)), err }},
				{"played", func() (int64, error) { all, err := db.Played(ctx); return int64(len(all)), err }},
				{"kinds", func() (int64, error) { all, err := db.Kinds(ctx); return int64(len(all)), err }},
				{"rules", func() (int64, error) { all, err := db.Rules(ctx); return int64(len(all)), err }},
				{"costs", func() (int64, error) { all, err := db.Costs(ctx, ""); return int64(len(all)), err }},
				{"totals", func() (int64, error) { all, err := db.RulesTotals(ctx); return int64(len(all)), err }},
				{"specs", func() (int64, error) { all, err := db.AgentSpecs(ctx); return int64(len(all)), err }},
				{"number of rows", func() (int64, error) { n, err := db.Sizes(ctx); return n.Games, err }},
				{"a window of them", func() (int64, error) { return db.Window(ctx, 0, 1, true) }},
			} {
				if n, err := c.try(); n != 0 || err == nil {
					t.Errorf("%s: %d, %v", c.what, n, err)
				}
			}
		})
	}
}

// A person's game by agents that the study does not have is not stored.
func TestAGameOfNobody(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "s.db"))
	g := begin(t, db)(0)
	g.First += 100
	if id, err := db.AddHumanGame(t.Context(), "play", g); id != 0 || err == nil {
		t.Errorf("game %d, %v", id, err)
	}
	if n, _ := count(t, db, store.Filter{}); n != 0 {
		t.Errorf("%d games are stored", n)
	}
}
