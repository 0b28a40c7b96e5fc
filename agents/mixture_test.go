package agents_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/eval"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// choices counts the moves that an agent chooses in a position.
func choices(t *testing.T, s agents.Spec, p *engines.Position, n int) map[string]int {
	t.Helper()
	a := newAgent(t, s, p.Game())
	rng := rand.New(rand.NewPCG(21, 22))
	counts := map[string]int{}
	for range n {
		d := must.Get(a.Choose(context.Background(), p, s.Budget, rng))(t)
		counts[p.Game().MoveText(d.Move)]++
	}
	return counts
}

// near tells whether a count is within four standard errors of a binomial share.
func near(count, n int, share float64) bool {
	return math.Abs(float64(count)-share*float64(n)) <= 4*math.Sqrt(share*(1-share)*float64(n))+1e-9
}

// With a share of epsilon a uniformly random move replaces the agent's: the winning move comes up with
// 1-epsilon+epsilon/k.
func TestEpsilonShare(t *testing.T) {
	t.Parallel()
	p := position(t, enginetest.Load(t, "classic"), "a1 a2 b1 b2") // c1 wins; five cells are free
	const n = 20_000
	for _, c := range []struct {
		agent string
		set   []string
		best  float64
	}{
		{"greedy", []string{"mixture.epsilon=0.3"}, 0.7 + 0.3/5},
		{"minimax-2", []string{"mixture.epsilon=1"}, 1.0 / 5},
		{"greedy", nil, 1},
	} {
		counts := choices(t, loadSpec(t, c.agent, c.set...), p, n)
		if !near(counts["c1"], n, c.best) {
			t.Errorf("%s %v: c1 %d times of %d, expected a share of %.3f", c.agent, c.set, counts["c1"], n, c.best)
		}
		for _, other := range []string{"c2", "a3", "b3", "c3"} {
			if !near(counts[other], n, (1-c.best)/4) {
				t.Errorf("%s %v: %s %d times of %d, expected a share of %.3f", c.agent, c.set, other, counts[other], n,
					(1-c.best)/4)
			}
		}
	}
}

// Softmax draws a move with weight exp(score/temperature), the score being the evaluation's expected score.
func TestSoftmaxDistribution(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	p := position(t, g, "a1")
	const n, temperature = 30_000, 0.2
	s := loadSpec(t, "greedy", "mixture.softmax=0.2")
	s.Params = eval.Params{Scale: 1, Weights: eval.Weights{"own_centre": 2}}
	ev := eval.New(g, s.Params)
	total, weight := 0.0, map[string]float64{}
	for _, m := range p.AppendMoves(nil) {
		q := p.Clone()
		q.Play(m)
		w := math.Exp(ev.Score(ev.Value(&q.State, p.Side())) / temperature)
		weight[g.MoveText(m)], total = w, total+w
	}
	counts := choices(t, s, p, n)
	for m, w := range weight {
		if !near(counts[m], n, w/total) {
			t.Errorf("%s %d times of %d, expected a share of %.4f", m, counts[m], n, w/total)
		}
	}
	if weight["b2"] <= weight["c3"] {
		t.Errorf("the centre weighs %g, a corner %g", weight["b2"], weight["c3"])
	}
	// Softmax over a search's scores: a sure win is much likelier than any other move. Minimax has a score for
	// every move; mcts stops at the proof and draws among the moves it has tried.
	won := position(t, g, "a1 a2 b1 b2")
	for _, agent := range []string{"minimax-2", "mcts-100"} {
		counts := choices(t, loadSpec(t, agent, "mixture.softmax=0.3"), won, 2000)
		if counts["c1"] < 800 || agent == "minimax-2" && counts["c1"] == 2000 {
			t.Errorf("%s: the win %d times of 2000", agent, counts["c1"])
		}
	}
}

// While the game follows a line of the book its next move is played, also by another order of moves.
func TestOpeningBook(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	s := loadSpec(t, "greedy", "ties=first")
	s.Mixture.OpeningBook = []string{"a1 c3 b3 a3", "b1"}
	for _, c := range []struct{ moves, want string }{
		{"", "a1"}, // the first line that knows a position counts
		{"a1", "c3"},
		{"a1 c3", "b3"},
		{"b3 c3 a1", "a3"}, // transposed
	} {
		p := position(t, g, c.moves)
		if counts := choices(t, s, p, 3); counts[c.want] != 3 {
			t.Errorf("after %q: %v, the book says %s", c.moves, counts, c.want)
		}
	}
	if counts := choices(t, s, position(t, g, "b2"), 3); counts["c3"] == 3 && counts["a1"] == 3 {
		t.Errorf("outside the book: %v", counts)
	}
	s.Mixture.OpeningBook = []string{"a1 a1"}
	if _, err := agents.New(s, g); err == nil {
		t.Error("a book with an illegal move is accepted")
	}
}

// A restricted agent keeps to its restriction as long as it has other moves.
func TestRestrictions(t *testing.T) {
	t.Parallel()
	infiltration := enginetest.Load(t, "infiltration-6x6")
	jump := must.Get(infiltration.ParseState("....../OO..O./..O.O./..X.X./XX.X../.....X X 40 hand=0,0 phase=move"))(t)
	ctor := enginetest.Load(t, "ctor")
	flip, err := ctor.ParseState(
		"XXX......./XO......../X........./........../........../........../........../..O...O.../...O....../...OO..... " +
			"X 12 left=2",
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, agent string
		set         []string
		p           *engines.Position
		forbidden   func(engines.Move) bool
	}{
		{
			"never captures by jumping", "greedy",
			[]string{"mixture.never_captures=true"},
			engines.PositionAt(jump),
			engines.Move.IsJump,
		},
		{
			"never captures by jumping", "minimax-2",
			[]string{"mixture.never_captures=true"},
			engines.PositionAt(jump),
			engines.Move.IsJump,
		},
		{
			"never captures by jumping", "mcts-100",
			[]string{"mixture.never_captures=true"},
			engines.PositionAt(jump),
			engines.Move.IsJump,
		},
		{
			"never captures by surrounding", "greedy",
			[]string{"mixture.never_captures=true"},
			engines.PositionAt(flip),
			func(m engines.Move) bool {
				next := flip
				next.Play(m)
				return next.Pieces(engines.Second).Count() < flip.Pieces(engines.Second).Count()
			},
		},
		{
			"never in the centre", "greedy",
			[]string{"mixture.never_centre=true"},
			enginetest.Load(t, "classic").NewPosition(),
			func(m engines.Move) bool { return m.To() == 4 },
		},
		{
			"never in the centre", "random",
			[]string{"mixture.never_centre=true"},
			enginetest.Load(t, "classic").NewPosition(),
			func(m engines.Move) bool { return m.To() == 4 },
		},
		{
			"never in the centre, at random", "greedy",
			[]string{"mixture.never_centre=true", "mixture.epsilon=1"},
			enginetest.Load(t, "classic").NewPosition(), func(m engines.Move) bool { return m.To() == 4 },
		},
		{
			"never in the centre of an even board", "greedy",
			[]string{"mixture.never_centre=true"},
			enginetest.Load(t, "checkerboard").NewPosition(), func(m engines.Move) bool {
				return slices.Contains([]engines.Cell{27, 28, 35, 36}, m.To())
			},
		},
	} {
		t.Run(c.name+" "+c.agent, func(t *testing.T) {
			t.Parallel()
			legal := c.p.AppendMoves(nil)
			if !slices.ContainsFunc(legal, c.forbidden) {
				t.Fatalf("no forbidden move is legal in %s", c.p.Text())
			}
			for text := range choices(t, loadSpec(t, c.agent, c.set...), c.p, 100) {
				m := must.Get(c.p.ParseMove(text))(t)
				if c.forbidden(m) {
					t.Errorf("chose %s", text)
				}
			}
		})
	}
	// Without another move the restriction gives way.
	only := position(t, enginetest.Load(t, "classic"), "a1 b1 c1 a2 c2 a3 b3 c3")
	if counts := choices(t, loadSpec(t, "minimax-2", "mixture.never_centre=true"), only, 1); counts["b2"] != 1 {
		t.Errorf("the last free cell: %v", counts)
	}
}

// An agent that ignores its opponent wins when it can, and does not block.
func TestIgnoresOpponent(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	threat := position(t, g, "c3 a1 a3 b1") // X wins with b3; O threatens c1
	if counts := choices(t, loadSpec(t, "greedy", "mixture.ignores_opponent=true"), threat, 10); counts["b3"] != 10 {
		t.Errorf("does not take the win: %v", counts)
	}
	if counts := choices(t, loadSpec(t, "greedy"), position(t, g, "b3 a1 a2 b1"), 10); counts["c1"] != 10 {
		t.Errorf("greedy does not block: %v", counts)
	}
	if counts := choices(t, loadSpec(t, "greedy", "mixture.ignores_opponent=true"), position(t, g, "b3 a1 a2 b1"),
		10); counts["c1"] == 10 {
		t.Errorf("blocks though it ignores the opponent: %v", counts)
	}
}

// An agent that mirrors answers each ply of the opponent's last turn by its image under a half turn: a1 by c3 on 3x3,
// b1 by i10 on 10x10. Where the image cannot be played, or the opponent's turn was shorter, it chooses itself.
func TestMirrors(t *testing.T) {
	t.Parallel()
	six := enginetest.Load(t, "infiltration-6x6")
	step := must.Get(six.ParseState("....../OO..O./..O.O./..X.X./XX.X../.....X X 40 hand=0,0 phase=move"))(t)
	moving := engines.PositionAt(step)
	must.Do(t, moving.PlayText([]string{"b5-b6"}))
	classic, ctor := enginetest.Load(t, "classic"), enginetest.Load(t, "ctor")
	for _, c := range []struct {
		p    *engines.Position
		want string // empty: the agent's own choice, which is random
	}{
		{classic.NewPosition(), ""},
		{position(t, classic, "a1"), "c3"},
		{position(t, classic, "b2"), ""},
		{position(t, classic, "a1 c3 b1"), "b3"},
		{position(t, classic, "a1 b1"), "b3"},
		{position(t, ctor, "a1"), "j10"},
		{position(t, ctor, "a1 j10"), ""},
		{position(t, ctor, "a1 j10 e5 b1 c1"), "i10"},
		{position(t, ctor, "a1 j10 e5 b1 c1 i10"), "h10"},
		{position(t, ctor, "a1 j10 e5 b1 j9 i10"), "a2"},
		{moving, "e2-e1"},
	} {
		counts := choices(t, loadSpec(t, "random", "mixture.mirrors=true"), c.p, 60)
		if c.want == "" && len(counts) < 2 || c.want != "" && counts[c.want] != 60 {
			t.Errorf("%s: %v, want %q", c.p.Text(), counts, c.want)
		}
	}
}

// A move that may not be chosen proves nothing for the search: the one block in classic is found although the centre,
// which is forbidden, wins at once.
func TestRestrictedSearch(t *testing.T) {
	t.Parallel()
	p := position(t, enginetest.Load(t, "classic"), "a2 a1 c2 b1")
	if counts := choices(t, loadSpec(t, "mcts-1k", "mixture.never_centre=true"), p, 5); counts["c1"] != 5 {
		t.Errorf("%v, want c1", counts)
	}
}

// Best lists all moves that the agent may choose, and no others.
func TestBestIsWhatMayBeChosen(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	for _, c := range []struct {
		agent string
		set   string
		n     int // moves in Best; 0 = at least two
	}{
		{"minimax-4", "ties=first", 1},
		{"minimax-4", "", 2},
		{"greedy", "ties=first", 1},
		{"greedy", "mixture.epsilon=0.1", 7},
		{"mcts-100", "mcts.temperature=1", 0},
	} {
		s := loadSpec(t, c.agent, strings.Fields(c.set)...)
		a := newAgent(t, s, g)
		rng := rand.New(rand.NewPCG(1, 2))
		p := position(t, g, "a1 b2")
		for range 20 {
			d := must.Get(a.Choose(context.Background(), p, s.Budget, rng))(t)
			if !slices.Contains(d.Best, d.Move) || c.n > 0 && len(d.Best) != c.n || c.n == 0 && len(d.Best) < 2 {
				t.Errorf("%s %v: %s of %v", c.agent, c.set, g.MoveText(d.Move), g.MoveTexts(d.Best))
			}
		}
	}
}
