package connect

import (
	"math"

	"spar/engines"
)

// Flow is the electrical current of a side from one of its edges to the other. A chain of stones conducts without
// resistance. Passing an empty cell has resistance 1. Bridges (two cells with two empty neighbours in common) conduct
// too.
type Flow struct {
	// conductance between the edges: 0 if they are cut off from each other, infinite if they are connected
	Conductance float64
	Share       [engines.CellSpace]float64 // fraction of the current that passes each empty cell, 0 to 1
	Wins        Bits                       // empty cells that connect the edges at once

	around reduced
	// for each cell, the neighbouring empty cells, then (from index direct on) the cells across a bridge
	nearby  [engines.CellSpace][]engines.Cell
	direct  [engines.CellSpace]int
	room    []engines.Cell
	x       [engines.CellSpace]float64 // potential of each cell
	source  [engines.CellSpace]float64 // conductance between each cell and the first edge
	sink    [engines.CellSpace]float64
	degree  [engines.CellSpace]float64
	residue [engines.CellSpace]float64
	step    [engines.CellSpace]float64
	image   [engines.CellSpace]float64
	cells   []engines.Cell
}

// Conductances of a bridge, and between a cell and an adjacent edge. The conductance between neighbours is 1/2.
const (
	viaBridge = 0.25
	toEdge    = 0.5
)

// Compute computes the flow of a side in a position.
func (f *Flow) Compute(b *Board, side int, s *Stones) {
	b.reduce(side, s, &f.around)
	empty, r := b.empty(s), &f.around
	edges := [2]engines.Cell{engines.Cell(b.n), engines.Cell(b.n + 1)}
	f.cells, f.room, f.Wins, f.Conductance = f.cells[:0], f.room[:0], Bits{}, math.Inf(1)
	if b.connected(side, s[side]) {
		clear(f.Share[:])
		return
	}
	rows := float64(b.g.Rows() + 1)
	for c := empty; !c.Empty(); c = c.Rest() {
		i := c.First()
		near := r[i].And(empty)
		var far Bits
		for u := near; !u.Empty(); u = u.Rest() {
			far = far.Or(r[u.First()])
		}
		from := len(f.room)
		f.room = near.Cells(f.room)
		f.direct[i] = len(f.room) - from
		var toward [2]float64
		for e, edge := range edges {
			if r[i].Has(edge) {
				toward[e] = 1
			} else if far.Has(edge) && r[edge].And(near).Count() > 1 {
				toward[e] = toEdge
			}
		}
		for far = far.And(empty).AndNot(near).Without(i); !far.Empty(); far = far.Rest() {
			if r[far.First()].And(near).Count() > 1 {
				f.room = append(f.room, far.First())
			}
		}
		f.nearby[i] = f.room[from:]
		f.source[i], f.sink[i] = toward[0], toward[1]
		f.degree[i] = toward[0] + toward[1] + float64(f.direct[i])/2 + float64(len(f.nearby[i])-f.direct[i])*viaBridge
		f.Share[i] = 0
		if r[i].Has(edges[0]) && r[i].Has(edges[1]) {
			f.Wins = f.Wins.With(i)
		}
		if f.degree[i] == 0 {
			continue
		}
		f.cells = append(f.cells, i)
		at := float64(int(i)/b.g.Columns() + 1)
		if side == 1 {
			at = float64(int(i)%b.g.Columns() + 1)
		}
		f.x[i] = max(0, 1-at/rows)
	}
	f.solve()
	f.share()
}

// times multiplies potentials by the conductance matrix.
func (f *Flow) times(v, out *[engines.CellSpace]float64) {
	for _, i := range f.cells {
		sum, bridges := 0.0, 0.0
		list := f.nearby[i]
		for _, u := range list[:f.direct[i]] {
			sum += v[u&engines.CellMask]
		}
		for _, u := range list[f.direct[i]:] {
			bridges += v[u&engines.CellMask]
		}
		out[i] = float64(f.degree[i]*v[i]) - float64(sum/2) - float64(bridges*viaBridge)
	}
}

// solve finds the potentials by conjugate gradients.
func (f *Flow) solve() {
	f.times(&f.x, &f.image)
	rr := 0.0
	for _, i := range f.cells {
		f.residue[i] = f.source[i] - f.image[i]
		f.step[i] = f.residue[i] / f.degree[i]
		rr += float64(f.residue[i] * f.step[i])
	}
	for n := 0; n < 60 && rr > 1e-5; n++ {
		f.times(&f.step, &f.image)
		da := 0.0
		for _, i := range f.cells {
			da += float64(f.step[i] * f.image[i])
		}
		if da <= 1e-300 {
			break
		}
		alpha, old := rr/da, rr
		rr = 0
		for _, i := range f.cells {
			f.x[i] += float64(alpha * f.step[i])
			f.residue[i] -= float64(alpha * f.image[i])
			rr += float64(f.residue[i] * f.residue[i] / f.degree[i])
		}
		beta := rr / old
		for _, i := range f.cells {
			f.step[i] = f.residue[i]/f.degree[i] + float64(beta*f.step[i])
		}
	}
}

// share computes the fraction of the current that passes each cell.
func (f *Flow) share() {
	f.Conductance = 0
	for _, i := range f.cells {
		f.Conductance += float64(f.source[i] * (1 - f.x[i]))
	}
	if f.Conductance < 1e-6 {
		f.Conductance = 0
		return
	}
	for _, i := range f.cells {
		in := float64(f.source[i]*(1-f.x[i])) + float64(f.sink[i]*f.x[i])
		for k, u := range f.nearby[i] {
			d := math.Abs(f.x[u&engines.CellMask] - f.x[i])
			if k < f.direct[i] {
				in += d / 2
			} else {
				in += float64(d * viaBridge)
			}
		}
		f.Share[i] = in / 2 / f.Conductance
	}
}
