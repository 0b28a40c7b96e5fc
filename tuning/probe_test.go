package tuning

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/eval"
	"spar/arena"
	"spar/engines"
	"spar/engines/enginetest"
)

// Sample games take the best move one ply deep, and in 30 of 100 cases any: a win before all, and a loss or a draw, which are worth
// nothing, before what looks bad.
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
		{"not to lose", play(misere, "b2 c1 a1 b1"), eval.Weights{"own_centre": 5}, "a2"}, // of those alike the first; c3 would lose
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

// Of a knob whose values are words the one of the highest appeal is played, the first of equals; numbers among them have none.
func TestWordOfTheHighestAppeal(t *testing.T) {
	t.Parallel()
	x := &Tuning{Start: agents.DefaultSpec(), Params: []Param{
		{Path: "mixture.epsilon"}, {Category: "ties", Word: "random"}, {Category: "ties", Word: "first"}, {Category: "mcts.rollout", Word: "a"}, {Category: "mcts.rollout", Word: "b"}, {Category: "mcts.rollout", Word: "c"},
	}}
	for _, c := range []struct {
		at   []float64
		want string
	}{
		{[]float64{9, 0.4, 0, 0, 0, 0}, "random a"},
		{[]float64{9, 0, 0.4, -1, -2, -0.5}, "first c"},
		{[]float64{-9, -0.4, -0.4, -2, -1, -1}, "random b"},
	} {
		got := x.chosen(c.at)
		if len(got) != 2 || got["ties"]+" "+got["mcts.rollout"] != c.want {
			t.Errorf("%v: %v, want %s", c.at, got, c.want)
		}
	}
	choices, err := x.choices([]float64{0, 0, 1, 0, 1, 0})
	s := agents.DefaultSpec()
	if want := []Choice{{"mcts.rollout", string(s.MCTS.Rollout), "b"}, {"ties", string(s.Ties), "first"}}; err != nil || !slices.Equal(choices, want) {
		t.Errorf("%v, %v; want %v", choices, err, want)
	}
	all := words()
	for path, want := range map[string]bool{"ties": true, "mcts.rollout": true, "minimax.quiescence": true, "mixture.ignores_opponent": true, "mixture.epsilon": false, "mcts.exploration": false, "type": false} {
		if slices.Contains(all, path) != want {
			t.Errorf("%s is a word: %t", path, !want)
		}
	}
	for _, path := range []string{"ties.x", "mcts", "mcts.exploration", "mcts.rollout.x", ""} {
		if _, _, err := wordAt(&s, path); err == nil {
			t.Errorf("%q is a word", path)
		}
	}
}

// Of agents that search, and where candidates play one level deeper at times, the positions after an answer are looked at, too: nearly
// twice as many, as some games are over by then.
func TestProbeOfTheHorizon(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	base := x.probe(20).Positions
	for _, c := range []struct {
		kind    string
		deeper  float64
		answers bool
	}{{"heuristic", 0, false}, {"heuristic", 0.5, true}, {"heuristic", 1, true}, {"minimax", 0, true}, {"mcts", 0.5, true}} {
		x.Start.Type, x.Deeper = c.kind, c.deeper
		if got := x.probe(20).Positions; (got > base*3/2) != c.answers || got > 2*base*5/4 {
			t.Errorf("%s, deeper %g: %d positions, greedy play has %d", c.kind, c.deeper, got, base)
		}
	}
}

// A game that is drawn at its second ply has one position with moves to compare, the start: of every feature the spread is its standard
// deviation over the places of the first piece and the scale its root mean square, however many games are looked at. The position after the
// first ply counts among those looked at, and for an agent that searches once more as an answer.
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
				t.Errorf("%s: %g by %g, want %g by %g", name, got.Sets[0].Spread[i], got.Sets[0].RMS[i], math.Sqrt(apart), math.Sqrt(square))
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

// A position with one move has nothing to compare: it counts among those that the weights value, not among those that tell a spread. In two
// columns of three, of which the first has one cell left and the second two, there are two moves; after the move that fills the first one is
// left, and after the next the board is full. After the other there are two, then one.
func TestProbeWhereOneMoveIsLeft(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	const opening = "a3 a2 b3"
	x.Game = enginetest.Load(t, "connect4", "board.columns=2", "board.rows=3", "win.line=0")
	x.Openings, x.Deeper, x.Start.Type = arena.Openings{Lines: []string{opening}}, 0, "heuristic"
	e := eval.New(x.Game, x.Start.Params)
	first := map[int]int{} // branches by their positions after a move
	for seed := range int64(8) {
		x.Seed = seed
		got := x.probe(1).Sets[0]
		played := map[int]string{3: "a1", 4: "b2"}[got.Positions] // and then any
		first[got.Positions]++
		p := x.Game.NewPosition()
		if err := p.PlayText(strings.Fields(opening)); err != nil {
			t.Fatal(err)
		}
		var variance, squares eval.Vector
		groups, all := 0.0, 0.0
		for !p.Over() {
			var after []eval.Vector
			for _, m := range p.AppendMoves(nil) {
				next := p.Clone()
				if next.Play(m); !next.Over() {
					after = append(after, e.Features(&next.State, p.Side()))
				}
			}
			for i := range squares {
				for _, f := range after {
					squares[i] += f[i] * f[i]
				}
				if len(after) == 2 { // half of what they differ by is the deviation of two
					variance[i] += (after[0][i] - after[1][i]) * (after[0][i] - after[1][i]) / 4
				}
			}
			if all += float64(len(after)); len(after) == 2 {
				groups++
			}
			if played == "" {
				p.Play(p.AppendMoves(nil)[0])
			} else if err := p.PlayText([]string{played}); err != nil {
				t.Fatal(err)
			}
			played = ""
		}
		for i, name := range eval.Names() {
			if spread, rms := math.Sqrt(variance[i]/groups), math.Sqrt(squares[i]/all); math.Abs(got.Spread[i]-spread) > 1e-9 || math.Abs(got.RMS[i]-rms) > 1e-9 {
				t.Errorf("%d positions, %s: %g by %g, want %g by %g", got.Positions, name, got.Spread[i], got.RMS[i], spread, rms)
			}
		}
	}
	if first[3] == 0 || first[3]+first[4] != 8 {
		t.Errorf("positions after a move: %v", first)
	}
}
