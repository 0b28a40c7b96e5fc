package sources

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"spar/configs"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// In how many of the 4,520 positions of classic a level may give away a win or a draw, by pieces on the board: the
// table of the rules page.
func TestClassicMistakes(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	players := make([]*Player, 4)
	for i, name := range Levels()[:4] {
		players[i] = player(t, name, g)
	}
	var positions [9]int
	var mistakes [4][9]int
	values := map[uint64]int{}
	var solve func(s *engines.State) int
	solve = func(s *engines.State) int {
		switch s.Result() {
		case engines.Drawn:
			return 0
		case engines.FirstWins, engines.SecondWins:
			return -1 // the side to move did not make the line
		}
		if v, ok := values[s.Hash()]; ok {
			return v
		}
		best := -1
		worth := map[engines.Move]int{}
		for _, m := range s.AppendMoves(nil) {
			next := *s
			next.Play(m)
			worth[m] = -solve(&next)
			best = max(best, worth[m])
		}
		positions[s.Ply()]++
		for i, p := range players {
			if slices.ContainsFunc(p.Choose(s).Moves, func(m engines.Move) bool { return worth[m] < best }) {
				mistakes[i][s.Ply()]++
			}
		}
		values[s.Hash()] = best
		return best
	}
	s := g.NewState()
	solve(&s)
	if want := [9]int{1, 9, 72, 252, 756, 1140, 1372, 696, 222}; positions != want {
		t.Errorf("positions %v, want %v", positions, want)
	}
	for i, want := range [4][9]int{
		{0, 9, 60, 186, 344, 344, 176, 168, 0},
		{0, 9, 60, 106, 40, 60},
		{0, 9, 12, 24},
		{},
	} {
		if mistakes[i] != want {
			t.Errorf("%s: mistakes %v, want %v", Levels()[i], mistakes[i], want)
		}
	}
}

func TestRollingBeginner(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "rolling")
	p := player(t, "rolling/beginner", g)
	for _, c := range []struct {
		moves string
		want  []float64 // by legal move; nil when uniform
	}{
		{"a1 b1", nil},
		{"a1 b2 b1", []float64{1./2 + 1./12, 1. / 12, 1. / 12, 1. / 12, 1. / 12, 1. / 12}}, // c1
		{"a1 a2 c3 b2", []float64{.1, .1, .6, .1, .1}},                                     // c2, and never its own b3
	} {
		pos := g.NewPosition()
		must.Do(t, pos.PlayText(strings.Fields(c.moves)))
		got := p.Choose(&pos.State)
		if len(got.Moves) != pos.MoveCount() || len(got.Weights) != len(c.want) {
			t.Fatalf("after %s: %v, weights %v, want %v", c.moves, g.MoveTexts(got.Moves), got.Weights, c.want)
		}
		sum := 0.0
		for i, w := range got.Weights {
			sum += w
			if math.Abs(w-c.want[i]) > 1e-12 {
				t.Errorf("after %s: weights %v, want %v", c.moves, got.Weights, c.want)
			}
		}
		if c.want != nil && math.Abs(sum-1) > 1e-12 {
			t.Errorf("after %s: weights add up to %v", c.moves, sum)
		}
	}
}

// Near the ply cap the levels choose as if there were none, but for those of rolling, which look ahead by the game's
// moves.
func TestPlyCap(t *testing.T) {
	t.Parallel()
	for _, level := range Levels() {
		game, _, _ := strings.Cut(level, "/")
		if game == "rolling" {
			continue
		}
		free := enginetest.Load(t, game, "draw.max_plies=0")
		without := player(t, level, free)
		randomGame(free, rand.New(rand.NewPCG(19, 23)), 16, func(pos *engines.Position) {
			for _, away := range [][]int{{1, 3}, {2, 7}}[pos.Ply()%2] {
				g := enginetest.Load(t, game, fmt.Sprintf("draw.max_plies=%d", pos.Ply()+away))
				s := must.Get(g.ParseState(pos.Text()))(t)
				want := without.Choose(&pos.State)
				got := player(t, level, g).Choose(&s)
				if !slices.Equal(got.Moves, want.Moves) || got.Value != want.Value && !math.IsNaN(want.Value) {
					t.Fatalf("%s in %s, %d before the cap: %v worth %v, want %v worth %v", level, pos.Text(), away,
						g.MoveTexts(got.Moves), got.Value, g.MoveTexts(want.Moves), want.Value)
				}
			}
		})
	}
}

// The levels of rolling that look ahead see the cap: where every move is a draw by it, nothing else counts.
func TestRollingSeesThePlyCap(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]float64{"rolling/moderate": -100, "rolling/hard": 0} {
		g := enginetest.Load(t, "rolling", "draw.max_plies=3")
		pos := g.NewPosition()
		must.Do(t, pos.PlayText([]string{"c1", "b2"}))
		if got := player(t, level, g).Choose(&pos.State); g.MoveText(got.Moves[0]) != "a1" || got.Value != want {
			t.Errorf("%s: %v worth %v, want a1 worth %v", level, g.MoveTexts(got.Moves), got.Value, want)
		}
	}
}

// Under the pie rule the levels choose as without it: they neither swap nor expect it.
func TestNobodySwaps(t *testing.T) {
	t.Parallel()
	for _, level := range Levels() {
		game, _, _ := strings.Cut(level, "/")
		r := enginetest.Load(t, game).Rules()
		if game == "checkerboard" { // f6 is not open, so that the first ply is searched
			r.Placement.Opening = []rules.Stage{{Plies: 2, Region: "second_home"}}
		}
		var choices [2][]Choice
		for i := range choices {
			r.Turn.Pie = []rules.Choice{rules.NoPie, rules.PieStones}[i%2]
			g := must.Get(engines.Compile(r))(t)
			s := g.NewState()
			for range 2 {
				c := player(t, level, g).Choose(&s)
				choices[i] = append(choices[i], c)
				s.Play(c.Moves[0])
			}
		}
		for ply, want := range choices[0] {
			if got := choices[1][ply]; !slices.Equal(got.Moves, want.Moves) || got.Nodes != want.Nodes {
				t.Errorf("%s, ply %d: %v of %d nodes, want %v of %d", level, ply+1, got.Moves, got.Nodes, want.Moves,
					want.Nodes)
			}
		}
	}
}

// With overlines off, a run of five that loses its oldest stone at the end wins: by a stone anywhere but beside the
// run.
func TestCheckerboardShortenedRun(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "checkerboard", "win.overlines=false", "pieces.cap=5")
	s := must.Get(g.ParseState(
		"XXXXX.../......../......../......../......../......../......../O.O.O.O. X 20 ages=a1,b1,c1,d1,e1|a8,c8,e8,g8",
	))(t)
	for _, level := range []string{"checkerboard/easy", "checkerboard/hard"} {
		if c := player(t, level, g).Choose(&s); g.MoveText(c.Moves[0]) != "g1" || c.Value != 10000 {
			t.Errorf("%s: %v worth %v, want g1 worth 10000", level, g.MoveTexts(c.Moves), c.Value)
		}
	}
}

// Choose leaves the position as it was, repeats itself, and plays only what is legal, to the end of games
// under every pair of a level and a shipped game that fit.
func TestChoose(t *testing.T) {
	t.Parallel()
	for _, game := range configs.Names(configs.Games) {
		g := enginetest.Load(t, game)
		for _, level := range Levels() {
			p, err := New(level, g)
			if err != nil {
				continue
			}
			again := player(t, level, g)
			rng := rand.New(rand.NewPCG(29, 31))
			pos := g.NewPosition()
			for !pos.Over() && pos.Ply() < 120 {
				text, key := pos.Text(), pos.Hash()
				c := p.Choose(&pos.State)
				moves := slices.Clone(c.Moves)
				if pos.Text() != text || pos.Hash() != key {
					t.Fatalf("%s: %s became %s", level, text, pos.Text())
				}
				if d := again.Choose(&pos.State); !slices.Equal(d.Moves, moves) || d.Nodes != c.Nodes {
					t.Fatalf("%s in %s: %v, then %v", level, text, moves, d.Moves)
				}
				legal := pos.AppendMoves(nil)
				for _, m := range moves {
					if !slices.Contains(legal, m) {
						t.Fatalf("%s in %s: illegal %s", level, text, g.MoveText(m))
					}
				}
				if rng.IntN(4) == 0 { // into positions that the level would not reach by itself
					moves = legal
				}
				pos.Play(moves[rng.IntN(len(moves))])
			}
		}
	}
}

// positions returns the first 120 plies of random games.
func positions(t testing.TB, game string) []engines.State {
	var states []engines.State
	g := enginetest.Load(t, game)
	rng := rand.New(rand.NewPCG(37, 41))
	for len(states) < 120 {
		randomGame(g, rng, 60, func(p *engines.Position) { states = append(states, p.State) })
	}
	return states
}

func TestChooseAllocatesNothing(t *testing.T) {
	for _, level := range Levels() {
		game, _, _ := strings.Cut(level, "/")
		p := player(t, level, enginetest.Load(t, game))
		states := positions(t, game)[:20]
		for i := range states {
			p.Choose(&states[i])
		}
		if n := testing.AllocsPerRun(3, func() {
			for i := range states {
				p.Choose(&states[i])
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations in %d decisions", level, n, len(states))
		}
	}
}

// randomGame plays random moves that do not end the game, while there are any, and calls visit at each position.
func randomGame(g *engines.Game, rng *rand.Rand, plies int, visit func(p *engines.Position)) {
	p := g.NewPosition()
	var next engines.Position
	for range plies {
		visit(p)
		moves := p.AppendMoves(nil)
		rng.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		for _, m := range moves {
			next.CopyFrom(p)
			if next.Play(m); !next.Over() {
				break
			}
		}
		if next.Over() {
			return
		}
		p.CopyFrom(&next)
	}
}
