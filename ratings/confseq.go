package ratings

import (
	"fmt"
	"math"
)

// betGrid is the number of candidate means that a confidence sequence keeps.
const betGrid = 1000

// ConfidenceSequence is an interval for a mean in [0, 1] that holds at every
// look at once: with probability at least 1-α it never excludes the truth, so a
// run may be watched and stopped at will. It is the hedged betting sequence of
// Waudby-Smith & Ramdas 2024 (JRSS-B 86:1) and needs only that each observation
// has the same conditional mean. Feed it the first player's mean score of each
// colour-swapped pair (or of each game if games are independent). Not safe for
// concurrent use.
type ConfidenceSequence struct {
	alpha      float64
	n          float64
	sum        float64
	squares    float64    // Σ (x - running mean)², with a prior quarter
	plus       []float64  // capital of the bets that each grid mean is too low
	minus      []float64  // and too high
	half       [2]float64 // logarithms of the same for the mean ½
	alive      []bool
	lo, hi     int // surviving grid points
	maxEvident float64
}

// NewConfidenceSequence starts a sequence with error α in (0, 1).
func NewConfidenceSequence(alpha float64) (*ConfidenceSequence, error) {
	if !(alpha > 0 && alpha < 1) {
		return nil, fmt.Errorf("ratings: %w: alpha %v", ErrOptions, alpha)
	}
	c := &ConfidenceSequence{alpha: alpha, squares: 0.25, lo: 0, hi: betGrid - 1}
	c.plus, c.minus = make([]float64, betGrid), make([]float64, betGrid)
	c.alive = make([]bool, betGrid)
	for i := range c.alive {
		c.plus[i], c.minus[i], c.alive[i] = 1, 1, true
	}
	return c, nil
}

// gridMean is the centre of the i-th cell of (0, 1).
func gridMean(i int) float64 { return (float64(i) + 0.5) / betGrid }

// Add takes one observation in [0, 1].
func (c *ConfidenceSequence) Add(x float64) error {
	if !(x >= 0 && x <= 1) {
		return fmt.Errorf("ratings: %w: score %v is not in [0, 1]", ErrCounts, x)
	}
	// The bet comes from the past only.
	t := c.n + 1
	variance := c.squares / t
	bet := math.Sqrt(2 * math.Log(2/c.alpha) / (variance * t * math.Log(1+t)))
	limit := 2 / c.alpha // a bet that reaches it rules its mean out
	for i := c.lo; i <= c.hi; i++ {
		if !c.alive[i] {
			continue
		}
		m := gridMean(i)
		c.plus[i] *= 1 + min(bet, 0.5/m)*(x-m)
		c.minus[i] *= 1 - min(bet, 0.5/(1-m))*(x-m)
		if max(c.plus[i], c.minus[i]) >= limit {
			c.alive[i] = false
		}
	}
	for c.lo <= c.hi && !c.alive[c.lo] {
		c.lo++
	}
	for c.lo <= c.hi && !c.alive[c.hi] {
		c.hi--
	}
	fair := min(bet, 1) * (x - 0.5)
	c.half[0] += math.Log1p(fair)
	c.half[1] += math.Log1p(-fair)
	c.maxEvident = max(c.maxEvident, c.LogEValue())

	c.n = t
	c.sum += x
	mean := (0.5 + c.sum) / (t + 1)
	c.squares += (x - mean) * (x - mean)
	return nil
}

// Interval returns the intersection of all intervals so far, rounded outward to
// the grid of 1/1000. Consistent is false when nothing is left, which happens
// when the mean moved during the run (with chance at most α otherwise); the
// interval is then [0, 1].
func (c *ConfidenceSequence) Interval() (v Interval, consistent bool) {
	if c.lo > c.hi {
		return Interval{Lo: 0, Hi: 1}, false
	}
	// The truth may lie anywhere between a dead and a surviving grid point.
	lo, hi := gridMean(c.lo)-1.0/betGrid, gridMean(c.hi)+1.0/betGrid
	return Interval{Lo: max(0, lo), Hi: min(1, hi)}, true
}

// LogEValue is the natural logarithm of the e-value against "the mean is ½":
// E[e-value] is at most 1 under it at any stopping time, so 1/e-value is a
// p-value however often one looked. E-values of separate runs multiply (Ramdas,
// Grünwald, Vovk & Shafer 2023, Stat. Sci. 38:576).
func (c *ConfidenceSequence) LogEValue() float64 {
	a, b := c.half[0], c.half[1]
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a)) - math.Ln2
}

// EValue is the e-value itself, cut off at 1e300.
func (c *ConfidenceSequence) EValue() float64 { return math.Exp(min(c.LogEValue(), 690)) }

// AnytimeP is 1 over the largest e-value so far, a p-value that is valid at
// every look.
func (c *ConfidenceSequence) AnytimeP() float64 { return math.Exp(-max(0, c.maxEvident)) }

// EloInterval maps Interval to score-Elo: of the first player's advantage when
// opponents are equal. Sides at 0 or 1 are open.
func (c *ConfidenceSequence) EloInterval() Interval {
	v, _ := c.Interval()
	out := Interval{LoOpen: v.Lo <= 0, HiOpen: v.Hi >= 1}
	if !out.LoOpen {
		out.Lo = EloOfScore(v.Lo)
	}
	if !out.HiOpen {
		out.Hi = EloOfScore(v.Hi)
	}
	return out
}
