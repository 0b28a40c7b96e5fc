package fit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// nullShare is the eigenvalue, as a fraction of the largest, below which a direction cannot be estimated.
const nullShare = 1e-11

// describe fills in the weights, their errors, the condition number and the number of redundant
// combinations.
func (d *design) describe(m *Model, w []float64) error {
	var live []int
	for i, dead := range d.dead {
		if !dead {
			live = append(live, i)
		}
	}
	p, q := len(w), len(live)
	if q == 0 {
		return fmt.Errorf("fit: %w: every feature is 0 in every position", ErrData)
	}
	h := d.hessian(w, -1)
	bare := mat.NewSymDense(q, nil)
	for a, i := range live {
		for b := a; b < q; b++ {
			bare.SetSym(a, b, h[i*p+live[b]])
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(bare, true) {
		return fmt.Errorf("fit: the Hessian has no eigenvalues")
	}
	values := eig.Values(nil) // ascending
	var vectors mat.Dense
	eig.VectorsTo(&vectors)
	top := values[q-1]
	if !(top > 0) {
		return fmt.Errorf("fit: %w: no weight has any effect on a prediction", ErrData)
	}
	m.Condition = -1
	if values[0] > nullShare*top {
		m.Condition = top / values[0]
	}
	for m.Redundant < q && values[m.Redundant] < top/warnCondition {
		m.Redundant++
	}
	// The Hessian with its ridge has the same eigenvectors.
	inverse := mat.NewSymDense(q, nil)
	lost := make([]float64, q)
	column := make([]float64, q)
	for k, v := range values {
		mat.Col(column, k, &vectors)
		if v += 2 * m.Ridge; v <= nullShare*top {
			for a, x := range column {
				lost[a] += x * x
			}
			continue
		}
		inverse.SymRankOne(inverse, 1/v, mat.NewVecDense(q, column))
	}
	g := float64(d.openings)
	se := sandwich(inverse, d.scores(w, live), g/(g-1))

	m.Weights = make([]Weight, p)
	for i := range w {
		j := i % d.features
		m.Weights[i] = Weight{
			Feature: m.Names[j], Phase: i / d.features, Dead: d.dead[i], Standard: w[i],
			Estimable: !d.dead[i],
		}
		if d.rms[j] > 0 {
			m.Weights[i].Value = w[i] / d.rms[j]
		}
	}
	for a, i := range live {
		rms := d.rms[i%d.features]
		m.Weights[i].SE = se[a] / rms
		m.Weights[i].Estimable = lost[a] < 1e-6
	}
	return nil
}

// scores returns the sum of the outer products of the gradients of openings.
func (d *design) scores(w []float64, live []int) *mat.SymDense {
	q, full := len(live), make([]float64, len(w))
	byOpening := mat.NewDense(d.openings, q, nil)
	for i := range d.n {
		clear(full)
		r := d.weight[i] * (sigmoid(d.margin(w, i)) - d.z[i])
		x, at := d.row(i)
		for j, v := range x {
			full[at+j] = r * v
		}
		g := byOpening.RawRowView(d.opening[d.game[i]])
		for a, x := range live {
			g[a] += full[x]
		}
	}
	out := mat.NewSymDense(q, nil)
	out.SymOuterK(1, byOpening.T())
	return out
}

// sandwich returns the standard errors: the square roots of the diagonal of the matrix factor A B A.
func sandwich(a, b *mat.SymDense, factor float64) []float64 {
	var ab, aba mat.Dense
	ab.Mul(a, b)
	aba.Mul(&ab, a)
	out := make([]float64, a.SymmetricDim())
	for i := range out {
		out[i] = math.Sqrt(math.Max(0, factor*aba.At(i, i)))
	}
	return out
}
