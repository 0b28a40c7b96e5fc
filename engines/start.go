package engines

import (
	"fmt"

	"spar/engines/grid"
	"spar/engines/rules"
)

// validateStart returns errors about a first position that is already decided. Otherwise the rules must be valid.
func validateStart(r *Rules) (ps rules.Problems) {
	if len(r.Setup) == 0 && !r.MovesApart() {
		return nil
	}
	refuse := func(bad bool, path, format string, args ...any) {
		if bad {
			ps = append(ps, rules.Problem{Path: path, Message: fmt.Sprintf(format, args...)})
		}
	}
	g := compile(*r)
	s := g.NewState()
	full := g.endsFull && s.all() == g.grid.Board
	refuse((r.NoMoves != "pass" || full || s.Check() >= 0) && !s.hasAction(), "setup",
		"the first player has no legal move at the start: leave an empty cell, or a piece that can move")
	for side := range 2 {
		if v := s.verdict(side, NoCell); v.reason != NoReason {
			refuse(true, "setup", "the game is already over at the start (result: %s, reason: %s): change the setup or the goal", v.result, v.reason)
			return ps
		}
	}
	if g.kinds != nil || s.phase != phaseMove || g.hands || g.shared || g.chosen {
		return ps
	}
	changes := g.flips || g.threshold > 0 && g.convert
	for side := range 2 {
		n := s.pieces[side].Count()
		refuse(n == 0, "setup",
			"%c has no piece to move at the start, and no piece in hand: put one in setup, or set pieces.supply",
			grid.Letters[side])
		goal, path := &g.goal[side], "win.reach"
		if side == Second && r.Second != nil && r.Second.Win != nil {
			path = "second.win.reach"
		}
		if n == 0 || changes || goal.reach.Empty() {
			continue
		}
		there := g.roam(side, s.pieces[side]).And(goal.reach).Count()
		refuse(there < goal.count, path,
			"the pieces of %c can reach %d of the goal cells, but %d are needed",
			grid.Letters[side], there, goal.count)
	}
	return ps
}

// roam returns the cells that pieces can reach on an empty board.
func (g *Game) roam(side int, from Bits) Bits {
	m := &g.mover[side]
	if m.fly > 0 {
		return g.grid.Board
	}
	all := from
	for fresh := from; !fresh.Empty(); {
		c := fresh.First()
		fresh = fresh.Rest()
		reach := func(to Cell) {
			if to != NoCell && !all.Has(to) {
				all, fresh = all.With(to), fresh.With(to)
			}
		}
		for i := range m.ways {
			reach(m.ways[i].to[c])
		}
		for d, on := range m.steps {
			if on {
				reach(g.grid.To[d][c])
			}
		}
	}
	return all
}
