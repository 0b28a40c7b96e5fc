package balance

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// outcome is measures 1, 2 and 4. Where games began with openings, the two of a pair share one and are not independent: the
// intervals then take pairs as units if that makes them wider.
func (m measurer) outcome(members []*record) Outcome {
	var o Outcome
	for _, r := range members {
		switch {
		case r.kind == endCap:
			o.Caps++
		case r.half == 2:
			o.FirstWins++
		case r.half == 1:
			o.Draws++
		default:
			o.SecondWins++
		}
	}
	n := int64(len(members))
	share := func(k int64, is func(*record) bool) Number {
		return m.widen(m.share(k, n, "games"), designEffect(members, func(r *record) float64 { return oneIf(is(r)) }))
	}
	o.First = share(o.FirstWins, func(r *record) bool { return r.kind != endCap && r.half == 2 })
	o.Draw = share(o.Draws, func(r *record) bool { return r.kind != endCap && r.half == 1 })
	o.Cap = share(o.Caps, func(r *record) bool { return r.kind == endCap })
	o.Second = share(o.SecondWins, func(r *record) bool { return r.kind != endCap && r.half == 0 })
	o.Score = m.widen(m.score(o.FirstWins, o.Draws+o.Caps, o.SecondWins, "games"), designEffect(members, (*record).z))
	o.Elo = elo(o.Score)
	var decisive []*record
	for _, r := range members {
		if r.kind != endCap && r.half != 1 {
			decisive = append(decisive, r)
		}
	}
	o.Decisive = m.widen(m.share(o.FirstWins, o.FirstWins+o.SecondWins, "decisive games"), designEffect(decisive, (*record).z))
	return o
}

func oneIf(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// designEffect is the variance of the mean of a value over that of independent games, with pairs of games from an opening as
// clusters; at least 1, and 1 with fewer than ten pairs.
func designEffect(members []*record, value func(*record) float64) float64 {
	type key struct {
		event int32
		pair  int64
	}
	sum, opened := 0.0, false
	for _, r := range members {
		sum += value(r)
		opened = opened || r.opening > 0
	}
	if !opened {
		return 1
	}
	mean := sum / float64(len(members))
	pairs := map[key]float64{}
	var order []key // so that sums are always the same
	single := 0.0
	for _, r := range members {
		d := value(r) - mean
		single += d * d
		k := key{r.event, r.pair}
		if _, ok := pairs[k]; !ok {
			order = append(order, k)
		}
		pairs[k] += d
	}
	if len(order) < 10 || single == 0 {
		return 1
	}
	clustered := 0.0
	for _, k := range order {
		clustered += pairs[k] * pairs[k]
	}
	return max(clustered/single, 1)
}

// widen makes the interval of a share or score wider by the square root of a design effect.
func (m measurer) widen(n Number, effect float64) Number { return stretch(n, effect, 0, 1) }

// stretch makes an interval wider by the square root of a design effect, within limits; an open side stays open.
func stretch(n Number, effect, least, most float64) Number {
	if !n.OK() || effect <= 1 {
		return n
	}
	if !n.LoOpen {
		n.Lo = max(least, n.Value-(n.Value-n.Lo)*math.Sqrt(effect))
	}
	if !n.HiOpen {
		n.Hi = min(most, n.Value+(n.Hi-n.Value)*math.Sqrt(effect))
	}
	n.Method += ", clustered by pair"
	return n
}

// ends is measure 5, of all games of a group but the repeated ones.
func (m measurer) ends(p *pass, group int) Ends {
	type key struct {
		reason int32
		kind   endKind
	}
	found := map[key]*ReasonShare{}
	var all, played, completed, forfeits int64
	var members, finished []*record
	for i := range p.records {
		r := &p.records[i]
		if int(r.group) != group || r.repeated {
			continue
		}
		all++
		members = append(members, r)
		if r.kind != endForfeit && r.kind != endAdjudicated {
			finished = append(finished, r)
		}
		switch r.kind {
		case endForfeit:
			forfeits++
		case endAdjudicated: // nobody knows how the rules would have ended it
		case endCap:
			played++
		default:
			played++
			completed++
		}
		k := key{r.reason, r.kind}
		if found[k] == nil {
			found[k] = &ReasonShare{Reason: p.reasons[r.reason], Kind: r.kind.String(), By: map[string]int64{}}
		}
		found[k].Games++
		found[k].By[resultWord(r.half)]++
	}
	out := Ends{Reasons: []ReasonShare{}, Forfeits: forfeits}
	out.Completion = m.widen(m.share(completed, played, "games"), designEffect(finished, func(r *record) float64 { return oneIf(r.kind != endCap) }))
	for k, s := range found {
		s.Share = m.widen(m.share(s.Games, all, "games"), designEffect(members, func(r *record) float64 { return oneIf(r.reason == k.reason && r.kind == k.kind) }))
		out.Reasons = append(out.Reasons, *s)
	}
	slices.SortFunc(out.Reasons, func(a, b ReasonShare) int {
		return cmp.Or(cmp.Compare(b.Games, a.Games), strings.Compare(a.Reason, b.Reason), strings.Compare(a.Kind, b.Kind))
	})
	return out
}

func resultWord(half uint8) string { return [...]string{"second", "draw", "first"}[half] }
