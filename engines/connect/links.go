package connect

import (
	"time"

	"spar/engines"
)

// Limits limit the H-search. Higher limits find more connections and take longer.
type Limits struct {
	// maximum numbers of full and semi-connections kept for each pair of ends (those with the smallest carriers); 8 times
	// as many for the pair of edges
	Full, Semi int
	// maximum number of semi-connections that the or-rule joins into one connection; more than 2
	Depth int
	Work  int       // number of carriers, smallest first, that the search tries to join with others; 0 = all
	Until time.Time // time at which the search stops; zero = no limit
}

// Links are the connections of one side that H-search has found in a position. Derive updates them after more stones
// of either side.
type Links struct {
	b        *Board
	side     int
	lim      Limits
	own, foe Bits
	// for each stone of the side, the end it belongs to: one stone of its chain, or an edge
	end        [engines.CellSpace]uint8
	linked     [engines.CellSpace]Bits // the other ends that each end is connected to
	count      [][2]uint8              // for each pair of ends, its numbers of connections and semi-connections
	full, semi []carrier               // for each pair of ends, its connections and semi-connections
	room       []carrier               // scratch memory of the or-rule
	queue      []item                  // heap of the carriers that have not been joined; the smallest is first
	won        bool                    // the side's stones already connect the edges
}

// carrier is the set of empty cells that a connection or semi-connection needs.
type carrier struct {
	Bits
	key engines.Cell // for a semi-connection: the cell on which its side plays to connect
}

// item is a carrier of the pair (x, y) in the queue.
type item struct {
	carrier carrier
	size    uint16
	x, y    uint8
	isSemi  bool
}

// find computes the connections of a position. It reuses the memory of the previous one.
func (l *Links) find(b *Board, side int, s *Stones, lim Limits) {
	*l = Links{
		b: b, side: side, lim: lim, foe: s[1-side],
		count: l.count, full: l.full, semi: l.semi, queue: l.queue[:0], room: l.room,
	}
	l.allocate()
	clear(l.count)
	for c := b.cells.AndNot(l.foe); !c.Empty(); c = c.Rest() {
		x := int(c.First())
		for o := b.near[x].AndNot(l.foe); !o.Empty(); o = o.Rest() {
			if y := int(o.First()); y > x {
				l.addFull(x, y, carrier{})
			}
		}
		for i, edge := range b.edges[side] {
			if edge.Has(c.First()) {
				l.addFull(b.n+i, x, carrier{})
			}
		}
	}
	for c := s[side]; !c.Empty(); c = c.Rest() {
		l.place(c.First())
	}
	l.join()
}

// allocate makes the lists of all pairs when they are first needed.
func (l *Links) allocate() {
	if l.count == nil {
		pairs := (l.b.n + 2) * (l.b.n + 1) / 2
		l.count = make([][2]uint8, pairs)
		l.full, l.semi = make([]carrier, (pairs+7)*l.lim.Full), make([]carrier, (pairs+7)*l.lim.Semi)
	}
}

// Derive sets l to the connections of from after stones were added to the cells own and foe.
func (l *Links) Derive(from *Links, own, foe Bits) {
	count, full, semi, queue, room := l.count, l.full, l.semi, l.queue, l.room
	*l = *from
	l.count, l.full, l.semi, l.queue, l.room = count, full, semi, queue[:0], room
	l.allocate()
	l.foe = l.foe.Or(foe)
	for p, n := range from.count {
		var kept [2]uint8
		for _, d := range from.full[p*l.lim.Full:][:n[0]] {
			if d.And(foe).Empty() {
				l.full[p*l.lim.Full+int(kept[0])] = d
				kept[0]++
			}
		}
		for _, d := range from.semi[p*l.lim.Semi:][:n[1]] {
			if d.And(foe).Empty() {
				l.semi[p*l.lim.Semi+int(kept[1])] = d
				kept[1]++
			}
		}
		l.count[p] = kept
	}
	for c := foe; !c.Empty(); c = c.Rest() {
		for z := range l.b.n + 2 {
			if x := int(c.First()); x != z {
				l.count[pair(x, z)] = [2]uint8{}
			}
		}
	}
	for x := range l.b.n + 2 {
		for z := from.linked[x]; !z.Empty(); z = z.Rest() {
			if l.count[pair(x, int(z.First()))][0] == 0 {
				l.linked[x] = l.linked[x].Without(z.First())
			}
		}
	}
	for c := own; !c.Empty(); c = c.Rest() {
		l.place(c.First())
	}
	l.join()
}

// pair returns the index of two ends. The pair of edges is the last one, because it has more room.
func pair(x, y int) int {
	if x < y {
		x, y = y, x
	}
	return x*(x-1)/2 + y
}

func (l *Links) fulls(p int) []carrier { return l.full[p*l.lim.Full:][:l.count[p][0]] }
func (l *Links) semis(p int) []carrier { return l.semi[p*l.lim.Semi:][:l.count[p][1]] }

// edgePair returns the index of the pair of the two edges.
func (l *Links) edgePair() int { return len(l.count) - 1 }

// add adds a carrier to a list of limited length, unless the list contains a subset of it. It removes supersets of
// the new carrier.
func add(list []carrier, n *uint8, most int, c carrier) bool {
	kept := uint8(0)
	for i, d := range list[:*n] {
		if c.Contains(d.Bits) {
			return false // nothing has been taken out: the list never holds a subset of c together with supersets of c
		}
		if !d.Contains(c.Bits) {
			list[kept] = list[i]
			kept++
		}
	}
	*n = kept
	if int(kept) < most {
		list[kept] = c
		*n++
		return true
	}
	largest, at := c.Count(), -1
	for i, d := range list[:kept] {
		if size := d.Count(); size > largest {
			largest, at = size, i
		}
	}
	if at < 0 {
		return false
	}
	list[at] = c
	return true
}

// most returns the maximum number of carriers of a pair.
func (l *Links) most(p, one int) int {
	if p == l.edgePair() {
		return 8 * one
	}
	return one
}

func (l *Links) addFull(x, y int, c carrier) {
	p := pair(x, y)
	if !add(l.full[p*l.lim.Full:], &l.count[p][0], l.most(p, l.lim.Full), c) {
		return
	}
	l.linked[x], l.linked[y] = l.linked[x].With(engines.Cell(y)), l.linked[y].With(engines.Cell(x))
	kept := uint8(0)
	for _, d := range l.semis(p) {
		if !d.Contains(c.Bits) {
			l.semi[p*l.lim.Semi+int(kept)] = d
			kept++
		}
	}
	l.count[p][1] = kept
	l.push(item{c, uint16(c.Count()), uint8(x), uint8(y), false})
}

func (l *Links) addSemi(x, y int, c carrier) {
	p := pair(x, y)
	for _, d := range l.fulls(p) {
		if c.Contains(d.Bits) {
			return
		}
	}
	if add(l.semi[p*l.lim.Semi:], &l.count[p][1], l.most(p, l.lim.Semi), c) {
		l.push(item{c, uint16(c.Count()), uint8(x), uint8(y), true})
	}
}

func (l *Links) push(it item) {
	q := append(l.queue, it)
	i := len(q) - 1
	for ; i > 0 && q[(i-1)/2].size > it.size; i = (i - 1) / 2 {
		q[i] = q[(i-1)/2]
	}
	q[i] = it
	l.queue = q
}

func (l *Links) pop() item {
	q := l.queue
	top, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	i := 0
	for {
		next := 2*i + 1
		if next >= len(q) {
			break
		}
		if next+1 < len(q) && q[next+1].size < q[next].size {
			next++
		}
		if q[next].size >= last.size {
			break
		}
		q[i] = q[next]
		i = next
	}
	if len(q) > 0 {
		q[i] = last
	}
	l.queue = q
	return top
}

// join applies the rules to new carriers until they add nothing.
func (l *Links) join() {
	for work := 0; len(l.queue) > 0 && (l.lim.Work == 0 || work < l.lim.Work) && !l.won; {
		it := l.pop()
		x, y := int(it.x), int(it.y)
		p := pair(x, y)
		list := l.fulls(p)
		if it.isSemi {
			list = l.semis(p)
		}
		alive := false
		for _, d := range list {
			alive = alive || d == it.carrier
		}
		if !alive {
			continue
		}
		if work++; !l.lim.Until.IsZero() && !time.Now().Before(l.lim.Until) {
			break
		}
		if it.isSemi {
			l.or(x, y, it.carrier)
		} else {
			l.and(x, y, it.carrier)
			l.and(y, x, it.carrier)
		}
	}
	l.queue = l.queue[:0]
}

// and applies the and-rule: it joins a connection between x and u with those between u and other ends.
func (l *Links) and(x, u int, c carrier) {
	if u >= l.b.n {
		return
	}
	stone := l.own.Has(engines.Cell(u))
	for ends := l.linked[u].AndNot(c.Bits).Without(engines.Cell(x)); !ends.Empty(); ends = ends.Rest() {
		z := int(ends.First())
		for _, d := range l.fulls(pair(u, z)) {
			if !c.And(d.Bits).Empty() || d.Has(engines.Cell(x)) {
				continue
			}
			both := carrier{c.Or(d.Bits), engines.Cell(u)}
			if stone {
				l.addFull(x, z, both)
			} else {
				both.Bits = both.With(both.key)
				l.addSemi(x, z, both)
			}
		}
	}
}

// or applies the or-rule: it joins a semi-connection with others of the same pair.
func (l *Links) or(x, y int, c carrier) {
	l.room = append(l.room[:0], l.semis(pair(x, y))...)
	common := c.Bits
	for _, d := range l.room {
		common = common.And(d.Bits)
	}
	if common.Empty() {
		l.orOf(x, y, l.room, c.Bits, c.Bits, l.lim.Depth)
	}
}

func (l *Links) orOf(x, y int, list []carrier, common, union Bits, depth int) {
	for i, d := range list {
		rest, all := common.And(d.Bits), union.Or(d.Bits)
		if rest == common || depth == 0 && !rest.Empty() {
			continue
		}
		if rest.Empty() {
			l.addFull(x, y, carrier{Bits: all})
		} else {
			l.orOf(x, y, list[i+1:], rest, all, depth-1)
		}
	}
}

// place adds a stone of the side: carriers no longer need its cell, and its chain becomes one end.
func (l *Links) place(c engines.Cell) {
	x, n := int(c), l.b.n
	if l.own.Has(c) {
		return
	}
	for p, count := range l.count {
		if count == [2]uint8{} {
			continue
		}
		l.strip(p, c)
	}
	l.own = l.own.With(c)
	merged := Bits{}.With(c)
	for o := l.b.near[x].And(l.own); !o.Empty(); o = o.Rest() {
		merged = merged.With(engines.Cell(l.end[o.First()]))
	}
	for i, edge := range l.b.edges[l.side] {
		if edge.Has(c) {
			merged = merged.With(engines.Cell(n + i))
		}
	}
	into := int(merged.Last())
	l.won = l.won || merged.Has(engines.Cell(n)) && merged.Has(engines.Cell(n+1))
	l.end[x] = uint8(into)
	for o := l.own; !o.Empty(); o = o.Rest() {
		if s := o.First(); merged.Has(engines.Cell(l.end[s])) {
			l.end[s] = uint8(into)
		}
	}
	for m := merged.Without(engines.Cell(into)); !m.Empty(); m = m.Rest() {
		from := int(m.First())
		for z := range n + 2 {
			if z == from {
				continue
			}
			p := pair(from, z)
			count := l.count[p]
			l.count[p] = [2]uint8{}
			l.linked[z] = l.linked[z].Without(engines.Cell(from))
			if merged.Has(engines.Cell(z)) {
				continue
			}
			for _, d := range l.full[p*l.lim.Full:][:count[0]] {
				l.addFull(into, z, d)
			}
			for _, d := range l.semi[p*l.lim.Semi:][:count[1]] {
				l.addSemi(into, z, d)
			}
		}
		l.linked[from] = Bits{}
	}
	if into < n { // what met at an empty cell meets at a stone now
		for ends := l.linked[into]; !ends.Empty(); ends = ends.Rest() {
			z := int(ends.First())
			for _, d := range l.fulls(pair(into, z)) {
				l.push(item{d, uint16(d.Count()), uint8(into), uint8(z), false})
			}
		}
	}
}

// strip removes a cell from the carriers of a pair.
func (l *Links) strip(p int, c engines.Cell) {
	take := func(list []carrier, n *uint8) (hit []carrier) {
		kept := 0
		for _, d := range list {
			if d.Has(c) {
				d.Bits = d.Without(c)
				hit = append(hit, d)
			} else {
				list[kept] = d
				kept++
			}
		}
		*n = uint8(kept)
		return hit
	}
	fulls, semis := take(l.fulls(p), &l.count[p][0]), take(l.semis(p), &l.count[p][1])
	if len(fulls)+len(semis) == 0 {
		return
	}
	x, y := ends(p)
	for _, d := range fulls {
		l.addFull(x, y, d)
	}
	for _, d := range semis {
		if d.key == c {
			l.addFull(x, y, d)
		} else {
			l.addSemi(x, y, d)
		}
	}
}

// ends returns the two ends of a pair.
func ends(p int) (x, y int) {
	for x = 1; x*(x+1)/2 <= p; x++ {
	}
	return x, p - x*(x-1)/2
}

// whole returns the connections and the semi-connections from edge to edge.
func (l *Links) whole() (full, semi []carrier) {
	if l.won {
		return make([]carrier, 1), nil
	}
	return l.fulls(l.edgePair()), l.semis(l.edgePair())
}
