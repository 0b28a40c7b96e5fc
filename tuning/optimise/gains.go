package optimise

import (
	"fmt"
	"math"
)

// Options are the options of SPSA. A zero field means the default.
type Options struct {
	CEnd       float64 `yaml:"c_end" json:"c_end,omitempty" jsonschema:"minimum=0,maximum=10" jsonschema_description:"Size of the last perturbation, in scales. Default: 0.4."`
	REnd       float64 `yaml:"r_end" json:"r_end,omitempty" jsonschema:"minimum=0,maximum=10" jsonschema_description:"Learning rate at the end: a won game moves a number by r_end times c_end scales. Default: 0.02."`
	Directions int     `yaml:"directions" json:"directions,omitempty" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"Perturbations a step, whose games are played at the same time. Default: 8, fewer in short runs."`
	Pairs      int     `yaml:"pairs" json:"pairs,omitempty" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"Pairs of games a perturbation. Default: 1."`
}

// Defaults and constants of SPSA, for parameters in scale units. With c_end 0.05 and r_end 0.002, the habit of chess
// engines that tune over 100,000s of games, a run of 10,000 games reaches a quarter of the gain.
const (
	defaultCEnd   = 0.4 // large enough that the two sides play differently
	defaultREnd   = 0.02
	alpha         = 0.602 // Spall 1998
	gamma         = 0.101 // Spall 1998
	stability     = 0.1   // A as a fraction of the iterations
	tail          = 0.5   // last fraction of the run, over which Mean averages
	maxDirections = 8
	minPairs      = 25 // of a direction
)

// resolve fills in the defaults for a run of the given number of pairs. The result of a run depends on the number of
// directions, so it does not depend on the machine.
func (o Options) resolve(pairs int) (Options, error) {
	for v, def := range map[*float64]float64{&o.CEnd: defaultCEnd, &o.REnd: defaultREnd} {
		if *v == 0 {
			*v = def
		}
		if !finite(*v) || *v < 0 {
			return o, fmt.Errorf("spsa option %v must be positive", *v)
		}
	}
	if o.Directions < 0 || o.Pairs < 0 {
		return o, fmt.Errorf("spsa directions %d and pairs %d cannot be negative", o.Directions, o.Pairs)
	}
	o.Pairs = max(1, o.Pairs)
	if o.Directions == 0 {
		o.Directions = max(1, min(maxDirections, pairs/(minPairs*o.Pairs)))
	}
	if need := minPairs * o.Pairs * o.Directions; pairs < need {
		step := "one pair"
		if n := o.Pairs * o.Directions; n > 1 {
			step = fmt.Sprintf("%d pairs", n)
		}
		return o, fmt.Errorf("spsa needs at least %d games (%d steps of %s), %d are planned", 2*need, minPairs, step, 2*pairs)
	}
	return o, nil
}

// gains is the schedule of a run of n iterations, one iteration being one pair of games (Spall 1998, in the
// parametrisation of fishtest):
//
//	c = c_end n^gamma            a = r_end c_end^2 (A+n)^alpha     A = stability n
//	c_k = c / k^gamma            a_k = a / (A+k)^alpha             R_k = a_k / c_k^2
type gains struct{ n, cEnd, rEnd float64 }

// at returns c_k and R_k for iteration k, from 1 to n.
func (g gains) at(k float64) (c, r float64) {
	c = g.cEnd * math.Pow(g.n/k, gamma)
	a := g.rEnd * g.cEnd * g.cEnd * math.Pow((stability+1)*g.n/(stability*g.n+k), alpha)
	return c, a / (c * c)
}
