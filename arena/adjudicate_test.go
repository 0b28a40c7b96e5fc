package arena_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"spar/agents"
	"spar/arena"
	"spar/engines"
	"spar/engines/solve"
)

// With exact adjudication a game ends at the ply asked for with the value of its position: rolling is won by who opens in the
// centre, classic is drawn after any first move, and lost by who answers an edge opening with the wrong cell.
func TestExactAdjudication(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules, opening string
		from           int
		result         engines.Result
		plies          int
	}{
		{"classic", "a1", 1, engines.Drawn, 2},
		{"classic", "b1 a2", 1, engines.FirstWins, 3}, // the next ply, c1 or another, is the first one looked at
		{"rolling", "b2", 1, engines.FirstWins, 2},
		{"classic", "b2 a1", 9, engines.Drawn, 9},
	} {
		g, err := arena.LoadGame(arena.GameRef{Rules: c.rules})
		if err != nil {
			t.Fatal(err)
		}
		table, err := solve.Solve(context.Background(), g, solve.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := g.NewPosition()
		if err := p.PlayText(strings.Fields(c.opening)); err != nil {
			t.Fatal(err)
		}
		perfect, err := agents.LoadSpec("perfect")
		if err != nil {
			t.Fatal(err)
		}
		var both [2]agents.Agent
		for i := range both {
			if both[i], err = agents.New(perfect, g); err != nil {
				t.Fatal(err)
			}
		}
		r, err := arena.Play(context.Background(), g, arena.Conditions{Seed: 1, Opening: p.Played(), Adjudge: arena.Adjudge{Exact: c.from}, Table: table}, seats(both[0], both[1]))
		if err != nil {
			t.Fatal(err)
		}
		reason := "exact"
		if c.plies == 9 {
			reason = "full_board" // the game is over: nothing to adjudicate
		}
		if r.Outcome != c.result || r.Plies != c.plies || r.Reason != reason {
			t.Errorf("%s after %s: %v by %s after %d plies, want %v by %s after %d", c.rules, c.opening, r.Outcome, r.Reason, r.Plies, c.result, reason, c.plies)
		}
	}
}

// sleeper thinks until it is told to stop.
type sleeper struct{}

func (sleeper) NewGame(agents.Seed) {}

func (sleeper) Choose(ctx context.Context, _ *engines.Position, _ agents.Budget, _ *rand.Rand) (agents.Decision, error) {
	<-ctx.Done()
	return agents.Decision{}, &agents.Fault{Kind: "timeout", Err: errors.New("slept")}
}

// The rules' own clock is that of the whole game: who thinks when it runs out draws, he does not forfeit.
func TestTheGamesClockRunsOutInThought(t *testing.T) {
	t.Parallel()
	g := classic(t)
	synctest.Test(t, func(t *testing.T) {
		r, err := arena.Play(t.Context(), g, arena.Conditions{Seed: 1, GameLimit: time.Minute}, seats(&lowest{}, sleeper{}))
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != engines.Drawn || r.Reason != "clock" || r.Plies != 1 || !r.Timed || r.Faulty != 0 || r.Spent[1] != time.Minute {
			t.Errorf("%v by %s after %d plies, timed %t, faulty %d, %v", r.Outcome, r.Reason, r.Plies, r.Timed, r.Faulty, r.Spent)
		}
	})
}
