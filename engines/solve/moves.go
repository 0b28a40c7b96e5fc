package solve

import (
	"cmp"
	"context"
	"runtime"
	"sync"

	"spar/engines"
)

// instantCells is the number of cells up to which every position of a game won by connecting is proved at once: all
// moves of Hex on 5x5 in 0.04 s.
const instantCells = 25

// Instant reports whether ProveMoves finds the values of all moves in any position of a game in well under a second.
func Instant(g *engines.Game) bool {
	e, err := Endless(g)
	return err == nil && g.Cells() <= instantCells && solverOf(e, ProofOptions{Memory: 1}) != nil
}

// MoveProof is the proved value of a move for the side that makes it.
type MoveProof struct {
	Move engines.Move
	Proof
}

// ProveMoves proves each move of a position separately, as Prove does. When the proof of a move has finished, it calls
// each with the result; the order is arbitrary. The limits apply to each move.
func ProveMoves(ctx context.Context, s *engines.State, o ProofOptions, each func(MoveProof)) error {
	moves := s.AppendMoves(nil)
	solvers := make([]solver, min(cmp.Or(o.Workers, runtime.GOMAXPROCS(0)), len(moves)))
	o.Workers = 1
	for i := range solvers {
		solvers[i] = solverOf(s.Game(), o)
	}
	var mu sync.Mutex
	return parallel(ctx, len(solvers), len(moves), func(worker, i int) error {
		p, err := proveMove(ctx, s, moves[i], solvers[worker], o)
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			each(p)
		}
		return err
	})
}

func proveMove(
	ctx context.Context, s *engines.State, m engines.Move, c solver, o ProofOptions,
) (out MoveProof, err error) {
	next := *s
	next.Play(m)
	out.Move = m
	out.Proof, err = prove(ctx, &next, o, c)
	if next.Side() != s.Side() {
		out.AtLeast, out.AtMost = -out.AtMost, -out.AtLeast
	}
	return out, err
}
