package agents_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/agents"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// everyClassicPosition calls f for all 4,520 unfinished positions of classic, with their values and the table of them.
func everyClassicPosition(t *testing.T, f func(p *engines.Position, v solve.Outcome, table *solve.Table)) {
	t.Helper()
	table := must.Get(solve.Solve(t.Context(), enginetest.Load(t, "classic"), solve.Options{}))(t)
	seen := map[[2]engines.Bits]bool{}
	var walk func(s engines.State)
	walk = func(s engines.State) {
		key := [2]engines.Bits{s.Pieces(0), s.Pieces(1)}
		if s.Over() || seen[key] {
			return
		}
		seen[key] = true
		v, _ := table.Lookup(&s)
		f(engines.PositionAt(s), v.Outcome, table)
		for _, m := range s.AppendMoves(nil) {
			next := s
			next.Play(m)
			walk(next)
		}
	}
	walk(table.Game().NewState())
	if len(seen) != 4520 {
		t.Fatalf("%d positions, expected 4520", len(seen))
	}
}

// To the end of the game minimax has the exact value in all 4,520 positions of classic, whatever its knobs and its
// evaluation, and all its best moves keep the value: it never loses what is not lost. So has mcts when it proves.
func TestClassicIsExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent string
		set   []string
	}{
		{"minimax-6", []string{"budget.depth=9"}},
		{"minimax-6", []string{"budget.depth=9", "minimax.table_mb=0"}},
		{"minimax-6", []string{"budget.depth=9", "mixture.softmax=0.01"}},
		{"plain-alphabeta", nil},
		{"mcts-10k", []string{"budget.iterations=50000"}},
	} {
		t.Run(c.agent, func(t *testing.T) {
			t.Parallel()
			s := loadSpec(t, c.agent, c.set...)
			a := newAgent(t, s, enginetest.Load(t, "classic"))
			rng := rand.New(rand.NewPCG(1, 1))
			tried := map[uint64]bool{}
			everyClassicPosition(t, func(p *engines.Position, v solve.Outcome, table *solve.Table) {
				if s.Type == "mcts" {
					class := p.CanonicalHash()
					if p.Ply() < 3 || tried[class] {
						return // a draw there takes long to prove; one of each eight mirror images
					}
					tried[class] = true
					a.NewGame(agents.Seed{})
				}
				d := must.Get(a.Choose(context.Background(), p, s.Budget, rng))(t)
				// A search by simulations leaves moves alone that look worse than a proved draw: then it has not
				// proved the position.
				proved := s.Type != "mcts" || p.Ply() >= 6 || v != solve.Draw
				if want := v.Points(); proved && !d.Exact || d.Score != want {
					t.Errorf("%v: %s: score %g, exact %v; the value is %g", c.set, p.Text(), d.Score, d.Exact, want)
				}
				if got, _ := table.MoveValue(p, d.Move); s.Mixture.Softmax == 0 && got.Outcome < v {
					t.Errorf("%v: %s: %v gives the value away", c.set, p.Text(), p.Game().MoveText(d.Move))
				}
			})
		})
	}
}

// By the table of the solver, a search swaps where that is best, does not where it is not, and opens against the swap.
func TestSwapsByValue(t *testing.T) {
	t.Parallel()
	for _, form := range []string{" turn.pie=true", " turn.pie=seats"} {
		for _, rules := range []string{
			"misere-tictactoe", "hex board.columns=4 board.rows=3", "tapatan", "vanishing",
			"misere-tictactoe board.columns=4 turn.placements=2 turn.first_turn=1",
		} {
			words := strings.Fields(rules + form)
			g := enginetest.Load(t, words[0], words[1:]...)
			table := must.Get(solve.Solve(t.Context(), g, solve.Options{Memory: 1 << 28}))(t)
			start := g.NewPosition()
			for _, name := range []string{"minimax", "mcts"} {
				a := newAgent(t, loadSpec(t, name), g)
				for _, first := range append(start.AppendMoves(nil), engines.NoMove) {
					p := start.Clone()
					if first != engines.NoMove {
						p.Play(first)
					}
					d, _ := a.Choose(t.Context(), p, agents.Budget{Nodes: 8000}, rand.New(rand.NewPCG(1, 2)))
					got, _ := table.MoveValue(p, d.Move)
					for _, r := range table.Best(&p.State) {
						if r.Value.Outcome > got.Outcome && (!p.MaySwap() || r.Move == engines.Swap || d.Move == engines.Swap) {
							t.Errorf("%s: %s plays %s in %s, not %s", words, name, g.MoveText(d.Move), p.Text(), g.MoveText(r.Move))
						}
					}
				}
			}
		}
	}
}
