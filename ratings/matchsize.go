package ratings

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Plan holds the assumptions for computing the size or power of a match between two agents. A zero field means the
// default.
type Plan struct {
	// Elo is the true difference in score-Elo that the match should detect (for GamesNeeded, Power).
	Elo float64
	// DrawRate is the probability of a draw between equal agents, in [0, 1).
	DrawRate float64
	// PairCorrelation is the correlation of one agent's scores in the two games
	// of a pair, in (-1, 1): negative with unbalanced openings, positive
	// when the second game repeats the first. 0 means independent games.
	PairCorrelation float64
	// PairVariance, if positive, is the variance of the mean score of a pair (as a past match measured it) and
	// replaces DrawRate and PairCorrelation.
	PairVariance float64
	Alpha        float64 // two-sided level; 0 means 0.05
	Power        float64 // probability of detecting the difference; 0 means 0.8
}

func (p Plan) defaults() (Plan, error) {
	if p.Alpha == 0 {
		p.Alpha = 0.05
	}
	if p.Power == 0 {
		p.Power = 0.8
	}
	switch {
	case !(p.Alpha > 0 && p.Alpha < 1):
		return p, fmt.Errorf("ratings: %w: alpha %v", ErrOptions, p.Alpha)
	case !(p.Power > p.Alpha/2 && p.Power < 1):
		return p, fmt.Errorf("ratings: %w: power %v must lie between alpha/2 and 1", ErrOptions, p.Power)
	case !(p.DrawRate >= 0 && p.DrawRate < 1):
		return p, fmt.Errorf("ratings: %w: draw rate %v", ErrOptions, p.DrawRate)
	case !(p.PairCorrelation > -1 && p.PairCorrelation < 1):
		return p, fmt.Errorf("ratings: %w: pair correlation %v", ErrOptions, p.PairCorrelation)
	case !(p.PairVariance >= 0 && p.PairVariance <= 0.25):
		return p, fmt.Errorf("ratings: %w: pair variance %v", ErrOptions, p.PairVariance)
	case !(math.Abs(p.Elo) <= 2000):
		return p, fmt.Errorf("ratings: %w: difference %v", ErrOptions, p.Elo)
	}
	return p, nil
}

// variance returns the variance of a pair's mean score for a difference of elo.
func (p Plan) variance(elo float64) float64 {
	if p.PairVariance > 0 {
		return p.PairVariance
	}
	s := ExpectedScore(elo)
	game := s*(1-s) - drawShare(s, p.DrawRate)/4
	return game * (1 + p.PairCorrelation) / 2
}

// GamesNeeded returns the number of games (even: whole pairs) after which a two-sided test at Alpha detects the
// difference Elo with probability Power: pairs = ((z_{1-α/2}+z_power)·σ_pair/(L(Elo)-½))².
func (p Plan) GamesNeeded() (int64, error) {
	p, err := p.defaults()
	if err != nil {
		return 0, err
	}
	gap := math.Abs(ExpectedScore(p.Elo) - 0.5)
	if gap < 1e-9 {
		return 0, fmt.Errorf("ratings: %w: a difference of %v Elo cannot be detected by any number of games", ErrOptions, p.Elo)
	}
	z := distuv.UnitNormal.Quantile(1-p.Alpha/2) + distuv.UnitNormal.Quantile(p.Power)
	pairs := z * z * p.variance(p.Elo) / (gap * gap)
	if pairs > float64(maxGames)/4 {
		return 0, fmt.Errorf("ratings: %w: a difference of %v Elo needs more than 2^51 pairs", ErrOptions, p.Elo)
	}
	return 2 * int64(max(1, math.Ceil(pairs))), nil
}

// PowerOf returns the probability that a test at level Alpha detects the difference Elo after the given number of
// games.
func (p Plan) PowerOf(games int64) (float64, error) {
	p, err := p.defaults()
	if err != nil {
		return 0, err
	}
	if games < 2 {
		return 0, fmt.Errorf("ratings: %w: %d games", ErrBadCount, games)
	}
	z := distuv.UnitNormal.Quantile(1 - p.Alpha/2)
	shift := math.Abs(ExpectedScore(p.Elo)-0.5) / math.Sqrt(p.variance(p.Elo)/(float64(games)/2))
	return normalCDF(shift-z) + normalCDF(-shift-z), nil
}

// Detectable returns the smallest difference in score-Elo that a test at level Alpha detects with probability
// Power after the given number of games, and the half-width of the 1-Alpha interval at equality.
func (p Plan) Detectable(games int64) (elo, halfWidth float64, err error) {
	if p, err = p.defaults(); err != nil {
		return 0, 0, err
	}
	elo = bisect(0, 2000, func(x float64) bool {
		var power float64
		p.Elo = x
		power, err = p.PowerOf(games)
		return power < p.Power
	})
	se := math.Sqrt(p.variance(0)/(float64(games)/2)) / (eloUnit / 4)
	return elo, distuv.UnitNormal.Quantile(1-p.Alpha/2) * se, err
}

// SPRTPlan is the expected outcome of a sequential test if the true difference is Elo.
type SPRTPlan struct {
	Elo      float64
	AcceptH1 float64 // probabilities of the two verdicts
	AcceptH0 float64
	Games    float64 // expected number of games
}

// Expect returns the operating characteristics of a sequential test of pairs at
// the true difference p.Elo, in the Brownian approximation (Wald's identity
// E[T] = E[LLR]/drift). PairVariance, DrawRate and PairCorrelation are used.
func (s SPRT) Expect(p Plan) (SPRTPlan, error) {
	s, err := s.defaults()
	if err != nil {
		return SPRTPlan{}, err
	}
	if p, err = p.defaults(); err != nil {
		return SPRTPlan{}, err
	}
	v := p.variance(p.Elo)
	if !(v > 0) {
		return SPRTPlan{}, fmt.Errorf("ratings: %w: scores do not vary with this draw rate and pair correlation", ErrOptions)
	}
	q := s.path(v, 2)
	q.lower, q.upper = s.Bounds()
	b := q.motion(p.Elo)
	out := SPRTPlan{Elo: p.Elo, AcceptH0: min(max(b.leavesBelow(), 0), 1)}
	out.AcceptH1 = 1 - out.AcceptH0
	pairs := -b.lower * b.upper / b.variance
	if math.Abs(b.drift) > 1e-6*b.variance {
		pairs = (out.AcceptH1*b.upper + out.AcceptH0*b.lower) / b.drift
	}
	out.Games = 2 * pairs
	return out, nil
}

// PairVariance returns the variance of a pair's mean score in a past match, for Plan.PairVariance, from the counts of
// pairs with 0, 1/2, 1, 1 1/2 and 2 points. It is NaN or 0 if there are fewer than two pairs or all pairs scored the
// same.
func PairVariance(counts []float64) (variance, pairs float64) {
	w := weigh(counts)
	return min((w.squares-w.sum*w.sum/w.n)/(w.n-1), 0.25), w.n
}
