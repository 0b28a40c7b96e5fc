package mcts

import (
	"context"
	"math/rand/v2"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// Threads search one tree: together they make exactly the simulations asked for, no node has fewer visits than its
// children together, points lie within the visits, and nothing is owned any more.
func TestThreadsShareATree(t *testing.T) {
	t.Parallel()
	for name, o := range variants() {
		for _, game := range []string{"connect4", "vanishing", "ctor", "infiltration-6x6"} {
			g := enginetest.Load(t, game)
			o.Threads, o.Reuse = 3, false
			s := searcher(g, o)
			p := g.NewPosition()
			n := map[string]int64{"connect4": 5000, "vanishing": 3000}[game] // trees that grow while threads search them
			n = max(n, 600)
			r := s.Search(context.Background(), p, Limits{Iterations: n}, random(2))
			tr := s.tree
			if root := tr.node(tr.root); int64(root.visits) != r.Iterations || r.Iterations > n ||
				r.Iterations < n && root.proof == unproved {
				t.Errorf("%s, %s: %d simulations, %d visits of the root, expected %d", name, game, r.Iterations,
					root.visits, n)
			}
			for i := tr.root; i < int32(tr.used); i++ {
				x := tr.node(i)
				if x.proof == owned || x.points < 0 || x.visits > 0 && x.points > float64(x.visits) {
					t.Fatalf("%s, %s: node %d: %+v", name, game, i, *x)
				}
				below := int32(0)
				for _, c := range tr.children(x) {
					below += c.visits
				}
				if below > x.visits { // some visits end at the node
					t.Fatalf("%s, %s: node %d has %d visits, its children %d", name, game, i, x.visits, below)
				}
			}
		}
	}
}

// Proofs of a tree that several threads search hold.
func TestThreadsProveTheTruth(t *testing.T) {
	t.Parallel()
	for _, game := range []string{"classic", "rolling"} {
		g := enginetest.Load(t, game, "draw.max_plies=0")
		table := must.Get(solve.Solve(t.Context(), g, solve.Options{Workers: 1}))(t)
		o := DefaultOptions()
		o.Threads = 4
		s := searcher(g, o)
		rng := rand.New(rand.NewPCG(3, 4))
		proved := 0
		for range 60 {
			p := g.NewPosition()
			for range 3 + rng.IntN(4) {
				if moves := p.AppendMoves(nil); len(moves) > 0 {
					p.Play(moves[rng.IntN(len(moves))])
				}
			}
			if p.Over() {
				continue
			}
			s.Reset()
			r := s.Search(context.Background(), p, Limits{Iterations: 3000}, rng)
			for _, m := range table.Moves(&p.State) {
				for _, x := range r.Moves {
					if x.Move != m.Move || x.Proof == engines.Ongoing {
						continue
					}
					proved++
					if want := float64(m.Value.Outcome+1) / 2; x.Proof.Score(p.Side()) != want {
						t.Errorf("%s: %s proved %v, the table says %v", p.Text(), g.MoveText(x.Move), x.Proof, m.Value)
					}
				}
			}
		}
		if proved < 100 {
			t.Errorf("%s: only %d moves proved", game, proved)
		}
	}
}
