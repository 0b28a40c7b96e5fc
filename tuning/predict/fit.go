package predict

import (
	"math"

	"spar/ratings"
)

// clustered returns the mean over decisions, with an interval clustered by match.
func clustered(ds []decision, x []float64) ratings.Estimate {
	sums, counts := map[int]float64{}, map[int]float64{}
	total := 0.0
	for i := range ds {
		sums[ds[i].match] += x[i]
		counts[ds[i].match]++
		total += x[i]
	}
	n, m := float64(max(1, len(ds))), float64(len(sums))
	variance := 0.0
	for match := range sums {
		d := (sums[match] - total/n*counts[match]) / n
		variance += d * d
	}
	e := ratings.Normal(total/n, math.Sqrt(variance*m/max(1, m-1)), int64(len(sums)), "matches", ratings.ScalePlain)
	e.Method = "clustered by match"
	return e
}
