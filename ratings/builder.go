package ratings

import (
	"cmp"
	"fmt"
	"slices"
)

// pairKey is an ordered pairing, by the builder's own indices.
type pairKey struct{ first, second, stratum int32 }

// hashKey identifies a played game while the table is built.
type hashKey struct {
	pairing int32
	hash    uint64
}

// sameGame has the clusters of the first game with a hash, by pair and by opening; -1 if there is none.
type sameGame struct{ pair, opening int32 }

// Builder aggregates games into a Table. The zero value is ready for use. It is
// not safe for concurrent use.
type Builder struct {
	players  index[string]
	strata   index[string]
	pairings index[pairKey]
	counts   [][3]int64 // all games, by pairing and result
	pairs    partition
	openings *partition // by opening, then by pair; nil as long as no game has an opening
	hashes   map[hashKey]sameGame
	games    int64
}

// index numbers keys in the order in which they first appear.
type index[K comparable] struct {
	numbers map[K]int32
	keys    []K
}

// number returns the number of a key, and whether the key is new.
func (x *index[K]) number(k K) (i int32, fresh bool) {
	if i, ok := x.numbers[k]; ok {
		return i, false
	}
	if x.numbers == nil {
		x.numbers = map[K]int32{}
	}
	i = int32(len(x.keys))
	x.numbers[k] = i
	x.keys = append(x.keys, k)
	return i, true
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
	var k pairKey
	k.first, _ = b.players.number(first)
	k.second, _ = b.players.number(second)
	k.stratum, _ = b.strata.number(stratum)
	i, fresh := b.pairings.number(k)
	if !fresh {
		return i, nil
	}
	b.counts = append(b.counts, [3]int64{})
	b.pairs.singles = append(b.pairs.singles, [3]int64{})
	if b.openings != nil {
		b.openings.singles = append(b.openings.singles, [3]int64{})
	}
	return i, nil
}

// shared prepares the builder for games with openings.
func (b *Builder) shared() {
	if b.openings == nil {
		b.openings = b.pairs.clone()
	}
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
	if g.Opening != 0 {
		b.shared()
	}
	b.counts[p][g.Result]++
	pair, k := clusterKey{}, b.pairings.keys[p]
	if g.Pair != "" {
		pair = clusterKey{
			lo:      min(k.first, k.second),
			hi:      max(k.first, k.second),
			stratum: k.stratum,
			pair:    g.Pair,
		}
	}
	place := func(in *partition, key clusterKey) int32 {
		if key == (clusterKey{}) && g.Hash == 0 {
			in.singles[p][g.Result]++
			return -1
		}
		c := in.cluster(key)
		in.add(c, p, g.Result)
		return c
	}
	at := sameGame{place(&b.pairs, pair), -1}
	if b.openings != nil {
		if g.Opening != 0 {
			pair = clusterKey{opening: g.Opening}
		}
		at.opening = place(b.openings, pair)
	}
	if g.Hash != 0 {
		b.identical(hashKey{p, g.Hash}, at)
	}
	return nil
}

// identical joins the clusters of a game with those of an equal game.
func (b *Builder) identical(k hashKey, at sameGame) {
	if b.hashes == nil {
		b.hashes = make(map[hashKey]sameGame)
	}
	other, ok := b.hashes[k]
	if !ok {
		b.hashes[k] = at
		return
	}
	b.pairs.join(at.pair, other.pair)
	if b.openings != nil {
		if other.opening < 0 { // it came before the first opening: the clusters by pair were copied
			other.opening = other.pair
		}
		b.openings.join(at.opening, other.opening)
	}
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
		b.pairs.singles[p][o] += n
		if b.openings != nil {
			b.openings.singles[p][o] += n
		}
	}
	return nil
}

// AddPairs adds n pairs with swapped seats and the same results. In each, x was first in a game that ended r1,
// and y was first in a game that ended r2. Results are from the view of each game's first player. The pairs are
// independent.
func (b *Builder) AddPairs(x, y, stratum string, r1, r2 Outcome, n int64) error {
	return b.AddOpeningPairs(x, y, stratum, r1, r2, n, 0)
}

// AddOpeningPairs is like AddPairs, for pairs that share an opening; see Game.Opening.
func (b *Builder) AddOpeningPairs(x, y, stratum string, r1, r2 Outcome, n int64, opening uint64) error {
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
	if n == 0 {
		return nil
	}
	if opening != 0 {
		b.shared()
		c := b.openings.cluster(clusterKey{opening: opening})
		for range n {
			b.openings.add(c, p, r1)
			b.openings.add(c, q, r2)
		}
	} else if b.openings != nil {
		b.openings.addPairs(pairKind{p, q, r1, r2}, n)
	}
	b.pairs.addPairs(pairKind{p, q, r1, r2}, n)
	return nil
}

// Table returns the table of all games so far. Later games do not change it.
func (b *Builder) Table() *Table {
	t := &Table{games: b.games}
	var newPlayer, newStratum []int
	t.players, newPlayer = sorted(b.players.keys)
	t.strata, newStratum = sorted(b.strata.keys)

	order := make([]int, 0, len(b.pairings.keys))
	for i, c := range b.counts {
		if c[0]+c[1]+c[2] > 0 { // a count of zero joins nobody
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		x, y := b.pairings.keys[i], b.pairings.keys[j]
		return cmp.Or(cmp.Compare(newStratum[x.stratum], newStratum[y.stratum]),
			cmp.Compare(newPlayer[x.first], newPlayer[y.first]), cmp.Compare(newPlayer[x.second], newPlayer[y.second]))
	})
	position := make([]int, len(b.pairings.keys))
	t.pairings = make([]Pairing, len(order))
	for at, i := range order {
		position[i] = at
		k, c := b.pairings.keys[i], b.counts[i]
		t.pairings[at] = Pairing{
			First:   newPlayer[k.first],
			Second:  newPlayer[k.second],
			Stratum: newStratum[k.stratum],
			Wins:    c[FirstWins],
			Draws:   c[Draw],
			Losses:  c[SecondWins],
		}
	}
	t.pairs = b.pairs.clusters(position, len(order))
	if b.openings != nil {
		o := b.openings.clusters(position, len(order))
		several, alone := t.pairs.count()
		if s, a := o.count(); s+a < several+alone { // some opening has more than one pair
			t.openings = &o
		}
	}
	return t
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
