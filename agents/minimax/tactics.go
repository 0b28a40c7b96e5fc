package minimax

import (
	"spar/engines"
	"spar/engines/rules"
)

// answers reports whether the rules force a side to answer a line threat. They do if two conditions hold: a cell
// on which the opponent would complete a line remains one, whatever is played elsewhere, and the opponent may
// place there on the next ply. The function accepts only mechanics known to meet them: free placements, one a
// turn, of pieces that leave only because of their age.
func answers(g *engines.Game) bool {
	always := rules.MechanicsOf(rules.Wraps, rules.Lines, rules.ExactLines, rules.LineRegions, rules.LineDirections,
		rules.Majorities, rules.FullBoards, rules.PlyCaps, rules.Passes, rules.StuckDraws)
	uses := g.Mechanics()
	falling := uses.Only(always, rules.Falling, rules.Repetitions)
	// a move that repeats a position ends the game
	ageing := uses.Only(always, rules.Ages, rules.LeaveAfterWin, rules.LateAges)
	return uses.Has(rules.Lines) && (falling || ageing)
}

// extends reports whether a forced reply counts as no ply. Under gravity, threats decide games, and searching
// through them improves values. Under other rules, a side can make a series of threats that only delays the
// result; there, measured strength was not better or was worse.
func extends(g *engines.Game) bool { return answers(g) && g.Mechanics().Has(rules.Falling) }

// mostAnswers is the maximum number of consecutive forced replies that extend a line.
const mostAnswers = 40

// defences returns the cells on which the side to move can place without letting the opponent complete a line at
// once. The side must have no immediate win itself. Threats are the cells on which the opponent would complete a
// line. It returns false if there are no threats: then every move is safe.
func (w *worker) defences(s *engines.State, threats engines.Bits) (safe engines.Bits, threatened bool) {
	if threats.Empty() ||
		s.Ply()+1 >= w.capPly { // a move that reaches the cap ends the game before the threat is carried out
		return safe, false
	}
	all := s.Completing(w.board)
	if all.Empty() {
		return all, false // no placement at all: a pass
	}
	safe = all
	direct := threats.And(safe)
	if !direct.Empty() {
		if safe = direct; direct.Count() > 1 {
			return engines.Bits{}, true
		}
	}
	if w.rules.Placement.Gravity { // nobody places below a cell on which the other side then wins
		for b := safe; !b.Empty(); b = b.Rest() {
			c := b.First()
			if int(c) >= w.s.g.Columns() && threats.Has(c-engines.Cell(w.s.g.Columns())) {
				safe = safe.Without(c)
			}
		}
	}
	return safe, safe != all
}

// forcingDepth is the least depth at which a node is searched for threats.
const forcingDepth = 2

// nodeThreats is the number of positions to search for threats of each side at a node.
const nodeThreats = 50

// force looks for a win of the side to move by continuous threats. If it finds none, it adds the moves that stop the
// other side's: all others lose. If the other side has none either, it adds the moves near pieces.
func (w *worker) force(s *engines.State) (engines.Move, int) {
	m, plies, looked := w.finder.Win(s, nodeThreats)
	if plies > 0 {
		return m, plies
	}
	zone, more := w.finder.Defence(s, nodeThreats)
	w.due = max(w.nodes, w.due-int64(looked+more)/4)
	all := s.Completing(w.board)
	if zone.Empty() {
		if zone = w.finder.Near(s); !zone.Contains(all) {
			w.guesses++
		}
	}
	for b := zone.And(all); !b.Empty(); b = b.Rest() {
		w.moves = append(w.moves, engines.PlaceMove(b.First()))
	}
	return engines.NoMove, 0
}

// lostInTwo returns the value of a position in which every move lets the opponent complete a line.
func lostInTwo(ply int) int32 { return -(Win - int32(ply) - 2) }

// mayExtend reports whether forced replies may still extend the line.
func (w *worker) mayExtend(depth, ply int) bool {
	return w.extends && ply-(w.depth-depth) < mostAnswers
}

// mustAnswer reports whether a position at the horizon is searched further: the side has one reply to a threat, or
// none, and no immediate win.
func (w *worker) mustAnswer(s *engines.State, depth, ply int) bool {
	safe, threatened := w.defences(s, s.ThreatCells(1-s.Side()))
	return threatened && safe.Count() <= 1 && w.mayExtend(depth, ply) && s.WinningPlacements().Empty()
}

// beyond returns the maximum number of plies by which lines may exceed the depth.
func (w *worker) beyond() int {
	if w.extends {
		return mostAnswers
	}
	return quietPlies
}

// onlyReply returns the value of a position in which all moves but one lose at once, and that move. The reply counts as
// no ply.
func (w *worker) onlyReply(
	s *engines.State,
	start int,
	m engines.Move,
	depth, ply int,
	alpha, beta int32,
) (int32, engines.Move) {
	w.moves = w.moves[:start]
	frontier := w.frontier // of the node above, whose children are being evaluated
	w.frontier = false
	v := w.child(s, m, depth+1, ply, alpha, beta)
	w.frontier = frontier
	if f := &w.stack[ply]; !w.stopped && v > alpha {
		f.pv = append(append(f.pv[:0], m), w.stack[ply+1].pv...)
	}
	return v, m
}
