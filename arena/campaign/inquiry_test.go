package campaign

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"spar/arena/store"
)

// asked is an inquiry that takes a third of a second, of classic: four stages with up to 8000 positions a move.
func asked(t *testing.T, name string) *Campaign {
	c := plan(t, name)
	c.Record.Inquiry = Inquiry{Nodes: 125, Stages: 4, Free: 3, Forced: 1, Work: 1e6}
	return c
}

func inquire(t *testing.T, c *Campaign, o Options, runs int) []Stage {
	t.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, t.TempDir()+"/x.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var sum Summary
	for range runs {
		if sum, err = c.RunInquiry(ctx, ctx, db, o); err != nil {
			t.Fatal(err)
		}
		if sum.Finished {
			break
		}
	}
	stages, finished, err := Inquired(ctx, db, c.Rules.Label)
	if err != nil || !finished || !sum.Finished {
		t.Fatalf("finished %t, run %+v, %v", finished, sum, err)
	}
	return stages
}

// Classic tic-tac-toe is a draw, which both kinds of search find. The games are the same on any number of workers, and where the run was
// interrupted after every 40 games.
func TestInquiry(t *testing.T) {
	t.Parallel()
	text := func(stages []Stage) string {
		out, err := json.Marshal(stages)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	whole := inquire(t, asked(t, "classic"), Options{Workers: 3}, 1)
	if f := Judge(whole); f.Claim != Even || f.Forced != nil {
		t.Errorf("%+v", f)
	}
	if n := len(whole); n < 3 || len(whole[0].FirstMoves) != 3 || whole[0].Free.All().Games() != 18 || whole[0].Side != "second" {
		t.Errorf("%d stages, %+v", n, whole[0])
	}
	if parts := inquire(t, asked(t, "classic"), Options{Workers: 1, Limit: 40}, 100); text(parts) != text(whole) {
		t.Errorf("%s\nin one go %s", text(parts), text(whole))
	}
	// A ceiling of work ends it early, with the stage that was begun.
	c := asked(t, "classic")
	c.Record.Inquiry.Work = 1
	if got := inquire(t, c, Options{Workers: 1}, 1); len(got) != 1 || text(got) != text(whole[:1]) {
		t.Errorf("%d stages", len(got))
	}
}

// Work, games and length of the first stage are those of its stored games: a position of alpha-beta is one, a simulation costs as much as
// five; the length is that of games from the start.
func TestInquiryCounts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	c := asked(t, "classic")
	c.Record.Inquiry.Stages = 1
	if _, err := c.RunInquiry(ctx, ctx, db, Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	stages, _, err := Inquired(ctx, db, c.Rules.Label)
	if err != nil || len(stages) != 1 {
		t.Fatalf("%d stages, %v", len(stages), err)
	}
	var work, plies, started, games float64
	begun := map[int64]bool{}    // different games from the start and its moves
	chosen := map[string]int64{} // games from the start, by the class of the first move
	for g, err := range db.Games(ctx, store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		for name, nodes := range map[string]int64{g.FirstName: 0, g.SecondName: 0} {
			if name == g.FirstName {
				nodes += g.FirstNodes
			}
			if name == g.SecondName {
				nodes += g.SecondNodes
			}
			if strings.HasPrefix(name, "playouts-") {
				nodes *= 5
			}
			work += float64(nodes)
		}
		games++
		if strings.Contains(g.EventName, "/start/") {
			plies, started = plies+float64(g.Plies), started+1
			begun[g.Hash] = true
		}
		if g.OpeningPlies == 0 {
			first := g.Moves[:2]
			switch first {
			case "a3", "c1", "c3":
				first = "a1" // a corner
			case "a2", "b3", "c2":
				first = "b1" // an edge
			}
			chosen[first]++
		}
	}
	different := stages[0].Free.Distinct
	for _, p := range stages[0].FirstMoves { // played with it
		if different += p.Distinct; p.Chosen != chosen[p.Moves] {
			t.Errorf("%s is chosen %d times, want %v", p.Moves, p.Chosen, chosen)
		}
	}
	if different != int64(len(begun)) || float64(different) == started {
		t.Errorf("%d different games of %g, want %d", different, started, len(begun))
	}
	if s := stages[0]; s.Work != work || float64(s.Games) != games || s.Plies != plies/started || started == games {
		t.Errorf("work %g, %d games of %g plies, want %g, %g of %g", s.Work, s.Games, s.Plies, work, games, plies/started)
	}
}

// A stage of which one game is missing is none yet. The run that plays it finds all others.
func TestInquiryLacksAGame(t *testing.T) {
	t.Parallel()
	ctx, db, c := t.Context(), open(t), asked(t, "classic")
	c.Record.Inquiry.Stages = 1
	all, err := c.RunInquiry(ctx, ctx, open(t), Options{Workers: 2})
	if err != nil || !all.Finished || all.Played != all.Games || all.Before != 0 {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, limit := range []int64{all.Games - 1, 0, 0} {
		want := [...]Summary{{Games: all.Games, Played: all.Games - 1}, {Games: all.Games, Before: all.Games - 1, Played: 1, Finished: true}, {Games: all.Games, Before: all.Games, Finished: true}}[i]
		if sum, err := c.RunInquiry(ctx, ctx, db, Options{Workers: 2, Limit: limit}); err != nil || sum != want {
			t.Errorf("run %d: %+v, %v; want %+v", i+1, sum, err, want)
		}
		if stages, finished, err := Inquired(ctx, db, c.Rules.Label); err != nil || finished != want.Finished || (len(stages) == 1) != finished {
			t.Errorf("after run %d: %d stages, finished %t, %v", i+1, len(stages), finished, err)
		}
	}
}

// A run that is to play so many games stops there, also where a part of the inquiry ends.
func TestInquiryStopsBetweenParts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	if _, err := asked(t, "classic").RunInquiry(ctx, ctx, db, Options{Workers: 2, Limit: 40}); err != nil {
		t.Fatal(err)
	}
	first := int64(0)
	for g := range db.Games(ctx, store.Filter{}) {
		if strings.HasSuffix(g.EventName, "inquiry/1/start/mirror") {
			first++
		}
	}
	sum, err := asked(t, "classic").RunInquiry(ctx, ctx, open(t), Options{Workers: 2, Limit: first})
	if err != nil || sum.Played != first || sum.Finished || first == 0 || first >= 40 {
		t.Errorf("%+v, %v, want %d games", sum, err, first)
	}
}

// Ten games of the tree search with itself share the work of an inquiry: of 40,000 positions in games of 8 plies each decision has 500,
// a hundred simulations.
func TestPlainly(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	c := asked(t, "classic")
	tally, simulations, err := c.Plainly(ctx, db, 40_000, 8, Options{Workers: 2})
	if err != nil || tally.Games() != 10 || simulations != 100 {
		t.Errorf("%+v by %d simulations, %v", tally, simulations, err)
	}
	pairs := map[int64]int{}
	for g, err := range db.Games(ctx, store.Filter{}) {
		if err != nil || g.FirstName != "playouts-100" || g.SecondName != "playouts-100" || g.OpeningPlies != 0 {
			t.Errorf("%s against %s after %d plies, %v", g.FirstName, g.SecondName, g.OpeningPlies, err)
		}
		pairs[g.Pair]++
	}
	if len(pairs) != 5 {
		t.Errorf("%d pairs", len(pairs))
	}
	if _, simulations, err := c.Plainly(ctx, open(t), 1, 0, Options{Workers: 2}); err != nil || simulations != 1 {
		t.Errorf("%d simulations of no work, %v", simulations, err)
	}
}

// An inquiry of one stage has games ahead, and twice as many in two; one of none has none.
func TestStagesAhead(t *testing.T) {
	t.Parallel()
	var games []int64
	for stages := range 3 {
		c := asked(t, "classic")
		c.Record.Inquiry.Stages = stages
		games = append(games, c.inquiryAhead().games)
	}
	if games[0] != 0 || games[1] == 0 || games[2] != 2*games[1] {
		t.Errorf("%v games", games)
	}
}

// Where the evaluation of a study is learned, both searches of the question who wins have it, and the stages say so; without one the
// tree search has none. The ten games of literature have none either way.
func TestSearchersOfALearnedEvaluation(t *testing.T) {
	t.Parallel()
	for eval, want := range map[string]bool{"": false, "ctor/tuned": false, "ctor/learned": true} {
		ctx := context.Background()
		db := open(t)
		c, err := New(load(t, "ctor", nil), Request{Effort: "quick", Seed: 1, Eval: eval})
		if err != nil {
			t.Fatal(err)
		}
		c.Record.Inquiry = Inquiry{Nodes: 10, Stages: 1, Free: 1, Forced: 1, Work: 1e6}
		if _, err := c.RunInquiry(ctx, ctx, db, Options{Workers: 2, Limit: 4}); err != nil {
			t.Fatal(err)
		}
		specs, err := db.AgentSpecs(ctx)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for name, spec := range specs {
			names[name] = strings.Contains(spec, `"file":"ctor/learned"`)
		}
		if learned, ok := names["tree-search-2"]; ok != want || learned != want {
			t.Errorf("%q: %v", eval, names)
		}
		if net, ok := names["alpha-beta-10"]; !ok || net != want {
			t.Errorf("%q: %v", eval, names)
		}
		if s := searchers(10, want)[1]; (s.Weights != nil) != want || (s.MCTS.Rollout == "random") == want {
			t.Errorf("%q: %+v", eval, s)
		}
	}
}

// A study without an inquiry has no stages, and nothing is missing; nor has one of other rules.
func TestNoInquiry(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, err := store.Open(ctx, t.TempDir()+"/x.db")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c := tiny(t, "classic")
	c.Record.Sizes = Sizes{Mirror: 2}
	if _, err := Run(ctx, ctx, db, []*Campaign{c}, Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"classic", "vanishing"} {
		if stages, over, err := Inquired(ctx, db, label); stages != nil || !over || err != nil {
			t.Errorf("%s: %v, %t, %v", label, stages, over, err)
		}
	}
}
