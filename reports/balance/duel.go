package balance

import (
	"cmp"
	"slices"

	"spar/arena/evidence"
	"spar/ratings"
)

// duel holds all games of two agents against each other, from the view of a.
type duel struct {
	a, b                int32
	wins, draws, losses int64
	pairs               [5]float64 // numbers of complete pairs in which a scored 0 to 4 half points
	opened              []openedPair
	effect              float64 // factor by which repeated openings increase the variance of pairs
	alone               int64   // number of games outside complete pairs
}

// openedPair is a pair that began with an opening.
type openedPair struct {
	points uint8 // half points of a, 0 to 4
	label  uint64
}

// match holds the games of two agents in an event.
type match struct{ event, a, b int32 }

type matchPair struct {
	match
	pair int64
}

type matchGame struct {
	half  uint8 // half points of the first player
	first int32
	again bool // the game equals an earlier one
}

// matchSums are the results of a match: of all games, and of the pairs with at least one game that is not equal to
// an earlier one.
type matchSums struct {
	all, fresh      duel
	games, distinct int64
}

// counted returns the results that count as evidence.
func (x *matchSums) counted() *duel {
	if evidence.Same(x.games, x.distinct) {
		return &x.fresh
	}
	return &x.all
}

// each calls a function for each sum that games belong to.
func (x *matchSums) each(again bool, do func(*duel)) {
	do(&x.all)
	if !again {
		do(&x.fresh)
	}
}

// count adds a game in which agent a scored that many half points.
func (d *duel) count(points uint8) {
	switch points {
	case 2:
		d.wins++
	case 1:
		d.draws++
	default:
		d.losses++
	}
}

// pair adds a complete pair, given the half points of a as first player and of b as first player.
func (d *duel) pair(asA, asB uint8, label uint64) {
	d.count(asA)
	d.count(2 - asB)
	d.pairs[asA+2-asB]++
	if label != 0 {
		d.opened = append(d.opened, openedPair{asA + 2 - asB, label})
	}
}

// single adds a game without a partner.
func (d *duel) single(g matchGame) {
	d.alone++
	if g.first != d.a {
		g.half = 2 - g.half
	}
	d.count(g.half)
}

// matched adds a game to the match of its agents. The parameter again says that the game equals an earlier one.
func (p *pass) matched(r *record, again bool) {
	if r.first == r.second {
		return
	}
	a, b := r.first, r.second
	if !r.inOrder {
		a, b = b, a
	}
	k := match{r.event, a, b}
	x := p.matches[k]
	if x == nil {
		x = &matchSums{all: duel{a: a, b: b}, fresh: duel{a: a, b: b}}
		p.matches[k] = x
	}
	x.games++
	if !again {
		x.distinct++
	}
	at := matchPair{k, r.pair}
	g := matchGame{r.half, r.first, again}
	other, ok := p.waiting[at]
	if !ok || other.first == r.first {
		if ok {
			x.each(other.again, func(d *duel) { d.single(other) })
		}
		p.waiting[at] = g
		return
	}
	delete(p.waiting, at)
	asA, asB := other.half, r.half
	if r.first == a {
		asA, asB = asB, asA
	}
	x.each(again && other.again, func(d *duel) { d.pair(asA, asB, r.label) })
}

// settle adds the games whose partner is missing.
func (p *pass) settle() {
	for at, g := range p.waiting {
		p.matches[at.match].each(g.again, func(d *duel) { d.single(g) })
	}
	p.waiting = nil
}

// duels collects the games between different agents in the accepted events, in the order of the agents' names.
func (p *pass) duels(accept func(event int32) bool) []*duel {
	found := map[[2]int32]*duel{}
	for k, sums := range p.matches {
		if !accept(k.event) {
			continue
		}
		x := sums.counted()
		d := found[[2]int32{k.a, k.b}]
		if d == nil {
			d = &duel{a: k.a, b: k.b}
			found[[2]int32{k.a, k.b}] = d
		}
		d.wins += x.wins
		d.draws += x.draws
		d.losses += x.losses
		d.alone += x.alone
		for i, n := range x.pairs {
			d.pairs[i] += n
		}
		d.opened = append(d.opened, x.opened...)
	}
	var out []*duel
	for _, d := range found {
		var scores ratings.PairScores
		for _, x := range d.opened {
			scores.Add(int(x.points), x.label)
		}
		d.effect, d.opened = scores.Effect(), nil
		out = append(out, d)
	}
	slices.SortFunc(out, func(x, y *duel) int {
		return cmp.Or(cmp.Compare(p.names[x.a], p.names[y.a]), cmp.Compare(p.names[x.b], p.names[y.b]))
	})
	return out
}

// from returns the duel, from the other agent's view if swapped.
func (d *duel) from(agent int32) duel {
	if agent == d.a {
		return *d
	}
	o := duel{
		a:      d.b,
		b:      d.a,
		wins:   d.losses,
		draws:  d.draws,
		losses: d.wins,
		alone:  d.alone,
		effect: d.effect,
	}
	for i, n := range d.pairs {
		o.pairs[4-i] = n
	}
	return o
}

// duel analyses a duel from a's view: by pairs if nearly all games are in pairs, otherwise by single games.
func (m measurer) duel(d duel) (elos, score ratings.Estimate) {
	pairs := 0.0
	for _, n := range d.pairs {
		pairs += n
	}
	if pairs > 0 && float64(d.alone) <= 0.1*pairs {
		elos, score = m.match(d.pairs[:], max(d.effect, 1))
		if d.alone > 0 {
			score.Note = cmp.Or(score.Note, "Spar skips games whose pair is incomplete")
		}
		return elos, score
	}
	return m.match([]float64{float64(d.losses), float64(d.draws), float64(d.wins)}, 1)
}
