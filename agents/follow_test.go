package agents_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"spar/agents/eval"
	"spar/agents/mcts"
	"spar/agents/minimax"
	"spar/engines"
	"spar/engines/enginetest"
)

// followed is the linear evaluation behind a cursor that follows, and complains when it is asked about a position
// that it has not been brought to.
type followed struct {
	*eval.Evaluator
	t *testing.T
}

func (f *followed) Cursor() eval.Cursor { return &following{Cursor: f.Evaluator.Cursor(), t: f.t} }

type following struct {
	eval.Cursor
	t    *testing.T
	path []string
	asks int
}

func (f *following) Follow(s *engines.State) { f.path = append(f.path[:0], s.Text()) }

func (f *following) Push(before, after *engines.State) {
	f.at("push from", before)
	f.path = append(f.path, after.Text())
}

func (f *following) Pop() { f.path = f.path[:len(f.path)-1] }

func (f *following) at(what string, s *engines.State) {
	f.asks++
	if len(f.path) == 0 || f.path[len(f.path)-1] != s.Text() {
		f.t.Fatalf("%s %s, the cursor is at %v", what, s.Text(), f.path)
	}
}

func (f *following) Value(s *engines.State, side int) float64 {
	f.at("value of", s)
	return f.Cursor.Value(s, side)
}

func (f *following) ValueOrWin(s *engines.State) (float64, engines.Cell) {
	f.at("value of", s)
	return f.Cursor.ValueOrWin(s)
}

func (f *following) Children(s *engines.State, moves []engines.Move, side int, dst []eval.Child) []eval.Child {
	f.at("children of", s)
	return f.Cursor.Children(s, moves, side, dst)
}

func (f *following) Leaves(s *engines.State, moves int) bool {
	f.at("leaves of", s)
	return f.Cursor.Leaves(s, moves)
}

// Searches bring a cursor that follows to every position that they ask it about, and find with it what they find
// without.
func TestSearchesTakeTheCursorAlong(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"classic", "connect4", "ctor", "vanishing", "infiltration-6x6"} {
		g := enginetest.Load(t, name)
		plain := eval.New(
			g,
			eval.Params{
				Weights: eval.Weights{"own_material": 3, "enemy_need_1": -5, "own_centre": 1, "own_hanging": -2},
			},
		)
		with := &followed{plain, t}
		p := g.NewPosition()
		rng := rand.New(rand.NewPCG(1, 2))
		for range 4 {
			moves := p.AppendMoves(nil)
			p.Play(moves[rng.IntN(len(moves))])
		}
		ctx := context.Background()
		for _, o := range []minimax.Options{{TableMB: 1, Quiescence: true}, {TableMB: 1, Candidates: 3, Quiescence: true}, {Plain: true}} {
			a := minimax.New(g, plain, o).Search(ctx, p, minimax.Limits{Depth: 3, Nodes: 20_000})
			b := minimax.New(g, with, o).Search(ctx, p, minimax.Limits{Depth: 3, Nodes: 20_000})
			if a.Score != b.Score || a.Nodes != b.Nodes {
				t.Errorf(
					"%s minimax %+v: %d in %d nodes, followed %d in %d",
					name,
					o,
					a.Score,
					a.Nodes,
					b.Score,
					b.Nodes,
				)
			}
		}
		greedy := mcts.DefaultOptions()
		greedy.Rollout, greedy.Plies = "greedy", 6
		for _, o := range []mcts.Options{mcts.DefaultOptions(), greedy} {
			a := mcts.New(g, plain, o).Search(ctx, p, mcts.Limits{Iterations: 60}, rand.New(rand.NewPCG(3, 4)))
			b := mcts.New(g, with, o).Search(ctx, p, mcts.Limits{Iterations: 60}, rand.New(rand.NewPCG(3, 4)))
			if a.Move != b.Move || a.Score != b.Score {
				t.Errorf(
					"%s mcts %+v: %s %v, followed %s %v",
					name,
					o,
					g.MoveText(a.Move),
					a.Score,
					g.MoveText(b.Move),
					b.Score,
				)
			}
		}
	}
}
