package predict

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"spar/ratings"
)

// clustered returns the mean over decisions, with Student's interval clustered by match; one match has none.
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
	if e.LoOpen = m < 2; !e.LoOpen {
		half := distuv.StudentsT{Sigma: 1, Nu: m - 1}.Quantile((1+level)/2) * e.SE
		e.Lo, e.Hi = e.Value-half, e.Value+half
	}
	return e
}
