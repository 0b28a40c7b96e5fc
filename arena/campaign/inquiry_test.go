package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
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
	var free store.Row           // a game from the start
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
			free = g
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
	// An inquiry goes on with the seeds that it was begun with: the thousandth part's, tens by stage, twice the letters of "start" and of
	// "replies", and the two formats.
	events, err := db.Events(ctx)
	if err != nil {
		t.Fatal(err)
	}
	seeds := map[int64]string{}
	for _, e := range events {
		seeds[e.Seed] = e.Name
	}
	for part, name := range map[int]string{1010: "start/mirror", 1011: "start/match", 1014: "replies/mirror", 1015: "replies/match"} {
		if got := seeds[1+int64(part)*1_000_003]; got != "classic/inquiry/1/"+name {
			t.Errorf("part %d is %s, want %s", part, got, name)
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
	// A game that an agent's fault ended says nothing of the rules; what it took was taken.
	if err := db.Commit(ctx, nil, []study.Marked{{Number: free.Number, Marks: evidence.Forfeit}}, free.Event); err != nil {
		t.Fatal(err)
	}
	without, finished, err := Inquired(ctx, db, c.Rules.Label)
	if err != nil || !finished || without[0].Work != work || float64(without[0].Games) != games-1 || without[0].Free.All().Games() != stages[0].Free.All().Games()-1 {
		t.Errorf("%+v, finished %t, %v", without, finished, err)
	}
}

// A stage of which one game is missing is none yet. The run that plays it finds all others.
func TestInquiryLacksAGame(t *testing.T) {
	t.Parallel()
	ctx, db, c := t.Context(), open(t), asked(t, "classic")
	c.Record.Inquiry.Stages, c.Record.Inquiry.Free = 1, 0 // one free opening there is nevertheless
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
		} else if finished && stages[0].Free.All().Games() != 6 {
			t.Errorf("%d free games, want a pair of each of the three kinds", stages[0].Free.All().Games())
		}
	}
	// A game behind the last of a part is none of its plan.
	var last study.Game
	name := ""
	for g, err := range db.Games(ctx, store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if name == "" || g.EventName == name {
			name, last = g.EventName, g.Game
		}
	}
	last.Number++
	last.ID, last.Hash = 0, 4711
	if err := db.Commit(ctx, []study.Game{last}, nil, last.Event); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Inquired(ctx, db, c.Rules.Label); err == nil || !strings.HasSuffix(err.Error(), fmt.Sprintf("game %d of %s is not in its plan", last.Number, name)) {
		t.Errorf("%v", err)
	}
}

// Faults are counted over the parts of an inquiry: who plays forfeits the first game of each of the four.
func TestFaultsOfAnInquiry(t *testing.T) {
	t.Parallel()
	c := asked(t, "classic")
	c.Record.Inquiry = Inquiry{Nodes: 5, Stages: 1, Free: 1, Forced: 1, Work: 1e6}
	kit := arena.NewKit()
	defer kit.Close()
	local := arena.NewLocal(kit, 1)
	defer local.Close()
	if sum, err := c.RunInquiry(t.Context(), t.Context(), open(t), Options{Workers: 1, Kit: kit, Pool: faulty{local}}); err != nil || sum.Faults != 4 || !sum.Finished {
		t.Errorf("%+v, %v", sum, err)
	}
}

// The replies to a first move, one of each class of positions, by hand: to the centre a corner and an edge. With two stones a turn the same
// side goes on; with a line of two a stone beside the first in a corner, also across, ends the game, and two pairs of the other five are
// images of each other.
func TestReplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set         map[string]any
		first, side string
		want        int
	}{
		{nil, "b2", "second", 2},
		{nil, "a1", "second", 5},
		{map[string]any{"turn.placements": 2, "turn.first_turn": 2}, "b2", "first", 2},
		{map[string]any{"turn.placements": 2, "turn.first_turn": 2, "win.line": 2}, "a1", "first", 3},
		{nil, "z9", "", 0},
	} {
		lines, side := repliesTo(load(t, "classic", c.set).Game, c.first)
		if len(lines) != c.want || side != c.side {
			t.Errorf("%s of %v: %q by %q, want %d by %q", c.first, c.set, lines, side, c.want, c.side)
		}
		for _, l := range lines {
			if !strings.HasPrefix(l, c.first+" ") || len(strings.Fields(l)) != 2 {
				t.Errorf("%s: %q", c.first, l)
			}
		}
	}
}

// Tallies are added result by result, and a game without a winner is half a point: of 1, 2, 4 and 8 games 1 and (2+4)/2 points of 15.
func TestTally(t *testing.T) {
	t.Parallel()
	a, b := Tally{1, 2, 4, 8}, Tally{16, 32, 64, 128}
	if a.Games() != 15 || a.Score() != 4.0/15 || a.Plus(b) != (Tally{17, 34, 68, 136}) {
		t.Errorf("%d games, score %g, together %+v", a.Games(), a.Score(), a.Plus(b))
	}
}

// Of the two searchers one values positions by the study's evaluation, the other by random playouts, with the selection of the literature:
// UCT, a first visit to each move before a second. Five positions of the one cost a playout of the other.
func TestSearchers(t *testing.T) {
	t.Parallel()
	pair := searchers(1004, false)
	ab, ts := pair[0], pair[1]
	if len(pair) != 2 || ab.Name != "alpha-beta-1004" || ab.Type != "minimax" || ab.Budget.Nodes != 1004 || ts.Name != "playouts-200" || ts.Type != "mcts" || ts.Budget.Iterations != 200 {
		t.Errorf("%+v", pair)
	}
	if o := ts.MCTS; o.Selection != "uct" || o.Exploration != 1 || o.FPU != 10 || o.Rollout != "random" || o.Plies != 80 {
		t.Errorf("%+v", o)
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
