package arena_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/agents"
	"spar/arena"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/solve"
)

// With exact adjudication a game ends at the ply asked for with the value of its position: rolling is won by who opens
// in the centre, classic is drawn after any first move, and lost by who answers an edge opening with the wrong cell.
func TestExactAdjudication(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules, opening string
		maxPlies, from int
		result         engines.Result
		plies          int
	}{
		{"classic", "a1", 0, 1, engines.Drawn, 2},
		{"classic", "b1 a2", 0, 1, engines.FirstWins, 3}, // the next ply, c1 or another, is the first one looked at
		{"rolling", "b2", 60, 1, engines.FirstWins, 2},
		{"rolling", "b2", 9, 1, engines.FirstWins, 2}, // it is won in 9
		{"rolling", "b2", 8, 1, engines.Drawn, 2},
		{"classic", "b2 a1", 0, 9, engines.Drawn, 9},
	} {
		g := must.Get(arena.LoadGame(arena.GameRef{Rules: c.rules, Set: map[string]any{"draw.max_plies": c.maxPlies}}))(t)
		table := must.Get(solve.Solve(context.Background(), g, solve.Options{}))(t)
		p := g.NewPosition()
		must.Do(t, p.PlayText(strings.Fields(c.opening)))
		perfect := must.Get(agents.LoadSpec("perfect"))(t)
		var both [2]agents.Agent
		for i := range both {
			both[i] = must.Get(agents.New(perfect, g))(t)
		}
		r := must.Get(arena.Play(context.Background(), g, arena.Conditions{
			Seed: 1, Opening: p.Played(),
			Adjudge: arena.Adjudge{Exact: c.from}, Table: table,
		}, seats(both[0], both[1])))(t)
		reason := "exact"
		if c.plies == 9 {
			reason = "full_board" // the game is over: nothing to adjudicate
		}
		if r.Outcome != c.result || r.Plies != c.plies || r.Reason != reason {
			t.Errorf("%s after %s: %v by %s after %d plies, want %v by %s after %d", c.rules, c.opening, r.Outcome, r.Reason,
				r.Plies, c.result, reason, c.plies)
		}
	}
}

// pacer takes as long as it is told for each move; one that heeds its context gives up when that ends.
type pacer struct {
	lowest
	each  time.Duration
	heeds bool
}

func (a *pacer) Choose(ctx context.Context, p *engines.Position, b agents.Budget, rng *rand.Rand) (agents.Decision,
	error,
) {
	ended := ctx.Done()
	if !a.heeds {
		ended = nil
	}
	select {
	case <-time.After(a.each):
		return a.lowest.Choose(ctx, p, b, rng)
	case <-ended:
		return agents.Decision{}, &agents.Fault{Kind: "timeout", Err: ctx.Err()}
	}
}

// The time of a game under the rules' own clock is that of both sides together, whoever took more of it. Who heeds the
// clock is stopped at its end; the move of one who does not is still made, and ends the game. A clock that is reached
// has run out.
func TestTheGamesClockIsOfBothSides(t *testing.T) {
	t.Parallel()
	g := classic(t)
	for _, c := range []struct {
		first, second int // seconds of each move: with 10 and 25 a game is at 10, 35, 45, 70 after its plies
		heeds         bool
		plies         int
		spent         [2]int
	}{
		{10, 25, true, 3, [2]int{20, 40}},  // 15 of the 25 seconds are left for ply 4
		{26, 10, true, 2, [2]int{50, 10}},  // 24 of the 26 seconds are left for ply 3
		{30, 5, true, 2, [2]int{55, 5}},    // 25 of the 30 seconds are left for ply 3
		{10, 25, false, 4, [2]int{20, 50}}, // played out to 70 seconds
		{30, 5, false, 3, [2]int{60, 5}},
		{10, 20, false, 4, [2]int{20, 40}}, // 60 seconds to the moment
		{20, 10, false, 4, [2]int{40, 20}},
	} {
		synctest.Test(t, func(t *testing.T) {
			pace := func(s int) *pacer { return &pacer{each: time.Duration(s) * time.Second, heeds: c.heeds} }
			r := must.Get(arena.Play(t.Context(), g, arena.Conditions{Seed: 1, GameLimit: time.Minute},
				seats(pace(c.first), pace(c.second))))(t)
			spent := [2]int{int(r.Spent[0] / time.Second), int(r.Spent[1] / time.Second)}
			if r.Outcome != engines.Drawn || r.Reason != "clock" || r.Faulty != 0 || r.Plies != c.plies || spent != c.spent {
				t.Errorf(
					"%d and %d seconds per move, heeds %t: %v by %s, faulty %d, after %d plies and %v seconds; want a draw by "+
						"the clock after %d and %v",
					c.first,
					c.second,
					c.heeds,
					r.Outcome,
					r.Reason,
					r.Faulty,
					r.Plies,
					spent,
					c.plies,
					c.spent,
				)
			}
		})
	}
}

// Each side has its own clock, to which a move adds: who goes below 0 forfeits, and who comes to it does not.
func TestClocksOfTheSides(t *testing.T) {
	t.Parallel()
	g := classic(t)
	for _, c := range []struct {
		clock         arena.Clock
		first, second int // seconds of each move
		plies         int
		detail        string // of who forfeits
	}{
		{arena.Clock{Seconds: 60, Increment: 10}, 40, 1, 2, "one at ply 3: 10s over its clock"},
		{arena.Clock{Seconds: 60, Increment: 10}, 60, 1, 2, "one at ply 3: 50s over its clock"},
		{arena.Clock{Seconds: 60}, 30, 1, 4, "one at ply 5: 30s over its clock"},
		{arena.Clock{Seconds: 60}, 1, 61, 1, "two at ply 2: 1s over its clock"},
		{arena.Clock{Seconds: 60}, 10, 20, 7, ""}, // won in seven plies
		{arena.Clock{Seconds: 60}, 15, 20, 7, ""}, // both come to 0
	} {
		synctest.Test(t, func(t *testing.T) {
			pace := func(s int) *pacer { return &pacer{each: time.Duration(s) * time.Second} }
			r := must.Get(arena.Play(t.Context(), g, arena.Conditions{Seed: 1, Clock: c.clock}, seats(pace(c.first), pace(c.second))))(t)
			if r.Plies != c.plies || r.Detail != c.detail || (r.Faulty != 0) != (c.detail != "") || c.detail != "" &&
				r.Reason != "forfeit_timeout" || !r.Timed {
				t.Errorf("%+v, %d and %d s a move: %d plies, %q by %s; want %d, %q", c.clock, c.first, c.second, r.Plies, r.Detail,
					r.Reason, c.plies, c.detail)
			}
		})
	}
}

// A table that a plan names is read, never worked out in its place: what is not there is an error that names it.
func TestTableOfAPlanIsRead(t *testing.T) {
	t.Parallel()
	g := must.Get(arena.LoadGame(arena.GameRef{Rules: "classic"}))(t)
	assets := arena.NewAssets()
	for _, c := range []struct {
		o    arena.Adjudge
		made bool
		says string
	}{
		{arena.Adjudge{Exact: 2}, true, ""},
		{arena.Adjudge{Exact: 2, Table: "nowhere.spt"}, false, "adjudicate.exact_from_ply in classic: "},
		{arena.Adjudge{Table: "nowhere.spt"}, false, ""},
	} {
		table, err := assets.Table(t.Context(), g, c.o)
		if (table != nil) != c.made || (err != nil) != (c.says != "") || err != nil &&
			(!strings.HasPrefix(err.Error(), c.says) || !strings.Contains(err.Error(), "nowhere.spt")) {
			t.Errorf("%+v: %v, %v", c.o, table, err)
		}
	}
}
