package balance

import (
	"cmp"
	"math"
	"slices"

	"spar/engines"

	"spar/ratings"
)

// openingPlies returns the plies at which the variety of openings is measured.
func openingPlies() []int { return []int{1, 2, 4, 8} }

// topLines is the number of openings that are listed.
const topLines = 5

// policyGames is the minimum number of games that reached a position for its choices to be counted.
const policyGames = 20

type prefix [prefixPlies]engines.Move

// cut keeps the first n moves.
func (p prefix) cut(n int) prefix {
	for i := n; i < len(p); i++ {
		p[i] = engines.NoMove
	}
	return p
}

// line is an opening, with the results of the games that began with it.
type line struct {
	moves               prefix
	wins, draws, losses uint32
	first               int64 // id of the first such game
}

func (l *line) games() int64 { return int64(l.wins) + int64(l.draws) + int64(l.losses) }

// lineSums counts openings by the first moves of games.
type lineSums struct {
	lines []line
	index map[prefix]int32
	games int64
}

func (l *lineSums) add(r *record) {
	if l.index == nil {
		l.index = map[prefix]int32{}
	}
	at, ok := l.index[r.prefix]
	if !ok {
		at = int32(len(l.lines))
		l.index[r.prefix] = at
		l.lines = append(l.lines, line{moves: r.prefix, first: r.id})
	}
	l.games++
	switch x := &l.lines[at]; r.half {
	case 2:
		x.wins++
	case 1:
		x.draws++
	default:
		x.losses++
	}
}

// sorted returns the openings of a number of plies, sorted. Its input is sorted openings of at least that length.
func sorted(lines []line, plies int) []line {
	var out []line
	for _, l := range lines {
		if l.moves[plies-1] == engines.NoMove {
			continue // ended before
		}
		l.moves = l.moves.cut(plies)
		if n := len(out); n > 0 && out[n-1].moves == l.moves {
			x := &out[n-1]
			x.wins, x.draws, x.losses, x.first = x.wins+l.wins, x.draws+l.draws, x.losses+l.losses, min(x.first, l.first)
			continue
		}
		out = append(out, l)
	}
	return out
}

// order sorts the openings. Call it after all games have been counted.
func (l *lineSums) order() {
	l.index = nil
	slices.SortFunc(l.lines, func(a, b line) int { return slices.Compare(a.moves[:], b.moves[:]) })
}

// variety computes how different the games are.
func (m measurer) variety(g *engines.Game, d *groupData) *Variety {
	out := &Variety{Openings: []EffectivePly{}, Distinct: m.share(d.distinct, d.games, "games")}
	if d.lines.games == 0 {
		return out
	}
	for _, ply := range openingPlies() {
		if lines := sorted(d.lines.lines, ply); len(lines) > 0 {
			out.Openings = append(out.Openings, m.effective(g, ply, lines))
		}
	}
	out.Policy = m.policy(&d.lines)
	return out
}

// effective returns exp(H), the number of equally frequent openings with the same entropy H in nats. H has the
// correction of Miller (1955) and Madow, (K-1)/(2n), for openings that no game has shown yet. The error of H uses
// the first two terms of its variance, (sum p ln² p - H²)/n + (K-1)/(2n²).
func (m measurer) effective(g *engines.Game, ply int, lines []line) EffectivePly {
	n, counts := int64(0), make([]int64, len(lines))
	for i := range lines {
		counts[i] = lines[i].games()
		n += counts[i]
	}
	corrected, variance := entropy(counts, n)
	half := m.z * math.Sqrt(variance)
	out := EffectivePly{
		Ply: ply, Seen: len(lines), Plain: math.Exp(corrected - float64(len(lines)-1)/float64(2*n)),
		Effective: ratings.Estimate{
			Value: math.Exp(corrected), Interval: ratings.Interval{
				Lo: max(1, math.Exp(corrected-half)),
				Hi: math.Exp(corrected + half),
			}, N: n, Unit: "games", Method: "delta",
		},
	}
	if 2*int64(len(lines)) > n {
		out.Effective.Note = "most openings occurred once, so this is a lower bound"
	}
	out.Effective = warnThin(out.Effective)
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.games(), a.games()) })
	for _, l := range lines[:min(topLines, len(lines))] {
		score := m.score(int64(l.wins), int64(l.draws), int64(l.losses))
		out.Top = append(out.Top, Line{Moves: g.JoinMoves(l.moves[:ply]), Games: l.games(), Score: score})
	}
	return out
}

// policy returns the mean of exp(H) over the positions of the first plies that enough games reached. A position is
// identified by its moves, up to symmetry. H is the corrected entropy of the moves chosen there. The weight of a
// position is its number of games.
func (m measurer) policy(l *lineSums) ratings.Estimate {
	sum, total, spread := 0.0, 0.0, 0.0
	for depth := range prefixPlies {
		lines := sorted(l.lines, depth+1)
		for len(lines) > 0 { // those that continue the same moves stand together
			same := slices.IndexFunc(lines, func(x line) bool { return x.moves.cut(depth) != lines[0].moves.cut(depth) })
			if same < 0 {
				same = len(lines)
			}
			n, counts := int64(0), make([]int64, same)
			for i := range counts {
				counts[i] = lines[i].games()
				n += counts[i]
			}
			lines = lines[same:]
			if n < policyGames {
				continue
			}
			slices.Sort(counts)
			h, variance := entropy(counts, n)
			value, weight := math.Exp(h), float64(n)
			sum, total, spread = sum+value*weight, total+weight, spread+weight*weight*value*value*variance
		}
	}
	if total == 0 {
		return ratings.Estimate{}
	}
	mean, half := sum/total, m.z*math.Sqrt(spread)/total
	return ratings.Estimate{
		Value: mean, Interval: ratings.Interval{Lo: max(1, mean-half), Hi: mean + half}, N: l.games,
		Unit: "games", Scale: ratings.ScaleCount, Method: "delta",
	}
}

// entropy returns the corrected entropy in nats of counts that sum to n, and its variance; see effective.
func entropy(counts []int64, n int64) (h, variance float64) {
	games, k := float64(n), float64(len(counts))
	square := 0.0
	for _, c := range counts {
		p := float64(c) / games
		h, square = h-p*math.Log(p), square+p*math.Log(p)*math.Log(p)
	}
	return h + (k-1)/(2*games), max(square-h*h, 0)/games + (k-1)/(2*games*games)
}
