package connect

import "spar/engines"

// reduced is the board from one side's view, as neighbours of each empty cell. Chains of own stones are contracted: the
// cells around a chain are neighbours of each other. The edges are cells n and n+1.
type reduced [engines.CellSpace]Bits

// reduce writes the board from the view of a side to r.
func (b *Board) reduce(side int, s *Stones, r *reduced) {
	own, empty := s[side], b.empty(s)
	for c := empty; !c.Empty(); c = c.Rest() {
		r[c.First()] = b.near[c.First()].And(empty)
	}
	for i, edge := range b.edges[side] {
		chain := b.flood(edge.And(own), own)
		own = own.AndNot(chain)
		r[b.n+i] = b.rim(chain).Or(edge).And(empty)
		for c := r[b.n+i]; !c.Empty(); c = c.Rest() {
			r[c.First()] = r[c.First()].With(engines.Cell(b.n + i))
		}
	}
	for !own.Empty() {
		chain := b.flood(Bits{}.With(own.First()), own)
		own = own.AndNot(chain)
		beside := b.rim(chain).And(empty)
		for c := beside; !c.Empty(); c = c.Rest() {
			r[c.First()] = r[c.First()].Or(beside)
		}
	}
	for c := empty; !c.Empty(); c = c.Rest() {
		r[c.First()] = r[c.First()].Without(c.First())
	}
}

// killers reports whether an empty cell is dead because all its neighbours are neighbours of each other. Otherwise it
// returns the cells where one enemy stone would make it dead.
func (b *Board) killers(r *reduced, c engines.Cell) (dead bool, by Bits) {
	around := r[c]
	by, dead = around, true
	for u := around; !u.Empty(); u = u.Rest() {
		lacks := around.AndNot(r[u.First()]).Without(u.First())
		if lacks.Empty() {
			continue
		}
		dead = false
		if lacks.Rest().Empty() {
			by = by.And(lacks.With(u.First()))
		} else {
			by = by.And(Bits{}.With(u.First()))
		}
	}
	return dead, by.And(b.cells)
}

// Filling is a position in which dead and captured cells are filled with stones.
type Filling struct {
	Stones Stones  // stones including the filled cells; dead cells go to the first side
	Taken  [2]Bits // captured cells, by owner
	// by side and empty cell: the cells on which a stone of that side makes the cell dead
	kills [2][engines.CellSpace]Bits
}

// Fill fills dead and captured cells until none is left, and writes the result to f.
func (b *Board) Fill(s Stones, f *Filling) {
	f.Stones, f.Taken = s, [2]Bits{}
	var r reduced
again:
	for side := range 2 {
		b.reduce(side, &f.Stones, &r)
		foe := 1 - side
		for c := b.empty(&f.Stones); !c.Empty(); c = c.Rest() {
			dead, by := b.killers(&r, c.First())
			if dead {
				f.Stones[0] = f.Stones[0].With(c.First())
				goto again
			}
			f.kills[foe][c.First()] = by
			for ; !by.Empty(); by = by.Rest() {
				if a := by.First(); a < c.First() && f.kills[foe][a].Has(c.First()) {
					both := Bits{}.With(a).With(c.First())
					f.Stones[foe] = f.Stones[foe].Or(both)
					f.Taken[foe] = f.Taken[foe].Or(both)
					goto again
				}
			}
		}
	}
}
