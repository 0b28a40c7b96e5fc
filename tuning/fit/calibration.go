package fit

import (
	"fmt"
	"math"
	"sort"
)

// Bin is a point of a calibration curve: the mean prediction and the mean result of positions with similar
// predictions.
type Bin struct {
	Low       float64 `json:"low"` // smallest and largest prediction in the bin
	High      float64 `json:"high"`
	Predicted float64 `json:"predicted"` // mean prediction
	Observed  float64 `json:"observed"`  // mean result
	SE        float64 `json:"se"`        // of Observed - Predicted, clustered by game
	Samples   int     `json:"samples"`
	Games     int     `json:"games"`
}

// calibrate groups positions into bins of about equal size by their predicted score and computes the slope.
// Positions with equal predictions share a bin.
func (d *design) calibrate(v []float64, bins int) ([]Bin, float64) {
	order := make([]int, d.n)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return v[order[a]] < v[order[b]] })
	var out []Bin
	for from, k := 0, 1; from < d.n; k++ {
		to := max(from+1, d.n*k/bins)
		if k >= bins {
			to = d.n
		}
		for to < d.n && v[order[to]] == v[order[to-1]] {
			to++
		}
		out = append(out, d.bin(order[from:to], v))
		from = to
	}
	slope, err := d.slope(v)
	if err != nil {
		slope = 0
	}
	return out, slope
}

// bin averages the given positions. Each game has the same total weight, divided among its positions.
func (d *design) bin(rows []int, v []float64) Bin {
	first, last := rows[0], rows[len(rows)-1]
	b := Bin{Low: sigmoid(d.k * v[first]), High: sigmoid(d.k * v[last]), Samples: len(rows)}
	total := 0.0
	gap := make(map[int]float64)
	var games []int // in order, so that sums are
	for _, i := range rows {
		p, w := sigmoid(d.k*v[i]), d.weight[i]
		b.Predicted += w * p
		b.Observed += w * d.z[i]
		total += w
		if _, seen := gap[d.game[i]]; !seen {
			games = append(games, d.game[i])
		}
		gap[d.game[i]] += w * (d.z[i] - p)
	}
	b.Predicted /= total
	b.Observed /= total
	b.Games = len(games)
	mean := b.Observed - b.Predicted
	weight := make(map[int]float64)
	for _, i := range rows {
		weight[d.game[i]] += d.weight[i]
	}
	ss := 0.0
	for _, g := range games {
		r := gap[g] - mean*weight[g]
		ss += r * r
	}
	if n := float64(len(games)); n > 1 {
		ss *= n / (n - 1)
	}
	b.SE = math.Sqrt(ss) / total
	return b
}

// slope is the factor s for which the predictions s K v have the smallest cross-entropy. It is the root of the
// derivative, which increases with s.
func (d *design) slope(v []float64) (float64, error) {
	derivative := func(s float64) float64 {
		sum := 0.0
		for i, x := range v {
			sum += d.weight[i] * d.k * x * (sigmoid(s*d.k*x) - d.z[i])
		}
		return sum
	}
	if derivative(0) >= 0 {
		return 0, fmt.Errorf("fit: %w: the weights predict no better than chance", ErrData)
	}
	apart := fmt.Errorf("fit: %w: the weights separate all wins from all losses, so no scale fits best", ErrData)
	if d.separates(v) {
		return 0, apart
	}
	lo, hi := 0.0, 1.0
	for derivative(hi) < 0 {
		if lo, hi = hi, 2*hi; hi > 1e9 {
			return 0, apart
		}
	}
	for range 40 {
		if mid := (lo + hi) / 2; derivative(mid) < 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2, nil
}

// separates reports whether the sign of every logit is that of the result: then every larger scale fits better. The
// derivative alone does not show it, because rounding makes it 0 for large scales.
func (d *design) separates(v []float64) bool {
	for i, x := range v {
		if x*d.weight[i] != 0 && d.z[i] != 0.5+math.Copysign(0.5, x) {
			return false
		}
	}
	return true
}
