package connection

import (
	"context"
	"time"

	"spar/engines"
	"spar/engines/connect"
)

// Root looks for a proved win before a search begins, and for the moves that can stop a win of the other side.
// Only one goroutine may use it at a time.
type Root struct {
	m    *Model
	s    *connect.Solver
	flow connect.Flow
}

// deepest is the largest board, in cells, on which the search looks for proofs beyond connections that already exist.
const deepest = 64

// shortest is the shortest time budget with which a search on a larger board looks for a proof, which takes some 2 ms.
const shortest = 40 * time.Millisecond

// NewRoot returns a Root for the game of a model, or nil for games in which a full board may have no winner.
func NewRoot(m *Model) *Root {
	if m.b.Decisive {
		return &Root{m: m}
	}
	return nil
}

// Finding is the result of Root.Look. Win is a winning move, or NoMove if no win is proved. Moves are the moves that
// are not proved to lose; nil = all.
type Finding struct {
	Win    engines.Move
	Moves  []engines.Move
	Looked int64 // number of positions searched
}

// Look searches for a fraction of the time until deadline, or until it has searched the given number of positions. If
// neither is set, it uses a default number of positions.
func (r *Root) Look(ctx context.Context, s *engines.State, deadline time.Time, positions int64) Finding {
	out := Finding{Win: engines.NoMove}
	stones, ok := r.m.b.Read(s)
	large, left := s.Game().Cells() > deepest, time.Until(deadline)
	if !ok || large && !deadline.IsZero() && left < shortest {
		return out
	}
	if r.s == nil {
		r.s = connect.NewSolver(r.m.b, connect.Limits{Full: 4, Semi: 8, Depth: 1}, 1<<22)
	}
	r.s.Forget()
	r.s.Nodes = 0
	r.s.Limit = 200
	r.s.Work = 4000
	r.s.Until = time.Time{}
	if positions > 0 {
		r.s.Limit = uint64(positions+7) / 8
	}
	r.s.Straight = deadline.IsZero()
	if !deadline.IsZero() {
		r.s.Limit, r.s.Work = 1<<62, min(4000, max(200, int(40*left.Milliseconds())))
		r.s.Until = deadline.Add(-left * 2 / 3)
	}
	if large {
		r.s.Limit = 1
	}
	side := s.Side()
	a, err := r.s.Solve(ctx, stones, side)
	out.Looked = int64(r.s.Nodes)
	switch {
	case err != nil:
		for c := range r.s.Must.Each {
			out.Moves = append(out.Moves, engines.PlaceMove(c))
		}
	case a.Winner == side:
		out.Win = engines.PlaceMove(r.nearest(&stones, side, a))
	}
	return out
}

// nearest returns the first move of a win. If several moves of the proved connection win, it returns the one with
// the strongest current.
func (r *Root) nearest(stones *connect.Stones, side int, a connect.Answer) engines.Cell {
	if !a.Any {
		return a.Move
	}
	r.flow.Compute(r.m.b, side, stones)
	best := a.Move
	for c := range a.Carrier.Each {
		if r.flow.Share[c] > r.flow.Share[best] {
			best = c
		}
	}
	return best
}
