package optimise

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

const (
	defaultSigma   = 0.5
	maxCMAPairs    = 20
	aimGenerations = 10
	minGenerations = 5
	minIntegerSD   = 0.5 // least standard deviation of an integer parameter, in its own unit
)

// CMAOptions are the options of CMA-ES. A zero field means the default.
type CMAOptions struct {
	Lambda int `json:"lambda,omitempty"` // candidates per generation; 0 means 4 + floor(3 ln n)
	// first standard deviation in scale units; 0 means 0.5, or 0.3 of the distance between two bounds if that is
	// more
	Sigma float64 `json:"sigma,omitempty"`
	// pairs that a candidate plays in a generation; 0 means as many as allow 10 generations, at most 20
	Pairs int `json:"pairs,omitempty"`
}

// resolve fills in the defaults for n parameters and a number of pairs.
func (o CMAOptions) resolve(n, pairs int) (CMAOptions, error) {
	if o.Sigma == 0 {
		o.Sigma = defaultSigma
	}
	if o.Lambda == 0 {
		o.Lambda = 4 + int(3*math.Log(float64(n)))
	}
	switch {
	case !finite(o.Sigma) || o.Sigma < 0:
		return o, fmt.Errorf("optimise: %w: cma sigma %v must be positive", ErrProblem, o.Sigma)
	case o.Lambda < 4:
		return o, fmt.Errorf("optimise: %w: cma needs at least 4 candidates per generation, not %d", ErrProblem, o.Lambda)
	case o.Pairs < 0:
		return o, fmt.Errorf("optimise: %w: cma pairs %d cannot be negative", ErrProblem, o.Pairs)
	}
	if o.Pairs == 0 {
		o.Pairs = max(1, min(maxCMAPairs, pairs/(o.Lambda*aimGenerations)))
	}
	if need := minGenerations * o.Lambda * o.Pairs; pairs < need {
		return o, fmt.Errorf("optimise: %w: cma needs at least %d games (%d generations of %d candidates with %d pairs), "+
			"%d are planned",
			ErrProblem, 2*need, minGenerations, o.Lambda, o.Pairs, 2*pairs)
	}
	return o, nil
}

// CMA is the (mu/mu_w, lambda) evolution strategy with covariance matrix adaptation, with the default constants of
// Hansen, "The CMA evolution strategy: a tutorial" (2016), in ask/tell form. Each candidate plays against the
// current mean, all candidates of a generation on the same openings. The answer is the mean of the distribution.
//
// A sample outside the bounds is moved to them before it is played, and counts as what was played. Integer
// parameters are rounded to the nearest integer for play, and their standard deviation is kept at 1/2 or more so
// that the search cannot freeze between two values.
type CMA struct {
	*space
	st  cmaState
	rng *rand.Rand
}

var _ Optimiser = (*CMA)(nil)

// cmaState is the state of a run. Vectors are in inner units.
type cmaState struct {
	Problem    Problem
	Options    CMAOptions // the options with defaults filled in
	Generation int        // number of completed generations
	Mean       []float64
	Sigma      float64
	Cov        [][]float64
	PathSigma  []float64
	PathCov    []float64
	Samples    [][]float64 // samples of the pending candidates
	GamesTold  int
	DriftSq    float64 // sum over generations of sigma^2 tr(C)/(n mu_eff)
	Ledger     ledger
	History    history
}

// NewCMA returns an optimiser at the start of its run.
func NewCMA(p Problem, o CMAOptions) (*CMA, error) {
	sp, err := newSpace(p)
	if err != nil {
		return nil, err
	}
	n, stated := len(sp.params), o.Sigma > 0
	if o, err = o.resolve(n, p.Games/2); err != nil {
		return nil, err
	}
	p.Parameters = sp.params
	c := &CMA{space: sp, rng: rand.New(newPCG(p.Seed)), st: cmaState{
		Problem: p, Options: o,
		Mean: sp.start(), Sigma: o.Sigma, Cov: identity(n),
		PathSigma: make([]float64, n), PathCov: make([]float64, n),
	}}
	if !stated {
		c.spanBounds()
	}
	c.keepIntegersAlive()
	return c, c.open()
}

// boundedSD is the first standard deviation of a parameter with two bounds, relative to their distance, as Hansen
// (2016) advises. A narrower search over few generations ends where it started.
const boundedSD = 0.3

// spanBounds widens the first distribution along parameters with two bounds.
func (c *CMA) spanBounds() {
	for i, p := range c.params {
		if p.Min == nil || p.Max == nil {
			continue
		}
		if f := boundedSD * (c.in(i, *p.Max) - c.in(i, *p.Min)) / c.st.Sigma; f > 1 {
			c.st.Cov[i][i] = f * f
		}
	}
}

func (c *CMA) generations() int {
	return c.st.Problem.Games / 2 / (c.st.Options.Lambda * c.st.Options.Pairs)
}

// axes returns the eigenvectors B of the covariance and the square roots D of its eigenvalues.
func (c *CMA) axes() (*mat.Dense, []float64, error) {
	n := len(c.params)
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, c.st.Cov[i][j])
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(sym, true) {
		return nil, nil, fmt.Errorf("optimise: cma: generation %d: the covariance has no eigenvalues", c.st.Generation)
	}
	d := eig.Values(nil)
	floor := 1e-14 * math.Max(d[n-1], 1e-300)
	for i, v := range d {
		d[i] = math.Sqrt(math.Max(v, floor))
	}
	b := mat.NewDense(n, n, nil)
	eig.VectorsTo(b)
	return b, d, nil
}

// open samples the candidates of the next generation: x = m + sigma B D z, with z standard normal.
func (c *CMA) open() error {
	c.st.Samples = nil
	if c.Done() {
		c.st.Ledger.open(nil)
		return nil
	}
	b, d, err := c.axes()
	if err != nil {
		return err
	}
	n, pairs := len(c.params), c.st.Options.Pairs
	mean := c.user(c.st.Mean, 0.5)
	cs := make([]Candidate, c.st.Options.Lambda)
	z := make([]float64, n)
	for k := range cs {
		for i := range z {
			z[i] = d[i] * c.rng.NormFloat64()
		}
		x := clone(c.st.Mean)
		for i := range x {
			for j := range z {
				x[i] += c.st.Sigma * b.At(i, j) * z[j]
			}
			v := c.out(i, x[i])
			if w := c.clip(i, v); w != v {
				x[i] = c.in(i, w)
			}
		}
		c.st.Samples = append(c.st.Samples, x)
		cs[k] = Candidate{Opening: c.st.Generation * pairs, Pairs: pairs, Plus: c.user(x, 0.5), Minus: clone(mean)}
	}
	c.st.Ledger.open(cs)
	return nil
}

// Ask implements Optimiser.
func (c *CMA) Ask() []Candidate { return c.st.Ledger.ask() }

// Done implements Optimiser.
func (c *CMA) Done() bool { return c.st.Generation >= c.generations() }

// Games implements Optimiser. The planned number counts the requested matches. The finished number also counts
// games that the caller adds against other opponents.
func (c *CMA) Games() (done, planned int) {
	return c.st.GamesTold, 2 * c.generations() * c.st.Options.Lambda * c.st.Options.Pairs
}

// Tell implements Optimiser. An outcome may hold more games than were asked, played
// against a pool of other opponents, the same for all candidates of the
// generation.
func (c *CMA) Tell(results []Outcome) error {
	complete, err := c.st.Ledger.tell(results, true)
	if err != nil || !complete {
		return err
	}
	told := c.st.Ledger.Told
	if err := c.update(told); err != nil {
		return err
	}
	points, games := 0.0, 0
	for _, o := range told {
		points += o.Score * float64(o.Games)
		games += o.Games
	}
	c.st.GamesTold += games
	c.st.Generation++
	if err := c.open(); err != nil {
		return err
	}
	c.st.History.add(points, games, c.Done(), func() ([]float64, []float64) { return c.Current(), c.Mean() })
	return nil
}

// Mean implements Optimiser.
func (c *CMA) Mean() []float64 { return c.user(c.st.Mean, 0.5) }

// Current implements Optimiser: the mean before rounding.
func (c *CMA) Current() []float64 { return c.exact(c.st.Mean) }

// History implements Optimiser.
func (c *CMA) History() []Point { return c.st.History.copied() }

// Drift implements Optimiser. If the ranks of candidates were random, a generation moves the mean by variance
// sigma^2 C_ii/mu_eff.
func (c *CMA) Drift() float64 { return math.Sqrt(c.st.DriftSq) }

// Sigma is the step size, in scale units, of the next generation.
func (c *CMA) Sigma() float64 { return c.st.Sigma }
