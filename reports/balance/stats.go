package balance

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"spar/arena/oracle"
	"spar/configs/plain"
	"spar/ratings"
)

// measurer computes numbers with intervals.
type measurer struct {
	level  float64
	z      float64        // two-sided normal quantile of level
	values *oracle.Values // position values; nil if there are none
}

func newMeasurer(o Options) measurer {
	const level = 0.95
	return measurer{level, distuv.UnitNormal.Quantile((1 + level) / 2), o.Oracle}
}

// thin is the number of units below which a number gets a warning.
const thin = 30

// warnThin adds the warning about a small sample.
func warnThin(n ratings.Estimate) ratings.Estimate {
	if n.N > 0 && n.N < thin && n.Note == "" {
		n.Note = "few " + n.Unit
	}
	return n
}

// share returns the fraction k/n with its Wilson interval.
func (m measurer) share(k, n int64) ratings.Estimate {
	if n <= 0 {
		return ratings.Estimate{}
	}
	return warnThin(ratings.Wilson(k, n, m.level))
}

// wilson returns the Wilson interval for a mean p of n values in [0, 1].
func (m measurer) wilson(p, n float64) (lo, hi float64) {
	_, v := ratings.WilsonMean(p, n, m.level)
	return v.Lo, v.Hi
}

// score returns the mean score of n results: half of (1 + share of wins - share of losses). The interval combines
// Wilson's intervals of the two shares with their correlation, as Newcombe (1998, "Improved confidence intervals
// for the difference between binomial proportions based on paired data", method 10) does. Without draws it is
// Wilson's interval of the wins; if all games are draws, it is as wide as for that many games without a win.
func (m measurer) score(wins, draws, losses int64) ratings.Estimate {
	total := wins + draws + losses
	if total <= 0 {
		return ratings.Estimate{}
	}
	n := float64(total)
	won, lost := float64(wins)/n, float64(losses)/n
	wonLo, wonHi := m.wilson(won, n)
	lostLo, lostHi := m.wilson(lost, n)
	phi := 0.0
	switch {
	case draws == 0:
		phi = -1 // what one side does not win the other does
	case won > 0 && lost > 0:
		phi = -math.Sqrt(won * lost / ((1 - won) * (1 - lost)))
	}
	side := func(a, b float64) float64 { return math.Sqrt(max(0, a*a-2*phi*a*b+b*b)) / 2 }
	s := (float64(wins) + float64(draws)/2) / n
	return warnThin(ratings.Estimate{
		Value: s, Interval: ratings.Interval{
			Lo: max(0, s-side(won-wonLo, lostHi-lost)),
			Hi: min(1, s+side(wonHi-won, lost-lostLo)),
		}, N: total, Unit: "games", Scale: ratings.ScaleShare, Method: "newcombe",
	})
}

// elo converts a score to Elo. If one side has no points there is only a bound; the value is then computed with
// half a point for that side.
func elo(score ratings.Estimate) ratings.Estimate {
	out := score
	out.Scale = ratings.ScaleElo
	if !score.Known() {
		return ratings.Estimate{}
	}
	s, n := score.Value, float64(score.N)
	if s <= 0 || s >= 1 {
		s = (s*n + 0.5) / (n + 1)
		out.Note = fmt.Sprintf("no point was %s, so the results give only a bound; the value assumes that half a point was",
			plain.If(score.Value <= 0, "won", "lost"))
	}
	out.Value = ratings.EloOfScore(s)
	out.Lo, out.LoOpen = 0, score.Lo <= 0
	out.Hi, out.HiOpen = 0, score.Hi >= 1
	if !out.LoOpen {
		out.Lo = min(ratings.EloOfScore(score.Lo), out.Value)
	}
	if !out.HiOpen {
		out.Hi = max(ratings.EloOfScore(score.Hi), out.Value)
	}
	return out
}

// match returns the Elo and the score of a match, from the winner's half points in its pairs or games, whose variance
// has a design effect.
func (m measurer) match(counts []float64, effect float64) (elos, score ratings.Estimate) {
	worth, n := make([]float64, len(counts)), 0.0
	for i, c := range counts {
		worth[i], n = c/effect, n+c
	}
	a, err := ratings.AnalyzeMatch(worth, m.level)
	if err != nil || a.Score.N == 0 {
		return ratings.Estimate{}, ratings.Estimate{}
	}
	score = a.Score
	score.N = int64(n)
	score.Interval = ratings.Interval{Lo: 0, Hi: 1}
	score.Method = "student"
	if !a.Elo.Interval.LoOpen {
		score.Lo = ratings.ExpectedScore(a.Elo.Interval.Lo)
	}
	if !a.Elo.Interval.HiOpen {
		score.Hi = ratings.ExpectedScore(a.Elo.Interval.Hi)
	}
	if len(a.Warnings) > 0 {
		score.Method = "clopper-pearson"
		score.Note = a.Warnings[0]
	}
	elos = elo(score)
	return warnThin(elos), warnThin(score)
}

// quantileOf returns the quantile of n values, linear between order statistics (type 7); ranked gives them by rank from
// 0.
func quantileOf(n int, ranked func(int) float64, p float64) float64 {
	at := p * float64(n-1)
	i := int(at)
	low := ranked(min(i, n-1))
	if i+1 >= n {
		return low
	}
	return low + (at-float64(i))*(ranked(i+1)-low)
}

// quantile returns the type-7 quantile of a value that each game has; at gives the values by rank from 0. The
// interval lies between the order statistics whose ranks enclose the true quantile by the binomial distribution.
// From 200 games on, it uses the normal approximation. An end without such an order statistic is open.
func (m measurer) quantile(n int, ranked func(int) float64, p float64, unit string) ratings.Estimate {
	if n == 0 {
		return ratings.Estimate{}
	}
	out := ratings.Estimate{
		Value:  quantileOf(n, ranked, p),
		N:      int64(n),
		Unit:   "games",
		Scale:  scaleOf(unit),
		Method: "order statistics",
	}
	tail := (1 - m.level) / 2
	var lo, hi int // ranks from 1; the interval is [x_lo, x_hi]
	if n >= 200 {
		half := m.z * math.Sqrt(float64(n)*p*(1-p))
		lo, hi = int(math.Floor(float64(n)*p-half)), int(math.Ceil(float64(n)*p+half))+1
	} else {
		// Rank lo is the greatest with P(B < lo) <= tail, rank hi the least with P(B >= hi) <= tail.
		b := distuv.Binomial{N: float64(n), P: p}
		for lo < n && b.CDF(float64(lo)) <= tail {
			lo++
		}
		hi = n + 1
		for hi > 1 && 1-b.CDF(float64(hi-2)) <= tail {
			hi--
		}
	}
	if out.LoOpen = lo < 1; !out.LoOpen {
		out.Lo = min(ranked(lo-1), out.Value)
	}
	if out.HiOpen = hi > n; !out.HiOpen {
		out.Hi = max(ranked(hi-1), out.Value)
	}
	return warnThin(out)
}

// combine adds independent numbers times factors. Each side of the interval is the square root of the sum of
// squares of the sides (MOVER, Zou & Donner 2008, Stat. Med. 27:1693). An end is open if it is open for one of the
// numbers.
func combine(parts []ratings.Estimate, factors []float64, of, unit string) ratings.Estimate {
	out := ratings.Estimate{Unit: of, Scale: scaleOf(unit), Method: "combined"}
	var down, up float64
	for i, p := range parts {
		f := factors[i]
		out.Value += f * p.Value
		out.N += p.N
		lo := p.Value - p.Lo
		hi := p.Hi - p.Value
		loOpen := p.LoOpen
		hiOpen := p.HiOpen
		if f < 0 {
			lo, hi, loOpen, hiOpen = hi, lo, hiOpen, loOpen
		}
		out.LoOpen = out.LoOpen || loOpen
		out.HiOpen = out.HiOpen || hiOpen
		down, up = down+f*f*lo*lo, up+f*f*hi*hi
		if p.Note != "" && !strings.Contains(out.Note, p.Note) {
			out.Note = strings.TrimPrefix(out.Note+"; "+p.Note, "; ")
		}
	}
	if !out.LoOpen {
		out.Lo = out.Value - math.Sqrt(down)
	}
	if !out.HiOpen {
		out.Hi = out.Value + math.Sqrt(up)
	}
	return out
}
