package balance

import (
	"cmp"
	"slices"
	"strconv"

	"spar/ratings"
)

// duel is all games of two agents against each other, from the side of a.
type duel struct {
	a, b                int32
	wins, draws, losses int64
	pairs               [5]float64 // complete pairs by half points of a: 0 to 4
	alone               int64      // games that are not in a complete pair
}

// duels collects the games between different agents that a filter accepts, in the order of the agents' names.
func (p *pass) duels(accept func(*record) bool) []*duel {
	type pairKey struct {
		event, a, b int32
		pair        int64
	}
	type half struct {
		points uint8 // half points of a
		first  int32
	}
	found := map[[2]int32]*duel{}
	open := map[pairKey]half{}
	for i := range p.records {
		r := &p.records[i]
		if r.first == r.second || !r.counts() || !accept(r) {
			continue
		}
		a, b, points := r.first, r.second, r.half
		if p.names[a] > p.names[b] {
			a, b, points = b, a, 2-points
		}
		d := found[[2]int32{a, b}]
		if d == nil {
			d = &duel{a: a, b: b}
			found[[2]int32{a, b}] = d
		}
		switch points {
		case 2:
			d.wins++
		case 1:
			d.draws++
		default:
			d.losses++
		}
		k := pairKey{r.event, a, b, r.pair}
		if other, ok := open[k]; ok && other.first != r.first {
			delete(open, k)
			d.pairs[other.points+points]++
			d.alone--
		} else {
			open[k] = half{points, r.first}
			d.alone++
		}
	}
	var out []*duel
	for _, d := range found {
		out = append(out, d)
	}
	slices.SortFunc(out, func(x, y *duel) int {
		return cmp.Or(cmp.Compare(p.names[x.a], p.names[y.a]), cmp.Compare(p.names[x.b], p.names[y.b]))
	})
	return out
}

// from returns the duel from the other side where that is asked for.
func (d *duel) from(agent int32) duel {
	if agent == d.a {
		return *d
	}
	o := duel{a: d.b, b: d.a, wins: d.losses, draws: d.draws, losses: d.wins, alone: d.alone}
	for i, n := range d.pairs {
		o.pairs[4-i] = n
	}
	return o
}

// duel analyses a duel from the side of its a: by pairs where all games but a few are in pairs, otherwise by games.
func (m measurer) duel(d duel) (elos, score Number) {
	pairs := 0.0
	for _, n := range d.pairs {
		pairs += n
	}
	if pairs > 0 && float64(d.alone) <= 0.1*pairs {
		elos, score = m.match(d.pairs[:])
		if d.alone > 0 {
			score.Warning = cmp.Or(score.Warning, "games without their pair are left out")
		}
		return elos, score
	}
	return m.match([]float64{float64(d.losses), float64(d.draws), float64(d.wins)})
}

// table enters games into a table of ratings.
func (p *pass) table(accept func(*record) bool) (*ratings.Table, error) {
	var b ratings.Builder
	for i := range p.records {
		r := &p.records[i]
		if r.first == r.second || !r.counts() || !accept(r) {
			continue
		}
		if err := b.Add(ratings.Game{
			First: p.names[r.first], Second: p.names[r.second], Result: ratings.Outcome(r.half), Stratum: p.data.Label, Pair: p.pairName(r),
		}); err != nil {
			return nil, err
		}
	}
	return b.Table(), nil
}

// pairName names the pair of a game within the study.
func (p *pass) pairName(r *record) string {
	return strconv.FormatInt(p.data.Events[r.event].ID, 10) + "/" + strconv.FormatInt(r.pair, 10)
}
