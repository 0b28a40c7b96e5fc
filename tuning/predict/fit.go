package predict

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"spar/agents/person"
	"spar/ratings"
)

// unseen returns the move probabilities of each decision, from a fit to the other folds.
func unseen(ds []decision, start person.Options) [][]float64 {
	out := make([][]float64, len(ds))
	for fold := range folds {
		train := slices.DeleteFunc(slices.Clone(ds), func(d decision) bool { return d.fold() == fold })
		o := fit(train, start, refitPrior)
		for i := range ds {
			if ds[i].fold() == fold {
				out[i] = make([]float64, ds[i].moves)
				o.Chances(&ds[i].view, out[i])
			}
		}
	}
	return out
}

// logOf returns the logarithm of a probability; 0 counts as a tiny one.
func logOf(chance float64) float64 { return math.Log(max(chance, 1e-12)) }

// likelihoods returns the logarithms of the probabilities of the chosen moves.
func likelihoods(ds []decision, o person.Options) []float64 {
	out := make([]float64, len(ds))
	space := make([]float64, 512)
	for i := range ds {
		chances := space[:ds[i].moves]
		o.Chances(&ds[i].view, chances)
		out[i] = logOf(chances[ds[i].chosen])
	}
	return out
}

// fit maximises the sum of likelihood and prior.
func fit(ds []decision, start person.Options, prior float64) person.Options {
	at := func(x []float64) person.Options {
		o := start
		for i, k := range o.Knobs() {
			*k.Value = k.Number(x[i])
		}
		return o
	}
	var from []float64
	for _, k := range start.Knobs() {
		from = append(from, k.Free())
	}
	problem := optimize.Problem{Func: func(x []float64) float64 {
		loss := 0.0
		for i := range x {
			d := (x[i] - from[i]) / prior
			loss += d * d / 2
		}
		for _, l := range likelihoods(ds, at(x)) {
			loss -= l
		}
		return loss / float64(max(1, len(ds)))
	}}
	r, err := optimize.Minimize(problem, from, &optimize.Settings{FuncEvaluations: 800}, &optimize.NelderMead{})
	if err != nil && r == nil {
		return start
	}
	return at(r.X)
}

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
