package tuning

import (
	"math"
	"testing"

	"spar/agents/eval"
	"spar/arena/openings"
	"spar/engines"
	"spar/engines/enginetest"
)

// A game that is drawn at its second ply has one position with moves to compare, the start: of every feature the spread
// is its standard deviation over the places of the first piece and the scale its root mean square, however many games
// are looked at. The position after the first ply counts among those looked at, and for an agent that searches once
// more as an answer.
func TestProbeOfOnePosition(t *testing.T) {
	t.Parallel()
	x := loadInside(t)
	x.Game = enginetest.Load(t, "classic", "draw.max_plies=2")
	x.Openings = openings.Options{}
	x.Deeper = 0
	e := eval.New(x.Game, x.Start.Params)
	var after []eval.Vector
	s := x.Game.NewState()
	for _, m := range s.AppendMoves(nil) {
		next := s
		next.Play(m)
		f := e.Features(&next, engines.First)
		after = append(after, f)
	}
	for kind, positions := range map[string]int{"heuristic": 6, "minimax": 9} {
		x.Start.Type = kind
		got := x.probe(3)
		if got.Positions != positions || got.Games != 3 || got.Sets[0].Positions != 27 {
			t.Errorf("%s: %d positions, %d after a move", kind, got.Positions, got.Sets[0].Positions)
		}
		differ := 0
		for i, name := range eval.Names() {
			mean, square, apart := 0.0, 0.0, 0.0
			for _, f := range after {
				mean, square = mean+f[i]/9, square+f[i]*f[i]/9
			}
			for _, f := range after {
				apart += (f[i] - mean) * (f[i] - mean) / 9
			}
			if math.Abs(got.Sets[0].Spread[i]-math.Sqrt(apart)) > 1e-9 || math.Abs(got.Sets[0].RMS[i]-math.Sqrt(square)) > 1e-9 {
				t.Errorf("%s: %g by %g, want %g by %g", name, got.Sets[0].Spread[i], got.Sets[0].RMS[i], math.Sqrt(apart),
					math.Sqrt(square))
			}
			if apart > 0 && mean != 0 {
				differ++
			}
		}
		if differ == 0 {
			t.Error("no feature differs")
		}
	}
}
