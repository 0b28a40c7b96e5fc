package ratings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Nash is a Nash average (Balduzzi, Tuyls, Pérolat & Graepel 2018, arXiv 1806.02643): the maximum entropy
// equilibrium of the game "pick an agent" whose payoff is the score difference in Elo, shrunk as in Hodge. It
// shows which agents cannot be beaten, not how cyclic the pool is.
type Nash struct {
	// Mass is the probability of each player in the equilibrium. Skill is the player's payoff against the
	// equilibrium in Elo: 0 for players with a positive probability, otherwise at most 0. Both are in the order of
	// Table.Players.
	Mass, Skill []float64
	// MassLo and MassHi are bootstrap percentile limits; empty without a bootstrap.
	MassLo, MassHi []float64
	Replicates     int
}

// NashAverage computes the Nash average of the table. Match-ups without games count as even. Probabilities are
// accurate to about 1e-6.
func (t *Table) NashAverage() Nash {
	a := t.payoff().matrix()
	return nash(a)
}

// matrix returns the antisymmetric payoff matrix in Elo.
func (p payoff) matrix() [][]float64 {
	n := len(p.names)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
		for j := range i {
			a[j][i] = p.flow(j, i)
			a[i][j] = -a[j][i]
		}
	}
	return a
}

func nash(a [][]float64) Nash {
	n := len(a)
	out := Nash{Mass: equilibrium(a), Skill: make([]float64, n)}
	for i := range n {
		for j := range n {
			out.Skill[i] += a[i][j] * out.Mass[j]
		}
	}
	return out
}

// Constants of the interior point method that finds the equilibrium. The payoff is scaled so that its largest
// entry is 1.
const (
	nashSlack   = 1e-10 // tolerance: payoff by which a player may beat the equilibrium
	nashBarrier = 1e-14 // final weight of the logarithmic barrier
)

// equilibrium maximises the entropy of p subject to Ap ≤ ε, Σp = 1. In the dual,
// p ∝ exp(Aλ) with multipliers λ ≥ 0 that minimise ln Σ exp(Aλ) + εΣλ (A is
// antisymmetric); a logarithmic barrier keeps λ positive.
func equilibrium(a [][]float64) []float64 {
	n := len(a)
	scale := 0.0
	for i := range a {
		for _, x := range a[i] {
			scale = max(scale, abs(x))
		}
	}
	lambda := make([]float64, n)
	for i := range lambda {
		lambda[i] = 1
	}
	d := nashDual{n: n, a: make([]float64, n*n), p: make([]float64, n)}
	if scale > 0 {
		for i := range a {
			for j, x := range a[i] {
				d.a[i*n+j] = x / scale
			}
		}
		for mu := 1.0; mu > nashBarrier; mu /= 6 {
			d.centre(lambda, mu)
		}
	}
	d.value(lambda, 0)
	return d.p
}

// nashDual is the dual problem; p is the distribution at the last value.
type nashDual struct {
	n int
	a []float64 // payoff matrix, row by row
	p []float64
}

func (d *nashDual) value(lambda []float64, mu float64) float64 {
	top := math.Inf(-1)
	for i := range d.n {
		d.p[i] = 0
		for j, x := range d.a[i*d.n : (i+1)*d.n] {
			d.p[i] += x * lambda[j]
		}
		top = max(top, d.p[i])
	}
	total, v := 0.0, 0.0
	for i := range d.p {
		d.p[i] = math.Exp(d.p[i] - top)
		total += d.p[i]
	}
	for i := range d.p {
		d.p[i] /= total
		v += nashSlack * lambda[i]
		if mu > 0 {
			v -= mu * math.Log(lambda[i])
		}
	}
	return v + top + math.Log(total)
}

// centre minimises value for one μ by Newton's method from lambda.
func (d *nashDual) centre(lambda []float64, mu float64) {
	n := d.n
	now := d.value(lambda, mu)
	grad, step, next, ap := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	hess := mat.NewSymDense(n, nil)
	var chol cholesky
	for range 50 {
		for j := range n {
			ap[j] = 0
			for i, x := range d.a[j*n : (j+1)*n] {
				ap[j] += x * d.p[i]
			}
			grad[j] = nashSlack - ap[j] - mu/lambda[j]
		}
		for j := range n {
			for k := j; k < n; k++ {
				h := -ap[j] * ap[k]
				for i := range n {
					h += d.p[i] * d.a[j*n+i] * d.a[k*n+i]
				}
				if j == k {
					h += mu / (lambda[j] * lambda[j]) * (1 + 1e-12)
				}
				hess.SetSym(j, k, h)
			}
		}
		for c := 1e-15; !chol.factorize(hess); c *= 100 {
			if c > 1 {
				return
			}
			for j := range n {
				hess.SetSym(j, j, hess.At(j, j)+c)
			}
		}
		chol.solve(step, grad)
		t, gain := 1.0, 0.0
		for j := range n {
			x := step[j]
			gain += x * grad[j]
			if x > 0 {
				t = min(t, 0.99*lambda[j]/x)
			}
		}
		if !(gain > 1e-14*mu) {
			return
		}
		for range 50 {
			for j := range n {
				next[j] = lambda[j] - t*step[j]
			}
			if v := d.value(next, mu); v <= now-1e-4*t*gain {
				now = v
				break
			}
			t /= 2
		}
		if t < 1e-14 {
			d.value(lambda, mu)
			return
		}
		copy(lambda, next)
	}
}

// NashBootstrap adds percentile limits of the probabilities. It resamples every match-up's score from a normal
// distribution with the score's variance. Replicates must be in [1, 10000].
func (t *Table) NashBootstrap(replicates int, seed uint64, level float64) (Nash, error) {
	if replicates < 1 || replicates > 10000 || !(level > 0 && level < 1) {
		return Nash{}, fmt.Errorf("ratings: %w: %d replicates at level %v", ErrOptions, replicates, level)
	}
	p := t.payoff()
	a := p.matrix()
	out := nash(a)
	n := len(a)
	sd := make([][]float64, n)
	for i := range n {
		sd[i] = make([]float64, n)
		for j := range i {
			sd[i][j] = math.Sqrt(t.flowVariance(p, i, j)) // no number where they did not meet
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0x6e617368))
	normal := distuv.Normal{Mu: 0, Sigma: 1, Src: rng}
	masses := make([][]float64, n)
	for range replicates {
		b := make([][]float64, n)
		for i := range n {
			b[i] = slices.Clone(a[i])
		}
		for i := range n {
			for j := range i {
				if sd[i][j] > 0 {
					b[i][j] += sd[i][j] * normal.Rand()
					b[j][i] = -b[i][j]
				}
			}
		}
		for i, m := range equilibrium(b) {
			masses[i] = append(masses[i], m)
		}
	}
	out.Replicates = replicates
	tail := (1 - level) / 2
	for _, m := range masses {
		slices.Sort(m)
		out.MassLo = append(out.MassLo, m[int(tail*float64(replicates-1))])
		out.MassHi = append(out.MassHi, m[int(math.Ceil((1-tail)*float64(replicates-1)))])
	}
	return out, nil
}
