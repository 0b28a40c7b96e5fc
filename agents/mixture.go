package agents

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"spar/engines"
)

// restriction takes moves away from an agent, as long as it has others.
type restriction struct {
	neverCaptures bool
	centre        engines.Bits
	moves         []engines.Move
	next          engines.State
}

func newRestriction(m Mixture, g *engines.Game) (*restriction, error) {
	if !m.NeverCaptures && !m.NeverCentre {
		return nil, nil
	}
	r := &restriction{neverCaptures: m.NeverCaptures}
	if m.NeverCentre {
		for c := range g.Cells() {
			x, y := c%g.Columns(), c/g.Columns()
			if abs(2*x-g.Columns()+1) <= 1 && abs(2*y-g.Rows()+1) <= 1 {
				r.centre = r.centre.With(engines.Cell(c))
			}
		}
	}
	return r, nil
}

func abs(x int) int { return max(x, -x) }

// allowed returns the moves that may be chosen; nil means all.
func (r *restriction) allowed(p *engines.Position) []engines.Move {
	if r == nil {
		return nil
	}
	r.moves = p.AppendMoves(r.moves[:0])
	enemy := p.Pieces(1 - p.Side()).Count()
	kept := slices.DeleteFunc(slices.Clone(r.moves), func(m engines.Move) bool {
		if m.IsPlacement() && r.centre.Has(m.To()&127) {
			return true
		}
		if !r.neverCaptures {
			return false
		}
		r.next.CopyFrom(&p.State)
		r.next.Play(m)
		return m != engines.Swap && r.next.Pieces(1-p.Side()).Count() < enemy
	})
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// common is what every choosing agent needs.
type common struct {
	*restriction
	ties    string
	softmax float64
	budget  Budget
}

// pick draws among the best moves, or takes the first, and returns those that it may choose.
func (c *common) pick(best []engines.Move, rng *rand.Rand) (engines.Move, []engines.Move) {
	if c.ties == "first" || len(best) == 1 {
		return best[0], best[:1]
	}
	return best[rng.IntN(len(best))], best
}

// soften draws a move with weights exp(score/temperature). Scores run from 0 to 1; NaN is left out.
func soften(moves []engines.Move, scores []float64, temperature float64, rng *rand.Rand) engines.Move {
	top := math.Inf(-1)
	for _, s := range scores {
		if !math.IsNaN(s) {
			top = max(top, s)
		}
	}
	total, weights := 0.0, make([]float64, len(scores))
	for i, s := range scores {
		if !math.IsNaN(s) {
			weights[i] = math.Exp((s - top) / temperature)
			total += weights[i]
		}
	}
	at := rng.Float64() * total
	for i, w := range weights {
		if at -= w; at < 0 && w > 0 {
			return moves[i]
		}
	}
	return moves[0]
}

// mixed plays random moves at times, mirrors the opponent, and follows a book at first.
type mixed struct {
	Agent
	mirror      *mirror
	restriction *restriction
	epsilon     float64
	book        map[bookPlace]engines.Move
	moves       []engines.Move
	g           *engines.Game
}

func newMixed(a Agent, m Mixture, r *restriction, g *engines.Game) (Agent, error) {
	x := &mixed{Agent: a, restriction: r, epsilon: m.Epsilon, book: map[bookPlace]engines.Move{}, g: g}
	if m.Mirrors {
		x.mirror = newMirror(g)
	}
	for i, line := range m.OpeningBook {
		p := g.NewPosition()
		for _, text := range strings.Fields(line) {
			mv, err := p.ParseMove(text)
			if err != nil {
				return nil, fmt.Errorf("mixture.opening_book[%d]: %w", i, engines.PlyError{Ply: p.Ply() + 1, Err: err})
			}
			if _, ok := x.book[bookKey(&p.State)]; !ok {
				x.book[bookKey(&p.State)] = mv
			}
			p.Play(mv)
		}
	}
	return x, nil
}

// bookPlace names a position of the opening: transpositions meet.
type bookPlace struct {
	hash uint64
	ply  int
}

func bookKey(s *engines.State) bookPlace { return bookPlace{s.Hash(), s.Ply()} }

func (x *mixed) Choose(ctx context.Context, p *engines.Position, b Budget, rng *rand.Rand) (Decision, error) {
	if m, ok := x.book[bookKey(&p.State)]; ok {
		return Decision{Move: m, Best: []engines.Move{m}, Score: math.NaN()}, nil
	}
	if x.epsilon > 0 && rng.Float64() < x.epsilon {
		moves := x.all(p)
		return Decision{Move: moves[rng.IntN(len(moves))], Best: moves, Score: math.NaN()}, nil
	}
	d := Decision{Score: math.NaN()}
	if m, ok := x.mirror.answer(p, x.restriction); ok {
		d.Move, d.Best = m, []engines.Move{m}
	} else {
		var err error
		if d, err = x.Agent.Choose(ctx, p, b, rng); err != nil {
			return d, err
		}
	}
	if x.epsilon > 0 { // any move may come
		d.Best = x.all(p)
	}
	return d, nil
}

// all returns the moves that may be chosen.
func (x *mixed) all(p *engines.Position) []engines.Move {
	if allowed := x.restriction.allowed(p); allowed != nil {
		return allowed
	}
	x.moves = p.AppendMoves(x.moves[:0])
	return x.moves
}

// Prepare prepares the agent inside.
func (x *mixed) Prepare(ctx context.Context) error {
	if p, ok := x.Agent.(Preparer); ok {
		return p.Prepare(ctx)
	}
	return nil
}

// Close closes the agent inside.
func (x *mixed) Close() error {
	if c, ok := x.Agent.(Closer); ok {
		return c.Close()
	}
	return nil
}

// Sleep lets the agent inside give up its process.
func (x *mixed) Sleep() {
	if s, ok := x.Agent.(Sleeper); ok {
		s.Sleep()
	}
}
