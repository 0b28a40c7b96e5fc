package accuracy

import (
	"context"

	"spar/engines"
	"spar/engines/solve"
)

// Values gives the exact values of moves, from a table of all positions or by a proof for each position.
type Values interface {
	verdict(p *engines.Position, m engines.Move) verdict
	// Proves reports whether each value needs a proof, which takes long and may fail.
	Proves() bool
}

// verdict is the answer about one move.
type verdict struct {
	value   solve.Value // exact value of the position
	best    engines.Move
	loss    float64
	optimal bool
	known   bool
}

// Table returns the values of a solved game. It caches the answers, because games repeat positions.
func Table(t *solve.Table) Values { return &bench{t, map[decision]verdict{}} }

type bench struct {
	table *solve.Table
	known map[decision]verdict
}

type decision struct {
	position uint64
	ply      int
	quiet    int
	move     engines.Move
}

func (b *bench) Proves() bool { return false }

func (b *bench) verdict(p *engines.Position, m engines.Move) verdict {
	limit := p.Game().Rules().Draw.MaxPlies
	key := decision{p.Hash(), 0, p.Quiet(), m}
	if limit > 0 {
		key.ply = p.Ply() // the nearer the cap, the more is a draw
	}
	v, ok := b.known[key]
	if ok {
		return v
	}
	if best := b.table.Best(&p.State); len(best) > 0 {
		v = verdict{value: best[0].Value, best: best[0].Move, known: true}
		for _, r := range b.table.Moves(&p.State) {
			if r.Move == m {
				value := r.Value.Under(limit, p.Ply())
				v.loss = v.value.Outcome.Points() - value.Outcome.Points()
				v.optimal = value == v.value
			}
		}
	}
	b.known[key] = v
	return v
}

// provable reports whether proofs give the values of positions of a game: it has a prover of its own, and no limit of
// plies, which proofs ignore.
func provable(g *engines.Game) bool {
	r := g.Rules()
	return solve.HasProver(g) && (r.Draw.MaxPlies == 0 || r.IdleAt("draw.max_plies") != "")
}

// ValuesOf returns the values of a game: from a table if it fits into memory, otherwise by proofs if proof is not nil
// and the game can be proved.
func ValuesOf(ctx context.Context, g *engines.Game, table solve.Options, proof *solve.ProofOptions) (Values, error) {
	t, err := solve.Solve(ctx, g, table)
	switch {
	case err == nil:
		return Table(t), nil
	case ctx.Err() == nil && proof != nil && provable(g):
		return &proofs{ctx, *proof}, nil
	}
	return nil, err
}

// proofs are values that are proved one by one within the limits. Positions that take more have no value. Distances to
// the end are not known.
type proofs struct {
	ctx context.Context
	o   solve.ProofOptions
}

func (b *proofs) Proves() bool { return true }

func (b *proofs) verdict(p *engines.Position, m engines.Move) verdict {
	before, err := solve.Prove(b.ctx, &p.State, b.o)
	if err != nil || !before.Known() {
		return verdict{}
	}
	v := verdict{value: solve.Value{Outcome: before.AtLeast}, best: before.Move}
	after, known := b.after(p, m)
	if v.loss, v.known = before.AtLeast.Points()-after.Points(), known; v.loss <= 0 || v.best != engines.NoMove {
		return v
	}
	for _, other := range p.AppendMoves(nil) {
		if value, known := b.after(p, other); known && value == before.AtLeast {
			v.best = other
			break
		}
	}
	return v
}

// after proves the value of a move for the side that makes it.
func (b *proofs) after(p *engines.Position, m engines.Move) (solve.Outcome, bool) {
	next := p.State
	next.Play(m)
	r, err := solve.Prove(b.ctx, &next, b.o)
	if next.Side() != p.Side() {
		return -r.AtLeast, err == nil && r.Known()
	}
	return r.AtLeast, err == nil && r.Known()
}
