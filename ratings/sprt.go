package ratings

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// State is the state of a sequential test.
type State string

// The states of a sequential test.
const (
	StateContinue State = "continue"
	StateAcceptH0 State = "accept_h0"
	StateAcceptH1 State = "accept_h1"
)

// SPRT is a generalised sequential probability ratio test of H1 (strength elo1)
// against H0 (elo0), both in the unit of Model.
type SPRT struct {
	Model      BoundsModel
	Elo0, Elo1 float64
	// Alpha and Beta are the error rates, in (0, 1) with a sum below 1; 0
	// means 0.05.
	Alpha, Beta float64
}

func (s SPRT) defaults() (SPRT, error) {
	if s.Alpha == 0 {
		s.Alpha = 0.05
	}
	if s.Beta == 0 {
		s.Beta = 0.05
	}
	if !(s.Alpha > 0) || !(s.Beta > 0) || !(s.Alpha+s.Beta < 1) {
		return s, fmt.Errorf("ratings: %w: alpha %v and beta %v must be positive with a sum below 1", ErrOptions, s.Alpha,
			s.Beta)
	}
	return s, checkBounds(s.Model, s.Elo0, s.Elo1)
}

// Bounds returns the log-likelihood ratios at which the test stops: ln(β/(1-α)) and ln((1-β)/α) (Wald 1945). 0 for
// Alpha or Beta means 0.05.
func (s SPRT) Bounds() (lower, upper float64) {
	d, err := s.defaults()
	if err != nil {
		return 0, 0
	}
	return math.Log(d.Beta / (1 - d.Alpha)), math.Log((1 - d.Beta) / d.Alpha)
}

// SPRTResult is the result of a sequential test at one time.
type SPRTResult struct {
	SPRT
	LLR          float64
	Lower, Upper float64 // bounds of the log-likelihood ratio at which the test stops
	State        State
	Score        float64 // mean score without correction, 0 to 1; 0.5 without games
	// Elo is the median-unbiased estimate in score-Elo given the stopping rule, within ±1000, with its interval at
	// 0.95; an end beyond 1000 is open.
	Elo Estimate
	LOS float64 // probability of an outcome below the observed one if both agents are equal
}

// Evaluate computes the test from counts: losses, draws, wins, or five counts of pairs by points. It uses Wald's
// bounds. If the single games are known in order, a Tracker is more accurate.
func (s SPRT) Evaluate(counts []float64) (SPRTResult, error) {
	s, err := s.defaults()
	if err != nil {
		return SPRTResult{}, err
	}
	llr, err := LLR(counts, s.Model, s.Elo0, s.Elo1)
	if err != nil {
		return SPRTResult{}, err
	}
	r := SPRTResult{SPRT: s, LLR: llr, Score: 0.5}
	r.Elo = Estimate{
		Unit:   "games",
		Level:  0.95,
		Method: "median-unbiased, after a sequential test",
		Scale:  ScaleElo,
	}
	if len(counts) == 5 {
		r.Elo.Unit = "pairs"
	}
	w := weigh(counts)
	if r.Elo.N = int64(w.n); w.n > 0 {
		r.Score = w.sum / w.n
	}
	r.Lower, r.Upper = s.Bounds()
	r.State = verdict(llr, r.Lower, r.Upper)
	r.estimate(counts)
	return r, nil
}

func verdict(llr, lower, upper float64) State {
	switch {
	case llr >= upper:
		return StateAcceptH1
	case llr <= lower:
		return StateAcceptH0
	}
	return StateContinue
}

// eloRange limits the estimate after a sequential test.
const eloRange = 1000.0

// path is the Brownian approximation of a test. At time N the log-likelihood ratio is N(s1-s0)(2μ-s0-s1)/(2σ²).
type path struct {
	s0, s1, variance float64
	lower, upper     float64
	t, y             float64
}

// path returns the start of a path for items of some games whose scores have a variance.
func (s SPRT) path(variance, games float64) path {
	p := path{s0: ExpectedScore(s.Elo0), s1: ExpectedScore(s.Elo1), variance: variance}
	if s.Model == BoundsNormalized {
		sigma := math.Sqrt(variance * games)
		p.s0 = s.Elo0/normalizedUnit*sigma + 0.5
		p.s1 = s.Elo1/normalizedUnit*sigma + 0.5
	}
	return p
}

// observed returns the path up to the counts of a test.
func (r *SPRTResult) observed(counts []float64) path {
	s, _ := newSample(counts)
	mean, variance := moments(s.score, s.share)
	p := r.path(variance, s.games)
	p.lower, p.upper, p.t, p.y = r.Lower, r.Upper, s.n, p.drift(mean)*s.n
	// A path seen beyond a bound crossed it earlier.
	switch {
	case p.y > p.upper:
		p.t, p.y = p.t*p.upper/p.y, p.upper
	case p.y < p.lower:
		p.t, p.y = p.t*p.lower/p.y, p.lower
	}
	return p
}

func (p path) drift(score float64) float64 {
	return (p.s1 - p.s0) * (2*score - p.s0 - p.s1) / (2 * p.variance)
}

// below returns the probability of an outcome at or below the observed one for a strength of elo. It decreases as
// elo increases.
func (p path) below(elo float64) float64 { return p.motion(elo).below(p.t, p.y) }

// motion returns the motion for a strength of elo.
func (p path) motion(elo float64) brownian {
	d := p.s1 - p.s0
	return brownian{p.lower, p.upper, p.drift(ExpectedScore(elo)), d * d / p.variance}
}

// at returns the strength at which below equals q, limited to the range of estimates.
func (p path) at(q float64) float64 {
	lo, hi := -eloRange, eloRange
	if p.below(lo) < q {
		return lo
	}
	if p.below(hi) > q {
		return hi
	}
	return bisect(lo, hi, func(elo float64) bool { return p.below(elo) > q })
}

// estimate computes the median-unbiased estimate and its interval: the strengths at which the outcome is at the
// median and at the two tails of its distribution under the stopping rule (Siegmund 1985).
func (r *SPRTResult) estimate(counts []float64) {
	r.LOS = 0.5
	e := &r.Elo
	if e.N == 0 {
		e.Interval = unbounded
		return
	}
	p := r.observed(counts)
	tail := (1 - e.Level) / 2
	e.Value = p.at(0.5)
	e.Interval = Interval{Lo: p.at(1 - tail), Hi: p.at(tail)}
	// A lower bound cut off at the top is still a lower bound.
	if e.Lo == -eloRange {
		e.Lo, e.LoOpen = 0, true
	}
	if e.Hi == eloRange {
		e.Hi, e.HiOpen = 0, true
	}
	r.LOS = p.below(0)
}

// Tracker follows one run and corrects the bounds for overshoot. A test that can stop only after whole items
// exceeds its bound by a random amount, which makes it conservative for large steps. The mean excess is estimated
// from the steps between records of the log-likelihood ratio: their mean square divided by twice their mean
// (Siegmund 1985, ch. 8). The bounds are also multiplied by 1+2/n after n items, because the ratio uses an
// estimated variance, which would make early stops too frequent. reports/research/coverage.md has measured error rates.
type Tracker struct {
	test         SPRT
	counts       []float64
	pairs        PairScores // if the items are pairs
	lower, upper float64
	low, high    records
	state        State
}

// smallSample is the coefficient of the small-sample correction. With 2, both error rates stay within half a percentage
// point of 5 % for bounds up to 50 Elo apart, and are smaller beyond.
const smallSample = 2.0

// records are the successive extremes of the log-likelihood ratio on one side.
type records struct{ extreme, sum, squares float64 }

func (r *records) add(x float64) {
	if step := x - r.extreme; step > 0 {
		r.extreme = x
		r.sum += step
		r.squares += step * step
	}
}

func (r *records) excess() float64 {
	if r.sum == 0 {
		return 0
	}
	return r.squares / r.sum / 2
}

// NewTracker starts to follow a run. If pentanomial is true, its items are pairs, otherwise games.
func NewTracker(test SPRT, pentanomial bool) (*Tracker, error) {
	test, err := test.defaults()
	if err != nil {
		return nil, err
	}
	t := &Tracker{test: test, counts: make([]float64, 3), state: StateContinue}
	if pentanomial {
		t.counts = make([]float64, 5)
	}
	t.lower, t.upper = test.Bounds()
	return t, nil
}

// Add adds one item: the index of its category (0 to 2: loss, draw, win; 0 to 4: twice the points of a pair). It
// returns the verdict. After a stop the verdict does not change; further items are only counted.
func (t *Tracker) Add(category int) (State, error) { return t.AddIn(category, 0) }

// AddIn adds a pair with an opening (see Game.Opening). If openings repeat, the test counts the pairs as fewer
// independent ones.
func (t *Tracker) AddIn(category int, opening uint64) (State, error) {
	if category < 0 || category >= len(t.counts) {
		return t.state, fmt.Errorf("ratings: %w: category %d of %d", ErrCounts, category, len(t.counts))
	}
	if t.counts[category]++; len(t.counts) == len(t.pairs.Counts) {
		t.pairs.Add(category, opening)
		t.counts = t.pairs.Effective()
	}
	llr, err := LLR(t.counts, t.test.Model, t.test.Elo0, t.test.Elo1)
	if err != nil {
		return t.state, err
	}
	if t.state != StateContinue {
		return t.state, nil
	}
	t.high.add(llr)
	t.low.add(-llr)
	lower, upper := t.Bounds()
	t.state = verdict(llr, lower, upper)
	return t.state, nil
}

// Bounds returns the corrected bounds; they never cross 0.
func (t *Tracker) Bounds() (lower, upper float64) {
	raise := 1 + smallSample/max(floats.Sum(t.counts), 1)
	return min(t.lower*raise+t.low.excess(), 0), max(t.upper*raise-t.high.excess(), 0)
}

// Counts returns a copy of the counts so far, scaled to the number of independent items.
func (t *Tracker) Counts() []float64 { return append([]float64(nil), t.counts...) }

// Result returns the verdict and the corrected bounds of the run.
func (t *Tracker) Result() (SPRTResult, error) {
	r, err := t.test.Evaluate(t.counts)
	if err != nil {
		return r, err
	}
	r.State = t.state
	r.Lower, r.Upper = t.Bounds()
	r.estimate(t.counts)
	if n := floats.Sum(t.pairs.Counts[:]); n > 0 {
		r.Elo.N = int64(n)
	}
	return r, nil
}

// TruthAt returns the logistic difference, in Elo, at which the test accepts H1 with the given probability. It is
// Elo0 for alpha and Elo1 for 1-beta, in any unit of the test. It uses only the draw rate and the variance of p.
func (test SPRT) TruthAt(p Plan, acceptH1 float64) (float64, error) {
	lo, hi := -2000.0, 2000.0
	if test.Model == BoundsLogistic {
		lo, hi = test.Elo0, test.Elo1
		switch acceptH1 {
		case test.Alpha:
			return lo, nil
		case 1 - test.Beta:
			return hi, nil
		}
	}
	var err error
	return bisect(lo, hi, func(elo float64) bool {
		p.Elo = elo
		e, failed := test.Expect(p)
		err = cmp.Or(err, failed)
		return e.AcceptH1 < acceptH1
	}), err
}

// FewItems is the number of items from which the error of an estimated variance hardly matters.
const FewItems = 30

// Widen replaces the interval of a test by the interval of the plain match, which allows for an estimated variance, and
// the LOS accordingly. It does so only if the former is narrower and plain has fewer than few items, or the results are
// too uniform to estimate the variance; then it replaces the value, too.
func (r *SPRTResult) Widen(plain Match, few int64) {
	if len(plain.Warnings) == 0 && plain.Score.N >= few || r.Elo.N == 0 {
		return
	}
	v, wide := &r.Elo.Interval, plain.Elo.Interval
	if wide.LoOpen || wide.Lo < v.Lo {
		v.Lo, v.LoOpen = wide.Lo, v.LoOpen || wide.LoOpen
	}
	if wide.HiOpen || wide.Hi > v.Hi {
		v.Hi, v.HiOpen = wide.Hi, v.HiOpen || wide.HiOpen
	}
	if n := float64(plain.Score.N); len(plain.Warnings) > 0 || n < 2 {
		r.LOS, r.Elo.Value = plain.LOS, plain.Elo.Value
	} else if 0 < r.LOS && r.LOS < 1 {
		r.LOS = distuv.StudentsT{Sigma: 1, Nu: n - 1}.CDF(distuv.UnitNormal.Quantile(r.LOS) * math.Sqrt((n-1)/n))
	}
}

// Ahead estimates how many more items (pairs or games) the test needs: if H0 is true, and if H1 is true. For
// differences between H0 and H1 it may need more. The estimate is the distance to the bound divided by the mean step of
// the log-likelihood ratio (Wald). It is infinite before the first item.
func (s SPRT) Ahead(counts []float64) (ifH0, ifH1 float64, err error) {
	r, err := s.Evaluate(counts)
	if err != nil {
		return 0, 0, err
	}
	if r.Elo.N == 0 {
		return math.Inf(1), math.Inf(1), nil
	}
	p := r.observed(counts)
	step := p.drift(p.s1) // at H1; at H0 it is the same downwards
	return max(0, r.LLR-r.Lower) / step, max(0, r.Upper-r.LLR) / step, nil
}
