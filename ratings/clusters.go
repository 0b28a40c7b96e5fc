package ratings

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
)

// Label returns the label of an opening, or of another set of games that may depend on each other, for Game.Opening. It
// is never 0.
func Label(text string) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, text)
	return max(h.Sum64(), 1)
}

// term is the part of a cluster that belongs to one pairing.
type term struct {
	pairing int
	n       [3]int64 // numbers of games by Outcome
}

func (m term) games() int64 { return m.n[0] + m.n[1] + m.n[2] }

// oneGame returns the term of a single game.
func oneGame(pairing, outcome int) term {
	m := term{pairing: pairing}
	m.n[outcome] = 1
	return m
}

// cell is a number of identical clusters that have more than one game.
type cell struct {
	terms []term
	count int64
}

// clusters divides games into sets whose games may depend on each other.
type clusters struct {
	singles [][3]int64 // games alone in their cluster, by pairing and Outcome
	cells   []cell     // all other clusters
}

// each yields the kinds of clusters with the number of clusters of each kind. The terms are valid until the next one.
func (c *clusters) each(yield func(terms []term, count int64)) {
	for p, n := range c.singles {
		for o, k := range n {
			if k > 0 {
				one := [1]term{oneGame(p, o)}
				yield(one[:], k)
			}
		}
	}
	for _, x := range c.cells {
		yield(x.terms, x.count)
	}
}

// isPair reports whether a cluster is two games of the same players and stratum with the seats swapped.
func (t *Table) isPair(terms []term) bool {
	if len(terms) != 2 || terms[0].games() != 1 || terms[1].games() != 1 {
		return false
	}
	p, q := t.pairings[terms[0].pairing], t.pairings[terms[1].pairing]
	return p.First == q.Second && p.Second == q.First && p.Stratum == q.Stratum
}

// count returns the number of clusters with at least two games, and the number of single games.
func (c *clusters) count() (several, alone int64) {
	c.each(func(terms []term, count int64) {
		if len(terms) > 1 || terms[0].games() > 1 {
			several += count
		} else {
			alone += count
		}
	})
	return several, alone
}

// clusterKey identifies a cluster while the table is built.
type clusterKey struct {
	lo, hi, stratum int32
	pair            string
	opening         uint64
}

// partition collects clusters while the table is built.
type partition struct {
	singles [][3]int64
	pairs   map[pairKind]int64 // complete pairs with swapped seats
	known   map[clusterKey]int32
	open    [][]term // clusters that can still grow, each in the order of the builder's pairings
	parent  []int32  // parents in a union-find structure over open
}

// pairKind is a pair by the builder's pairings p and q of its games, and their results.
type pairKind struct {
	p, q   int32
	r1, r2 Outcome
}

func (b *partition) clone() *partition {
	out := &partition{
		singles: slices.Clone(b.singles),
		pairs:   maps.Clone(b.pairs),
		known:   maps.Clone(b.known),
		parent:  slices.Clone(b.parent),
	}
	for _, terms := range b.open {
		out.open = append(out.open, slices.Clone(terms))
	}
	return out
}

// cluster returns the open cluster with a key; the zero key means a new one.
func (b *partition) cluster(k clusterKey) int32 {
	if c, ok := b.known[k]; ok {
		return c
	}
	c := int32(len(b.open))
	b.open = append(b.open, nil)
	b.parent = append(b.parent, c)
	if k != (clusterKey{}) {
		if b.known == nil {
			b.known = make(map[clusterKey]int32)
		}
		b.known[k] = c
	}
	return c
}

// add adds a game to an open cluster.
func (b *partition) add(c, pairing int32, o Outcome) {
	b.open[c] = addTerm(b.open[c], oneGame(int(pairing), int(o)))
}

// addTerm adds games to terms that are sorted by pairing. Games come mostly in the order of pairings.
func addTerm(terms []term, m term) []term {
	if terms == nil {
		terms = make([]term, 0, 2) // nearly every cluster is a pair
	}
	at, ok := len(terms), false
	if at > 0 && terms[at-1].pairing >= m.pairing {
		at, ok = slices.BinarySearchFunc(terms, m.pairing, func(t term, p int) int {
			return cmp.Compare(t.pairing, p)
		})
	}
	if !ok {
		return slices.Insert(terms, at, m)
	}
	for o, n := range m.n {
		terms[at].n[o] += n
	}
	return terms
}

// addPairs adds n complete pairs with swapped seats.
func (b *partition) addPairs(k pairKind, n int64) {
	if b.pairs == nil {
		b.pairs = map[pairKind]int64{}
	}
	b.pairs[k] += n
}

func (b *partition) root(c int32) int32 {
	for b.parent[c] != c {
		b.parent[c] = b.parent[b.parent[c]]
		c = b.parent[c]
	}
	return c
}

func (b *partition) join(c, d int32) {
	c, d = b.root(c), b.root(d)
	if c != d {
		b.parent[max(c, d)] = min(c, d)
	}
}

// clusters returns the clusters by the pairings of a table: position has the index of each of the builder's pairings.
// The partition can grow further.
func (b *partition) clusters(position []int, pairings int) clusters {
	out := clusters{singles: make([][3]int64, pairings)}
	for i, n := range b.singles {
		if n != [3]int64{} {
			out.singles[position[i]] = n
		}
	}
	cells := make(map[string]*cell)
	for k, n := range b.pairs {
		merge(cells, []term{oneGame(int(k.p), int(k.r1)), oneGame(int(k.q), int(k.r2))}, n, position)
	}
	for _, terms := range b.merged() {
		total := int64(0)
		for _, m := range terms {
			total += m.games()
		}
		if total > 1 {
			merge(cells, terms, 1, position)
		} else if total == 1 { // the other game of the pair is missing
			for o, n := range terms[0].n {
				out.singles[position[terms[0].pairing]][o] += n
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(cells)) {
		out.cells = append(out.cells, *cells[k])
	}
	return out
}

// merge adds clusters to the cell of their kind.
func merge(cells map[string]*cell, terms []term, count int64, position []int) {
	terms = slices.Clone(terms)
	for i := range terms {
		terms[i].pairing = position[terms[i].pairing]
	}
	slices.SortFunc(terms, func(a, b term) int { return cmp.Compare(a.pairing, b.pairing) })
	key := make([]byte, 0, 32)
	for _, t := range terms {
		key = binary.AppendVarint(key, int64(t.pairing))
		for _, c := range t.n {
			key = binary.AppendVarint(key, c)
		}
	}
	if c, ok := cells[string(key)]; ok {
		c.count += count
		return
	}
	cells[string(key)] = &cell{terms, count}
}

// merged returns the open clusters, after combining those that were joined.
func (b *partition) merged() [][]term {
	groups := make([][]term, len(b.open))
	for c, terms := range b.open {
		r := b.root(int32(c))
		if groups[r] == nil {
			groups[r] = terms
			continue
		}
		groups[r] = slices.Clone(groups[r])
		for _, m := range terms {
			groups[r] = addTerm(groups[r], m)
		}
	}
	return groups
}
