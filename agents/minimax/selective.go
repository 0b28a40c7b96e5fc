package minimax

import (
	"math"

	"spar/agents/eval"
	"spar/engines"
	"spar/engines/rules"
)

// A selective search has no stated depth. It looks less deep at what probably does not matter, and so deeper at
// what may. All that it leaves out counts as a guess, so that what it calls proved is.
//
//   - Moves are tried in the order of the values of the positions after them.
//   - A move late in that order is searched less deep, and again where it turns out well.
//   - A position that the evaluation values far beyond the window is not searched: by so much that a few plies hardly
//     ever change it, or that its side could even pass.
//
// How much is left out follows from the errors that this makes: some of what might be left out is searched all the
// same, and each case that turns out wrong makes the search more careful, so that the share of errors stays what the
// constants say, whatever the game and the evaluation are.

const (
	orderedDepth = 3    // minimum depth at which moves are ordered by value
	reducedDepth = 3    // minimum depth at which late moves get a reduced search
	reducedFrom  = 3    // moves before this index never get a reduced search
	cutDepth     = 6    // maximum depth at which the value alone can cut a position
	passDepth    = 3    // minimum depth at which a position can be cut because its side could pass
	checkedCuts  = 8    // one in this many cuts is checked
	wrongCuts    = 0.02 // allowed fraction of wrong cuts
	checkedLate  = 32   // one in this many late moves is searched to the full depth
	wrongLate    = 0.01 // allowed fraction of late moves that are better than the reduced search found
)

// selection is what the selective search of one thread has learned about a game and its evaluation.
type selection struct {
	on        bool  // the current search is selective
	unit      int32 // value for which the expected score is 73 %: one unit of the logistic function
	late      lateMoves
	high, low [cutDepth + 1]margin // margins above and below the window, for each depth
	pass      margin
	mayPass   bool // the result of mayPass
	children  []eval.Child
}

// margin is the distance of a value from the window at which the position is cut.
type margin struct {
	size int32
	low  bool   // the value must be below the window; otherwise above
	n    uint32 // cuts so far
}

// lateMoves holds the depth reductions of late moves.
type lateMoves struct {
	plies [MaxDepth + 1][64]float32 // reduction in plies, by depth and index of the move
	scale float32                   // factor for all reductions
	odd   int                       // 1 if only even reductions are allowed
	n     uint32                    // reduced searches so far
}

func newSelection(g *engines.Game, m eval.Model) selection {
	s := selection{unit: unitOf(m), mayPass: mayPass(g)}
	if !g.Moves() {
		s.late.odd = 1 // where pieces are placed, values of even and odd depths differ by who placed last
	}
	for d := reducedDepth; d <= MaxDepth; d++ {
		for i := reducedFrom; i < len(s.late.plies[d]); i++ {
			s.late.plies[d][i] = float32(0.5 + math.Log(float64(d))*math.Log(float64(i))/2.2)
		}
	}
	return s
}

// reset forgets what was learned. The first margins are small: they grow fast if they cause errors, while large margins
// would shrink slowly.
func (s *selection) reset() {
	for d := range s.high {
		s.high[d] = margin{size: int32(d) * s.unit / 16}
		s.low[d] = margin{size: int32(d) * s.unit / 8, low: true}
	}
	s.pass = margin{}
	s.late.scale, s.late.n = 1, 0
}

// unitOf returns the value, in units of the search's scores, for which the model expects the score 1/(1+1/e).
func unitOf(m eval.Model) int32 {
	want := 1 / (1 + math.Exp(-1))
	lo, hi := 0.0, 1e6
	for range 60 {
		if mid := (lo + hi) / 2; m.Score(mid) < want {
			lo = mid
		} else {
			hi = mid
		}
	}
	return max(1, whole(hi))
}

// mayPass reports whether a pass hardly ever helps under the rules: moves lead to goals, and no side is forced to
// weaken its position.
func mayPass(g *engines.Game) bool {
	uses := g.Mechanics()
	goals := uses.Any(rules.Lines, rules.Connections, rules.Reaches, rules.Majorities, rules.Patterns,
		rules.CaptureWins)
	forced := uses.Any(rules.Falling, rules.Ages, rules.Forced, rules.MustEnclose, rules.Repetitions, rules.StuckWins,
		rules.Misere, rules.LosingLines, rules.Mills)
	return goals && !forced && g.Rules().Turn.Placements == 1
}

// check reports whether a cut is to be checked.
func (m *margin) check() bool {
	m.n++
	return m.n%checkedCuts == 0
}

// learn adjusts the margin after a check, in steps of the given unit.
func (m *margin) learn(unit int32, wrong bool) {
	step := float64(unit) / 8
	if wrong {
		m.size += int32(step)
	} else {
		m.size = max(0, m.size-int32(step*wrongCuts/(1-wrongCuts)))
	}
}

// less returns the reduction, in plies, for the move with an index.
func (l *lateMoves) less(depth, place int) int {
	if depth < reducedDepth || place < reducedFrom {
		return 0
	}
	return min(depth-2, int(l.scale*l.plies[depth][min(place, len(l.plies[depth])-1)])) &^ l.odd
}

func (l *lateMoves) check() bool {
	l.n++
	return l.n%checkedLate == 0
}

func (l *lateMoves) learn(wrong bool) {
	const step, most = 0.05, 2.5
	if wrong {
		l.scale = max(0, l.scale-step)
	} else {
		l.scale = min(most, l.scale+step*wrongLate/(1-wrongLate))
	}
}

// lateMove is child with a null window for a move that may get a reduced search.
func (w *worker) lateMove(s *engines.State, m engines.Move, depth, ply, place int, alpha int32) int32 {
	late := &w.selection.late
	less := 0
	if w.selection.on {
		less = late.less(depth, place)
	}
	v := w.child(s, m, depth-less, ply, alpha, alpha+1)
	if less == 0 || w.stopped {
		return v
	}
	failed := v <= alpha
	if failed && !late.check() {
		return v
	}
	if v = w.child(s, m, depth, ply, alpha, alpha+1); failed && !w.stopped {
		late.learn(v > alpha)
	}
	return v
}

// orderByValue adds the values of the positions after the moves, from start on, to their order values. It returns the
// index of the first best move.
func (w *worker) orderByValue(s *engines.State, start int) int {
	side, sel := s.Side(), &w.selection
	sel.children = w.cursor.Children(s, w.moves[start:], side, sel.children[:0])
	best, top := start, int64(math.MinInt64)
	for i, c := range sel.children {
		v := w.order[start+i] &^ (classCounter - 1) // its class, without its history
		if old := w.order[start+i]; old >= classCapture && old < classTable {
			v = 0 // the value knows what it captures
		}
		switch c.Result {
		case engines.Ongoing:
			v += int64(whole(c.Value))
		case engines.Winner(side):
			v += classWin
		case engines.Winner(1 - side):
			v -= evalMax
		}
		w.order[start+i] = v
		if v > top {
			best, top = start+i, v
		}
	}
	return best
}

// cut reports whether a position is cut, and returns the value to use instead of a search. If the cut is to be
// checked, it also returns the margin.
func (w *worker) cut(s *engines.State, depth, ply int, alpha, beta int32) (int32, *margin, bool) {
	sel := &w.selection
	passes := sel.mayPass && depth >= passDepth && !s.Passed() && !s.MaySwap() && !s.Taking() &&
		s.Chain() == engines.NoCell
	if !passes && depth > cutDepth {
		return 0, nil, false
	}
	value := w.evaluate(s, s.Side())
	if depth <= cutDepth {
		m := &sel.high[depth]
		v := value - m.size
		if v < beta {
			m = &sel.low[depth]
			v = value + m.size
		}
		if !m.low && v >= beta || m.low && v <= alpha {
			return w.unlessChecked(v, m)
		}
	}
	if passes && value-sel.pass.size >= beta {
		if v := w.pass(s, depth-passDepth-depth/4, ply, beta); v >= beta && !w.stopped {
			return w.unlessChecked(min(v, winLimit-1), &sel.pass)
		}
	}
	return 0, nil, false
}

func (w *worker) unlessChecked(v int32, m *margin) (int32, *margin, bool) {
	if m.check() {
		return 0, m, false
	}
	w.guesses++
	return v, nil, true
}

// pass returns the value for the side to move after a pass, searched only as far as beta requires.
func (w *worker) pass(s *engines.State, depth, ply int, beta int32) int32 {
	f := &w.stack[ply+1]
	w.down(s, &f.state, engines.Pass)
	defer w.up()
	if f.state.Over() || f.state.Side() == s.Side() {
		return beta - 1
	}
	f.pv = f.pv[:0]
	return -w.node(&f.state, max(0, depth), ply+1, -beta, 1-beta)
}
