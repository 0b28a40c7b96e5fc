package optimise

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// SPSA is simultaneous perturbation stochastic approximation on paired games (Spall 1998; the form for games is
// from fishtest). Iteration k draws Delta_i = +-1, plays theta + c_k Delta against theta - c_k Delta, and moves
//
//	theta_i <- clip(theta_i + R_k c_k result Delta_i),   result = wins - losses of the plus side.
//
// A step combines Options.Directions iterations that start from the same theta; each plays Options.Pairs pairs. Integer
// parameters are perturbed by at least 1/2, so that the sides always differ.
type SPSA struct {
	*space
	o       Options // with defaults filled in
	g       gains
	rng     *rand.Rand
	planned int       // number of pairs of the run
	pairs   int       // number of completed pairs
	theta   []float64 // parameters in inner units
	tailSum []float64
	tailN   float64
	half    []float64   // theta in the middle of the run; nil before
	noise   []float64   // variance of theta - half if no parameter had an effect
	drift   []float64   // the same of the average at the end of the run
	tailAt  int         // pairs before the tail
	asked   []Candidate // candidates of the current step
	deltas  [][]int     // their perturbations
	next    int         // ID of the next candidate
	history history
}

// Candidate is a match that the optimiser wants: Pairs openings, each played twice with seats swapped, between the
// parameters Plus and Minus.
type Candidate struct {
	ID      int // 0, 1, 2, ... in the order of requests
	Opening int // index of the opening of the first pair; pair j plays opening Opening+j
	Pairs   int
	Plus    []float64
	Minus   []float64
}

// New returns an optimiser at the start of its run.
func New(p Problem, o Options) (*SPSA, error) {
	sp, err := newSpace(p)
	if err != nil {
		return nil, err
	}
	if o, err = o.resolve(p.Games / 2); err != nil {
		return nil, err
	}
	s := &SPSA{
		space:   sp,
		o:       o,
		g:       gains{float64(p.Games / 2), o.CEnd, o.REnd},
		rng:     rand.New(newPCG(p.Seed)),
		planned: p.Games / 2,
		theta:   sp.start(),
		tailSum: make([]float64, len(sp.params)),
		drift:   make([]float64, len(sp.params)),
	}
	s.open()
	return s, nil
}

// perturbation returns the c_k of parameter i; c is the common one.
func (s *SPSA) perturbation(i int, c float64) float64 {
	if s.params[i].Integer {
		return math.Max(c, 0.5/s.factor[i])
	}
	return c
}

// open draws the candidates of the next step. After the last step there are none.
func (s *SPSA) open() {
	s.asked, s.deltas = nil, nil
	c, _ := s.g.at(float64(s.pairs + 1))
	left := s.planned - s.pairs
	for d := 0; d < s.o.Directions && left > 0; d++ {
		delta := make([]int, len(s.params))
		plus, minus := slices.Clone(s.theta), slices.Clone(s.theta)
		for i := range delta {
			delta[i] = 1 - 2*int(s.rng.Uint64()>>63)
			move := s.perturbation(i, c) * float64(delta[i])
			plus[i] += move
			minus[i] -= move
		}
		threshold := s.rng.Float64()
		pairs := min(s.o.Pairs, left)
		s.asked = append(s.asked, Candidate{
			ID: s.next, Opening: s.planned - left, Pairs: pairs,
			Plus: s.user(plus, threshold), Minus: s.user(minus, threshold),
		})
		s.deltas = append(s.deltas, delta)
		s.next++
		left -= pairs
	}
}

// Ask returns the candidates of the current step; nil after the last step.
func (s *SPSA) Ask() []Candidate { return s.asked }

// Games returns the number of games in finished steps.
func (s *SPSA) Games() int { return 2 * s.pairs }

// Tell completes the current step. Scores holds the mean score of Plus per game, 0 to 1, for each of the candidates
// that Ask returned.
func (s *SPSA) Tell(scores []float64) {
	c, r := s.g.at(float64(s.pairs + 1))
	points, games, share := 0.0, 0, 1.0
	if s.tailN == 0 {
		s.tailAt = s.pairs
	}
	// A step in the tail counts by the share of the average that comes after it.
	if s.inTail(s.pairs + s.o.Directions*s.o.Pairs) {
		share = float64(s.planned-s.pairs) / float64(s.planned-s.tailAt)
	}
	if s.half == nil && 2*s.pairs >= s.planned {
		s.half = slices.Clone(s.theta)
		s.noise = make([]float64, len(s.theta))
	}
	for j, score := range scores {
		n := 2 * s.asked[j].Pairs
		result := float64(n) * (2*score - 1)
		for i, d := range s.deltas[j] {
			move := r * s.perturbation(i, c) * result
			s.theta[i] += move * float64(d)
			s.drift[i] += move * share * move * share
			if s.half != nil {
				s.noise[i] += move * move
			}
		}
		points += score * float64(n)
		games += n
	}
	s.settle(s.theta)
	s.pairs += games / 2
	if s.inTail(s.pairs) {
		w := float64(games / 2)
		for i, t := range s.theta {
			s.tailSum[i] += w * t
		}
		s.tailN += w
	}
	s.open()
	s.history.add(points, games, s.Games(), s.asked == nil,
		func() ([]float64, []float64) { return s.Current(), s.Mean() })
}

// inTail reports whether theta after the given number of pairs is part of the average.
func (s *SPSA) inTail(pairs int) bool {
	return float64(pairs) > (1-tail)*float64(s.planned) || pairs >= s.planned
}

// Mean returns the result so far, in the caller's units, with integers rounded: the average of theta over the tail, or
// the current theta before the tail has begun. It is never the candidate with the best score, which was partly luck.
func (s *SPSA) Mean() []float64 {
	u := slices.Clone(s.theta)
	if s.tailN > 0 {
		for i := range u {
			u[i] = s.tailSum[i] / s.tailN
		}
		s.settle(u)
	}
	return s.user(u, 0.5)
}

// Current returns the current parameters of the search, in the caller's units, not rounded.
func (s *SPSA) Current() []float64 { return s.exact(s.theta) }

// History returns Current and Mean at up to 100 points of the run.
func (s *SPSA) History() []Point { return s.history.points }

// Movement returns how far theta has moved in the second half of the run, relative to chance: the root mean square over
// parameters of distance/deviation, where deviation is the standard deviation that the same results would give without
// any effect. A search near its optimum is pulled back and stays below Settled; one that has not converged moves as far
// as chance would, or farther. It is NaN if no match of the second half was decided.
func (s *SPSA) Movement() float64 {
	sum, n := 0.0, 0.0
	for i, v := range s.noise {
		if v > 0 {
			n++
			sum += (s.theta[i] - s.half[i]) * (s.theta[i] - s.half[i]) / v
		}
	}
	return math.Sqrt(sum / n)
}

// Settled returns the 5 % quantile of Movement by chance alone: few parameters may end near where they were.
func Settled(parameters int) float64 {
	chi := distuv.ChiSquared{K: float64(parameters)}
	return math.Sqrt(chi.Quantile(0.05) / chi.K)
}

// Drift returns how far chance alone would move Mean of the whole run, for each parameter, in scale units: the standard
// deviation that the same results would give if the parameter had no effect, over the random signs of the
// perturbations. A move of this size is no evidence of an improvement.
func (s *SPSA) Drift() []float64 {
	out := make([]float64, len(s.drift))
	for i, v := range s.drift {
		out[i] = math.Sqrt(v)
	}
	return out
}
