package ratings

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// likelihood is one concave maximisation over the parameters
//
//	theta = (ratings of n players, advantage per stratum, draw parameter per stratum)
//
// in natural units. Strata are those of the fit: only one, unless each stratum has its own advantage.
type likelihood struct {
	kernel  kernel
	n, k    int // numbers of players and strata
	data    []datum
	fixed   []bool          // parameters that keep their starting values
	held    map[int]float64 // ratings that are held, in natural units
	ridge   []float64       // prior precision 1/τ² of each parameter; the prior mean is 0
	comp    []int           // group of each player whose mean is fixed at 0; -1 = none
	nComp   int
	compLen []int
}

// datum is the active data of one pairing.
type datum struct {
	i, j, s int
	w, d, l float64
	source  int // index in Table.pairings
}

// Indices of the parameters.
func (p *likelihood) dim() int         { return p.n + 2*p.k }
func (p *likelihood) advAt(s int) int  { return p.n + s }
func (p *likelihood) drawAt(s int) int { return p.n + p.k + s }

func (p *likelihood) eta(theta []float64, d *datum) float64 {
	return theta[d.i] - theta[d.j] + theta[p.advAt(d.s)]
}

// value returns the penalised log-likelihood.
func (p *likelihood) value(theta []float64) float64 {
	ll := 0.0
	for x := range p.data {
		d := &p.data[x]
		ll += p.kernel.eval(d.w, d.d, d.l, p.eta(theta, d), theta[p.drawAt(d.s)]).ll
	}
	for c, r := range p.ridge {
		if r > 0 {
			ll -= r * theta[c] * theta[c] / 2
		}
	}
	return ll
}

// derive computes the gradient and the negative Hessian, with the prior but without the gauge. A fixed parameter
// gets a zero gradient and a unit diagonal.
func (p *likelihood) derive(theta, grad []float64, info *mat.SymDense) (ll float64) {
	clear(grad)
	raw := info.RawSymmetric()
	clear(raw.Data)
	add := func(a, b int, x float64) {
		if a > b {
			a, b = b, a
		}
		raw.Data[a*raw.Stride+b] += x
	}
	for x := range p.data {
		d := &p.data[x]
		a, e := p.advAt(d.s), p.drawAt(d.s)
		t := p.kernel.eval(d.w, d.d, d.l, p.eta(theta, d), theta[e])
		ll += t.ll
		grad[d.i] += t.gEta
		grad[d.j] -= t.gEta
		grad[a] += t.gEta
		grad[e] += t.gDelta
		add(d.i, d.i, t.hEta)
		add(d.j, d.j, t.hEta)
		add(d.i, d.j, -t.hEta)
		add(a, a, t.hEta)
		add(d.i, a, t.hEta)
		add(d.j, a, -t.hEta)
		if !p.fixed[e] {
			add(d.i, e, t.hCross)
			add(d.j, e, -t.hCross)
			add(a, e, t.hCross)
			add(e, e, t.hDelta)
		}
	}
	for c, r := range p.ridge {
		if r > 0 {
			ll -= r * theta[c] * theta[c] / 2
			grad[c] -= r * theta[c]
			add(c, c, r)
		}
	}
	for c, f := range p.fixed {
		if f {
			grad[c] = 0
		}
	}
	p.erase(info, 1)
	return ll
}

// gauge adds κ·11ᵀ for each group of players. The solution stays the same, since the gradient is orthogonal to 1, and
// the matrix becomes positive definite.
func (p *likelihood) gauge(info *mat.SymDense, kappa []float64, sign float64) {
	raw := info.RawSymmetric()
	for c, m := range p.members() {
		for x, i := range m {
			row := raw.Data[i*raw.Stride : (i+1)*raw.Stride]
			for _, j := range m[x:] {
				row[j] += sign * kappa[c]
			}
		}
	}
}

func (p *likelihood) members() [][]int {
	m := make([][]int, p.nComp)
	for i, c := range p.comp {
		if c >= 0 {
			m[c] = append(m[c], i)
		}
	}
	return m
}

// kappas chooses κ ≈ trace/n² for each group, the scale of the information.
func (p *likelihood) kappas(info *mat.SymDense) []float64 {
	k := make([]float64, p.nComp)
	for i, c := range p.comp {
		if c >= 0 {
			k[c] += info.At(i, i)
		}
	}
	for c := range k {
		k[c] = max(k[c], 1e-12) / float64(p.compLen[c]*p.compLen[c])
	}
	return k
}

var (
	errDiverged = errors.New("ratings: the likelihood has no finite maximum")
	errDraws    = errors.New("ratings: the draw parameter has no finite maximum")
	errNumeric  = errors.New("ratings: the information matrix is not positive definite")
)

// Newton's method needs about seven steps. On separated data it never ends and moves one unit in each step.
// Therefore, from step patience on and at the end, pairings in which one side has all points are treated as
// infinite if they contribute less than e^-remoteness expected points. If one is in fact finite, this changes
// ratings by less than 0.001 Elo.
const (
	patience   = 15
	remoteness = 14.0
)

// maximum is a maximum with its information.
type maximum struct {
	theta []float64
	ll    float64
	chol  cholesky // Cholesky factor of the information with gauge
	kappa []float64
}

// solve runs Newton's method with step halving from start (nil: zeros). If watch is set, it checks for separation
// from step patience on and at the end, and returns an error if the data are separated.
func (p *likelihood) solve(start []float64, watch func(*maximum) error) (*maximum, error) {
	n := p.dim()
	theta := make([]float64, n)
	copy(theta, start)
	grad := make([]float64, n)
	step := make([]float64, n)
	next := make([]float64, n)
	info := mat.NewSymDense(n, nil)
	var sol maximum
	done := false // after the next factorization
	sol.ll = p.derive(theta, grad, info)
	for iter := 0; ; iter++ {
		sol.kappa, sol.theta = p.kappas(info), theta
		p.gauge(info, sol.kappa, 1)
		if !p.factorize(&sol.chol, info) {
			return nil, errNumeric
		}
		if done || iter == 200 {
			return &sol, nil
		}
		sol.chol.solve(step, grad)
		big, gain := floats.Norm(step, math.Inf(1)), floats.Dot(step, grad)/2
		if math.IsNaN(big) || math.IsInf(big, 0) {
			return nil, errNumeric
		}
		scale := min(1, 8/max(big, 1e-300))
		noise := 1e-12 * (1 + math.Abs(sol.ll))
		for range 60 {
			if p.value(floats.AddScaledTo(next, theta, scale, step)) >= sol.ll+1e-4*scale*gain-noise {
				break
			}
			scale /= 2
		}
		copy(theta, next)
		sol.ll = p.derive(theta, grad, info)
		done = big < 1e-9
		if watch != nil && (iter >= patience || done) {
			if err := watch(&sol); err != nil {
				return &sol, err
			}
		}
	}
}

// runaway is the variance of a draw parameter above which it has no maximum. At a maximum, some results are
// evidence against a larger parameter and are expected about as often as they occur. The information is then at
// least that of one game, and the variance about 1. If the parameter diverges, this information decreases
// exponentially.
const runaway = 1e4

// separated returns an error if some pairing is remote: see the method remote.
func (p *likelihood) separated(s *maximum) error {
	if p.remote(s.theta, nil) {
		return errDiverged
	}
	return nil
}

// drawsRun returns an error if a draw parameter diverges, judged by the information of the last step. It diverges
// if some direction of ratings, advantages and draw parameters makes no result less probable: a win moves at least
// as far as the draw parameter, a draw at most as far (Albert & Anderson 1984, Biometrika 71:1, for results with
// three outcomes).
func (p *likelihood) drawsRun(s *maximum) error {
	unit, x := make([]float64, p.dim()), make([]float64, p.dim())
	for k := range p.k {
		c := p.drawAt(k)
		if p.fixed[c] {
			continue
		}
		clear(unit)
		unit[c] = 1
		if s.chol.solve(x, unit); !(x[c] < runaway) {
			return errDraws
		}
	}
	return nil
}

// onlyDraws reports a stratum in which every informative game was drawn.
func (p *likelihood) onlyDraws() bool {
	return slices.ContainsFunc(p.sums(), func(x [3]float64) bool { return x[1] > 0 && x[0]+x[2] == 0 })
}

func (p *likelihood) factorize(chol *cholesky, info *mat.SymDense) bool {
	if chol.factorize(info) {
		return true
	}
	// Round-off can cost the last bits of a nearly separated sample.
	for c := range p.dim() {
		info.SetSym(c, c, info.At(c, c)*(1+1e-10)+1e-13)
	}
	return chol.factorize(info)
}

// remote reports whether some pairing in which one side has all points contributes almost nothing. If visit is not
// nil, it calls visit for each such pairing.
func (p *likelihood) remote(theta []float64, visit func(*datum)) (found bool) {
	for x := range p.data {
		d := &p.data[x]
		if d.d > 0 || (d.w > 0 && d.l > 0) {
			continue
		}
		eta := p.eta(theta, d)
		if d.l > 0 {
			eta = -eta
		}
		if eta-math.Log(d.w+d.l) > remoteness {
			found = true
			if visit != nil {
				visit(d)
			}
		}
	}
	return found
}

// covariance inverts the information. The result is in natural units, with ratings relative to the mean of their
// gauge group and zero rows for fixed parameters.
func (p *likelihood) covariance(s *maximum) *mat.SymDense {
	inv := s.chol.inverse()
	back := make([]float64, p.nComp)
	for c := range back {
		back[c] = 1 / (s.kappa[c] * float64(p.compLen[c]*p.compLen[c]))
	}
	p.gauge(inv, back, -1)
	p.erase(inv, 0)
	return inv
}

// erase zeroes the rows and columns of fixed parameters, and sets their diagonal.
func (p *likelihood) erase(m *mat.SymDense, diagonal float64) {
	for c, f := range p.fixed {
		if !f {
			continue
		}
		for b := range p.dim() {
			m.SetSym(b, c, 0)
		}
		m.SetSym(c, c, diagonal)
	}
}

// sums returns the numbers of wins, draws and losses in each stratum.
func (p *likelihood) sums() [][3]float64 {
	sums := make([][3]float64, p.k)
	for _, d := range p.data {
		sums[d.s][0] += d.w
		sums[d.s][1] += d.d
		sums[d.s][2] += d.l
	}
	return sums
}

// newLikelihood collects the active pairings. It fixes at 0 the players without active pairings, the advantages
// without data or without adv, and the draw parameters of strata without draws.
func newLikelihood(t *Table, m Model, strataOf []int, active, adv []bool, comp []int, nComp int) *likelihood {
	p := &likelihood{kernel: kernelOf(m), n: len(t.players), k: len(adv)}
	p.fixed, p.ridge = slices.Repeat([]bool{true}, p.dim()), make([]float64, p.dim())
	for x, g := range t.pairings {
		if !active[x] {
			continue
		}
		s := strataOf[g.Stratum]
		d := datum{g.First, g.Second, s, float64(g.Wins), float64(g.Draws), float64(g.Losses), x}
		p.data = append(p.data, d)
		p.fixed[g.First], p.fixed[g.Second] = false, false
		p.fixed[p.advAt(s)] = !adv[s]
	}
	for s, x := range p.sums() {
		p.fixed[p.drawAt(s)] = m == ModelScore || x[1] == 0 || x[0]+x[2] == 0
	}
	p.setGauge(comp, nComp)
	return p
}

// setGauge sets the groups whose level the data do not determine; nComp 0 means none.
func (p *likelihood) setGauge(comp []int, nComp int) {
	if nComp == 0 {
		p.comp = slices.Repeat([]int{-1}, p.n)
		p.nComp = 0
		p.compLen = nil
		return
	}
	p.comp, p.nComp, p.compLen = slices.Clone(comp), nComp, make([]int, nComp)
	for i := range p.comp {
		if p.fixed[i] || p.comp[i] < 0 {
			p.comp[i] = -1
			continue
		}
		p.compLen[p.comp[i]]++
	}
	// Groups of fixed players only would divide by zero.
	for c, l := range p.compLen {
		if l == 0 {
			p.compLen[c] = 1
		}
	}
}

// hold holds ratings at values in natural units, which set the level of their groups.
func (p *likelihood) hold(held map[int]float64) {
	comp := slices.Clone(p.comp)
	for i := range held {
		for j, c := range p.comp {
			if c >= 0 && c == p.comp[i] {
				comp[j] = -1
			}
		}
		p.fixed[i] = true
	}
	if p.held = held; p.nComp > 0 {
		p.setGauge(comp, p.nComp)
	}
}

// start returns the starting point: zeros and the models' initial draw parameters.
func (p *likelihood) start() []float64 {
	theta := make([]float64, p.dim())
	for i, x := range p.held {
		theta[i] = x
	}
	for s, x := range p.sums() {
		c := p.drawAt(s)
		switch _, davidson := p.kernel.(davidson); {
		case !p.fixed[c]:
			theta[c] = p.kernel.start(x[0], x[1], x[2])
		case x[1] > 0: // nothing but draws: as if half a game had been decisive
			theta[c] = p.kernel.start(0.25, x[1], 0.25)
		case davidson:
			theta[c] = noDraws
		}
	}
	return theta
}
