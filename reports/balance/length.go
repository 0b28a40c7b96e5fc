package balance

import (
	"math"
	"slices"
)

// length is measure 6.
func (m measurer) length(members []*record) Length {
	var all, finished []float64
	by := map[string][]float64{}
	for _, r := range members {
		t := float64(r.plies)
		all = append(all, t)
		if r.kind == endCap {
			continue
		}
		finished = append(finished, t)
		by[resultWord(r.half)] = append(by[resultWord(r.half)], t)
	}
	out := Length{All: m.spread(all, "games"), Finished: m.spread(finished, "games"), ByResult: map[string]Spread{}, Histogram: []Bar{}}
	for result, ts := range by {
		out.ByResult[result] = m.spread(ts, "games")
	}
	whole := make([]int, len(members))
	for i, r := range members {
		whole[i] = int(r.plies)
	}
	out.Histogram = bars(whole, func(i int) bool { return members[i].kind == endCap })
	return out
}

// spread describes one whole number a game. It sorts the values.
func (m measurer) spread(xs []float64, of string) Spread {
	if len(xs) == 0 {
		return Spread{}
	}
	slices.Sort(xs)
	rows := make([][]float64, len(xs))
	flat := make([]float64, 3*len(xs))
	for i, x := range xs {
		rows[i] = flat[3*i : 3*i+3]
		rows[i][0], rows[i][1], rows[i][2] = x, x*x, 1
	}
	moments := func(s, out []float64) {
		out[0] = s[0] / s[2]
		out[1] = 0
		if out[0] > 0 {
			out[1] = math.Sqrt(max(0, s[1]/s[2]-out[0]*out[0])) / out[0]
		}
	}
	total, value := make([]float64, 3), make([]float64, 2)
	for _, r := range rows {
		total[0], total[1], total[2] = total[0]+r[0], total[1]+r[1], total[2]+1
	}
	moments(total, value)
	lo, hi, ok := m.sums(rows, 2, moments)
	n := int64(len(xs))
	return Spread{
		Median: m.quantile(xs, 0.5, of, "plies"), P5: m.quantile(xs, 0.05, of, "plies"), P95: m.quantile(xs, 0.95, of, "plies"),
		P25: m.quantile(xs, 0.25, of, "plies"), P75: m.quantile(xs, 0.75, of, "plies"),
		Mean: m.bootstrapped(value[0], n, lo[0], hi[0], ok[0], of, "plies"), CV: m.bootstrapped(value[1], n, lo[1], hi[1], ok[1], of, "ratio"),
		Min: int(xs[0]), Max: int(xs[len(xs)-1]),
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
