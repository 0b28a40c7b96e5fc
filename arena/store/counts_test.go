package store_test

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// Six games of begin, by two workers: the fourth depended on a clock, the fifth was lost by a fault of its first
// player, the sixth is superseded. Number n has 5+n plies, 1 of them the opening, and took 1.5 + n ms and 7 nodes; one
// is first in those of even numbers. The results are first, second, draw, first, second, draw.
func TestSumsOfGames(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := storetest.New(t)
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
	rules := games[0].Rules
	same := func(what string, want, got any, err error) {
		t.Helper()
		if d := gocmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", what, err, d)
		}
	}

	played, err := db.Played(ctx)
	same("played", []store.Played{
		{Event: games[0].Event, Rules: rules, Worker: "a", Games: 3, Counts: 3, Spent: 7500 * time.Microsecond, Nodes: 21},
		{
			Event: games[0].Event, Rules: rules, Worker: "b", Games: 3, Counts: 2, Faults: 1, Timed: 1,
			Spent: 16500 * time.Microsecond, Nodes: 21,
		},
	}, played, err)

	// The forfeit counts for strength and not for balance, the superseded game for neither.
	costs, err := db.Costs(ctx, "classic")
	want := map[string]store.Cost{
		"one": {Games: 5, Decisions: 15, MS: 8.5, Nodes: 17},
		"two": {Games: 5, Decisions: 15, MS: 9, Nodes: 18},
	}
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
	same("rules", []store.StoredRules{{ID: rules, Name: "classic", Hash: "abc", Canonical: `{"name":"classic"}`}}, kept,
		err)
	specs, err := db.AgentSpecs(ctx)
	same("specs", map[string]string{"one": `{"type":"random"}`, "two": `{"type":"random"}`}, specs, err)
}

// Games that a fault ended are those of which evidence says so, wherever they are counted or looked for.
func TestFaultsAreForfeits(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), storetest.New(t)
	game, want := begin(t, db), int64(0)
	var games []study.Game
	for n, reason := range []string{
		"forfeit_illegal", "forfeit_timeout", "forfeit", "forfeited", "Forfeit_x",
		"no_forfeit_", "line",
	} {
		g := game(int64(n))
		if g.Reason = reason; evidence.IsForfeit(reason) {
			want++
		}
		games = append(games, g)
	}
	put(t, db, games...)
	found, _ := count(t, db, store.Filter{Faults: true})
	var faults int64
	played := must.Get(db.Played(ctx))(t)
	for _, p := range played {
		faults += p.Faults
	}
	if int64(found) != want || faults != want || want != 2 {
		t.Errorf("%d found, %d of what was played, want %d", found, faults, want)
	}
}
