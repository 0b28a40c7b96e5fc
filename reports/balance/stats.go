package balance

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"spar/arena/oracle"
	"spar/ratings"
)

// measurer computes numbers with intervals.
type measurer struct {
	level     float64
	z         float64 // two-sided normal quantile of level
	resamples int
	seed      uint64
	values    *oracle.Values // position values; nil if there are none
}

func newMeasurer(o Options) measurer {
	m := measurer{level: o.Level, resamples: o.Resamples, seed: o.Seed, values: o.Oracle}
	if !(m.level > 0 && m.level < 1) {
		m.level = 0.95
	}
	if m.resamples <= 0 {
		m.resamples = 1000
	}
	m.z = distuv.UnitNormal.Quantile((1 + m.level) / 2)
	return m
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
func (m measurer) share(k, n int64, of string) ratings.Estimate {
	if n <= 0 {
		return ratings.Estimate{}
	}
	s := ratings.Wilson(k, n, m.level)
	s.Unit = of
	return warnThin(s)
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
		side := "lost"
		if score.Value <= 0 {
			side = "won"
		}
		out.Note = "not one point " + side + ": the results give only a bound; the value assumes half a point " + side
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
	score.Interval, score.Method = ratings.Interval{Lo: 0, Hi: 1}, "student"
	if !a.Elo.Interval.LoOpen {
		score.Lo = ratings.ExpectedScore(a.Elo.Interval.Lo)
	}
	if !a.Elo.Interval.HiOpen {
		score.Hi = ratings.ExpectedScore(a.Elo.Interval.Hi)
	}
	if len(a.Warnings) > 0 {
		score.Method, score.Note = "clopper-pearson", a.Warnings[0]
	}
	elos = elo(score)
	return warnThin(elos), warnThin(score)
}

// quantile7 returns the quantile of sorted values, linear between order statistics (type 7).
func quantile7(sorted []float64, p float64) float64 {
	return quantileOf(len(sorted), func(i int) float64 { return sorted[i] }, p)
}

// quantileOf returns quantile7 of n values, which at gives by rank from 0.
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
func (m measurer) quantile(n int, ranked func(int) float64, p float64, of, unit string) ratings.Estimate {
	if n == 0 {
		return ratings.Estimate{}
	}
	out := ratings.Estimate{
		Value: quantileOf(n, ranked, p), N: int64(n), Unit: of, Scale: scaleOf(unit),
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

// maxBlocks is the maximum number of resampled units. More units are summed in blocks of equal size, which changes the
// distribution of resampled sums only by terms of order 1/maxBlocks.
const maxBlocks = 2000

// blocks holds the sums for the bootstrap: rows with several columns, one row for each unit. It keeps only the
// sums of each block of rows, and if clusters have several units, those of each block of clusters.
type blocks struct {
	width    int
	n        int64 // number of rows
	units    partition
	clusters partition
	known    []bool // clusters that have rows
	distinct int    // number of clusters; a row without one is a cluster of its own
	total    []float64
	some     []int64 // for each column, the number of rows in which it is not 0
}

// partition holds the sums of blocks.
type partition struct {
	flat      []float64 // sums of each block
	resampled []float64 // sums of all resamples by column; nil until they are needed
}

func newBlocks(width int) *blocks {
	return &blocks{width: width, total: make([]float64, width), some: make([]int64, width)}
}

// add adds the row of one unit of a cluster; a negative number means that the unit is a cluster of its own.
func (b *blocks) add(cluster int, row ...float64) {
	b.units.add(int(b.n), row)
	switch {
	case cluster < 0:
		cluster = int(b.n) // it may share a block with a cluster
		b.distinct++
	case cluster >= len(b.known) || !b.known[cluster]:
		b.known = append(b.known, make([]bool, max(0, cluster+1-len(b.known)))...)
		b.known[cluster] = true
		b.distinct++
	}
	b.clusters.add(cluster, row)
	b.n++
	for j, x := range row {
		b.total[j] += x
		if x != 0 {
			b.some[j]++
		}
	}
}

// add adds a row to the block of a number.
func (p *partition) add(number int, row []float64) {
	p.resampled = nil
	at := number % maxBlocks * len(row)
	if at >= len(p.flat) {
		p.flat = append(p.flat, make([]float64, at+len(row)-len(p.flat))...)
	}
	for j, x := range row {
		p.flat[at+j] += x
	}
}

// byOpening reports whether clusters with several units are the units of intervals.
func (b *blocks) byOpening() bool {
	return int64(b.distinct) < b.n && b.distinct >= ratings.MinOpenings
}

// size returns the number of units on which intervals are based.
func (b *blocks) size() int64 {
	if b.byOpening() {
		return int64(b.distinct)
	}
	return b.n
}

// sums resamples units and returns the interval of each statistic that stat computes from the sums of a resample.
// Stat sets undefined values to NaN; a statistic undefined in more than a tenth of the resamples has no interval.
// The sums of the resamples are expensive, so they are kept for further statistics of the same units. Of units and
// clusters those with the wider interval count. The interval of few is widened as Student's.
func (m measurer) sums(b *blocks, outputs int, stat func(sum, out []float64)) (lo, hi []float64, ok []bool) {
	if b.n == 0 {
		return make([]float64, outputs), make([]float64, outputs), make([]bool, outputs)
	}
	lo, hi, ok = m.partition(b, &b.units, outputs, stat)
	if !b.byOpening() {
		return lo, hi, ok
	}
	value := make([]float64, outputs)
	stat(b.total, value)
	n := float64(b.distinct)
	wider := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile((1+m.level)/2) / m.z * math.Sqrt(n/(n-1))
	from, to, known := m.partition(b, &b.clusters, outputs, stat)
	for i := range lo {
		x, y := value[i]-wider*(value[i]-from[i]), value[i]+wider*(to[i]-value[i])
		if ok[i] = ok[i] && known[i]; y-x > hi[i]-lo[i] {
			lo[i], hi[i] = x, y
		}
	}
	return lo, hi, ok
}

// partition is sums for one kind of blocks.
func (m measurer) partition(b *blocks, p *partition, outputs int, stat func(sum, out []float64)) (lo, hi []float64, ok []bool) {
	count := len(p.flat) / b.width
	known, at := p.resampled, 0
	if known == nil {
		p.resampled = make([]float64, m.resamples*b.width)
	}
	return m.resample(count, outputs, func(draw func() int, out []float64) {
		sum := p.resampled[at*b.width : (at+1)*b.width]
		at++
		if known == nil {
			for range count {
				from := draw() * b.width
				for j, x := range p.flat[from : from+b.width] {
					sum[j] += x
				}
			}
		}
		stat(sum, out)
	})
}

// resample draws from n units with replacement and returns percentile intervals of what stat computes.
func (m measurer) resample(n, outputs int, stat func(draw func() int, out []float64)) (lo, hi []float64, ok []bool) {
	lo, hi, ok = make([]float64, outputs), make([]float64, outputs), make([]bool, outputs)
	src := rand.NewPCG(m.seed, 0x62616c616e6365)
	var word uint64
	left := 0
	draw := func() int {
		if left == 0 {
			word, left = src.Uint64(), 2
		}
		v := uint64(uint32(word)) * uint64(n) >> 32
		word >>= 32
		left--
		return int(v)
	}
	values := make([][]float64, outputs)
	out := make([]float64, outputs)
	for range m.resamples {
		stat(draw, out)
		for i, v := range out {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				values[i] = append(values[i], v)
			}
		}
	}
	for i, vs := range values {
		if ok[i] = 10*len(vs) >= 9*m.resamples && n >= 2; !ok[i] {
			continue
		}
		slices.Sort(vs)
		lo[i], hi[i] = quantile7(vs, (1-m.level)/2), quantile7(vs, (1+m.level)/2)
	}
	return lo, hi, ok
}

// bootstrapped returns a statistic with a percentile interval. A value between 0 and 1 that is 0 in every
// resample, or 1 in every one, would have an interval without width: it gets Wilson's interval for as many units,
// which is slightly too wide. This also applies to a fraction that is the same in a few units. A count that is
// always 0 gets the exact limit of the Poisson distribution.
func (m measurer) bootstrapped(value float64, n int64, lo, hi float64, ok bool, of, unit string) ratings.Estimate {
	if n <= 0 || math.IsNaN(value) || math.IsInf(value, 0) {
		return ratings.Estimate{}
	}
	out := ratings.Estimate{
		Value: value, Interval: ratings.Interval{Lo: min(lo, value), Hi: max(hi, value)}, N: n,
		Unit: of, Scale: scaleOf(unit), Method: "bootstrap",
	}
	if ok && lo == hi && (value == 0 || value == 1) {
		switch unit {
		case "share", "score", "uncertainty", "drama", "squared score", "area":
			out.Method = "wilson"
			out.Lo, out.Hi = m.wilson(value, float64(n))
		case "changes":
			if value == 0 {
				out.Method, out.Hi = "poisson", m.poisson(float64(n))
			}
		}
	} else if ok && lo == hi && n < thin && unit == "share" { // all of a few games agree: that they do is luck
		out.Method = "wilson"
		out.Lo, out.Hi = m.wilson(value, float64(n))
	}
	if !ok {
		out.Lo, out.Hi, out.LoOpen, out.HiOpen = 0, 0, true, true
		out.Note = "too few " + of + " for an interval"
	}
	return warnThin(out)
}

// poisson returns the exact upper limit of the rate of an event that never occurred in the given exposure.
func (m measurer) poisson(exposure float64) float64 { return -math.Log((1-m.level)/2) / exposure }

// ratio returns the sum of one column divided by the sum of another, over all units.
func (m measurer) ratio(b *blocks, num, den int, of, unit string) ratings.Estimate {
	if b.total[den] == 0 {
		return ratings.Estimate{}
	}
	lo, hi, ok := m.sums(b, 1, func(s, out []float64) { out[0] = s[num] / s[den] })
	out := m.bootstrapped(b.total[num]/b.total[den], b.some[den], lo[0], hi[0], ok[0], of, unit)
	if unit == "changes per 10 plies" && b.total[num] == 0 && out.Known() {
		out.Method, out.Lo, out.Hi, out.LoOpen, out.HiOpen = "poisson", 0, m.poisson(b.total[den]), false, false
	}
	return out
}

// mean returns the mean of a value that each game has.
func (m measurer) mean(xs []float64, of, unit string) ratings.Estimate {
	b := newBlocks(2)
	for _, x := range xs {
		b.add(-1, x, 1)
	}
	return m.ratio(b, 0, 1, of, unit)
}

// half returns half the width of the interval; 0 if one end is open.
func half(n ratings.Estimate) float64 {
	if n.LoOpen || n.HiOpen {
		return 0
	}
	return (n.Hi - n.Lo) / 2
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
		lo, hi, loOpen, hiOpen := p.Value-p.Lo, p.Hi-p.Value, p.LoOpen, p.HiOpen
		if f < 0 {
			lo, hi, loOpen, hiOpen = hi, lo, hiOpen, loOpen
		}
		out.LoOpen, out.HiOpen = out.LoOpen || loOpen, out.HiOpen || hiOpen
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

// line fits y = a + b·x by least squares with weights 1/se². If the points scatter more than their errors explain, the
// error of b is enlarged to match, with Student's t on n-2 degrees of freedom. The p-value is for the hypothesis that
// the points are on a line, 1 for two points.
func (m measurer) line(x, y, se []float64) (slope ratings.Estimate, intercept, p float64) {
	p = 1
	if len(x) < 2 {
		return ratings.Estimate{}, 0, p
	}
	var sw, sx, sy float64
	for i := range x {
		w := 1 / (se[i] * se[i])
		sw, sx, sy = sw+w, sx+w*x[i], sy+w*y[i]
	}
	mx, my := sx/sw, sy/sw
	var sxx, sxy float64
	for i := range x {
		w := 1 / (se[i] * se[i])
		sxx, sxy = sxx+w*(x[i]-mx)*(x[i]-mx), sxy+w*(x[i]-mx)*(y[i]-my)
	}
	if sxx == 0 {
		return ratings.Estimate{}, 0, p
	}
	b := sxy / sxx
	a := my - b*mx
	chi := 0.0
	for i := range x {
		r := (y[i] - a - b*x[i]) / se[i]
		chi += r * r
	}
	half := m.z / math.Sqrt(sxx)
	if df := float64(len(x) - 2); df > 0 {
		p = distuv.ChiSquared{K: df}.Survival(chi)
		if chi > df {
			half = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile((1+m.level)/2) * math.Sqrt(chi/df/sxx)
		}
	}
	return ratings.Estimate{
		Value: b, Interval: ratings.Interval{Lo: b - half, Hi: b + half}, N: int64(len(x)),
		Unit: "tiers", Method: "least squares",
	}, a, p
}

// twoSided returns the two-sided p-value of a standard normal value.
func twoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }
