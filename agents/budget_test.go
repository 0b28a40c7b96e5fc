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

// Searches stop at the limit of their budget, and return a legal move however small it is.
func TestCountBudgets(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"checkerboard", "infiltration", "ctor"} {
		g := enginetest.Load(t, name)
		p := randomPosition(g, 30, rand.New(rand.NewPCG(3, 3)))
		for _, c := range []struct {
			agent  string
			budget agents.Budget
			over   int64 // nodes that may be counted beyond the limit, in quiescence below the last node
		}{
			{"minimax-4", agents.Budget{Nodes: 1}, 0},
			{"minimax-4", agents.Budget{Nodes: 500}, 200},
			{"minimax-4", agents.Budget{Nodes: 20_000}, 200},
			{"plain-alphabeta", agents.Budget{Nodes: 5_000}, 10},
			{"mcts-1k", agents.Budget{Iterations: 1}, 0},
			{"mcts-1k", agents.Budget{Iterations: 70}, 0},
			{"mcts-1k", agents.Budget{Nodes: 90}, 0}, // for mcts a node is a simulation
		} {
			d := choose(t, context.Background(), loadSpec(t, c.agent), p, c.budget)
			if limit := c.budget.Nodes + c.budget.Iterations; d.Nodes > limit+c.over {
				t.Errorf("%s, %s: %d nodes under %s", name, c.agent, d.Nodes, c.budget)
			}
		}
		if d := choose(t, context.Background(), loadSpec(t, "minimax-4"), p, agents.Budget{Depth: 1}); d.Depth != 1 {
			t.Errorf("%s: searched %d plies under depth 1", name, d.Depth)
		}
		// A limit that minimax does not know is not taken for none.
		if d := choose(t, context.Background(), loadSpec(t, "minimax-4"), randomPosition(enginetest.Load(t, "vanishing"), 6, rand.New(rand.NewPCG(1, 1))), agents.Budget{Iterations: 100}); d.Depth > 4 {
			t.Errorf("minimax searched %d plies under a budget of iterations", d.Depth)
		}
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
			began := time.Now()
			choose(t, context.Background(), s, p, agents.Budget{MoveTime: 20 * time.Millisecond})
			if took := time.Since(began); took < 18*time.Millisecond || took > 20*time.Millisecond+late {
				t.Errorf("took %s of 20ms", took)
			}
			began = time.Now()
			choose(t, context.Background(), s, p, agents.Budget{Seconds: 0.02})
			if took := time.Since(began); took > 20*time.Millisecond+late {
				t.Errorf("took %s of 20ms", took)
			}
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			began = time.Now()
			choose(t, ctx, s, p, agents.Budget{Depth: 50, Iterations: 1e12})
			if took := time.Since(began); took > late {
				t.Errorf("took %s though the context had ended", took)
			}
			ctx, cancel = context.WithTimeout(context.Background(), 10*time.Millisecond)
			defer cancel()
			began = time.Now()
			choose(t, ctx, s, p, agents.Budget{Depth: 50, Iterations: 1e12})
			if took := time.Since(began); took > 10*time.Millisecond+late {
				t.Errorf("took %s though the context ended after 10ms", took)
			}
		})
	}
}

// A search allocates nothing for a node or a simulation: doubling the budget hardly adds to a decision's allocations. Deeper
// iterations of minimax and longer variations take a few.
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
			t.Errorf("%s, %s %v: %.0f allocations for %d nodes, %.0f for twice as many", c.game, c.agent, c.set, one, c.nodes, two)
		}
	}
}
