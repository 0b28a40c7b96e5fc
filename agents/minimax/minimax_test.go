package minimax

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/agents/eval"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
)

// weights is a small evaluation that tells positions apart in every game.
func weights() eval.Params {
	return eval.Params{Weights: eval.Weights{
		"own_need_1": 5, "own_need_2": 1, "enemy_need_1": -4, "enemy_need_2": -1, "own_material": 3, "enemy_material": -3,
		"own_centre": 0.5, "enemy_centre": -0.5, "own_advanced": 1, "enemy_advanced": -1, "own_hanging": -0.5,
	}}
}

// The search returns the value of plain minimax without any pruning, and all its best moves, in random positions of
// every kind of game, with tables of any size.
func TestSearchMatchesMinimax(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		set     string
		plies   int
		depth   int
		answers bool // pieces fall, and lines win: forced replies are no plies
	}{
		{"classic", "", 3, 6, false},
		{"classic", "win.majority=true board.columns=4", 4, 5, false},
		{"classic", "draw.max_plies=8", 4, 6, false},
		{"rolling", "", 5, 5, false},
		{"rolling", "draw.max_plies=9", 5, 6, false},
		{"rolling", "pieces.removal_from_ply=9 board.columns=4", 5, 4, false},
		{"vanishing", "", 6, 5, false},
		{"vanishing", "draw.repetition=0", 6, 5, false},
		{"vanishing", "draw.repetition=2", 8, 6, false},
		{"vanishing", "draw.repetition=0 pieces.removal=after_win", 6, 5, false},
		{"vanishing", "draw.repetition=0 pieces.reuse_vacated=true", 6, 5, false},
		{"checkerboard", "pieces.cap=5", 14, 2, false},
		{"torus-vanishing", "pieces.cap=5 draw.repetition=0 board.columns=4 board.rows=4", 10, 2, false},
		{"connect4", "", 8, 4, true},
		{"connect4", "board.wrap=columns win.overlines=false", 8, 4, true},
		{"connect4", "turn.placements=2", 8, 4, false},
		{"infiltration", "pieces.supply=4", 14, 3, false},
		{"infiltration-6x6", "turn.pie=true movement.forced_capture=true draw.repetition=2", 20, 3, false},
		{"infiltration", "pieces.supply=4 draw.quiet=3", 14, 3, false},
		{"tapatan", "draw.quiet=5 draw.repetition=0", 12, 7, false},
		{"ctor", "board.columns=4 board.rows=4", 9, 4, false},
		{"torus-vanishing", "", 12, 2, false},
		{"vanishing", "board.columns=4 board.rows=4 surround.threshold=2", 6, 3, false}, // captured pieces push older ones out
		{"vanishing", "pieces.removal_from_ply=12", 6, 5, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, c.name, strings.Fields(c.set)...)
			ev := eval.New(g, weights())
			searchers := []*Searcher{
				New(g, ev, Options{TableMB: 8}),
				New(g, ev, Options{TableMB: 1}),
				New(g, ev, Options{}),
			}
			rng := rand.New(rand.NewPCG(5, 6))
			for range 12 {
				p := randomPosition(g, c.plies, rng)
				if p.Over() {
					continue
				}
				b := brute{w: searchers[0].main, side: p.Side(), answers: c.answers}
				want := b.value(p, c.depth, 0)
				for i, s := range searchers {
					s.Reset()
					got := s.Search(context.Background(), p, Limits{Depth: c.depth})
					if got.Score != want || len(got.Best) != b.best {
						t.Errorf("%s, table %d: score %d with %d best moves, minimax has %d with %d", p.Text(), i,
							got.Score, len(got.Best), want, b.best)
					}
				}
			}
		})
	}
}

// What a selective search calls proved is what a search of every move proves, in random positions of every kind of
// game.
func TestSelectiveProofs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		set   string
		plies int
	}{
		{"vanishing", "draw.repetition=0 draw.max_plies=20", 6},
		{"classic", "board.columns=4 win.line=4", 4},
		{"connect4", "board.columns=5 board.rows=4", 8},
		{"gomoku9", "board.columns=4 board.rows=4 win.line=4", 6},
		{"reversi6", "", 24},
		{"ataxx", "board.columns=4 board.rows=4 setup=[X..O,....,....,O..X]", 12},
		{"breakthrough5x6", "", 30},
		{"clobber", "board.columns=4 board.rows=3 setup=[XOXO,OXOX,XOXO]", 2},
		{"hex5", "board.columns=4 board.rows=4", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := enginetest.Load(t, c.name, strings.Fields(c.set)...)
			ev, rng := eval.New(g, weights()), rand.New(rand.NewPCG(9, 10))
			selective := New(g, ev, Options{TableMB: 1, Quiescence: true, Selective: true, Forced: "on"})
			full := New(g, ev, Options{TableMB: 1})
			proved := 0
			for range 10 {
				p := randomPosition(g, c.plies, rng)
				if p.Over() {
					continue
				}
				selective.Reset()
				full.Reset()
				got := selective.Search(context.Background(), p, Limits{Nodes: 20_000})
				want := full.Search(context.Background(), p, Limits{Nodes: 100_000})
				if !got.Exact || !want.Exact {
					continue
				}
				if proved++; sign(got.Score) != sign(want.Score) {
					t.Errorf("%s: selective search says %d, the whole one %d", p.Text(), got.Score, want.Score)
				}
			}
			if proved == 0 {
				t.Error("no position was proved by both searches")
			}
		})
	}
}

// sign is the result that a score of a proof stands for.
func sign(score int32) int {
	switch {
	case score > winLimit:
		return 1
	case score < -winLimit:
		return -1
	}
	return 0
}

// brute is minimax as in a textbook; at the horizon a win in one counts as a win, as in the search.
type brute struct {
	w       *worker
	side    int
	best    int
	answers bool // where all moves but one lose at once that one is no ply
}

func (b *brute) value(p *engines.Position, depth, ply int) int32 {
	if p.Over() {
		return b.w.overScore(&p.State, b.side, ply)
	}
	sign := int32(1)
	if p.Side() != b.side {
		sign = -1
	}
	if b.answers && ply > 0 {
		if !p.WinningPlacements().Empty() {
			return sign * (Win - int32(ply) - 1) // nothing is better, and chains of forced replies would be wide without it
		}
		legal, safe := p.AppendMoves(nil), 0
		for _, m := range legal {
			q := p.Clone()
			// What the mover's own oldest piece leaves free is not looked at before it has left.
			if q.Play(m); q.Over() || q.WinningPlacements().AndNot(p.Pieces(0).Or(p.Pieces(1))).Empty() {
				if safe++; safe == 2 {
					break // no reply is forced
				}
			}
		}
		switch {
		case safe == 0:
			return -sign * (Win - int32(ply) - 2)
		case safe == 1 && len(legal) > 1:
			depth++
		}
	}
	if depth == 0 {
		if !p.WinningPlacements().Empty() {
			return sign * (Win - int32(ply) - 1)
		}
		return sign * b.w.evaluate(&p.State, p.Side())
	}
	top, n := int32(-infinity), 0
	for _, m := range p.AppendMoves(nil) {
		q := p.Clone()
		q.Play(m)
		switch v := sign * b.value(q, depth-1, ply+1); {
		case v > top:
			top, n = v, 1
		case v == top:
			n++
		}
	}
	if ply == 0 {
		b.best = n
	}
	return sign * top
}

func randomPosition(g *engines.Game, plies int, rng *rand.Rand) *engines.Position {
	p := g.NewPosition()
	for range plies {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			break
		}
		p.Play(moves[rng.IntN(len(moves))])
	}
	return p
}

// A searcher that has played other games before searches like a new one, node by node: the games of a worker do not
// depend on each other.
func TestResetForgets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game   string
		limits Limits
		deeper int // depth of every third game
		games  int
	}{
		{"connect4", Limits{Nodes: 30_000}, 0, 8},
		{"connect4", Limits{Depth: 3}, 0, 70}, // more games than a table can number
		{"classic", Limits{Depth: 3}, 5, 140}, // and of two sizes
		{"infiltration", Limits{Depth: 3}, 0, 8},
		{"vanishing", Limits{Depth: 9}, 0, 8},
	} {
		g := enginetest.Load(t, c.game)
		ev := eval.New(g, weights())
		used := New(g, ev, Options{TableMB: 1, Quiescence: true})
		rng := rand.New(rand.NewPCG(7, 8))
		for i := range c.games {
			p := randomPosition(g, min(6, g.Cells()/4), rng)
			if p.Over() {
				continue
			}
			limits := c.limits
			if i%3 == 1 && c.deeper > 0 {
				limits.Depth = c.deeper
			}
			used.Reset()
			got := used.Search(context.Background(), p, limits)
			want := New(g, ev, Options{TableMB: 1, Quiescence: true}).Search(context.Background(), p, limits)
			if got.Nodes != want.Nodes || got.Score != want.Score || len(got.Best) != len(want.Best) ||
				got.Best[0] != want.Best[0] {
				t.Fatalf("%s, %s: %d nodes, score %d; a new searcher has %d, %d", c.game, p.Text(), got.Nodes,
					got.Score, want.Nodes, want.Score)
			}
		}
	}
}

// What a search that reaches the end finds does not depend on the table: not on its size, nor on what is in it from
// earlier moves of the game. In the first position a table knows one win in 11 early; there is another. In the second
// it is an exact draw under a ply cap.
func TestSolvedResultsDoNotDependOnTheTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game  string
		set   []string
		moves string
		depth int
		best  string
		score int32
	}{
		{"infiltration", []string{
			"board.columns=4", "board.rows=3", "territory=none", "placement.region=anywhere", "pieces.supply=3", "movement.steps=bishop",
			"movement.captured=remove", "movement.multi_jump=false", "win.line=3", "win.region=anywhere", "draw.repetition=2", "draw.max_plies=0",
		}, "a2 d2 d3 c3 b3", 12, "b1 d1", Win - 11},
		{"classic", []string{"draw.max_plies=20"}, "a1 b2 c3", 8, "b1 a2 c2 b3", 0},
	} {
		g := enginetest.Load(t, c.game, c.set...)
		for _, size := range []int{0, 1, 16} {
			s := New(g, eval.New(g, weights()), Options{TableMB: size})
			for _, kept := range []bool{false, true} {
				p := g.NewPosition()
				for _, text := range strings.Fields(c.moves) {
					if kept {
						s.Search(context.Background(), p, Limits{Depth: 6})
					}
					m := must.Get(p.ParseMove(text))(t)
					p.Play(m)
				}
				r := s.Search(context.Background(), p, Limits{Depth: c.depth})
				if got := strings.Join(g.MoveTexts(r.Best), " "); got != c.best || r.Score != c.score || !r.Exact {
					t.Errorf("%s, table %d, kept %t: best %s, score %d, exact %t; want %s, %d", c.game, size, kept, got,
						r.Score, r.Exact, c.best, c.score)
				}
			}
		}
	}
}

// A search that looks at some moves only proves nothing, and a forced move is valued as deep as any other.
func TestExactness(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	p := g.NewPosition()
	must.Do(t, p.PlayText([]string{"a1", "b2"}))
	if r := New(g, eval.New(g, weights()), Options{Candidates: 1}).Search(context.Background(), p, Limits{Depth: 9}); r.Exact {
		t.Errorf("one move of each node gives %d for certain", r.Score)
	}
	p = g.NewPosition()
	must.Do(t, p.PlayText(strings.Fields("a1 b2 c3 b1 b3 a3 c1 c2")))
	if r := New(g, eval.New(g, weights()), Options{TableMB: 1}).Search(context.Background(), p, Limits{Depth: 4}); !r.Exact ||
		r.Score != 0 {
		t.Errorf("the last move of a draw: %+v", r)
	}
}

// The empty board of rolling is won in 9 plies with the centre, that of vanishing in 13 with an edge.
func TestForcedWins(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		plies int32
		best  []string
	}{
		"rolling":   {9, []string{"b2"}},
		"vanishing": {13, []string{"b1", "a2", "c2", "b3"}},
	} {
		g := enginetest.Load(t, name)
		s := New(g, eval.New(g, eval.Params{}), Options{TableMB: 32})
		r := s.Search(context.Background(), g.NewPosition(), Limits{Depth: 13})
		if r.Score != Win-want.plies || !r.Exact {
			t.Errorf("%s: score %d after %d nodes, want a win in %d", name, r.Score, r.Nodes, want.plies)
		}
		if got := g.MoveTexts(r.Best); len(got) != len(want.best) {
			t.Errorf("%s: best %v, want %v", name, got, want.best)
		}
	}
}

// Plain alpha-beta on the empty board of classic visits the 18,297 nodes that the textbook search visits.
func TestPlainNodeCount(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "classic")
	r := New(g, eval.New(g, eval.Params{}),
		Options{Plain: true}).Search(context.Background(), g.NewPosition(), Limits{})
	if r.Nodes != 18297 || r.Score != 0 || !r.Exact {
		t.Errorf("%d nodes, score %d, exact %v; want 18297, 0, true", r.Nodes, r.Score, r.Exact)
	}
}
