package puzzles

import (
	"context"

	"spar/engines"
	"spar/engines/solve"
)

// Limits bound the work for a position. They count positions, not time, so that a position always gives the same
// answer.
type Limits struct {
	Nodes  uint64 // maximum number of positions that the proof of a move may expand
	Memory int64  // maximum memory for the table of the rules in bytes; a larger game is searched instead
}

// DefaultLimits returns limits that are sufficient for the endings of large games.
func DefaultLimits() Limits { return Limits{Nodes: 100_000, Memory: 100 << 20} }

// solution is the only correct move of a position.
type solution struct {
	move         engines.Move
	value, other solve.Outcome
	plies        int
	proof        string
}

// prover proves that a single move keeps the value of a position: by the table if the rules can be solved, else by
// proof searches. Both ignore draws by repetition, like "spar solve". The table allows for the ply cap. A proof
// does not tell how long a win takes, so prover does not use searches near the cap.
type prover struct {
	table *solve.Table // table of the solved rules; nil: use proof searches
	nodes uint64
}

func newProver(ctx context.Context, g *engines.Game, l Limits) (*prover, error) {
	t, err := solve.Within(ctx, g, l.Memory)
	return &prover{t, l.Nodes}, err
}

func (p *prover) close() error {
	if p.table == nil {
		return nil
	}
	return p.table.Close()
}

// solve returns the only correct move. The result known is false if the limits are too small to decide.
func (p *prover) solve(ctx context.Context, s *engines.State) (sol solution, unique, known bool, err error) {
	if p.table != nil {
		sol, unique = p.look(s)
		return sol, unique, true, nil
	}
	return p.search(ctx, s)
}

// look finds the only correct move with the table.
func (p *prover) look(s *engines.State) (sol solution, unique bool) {
	sol = solution{value: solve.Loss, other: solve.Loss, proof: "table"}
	for _, m := range p.table.Moves(s) {
		v := m.Value.Under(s.Game().Rules().Draw.MaxPlies, s.Ply())
		switch o := v.Outcome; {
		case o > sol.value:
			sol.other, sol.value, sol.move, sol.plies, unique = sol.value, o, m.Move, v.DTW, true
		case o == sol.value:
			sol.other, unique = o, false
		case o > sol.other:
			sol.other = o
		}
	}
	if sol.value != solve.Win {
		sol.plies = 0
	}
	return sol, unique
}

// search proves the value of the position, then that no other move is as good. It stops at the first move without
// a proof.
func (p *prover) search(ctx context.Context, s *engines.State) (sol solution, unique, known bool, err error) {
	if limit := s.Game().Rules().Draw.MaxPlies; limit > 0 && limit-s.Ply() <= s.Game().Cells() {
		return sol, false, false, nil
	}
	whole, err := solve.Prove(ctx, s, solve.ProofOptions{Nodes: p.nodes})
	if err != nil || !whole.Known() {
		return sol, false, false, err
	}
	sol = solution{value: whole.AtLeast, other: solve.Loss, proof: "search"}
	if sol.value == solve.Loss {
		return sol, false, true, nil
	}
	keeps := 0
	for _, m := range s.AppendMoves(nil) {
		var next engines.State
		next.CopyFrom(s)
		next.Play(m)
		low, high, err := p.worth(ctx, &next, s.Side())
		if err != nil {
			return sol, false, false, err
		}
		switch {
		case low >= sol.value:
			sol.move = m
			if keeps++; keeps > 1 {
				return sol, false, true, nil
			}
		case high >= sol.value:
			return sol, false, false, nil
		default:
			sol.other = max(sol.other, high)
		}
	}
	return sol, keeps == 1, true, nil
}

// worth returns bounds of the value of a position for a side.
func (p *prover) worth(ctx context.Context, s *engines.State, side int) (low, high solve.Outcome, err error) {
	if s.Over() && s.Reason() != engines.ByPlyCap {
		o := solve.Outcome(2*s.Result().Score(side) - 1)
		return o, o, nil
	}
	r, err := solve.Prove(ctx, s, solve.ProofOptions{Nodes: p.nodes})
	if s.Side() != side {
		return -r.AtMost, -r.AtLeast, err
	}
	return r.AtLeast, r.AtMost, err
}
