package arena_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"spar/agents"
	"spar/arena"
	"spar/arena/live"
	"spar/arena/store"
	"spar/arena/store/storetest"
	"spar/configs/must"
)

// smallPlan has games of every kind of ply, and agents with and without chance.
const smallPlan = `
name: small
games:
  - classic
  - {rules: vanishing, set: {pieces.cap: 4}}
  - {rules: infiltration-6x6, set: {draw.max_plies: 60}}
  - {rules: ctor, set: {board.columns: 5, board.rows: 5}}
agents: [random, greedy, {agent: greedy, name: lowest, set: {ties: first}}]
pairs: 3
openings: {plies: 2}
seed: 11
`

func plan(t testing.TB, text string, overrides ...string) *arena.Tournament {
	t.Helper()
	p := must.Get(arena.LoadPlan("test", []byte(text), overrides...))(t)
	return p
}

// watch hears of a run and calls after with the number of games that it has stored so far.
type watch struct {
	begun, ended int
	last         live.Event // the end
	games        int64
	total, done  int64
	after        func(games int64)
}

func (w *watch) hear(e live.Event) {
	switch e.Kind {
	case live.Begin:
		w.begun++
		w.total, w.done = e.Total, e.Done
	case live.End:
		w.ended, w.last = w.ended+1, e
	case live.GameEnd, live.Fault:
		w.games++
		if w.after != nil {
			w.after(w.games)
		}
	}
}

// options let w watch a run.
func (w *watch) options(limit int64) arena.Options {
	feed := live.NewFeed(time.Now)
	feed.Attach(w.hear)
	return arena.Options{Limit: limit, Feed: feed}
}

func run(t testing.TB, p *arena.Tournament, db *store.DB, limit int64) arena.Summary {
	t.Helper()
	ctx := context.Background()
	sum := must.Get(arena.Run(ctx, ctx, p, db, arena.Options{Limit: limit}))(t)
	return sum
}

// games is the table of games by number, without what may differ between equal runs: row numbers and times.
func games(t testing.TB, db *store.DB) []store.Row {
	t.Helper()
	var rows []store.Row
	for _, row := range storetest.Games(t, db, store.Filter{}) {
		row.ID, row.FirstMS, row.SecondMS, row.Worker = 0, 0, 0, ""
		rows = append(rows, row)
	}
	return rows
}

// A run that is interrupted and continued, in whatever way and however often, plays the games that it plays in one go.
func TestInterruptedRunsPlayTheSameGames(t *testing.T) {
	t.Parallel()
	whole := storetest.New(t)
	run(t, plan(t, smallPlan), whole, 0)
	want := games(t, whole)

	for _, c := range []struct {
		name string
		part func(t *testing.T, p *arena.Tournament, db *store.DB) arena.Summary
	}{
		{"a limit of 7 games", func(t *testing.T, p *arena.Tournament, db *store.DB) arena.Summary {
			sum := run(t, p, db, 7)
			if left := sum.Total - sum.Before; sum.Played != min(7, left) {
				t.Fatalf("%+v: want 7 games, or what is left", sum)
			}
			return sum
		}},
		{"interrupted after 5 games", func(t *testing.T, p *arena.Tournament, db *store.DB) arena.Summary {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			sum, err := arena.Run(ctx, context.Background(), p, db, (&watch{after: func(n int64) {
				if n == 5 {
					cancel()
				}
			}}).options(0))
			if err != nil {
				t.Fatalf("an interrupt is not an error: %v", err)
			}
			return sum
		}},
		{"interrupted twice after 9 games", func(t *testing.T, p *arena.Tournament, db *store.DB) arena.Summary {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			sum, err := arena.Run(ctx, ctx, p, db, (&watch{after: func(n int64) {
				if n == 9 {
					cancel()
				}
			}}).options(0))
			if err != nil {
				t.Fatalf("an interrupt is not an error: %v", err)
			}
			return sum
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			stored := int64(0)
			for part := 0; stored < int64(len(want)); part++ {
				p := plan(t, smallPlan)
				p.Workers = 1 + part%3
				sum := c.part(t, p, db)
				if sum.Before != stored || sum.Played == 0 {
					t.Fatalf("part %d: %+v with %d games stored before", part, sum, stored)
				}
				stored += sum.Played
				if n := int64(len(games(t, db))); n != stored {
					t.Fatalf("part %d says %d games are stored, the table has %d", part, stored, n)
				}
			}
			if diff := cmp.Diff(want, games(t, db)); diff != "" {
				t.Errorf("in one go (-), in parts (+):\n%s", diff)
			}
			if sum := run(t, plan(t, smallPlan), db, 0); sum.Played != 0 || sum.Before != sum.Total {
				t.Errorf("a finished run played on: %+v", sum)
			}
		})
	}
}

// A study continues a tournament only under the plan that it was begun with; what does not decide the games may change.
func TestOtherPlanIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change  string
		refused bool
	}{
		{"pairs=4", true},
		{"seed=12", true},
		{"openings.plies=1", true},
		{"games=[classic]", true},
		{"agents=[random, greedy]", true},
		{"agents=[random, greedy, {agent: greedy, name: lowest, set: {ties: first, scale: 90}}]", true},
		{"games=[classic, {rules: vanishing, set: {pieces.cap: 5}}, {rules: infiltration-6x6, set: {draw.max_plies: 60}}, " +
			"{rules: ctor, set: {board.columns: 5, board.rows: 5}}]", true},
		{"workers=3", false},
		{"database=elsewhere.db", false},
		{"report=elsewhere", false},
		{"name=another tournament", false},
	} {
		t.Run(c.change, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			run(t, plan(t, smallPlan), db, 3)
			before := games(t, db)
			ctx := context.Background()
			_, err := arena.Run(ctx, ctx, plan(t, smallPlan, c.change), db, arena.Options{Limit: 2})
			var plan *store.PlanError
			if refused := errors.As(err, &plan); refused != c.refused {
				t.Fatalf("error %v, want refused: %t", err, c.refused)
			}
			if c.refused && !cmp.Equal(before, games(t, db)) {
				t.Error("a refused run has written games")
			}
		})
	}
}

// A game that repeats one of a tournament played before in the same study is marked so, wherever a run was interrupted,
// and a run that goes on counts only games of its own. Agents that break ties alike leave nothing to chance: both games
// of the pair come again.
func TestRepeatsOfAnEarlierTournament(t *testing.T) {
	t.Parallel()
	const certain = "{name: one, games: [classic], agents: [{agent: greedy, name: a, set: {ties: first}}, {agent: " +
		"greedy, name: b, set: {ties: first}}], pairs: 1}"
	for _, parts := range [][]int64{{0}, {1, 0}} {
		db := storetest.New(t)
		run(t, plan(t, certain), db, 0)
		for i, limit := range parts {
			if sum := run(t, plan(t, certain, "name=two"), db, limit); sum.Before != int64(i) || sum.Played+sum.Before > 2 {
				t.Errorf("%d parts: %+v in part %d", len(parts), sum, i)
			}
		}
		var marks []string
		for _, row := range games(t, db) {
			marks = append(marks, row.EventName+" "+row.Marks.String())
		}
		if want := []string{"one ", "one ", "two repeated", "two repeated"}; !cmp.Equal(marks, want) {
			t.Errorf("%d parts: %q, want %q", len(parts), marks, want)
		}
	}
}

// When games can no longer be stored, the run ends with an error instead of playing on for nothing.
func TestRunStopsWhenTheStoreFails(t *testing.T) {
	t.Parallel()
	p := plan(t, "{name: long, games: [classic], agents: [random, {agent: random, name: other}], pairs: 10000000}")
	db := storetest.New(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	sum, err := arena.Run(ctx, ctx, p, db, (&watch{after: func(n int64) {
		if n == 1 {
			db.Close()
		}
	}}).options(0))
	if err == nil || ctx.Err() != nil {
		t.Fatalf("error %v after %+v, want the store's, soon", err, sum)
	}
}

// An agent that states no budget plays by its tournament's: under another budget it is another agent, which no study
// mixes up with the first.
func TestBudgetsOfTournamentsArePartOfAgents(t *testing.T) {
	t.Parallel()
	under := func(name string, depth int) *arena.Tournament {
		p := plan(t, "name: "+name+"\ngames: [classic]\npairs: 1\nagents: [minimax-2, greedy]\n")
		p.Players[0].Name, p.Players[0].Budget, p.Budget = "mm", agents.Budget{}, agents.Budget{Depth: depth}
		return p
	}
	db, ctx := storetest.New(t), context.Background()
	run(t, under("one", 1), db, 0)
	run(t, under("again", 1), db, 0)
	must.Refuse(arena.Run(ctx, ctx, under("five", 5), db, arena.Options{}))(t, "mm under classic: budget.depth was 1, is 5")
	if n := len(games(t, db)); n != 4 {
		t.Errorf("%d games, want 4", n)
	}
}
