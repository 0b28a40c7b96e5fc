package tuning

import (
	"math"
	"math/rand/v2"

	"spar/agents/eval"
	"spar/arena/openings"
	"spar/engines"
)

// Probe is what sample games show about the features before the training: which of them can change a choice, and
// how large a change in a weight must be to matter.
type Probe struct {
	Games     int
	Positions int          // number of positions whose moves were compared
	Sets      [3]SetSample // one for each set of weights: base, late, movement
}

// SetSample describes the features in those positions for which a set of weights is used.
type SetSample struct {
	Positions int
	// Spread is the root mean square, over positions, of the standard deviation of a feature over the legal moves. A
	// feature that is the same after every move (0) cannot change a choice. The inverse is the scale of the weight:
	// unlike the standard deviation over all positions, it measures differences between moves, and these decide which
	// move an agent plays.
	Spread eval.Vector
	// RMS is the root mean square of the feature over the positions that SetSample describes: the scale for learning
	// from results.
	RMS eval.Vector
}

const (
	probeGames     = 60
	probePositions = 1200 // number of positions, enough for two digits of a spread
	probeEpsilon   = 0.3  // share of random moves, so that unusual positions occur
)

// probe plays sample games with the starting agent's evaluation one ply deep and some random moves. For agents that
// search, positions after a reply count as well, because the horizon of a search may lie with either side to move.
func (t *Tuning) probe(games int) *Probe {
	out := &Probe{Games: games}
	seed := seedOf(t.Seed, "probe")
	rng := rand.New(rand.NewPCG(seed, 0))
	book := openings.NewBook(t.Game, t.Openings, int64(seed>>1))
	e := eval.New(t.Game, t.Start.Params)
	var squares, variance [3]eval.Vector
	var groups, singles [3]float64
	sets := setChooser(&t.Start.Params)
	next := new(engines.Position)
	look := func(p *engines.Position, side int) {
		var sum, sq [3]eval.Vector
		var n [3]float64
		for _, m := range p.AppendMoves(nil) {
			next.CopyFrom(p)
			next.Play(m)
			if next.Over() {
				continue
			}
			f, set := e.Features(&next.State, side), sets(&next.State)
			n[set]++
			for i, x := range f {
				sum[set][i] += x
				sq[set][i] += x * x
			}
		}
		for set := range n {
			if n[set] < 1 {
				continue
			}
			singles[set] += n[set]
			for i := range sum[set] {
				squares[set][i] += sq[set][i]
				mean := sum[set][i] / n[set]
				if v := sq[set][i]/n[set] - mean*mean; v > 1e-9 {
					variance[set][i] += v
				}
			}
			if n[set] > 1 {
				groups[set]++
			}
		}
		out.Positions++
	}
	searches := t.Start.Searches() || t.Deeper > 0
	for game := range games {
		p := t.Game.NewPosition()
		for _, m := range book.Opening(int64(game)) {
			p.Play(m)
		}
		// Each position is sampled with a probability that gives about the number wanted.
		for !p.Over() && p.Ply() < 2000 {
			chance := float64(probePositions) / float64(games) / float64(t.Game.Cells()) / 2
			if rng.Float64() < max(chance, 0.05) && out.Positions < 3*probePositions {
				look(p, p.Side())
				if legal := p.AppendMoves(nil); searches {
					answer := p.Clone()
					answer.Play(legal[rng.IntN(len(legal))])
					if !answer.Over() {
						look(answer, p.Side())
					}
				}
			}
			p.Play(sampleMove(e, p, next, rng))
		}
	}
	for set := range out.Sets {
		s := &out.Sets[set]
		s.Positions = int(singles[set])
		for i := range s.Spread {
			s.Spread[i] = math.Sqrt(variance[set][i] / max(1, groups[set]))
			s.RMS[i] = math.Sqrt(squares[set][i] / max(1, singles[set]))
		}
	}
	return out
}

// sampleMove returns the best move at a search depth of one ply, or sometimes a random one. It overwrites next.
func sampleMove(e *eval.Evaluator, p, next *engines.Position, rng *rand.Rand) engines.Move {
	legal := p.AppendMoves(nil)
	if rng.Float64() < probeEpsilon {
		return legal[rng.IntN(len(legal))]
	}
	best, top := legal[0], math.Inf(-1)
	side := p.Side()
	for _, m := range legal {
		next.CopyFrom(p)
		next.Play(m)
		v := 0.0
		switch {
		case next.Result() == engines.Winner(side):
			v = math.MaxFloat64
		case !next.Over():
			v = e.Value(&next.State, side)
		}
		if v > top {
			best, top = m, v
		}
	}
	return best
}

// setChooser returns the function that gives the set of weights an evaluation uses for a position, as eval does.
func setChooser(p *eval.Params) func(*engines.State) int {
	late := p.Late != nil
	movement := p.Movement != nil
	from := p.LateFrom
	return func(s *engines.State) int {
		switch {
		case s.Moving() && movement:
			return 2
		case late && (s.Moving() || s.Ply() >= from):
			return 1
		}
		return 0
	}
}
