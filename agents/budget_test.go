package agents_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"spar/agents"
	"spar/engines"
	"spar/engines/enginetest"
)

// A budget of iterations alone, which minimax does not know, does not make it search to the end of the game.
func TestMinimaxWithoutItsLimits(t *testing.T) {
	t.Parallel()
	p := randomPosition(enginetest.Load(t, "vanishing"), 6, rand.New(rand.NewPCG(1, 1)))
	s := loadSpec(t, "minimax-4", "budget.depth=0")
	if d := choose(t, context.Background(), s, p, agents.Budget{Iterations: 100}); d.Depth > s.DefaultBudget().Depth {
		t.Errorf("minimax searched %d plies under a budget of iterations", d.Depth)
	}
}

func choose(t *testing.T, ctx context.Context, s agents.Spec, p *engines.Position, b agents.Budget) agents.Decision {
	t.Helper()
	d, err := newAgent(t, s, p.Game()).Choose(ctx, p, b, rand.New(rand.NewPCG(1, 9)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(p.AppendMoves(nil), d.Move) {
		t.Fatalf("%s under %s: illegal move %s in %s", s.Name, b, p.Game().MoveText(d.Move), p.Text())
	}
	return d
}

// A search under a time limit ends roughly in time, and one whose context ends returns a legal move at once.
func TestTimeAndCancellation(t *testing.T) {
	t.Parallel()
	const late = 2 * time.Second // on a machine that does other things too
	g := enginetest.Load(t, "ctor")
	p := randomPosition(g, 20, rand.New(rand.NewPCG(3, 3)))
	for _, c := range []struct {
		agent string
		set   []string
	}{
		{"minimax-4", nil},
		{"minimax-4", []string{"minimax.threads=2"}},
		{"plain-alphabeta", nil},
		{"mcts-1k", nil},
		{"mcts-1k", []string{"mcts.threads=2"}},
		{"uct-1k", nil},
	} {
		t.Run(c.agent, func(t *testing.T) {
			t.Parallel()
			s := loadSpec(t, c.agent, c.set...)
			hours := agents.Budget{Depth: 50, Iterations: 1e12}
			ended, cancel := context.WithCancel(context.Background())
			cancel()
			ends, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
			defer cancel()
			for _, limit := range []struct {
				name        string
				ctx         context.Context
				budget      agents.Budget
				least, most time.Duration
			}{
				{"an ended context", ended, hours, 0, 0},
				{"a context that ends", ends, hours, 0, 10 * time.Millisecond},
				{"time", context.Background(), agents.Budget{MoveTime: 20 * time.Millisecond}, 18 * time.Millisecond, 20 * time.Millisecond},
				{"seconds", context.Background(), agents.Budget{Seconds: 0.02}, 0, 20 * time.Millisecond},
			} {
				began := time.Now()
				choose(t, limit.ctx, s, p, limit.budget)
				if took := time.Since(began); took < limit.least || took > limit.most+late {
					t.Errorf("%s: took %s, want %s to %s", limit.name, took, limit.least, limit.most)
				}
			}
		})
	}
}

// A search allocates nothing for a node or a simulation: doubling the budget hardly adds to a decision's allocations.
// Deeper iterations of minimax and longer variations take a few.
func TestNoAllocationPerNode(t *testing.T) {
	for _, c := range []struct {
		game, agent string
		set         []string
		nodes       int64
	}{
		{"checkerboard", "minimax-4", nil, 2_500},
		{"checkerboard", "minimax-4", []string{"minimax.candidates=8"}, 2_500},
		{"infiltration", "minimax-4", nil, 2_500},
		{"ctor", "minimax-4", nil, 2_500},
		{"vanishing", "minimax-4", nil, 1_000},
		{"checkerboard", "plain-alphabeta", nil, 2_500},
		{"checkerboard", "mcts-1k", nil, 250},
		{"infiltration", "mcts-1k", nil, 250},
		{"ctor", "uct-1k", nil, 100},
		{"connect4", "mcts-1k", []string{"mcts.rave=300", "mcts.implicit=0.3", "mcts.rollout=tactical"}, 250},
		{"connect4", "uct-1k", []string{"mcts.bias=1", "mcts.rollout=greedy"}, 100},
	} {
		g := enginetest.Load(t, c.game)
		p := randomPosition(g, min(20, g.Cells()/3), rand.New(rand.NewPCG(6, 6)))
		s := loadSpec(t, c.agent, c.set...)
		a := newAgent(t, s, g)
		rng := rand.New(rand.NewPCG(1, 1))
		allocations := func(nodes int64) float64 {
			return testing.AllocsPerRun(1, func() {
				a.NewGame(agents.Seed{})
				if _, err := a.Choose(context.Background(), p, agents.Budget{Nodes: nodes}, rng); err != nil {
					t.Fatal(err)
				}
			})
		}
		allocations(2 * c.nodes) // memory grows to its size
		one, two := allocations(c.nodes), allocations(2*c.nodes)
		if two > one+30 {
			t.Errorf(
				"%s, %s %v: %.0f allocations for %d nodes, %.0f for twice as many",
				c.game,
				c.agent,
				c.set,
				one,
				c.nodes,
				two,
			)
		}
	}
}
