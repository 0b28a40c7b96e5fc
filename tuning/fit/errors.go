package fit

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// Relation is a combination of weights that the data do not determine: adding it hardly changes a prediction. It
// is in standard units and has length 1.
type Relation struct {
	// Eigenvalue of the Hessian in this direction, as a fraction of the largest eigenvalue.
	Eigenvalue float64 `json:"eigenvalue"`
	Terms      []Term  `json:"terms"` // the coefficients of size 0.1 or more, the largest first
}

// Term is the coefficient of one weight in a Relation.
type Term struct {
	Feature string  `json:"feature"`
	Phase   int     `json:"phase"`
	Part    float64 `json:"part"`
}

// nullShare is the eigenvalue, as a fraction of the largest, below which a direction cannot be estimated.
const nullShare = 1e-11

// describe fills in the weights, their errors, the condition number and the redundant
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
	for k := 0; k < q && values[k] < top/warnCondition; k++ {
		m.Redundant = append(m.Redundant, m.relation(&vectors, k, live, math.Max(values[k]/top, 0)))
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
	clustered, naive := d.scores(w, live)
	g := float64(d.openings)
	seC := sandwich(inverse, clustered, g/(g-1))
	seN := sandwich(inverse, naive, 1)

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
		m.Weights[i].SE, m.Weights[i].NaiveSE = seC[a]/rms, seN[a]/rms
		m.Weights[i].Estimable = lost[a] < 1e-6
	}
	return nil
}

// relation describes eigenvector k of the Hessian.
func (m *Model) relation(vectors *mat.Dense, k int, live []int, share float64) Relation {
	r := Relation{Eigenvalue: share}
	for a, i := range live {
		if v := vectors.At(a, k); math.Abs(v) >= 0.1 {
			r.Terms = append(r.Terms, Term{m.Names[i%len(m.Names)], i / len(m.Names), v})
		}
	}
	sort.SliceStable(r.Terms, func(i, j int) bool { return math.Abs(r.Terms[i].Part) > math.Abs(r.Terms[j].Part) })
	if len(r.Terms) > 0 && r.Terms[0].Part < 0 {
		for i := range r.Terms {
			r.Terms[i].Part = -r.Terms[i].Part
		}
	}
	return r
}

// scores returns the sums of the outer products of the gradient, once with one gradient per opening and once with one per
// position.
func (d *design) scores(w []float64, live []int) (clustered, naive *mat.SymDense) {
	q := len(live)
	clustered, naive = mat.NewSymDense(q, nil), mat.NewSymDense(q, nil)
	byOpening := mat.NewDense(d.openings, q, nil)
	byPosition := d.total(q*q, func(sum []float64, lo, hi int) {
		full := make([]float64, len(w))
		for i := lo; i < hi; i++ {
			d.gradientRow(full, w, i)
			for a, x := range live {
				if full[x] == 0 {
					continue
				}
				for b := a; b < q; b++ {
					sum[a*q+b] += full[x] * full[live[b]]
				}
			}
		}
	})
	full := make([]float64, len(w))
	for i := range d.n {
		d.gradientRow(full, w, i)
		g := byOpening.RawRowView(d.opening[d.game[i]])
		for a, x := range live {
			g[a] += full[x]
		}
	}
	clustered.SymOuterK(1, byOpening.T())
	for a := range q {
		for b := a; b < q; b++ {
			naive.SetSym(a, b, byPosition[a*q+b])
		}
	}
	return clustered, naive
}

// gradientRow writes the contribution of position i to the gradient.
func (d *design) gradientRow(full, w []float64, i int) {
	clear(full)
	r := d.weight[i] * d.k * (sigmoid(d.k*d.margin(w, i)) - d.z[i])
	x, at := d.row(full[d.lo[i]*d.features:][:0], i)
	for j, v := range x {
		full[at+j] = r * v
	}
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
