package sources

import (
	"math"

	"spar/engines"
	"spar/engines/grid"
)

// ctor is the heuristic player of CTOR. It scores every cell by its surroundings before the placement, without search
// and without trying captures. It counts neighbours as on a torus, whatever the board's edges.
type ctor struct {
	columns, rows int
	near          [grid.MaxCells]engines.Bits // the eight neighbours on the torus
	reach         [grid.MaxCells]engines.Bits // the twelve cells one or two orthogonal steps away
}

func newCtor(level string, g *engines.Game) (source, error) {
	r := g.Rules()
	columns, rows := g.Columns(), g.Rows()
	needs := append(placesOnly(r),
		need{"board.columns", columns >= 5, "5 or more", columns},
		need{"board.rows", rows >= 5, "5 or more", rows},
		need{"surround.threshold", r.Surround.Threshold > 0, "1 or more", r.Surround.Threshold},
	)
	if err := fit(level, g, needs); err != nil {
		return nil, err
	}
	p := &ctor{columns: columns, rows: rows}
	for c := range g.Cells() {
		for dy := -2; dy <= 2; dy++ {
			for dx := -2; dx <= 2; dx++ {
				x, y := (c%columns+dx+columns)%columns, (c/columns+dy+rows)%rows
				n := engines.Cell(y*columns + x)
				if n == engines.Cell(c) {
					continue
				}
				if max(dx, -dx) <= 1 && max(dy, -dy) <= 1 {
					p.near[c] = p.near[c].With(n)
				}
				if max(dx, -dx)+max(dy, -dy) <= 2 {
					p.reach[c] = p.reach[c].With(n)
				}
			}
		}
	}
	return p, nil
}

// choose takes the highest score; among equals the leftmost column, and in it the top row.
func (p *ctor) choose(s *engines.State, legal []engines.Move, c *Choice) {
	own, enemy := s.Pieces(s.Side()), s.Pieces(1-s.Side())
	var free engines.Bits
	for cell := range p.columns * p.rows {
		if at := engines.Cell(cell); !own.Has(at) && !enemy.Has(at) {
			free = free.With(at)
		}
	}
	var bonus [grid.MaxCells]int // by enemy piece: what it adds to the cells around it
	for b := enemy; !b.Empty(); b = b.Rest() {
		q := b.First()
		if k := p.near[q].And(enemy).Count(); k >= 3 {
			bonus[q] = 15 + 3*k
		}
	}
	var chosen engines.Move
	best, first := math.Inf(-1), 0
	for _, m := range legal {
		cell := m.To()
		v := p.score(cell, own, enemy, free, &bonus)
		order := int(cell)%p.columns*p.rows + int(cell)/p.columns
		if v > best || v == best && order < first {
			chosen, best, first = m, v, order
		}
	}
	c.only(chosen, best)
	c.Nodes = int64(len(legal))
}

// score returns the weighted sum of six terms, added in the order of the original source.
func (p *ctor) score(cell engines.Cell, own, enemy, free engines.Bits, bonus *[grid.MaxCells]int) float64 {
	around := p.near[cell]
	mine := around.And(own).Count()
	theirs := around.And(enemy).Count()
	empty := around.And(free).Count()
	room := p.reach[cell].And(free).Count()
	support, danger, group, pressure := 0, 0, 0, 0
	if mine >= 3 {
		support = 5
	}
	if mine >= 4 {
		support += 10
	}
	if theirs >= 3 {
		danger = 20 + 5*theirs
	}
	if mine >= 2 {
		group = 10*mine + 2*empty
	}
	for b := around.And(enemy); !b.Empty(); b = b.Rest() {
		pressure += bonus[b.First()]
	}
	// The conversions keep each product rounded by itself: the same ties on machines that fuse a product and a sum.
	v := float64(1.5*float64(room)) + float64(1.2*float64(support))
	v += float64(0.8 * float64(empty))
	v += float64(2 * float64(danger))
	v += float64(1.5 * float64(group))
	return v + float64(1.8*float64(pressure))
}
