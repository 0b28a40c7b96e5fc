package optimise

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"spar/configs/must"
)

// Surface is a known playing strength, to try an optimiser without games:
//
//	Elo(x) = -sum e_i (x_i - x*_i)^2
//
// A game between two points is won, drawn and lost at random, with expected score
// s = 1/(1+10^(-Elo difference/400)) and a share 2 d min(s, 1-s) of draws: d between
// equals, fewer as the difference grows, the score staying exactly logistic.
type Surface struct {
	Optimum   []float64 // x*, in the caller's units
	Curvature []float64 // e: Elo lost at distance 1 in the caller's units; 0: no effect
	DrawRate  float64   // d between equals, in [0, 1)
	FirstElo  float64   // first player's advantage
}

// Loss is the Elo by which x is below the optimum.
func (s Surface) Loss(x []float64) float64 {
	sum := 0.0
	for i, e := range s.Curvature {
		d := x[i] - s.Optimum[i]
		sum += e * d * d
	}
	return sum
}

// Play returns the scores of candidates' matches. Their games depend on the seed and on the candidates' IDs only.
func (s Surface) Play(asked []Candidate, seed uint64) (scores []float64) {
	for _, c := range asked {
		rng := rand.New(rand.NewPCG(seed, uint64(c.ID)))
		gap := s.Loss(c.Minus) - s.Loss(c.Plus)
		points := 0.0
		for range c.Pairs {
			points += s.game(rng, gap+s.FirstElo) + s.game(rng, gap-s.FirstElo)
		}
		scores = append(scores, points/float64(2*c.Pairs))
	}
	return scores
}

// game plays one game at an Elo difference.
func (s Surface) game(rng *rand.Rand, elo float64) float64 {
	p := ScoreOfElo(elo)
	draw := 2 * s.DrawRate * math.Min(p, 1-p)
	switch u := rng.Float64(); {
	case u < p-draw/2:
		return 1
	case u < p+draw/2:
		return 0.5
	}
	return 0
}

// ScoreOfElo is the expected score 1/(1+10^(-elo/400)).
func ScoreOfElo(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// SurfaceOptions describe a surface to plant. Zero fields take the defaults named.
type SurfaceOptions struct {
	Loss     float64 // Elo of the start below the optimum; 0 means 200; negative means no parameter has any effect
	Spread   float64 // largest over smallest curvature, in scale units; 0 means 10
	DrawRate float64
	FirstElo float64
	Seed     uint64
}

// plant makes a surface for a problem: the optimum in a random direction from the start and inside the bounds,
// curvatures log-uniform over Spread, all scaled so that the start loses Loss Elo.
func plant(t *testing.T, p Problem, o SurfaceOptions) Surface {
	t.Helper()
	sp := must.Get(newSpace(p))(t)
	o.Loss, o.Spread = cmp.Or(o.Loss, 200), cmp.Or(o.Spread, 10)
	rng := rand.New(newPCG(o.Seed))
	n := len(sp.params)
	start := sp.start()
	away := make([]float64, n)
	e := make([]float64, n) // in inner units
	norm := 0.0
	for i := range away {
		away[i] = rng.NormFloat64()
		norm += away[i] * away[i]
		e[i] = math.Pow(o.Spread, rng.Float64())
	}
	u := slices.Clone(start)
	for i := range u {
		move := away[i] * math.Sqrt(float64(n)/norm)
		if x := sp.out(i, u[i]+move); sp.clip(i, x) != x {
			move = -move // the other side of the start, if that has more room
		}
		u[i] += move
	}
	sp.settle(u)
	loss := 0.0
	for i := range u {
		loss += e[i] * (u[i] - start[i]) * (u[i] - start[i])
	}
	s := Surface{Optimum: sp.exact(u), Curvature: make([]float64, n), DrawRate: o.DrawRate, FirstElo: o.FirstElo}
	if loss > 0 && o.Loss > 0 {
		for i := range e {
			s.Curvature[i] = e[i] * o.Loss / loss / (sp.factor[i] * sp.factor[i])
		}
	}
	return s
}

// simulate runs an optimiser to its end on a surface.
func simulate(t *testing.T, o *SPSA, s Surface, seed uint64) {
	t.Helper()
	for asked := o.Ask(); asked != nil; asked = o.Ask() {
		o.Tell(s.Play(asked, seed))
	}
}

// weights is a problem of n plain parameters that start at 1.
func weights(n, games int, seed uint64) Problem {
	p := Problem{Games: games, Seed: seed}
	for i := range n {
		p.Parameters = append(p.Parameters, Parameter{Name: fmt.Sprintf("w%d", i), Start: 1, Scale: 1})
	}
	return p
}
