package solve

import (
	"context"

	"spar/engines"
)

// drawless reports whether games under rules without draws by repetition or by a limit of plies always have a winner.
func drawless(g *engines.Game) bool {
	r := g.Rules()
	fills := r.Draw.FullBoard && r.IdleAt("draw.full_board") == "" || r.Win.Majority
	stuck := r.NoMoves == "loss" || r.NoMoves == "win"
	return stuck && !fills && r.Draw.Quiet == 0 && !g.MayNotEnd() || solverOf(g, ProofOptions{Memory: 1}) != nil
}

// pieProver proves positions in which the second player may still swap, by positions in which nobody may. The second
// player has the better of two values: that of a position for its own side, and that after the swap.
type pieProver struct {
	ctx     context.Context
	o       ProofOptions
	plain   *engines.Game // the game without a pie rule
	mirrors bool          // a swap only changes who has which side
	settled bool          // so the second player always wins
	seen    map[uint64]Proof
	nodes   uint64
	c       solver // nil if the game has none
}

func newPieProver(ctx context.Context, g *engines.Game, o ProofOptions, c solver) *pieProver {
	plain := g.WithoutPie()
	mirrors := plain.SwapMirrors(g.Rules().Turn.Pie)
	return &pieProver{
		ctx:     ctx,
		o:       o,
		c:       c,
		plain:   plain,
		mirrors: mirrors,
		settled: mirrors && drawless(plain),
		seen:    map[uint64]Proof{},
	}
}

func provePie(ctx context.Context, s *engines.State, o ProofOptions, c solver) (Proof, error) {
	p := newPieProver(ctx, s.Game(), o, c)
	out, err := p.open(s)
	out.Nodes, out.Method = p.nodes, "pie rule"
	return out, err
}

func unproved() Proof { return Proof{AtLeast: Loss, AtMost: Win, Move: engines.NoMove} }

// value returns the value of a position for a side.
func (p *pieProver) value(s *engines.State, side int) (out Proof, err error) {
	if s.Over() {
		v := resultFor(s.Result(), side)
		return Proof{AtLeast: v, AtMost: v, Move: engines.NoMove}, nil
	}
	if h := s.CanonicalHash(); s.PieOpen() {
		known := false
		if out, known = p.seen[h]; !known {
			out, err = p.open(s)
			p.seen[h] = out
		}
	} else {
		out, err = p.search(s)
	}
	if s.Side() != side {
		out.AtLeast, out.AtMost = -out.AtMost, -out.AtLeast
	}
	return out, err
}

// search proves a position in which nobody may swap, within what is left of the limit.
func (p *pieProver) search(s *engines.State) (Proof, error) {
	o, before := p.o, p.nodes
	if o.Nodes > 0 {
		if o.Nodes <= before {
			return unproved(), p.ctx.Err()
		}
		o.Nodes -= before
	}
	if o.Progress != nil {
		o.Progress = func(now ProofStatus) {
			p.o.Progress(ProofStatus{Nodes: before + now.Nodes, Limit: p.o.Nodes})
		}
	}
	out, err := prove(p.ctx, s, o, p.c)
	p.nodes += out.Nodes
	return out, err
}

// open proves a position in which the second player may still swap, for its side to move.
func (p *pieProver) open(s *engines.State) (Proof, error) {
	if s.MaySwap() {
		return p.answer(s)
	}
	side, best := s.Side(), Draw // more than a draw the first player cannot have if a swap only changes the sides
	var after []engines.State
	for _, m := range s.AppendMoves(nil) {
		next := *s
		if next.Play(m); resultFor(next.Result(), side) == Win {
			return Proof{AtLeast: Win, AtMost: Win, Move: m}, nil
		}
		if !p.mirrors || !next.Over() && !next.MaySwap() {
			best = Win
		}
		if !(p.settled && next.MaySwap()) {
			after = append(after, next)
		}
	}
	out := Proof{AtLeast: Loss, AtMost: Loss, Move: engines.NoMove}
	for i := range after {
		v, err := p.value(&after[i], side)
		if err != nil {
			return Proof{AtLeast: out.AtLeast, AtMost: best, Move: engines.NoMove}, err
		}
		if v.AtLeast == Win {
			out.Move = after[i].Last()
		}
		if out.AtLeast, out.AtMost = max(out.AtLeast, v.AtLeast), max(out.AtMost, v.AtMost); out.AtLeast >= best {
			break
		}
	}
	return out, nil
}

// answer proves a position in which the side to move may swap.
func (p *pieProver) answer(s *engines.State) (Proof, error) {
	kept := p.plain.Adopt(s)
	out, err := p.search(&kept)
	if out.AtLeast == Win {
		return out, nil
	}
	swapped := Proof{AtLeast: -out.AtMost, AtMost: -out.AtLeast}
	if !p.mirrors && err == nil {
		next := *s
		next.Play(engines.Swap)
		swapped, err = p.value(&next, s.Side())
	}
	if swapped.AtLeast == Win {
		out.Move = engines.Swap
	}
	out.AtLeast = max(out.AtLeast, swapped.AtLeast)
	out.AtMost = max(out.AtMost, swapped.AtMost)
	switch { // the better of a value and its opposite
	case p.settled:
		out.AtLeast = Win
	case p.mirrors:
		out.AtLeast = max(out.AtLeast, Draw)
	}
	if out.Known() {
		err = nil
	}
	return out, err
}
