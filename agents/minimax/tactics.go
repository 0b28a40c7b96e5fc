package minimax

import "spar/engines"

// answers tells whether the rules are such that a side has to answer a line threat: a cell on which the other side
// would complete a line stays one, whatever else is played, and that side may place there on its next ply, the very
// next. That holds where pieces are placed anywhere, one a turn, and leave by age only; whatever other mechanic a
// game uses, known or not, rules it out.
func answers(g *engines.Game) bool {
	always := engines.MechanicsOf(
		engines.Wraps, engines.Lines, engines.ExactLines, engines.LineRegions, engines.LineDirections, engines.Majorities, engines.FullBoards, engines.PlyCaps,
		engines.Passes, engines.StuckDraws,
	)
	uses := g.Mechanics()
	falling := uses.Only(always, engines.Falling, engines.Repetitions)
	ageing := uses.Only(always, engines.Ages, engines.LeaveAfterWin, engines.LateAges) // a move that repeats a position ends the game
	return uses.Has(engines.Lines) && (falling || ageing)
}

// extends tells whether a forced reply is no ply. Where pieces fall threats are what games are about, and looking
// through them keeps the value of more positions; elsewhere a side can make one after the other only to put off what
// is coming, and a search that looks through those measured no better, or worse.
func extends(g *engines.Game) bool { return answers(g) && g.Mechanics().Has(engines.Falling) }

// mostAnswers is how many plies in a row of a line a search goes deeper because a reply was forced.
const mostAnswers = 40

// defences returns the cells on which the side to move can place without letting the other side complete a line at
// once, in a position in which it cannot win at once itself; threats are the cells on which the other side would
// complete one. It tells false if there is nothing to defend against: then every move is safe.
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
			if c := b.First(); int(c) >= w.s.g.Columns() && threats.Has(c-engines.Cell(w.s.g.Columns())) {
				safe = safe.Without(c)
			}
		}
	}
	return safe, safe != all
}

// lostInTwo is the value of a position in which every move lets the other side complete a line.
func lostInTwo(ply int) int32 { return -(Win - int32(ply) - 2) }

// mayExtend tells whether the line may still grow by forced replies.
func (w *worker) mayExtend(depth, ply int) bool {
	return w.extends && ply-(w.depth-depth) < mostAnswers
}

// mustAnswer tells whether a position at the horizon is searched on: there is one reply to a threat, or none, and no
// win at once.
func (w *worker) mustAnswer(s *engines.State, depth, ply int) bool {
	safe, threatened := w.defences(s, s.ThreatCells(1-s.Side()))
	return threatened && safe.Count() <= 1 && w.mayExtend(depth, ply) && s.WinningPlacements().Empty()
}

// beyond is how many plies lines may be longer than the depth.
func (w *worker) beyond() int {
	if w.extends {
		return mostAnswers
	}
	return quietPlies
}

// onlyReply is the value of a position in which all moves but one lose at once, and that move. It is no ply.
func (w *worker) onlyReply(
	s *engines.State,
	start int,
	m engines.Move,
	depth, ply int,
	alpha, beta int32,
) (int32, engines.Move) {
	w.moves = w.moves[:start]
	frontier := w.frontier // of the node above, whose children are being valued
	w.frontier = false
	v := w.child(s, m, depth+1, ply, alpha, beta)
	w.frontier = frontier
	if f := &w.stack[ply]; !w.stopped && v > alpha {
		f.pv = append(append(f.pv[:0], m), w.stack[ply+1].pv...)
	}
	return v, m
}
