package ratings

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// ErrorKind selects how standard errors are computed. All kinds except the last use the covariance A⁻¹BA⁻¹, where
// A is the information and B the variance of the score vector.
type ErrorKind int

// The kinds of standard error.
const (
	// ErrorAuto chooses the kind. It uses ErrorOpening (ErrorPair if fewer than five openings are shared) if there are at
	// least ten pairs, and more than twice as many pairs as parameters. With fewer than five games for each parameter it
	// uses ErrorNaive, because other variances would be too small; otherwise it uses ErrorDrawAware.
	ErrorAuto ErrorKind = iota
	// ErrorPair clusters by pair (Liang & Zeger 1986, Biometrika 73:13). For a quantity that m clusters determine, the
	// variance has the factor m/(m-1), and the interval is Student's on m-1 degrees; see clusterCovariance.
	ErrorPair
	// ErrorOpening clusters by opening, because an agent plays the same opening with the same habits against every
	// opponent. The error by pair replaces a smaller error by opening.
	ErrorOpening
	// ErrorGame treats each game as a cluster (White 1982).
	ErrorGame
	// ErrorDrawAware computes B from the model's variance of games with draws. For the draw models this gives the
	// inverse information.
	ErrorDrawAware
	// ErrorNaive uses B = A. Its intervals are right if there are no draws, and otherwise too wide.
	ErrorNaive
	// ErrorPosterior uses the inverse Hessian of the penalised likelihood. It applies if there is a prior.
	ErrorPosterior
)

func errorNames() []string {
	return []string{"auto", "pair", "opening", "game", "draw-aware", "naive", "posterior"}
}

// String returns the name used on the command line.
func (k ErrorKind) String() string { return errorNames()[k] }

// ParseErrorKind returns the ErrorKind with a name that String returns.
func ParseErrorKind(name string) (ErrorKind, error) {
	if k := slices.Index(errorNames(), name); k >= 0 {
		return ErrorKind(k), nil
	}
	return ErrorAuto, fmt.Errorf("ratings: unknown kind of error %q (%s)", name, strings.Join(errorNames(), ", "))
}

// minClusters is the smallest number of pairs for which errors are clustered.
const minClusters = 10

// MinOpenings is the smallest number of openings by which errors are clustered. Fewer openings do not show how much
// openings differ, so results then hold for these openings only.
const MinOpenings = 5

// drawShare returns the probability of a draw at expected score p, given the probability deq at p = 1/2:
// Davidson's D = ν√(WL) rewritten for given p, the root of k·D² + 2D = 4p(1-p), k = ((1-deq)/deq)² - 1.
func drawShare(p, deq float64) float64 {
	v := p * (1 - p)
	switch {
	case deq <= 0:
		return 0
	case deq >= 1:
		return 2 * min(p, 1-p)
	}
	k := (1-deq)*(1-deq)/(deq*deq) - 1
	d := 4 * v / (1 + math.Sqrt(max(0, 1+4*k*v)))
	return min(d, 2*min(p, 1-p))
}

// drawRateAtEquality returns deq such that Σ n·drawShare(p) equals the number of draws, by bisection.
func drawRateAtEquality(n, p []float64, draws float64) float64 {
	sum := func(deq float64) (total float64) {
		for x := range n {
			total += n[x] * drawShare(p[x], deq)
		}
		return total
	}
	if draws <= 0 || len(n) == 0 {
		return 0
	}
	if sum(1) <= draws {
		return 1
	}
	return bisect(0, 1, func(x float64) bool { return sum(x) < draws })
}

// bisect returns the limit up to which below holds.
func bisect(lo, hi float64, below func(x float64) bool) float64 {
	for range 60 {
		if mid := (lo + hi) / 2; below(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// meat is B, the variance of the score vector: the middle factor of the sandwich A⁻¹BA⁻¹.
type meat struct{ b *mat.SymDense }

// add adds the outer product of a cluster's score vector, multiplied by weight.
func (m meat) add(u []entry, weight float64) {
	raw := m.b.RawSymmetric()
	for a := range u {
		for _, b := range u[a:] {
			raw.Data[min(u[a].at, b.at)*raw.Stride+max(u[a].at, b.at)] += weight * u[a].x * b.x
		}
	}
}

// entry is one component of a cluster's score vector.
type entry struct {
	at int
	x  float64
}

func addEntry(u []entry, at int, x float64) []entry {
	for i := range u {
		if u[i].at == at {
			u[i].x += x
			return u
		}
	}
	return append(u, entry{at, x})
}

// clusterScore sums the score vector of one cluster over its active pairings.
func (p *likelihood) clusterScore(u []entry, terms []term, datumOf []int, theta []float64) []entry {
	for _, m := range terms {
		at := datumOf[m.pairing]
		if at < 0 {
			continue
		}
		d := &p.data[at]
		eta, delta := p.eta(theta, d), theta[p.drawAt(d.s)]
		for o, n := range m.n {
			if n == 0 {
				continue
			}
			gEta, gDelta := p.kernel.score(Outcome(o), eta, delta)
			u = p.addScore(u, d, float64(n)*gEta, float64(n)*gDelta)
		}
	}
	return u
}

// addScore adds the derivatives of games of a pairing to a score vector.
func (p *likelihood) addScore(u []entry, d *datum, gEta, gDelta float64) []entry {
	u = addEntry(addEntry(addEntry(u, d.i, gEta), d.j, -gEta), p.advAt(d.s), gEta)
	if c := p.drawAt(d.s); !p.fixed[c] {
		u = addEntry(u, c, gDelta)
	}
	return u
}

// datumOf returns, for each pairing of the table, its index in the likelihood's data; -1 for inactive pairings.
func (p *likelihood) datumOf(pairings int) []int {
	out := slices.Repeat([]int{-1}, pairings)
	for at, d := range p.data {
		out[d.source] = at
	}
	return out
}

// clusters returns the number of clusters among active pairings, and the number of those with at least two games. Units
// has the effective number of clusters that inform each rating and advantage: (Σn)²/Σn², if n of its games are in a
// cluster (Kish 1965).
func (p *likelihood) clusters(t *Table, of *clusters) (all, paired int64, units []float64) {
	at := p.datumOf(len(t.pairings))
	units = make([]float64, p.n+p.k)
	squares := make([]float64, p.n+p.k)
	var u []entry
	of.each(func(terms []term, count int64) {
		games := int64(0)
		u = u[:0]
		for _, m := range terms {
			if at[m.pairing] < 0 {
				continue
			}
			d, n := &p.data[at[m.pairing]], m.games()
			games += n
			for _, c := range [...]int{d.i, d.j, p.advAt(d.s)} {
				u = addEntry(u, c, float64(n))
			}
		}
		for _, e := range u {
			units[e.at] += float64(count) * e.x
			squares[e.at] += float64(count) * e.x * e.x
		}
		if games > 0 {
			all += count
		}
		if games > 1 {
			paired += count
		}
	})
	for c, n := range units {
		units[c] = n * n / max(squares[c], 1)
	}
	return all, paired, units
}

// scoreVariance computes B for independent games: ErrorDrawAware (for the score model only, since the others know their
// variance) or ErrorGame.
func (p *likelihood) scoreVariance(theta []float64, kind ErrorKind, deq []float64) *mat.SymDense {
	m := meat{mat.NewSymDense(p.dim(), nil)}
	var u []entry
	for x := range p.data {
		d := &p.data[x]
		eta, delta := p.eta(theta, d), theta[p.drawAt(d.s)]
		if kind == ErrorDrawAware {
			w := logistic(eta)
			m.add(p.addScore(u[:0], d, 1, 0), (d.w+d.d+d.l)*max(0, w*(1-w)-drawShare(w, deq[d.s])/4))
			continue
		}
		for o, n := range [3]float64{d.l, d.d, d.w} {
			gEta, gDelta := p.kernel.score(Outcome(o), eta, delta)
			m.add(p.addScore(u[:0], d, gEta, gDelta), n)
		}
	}
	p.erase(m.b, 0)
	return m.b
}

// clusterVariance computes B for dependence within clusters.
func (p *likelihood) clusterVariance(t *Table, of *clusters, theta []float64) *mat.SymDense {
	m := meat{mat.NewSymDense(p.dim(), nil)}
	at := p.datumOf(len(t.pairings))
	var u []entry
	of.each(func(terms []term, count int64) {
		u = p.clusterScore(u[:0], terms, at, theta)
		m.add(u, float64(count))
	})
	p.erase(m.b, 0)
	return m.b
}

// sandwich returns A⁻¹BA⁻¹.
func sandwich(inv, b *mat.SymDense) *mat.SymDense {
	var a mat.Dense
	a.CloneFrom(inv)
	return congruent(&a, b)
}

// congruent returns T·V·Tᵀ.
func congruent(t *mat.Dense, v *mat.SymDense) *mat.SymDense {
	var copied, half, full mat.Dense
	copied.CloneFrom(v) // so that the products run through the dense kernels
	half.Mul(t, &copied)
	full.Mul(&half, t.T())
	n := v.SymmetricDim()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return out
}

// quantile returns the two-sided quantile for a confidence level: of Student's t with df degrees of freedom, or of
// the normal distribution if df <= 0.
func quantile(level, df float64) float64 {
	p := 1 - (1-level)/2
	if df > 0 && df < 1e7 {
		return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(p)
	}
	return distuv.UnitNormal.Quantile(p)
}

func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
