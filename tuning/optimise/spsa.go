package optimise

import (
	"math"
	"math/rand/v2"
)

// SPSA is simultaneous perturbation stochastic approximation on paired games (Spall 1998; the form for games is
// from fishtest). Iteration k draws Delta_i = +-1, plays theta + c_k Delta against theta - c_k Delta, and moves
//
//	theta_i <- clip(theta_i + R_k c_k result Delta_i),   result = wins - losses of the plus side.
//
// A step combines Directions iterations that start from the same theta; each plays Pairs pairs. Integer parameters
// are perturbed by at least 1/2, so that the sides always differ.
type SPSA struct {
	*space
	st  spsaState
	g   gains
	rng *rand.Rand
}

var _ Optimiser = (*SPSA)(nil)

// spsaState is the state of a run.
type spsaState struct {
	Problem Problem
	Options SPSAOptions // the options with defaults filled in
	Pairs   int         // number of completed pairs
	Theta   []float64   // parameters in inner units
	TailSum []float64
	TailN   float64
	Deltas  [][]int // perturbations of the pending candidates
	Ledger  ledger
	History history
}

// NewSPSA returns an optimiser at the start of its run.
func NewSPSA(p Problem, o SPSAOptions) (*SPSA, error) {
	sp, err := newSpace(p)
	if err != nil {
		return nil, err
	}
	if o, err = o.resolve(p.Games / 2); err != nil {
		return nil, err
	}
	p.Parameters = sp.params
	s := &SPSA{space: sp, g: newGains(o, p.Games/2), rng: rand.New(newPCG(p.Seed)), st: spsaState{
		Problem: p, Options: o,
		Theta: sp.start(), TailSum: make([]float64, len(sp.params)),
	}}
	s.open()
	return s, nil
}

func (s *SPSA) planned() int { return s.st.Problem.Games / 2 }

// perturbation returns the c_k of parameter i; c is the common one.
func (s *SPSA) perturbation(i int, c float64) float64 {
	if s.params[i].Integer {
		return math.Max(c, 0.5/s.factor[i])
	}
	return c
}

// open draws the candidates of the next step. After the last step there are none.
func (s *SPSA) open() {
	s.st.Deltas = nil
	var cs []Candidate
	c, _ := s.g.at(float64(s.st.Pairs + 1))
	left := s.planned() - s.st.Pairs
	for d := 0; d < s.st.Options.Directions && left > 0; d++ {
		delta := make([]int, len(s.params))
		plus, minus := clone(s.st.Theta), clone(s.st.Theta)
		for i := range delta {
			delta[i] = 1 - 2*int(s.rng.Uint64()>>63)
			move := s.perturbation(i, c) * float64(delta[i])
			plus[i] += move
			minus[i] -= move
		}
		threshold := s.rng.Float64()
		pairs := min(s.st.Options.Pairs, left)
		cs = append(cs, Candidate{
			Opening: s.planned() - left, Pairs: pairs,
			Plus: s.user(plus, threshold), Minus: s.user(minus, threshold),
		})
		s.st.Deltas = append(s.st.Deltas, delta)
		left -= pairs
	}
	s.st.Ledger.open(cs)
}

// Ask implements Optimiser.
func (s *SPSA) Ask() []Candidate { return s.st.Ledger.ask() }

// Done implements Optimiser.
func (s *SPSA) Done() bool { return s.st.Pairs >= s.planned() }

// Games implements Optimiser.
func (s *SPSA) Games() (done, planned int) { return 2 * s.st.Pairs, 2 * s.planned() }

// Tell implements Optimiser.
func (s *SPSA) Tell(results []Outcome) error {
	complete, err := s.st.Ledger.tell(results, false)
	if err != nil || !complete {
		return err
	}
	c, r := s.g.at(float64(s.st.Pairs + 1))
	points, games := 0.0, 0
	for j, o := range s.st.Ledger.Told {
		result := float64(o.Games) * (2*o.Score - 1)
		for i, d := range s.st.Deltas[j] {
			s.st.Theta[i] += r * s.perturbation(i, c) * result * float64(d)
		}
		points += o.Score * float64(o.Games)
		games += o.Games
	}
	s.settle(s.st.Theta)
	s.st.Pairs += games / 2
	if s.inTail(s.st.Pairs) {
		w := float64(games / 2)
		for i, t := range s.st.Theta {
			s.st.TailSum[i] += w * t
		}
		s.st.TailN += w
	}
	s.open()
	s.st.History.add(points, games, s.Done(), func() ([]float64, []float64) { return s.Current(), s.Mean() })
	return nil
}

// inTail reports whether theta after the given number of pairs is part of the average.
func (s *SPSA) inTail(pairs int) bool {
	return float64(pairs) > (1-s.st.Options.Tail)*float64(s.planned()) || pairs >= s.planned()
}

// Mean implements Optimiser: the average of theta over the tail, or the present theta before the tail has begun.
func (s *SPSA) Mean() []float64 {
	u := clone(s.st.Theta)
	if s.st.TailN > 0 {
		for i := range u {
			u[i] = s.st.TailSum[i] / s.st.TailN
		}
		s.settle(u)
	}
	return s.user(u, 0.5)
}

// Current implements Optimiser.
func (s *SPSA) Current() []float64 { return s.exact(s.st.Theta) }

// History implements Optimiser.
func (s *SPSA) History() []Point { return s.st.History.copied() }

// Drift implements Optimiser. A pair without draws has variance 2, so a step of m
// pairs has variance 2 m R_k^2 c_k^2 in each parameter; a step in the tail counts
// by the share of the average that comes after it.
func (s *SPSA) Drift() float64 {
	step := s.st.Options.Directions * s.st.Options.Pairs
	sum := 0.0
	for k := 0; k < s.st.Pairs; k += step {
		m := min(step, s.planned()-k)
		c, r := s.g.at(float64(k + 1))
		share := 1.0
		if s.st.TailN > 0 && s.inTail(k+m) {
			share = float64(s.st.Pairs-k) / s.st.TailN
		}
		for i := range s.params {
			v := r * s.perturbation(i, c) * share
			sum += 2 * float64(m) * v * v
		}
	}
	return math.Sqrt(sum / float64(len(s.params)))
}
