package balance

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// pick is a game chosen to be looked at.
type pick struct {
	kind, title, why string
	rec              *record
	ply              int
}

// samples chooses odd and typical games of a group. Among equals the first game of the study is taken.
func (p *pass) samples(ctx context.Context, d *groupData, all []*arc) ([]Sample, error) {
	var picks []pick
	add := func(kind, title, why string, r *record, ply int) {
		if r != nil {
			picks = append(picks, pick{kind, title, why, r, ply})
		}
	}
	best := func(accept func(*record) bool, less func(a, b *record) bool) *record {
		var found *record
		for _, r := range d.members {
			if !r.bad && accept(r) && (found == nil || less(r, found)) {
				found = r
			}
		}
		return found
	}
	any := func(*record) bool { return true }
	longer := func(a, b *record) bool { return a.plies > b.plies }
	shorter := func(a, b *record) bool { return a.plies < b.plies }
	longest, shortest := best(func(r *record) bool { return r.kind != endCap }, longer), best(any, shorter)
	last := best(any, longer)
	alike := last != nil && last.plies == shortest.plies // then none of them is odd
	if longest != nil && !alike {
		add("longest", "Longest", fmt.Sprintf("%d plies, the most without a cap", longest.plies), longest, 0)
	}
	if shortest != nil && !alike {
		add("shortest", "Shortest", fmt.Sprintf("%d plies", shortest.plies), shortest, 0)
	}
	if r := p.typical(d); r != nil && alike {
		add("median", "A game of the usual length", fmt.Sprintf("%d plies, like all games", r.plies), r, 0)
	} else if r != nil {
		add("median", "Median length", fmt.Sprintf("%d plies, as long as half of the games at most", r.plies), r, 0)
	}
	if r := best(func(r *record) bool { return r.kind == endDraw }, shorter); r != nil {
		add("draw", "A draw", fmt.Sprintf("drawn (%s) after %d plies", p.reasons[r.reason], r.plies), r, 0)
	}
	if r := best(func(r *record) bool { return r.kind == endCap }, shorter); r != nil {
		add("capped", "Ended by a cap", fmt.Sprintf("no result by the rules after %d plies (%s)", r.plies, p.reasons[r.reason]), r, 0)
	}
	picks = append(picks, turns(all)...)
	if r, n := p.commonOpening(d); r != nil {
		add("opening", "The most frequent opening", fmt.Sprintf("%d of %d games began like this, up to symmetry", n, len(d.members)), r, 0)
	}
	course := map[int64]*arc{}
	for _, a := range all {
		course[a.rec.id] = a
	}
	out := []Sample{}
	for _, x := range picks {
		g, err := p.data.Find(ctx, x.rec.id)
		if err != nil {
			return nil, err
		}
		s := Sample{
			Kind: x.kind, Title: x.title, Why: x.why, Game: g.ID, First: g.First, Second: g.Second, Result: g.Result, Reason: g.Reason, Plies: g.Plies,
			Ply: x.ply, From: int(x.rec.opening), Seed: g.Seed, key: gameKey(p.data.Events[x.rec.event].Name, g.Number), Moves: g.Moves, Event: p.data.Events[x.rec.event].Name,
		}
		if a := course[g.ID]; a != nil {
			s.Values = a.v
		}
		out = append(out, s)
	}
	return out, nil
}

// turns finds the greatest comeback, where there is one, and the greatest blunder.
func turns(all []*arc) []pick {
	var comeback, blunder pick
	low, worst := math.Inf(1), math.Inf(1)
	for _, a := range all {
		if side, won := a.winner(); won {
			for i := a.first(); i < len(a.v)-1; i++ {
				if v := a.of(a.v, i, side); v < low {
					low = v
					comeback = pick{"comeback", "Biggest comeback", fmt.Sprintf("the winner was down to %.0f %% after ply %d", 100*v, a.start+i), a.rec, a.start + i}
				}
			}
		}
		for i := 1; i < len(a.v); i++ {
			if d := gainAt(a, a.v, i); d < worst {
				worst = d
				blunder = pick{"blunder", "Biggest blunder", fmt.Sprintf("ply %d gave %.0f points of a hundred away", a.start+i, -100*d), a.rec, a.start + i}
			}
		}
	}
	var out []pick
	if comeback.rec != nil && low < comebackBelow {
		out = append(out, comeback)
	}
	if blunder.rec != nil && worst < 0 {
		out = append(out, blunder)
	}
	return out
}

// typical is a game of the median length (the lower one of two).
func (p *pass) typical(d *groupData) *record {
	var games []*record
	for _, r := range d.members {
		if !r.bad {
			games = append(games, r)
		}
	}
	if len(games) == 0 {
		return nil
	}
	slices.SortStableFunc(games, func(a, b *record) int { return cmp.Compare(a.plies, b.plies) })
	middle := games[(len(games)-1)/2].plies
	i := slices.IndexFunc(games, func(r *record) bool { return r.plies == middle })
	return games[i]
}

// commonOpening is the first game with the most frequent opening of four plies.
func (p *pass) commonOpening(d *groupData) (*record, int) {
	const plies = 4
	count := map[prefix]int{}
	for _, r := range d.members {
		if !r.bad && r.opening == 0 && r.prefixN >= plies {
			count[prefix(r.prefix).cut(plies)]++
		}
	}
	var found *record
	most := 1
	for _, r := range d.members {
		if !r.bad && r.opening == 0 && r.prefixN >= plies {
			if n := count[prefix(r.prefix).cut(plies)]; n > most {
				found, most = r, n
			}
		}
	}
	return found, most
}
