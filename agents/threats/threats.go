// Package threats finds wins by continuous threats. Each move of the attacker threatens to complete a line, so
// that the defender has only one reply, until the attacker threatens two lines at once. Such a search is narrow
// and deep. A win that it finds is proved; if it finds none, nothing is proved.
//
// A [Finder] works for one game. Under rules in which a threat has other answers there is no Finder.
package threats

import (
	"math"

	"spar/engines"
	"spar/engines/rules"
)

// handled are the mechanics under which a threat has exactly one answer: a piece on the cell that completes the line.
// Pieces are placed anywhere, one per turn, and stay. Under other mechanics there is no search for wins by threats.
func handled() rules.Mechanics {
	return rules.MechanicsOf(
		rules.Wraps, rules.Falling, rules.Lines, rules.ExactLines, rules.LineRegions, rules.LineDirections,
		rules.Majorities, rules.FullBoards,
		rules.Repetitions, rules.PlyCaps, rules.Passes, rules.StuckDraws,
	)
}

// Finder looks for wins in positions of one game. Only one goroutine may use it. After New it allocates no memory.
type Finder struct {
	g      *engines.Game
	length int
	most   int  // maximum number of plies of a game
	limit  int  // depth limit of the current pass
	cut    bool // the current pass reached its depth limit
	left   int
	stack  []engines.State // two positions for each threat: after it and after the reply
	best   engines.Move
}

// Budget is the number of positions to search for threats before another search starts. It takes less than a
// millisecond.
const Budget = 1000

// deep is the maximum number of consecutive threats in a win.
const deep = 16

// New returns a finder, or nil for rules that it does not handle.
func New(g *engines.Game) *Finder {
	r := g.Rules()
	if uses := g.Mechanics(); !uses.Only(handled()) || !uses.Has(rules.Lines) || r.Win.Line < 3 {
		return nil
	}
	f := &Finder{g: g, length: r.Win.Line, most: r.Draw.MaxPlies, stack: make([]engines.State, 2*deep)}
	if f.most == 0 {
		f.most = math.MaxInt
	}
	return f
}

// Win looks for a win of the side to move in up to budget positions, first with few threats. It returns the first
// move, the number of plies to the end of the game (0 if it found no win), and the number of positions searched.
func (f *Finder) Win(s *engines.State, budget int) (first engines.Move, plies, looked int) {
	f.left = budget
	if s.Over() {
		return engines.NoMove, 0, 0
	}
	for f.limit, f.cut = 1, true; plies == 0 && f.cut && f.left > 0 && f.limit <= deep; f.limit++ {
		f.cut = false
		plies = f.attack(s, 0)
	}
	if s.Ply()+plies > f.most { // the game ends before
		plies = 0
	}
	return f.best, plies, budget - f.left
}

// attack returns the number of plies in which the side to move wins, or 0, and stores its first move in best. The
// parameter at is the number of earlier threats.
func (f *Finder) attack(s *engines.State, at int) int {
	if wins := s.WinningPlacements(); !wins.Empty() {
		f.best = engines.PlaceMove(wins.First())
		return 1
	}
	side := s.Side()
	if s.Pieces(side).Count() < f.length-2 {
		return 0
	}
	moves := s.Completing(f.near(s, side))
	if moves.Empty() {
		return 0
	}
	if at == f.limit {
		f.cut = true
		return 0
	}
	if answer := s.Completing(s.ThreatCells(1 - side)); !answer.Empty() {
		if moves = moves.And(answer); answer.Count() > 1 {
			return 0
		}
	}
	after, replied := &f.stack[2*at], &f.stack[2*at+1]
	for b := moves; !b.Empty(); b = b.Rest() {
		if f.left--; f.left < 0 {
			f.left = 0
			return 0
		}
		m := engines.PlaceMove(b.First())
		after.CopyFrom(s)
		after.Play(m)
		if after.Over() || !after.WinningPlacements().Empty() {
			continue
		}
		threats := after.Completing(after.ThreatCells(side))
		switch threats.Count() {
		case 0:
		case 1:
			replied.CopyFrom(after)
			replied.Play(engines.PlaceMove(threats.First()))
			if replied.Over() {
				continue
			}
			if plies := f.attack(replied, at+1); plies > 0 {
				f.best = m
				return plies + 2
			}
		default:
			f.best = m
			return 3
		}
	}
	return 0
}

// near returns the cells of lines that a side completes with two more pieces.
func (f *Finder) near(s *engines.State, side int) (cells engines.Bits) {
	own, enemy := s.Pieces(side), s.Pieces(1-side)
	windows := f.g.Windows(side)
	for i := range windows {
		w := &windows[i]
		if !w.Cells.And(enemy).Empty() || !w.Guard.And(own).Empty() {
			continue
		}
		if rest := w.Cells.AndNot(own); rest.Count() == 2 {
			cells = cells.Or(rest)
		}
	}
	return cells
}
