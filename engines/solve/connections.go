package solve

import (
	"context"
	"errors"

	"spar/engines"
	"spar/engines/connect"
)

// connections solves positions of games that are won by connecting two edges. It keeps its table from one position
// to the next.
type connections struct {
	b *connect.Board
	s *connect.Solver
}

// newConnections returns nil for other kinds of games.
func newConnections(g *engines.Game, o ProofOptions) solver {
	b, err := connect.New(g)
	if err != nil || !b.Decisive {
		return nil
	}
	c := &connections{b: b, s: connect.NewSolver(b, connect.SolverLimits(), o.Memory)}
	if o.Progress != nil {
		c.s.Progress = func(n uint64) { o.Progress(ProofStatus{Nodes: n, Limit: o.Nodes}) }
	}
	return c
}

func (c *connections) prove(ctx context.Context, s *engines.State, o ProofOptions) (out Proof, ok bool, err error) {
	stones, ok := c.b.Read(s)
	if !ok {
		return out, false, nil
	}
	side := s.Side()
	out = unproved()
	if c.s.Nodes, c.s.Limit = 0, o.Nodes; o.Quick {
		c.s.Limit = max(1, o.Nodes/100) // one takes about as long as 100 positions of other searches
	}
	a, err := c.s.Solve(ctx, stones, side)
	if out.Nodes = c.s.Nodes; err != nil {
		if errors.Is(err, connect.ErrLimit) {
			err = nil
		}
		return out, true, err
	}
	if a.Winner == side {
		out.AtLeast, out.Move = Win, engines.PlaceMove(a.Move)
	} else {
		out.AtMost = Loss
	}
	return out, true, nil
}
