package balance

import (
	"math"
	"slices"
)

// length is measure 6.
func (m measurer) length(members []*record) Length {
	var finished []*record
	by := map[string][]*record{}
	for _, r := range members {
		if r.kind != endCap {
			finished = append(finished, r)
			by[resultWord(r.half)] = append(by[resultWord(r.half)], r)
		}
	}
	out := Length{All: m.spread(members), Finished: m.spread(finished), ByResult: map[string]Spread{}, Histogram: []Bar{}}
	for result, rs := range by {
		out.ByResult[result] = m.spread(rs)
	}
	whole := make([]int, len(members))
	for i, r := range members {
		whole[i] = int(r.plies)
	}
	out.Histogram = bars(whole, func(i int) bool { return members[i].kind == endCap })
	return out
}

// spread describes the plies of games. Where pairs of them share openings the intervals take that into account: by resampling
// pairs, and for quantiles by the design effect of the mean.
func (m measurer) spread(members []*record) Spread {
	if len(members) == 0 {
		return Spread{}
	}
	plies := func(r *record) float64 { return float64(r.plies) }
	xs := make([]float64, len(members))
	for i, r := range members {
		xs[i] = plies(r)
	}
	slices.Sort(xs)
	rows, of := units(members, func(r *record) []float64 { return []float64{plies(r), plies(r) * plies(r), 1} })
	moments := func(s, out []float64) {
		out[0] = s[0] / s[2]
		out[1] = 0
		if out[0] > 0 {
			out[1] = math.Sqrt(max(0, s[1]/s[2]-out[0]*out[0])) / out[0]
		}
	}
	total, value := make([]float64, 3), make([]float64, 2)
	for _, r := range rows {
		total[0], total[1], total[2] = total[0]+r[0], total[1]+r[1], total[2]+r[2]
	}
	moments(total, value)
	lo, hi, ok := m.sums(rows, 2, moments)
	n, least, most := int64(len(rows)), xs[0], xs[len(xs)-1]
	effect := designEffect(members, plies)
	quantile := func(p float64) Number { return stretch(m.quantile(xs, p, "games", "plies"), effect, least, most) }
	return Spread{
		Median: quantile(0.5), P5: quantile(0.05), P25: quantile(0.25), P75: quantile(0.75), P95: quantile(0.95),
		Mean: m.bootstrapped(value[0], n, lo[0], hi[0], ok[0], of, "plies"), CV: m.bootstrapped(value[1], n, lo[1], hi[1], ok[1], of, "ratio"),
		Min: int(least), Max: int(most),
	}
}

// maxBars is the most bars of a histogram.
const maxBars = 40

// bars is a histogram of whole numbers: a bar for each, or for each range of equally many where there would be too many.
func bars(xs []int, marked func(i int) bool) []Bar {
	if len(xs) == 0 {
		return []Bar{}
	}
	least, most := slices.Min(xs), slices.Max(xs)
	width := (most-least)/maxBars + 1
	from := least - least%width
	out := make([]Bar, (most-from)/width+1)
	for i := range out {
		out[i].From, out[i].To = from+i*width, from+(i+1)*width-1
	}
	for i, x := range xs {
		b := &out[(x-from)/width]
		b.Count++
		if marked(i) {
			b.Part++
		}
	}
	return out
}
