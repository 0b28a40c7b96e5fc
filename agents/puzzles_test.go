package agents_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/configs/must"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/enginetest"
)

// puzzle is one file of testdata/puzzles: a position, the moves that solve it and what the searches need to find one.
type puzzle struct {
	Rules    string        `yaml:"rules"`
	Position string        `yaml:"position"`
	Plies    int           `yaml:"plies"`   // depth of the exact search that tells the best moves from the others
	Value    string        `yaml:"value"`   // win: the best moves win within Plies; hold: all others lose within Plies
	Best     []string      `yaml:"best"`    // in the order of the legal moves
	Differs  string        `yaml:"differs"` // a knob under which the same board has another answer
	Minimax  agents.Budget `yaml:"minimax"`
	MCTS     agents.Budget `yaml:"mcts"`
	Why      string        `yaml:"why"`
}

// puzzles reads all puzzle files, by name.
func puzzles(t *testing.T) map[string]puzzle {
	t.Helper()
	names := must.Get(filepath.Glob("testdata/puzzles/*.yaml"))(t)
	all := map[string]puzzle{}
	for _, name := range names {
		var p puzzle
		data := must.Get(os.ReadFile(name))(t)
		doc, err := strict.Parse(name, data)
		if err == nil {
			err = errors.Join(doc.Decode(&p), doc.Err())
		}
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".yaml")] = p
	}
	return all
}

func (z *puzzle) load(t *testing.T, set ...string) (*engines.Game, engines.State) {
	t.Helper()
	g, text := enginetest.Load(t, z.Rules, set...), z.Position
	if g.Rules().Pieces.Cap == 0 { // ages are no part of such positions
		text = strings.Join(
			slices.DeleteFunc(strings.Fields(text), func(w string) bool { return strings.HasPrefix(w, "ages=") }),
			" ",
		)
	}
	s := must.Get(g.ParseState(text))(t)
	return g, s
}

// exactValue is the value of a position for a side by plain recursion over the lines of play: 1 for a win within
// depth plies, -1 for a loss, 0 for anything else. It values nothing, and leaves out only what stands beside a move
// that decides.
func exactValue(s *engines.State, depth, side int) int {
	if s.Over() {
		return int(2*s.Result().Score(side)) - 1
	}
	if depth == 0 {
		return 0
	}
	var memory [256]engines.Move
	var next engines.State
	sign := 1
	if s.Side() != side {
		sign = -1
	}
	best := -1
	for _, m := range s.AppendMoves(memory[:0]) {
		next.CopyFrom(s)
		next.Play(m)
		if best = max(best, sign*exactValue(&next, depth-1, side)); best == 1 {
			break
		}
	}
	return sign * best
}

// exactBest is the best exact value of the moves of a position, and the moves that have it.
func exactBest(s *engines.State, depth int) (int, []string) {
	best, moves := -2, []string(nil)
	for _, m := range s.AppendMoves(nil) {
		next := *s
		next.Play(m)
		v := exactValue(&next, depth-1, s.Side())
		if v > best {
			best, moves = v, nil
		}
		if v == best {
			moves = append(moves, s.Game().MoveText(m))
		}
	}
	return best, moves
}

// The answer of every puzzle is that of a search without any pruning or evaluation.
func TestPuzzlesAreExact(t *testing.T) {
	t.Parallel()
	all, games := puzzles(t), map[string]int{}
	for name, z := range all {
		games[z.Rules]++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, s := z.load(t)
			want := map[string]int{"win": 1, "hold": 0}
			value, best := exactBest(&s, z.Plies)
			if value != want[z.Value] || !slices.Equal(best, z.Best) {
				t.Errorf("%s: value %d with %v, the file says %s with %v", z.Position, value, best, z.Value, z.Best)
			}
			if n := s.MoveCount(); len(z.Best) == n {
				t.Errorf("all %d moves are best", n)
			}
			if z.Differs != "" {
				_, other := z.load(t, z.Differs)
				if _, moves := exactBest(&other, z.Plies); slices.Equal(moves, best) {
					t.Errorf("with %s the answer is the same", z.Differs)
				}
			}
			if z.Why == "" || z.Minimax.Depth == 0 || z.MCTS.Iterations == 0 || z.MCTS.Iterations > 20_000 {
				t.Errorf("why %q, depth %d, %d iterations", z.Why, z.Minimax.Depth, z.MCTS.Iterations)
			}
		})
	}
	if len(all) < 60 || len(games) < 6 {
		t.Errorf("%d puzzles in %v", len(all), games)
	}
}

// Minimax at the stated depth and mcts at the stated iterations, with the default knobs, solve every puzzle, whatever
// the seed.
func TestPuzzlesAreSolved(t *testing.T) {
	t.Parallel()
	for name, z := range puzzles(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, s := z.load(t)
			for _, c := range []struct {
				agent  string
				budget agents.Budget
				seeds  uint64
			}{{"minimax-4", z.Minimax, 1}, {"mcts-1k", z.MCTS, 3}} {
				spec := loadSpec(t, c.agent)
				for seed := range c.seeds {
					a := newAgent(t, spec, g)
					d := must.Get(a.Choose(context.Background(), engines.PositionAt(s), c.budget,
						rand.New(rand.NewPCG(seed, 4))))(t)
					if !slices.Contains(z.Best, g.MoveText(d.Move)) {
						t.Errorf("%s (%s, seed %d) plays %s in %s; best %v", spec.Type, c.budget, seed,
							g.MoveText(d.Move), z.Position, z.Best)
					}
					if z.Value == "win" && spec.Type == "minimax" && (!d.Exact || d.Score != 1) {
						t.Errorf("minimax does not know that it wins: score %g", d.Score)
					}
				}
			}
		})
	}
}
