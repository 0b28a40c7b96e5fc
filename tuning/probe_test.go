package tuning

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/agents/eval"
	"spar/arena"
	"spar/engines"
	"spar/engines/enginetest"
)

// Sample games take the best move one ply deep, and in 30 of 100 cases any: a win before all, and a loss or a draw,
// which are worth nothing, before what looks bad.
func TestMovesOfSampleGames(t *testing.T) {
	t.Parallel()
	play := func(g *engines.Game, moves string) *engines.Position {
		p := g.NewPosition()
		for _, text := range strings.Fields(moves) {
			m, err := p.ParseMove(text)
			if err != nil {
				t.Fatal(err)
			}
			p.Play(m)
		}
		return p
	}
	misere := enginetest.Load(t, "misere-tictactoe")
	classic := enginetest.Load(t, "classic")
	for _, c := range []struct {
		name    string
		p       *engines.Position
		weights eval.Weights
		best    string
	}{
		{"a win", play(classic, "a1 b1 a2 b2"), eval.Weights{"own_centre": 9, "own_edge": 9}, "a3"},
		{"a win, by the other side", play(classic, "c3 a1 b1 a2 b2"), eval.Weights{}, "a3"},
		{"the centre", play(classic, "a1 b1"), eval.Weights{"own_centre": 5}, "b2"},
		// of those alike the first; c3 would lose
		{"not to lose", play(misere, "b2 c1 a1 b1"), eval.Weights{"own_centre": 5}, "a2"},
		{"rather to lose", play(misere, "b2 c1 a1 b1"), eval.Weights{"own_centre": -5}, "c3"},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		e := eval.New(c.p.Game(), eval.Params{Weights: c.weights, Scale: 100})
		legal := c.p.AppendMoves(nil)
		taken, n := map[string]int{}, 4000
		for range n {
			taken[c.p.Game().MoveText(sampleMove(e, c.p, new(engines.Position), rng))]++
		}
		want := 0.7 + 0.3/float64(len(legal))
		if got := float64(taken[c.best]) / float64(n); math.Abs(got-want) > 0.03 { // four standard errors
			t.Errorf("%s: %s in %.3f of the cases, want %.3f; %v", c.name, c.best, got, want, taken)
		}
	}
}

// A game that is drawn at its second ply has one position with moves to compare, the start: of every feature the spread
// is its standard deviation over the places of the first piece and the scale its root mean square, however many games
// are looked at. The position after the first ply counts among those looked at, and for an agent that searches once
// more as an answer.
func TestProbeOfOnePosition(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	x.Game, x.Openings, x.Deeper = enginetest.Load(t, "classic", "draw.max_plies=2"), arena.Openings{}, 0
	e := eval.New(x.Game, x.Start.Params)
	var after []eval.Vector
	s := x.Game.NewState()
	for _, m := range s.AppendMoves(nil) {
		next := s
		next.Play(m)
		f := e.Features(&next, engines.First)
		after = append(after, f)
	}
	for kind, positions := range map[string]int{"heuristic": 6, "minimax": 9} {
		x.Start.Type = kind
		got := x.probe(3)
		if got.Positions != positions || got.Games != 3 || got.Sets[0].Positions != 27 {
			t.Errorf("%s: %d positions, %d after a move", kind, got.Positions, got.Sets[0].Positions)
		}
		differ := 0
		for i, name := range eval.Names() {
			mean, square, apart := 0.0, 0.0, 0.0
			for _, f := range after {
				mean, square = mean+f[i]/9, square+f[i]*f[i]/9
			}
			for _, f := range after {
				apart += (f[i] - mean) * (f[i] - mean) / 9
			}
			if math.Abs(got.Sets[0].Spread[i]-math.Sqrt(apart)) > 1e-9 || math.Abs(got.Sets[0].RMS[i]-math.Sqrt(square)) > 1e-9 {
				t.Errorf("%s: %g by %g, want %g by %g", name, got.Sets[0].Spread[i], got.Sets[0].RMS[i], math.Sqrt(apart),
					math.Sqrt(square))
			}
			if apart > 0 && mean != 0 {
				differ++
			}
		}
		if differ == 0 {
			t.Error("no feature differs")
		}
	}
}
