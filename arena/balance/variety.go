package balance

import (
	"cmp"
	"math"
	"slices"

	"spar/engines"
)

// openingPlies are the plies by which the variety of openings is told.
func openingPlies() []int { return []int{1, 2, 4, 8} }

// topLines is the number of openings that are named.
const topLines = 5

// policyGames is the number of games that must have met a position for its choices to be counted.
const policyGames = 20

type prefix [prefixPlies]engines.Move

// cut keeps the first n moves.
func (p prefix) cut(n int) prefix {
	for i := n; i < len(p); i++ {
		p[i] = engines.NoMove
	}
	return p
}

// variety is measure 18.
func (m measurer) variety(g *engines.Game, d *groupData) *Variety {
	out := &Variety{Openings: []EffectivePly{}, Distinct: m.share(d.distinct, d.games, "games")}
	var games []*record
	for _, r := range d.members {
		if !r.bad && r.opening == 0 && r.prefixN > 0 {
			games = append(games, r)
		}
	}
	if len(games) == 0 {
		return out
	}
	for _, ply := range openingPlies() {
		lines := map[prefix]*tally{}
		for _, r := range games {
			if int(r.prefixN) < ply {
				continue
			}
			k := prefix(r.prefix).cut(ply)
			if lines[k] == nil {
				lines[k] = &tally{}
			}
			lines[k].add(r)
		}
		if len(lines) > 0 {
			out.Openings = append(out.Openings, m.effective(g, ply, lines))
		}
	}
	out.Policy = m.policy(games)
	return out
}

// effective is the number of openings that equally frequent ones would need for the same entropy H in nats, exp(H), with the
// correction of Miller (1955) and Madow, (K-1)/(2n), for the entropy that few games miss. The error of H has the two first terms
// of its variance, (sum p ln² p - H²)/n + (K-1)/(2n²).
func (m measurer) effective(g *engines.Game, ply int, lines map[prefix]*tally) EffectivePly {
	keys := sortedPrefixes(lines)
	n, counts := int64(0), make([]int64, len(keys))
	for i, k := range keys {
		counts[i] = lines[k].games()
		n += counts[i]
	}
	corrected, variance := entropy(counts, n)
	half := m.z * math.Sqrt(variance)
	out := EffectivePly{
		Ply: ply, Seen: len(keys), Plain: math.Exp(corrected - float64(len(keys)-1)/float64(2*n)),
		Effective: Number{
			Value: math.Exp(corrected), Lo: max(1, math.Exp(corrected-half)), Hi: math.Exp(corrected + half), N: n, Of: "games", Unit: "openings", Method: "delta",
		},
	}
	if 2*int64(len(keys)) > n {
		out.Effective.Warning = "most openings were seen once: a lower bound"
	}
	out.Effective = warnThin(out.Effective)
	slices.SortStableFunc(keys, func(a, b prefix) int { return cmp.Compare(lines[b].games(), lines[a].games()) })
	for _, key := range keys[:min(topLines, len(keys))] {
		t := lines[key]
		out.Top = append(out.Top, Line{Moves: g.JoinMoves(key[:ply]), Games: t.games(), Score: m.score(t.wins, t.draws, t.losses, "games")})
	}
	return out
}

func sortedPrefixes[V any](lines map[prefix]V) []prefix {
	keys := make([]prefix, 0, len(lines))
	for k := range lines {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b prefix) int { return slices.Compare(a[:], b[:]) })
	return keys
}

// policy is the mean of exp(H) over positions of the first plies (up to symmetry, as sequences of moves) that enough games met, H
// the corrected entropy of the moves chosen there, each position counting by its games.
func (m measurer) policy(games []*record) Number {
	type spot struct {
		depth int
		at    prefix
	}
	chosen := map[spot]map[engines.Move]int64{}
	for _, r := range games {
		for depth := range int(r.prefixN) {
			s := spot{depth, prefix(r.prefix).cut(depth)}
			if chosen[s] == nil {
				chosen[s] = map[engines.Move]int64{}
			}
			chosen[s][r.prefix[depth]]++
		}
	}
	var values, weights, variances []float64
	var spots []spot
	for s := range chosen {
		spots = append(spots, s)
	}
	slices.SortFunc(spots, func(a, b spot) int { return cmp.Or(cmp.Compare(a.depth, b.depth), slices.Compare(a.at[:], b.at[:])) })
	for _, s := range spots {
		var counts []int64
		n := int64(0)
		for _, c := range chosen[s] {
			n += c
			counts = append(counts, c)
		}
		if n < policyGames {
			continue
		}
		slices.Sort(counts)
		h, variance := entropy(counts, n)
		value := math.Exp(h)
		values, weights, variances = append(values, value), append(weights, float64(n)), append(variances, value*value*variance)
	}
	if len(values) == 0 {
		return Number{}
	}
	sum, total, spread := 0.0, 0.0, 0.0
	for i, v := range values {
		sum, total, spread = sum+v*weights[i], total+weights[i], spread+weights[i]*weights[i]*variances[i]
	}
	mean, half := sum/total, m.z*math.Sqrt(spread)/total
	return Number{Value: mean, Lo: max(1, mean-half), Hi: mean + half, N: int64(len(games)), Of: "games", Unit: "moves", Method: "delta"}
}

// entropy is the corrected entropy of counts that sum to n, in nats, and its variance; see effective.
func entropy(counts []int64, n int64) (h, variance float64) {
	games, k := float64(n), float64(len(counts))
	square := 0.0
	for _, c := range counts {
		p := float64(c) / games
		h, square = h-p*math.Log(p), square+p*math.Log(p)*math.Log(p)
	}
	return h + (k-1)/(2*games), max(square-h*h, 0)/games + (k-1)/(2*games*games)
}
