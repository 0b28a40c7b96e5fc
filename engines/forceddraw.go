package engines

import (
	"math"
	"slices"

	"spar/engines/grid"
	"spar/engines/rules"
)

// ForcedDraw reports whether each side can prevent the other from winning, so that the game is a draw with best play.
// It can return true only under rules in which pieces stay where they are placed, only lines win or lose, and a full
// board is a draw. It finds a draw if no line can be completed, or if the theorem of Erdős and Selfridge (1973)
// proves it. The theorem sums 2^-n over the lines that a side can still complete, where n is the number of cells that
// it has to fill. The opponent can prevent all these lines if the sum is below 1, or below 1/2 if the side that wants
// to complete them moves next. False means unknown.
func (s *State) ForcedDraw() bool {
	g := s.g
	if !g.linesOnly || s.result != Ongoing {
		return false
	}
	for side := range 2 {
		own, enemy := s.pieces[side], s.pieces[1-side]
		sum, enough := 0.0, 1.0
		for i := range g.line.Windows[side] {
			if cells := g.line.Windows[side][i].Cells; cells.And(enemy).Empty() {
				sum += math.Ldexp(1, -cells.AndNot(own).Count())
			}
		}
		if int(s.side) == side {
			enough = 0.5
		}
		if sum >= enough || sum > 0 && !s.oneEach() {
			return false
		}
		open := func(w grid.Window) bool { return w.Cells.And(enemy).Empty() }
		if lose := g.goal[side].shapes[ByLosingLine]; lose != nil && slices.ContainsFunc(lose.windows, open) {
			return false
		}
	}
	return true
}

// oneEach reports whether lines win, and the sides place one piece each in turn from now on.
func (s *State) oneEach() bool {
	g := s.g
	return g.perTurn == 1 && int(s.ply) >= int(g.firstTurn[First])+int(g.firstTurn[Second]) &&
		!g.uses.Any(rules.Misere, rules.LosingLines)
}

// linesDecide returns the mechanics under which ForcedDraw can return true.
func linesDecide() rules.Mechanics {
	return rules.MechanicsOf(rules.AnyLines(), rules.LosingLines, rules.Misere, rules.Unequal, rules.AnyTurns(),
		rules.SecondTurns, rules.AnyBoard(), rules.Wraps, rules.FullBoards, rules.PlyCaps)
}
