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
	"spar/configs/must"
	"spar/engines"
)

// lowest plays the first legal move; from ply trap on it does what misbehave does.
type lowest struct {
	trap      int
	misbehave func(*engines.Position) (agents.Decision, error)
	games     int
}

func (a *lowest) NewGame(agents.Seed) { a.games++ }

func (a *lowest) Choose(_ context.Context, p *engines.Position, _ agents.Budget, _ *rand.Rand) (agents.Decision,
	error,
) {
	if a.misbehave != nil && p.Ply()+1 >= a.trap {
		return a.misbehave(p)
	}
	return agents.Decision{Move: p.AppendMoves(nil)[0], Nodes: 1}, nil
}

func classic(t testing.TB) *engines.Game {
	t.Helper()
	g := must.Get(arena.LoadGame(arena.GameRef{Rules: "classic"}))(t)
	return g
}

func seats(first, second agents.Agent) [2]arena.Seat {
	return [2]arena.Seat{{Name: "one", Agent: first}, {Name: "two", Agent: second}}
}

// An agent that misbehaves loses the game at once; the record says who did what at which ply and holds the moves before
// it.
func TestMisbehavingAgentsForfeit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		trap      int // the ply, from 1
		misbehave func(*engines.Position) (agents.Decision, error)
		result    engines.Result
		reason    string
		detail    string
	}{
		{
			"an occupied cell, as second", 4,
			func(p *engines.Position) (agents.Decision, error) {
				m, err := p.Game().ReadMove("a1")
				return agents.Decision{Move: m}, err
			},
			engines.FirstWins, "forfeit_illegal", "two at ply 4: illegal move a1 in XOX/.../... O 3 last=c1",
		},
		{
			"no move at all, as first", 1,
			func(*engines.Position) (agents.Decision, error) { return agents.Decision{Move: engines.NoMove}, nil },
			engines.SecondWins, "forfeit_illegal", "one at ply 1: illegal move - in .../.../... X 0",
		},
		{
			"a pass where there is none", 2,
			func(*engines.Position) (agents.Decision, error) { return agents.Decision{Move: engines.Pass}, nil },
			engines.FirstWins, "forfeit_illegal", "two at ply 2: illegal move pass in X../.../... O 1 last=a1",
		},
		{
			"an error", 3,
			func(*engines.Position) (agents.Decision, error) {
				return agents.Decision{}, errors.New("lost my process")
			},
			engines.SecondWins, "forfeit_error", "one at ply 3: lost my process",
		},
		{
			"a panic", 2,
			func(*engines.Position) (agents.Decision, error) { panic("index out of range [9]") },
			engines.FirstWins, "forfeit_panic", "two at ply 2: panic: index out of range [9]",
		},
		{
			"a nil pointer", 1,
			func(*engines.Position) (agents.Decision, error) {
				var p *engines.Position
				return agents.Decision{Move: p.Last()}, nil
			},
			engines.SecondWins, "forfeit_panic", "one at ply 1: panic: runtime error: invalid memory address or nil pointer " +
				"dereference",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bad, good := &lowest{trap: c.trap, misbehave: c.misbehave}, &lowest{}
			both := seats(bad, good)
			if c.trap%2 == 0 {
				both = seats(good, bad)
			}
			r := must.Get(arena.Play(context.Background(), classic(t), arena.Conditions{Seed: 1}, both))(t)
			if r.Outcome != c.result || r.Reason != c.reason || r.Detail != c.detail {
				t.Errorf("%v by %s (%s), want %v by %s (%s)", r.Outcome, r.Reason, r.Detail, c.result, c.reason, c.detail)
			}
			if r.Plies != c.trap-1 || len(strings.Fields(r.Moves)) != c.trap-1 {
				t.Errorf("%d plies, moves %q: want the %d plies before the fault", r.Plies, r.Moves, c.trap-1)
			}
		})
	}
}

// A game ends as its rules say; the record counts nodes by side and begins with the opening.
func TestPlayRecordsAGame(t *testing.T) {
	t.Parallel()
	g := classic(t)
	one, two := &lowest{}, &lowest{}
	centre := must.Get(g.ReadMove("b2"))(t)
	var seen []string
	r := must.Get(arena.Play(context.Background(), g, arena.Conditions{
		Seed: 1, Opening: []engines.Move{centre},
		Each: func(p *engines.Position, d agents.Decision) {
			seen = append(seen, g.MoveText(d.Move))
			if p.Last() != d.Move {
				t.Errorf("told of %s in %s", g.MoveText(d.Move), p.Text())
			}
		},
	}, seats(one, two)))(t)
	if got, want := r.Moves, "b2 a1 b1 c1 a2 c2 a3 b3 c3"; got != want || r.Outcome != engines.Drawn ||
		r.Reason != "full_board" || r.Plies != 9 || r.OpeningPlies != 1 {
		t.Errorf("%s: %v by %s after %d plies, opening %d", got, r.Outcome, r.Reason, r.Plies, r.OpeningPlies)
	}
	if strings.Join(seen, " ") != strings.TrimPrefix(r.Moves, "b2 ") {
		t.Errorf("told of %v", seen)
	}
	if r.Nodes != [2]int64{4, 4} || one.games != 1 || two.games != 1 || r.Timed {
		t.Errorf("nodes %v, %d and %d new games, timed %t", r.Nodes, one.games, two.games, r.Timed)
	}
}

// A context that ends leaves no record, and the agent that was thinking does not forfeit.
func TestPlayEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	slow := &lowest{trap: 3, misbehave: func(*engines.Position) (agents.Decision, error) {
		cancel()
		return agents.Decision{}, ctx.Err()
	}}
	r, err := arena.Play(ctx, classic(t), arena.Conditions{Seed: 1}, seats(slow, &lowest{}))
	if !errors.Is(err, context.Canceled) || r.Outcome != engines.Ongoing {
		t.Errorf("%v, %+v", err, r)
	}
}

// A game depends on a clock where one of its seats has a budget of time, or either side or the whole game has a clock:
// then it cannot be played again.
func TestWhichGamesAreTimed(t *testing.T) {
	t.Parallel()
	g := classic(t)
	timed := agents.Budget{MoveTime: time.Hour}
	counted := agents.Budget{Nodes: 5}
	for name, c := range map[string]struct {
		budgets    [2]agents.Budget
		conditions arena.Conditions
		want       bool
	}{
		"by counts":       {[2]agents.Budget{counted, counted}, arena.Conditions{}, false},
		"the first's":     {[2]agents.Budget{timed, counted}, arena.Conditions{}, true},
		"the second's":    {[2]agents.Budget{counted, timed}, arena.Conditions{}, true},
		"a clock":         {[2]agents.Budget{counted, counted}, arena.Conditions{Clock: arena.Clock{Seconds: 3600}}, true},
		"a short clock":   {[2]agents.Budget{counted, counted}, arena.Conditions{Clock: arena.Clock{Seconds: 1}}, true},
		"the game's":      {[2]agents.Budget{counted, counted}, arena.Conditions{GameLimit: time.Hour}, true},
		"all at once":     {[2]agents.Budget{counted, counted}, arena.Conditions{GameLimit: 1}, true}, // no time passes here
		"no budget given": {[2]agents.Budget{}, arena.Conditions{}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			two := seats(&lowest{}, &lowest{})
			two[0].Budget, two[1].Budget = c.budgets[0], c.budgets[1]
			r, err := arena.Play(t.Context(), g, c.conditions, two)
			if err != nil || r.Timed != c.want || r.Faulty != 0 || r.Reason != "line" {
				t.Errorf("%s: timed %t, by %s, %v", name, r.Timed, r.Reason, err)
			}
		})
	}
}
