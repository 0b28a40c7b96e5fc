package ratings

import "math"

// Ahead estimates how many more items (pairs or games) the test needs: if H0 is true, and if H1 is true. For
// differences between the two it may need more. The estimate is the distance to the bound divided by the mean step
// of the log-likelihood ratio (Wald). It is infinite before the first item.
func (s SPRT) Ahead(counts []float64) (ifH0, ifH1 float64, err error) {
	r, err := s.Evaluate(counts)
	if err != nil {
		return 0, 0, err
	}
	if r.Elo.N == 0 {
		return math.Inf(1), math.Inf(1), nil
	}
	p := r.path(counts)
	step := p.drift(p.s1) // at H1; at H0 it is the same downwards
	return max(0, r.LLR-r.Lower) / step, max(0, r.Upper-r.LLR) / step, nil
}
