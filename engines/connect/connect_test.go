package connect_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines"
	"spar/engines/connect"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

var (
	all       = flag.Bool("all", false, "check every position of Hex 4x4")
	positions = flag.Int("positions", 20, "random positions of each size to check")
)

func board(t *testing.T, size int) (*engines.Game, *connect.Board) {
	t.Helper()
	g := enginetest.Load(t, "hex5", fmt.Sprint("board.columns=", size), fmt.Sprint("board.rows=", size))
	b := must.Get(connect.New(g))(t)
	return g, b
}

// The winning first moves of small boards are those that a specialised solver found. They are symmetric under a half
// turn.
func TestFirstMoves(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]string{
		2: "b1 a2", 3: "c1 a2 b2 c2 a3", 4: "d1 c2 b3 a4", 5: "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
	} {
		g, b := board(t, size)
		s := connect.NewSolver(b, connect.SolverLimits(), 1<<20)
		var wins []string
		for c := range engines.Cell(g.Cells()) {
			var stones connect.Stones
			stones[0] = stones[0].With(c)
			a := must.Get(s.Solve(t.Context(), stones, 1))(t)
			if a.Winner == 0 {
				wins = append(wins, g.CellName(c))
			}
		}
		if got := strings.Join(wins, " "); got != want {
			t.Errorf("%dx%d: the first player wins by %s, want %s", size, size, got, want)
		}
	}
}

// Random positions have the winner that trying every move finds. Whoever has a connection from edge to edge wins.
func TestAgainstSearch(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for size := 4; size <= 6; size++ {
		g, b := board(t, size)
		s := connect.NewSolver(b, connect.SolverLimits(), 1<<20)
		for range *positions {
			p := g.NewState()
			for least := size*size - 9 - rng.IntN(4); p.Ply() < least && !p.Over(); {
				moves := p.AppendMoves(nil)
				p.Play(moves[rng.IntN(len(moves))])
			}
			if !p.Over() {
				against(t, b, s, &p, search(&p, map[connect.Stones]int{}))
			}
		}
	}
}

// search tries every move until one wins.
func search(p *engines.State, known map[connect.Stones]int) (winner int) {
	key := connect.Stones{p.Pieces(0), p.Pieces(1)}
	if w, ok := known[key]; ok {
		return w
	}
	side := p.Side()
	winner = 1 - side
	for _, m := range p.AppendMoves(nil) {
		next := *p
		next.Play(m)
		if next.Over() && next.Result() == engines.Winner(side) || !next.Over() && search(&next, known) == side {
			winner = side
			break
		}
	}
	known[key] = winner
	return winner
}

// against compares a position with its known winner.
func against(t *testing.T, b *connect.Board, s *connect.Solver, p *engines.State, winner int) {
	t.Helper()
	stones, ok := b.Read(p)
	if !ok {
		t.Fatalf("%s is refused", p.Text())
	}
	side := p.Side()
	for of := range 2 {
		if connect.Wins(b, of, &stones, connect.SolverLimits(), side) && of != winner {
			t.Errorf("%s: player %d has a connection and loses", p.Text(), of)
		}
	}
	a := must.Get(s.Solve(t.Context(), stones, side))(t)
	if a.Winner != winner {
		t.Errorf("%s: player %d wins, want %d", p.Text(), a.Winner, winner)
	}
}

// With -all, every position of Hex 4x4 with the first player to move or the second has the winner that the table of all
// positions has, up to half turns.
func TestAll4x4(t *testing.T) {
	if !*all {
		t.Skip("takes -all")
	}
	g, b := board(t, 4)
	table := must.Get(solve.Solve(t.Context(), g, solve.Options{Workers: 1}))(t)
	s := connect.NewSolver(b, connect.SolverLimits(), 1<<26)
	checked := 0
	seen := map[connect.Stones]bool{}
	var visit func(p *engines.State)
	visit = func(p *engines.State) {
		key := connect.Stones{p.Pieces(0), p.Pieces(1)}
		if p.Over() || seen[key] {
			return
		}
		seen[key] = true
		v, ok := table.Lookup(p)
		if !ok {
			t.Fatalf("no value of %s", p.Text())
		}
		winner := p.Side()
		if v.Outcome == solve.Loss {
			winner = 1 - winner
		}
		against(t, b, s, p, winner)
		checked++
		for _, m := range p.AppendMoves(nil) {
			next := *p
			next.Play(m)
			visit(&next)
		}
	}
	p := g.NewState()
	visit(&p)
	t.Log(checked, "positions")
}
