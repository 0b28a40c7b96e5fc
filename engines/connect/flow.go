package connect

import "spar/engines"

// Flow sends a current from one edge of a side to the other. A neighbour of a chain is a neighbour of all its
// neighbours; passing an empty cell resists by 1. It returns the conductance, which is 0 where the edges are cut off
// from each other, and writes the share of the current that passes each empty cell.
func (b *Board) Flow(side int, s *Stones, through *[engines.CellSpace]float64) float64 {
	var r reduced
	b.reduce(side, s, &r)
	empty := b.empty(s)
	source, sink := engines.Cell(b.n), engines.Cell(b.n+1)
	// Conductances: 1/2 between two cells, 1 between a cell and an edge.
	var degree, x, residue, direction, image [engines.CellSpace]float64
	var cells [engines.CellSpace]engines.Cell
	list := cells[:0]
	for c := empty; !c.Empty(); c = c.Rest() {
		i := c.First()
		through[i] = 0
		around := r[i]
		if around.Empty() {
			continue
		}
		list = append(list, i)
		degree[i] = float64(around.Count()) / 2
		if around.Has(source) {
			degree[i] += 0.5
			residue[i] = 1
		}
		if around.Has(sink) {
			degree[i] += 0.5
		}
		x[i] = 0.5
	}
	times := func(v, out *[engines.CellSpace]float64) {
		for _, i := range list {
			sum := 0.0
			for u := r[i].And(empty); !u.Empty(); u = u.Rest() {
				sum += v[u.First()&engines.CellMask]
			}
			out[i] = degree[i]*v[i] - sum/2
		}
	}
	times(&x, &image)
	rr := 0.0
	for _, i := range list {
		residue[i] -= image[i]
		direction[i] = residue[i] / degree[i]
		rr += float64(residue[i] * direction[i])
	}
	for range 40 {
		if rr < 1e-6 {
			break
		}
		times(&direction, &image)
		da := 0.0
		for _, i := range list {
			da += float64(direction[i] * image[i])
		}
		if da <= 0 {
			break
		}
		alpha, old := rr/da, rr
		rr = 0
		for _, i := range list {
			x[i] += float64(alpha * direction[i])
			residue[i] -= float64(alpha * image[i])
			rr += float64(residue[i] * residue[i] / degree[i])
		}
		for _, i := range list {
			direction[i] = residue[i]/degree[i] + float64(rr/old*direction[i])
		}
	}
	total := 0.0
	for _, i := range list {
		if r[i].Has(source) {
			total += 1 - x[i]
		}
	}
	if total <= 1e-9 {
		return 0
	}
	for _, i := range list {
		in := 0.0
		if r[i].Has(source) {
			in += 1 - x[i]
		}
		if r[i].Has(sink) {
			in += x[i]
		}
		for u := r[i].And(empty); !u.Empty(); u = u.Rest() {
			if d := x[u.First()&engines.CellMask] - x[i]; d > 0 {
				in += d / 2
			} else {
				in -= d / 2
			}
		}
		through[i] = in / 2 / total
	}
	return total
}
