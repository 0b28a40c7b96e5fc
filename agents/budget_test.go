package agents_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/agents"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

func choose(t *testing.T, ctx context.Context, s agents.Spec, p *engines.Position, b agents.Budget) agents.Decision {
	t.Helper()
	d := must.Get(newAgent(t, s, p.Game()).Choose(ctx, p, b, rand.New(rand.NewPCG(1, 9))))(t)
	if !slices.Contains(p.AppendMoves(nil), d.Move) {
		t.Fatalf("%s under %s: illegal move %s in %s", s.Name, b, p.Game().MoveText(d.Move), p.Text())
	}
	return d
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
				must.Get(a.Choose(context.Background(), p, agents.Budget{Nodes: nodes}, rng))(t)
			})
		}
		allocations(2 * c.nodes) // memory grows to its size
		one, two := allocations(c.nodes), allocations(2*c.nodes)
		if two > one+30 {
			t.Errorf("%s, %s %v: %.0f allocations for %d nodes, %.0f for twice as many", c.game, c.agent, c.set, one,
				c.nodes, two)
		}
	}
}
