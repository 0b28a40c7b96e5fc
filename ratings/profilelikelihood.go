package ratings

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fullProfile is the largest number of players for which a profile likelihood refits all of them. For more
// players, the opponents are fixed at their estimates.
const fullProfile = 40

// looseSD is the standard deviation in Elo of the prior that keeps the other parameters of a profile likelihood
// finite. It changes a bound by less than 0.01 Elo.
const looseSD = 5e6

// profile maximises the likelihood under one linear constraint.
type profile struct {
	p    *likelihood
	c    []float64 // coefficients: the quantity is cᵀtheta
	best float64
	at   []float64 // parameters at the best value, used as the next start
}

// of returns the value of the quantity, without parameters that do not belong to it: those of draws may be infinite.
func (f *profile) of(theta []float64) (x float64) {
	for i, c := range f.c {
		if c != 0 {
			x += c * theta[i]
		}
	}
	return x
}

// constrained computes the maximum of value(theta) under the constraint cᵀtheta = x. It uses Newton steps that are
// corrected along A⁻¹c (the block elimination of the Lagrange system).
func (f *profile) constrained(x float64, from []float64) (ll float64, theta []float64, ok bool) {
	p := f.p
	n := p.dim()
	theta = slices.Clone(from)
	floats.AddScaled(theta, (x-f.of(theta))/floats.Dot(f.c, f.c), f.c)
	grad, next := make([]float64, n), make([]float64, n)
	info := mat.NewSymDense(n, nil)
	var chol cholesky
	g, h := make([]float64, n), make([]float64, n)
	ll = p.derive(theta, grad, info)
	for range 100 {
		if !p.factorize(&chol, info) {
			return 0, nil, false
		}
		chol.solve(g, grad)
		chol.solve(h, f.c)
		lambda := floats.Dot(f.c, g) / floats.Dot(f.c, h)
		floats.AddScaled(g, -lambda, h)
		big := floats.Norm(g, math.Inf(1))
		if math.IsNaN(big) {
			return 0, nil, false
		}
		if big < 1e-8 || floats.Dot(g, grad) < 1e-11*(1+math.Abs(ll)) {
			break
		}
		scale := min(1, 8/big)
		for range 50 {
			if p.value(floats.AddScaledTo(next, theta, scale, g)) >= ll {
				break
			}
			scale /= 2
		}
		copy(theta, next)
		ll = p.derive(theta, grad, info)
	}
	return ll, theta, true
}

// bound returns the x on one side of start (-1 below, +1 above) at which the profile likelihood is lower than its
// supremum by drop. All values are in natural units.
func (f *profile) bound(side, drop float64) (float64, bool) {
	sol, err := f.p.solve(f.p.start(), nil)
	if err != nil {
		return 0, false
	}
	f.best, f.at = sol.ll, sol.theta
	peak := f.of(f.at)
	// The root of the drop is nearly linear in x, which suits false position
	// (with the Illinois rule against a lazy end).
	depth := func(ll float64) float64 { return math.Sqrt(max(0, f.best-ll)) - math.Sqrt(drop) }
	inside, outside := peak, peak
	in, out := -math.Sqrt(drop), 0.0
	warm := f.at
	for width := 1.0; ; width *= 2 {
		if width > 8192 {
			return 0, false
		}
		outside = peak + side*width
		ll, theta, ok := f.constrained(outside, warm)
		if !ok {
			return 0, false
		}
		if out = depth(ll); out > 0 {
			break
		}
		inside, in, warm = outside, out, theta
	}
	last := 0
	for range 60 {
		x := inside + (outside-inside)*in/(in-out)
		if math.Abs(outside-inside) < 1e-7 {
			break
		}
		ll, theta, ok := f.constrained(x, warm)
		if !ok {
			return 0, false
		}
		d := depth(ll)
		warm = theta
		switch {
		case math.Abs(d) < 1e-9:
			return x, true
		case d > 0:
			outside, out = x, d
			if last > 0 {
				in /= 2
			}
			last = 1
		default:
			inside, in = x, d
			if last < 0 {
				out /= 2
			}
			last = -1
		}
	}
	return (inside + outside) / 2, true
}

// looseLikelihood is the whole table, by weight, with a prior that is nearly flat.
func (f *Fit) looseLikelihood() *likelihood {
	if f.loose != nil {
		return f.loose
	}
	f.loose = f.penalisedLikelihood(looseSD)
	f.looseOf = make([][]*datum, len(f.t.players)+f.k)
	weights := f.t.weights()
	for x := range f.loose.data {
		d := &f.loose.data[x]
		n := weights[d.source]
		d.w, d.d, d.l = n[FirstWins], n[Draw], n[SecondWins]
		for _, c := range []int{d.i, d.j, f.loose.advAt(d.s)} {
			f.looseOf[c] = append(f.looseOf[c], d)
		}
	}
	return f.loose
}

// boundPlayer replaces the interval of a player if the likelihood has no bound at one end or the prior determines
// the level. In a tiny sample it replaces the intervals of all players. The new interval need not be symmetric.
// shift is the anchor's shift of the group, in Elo.
func (f *Fit) boundPlayer(i int, shift float64) {
	r := &f.Players[i]
	level := f.level(i)
	elo := func(x float64) float64 { return (x+f.meanOf(level))*f.Scale/eloUnit + shift }
	open := f.separated() && !f.joined(i) && r.Total().Games() > 0
	switch {
	case open:
		r.Elo.Interval = f.bounds(i, level, f.openEnds().of(i, level), elo)
	case f.tiny && f.ml.n <= fullProfile && r.Status == StatusOK:
		v := f.bounds(i, level, side{}, elo)
		if v.Contains(r.Elo.Value) && !v.LoOpen && !v.HiOpen {
			r.Elo.Interval = v
		}
	}
}

// oneSidedDrop returns by how much the log-likelihood is lower at a one-sided bound than at its supremum: results that
// all favour one side have the probability 1-level at the bound. So k of k games have the bound of Clopper and Pearson
// (1934, Biometrika 26:404), a score of (1-level)^(1/k); k of k pairs have it whatever the dependence within pairs.
// Wilks' z²/2 holds for maxima, and here the likelihood has none.
func (f *Fit) oneSidedDrop() float64 { return -math.Log(1 - f.Level) }

// farAlone is a rating, in natural units, at which the result of every game is certain.
const farAlone = 60.0

// alone returns the log-likelihood as a function of one parameter, with all others at their fitted values. It is
// used for tables that are too large to refit.
func (f *Fit) alone(at int) func(x float64) float64 {
	p := f.looseLikelihood()
	theta := slices.Clone(f.theta)
	return func(x float64) (ll float64) {
		theta[at] = x
		for _, d := range f.looseOf[at] {
			ll += p.kernel.eval(d.w, d.d, d.l, p.eta(theta, d), theta[p.drawAt(d.s)]).ll
		}
		return ll
	}
}

// boundAlone returns the bound on one parameter with all others fixed; see alone.
func (f *Fit) boundAlone(at int, side, drop float64) (float64, bool) {
	value := f.alone(at)
	best, found := value(-side*farAlone), false
	inside, outside := -side*farAlone, side*farAlone
	for range 70 {
		mid := (inside + outside) / 2
		if value(mid) < best-drop {
			outside, found = mid, true
		} else {
			inside = mid
		}
	}
	return outside, found
}
