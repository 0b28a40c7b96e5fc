package agents_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// solved is what plain minimax to the end finds in a position of a game that always ends.
type solved struct {
	value int // for the side to move: 1, 0, -1
	best  []engines.Move
}

// solver values every position that legal play reaches, by its pieces: in classic the side to move follows from them.
type solver map[[2]engines.Bits]solved

func (v solver) solve(s *engines.State) int {
	key := [2]engines.Bits{s.Pieces(0), s.Pieces(1)}
	if known, ok := v[key]; ok {
		return known.value
	}
	r := solved{value: -2}
	for _, m := range s.AppendMoves(nil) {
		next := *s
		next.Play(m)
		var x int
		switch {
		case next.Result() == engines.Winner(s.Side()):
			x = 1
		case !next.Over():
			x = -v.solve(&next)
		}
		if x > r.value {
			r.value, r.best = x, nil
		}
		if x == r.value {
			r.best = append(r.best, m)
		}
	}
	v[key] = r
	return r.value
}

// everyClassicPosition calls f for all 4,520 unfinished positions of classic.
func everyClassicPosition(t *testing.T, f func(p *engines.Position, v solved)) {
	t.Helper()
	g := enginetest.Load(t, "classic")
	v := solver{}
	start := g.NewState()
	v.solve(&start)
	if len(v) != 4520 {
		t.Fatalf("%d positions, expected 4520", len(v))
	}
	seen := map[[2]engines.Bits]bool{}
	var walk func(s *engines.State)
	walk = func(s *engines.State) {
		key := [2]engines.Bits{s.Pieces(0), s.Pieces(1)}
		if s.Over() || seen[key] {
			return
		}
		seen[key] = true
		f(engines.PositionAt(*s), v[key])
		for _, m := range s.AppendMoves(nil) {
			next := *s
			next.Play(m)
			walk(&next)
		}
	}
	walk(&start)
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
			everyClassicPosition(t, func(p *engines.Position, v solved) {
				if s.Type == "mcts" {
					class := p.CanonicalHash()
					if p.Ply() < 3 || tried[class] {
						return // a draw there takes long to prove; one of each eight mirror images
					}
					tried[class] = true
					a.NewGame(agents.Seed{})
				}
				d, err := a.Choose(context.Background(), p, s.Budget, rng)
				if err != nil {
					t.Fatal(err)
				}
				// A search by simulations leaves moves alone that look worse than a proved draw: then it has not
				// proved the position.
				proved := s.Type != "mcts" || p.Ply() >= 6 || v.value != 0
				if want := float64(v.value+1) / 2; proved && !d.Exact || d.Score != want {
					t.Errorf("%v: %s: score %g, exact %v; the value is %g", c.set, p.Text(), d.Score, d.Exact, want)
				}
				if s.Mixture.Softmax == 0 && !slices.Contains(v.best, d.Move) {
					t.Errorf("%v: %s: %v gives the value away", c.set, p.Text(), p.Game().MoveText(d.Move))
				}
			})
		})
	}
}

// By the table of the solver, a search swaps where that is better than every other answer, does not where it is worse, and
// opens against the swap.
func TestSwapsByValue(t *testing.T) {
	t.Parallel()
	for _, rules := range []string{
		"classic", "misere-tictactoe", "hex board.columns=3 board.rows=3", "hex board.columns=4 board.rows=3", "tapatan",
		"misere-tictactoe turn.placements=2", "misere-tictactoe board.columns=4 turn.placements=2 turn.first_turn=1",
		"vanishing", "classic turn.placements=2",
	} {
		for _, form := range []string{"turn.pie=true", "turn.pie=seats"} {
			words := append(strings.Fields(rules), form)
			g := enginetest.Load(t, words[0], words[1:]...)
			table, err := solve.Solve(t.Context(), g, solve.Options{Memory: 1 << 28})
			if err != nil {
				t.Fatal(err)
			}
			value := func(p *engines.Position, m engines.Move) float64 {
				next := p.Clone()
				next.Play(m)
				v, known := table.Lookup(&next.State)
				if !known {
					t.Fatalf("%s: no value", next.Text())
				}
				return v.Outcome.Result(next.Side()).Score(p.Side())
			}
			start := g.NewPosition()
			positions := []*engines.Position{start}
			for _, m := range start.AppendMoves(nil) {
				positions = append(positions, start.Clone())
				positions[len(positions)-1].Play(m)
			}
			for _, preset := range []string{"minimax", "mcts"} {
				a := newAgent(t, loadSpec(t, preset), g)
				for _, p := range positions {
					d, err := a.Choose(t.Context(), p, agents.Budget{Nodes: 8000}, rand.New(rand.NewPCG(1, 2)))
					for _, m := range p.AppendMoves(nil) {
						if swap := m == engines.Swap || d.Move == engines.Swap; err != nil ||
							(swap || p == start) && value(p, m) > value(p, d.Move) {
							t.Errorf("%s: %s plays %s in %s, %s is better, %v", words, preset, g.MoveText(d.Move), p.Text(),
								g.MoveText(m), err)
						}
					}
				}
			}
		}
	}
}
