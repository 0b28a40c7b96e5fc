package optimise

import (
	"fmt"
	"math"
	"sort"
)

// constants are the constants of CMA-ES for n parameters and lambda candidates (Hansen 2016).
type constants struct {
	w                         []float64 // weights of the best mu candidates, summing to 1
	muEff, cs, ds, cc, c1, cm float64
	chi                       float64 // expected length of a standard normal vector
}

// newConstants computes these constants:
//
//	w_i ~ ln(lambda/2+1/2) - ln i, i = 1..lambda/2      mu_eff = 1/sum w_i^2
//	c_s = (mu_eff+2)/(n+mu_eff+5)                       d_s = 1 + 2 max(0, sqrt((mu_eff-1)/(n+1))-1) + c_s
//	c_c = (4+mu_eff/n)/(n+4+2 mu_eff/n)                 c_1 = 2/((n+1.3)^2+mu_eff)
//	c_mu = min(1-c_1, 2 (mu_eff-2+1/mu_eff)/((n+2)^2+mu_eff))
//	chi_n = sqrt(n) (1 - 1/(4n) + 1/(21 n^2))
func newConstants(dim, lambda int) constants {
	n := float64(dim)
	k := constants{w: make([]float64, lambda/2)}
	sum, squares := 0.0, 0.0
	for i := range k.w {
		k.w[i] = math.Log(float64(lambda)/2+0.5) - math.Log(float64(i+1))
		sum += k.w[i]
	}
	for i := range k.w {
		k.w[i] /= sum
		squares += k.w[i] * k.w[i]
	}
	k.muEff = 1 / squares
	k.cs = (k.muEff + 2) / (n + k.muEff + 5)
	k.ds = 1 + 2*math.Max(0, math.Sqrt((k.muEff-1)/(n+1))-1) + k.cs
	k.cc = (4 + k.muEff/n) / (n + 4 + 2*k.muEff/n)
	k.c1 = 2 / ((n+1.3)*(n+1.3) + k.muEff)
	k.cm = math.Min(1-k.c1, 2*(k.muEff-2+1/k.muEff)/((n+2)*(n+2)+k.muEff))
	k.chi = math.Sqrt(n) * (1 - 1/(4*n) + 1/(21*n*n))
	return k
}

// update makes the step of a generation:
//
//	m' = m + sum w_i (x_i - m)                y_i = (x_i - m)/sigma
//	p_s <- (1-c_s) p_s + sqrt(c_s (2-c_s) mu_eff) C^(-1/2) (m'-m)/sigma
//	p_c <- (1-c_c) p_c + h sqrt(c_c (2-c_c) mu_eff) (m'-m)/sigma
//	C <- (1-c_1-c_mu) C + c_1 p_c p_c^T + c_mu sum w_i y_i y_i^T
//	sigma <- sigma exp((c_s/d_s) (|p_s|/chi_n - 1))
//
// with h = 0 while |p_s| is too long for its age (Hansen 2016, section A), else 1.
// Equal scores rank in the order of sampling, which is random.
func (c *CMA) update(told []Outcome) error {
	b, d, err := c.axes()
	if err != nil {
		return err
	}
	n, st := len(c.params), &c.st
	k := newConstants(n, len(told))
	order := make([]int, len(told))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return told[order[i]].Score > told[order[j]].Score })

	ys := make([][]float64, len(k.w))
	step := make([]float64, n) // (m'-m)/sigma
	for r := range ys {
		ys[r] = make([]float64, n)
		for i, x := range st.Samples[order[r]] {
			ys[r][i] = (x - st.Mean[i]) / st.Sigma
			step[i] += k.w[r] * ys[r][i]
		}
	}
	trace := 0.0
	for i := range n {
		trace += st.Cov[i][i]
	}
	driftSq := st.DriftSq + st.Sigma*st.Sigma*trace/(float64(n)*k.muEff)

	white := make([]float64, n) // C^(-1/2) step = B D^-1 B^T step
	for j := range n {
		dot := 0.0
		for i := range n {
			dot += b.At(i, j) * step[i]
		}
		for i := range n {
			white[i] += b.At(i, j) * dot / d[j]
		}
	}
	ps, pc, mean := clone(st.PathSigma), clone(st.PathCov), clone(st.Mean)
	length := 0.0
	for i := range n {
		ps[i] = (1-k.cs)*ps[i] + math.Sqrt(k.cs*(2-k.cs)*k.muEff)*white[i]
		length += ps[i] * ps[i]
		mean[i] += st.Sigma * step[i]
	}
	length = math.Sqrt(length)
	h := 0.0
	age := 1 - math.Pow(1-k.cs, 2*float64(st.Generation+1))
	if length/math.Sqrt(age) < (1.4+2/float64(n+1))*k.chi {
		h = 1
	}
	for i := range n {
		pc[i] = (1-k.cc)*pc[i] + h*math.Sqrt(k.cc*(2-k.cc)*k.muEff)*step[i]
	}
	cov := make([][]float64, n)
	for i := range n {
		cov[i] = make([]float64, n)
		for j := range n {
			v := (1-k.c1-k.cm)*st.Cov[i][j] + k.c1*pc[i]*pc[j]
			for r, y := range ys {
				v += k.cm * k.w[r] * y[i] * y[j]
			}
			cov[i][j] = v
		}
	}
	sigma := st.Sigma * math.Exp(k.cs/k.ds*(length/k.chi-1))
	sigma = math.Min(math.Max(sigma, 1e-9), 1e9)
	for _, row := range append(cov, ps, pc, mean) {
		if !finite(row...) {
			return fmt.Errorf("optimise: cma: generation %d: the distribution is no longer finite", st.Generation)
		}
	}
	st.PathSigma, st.PathCov, st.Mean, st.Cov, st.Sigma, st.DriftSq = ps, pc, mean, cov, sigma, driftSq
	c.settle(st.Mean)
	c.keepIntegersAlive()
	return nil
}

// keepIntegersAlive stretches the covariance along an integer parameter whose
// standard deviation has fallen below minIntegerSD.
func (c *CMA) keepIntegersAlive() {
	for i, p := range c.params {
		sd := c.st.Sigma * math.Sqrt(c.st.Cov[i][i]) * c.factor[i]
		if !p.Integer || sd >= minIntegerSD || sd <= 0 {
			continue
		}
		f := minIntegerSD / sd
		for j := range c.params {
			c.st.Cov[i][j] *= f
			c.st.Cov[j][i] *= f
		}
	}
}

func identity(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
		m[i][i] = 1
	}
	return m
}
