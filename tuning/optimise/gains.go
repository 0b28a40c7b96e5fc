package optimise

import (
	"fmt"
	"math"
)

// DefaultCEnd is the size of SPSA's last perturbation, in scale units. It is large enough that the two sides play
// differently.
const DefaultCEnd = 0.4

// Other defaults of SPSA, for parameters in scale units. With c_end 0.05 and r_end
// 0.002, the habit of chess engines that tune over 100,000s of games, a run of
// 10,000 games reaches a quarter of the gain.
const (
	defaultREnd      = 0.02
	defaultAlpha     = 0.602
	defaultGamma     = 0.101
	defaultStability = 0.1
	defaultTail      = 0.5
	maxDirections    = 8
	minSPSAPairs     = 25
)

// SPSAOptions are the options of SPSA. A zero field means the default.
type SPSAOptions struct {
	CEnd float64 `json:"c_end,omitempty"` // size of the last perturbation, in scale units; 0 means 0.4
	// REnd is the last a_k/c_k^2: a won game moves a parameter by REnd*CEnd. It determines the accuracy, see
	// StationaryLoss. 0 means 0.02.
	REnd  float64 `json:"r_end,omitempty"`
	Alpha float64 `json:"alpha,omitempty"` // 0 means 0.602 (Spall 1998)
	Gamma float64 `json:"gamma,omitempty"` // 0 means 0.101 (Spall 1998)
	// Stability is A as a fraction of the iterations; 0 means 0.1.
	Stability float64 `json:"stability,omitempty"`
	// ConstantGains keeps c and r at their end values; Alpha, Gamma and Stability then have no effect.
	ConstantGains bool `json:"constant_gains,omitempty"`
	// Directions is the number of independent perturbations of one step, whose matches can be played at the same
	// time. 0 means 8, fewer in a run of less than 200 pairs. The result depends on it, so do not adapt it to the
	// machine.
	Directions int `json:"directions,omitempty"`
	Pairs      int `json:"pairs,omitempty"` // pairs of each direction; 0 means 1
	// Tail is the last fraction of the run, over which Mean averages; 0 means 0.5.
	Tail float64 `json:"tail,omitempty"`
}

// resolve fills in the defaults for a run of the given number of pairs.
func (o SPSAOptions) resolve(pairs int) (SPSAOptions, error) {
	for _, f := range []struct {
		v   *float64
		def float64
	}{
		{&o.CEnd, DefaultCEnd},
		{&o.REnd, defaultREnd},
		{&o.Alpha, defaultAlpha},
		{&o.Gamma, defaultGamma},
		{&o.Stability, defaultStability},
		{&o.Tail, defaultTail},
	} {
		if *f.v == 0 {
			*f.v = f.def
		}
		if !finite(*f.v) || *f.v < 0 {
			return o, fmt.Errorf("optimise: %w: spsa option %v must be positive", ErrProblem, *f.v)
		}
	}
	if o.Tail > 1 {
		return o, fmt.Errorf("optimise: %w: spsa averages over a fraction of the run, and %v is more "+
			"than 1", ErrProblem, o.Tail)
	}
	if o.Directions < 0 || o.Pairs < 0 {
		return o, fmt.Errorf("optimise: %w: spsa directions %d and pairs %d cannot be negative", ErrProblem, o.Directions,
			o.Pairs)
	}
	if o.Pairs == 0 {
		o.Pairs = 1
	}
	if o.Directions == 0 {
		o.Directions = max(1, min(maxDirections, pairs/(minSPSAPairs*o.Pairs)))
	}
	if need := minSPSAPairs * o.Pairs * o.Directions; pairs < max(need, minSPSAPairs) {
		step := "one pair"
		if n := o.Pairs * o.Directions; n > 1 {
			step = fmt.Sprintf("%d pairs", n)
		}
		return o, fmt.Errorf("optimise: %w: spsa needs at least %d games (%d steps of %s), %d are planned",
			ErrProblem, 2*need, minSPSAPairs, step, 2*pairs)
	}
	return o, nil
}

// gains is the schedule of a run of n iterations, one iteration being one pair of
// games (Spall 1998, in the parametrisation of fishtest):
//
//	c = c_end n^gamma            a = r_end c_end^2 (A+n)^alpha     A = stability n
//	c_k = c / k^gamma            a_k = a / (A+k)^alpha             R_k = a_k / c_k^2
type gains struct {
	n, stability, cEnd, rEnd, alpha, gamma float64
}

func newGains(o SPSAOptions, pairs int) gains {
	n := float64(pairs)
	g := gains{n, o.Stability * n, o.CEnd, o.REnd, o.Alpha, o.Gamma}
	if o.ConstantGains {
		g.alpha, g.gamma = 0, 0
	}
	return g
}

// at returns c_k and R_k for iteration k, from 1 to n.
func (g gains) at(k float64) (c, r float64) {
	c = g.cEnd * math.Pow(g.n/k, g.gamma)
	a := g.rEnd * g.cEnd * g.cEnd * math.Pow((g.stability+g.n)/(g.stability+k), g.alpha)
	return c, a / (c * c)
}
