package sources

import (
	"math"
	"math/bits"

	"spar/engines"
)

// toTheEnd is a depth that no game on a board of nine cells reaches if there is no cap: nine placements and two
// passes.
const toTheEnd = 12

// infinite is larger than any value.
const infinite = math.MaxInt32

// lookahead is minimax of a fixed depth, from the view of the choosing side. It uses alpha-beta so that all best root
// moves are found.
type lookahead struct {
	plies int                                  // depth of the search, in plies
	win   int                                  // value of a win; a loss has the negative
	hurry int                                  // decrease of the value of a win or loss for every ply until it
	value func(s *engines.State, side int) int // value of a leaf; nil = 0

	me    int
	nodes int64
	path  [toTheEnd + 1]engines.State
	moves [toTheEnd + 1][]engines.Move
}

// best returns the first best of the legal moves with its value. path[0] must be the position.
func (l *lookahead) best(legal []engines.Move) (engines.Move, int) {
	l.begin()
	move, best := legal[0], -infinite
	for _, m := range legal {
		if v := l.after(0, m, best, infinite); v > best {
			move, best = m, v
		}
	}
	return move, best
}

// allBest appends all best legal moves to dst and returns their value. path[0] must be the position.
func (l *lookahead) allBest(legal, dst []engines.Move) ([]engines.Move, int) {
	l.begin()
	best := -infinite
	for _, m := range legal {
		v := l.after(0, m, best-1, infinite) // the window leaves room for an equal value
		if v > best {
			best, dst = v, dst[:0]
		}
		if v == best {
			dst = append(dst, m)
		}
	}
	return dst, best
}

func (l *lookahead) begin() {
	l.me, l.nodes = l.path[0].Side(), 0
}

// after returns the value of a move of the position at depth d.
func (l *lookahead) after(d int, m engines.Move, alpha, beta int) int {
	next := &l.path[d+1]
	next.CopyFrom(&l.path[d])
	next.Play(m)
	return l.search(d+1, alpha, beta)
}

func (l *lookahead) search(d, alpha, beta int) int {
	s := &l.path[d]
	l.nodes++
	switch s.Result() {
	case engines.Ongoing:
	case engines.Drawn:
		return 0
	case engines.Winner(l.me):
		return l.win - l.hurry*d
	default:
		return l.hurry*d - l.win
	}
	if d == l.plies {
		if l.value == nil {
			return 0
		}
		return l.value(s, l.me)
	}
	sign := 1
	if s.Side() != l.me {
		sign, alpha, beta = -1, -beta, -alpha
	}
	best := -infinite
	l.moves[d] = s.AppendMoves(l.moves[d][:0])
	for _, m := range l.moves[d] {
		if m == engines.Swap {
			continue
		}
		low, high := max(alpha, best), beta
		if sign < 0 {
			low, high = -high, -low
		}
		best = max(best, sign*l.after(d, m, low, high))
		if best >= beta {
			break
		}
	}
	return sign * best
}

// lineValues evaluates positions by the lines of the 3x3 board. It ignores ages.
type lineValues struct {
	lines  [8]uint64
	score  [16]int // value of a line, by 4*(own pieces in it) + enemy pieces in it
	centre int     // value of a piece on the centre
	corner int     // value of a piece in a corner
}

const (
	centre3  = 1 << 4
	corners3 = 1<<0 | 1<<2 | 1<<6 | 1<<8
	board3   = 1<<9 - 1
)

func newLineValues(g *engines.Game) lineValues {
	var t lineValues
	for i, w := range g.Windows(engines.First) {
		t.lines[i] = w.Cells.Lo
	}
	return t
}

// open sets the value of lines with n pieces of only one side, for n from 0 to 2 or 3.
func (t *lineValues) open(values ...int) {
	for n, v := range values {
		t.score[4*n] += v
		if n > 0 {
			t.score[n] -= v
		}
	}
}

// of returns the value of a position for a side.
func (t *lineValues) of(s *engines.State, side int) int {
	own, enemy := s.Pieces(side).Lo, s.Pieces(1-side).Lo
	v := t.centre*(bits.OnesCount64(own&centre3)-bits.OnesCount64(enemy&centre3)) +
		t.corner*(bits.OnesCount64(own&corners3)-bits.OnesCount64(enemy&corners3))
	for _, line := range t.lines {
		v += t.score[(bits.OnesCount64(own&line)<<2|bits.OnesCount64(enemy&line))&15]
	}
	return v
}

// completing returns the lowest empty cell that completes a line of a side with the pieces now on the board, even
// if one of them would leave. The result ok is false if there is no such cell.
func (t *lineValues) completing(s *engines.State, side int) (c engines.Cell, ok bool) {
	own := s.Pieces(side).Lo
	free := board3 &^ (own | s.Pieces(1-side).Lo)
	var cells uint64
	for _, line := range t.lines {
		if missing := line &^ own; missing&(missing-1) == 0 {
			cells |= missing & free
		}
	}
	return engines.Cell(bits.TrailingZeros64(cells)), cells != 0
}

// fit3 requires three in a row on the 3x3 board.
func fit3(level string, g *engines.Game, more ...need) error {
	r := g.Rules()
	needs := append(alternates(r),
		is("board.columns", r.Board.Columns, 3),
		is("board.rows", r.Board.Rows, 3),
		is("win.line", r.Win.Line, 3),
		is("win.region", r.Win.Region, "anywhere"),
		is("placement.opening", len(r.Placement.Opening), 0),
	)
	return fit(level, g, append(needs, more...))
}
