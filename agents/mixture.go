package agents

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"spar/engines"
)

// mixed applies an agent's mixture. It follows a book first, then sometimes plays a random move or mirrors the
// opponent; otherwise it asks the wrapped agent.
type mixed struct {
	Agent
	mirror      *mirror
	restriction *restriction
	epsilon     float64
	book        map[bookPlace]engines.Move
	moves       []engines.Move
}

func newMixed(a Agent, m Mixture, r *restriction, g *engines.Game) (Agent, error) {
	x := &mixed{
		Agent:       a,
		restriction: r,
		epsilon:     m.Epsilon,
		book:        map[bookPlace]engines.Move{},
	}
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

// bookPlace identifies a position of the opening, so that transpositions share an entry.
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

// Prepare prepares the wrapped agent.
func (x *mixed) Prepare(ctx context.Context) error {
	if p, ok := x.Agent.(Preparer); ok {
		return p.Prepare(ctx)
	}
	return nil
}

// Close closes the wrapped agent.
func (x *mixed) Close() error {
	if c, ok := x.Agent.(Closer); ok {
		return c.Close()
	}
	return nil
}

// Sleep ends the process of the wrapped agent until the next decision.
func (x *mixed) Sleep() {
	if s, ok := x.Agent.(Sleeper); ok {
		s.Sleep()
	}
}

// Timed reports whether the wrapped agent is timed: see the function Timed.
func (m *mixed) Timed() bool { return Timed(m.Agent) }
