package ratings

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// pairKey is an ordered pairing, by the builder's own indices.
type pairKey struct{ first, second, stratum int32 }

// clusterKey identifies a cluster while the table is built.
type clusterKey struct {
	lo, hi, stratum int32
	pair            string
}

// hashKey identifies a played game while the table is built.
type hashKey struct {
	pairing int32
	hash    uint64
}

// Builder aggregates games into a Table. The zero value is ready for use. It is
// not safe for concurrent use.
type Builder struct {
	// ByOpening means that a Pair key is the same cluster for all players. Set it, before the first game, if one
	// set of openings is used for several match-ups.
	ByOpening bool
	// ClusterIdentical joins clusters that contain an equal game: the same non-zero hash in the same ordered
	// pairing. Set it, before the first game, for deterministic agents that repeat games.
	ClusterIdentical bool

	players  index
	strata   index
	pairings map[pairKey]int32
	keys     []pairKey
	counts   [][3]int64 // all games, by pairing and result
	singles  [][3]int64
	clusters map[clusterKey]int32
	open     [][]term          // clusters that can still grow
	parent   []int32           // parents in a union-find structure over clusters
	swaps    []swap            // numbers of pairs with exchanged seats, by the builder's pairings p < q
	swapOf   map[int32]int32   // index in swaps, by pairing p
	hashes   map[hashKey]int32 // cluster of the first game with each hash; -1 if games are not clustered
	hashed   int64
	games    int64
}

// index numbers strings in the order in which they first appear.
type index struct {
	byName map[string]int32
	names  []string
}

func (x *index) id(name string) int32 {
	if i, ok := x.byName[name]; ok {
		return i
	}
	if x.byName == nil {
		x.byName = make(map[string]int32)
	}
	i := int32(len(x.names))
	x.byName[name] = i
	x.names = append(x.names, name)
	return i
}

// AddPlayer adds a player, who may have no games.
func (b *Builder) AddPlayer(name string) error {
	if name == "" {
		return fmt.Errorf("ratings: %w: a player without a name", ErrBadGame)
	}
	b.players.id(name)
	return nil
}

func (b *Builder) pairing(first, second, stratum string, games int64) (int32, error) {
	switch {
	case first == "" || second == "":
		return 0, fmt.Errorf("ratings: %w: a player without a name (%q against %q)", ErrBadGame, first, second)
	case first == second:
		return 0, fmt.Errorf("ratings: %w: %q", ErrSelfPlay, first)
	case games < 0 || games > maxGames || b.games+games > maxGames:
		return 0, fmt.Errorf("ratings: %w: %d games of %q against %q", ErrBadCount, games, first, second)
	}
	b.games += games
	k := pairKey{b.players.id(first), b.players.id(second), b.strata.id(stratum)}
	if i, ok := b.pairings[k]; ok {
		return i, nil
	}
	if b.pairings == nil {
		b.pairings = make(map[pairKey]int32)
	}
	i := int32(len(b.keys))
	b.pairings[k] = i
	b.keys = append(b.keys, k)
	b.counts = append(b.counts, [3]int64{})
	b.singles = append(b.singles, [3]int64{})
	return i, nil
}

// Add adds one game. It returns an error for a player against itself, an empty name or an unknown outcome, and then
// leaves the builder unchanged.
func (b *Builder) Add(g Game) error {
	if g.Result > FirstWins {
		return fmt.Errorf("ratings: %w: outcome %d of %q against %q", ErrBadGame, g.Result, g.First, g.Second)
	}
	p, err := b.pairing(g.First, g.Second, g.Stratum, 1)
	if err != nil {
		return err
	}
	b.counts[p][g.Result]++
	cluster := int32(-1)
	if g.Pair != "" || (b.ClusterIdentical && g.Hash != 0) {
		cluster = b.cluster(p, g)
		b.open[cluster] = addTerm(b.open[cluster], int(p), g.Result)
	} else {
		b.singles[p][g.Result]++
	}
	if g.Hash != 0 {
		b.hashed++
		if b.hashes == nil {
			b.hashes = make(map[hashKey]int32)
		}
		k := hashKey{p, g.Hash}
		if other, ok := b.hashes[k]; !ok {
			b.hashes[k] = cluster
		} else if b.ClusterIdentical && cluster >= 0 && other >= 0 {
			b.join(cluster, other)
		}
	}
	return nil
}

func (b *Builder) cluster(p int32, g Game) int32 {
	k := clusterKey{pair: g.Pair, lo: -1, hi: -1, stratum: -1}
	if !b.ByOpening {
		pk := b.keys[p]
		k.lo, k.hi, k.stratum = min(pk.first, pk.second), max(pk.first, pk.second), pk.stratum
	}
	if g.Pair != "" {
		if c, ok := b.clusters[k]; ok {
			return c
		}
	}
	c := int32(len(b.open))
	b.open = append(b.open, nil)
	b.parent = append(b.parent, c)
	if g.Pair != "" {
		if b.clusters == nil {
			b.clusters = make(map[clusterKey]int32)
		}
		b.clusters[k] = c
	}
	return c
}

func (b *Builder) root(c int32) int32 {
	for b.parent[c] != c {
		b.parent[c] = b.parent[b.parent[c]]
		c = b.parent[c]
	}
	return c
}

func (b *Builder) join(c, d int32) {
	c, d = b.root(c), b.root(d)
	if c != d {
		b.parent[max(c, d)] = min(c, d)
	}
}

func addTerm(ts []term, p int, o Outcome) []term {
	for i := range ts {
		if ts[i].pairing == p {
			ts[i].n[o]++
			return ts
		}
	}
	if ts == nil {
		ts = make([]term, 0, 2) // nearly every cluster is a pair
	}
	t := term{pairing: p}
	t.n[o] = 1
	return append(ts, t)
}

// AddCount adds games outside any pair, counted from the first player's view. Its time does not depend on the
// counts.
func (b *Builder) AddCount(first, second, stratum string, wins, draws, losses int64) error {
	if min(wins, draws, losses) < 0 || max(wins, draws, losses) > maxGames {
		return fmt.Errorf("ratings: %w: %d-%d-%d of %q against %q", ErrBadCount, wins, draws, losses, first, second)
	}
	p, err := b.pairing(first, second, stratum, wins+draws+losses)
	if err != nil {
		return err
	}
	for o, n := range [3]int64{losses, draws, wins} {
		b.counts[p][o] += n
		b.singles[p][o] += n
	}
	return nil
}

// AddPairs adds n pairs with exchanged seats and the same results. In each, x was first in a game that ended r1,
// and y was first in a game that ended r2. Results are from the view of each game's first player.
func (b *Builder) AddPairs(x, y, stratum string, r1, r2 Outcome, n int64) error {
	if r1 > FirstWins || r2 > FirstWins {
		return fmt.Errorf("ratings: %w: outcomes %d, %d of %q against %q", ErrBadGame, r1, r2, x, y)
	}
	if n < 0 || n > maxGames/2 || b.games+2*n > maxGames {
		return fmt.Errorf("ratings: %w: %d pairs of %q against %q", ErrBadCount, n, x, y)
	}
	p, err := b.pairing(x, y, stratum, n)
	if err != nil {
		return err
	}
	q, err := b.pairing(y, x, stratum, n)
	if err != nil {
		return err
	}
	b.counts[p][r1] += n
	b.counts[q][r2] += n
	if n > 0 {
		b.swapped(p, q, r1, r2, n)
	}
	return nil
}

// swapped adds n pairs with exchanged seats, played in pairings p and q.
func (b *Builder) swapped(p, q int32, r1, r2 Outcome, n int64) {
	if p > q {
		p, q, r1, r2 = q, p, r2, r1
	}
	i, ok := b.swapOf[p]
	if !ok {
		if b.swapOf == nil {
			b.swapOf = make(map[int32]int32)
		}
		i = int32(len(b.swaps))
		b.swapOf[p] = i
		b.swaps = append(b.swaps, swap{p: int(p), q: int(q)})
	}
	b.swaps[i].n[r1][r2] += n
}

// merge adds n clusters with the given terms to the cell of that kind.
func merge(cells map[string]*cell, terms []term, n int64) {
	slices.SortFunc(terms, func(a, b term) int { return cmp.Compare(a.pairing, b.pairing) })
	key := make([]byte, 0, 32)
	for _, t := range terms {
		key = binary.AppendVarint(key, int64(t.pairing))
		for _, c := range t.n {
			key = binary.AppendVarint(key, c)
		}
	}
	if c, ok := cells[string(key)]; ok {
		c.count += n
		return
	}
	cells[string(key)] = &cell{terms: terms, count: n}
}

// Table returns the table of all games so far. Later games do not change it.
func (b *Builder) Table() *Table {
	t := &Table{games: b.games, hashed: b.hashed, distinct: int64(len(b.hashes))}
	var newPlayer, newStratum []int
	t.players, newPlayer = sorted(b.players.names)
	t.strata, newStratum = sorted(b.strata.names)

	order := make([]int, 0, len(b.keys))
	for i, c := range b.counts {
		if c[0]+c[1]+c[2] > 0 { // a count of zero joins nobody
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		x, y := b.keys[i], b.keys[j]
		return cmp.Or(
			cmp.Compare(newStratum[x.stratum], newStratum[y.stratum]),
			cmp.Compare(newPlayer[x.first], newPlayer[y.first]),
			cmp.Compare(newPlayer[x.second], newPlayer[y.second]),
		)
	})
	newPairing := make([]int, len(b.keys))
	t.pairings = make([]Pairing, len(order))
	t.singles = make([][3]int64, len(order))
	for at, i := range order {
		newPairing[i] = at
		k, c := b.keys[i], b.counts[i]
		t.pairings[at] = Pairing{
			First: newPlayer[k.first], Second: newPlayer[k.second], Stratum: newStratum[k.stratum],
			Wins: c[FirstWins], Draws: c[Draw], Losses: c[SecondWins],
		}
		t.singles[at] = b.singles[i]
	}
	t.fillClusters(b, newPairing)
	return t
}

func (t *Table) fillClusters(b *Builder, newPairing []int) {
	// Clusters still open are settled in a copy, so that the builder can go on.
	now := Builder{keys: b.keys, swaps: slices.Clone(b.swaps), swapOf: maps.Clone(b.swapOf)}
	cells := make(map[string]*cell)
	for _, terms := range b.merged() {
		total := int64(0)
		for _, m := range terms {
			total += m.n[0] + m.n[1] + m.n[2]
		}
		switch {
		case total == 1: // the other game of the pair is missing
			t.singles[newPairing[terms[0].pairing]][terms[0].outcome()]++
		case total == 2 && len(terms) == 2 && b.seatsSwapped(terms):
			now.swapped(int32(terms[0].pairing), int32(terms[1].pairing), terms[0].outcome(), terms[1].outcome(), 1)
		case total > 1:
			for i := range terms {
				terms[i].pairing = newPairing[terms[i].pairing]
			}
			merge(cells, terms, 1)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(cells)) {
		t.cells = append(t.cells, *cells[k])
	}
	t.swaps = now.swaps
	for i := range t.swaps {
		x := &t.swaps[i]
		x.p, x.q = newPairing[x.p], newPairing[x.q]
		if x.p > x.q {
			x.p, x.q = x.q, x.p
			n := x.n
			for r := range 3 {
				for o := range 3 {
					x.n[r][o] = n[o][r]
				}
			}
		}
	}
	slices.SortFunc(t.swaps, func(x, y swap) int { return cmp.Compare(x.p, y.p) })
}

// merged returns the open clusters, after combining those that share games.
func (b *Builder) merged() [][]term {
	groups := make([][]term, len(b.open))
	for c, terms := range b.open {
		r := b.root(int32(c))
		for _, m := range terms {
			at := slices.IndexFunc(groups[r], func(x term) bool { return x.pairing == m.pairing })
			if at < 0 {
				groups[r] = append(groups[r], m)
				continue
			}
			for o := range m.n {
				groups[r][at].n[o] += m.n[o]
			}
		}
	}
	return groups
}

func (b *Builder) seatsSwapped(terms []term) bool {
	x, y := b.keys[terms[0].pairing], b.keys[terms[1].pairing]
	return x.first == y.second && x.second == y.first && x.stratum == y.stratum
}

// outcome returns the outcome of a term that has one game.
func (m term) outcome() Outcome {
	switch {
	case m.n[Draw] > 0:
		return Draw
	case m.n[FirstWins] > 0:
		return FirstWins
	}
	return SecondWins
}

// sorted returns the names in ascending order and the new index of each.
func sorted(names []string) (out []string, position []int) {
	out = slices.Clone(names)
	slices.Sort(out)
	position = make([]int, len(names))
	for i, n := range names {
		position[i], _ = slices.BinarySearch(out, n)
	}
	return out, position
}
