package optimise

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Parameter is one number to tune.
type Parameter struct {
	Name  string   `json:"path"`
	Start float64  `json:"start"`
	Min   *float64 `json:"min,omitempty"` // nil: no lower bound
	Max   *float64 `json:"max,omitempty"` // nil: no upper bound
	// Scale is the size of a typical change: changing any parameter by its Scale has about the same effect. For the
	// weight of a feature it is 1/(the feature's standard deviation). 0 takes the first of these that applies:
	//   - 1 for a Direction,
	//   - (Max-Min)/2.4 with both bounds, so that SPSA's default step is a sixth of the range, as fishtest chooses,
	//   - |Start|.
	Scale float64 `json:"scale"`
	// Integer parameters are played as whole numbers. SPSA rounds both sides of a match with the same random
	// threshold, so that the expected value is the unrounded one; Start and bounds must be whole.
	Integer bool `json:"integer,omitempty"`
	// Direction says that only the direction of these parameters matters, not their common length (see the package
	// comment). Set it only if all weights of the agent are tuned: if one of them is fixed, the length matters.
	Direction bool `json:"-"`
	// Log makes the optimiser search the logarithm of the parameter, which must be positive, so that steps are factors.
	// Scale is then a factor above 1; 0 takes (Max/Min)^(1/2.4) with both bounds, and otherwise 2.
	Log bool `json:"log,omitempty"`
}

// Problem is what an optimiser searches: the parameters, and the number of games.
type Problem struct {
	Parameters []Parameter
	Games      int // maximum number of games; an optimiser may plan slightly fewer
	Seed       uint64
}

// fishtestRange is the range of a bounded parameter in scale units: fishtest's
// step of (max-min)/6 (its automatic choice) equals the default c_end of 0.4.
const fishtestRange = 6 * defaultCEnd

// space maps the caller's units x to inner units u = x / factor.
type space struct {
	params []Parameter
	factor []float64
	group  []int // indices of the parameters with Direction
}

// Check returns an error for a start, a scale or bounds that are impossible.
func (q *Parameter) Check() error {
	low, high := math.Inf(-1), math.Inf(1)
	for at, b := range map[*float64]*float64{&low: q.Min, &high: q.Max} {
		if b != nil {
			*at = *b
			if !finite(*b) {
				return fmt.Errorf("%s: bound %v is not finite; leave it out for no bound", q.Name, *b)
			}
			if q.Integer && *b != math.Trunc(*b) {
				return fmt.Errorf("%s is a whole number, but its bound %v is not", q.Name, *b)
			}
		}
	}
	switch {
	case !finite(q.Start, q.Scale) || q.Scale < 0:
		return fmt.Errorf("%s: start %v and scale %v must be finite, and the scale must not be negative",
			q.Name, q.Start, q.Scale)
	case low >= high:
		return fmt.Errorf("%s: min %g is not below max %g", q.Name, low, high)
	case q.Start < low || q.Start > high:
		return fmt.Errorf("%s: the start value %g is outside the bounds %s", q.Name, q.Start, q.Bounds())
	case q.Integer && q.Start != math.Trunc(q.Start):
		return fmt.Errorf("%s must be a whole number, but starts at %v", q.Name, q.Start)
	case q.Log && (q.Integer || q.Start <= 0 || low <= 0 && q.Min != nil || q.Scale != 0 && q.Scale <= 1):
		return fmt.Errorf("%s: log: true needs a parameter that is not an integer, with its start (%g) and bounds above 0, and "+
			"its scale (a factor) above 1", q.Name, q.Start)
	}
	return nil
}

// Bounds writes the bounds of a parameter in words, like "0 to 2".
func (q *Parameter) Bounds() string {
	side := func(x *float64) string {
		if x == nil {
			return "any"
		}
		return fmt.Sprintf("%g", *x)
	}
	return side(q.Min) + " to " + side(q.Max)
}

// newSpace makes the space of parameters, which pass Check.
func newSpace(p Problem) (*space, error) {
	if len(p.Parameters) == 0 {
		return nil, errors.New("no parameters to tune")
	}
	s := &space{params: slices.Clone(p.Parameters), factor: make([]float64, len(p.Parameters))}
	for i, q := range s.params {
		if err := q.Check(); err != nil {
			return nil, err
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
			return nil, fmt.Errorf("%s starts at 0: it needs a scale or two bounds", q.Name)
		}
		if q.Direction {
			s.group = append(s.group, i)
		}
	}
	return s, s.unitLength()
}

// unitLength divides by the length of the start vector, through the factors.
func (s *space) unitLength() error {
	if len(s.group) == 0 {
		return nil
	}
	rms := s.rms(s.start())
	if rms == 0 {
		return errors.New("all weights start at 0 and have no direction; start them at 1")
	}
	for _, i := range s.group {
		s.factor[i] *= rms
	}
	return nil
}

// Scales returns the size of a scale unit of each parameter, in the caller's units: its Scale or the default for it;
// for a Direction, multiplied by the length of the start vector.
func Scales(p Problem) ([]float64, error) {
	s, err := newSpace(p)
	if err != nil {
		return nil, err
	}
	scales := slices.Clone(s.factor)
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
	x := s.exact(u)
	for i := range x {
		if s.params[i].Integer {
			x[i] = math.Floor(x[i] + threshold)
		}
		x[i] = s.clip(i, x[i])
	}
	return x
}

// finite reports whether all numbers are finite.
func finite(x ...float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
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
