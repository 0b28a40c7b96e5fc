package ratings

import (
	"fmt"
	"math"
	"slices"
)

// BoundsModel is the unit of the hypotheses of a sequential test. The same numbers mean different tests in different
// units.
type BoundsModel int

const (
	// BoundsLogistic: the hypotheses are expected scores, in score-Elo.
	BoundsLogistic BoundsModel = iota
	// BoundsNormalized: the hypotheses are values of t = (μ-½)/σ per game, in normalized Elo, t·800/ln 10 (Van den
	// Bergh, "Normalized Elo").
	BoundsNormalized
)

// String returns "logistic" or "normalized".
func (m BoundsModel) String() string {
	if m == BoundsNormalized {
		return "normalized"
	}
	return "logistic"
}

// normalizedUnit is the normalized Elo for one unit of t.
const normalizedUnit = 800 / math.Ln10

// emptyCount replaces a count of 0, so that the likelihood ratio is defined from the first game on.
const emptyCount = 1e-3

// ErrCounts is returned for counts that are negative, not finite, or neither three nor five in number.
var ErrCounts = mistake("bad counts")

// sample is an empirical distribution of scores in [0, 1].
type sample struct {
	n     float64 // number of items (games or pairs), including the replacements of empty counts
	score []float64
	share []float64
	games float64 // games per item, 1 or 2
}

// newSample makes a sample from counts of losses, draws and wins (three), or of pairs by points 0, ½, 1, 1½, 2 (five).
func newSample(counts []float64) (sample, error) {
	if len(counts) != 3 && len(counts) != 5 {
		return sample{}, fmt.Errorf("ratings: %w: %d categories, expected 3 (loss, draw, win) or 5 (pairs by "+
			"points)", ErrCounts,
			len(counts))
	}
	s := sample{games: 1, score: make([]float64, len(counts)), share: make([]float64, len(counts))}
	if len(counts) == 5 {
		s.games = 2
	}
	for i, c := range counts {
		if !(c >= 0) || c > float64(maxGames) {
			return sample{}, fmt.Errorf("ratings: %w: %v", ErrCounts, counts)
		}
		s.share[i] = max(c, 0)
		if c == 0 {
			s.share[i] = emptyCount
		}
		s.n += s.share[i]
		s.score[i] = float64(i) / float64(len(counts)-1)
	}
	for i := range s.share {
		s.share[i] /= s.n
	}
	return s, nil
}

// moments returns the mean and the variance of an item's score.
func moments(score, p []float64) (mean, variance float64) {
	for i, x := range p {
		mean += x * score[i]
	}
	for i, x := range p {
		variance += x * (score[i] - mean) * (score[i] - mean)
	}
	return mean, variance
}

// tilt solves Σ p_i·x_i/(1+θx_i) = 0 for θ in (-1/max x, -1/min x): the
// multiplier of the maximum likelihood distribution under Σ q_i·x_i = 0, which
// is q_i = p_i/(1+θx_i) (Owen 2001, Empirical Likelihood). The left side falls
// monotonically, so Newton steps are kept inside a shrinking bracket.
func tilt(p, x []float64) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		lo, hi = min(lo, v), max(hi, v)
	}
	if !(lo < 0) || !(hi > 0) {
		return 0 // no distribution on these points meets the constraint
	}
	left, right := -1/hi, -1/lo
	theta := 0.0
	for range 200 {
		f, d := 0.0, 0.0
		for i, v := range x {
			r := v / (1 + theta*v)
			f += p[i] * r
			d -= p[i] * r * r
		}
		switch {
		case f > 0:
			left = theta
		case f < 0:
			right = theta
		default:
			return theta
		}
		next := theta - f/d
		if !(next > left && next < right) {
			next = (left + right) / 2
		}
		if math.Abs(next-theta) <= 1e-16*(math.Abs(theta)+math.Abs(next)) || next == theta {
			return next
		}
		theta = next
	}
	return theta
}

// tiltScore finds the maximum likelihood distribution with mean m. It returns the constraint and its multiplier.
func (s sample) tiltScore(m float64) (x []float64, theta float64) {
	for _, a := range s.score {
		x = append(x, a-m)
	}
	return x, tilt(s.share, x)
}

// tiltNormalized finds the maximum likelihood distribution with (μ-½)/σ = t by
// solving the constraint linearised at the last iterate (Van den Bergh, "The
// generalized maximum likelihood ratio for the normalized Elo model"). It
// returns the linearised constraint and its multiplier.
func (s sample) tiltNormalized(t float64) (phi []float64, theta float64) {
	phi = make([]float64, len(s.score))
	q := slices.Repeat([]float64{1 / float64(len(phi))}, len(phi))
	for range 10 {
		mean, variance := moments(s.score, q)
		sigma := math.Sqrt(variance)
		for i, a := range s.score {
			z := (mean - a) / sigma
			phi[i] = a - 0.5 - t*sigma/2*(1+z*z)
		}
		theta = tilt(s.share, phi)
		change := 0.0
		for i := range q {
			x := s.share[i] / (1 + theta*phi[i])
			change = max(change, math.Abs(x-q[i]))
			q[i] = x
		}
		if change < 1e-9 {
			break
		}
	}
	return phi, theta
}

// LLR returns the generalised log-likelihood ratio of elo1 against elo0, both in the unit of the model, with the
// score distribution of maximum likelihood under each hypothesis. Counts are losses, draws, wins, or the five
// counts of pairs by points 0, ½, 1, 1½, 2. A count of 0 is replaced by 0.001. The relative error is about 1e-12.
func LLR(counts []float64, model BoundsModel, elo0, elo1 float64) (float64, error) {
	s, err := newSample(counts)
	if err != nil {
		return 0, err
	}
	if err := checkBounds(model, elo0, elo1); err != nil {
		return 0, err
	}
	tilted := s.tiltScore
	h0 := ExpectedScore(elo0)
	h1 := ExpectedScore(elo1)
	if model == BoundsNormalized {
		root := math.Sqrt(s.games)
		tilted = s.tiltNormalized
		h0 = elo0 / normalizedUnit * root
		h1 = elo1 / normalizedUnit * root
	}
	x0, theta0 := tilted(h0)
	x1, theta1 := tilted(h1)
	sum := 0.0
	for i, p := range s.share {
		sum += p * (math.Log1p(theta0*x0[i]) - math.Log1p(theta1*x1[i]))
	}
	return finite(s.n * sum), nil
}

// checkBounds returns an error for hypotheses that are not ascending, or so extreme that they cannot be
// distinguished from a perfect score.
func checkBounds(model BoundsModel, elo0, elo1 float64) error {
	if model != BoundsLogistic && model != BoundsNormalized {
		return fmt.Errorf("ratings: %w: bounds model %d", ErrOptions, model)
	}
	const far = 2000.0
	if !(elo0 < elo1) || !(elo0 >= -far) || !(elo1 <= far) {
		return fmt.Errorf("ratings: %w: elo0 %v and elo1 %v must be in ascending order within ±%v", ErrOptions, elo0, elo1,
			far)
	}
	return nil
}

func finite(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return 0
	case math.IsInf(x, 0):
		return math.Copysign(math.MaxFloat64, x)
	}
	return x
}
