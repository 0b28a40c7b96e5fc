package optimise

import (
	"fmt"
	"math"
)

// Options are the options of SPSA. A zero field means the default.
type Options struct {
	// Size of the last perturbation, in units of each parameter's scale; the first is twice as large. Default: 0.4.
	CEnd float64 `yaml:"c_end" json:"c_end,omitempty" jsonschema:"minimum=0,maximum=10"`
	// Learning rate at the end: a won game moves a parameter by r_end times c_end times its scale. The rate at the start
	// is five times as large. Default: 0.02.
	REnd float64 `yaml:"r_end" json:"r_end,omitempty" jsonschema:"minimum=0,maximum=10"`
	// Perturbations per step; their games are played at the same time. Default: 8, or fewer in short runs.
	Directions int `yaml:"directions" json:"directions,omitempty" jsonschema:"minimum=0,maximum=1000"`
	// Pairs of games per perturbation. Default: 1.
	Pairs int `yaml:"pairs" json:"pairs,omitempty" jsonschema:"minimum=0,maximum=1000"`
}

// Defaults and constants of SPSA, for parameters in scale units. reports/research/tuning.md has the measurements.
const (
	defaultCEnd   = 0.4 // large enough that the two sides play differently
	defaultREnd   = 0.02
	cStart        = 2.0 // first c_k over the last one
	rStart        = 5.0 // first R_k over the last one
	tail          = 0.5 // last fraction of the run, over which Mean averages
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
			return o, fmt.Errorf("spsa: c_end and r_end must be positive, not %v", *v)
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
		return o, fmt.Errorf("spsa needs at least %d games (%d steps of %s); %d are planned", 2*need, minPairs, step, 2*pairs)
	}
	return o, nil
}

// gains is the schedule of a run of n iterations, one iteration being one pair of games. c_k and R_k = a_k/c_k^2 fall
// geometrically to c_end and r_end. Spall's a_k and c_k (1998) leave R_k nearly constant, because a_k falls as fast as
// c_k^2 does: with that a search of 2,000 games cannot reach the other side of zero, and one from a bad start ends bad.
type gains struct{ n, cEnd, rEnd float64 }

// at returns c_k and R_k for iteration k, from 1 to n.
func (g gains) at(k float64) (c, r float64) {
	left := 1 - k/g.n
	return g.cEnd * math.Pow(cStart, left), g.rEnd * math.Pow(rStart, left)
}
