package optimise

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Parameter is one number to tune.
type Parameter struct {
	Name  string   `json:"name"`
	Start float64  `json:"start"`
	Min   *float64 `json:"min,omitempty"` // nil: no lower bound
	Max   *float64 `json:"max,omitempty"` // nil: no upper bound
	// Scale is the change of this parameter that matters about as much as a
	// change of the others by their scales: 1/sd for the weight of a feature with
	// standard deviation sd. 0 means: 1 for a Direction; else, with both bounds,
	// (Max-Min)/2.4, so that SPSA's default step is a sixth of the range, as
	// fishtest chooses; else |Start|.
	Scale float64 `json:"scale,omitempty"`
	// Integer parameters are played as whole numbers. SPSA rounds both sides of a match with the same random
	// threshold, so that the expected value is the unrounded one; Start and bounds must be whole.
	Integer bool `json:"integer,omitempty"`
	// Direction says that only the direction of these parameters matters, not their common length (see the package
	// comment). Set it only if all weights of the agent are tuned: if one of them is fixed, the length matters.
	Direction bool `json:"direction,omitempty"`
	// Log searches the logarithm of the parameter, which must be positive: steps are then factors. Scale is the
	// factor that matters, above 1; 0 derives it from the two bounds as above, or else means 2.
	Log bool `json:"log,omitempty"`
}

// Problem is what an optimiser searches: the parameters, and the number of games.
type Problem struct {
	Parameters []Parameter `json:"parameters"`
	Games      int         `json:"games"` // maximum number of games; an optimiser may plan slightly fewer
	Seed       uint64      `json:"seed"`
}

// fishtestRange is the range of a bounded parameter in scale units: fishtest's
// step of (max-min)/6 (its automatic choice) equals the default c_end of 0.4.
const fishtestRange = 6 * DefaultCEnd

// space maps the caller's units x to inner units u = x / factor.
type space struct {
	params []Parameter
	factor []float64
	group  []int // indices of the parameters with Direction
}

// newSpace checks a problem's parameters.
func newSpace(p Problem) (*space, error) {
	fail := func(format string, args ...any) (*space, error) {
		return nil, fmt.Errorf("optimise: %w: "+format, append([]any{ErrProblem}, args...)...)
	}
	if len(p.Parameters) == 0 {
		return fail("no parameters to tune")
	}
	s := &space{params: append([]Parameter(nil), p.Parameters...), factor: make([]float64, len(p.Parameters))}
	seen := make(map[string]bool)
	for i, q := range s.params {
		if q.Name == "" {
			return fail("parameter %d has no name", i+1)
		}
		if seen[q.Name] {
			return fail("parameter %q is listed twice", q.Name)
		}
		seen[q.Name] = true
		if !finite(q.Start, q.Scale) || q.Scale < 0 {
			return fail("parameter %q: start %v and scale %v must be finite, the scale not negative", q.Name, q.Start, q.Scale)
		}
		for _, b := range []*float64{q.Min, q.Max} {
			if b != nil && !finite(*b) {
				return fail("parameter %q: bound %v is not finite; leave it out for none", q.Name, *b)
			}
			if q.Integer && b != nil && *b != math.Trunc(*b) {
				return fail("parameter %q is an integer, its bound %v is not", q.Name, *b)
			}
		}
		if q.Min != nil && q.Max != nil && *q.Min >= *q.Max {
			return fail("parameter %q: the lower bound %v is not below the upper bound %v", q.Name, *q.Min, *q.Max)
		}
		if q.Min != nil && q.Start < *q.Min {
			return fail("parameter %q: the bounds exclude the start: %v is below %v", q.Name, q.Start, *q.Min)
		}
		if q.Max != nil && q.Start > *q.Max {
			return fail("parameter %q: the bounds exclude the start: %v is above %v", q.Name, q.Start, *q.Max)
		}
		if q.Integer && q.Start != math.Trunc(q.Start) {
			return fail("parameter %q is an integer, its start %v is not", q.Name, q.Start)
		}
		if q.Integer && q.Direction {
			return fail("parameter %q cannot be both an integer and part of a direction", q.Name)
		}
		if q.Log {
			if q.Integer || q.Direction {
				return fail("parameter %q cannot be on a logarithmic scale and an integer or part of a direction", q.Name)
			}
			if q.Start <= 0 || q.Min != nil && *q.Min <= 0 || q.Scale != 0 && q.Scale <= 1 {
				return fail("parameter %q is on a logarithmic scale: start %v and its bounds must be above 0, a scale (a "+
					"factor) above 1", q.Name, q.Start)
			}
		}
		switch {
		case q.Log && q.Scale > 0:
			s.factor[i] = math.Log(q.Scale)
		case q.Log && q.Min != nil && q.Max != nil:
			s.factor[i] = math.Log(*q.Max / *q.Min) / fishtestRange
		case q.Log:
			s.factor[i] = math.Ln2
		case q.Scale > 0:
			s.factor[i] = q.Scale
		case q.Direction:
			s.factor[i] = 1
		case q.Min != nil && q.Max != nil:
			s.factor[i] = (*q.Max - *q.Min) / fishtestRange
		case q.Start != 0:
			s.factor[i] = math.Abs(q.Start)
		default:
			return fail("parameter %q starts at 0: it needs a scale or two bounds", q.Name)
		}
		if q.Direction {
			s.group = append(s.group, i)
		}
	}
	return s, s.unitLength()
}

// unitLength divides by the length of the start's direction, through the factors.
func (s *space) unitLength() error {
	if len(s.group) == 0 {
		return nil
	}
	if len(s.group) == 1 {
		return fmt.Errorf("optimise: %w: a single parameter, %q, has no direction; tune more weights, or do not mark it as "+
			"a direction",
			ErrProblem, s.params[s.group[0]].Name)
	}
	rms := s.rms(s.start())
	if rms == 0 {
		return fmt.Errorf("optimise: %w: all weights start at 0 and have no direction; start them at 1", ErrProblem)
	}
	for _, i := range s.group {
		s.factor[i] *= rms
	}
	return nil
}

// Scales returns, for each parameter, how much of the caller's units is one scale unit: its Scale or the default
// for it, and for a Direction times the length of the start.
func Scales(p Problem) ([]float64, error) {
	s, err := newSpace(p)
	if err != nil {
		return nil, err
	}
	scales := append([]float64(nil), s.factor...)
	for i, q := range s.params {
		if q.Log {
			scales[i] = q.Start * (math.Exp(s.factor[i]) - 1)
		}
	}
	return scales, nil
}

// in converts the value of parameter i to inner units, out back to the caller's.
func (s *space) in(i int, x float64) float64 {
	if s.params[i].Log {
		x = math.Log(x)
	}
	return x / s.factor[i]
}

func (s *space) out(i int, u float64) float64 {
	if s.params[i].Log {
		return math.Exp(u * s.factor[i])
	}
	return u * s.factor[i]
}

// start returns the starting point in inner units.
func (s *space) start() []float64 {
	u := make([]float64, len(s.params))
	for i, p := range s.params {
		u[i] = s.in(i, p.Start)
	}
	return u
}

// rms returns the root mean square of the direction in inner units.
func (s *space) rms(u []float64) float64 {
	sum := 0.0
	for _, i := range s.group {
		sum += u[i] * u[i]
	}
	return math.Sqrt(sum / float64(len(s.group)))
}

// settle scales u to unit length in its direction and then moves it into the bounds.
func (s *space) settle(u []float64) {
	if len(s.group) > 0 {
		if rms := s.rms(u); rms > 0 {
			for _, i := range s.group {
				u[i] /= rms
			}
		}
	}
	for i := range u {
		x := s.out(i, u[i])
		if c := s.clip(i, x); c != x {
			u[i] = s.in(i, c)
		}
	}
}

// clip moves the value x of parameter i, in the caller's units, into its bounds.
func (s *space) clip(i int, x float64) float64 {
	if low := s.params[i].Min; low != nil {
		x = max(x, *low)
	}
	if high := s.params[i].Max; high != nil {
		x = min(x, *high)
	}
	return x
}

// user returns u in the caller's units, within bounds. Integers are rounded to
// floor(x+threshold); a threshold of 1/2 is rounding to nearest.
func (s *space) user(u []float64, threshold float64) []float64 {
	x := make([]float64, len(u))
	for i := range u {
		x[i] = s.out(i, u[i])
		if s.params[i].Integer {
			x[i] = math.Floor(x[i] + threshold)
		}
		x[i] = s.clip(i, x[i])
	}
	return x
}

// exact returns u in the caller's units, unrounded.
func (s *space) exact(u []float64) []float64 {
	x := make([]float64, len(u))
	for i := range u {
		x[i] = s.out(i, u[i])
	}
	return x
}

// newPCG returns the random generator of a run.
func newPCG(seed uint64) *rand.PCG { return rand.NewPCG(seed, 0x9e3779b97f4a7c15) }
