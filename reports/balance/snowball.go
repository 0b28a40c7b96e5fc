package balance

import (
	"math"
	"slices"
)

// leadBins is the number of bins for the values of positions in the table of Snowball.
const leadBins = 5

// snowball computes how early a lead decides the game.
func (m measurer) snowball(all []*arc, exact bool) *Snowball {
	if len(all) == 0 {
		return nil
	}
	out := &Snowball{Table: []LeadCell{}}
	var lead, z []float64 // of the decisive games, at half time
	for _, a := range all {
		if side, won := a.winner(); won {
			lead, z = append(lead, a.when(0.5)), append(z, float64(1-side))
		}
	}
	n := int64(len(z))
	half, slope := auc(lead, z), math.NaN()
	if !exact {
		slope = logitSlope(lead, z)
	}
	xs, zs := make([]float64, len(z)), make([]float64, len(z))
	if n > 1 {
		lo, hi, ok := m.resample(len(z), 2, func(draw func() int, o []float64) {
			for i := range xs {
				k := draw()
				xs[i], zs[i] = lead[k], z[k]
			}
			o[0], o[1] = auc(xs, zs), math.NaN()
			if !exact {
				o[1] = logitSlope(xs, zs)
			}
		})
		out.Half = m.bootstrapped(half, n, lo[0], hi[0], ok[0], "decisive games", "area")
		out.Slope = m.bootstrapped(slope, n, lo[1], hi[1], ok[1], "decisive games", "logit per logit")
	}
	for k := 1; k <= 9; k++ {
		var cells [leadBins]tally
		for _, a := range all {
			cells[min(int(a.when(float64(k)/10)*leadBins), leadBins-1)].add(a.rec)
		}
		for b, t := range cells {
			if t.games() > 0 {
				out.Table = append(out.Table, LeadCell{
					From: float64(b) / leadBins, To: float64(b+1) / leadBins, At: float64(k) / 10,
					Score: m.score(t.wins, t.draws, t.losses),
				})
			}
		}
	}
	return out
}

// auc returns the probability that the lead in a game won by the first player is above that in a lost one, where a
// tie counts 1/2. It is NaN if there are no won or no lost games.
func auc(lead, z []float64) float64 {
	order := make([]int, len(lead))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case lead[a] < lead[b]:
			return -1
		case lead[a] > lead[b]:
			return 1
		}
		return 0
	})
	below, pairs, wins := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		j := i
		lost, won := 0.0, 0.0
		for ; j < len(order) && lead[order[j]] == lead[order[i]]; j++ {
			won += z[order[j]]
			lost += 1 - z[order[j]]
		}
		wins += won * (below + lost/2)
		below, pairs = below+lost, pairs+won
		i = j
	}
	return wins / (pairs * below)
}

// logitSlope returns the slope of a logistic regression of the result on the logit of the value; NaN if it has no
// maximum.
func logitSlope(v, z []float64) float64 {
	a, b := 0.0, 0.0
	for range 50 {
		var ga, gb, haa, hab, hbb float64
		for i, p := range v {
			p = min(max(p, 0.005), 0.995)
			x := math.Log(p / (1 - p))
			q := 1 / (1 + math.Exp(-a-b*x))
			w := q * (1 - q)
			ga, gb = ga+z[i]-q, gb+(z[i]-q)*x
			haa, hab, hbb = haa+w, hab+w*x, hbb+w*x*x
		}
		det := haa*hbb - hab*hab
		if !(det > 1e-9) {
			return math.NaN()
		}
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		a, b = a+da, b+db
		if math.Abs(b) > 50 || math.Abs(a) > 50 {
			return math.NaN()
		}
		if math.Abs(da)+math.Abs(db) < 1e-10 {
			return b
		}
	}
	return math.NaN()
}
