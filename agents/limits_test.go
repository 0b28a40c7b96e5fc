package agents_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"spar/agents"
	"spar/agents/pace"
	"spar/engines"
	"spar/engines/enginetest"
)

// neighbours are the rules of a game and what they become when one knob takes one step; those that are no rules are
// left out.
func neighbours(t *testing.T, name string) map[string]*engines.Game {
	t.Helper()
	out := map[string]*engines.Game{name: enginetest.Load(t, name)}
	r := out[name].Rules()
	step := func(knob string, change func(r *engines.Rules)) {
		next := r
		change(&next)
		if g, err := engines.Compile(next); err == nil {
			out[name+" "+knob] = g
		}
	}
	for _, by := range []int{-1, 1} {
		step(fmt.Sprint("columns ", by), func(r *engines.Rules) { r.Board.Columns += by })
		step(fmt.Sprint("line ", by), func(r *engines.Rules) { r.Win.Line += by })
		step(fmt.Sprint("cap ", by), func(r *engines.Rules) { r.Pieces.Cap += by })
		step(fmt.Sprint("supply ", by), func(r *engines.Rules) { r.Pieces.Supply += by })
		step(fmt.Sprint("threshold ", by), func(r *engines.Rules) { r.Surround.Threshold += by })
		step(fmt.Sprint("placements ", by), func(r *engines.Rules) { r.Turn.Placements += by })
	}
	step("gravity", func(r *engines.Rules) { r.Placement.Gravity = !r.Placement.Gravity })
	step("cascade", func(r *engines.Rules) { r.Surround.Cascade = !r.Surround.Cascade })
	step("capture", func(r *engines.Rules) { r.Movement.Capture = !r.Movement.Capture })
	step("torus", func(r *engines.Rules) { r.Board.Wrap = "torus" })
	return out
}

// watched is a context that counts how often a search asks for it, and ends when that has been so often.
type watched struct {
	context.Context
	asked, last int
}

func (w *watched) Err() error {
	if w.asked++; w.asked >= w.last {
		return context.Canceled
	}
	return nil
}

// everyType is one spec and more of each type of agent that searches under a budget.
func everyType(t *testing.T) []agents.Spec {
	t.Helper()
	return []agents.Spec{
		loadSpec(
			t,
			"minimax-4",
			"minimax.table_mb=1",
		), loadSpec(t, "minimax-4", "minimax.candidates=5", "minimax.table_mb=1", "name=candidates"),
		loadSpec(t, "plain-alphabeta", "budget.depth=0"), loadSpec(t, "mcts-1k"), loadSpec(t, "uct-1k"),
		loadSpec(t, "uct-1k", "mcts.rollout=greedy",
			"name=greedy rollouts"), loadSpec(t, "uct-1k", "mcts.rollout=tactical", "name=tactical rollouts"),
	}
}

// Whatever the rules, a limit holds: nodes are never more than asked; between two looks at the clock and the context
// a search makes or values no more than a few hundred positions; two plies are searched as two plies, captures at the
// end aside.
func TestLimitsHoldUnderAllRules(t *testing.T) {
	t.Parallel()
	for _, name := range []string{ // one or more of each family
		"classic", "rolling", "vanishing", "checkerboard", "infiltration", "infiltration-6x6", "ctor", "connect4", "gomoku9",
		"torus-vanishing", "hex5", "tapatan",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			specs, games := everyType(t), neighbours(t, name)
			for i, label := range slices.Sorted(maps.Keys(games)) {
				g := games[label]
				rng := rand.New(rand.NewPCG(11, 12))
				p := g.NewPosition()
				for range min(12, g.Cells()/3) {
					next := p.Clone()
					if moves := p.AppendMoves(nil); len(moves) > 0 {
						next.Play(moves[rng.IntN(len(moves))])
					}
					if !next.Over() {
						p = next
					}
				}
				for j, s := range specs {
					if label != name && (i+j)%8 != 0 {
						continue // each neighbour tries every eighth search
					}
					a := newAgent(t, s, g)
					ask := func(ctx context.Context, b agents.Budget) agents.Decision {
						a.NewGame(agents.Seed{})
						d, err := a.Choose(ctx, p, b, rng)
						if err != nil {
							t.Fatalf("%s, %s: %v", label, s.Name, err)
						}
						return d
					}
					nodes := int64(1000)
					if s.MCTS.Rollout != "none" {
						nodes = 5 // each a whole game
					}
					if d := ask(context.Background(), agents.Budget{Nodes: nodes}); d.Nodes > nodes {
						t.Errorf("%s, %s: %d nodes of %d", label, s.Name, d.Nodes, nodes)
					}
					// A node of minimax and a simulation of mcts are at least one position.
					const looks = 5
					ctx := &watched{Context: context.Background(), last: looks}
					if d := ask(ctx, agents.Budget{Nodes: 1 << 40, MoveTime: time.Hour}); d.Nodes > looks*pace.Step {
						t.Errorf("%s, %s: %d nodes in %d looks at the context", label, s.Name, d.Nodes, looks)
					}
					// Time is looked at as often as the context: a deadline that has passed ends the search at once.
					if d := ask(context.Background(), agents.Budget{MoveTime: 1}); d.Nodes > pace.Step {
						t.Errorf("%s, %s: %d nodes in no time", label, s.Name, d.Nodes)
					}
					if s.Name != "minimax-4" {
						continue
					}
					if d := ask(context.Background(), agents.Budget{Depth: 2}); d.Nodes > 400_000 {
						t.Errorf("%s, %s: %d nodes for two plies", label, s.Name, d.Nodes)
					}
				}
			}
		})
	}
}

// Under a ply cap a win that comes too late is a draw, and perfect play says so: rolling is won in nine.
func TestPerfectKnowsThePlyCap(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]float64{0: 1, 8: 0.5, 9: 1} {
		g := enginetest.Load(t, "rolling", fmt.Sprintf("draw.max_plies=%d", most))
		d := choose(t, context.Background(), loadSpec(t, "perfect"), g.NewPosition(), agents.Budget{})
		if d.Score != want || !d.Exact {
			t.Errorf("max_plies %d: score %g, exact %t; want %g", most, d.Score, d.Exact, want)
		}
		if most == 0 {
			continue
		}
		full := choose(t, context.Background(), loadSpec(t, "minimax-6", "budget.depth=9"), g.NewPosition(),
			agents.Budget{Depth: most})
		if !full.Exact || full.Score != want {
			t.Errorf("max_plies %d: searched to the end: %g, exact %t", most, full.Score, full.Exact)
		}
	}
}

// Where a repetition would draw the game the table's values are not claimed to be exact.
func TestPerfectKnowsRepetition(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "vanishing", "draw.repetition=2")
	s := loadSpec(t, "perfect")
	if d := choose(t, context.Background(), s, g.NewPosition(), agents.Budget{}); d.Exact {
		t.Error("the start has occurred once, and is drawn when it does again: exact all the same")
	}
	g = enginetest.Load(t, "vanishing", "draw.repetition=3")
	if d := choose(t, context.Background(), s, position(t, g, "b2 a1"), agents.Budget{}); !d.Exact {
		t.Error("nothing has occurred twice: not exact")
	}
}
