package connection_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"spar/agents/connection"
	"spar/agents/eval"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

// Priors add up to 1, and a win in one is known. What a position is worth to one side it costs the other. The estimate
// of the score after a move is that of the position after it, within 0.05 in the mean of a game's moves.
func TestPolicy(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "hex5")
	model := connection.New(g)
	c, after, off, n := model.Cursor(), model.Cursor(), 0.0, 0.0
	rng := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		for s := g.NewState(); !s.Over(); {
			moves := s.AppendMoves(nil)
			sum := 0.0
			for i, p := range c.(eval.Policy).Policy(&s, moves, nil) {
				sum += p.Share
				next := s
				next.Play(moves[i])
				if !next.Over() {
					off, n = off+math.Abs(p.Score-model.Score(after.Value(&next, s.Side()))), n+1
				}
				if next.Over() != (p.Result != engines.Ongoing) {
					t.Fatalf("%s: after %s %v, want %v", s.Text(), g.MoveText(moves[i]), p.Result, next.Result())
				}
			}
			mine, yours := c.Value(&s, s.Side()), c.Value(&s, 1-s.Side())
			if math.Abs(sum-1) > 1e-9 || math.Abs(mine+yours) > 1e-9 {
				t.Fatalf("%s: priors add up to %v, values are %v and %v", s.Text(), sum, mine, yours)
			}
			s.Play(moves[rng.IntN(len(moves))])
		}
	}
	if off/n > 0.05 {
		t.Errorf("estimates of the scores after moves are off by %v in the mean", off/n)
	}
}

// What is said before a search is true: a win is one, and the moves that are left out lose.
func TestRoot(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "hex5")
	r := connection.NewRoot(connection.New(g))
	rng := rand.New(rand.NewPCG(3, 3))
	for range 12 {
		s := g.NewState()
		for least := 16 + rng.IntN(4); s.Ply() < least && !s.Over(); {
			moves := s.AppendMoves(nil)
			s.Play(moves[rng.IntN(len(moves))])
		}
		if s.Over() {
			continue
		}
		f := r.Look(t.Context(), &s, time.Time{}, 1+rng.Int64N(40))
		kept := map[engines.Move]bool{}
		for _, m := range f.Moves {
			kept[m] = true
		}
		for _, m := range s.AppendMoves(nil) {
			next := s
			next.Play(m)
			p := must.Get(solve.Prove(t.Context(), &next, solve.ProofOptions{Plain: true, Workers: 1}))(t)
			wins := p.AtMost == solve.Loss
			if next.Over() {
				wins = next.Result() == engines.Winner(s.Side())
			}
			if m == f.Win && !wins || len(kept) > 0 && !kept[m] && wins {
				t.Errorf("%s: %s wins: %v; said before: %v", s.Text(), g.MoveText(m), wins, f)
			}
		}
	}
}
