package connect_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/engines"
	"spar/engines/connect"
	"spar/engines/enginetest"
	"spar/engines/solve"
)

var (
	empty     = flag.Int("empty", 9, "empty cells of these positions, up to 3 more")
	positions = flag.Int("positions", 20, "random positions of each size to check")
)

func board(t *testing.T, size int) (*engines.Game, *connect.Board) {
	t.Helper()
	g := enginetest.Load(t, "hex5", fmt.Sprint("board.columns=", size), fmt.Sprint("board.rows=", size))
	b, err := connect.New(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, b
}

// The winning first moves of small boards are those that a specialised solver found. They are symmetric under a half
// turn, and each win has a certificate.
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
			a, err := s.Solve(t.Context(), stones, 1)
			if err != nil {
				t.Fatal(err)
			}
			if a.Winner == 0 {
				wins = append(wins, g.CellName(c))
			}
			if size < 5 || c%5 == 0 {
				check(t, s, b, stones, 1, a.Winner)
			}
		}
		if got := strings.Join(wins, " "); got != want {
			t.Errorf("%dx%d: the first player wins by %s, want %s", size, size, got, want)
		}
	}
}

// check verifies the certificate of a position.
func check(t *testing.T, s *connect.Solver, b *connect.Board, stones connect.Stones, side, winner int) {
	t.Helper()
	c, err := s.Certify(t.Context(), stones, side)
	if err != nil {
		t.Fatal(err)
	}
	if c.Winner != winner {
		t.Errorf("the certificate is for player %d, want %d", c.Winner, winner)
	}
	if err := c.Check(b, stones, side); err != nil {
		t.Error(err)
	}
}

// Random positions have the winner that proof-number search finds, which knows nothing of connections. Whoever has a
// connection from edge to edge wins, and every winning move lies in the must-play region.
func TestAgainstProofs(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for size := 4; size <= 6; size++ {
		g, b := board(t, size)
		s := connect.NewSolver(b, connect.SolverLimits(), 1<<24)
		for range *positions {
			p := g.NewState()
			for least := size*size - *empty - rng.IntN(4); p.Ply() < least && !p.Over(); {
				moves := p.AppendMoves(nil)
				p.Play(moves[rng.IntN(len(moves))])
			}
			if p.Over() {
				continue
			}
			want, err := solve.Prove(t.Context(), &p, solve.ProofOptions{Plain: true, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			winner := p.Side()
			if want.AtLeast == solve.Loss {
				winner = 1 - winner
			}
			against(t, g, b, s, &p, winner)
		}
	}
}

func against(t *testing.T, g *engines.Game, b *connect.Board, s *connect.Solver, p *engines.State, winner int) {
	t.Helper()
	stones, ok := b.Read(p)
	if !ok {
		t.Fatalf("%s is refused", p.Text())
	}
	side := p.Side()
	for of := range 2 {
		l := connect.NewLinks(b, of, &stones, connect.SolverLimits())
		if l.Wins(side) && of != winner {
			t.Errorf("%s: player %d has a connection and loses", p.Text(), of)
		}
	}
	a, err := s.Solve(t.Context(), stones, side)
	if err != nil {
		t.Fatal(err)
	}
	if a.Winner != winner {
		t.Errorf("%s: player %d wins, want %d", p.Text(), a.Winner, winner)
	}
	check(t, s, b, stones, side, winner)
}
