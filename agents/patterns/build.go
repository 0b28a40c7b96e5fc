package patterns

import (
	"encoding/binary"
	"fmt"
	"slices"

	"spar/engines"
)

// builder builds a layout.
type builder struct {
	*Layout
	views    [2][]int         // for each side, the order in which it sees the places
	images   [][]int          // images of the places under the symmetries
	rows     map[string]int32 // index of each row of steps, by its content
	looked   map[string]int32 // entries of patterns that were made, by the views of both sides
	orbits   map[string]int
	stepRows map[string]uint32
}

// groups returns the number of contexts that have their own numbers. If the architecture has no colours, both
// sides share them.
func (b *builder) groups() int {
	if b.arch.Colour {
		return b.lanes
	}
	return b.contexts
}

func (b *builder) context(lane int) int {
	if b.arch.Colour {
		return lane
	}
	return lane % b.contexts
}

// add appends a pattern: its numbers, its table and its updates.
func (b *builder) add(p pattern) error {
	size := p.size(b.arch.states(), b.game)
	var by [2]view
	for side := range by {
		by[side] = b.seen(p, side, size)
	}
	looked := fmt.Sprint(by[0].orbit, by[0].order, by[1].orbit, by[1].order)
	row, ok := b.looked[looked]
	if !ok {
		var err error
		if row, err = b.row(by, size); err != nil {
			return err
		}
		b.looked[looked] = row
	}
	n := uint32(len(b.starts))
	b.starts = append(b.starts, row)
	b.patterns = append(b.patterns, p)
	for i, place := range p.places {
		b.updates[place] = append(b.updates[place], b.step(&p, i, n))
	}
	return nil
}

// row finds or adds the table entries of a pattern with given views of both sides.
func (b *builder) row(by [2]view, size int) (int32, error) {
	entries := make([]int32, size*b.lanes)
	for side := range by {
		ids, o := by[side].ids, &b.reps[by[side].orbit]
		for lane := side * b.contexts; lane < (side+1)*b.contexts; lane++ {
			for i, id := range ids {
				entries[i*b.lanes+lane] = -1
				if id >= 0 {
					entries[i*b.lanes+lane] = int32(o.first + b.context(lane)*o.count + int(id))
				}
			}
		}
	}
	key := make([]byte, 0, 4*len(entries))
	for _, id := range entries {
		key = binary.LittleEndian.AppendUint32(key, uint32(id))
	}
	row, ok := b.rows[string(key)]
	if !ok {
		row = int32(len(b.ids))
		b.rows[string(key)] = row
		b.ids = append(b.ids, entries...)
		if 2*len(b.ids) > 4*maxBytes {
			return 0, fmt.Errorf("%w: the tables need more than %d MB", ErrTables, 4*maxBytes>>20)
		}
	}
	return row, nil
}

// step finds or adds the row of what the states of a place add to a pattern's index. Number is that of the pattern.
func (b *builder) step(p *pattern, i int, number uint32) update {
	states := b.arch.states()
	if p.kind == handKind {
		states = b.hands + 1
	}
	row := make([]int32, states)
	for s := range row {
		row[s] = int32(p.part(i, s, b.arch.states(), b.game) * b.lanes)
	}
	key := fmt.Sprint(row)
	at, ok := b.stepRows[key]
	if !ok {
		at = uint32(len(b.steps))
		b.stepRows[key] = at
		b.steps = append(b.steps, row)
	}
	in := update{pattern: number, step: at}
	copy(in.by[:], row)
	return in
}

// part returns how much a state of the ith place adds to the index.
func (p *pattern) part(i, state, states int, g *engines.Game) int {
	buckets := (states - 1) / 2
	switch p.kind {
	case ringKind:
		side := 0 // whose piece, plus 1
		if state > 0 && state <= 2*buckets {
			side = 1 + (state-1)/buckets
		}
		if i == 0 {
			return 81 * side
		}
		return [3]int{0, 9, 1}[side]
	case handKind:
		if i == 0 {
			return state * (handMost(g) + 1)
		}
		return state
	}
	for range i {
		state *= states
	}
	return state
}

// view is how a side sees a pattern: for each index, the index of the number within the orbit.
type view struct {
	ids   []int32
	orbit int
	order string // order of the places in the orbit's ids, and whether the sides are exchanged
}

// seen returns how a side sees a pattern.
func (b *builder) seen(p pattern, side, size int) view {
	swap := !b.arch.Colour && side == engines.Second
	best, order := []int(nil), []int(nil)
	moved := make([]int, len(p.places))
	for _, image := range b.images {
		if p.kind == shapeKind { // cells are numbered along every line
			best, order = identity(len(p.places)), identity(len(p.places))
			break
		}
		for i, place := range p.places {
			moved[i] = image[b.views[side][place]]
		}
		if best != nil && p.first(moved) > best[0] { // on a torus nearly all of some hundred symmetries
			continue
		}
		sorted := p.sorted(moved)
		if best == nil || slices.Compare(sorted, best) < 0 {
			best, order = sorted, p.order(moved, sorted)
		}
	}
	name := fmt.Sprint(p.table, best)
	at, ok := b.orbits[name]
	if !ok {
		at = len(b.reps)
		b.orbits[name] = at
		o := orbit{
			table:  p.table,
			kind:   p.kind,
			places: best,
			first:  b.params,
			cached: map[string][]int32{},
		}
		o.ids, o.count = b.tie(p.kind, best, size)
		b.params += o.count * b.groups()
		b.reps = append(b.reps, o)
	}
	o := &b.reps[at]
	key := fmt.Sprint(order, swap)
	if ids, ok := o.cached[key]; ok {
		return view{ids, at, key}
	}
	ids := make([]int32, size)
	for i := range ids {
		ids[i] = o.ids[p.reindex(i, order, swap, b.arch.states(), b.game)]
	}
	o.cached[key] = ids
	return view{ids, at, key}
}

// first returns the place that comes first when the places are sorted.
func (p *pattern) first(moved []int) int {
	if p.kind == ringKind {
		return moved[0]
	}
	return slices.Min(moved)
}

// sorted returns the places in the order in which patterns are compared. The first place of a ring stays first, and
// hands keep their order.
func (p *pattern) sorted(moved []int) []int {
	out := slices.Clone(moved)
	if p.kind == ringKind {
		slices.Sort(out[1:])
	} else {
		slices.Sort(out)
	}
	return out
}

// order returns, for each place, its index in the new order.
func (p *pattern) order(moved, sorted []int) []int {
	out := make([]int, len(moved))
	for i, place := range moved {
		out[i] = slices.Index(sorted, place)
	}
	return out
}

// reindex returns the index after the places are reordered and, if swap is set, the sides are exchanged.
func (p *pattern) reindex(index int, order []int, swap bool, states int, g *engines.Game) int {
	switch p.kind {
	case ringKind:
		if !swap {
			return index
		}
		own, first, second := index/81, index/9%9, index%9
		return 81*[3]int{0, 2, 1}[own] + 9*second + first
	case handKind:
		if order[0] == 0 {
			return index
		}
		n := handMost(g) + 1
		return index%n*n + index/n
	}
	buckets, out := (states-1)/2, 0
	for _, to := range order {
		state := index % states
		index /= states
		if swap && state > 0 && state <= 2*buckets {
			state = 1 + (state-1+buckets)%(2*buckets)
		}
		out += p.part(to, state, states, g)
	}
	return out
}

// tie gives numbers to the indices of an orbit's least pattern. Indices that a symmetry of the pattern exchanges
// share a number; the empty pattern has none.
func (b *builder) tie(k kind, places []int, size int) (ids []int32, count int) {
	p := pattern{kind: k, places: places}
	var own [][]int
	switch k {
	case shapeKind: // a line read from its other end is the same
		reversed := identity(len(places))
		slices.Reverse(reversed)
		own = append(own, identity(len(places)), reversed)
	case cellsKind:
		for _, image := range b.images {
			moved := make([]int, len(places))
			for i, place := range places {
				moved[i] = image[place]
			}
			if slices.Equal(p.sorted(moved), places) {
				own = append(own, p.order(moved, places))
			}
		}
		slices.SortFunc(own, slices.Compare)
		own = slices.CompactFunc(own, slices.Equal)
	}
	ids = make([]int32, size)
	for i := range ids {
		ids[i] = -2
	}
	if k != handKind { // two empty hands say something
		ids[0] = -1
	}
	for i := range ids {
		if ids[i] != -2 {
			continue
		}
		ids[i] = int32(count)
		for _, order := range own {
			ids[p.reindex(i, order, false, b.arch.states(), b.game)] = int32(count)
		}
		count++
	}
	return ids, count
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
