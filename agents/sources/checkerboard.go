package sources

import (
	"fmt"
	"math"
	"math/bits"

	"spar/engines"
)

// checkerboard is the computer player of the checkerboard browser game. It opens with f6. Later it plays a win if
// there is one, and otherwise searches one, two or three plies by plain minimax and takes the first of the best
// cells. The deepest level searches only the twelve cells that are best after one ply. The original also has a
// step for blocking, which never has an effect, so it is omitted.
//
// The value V of a position for a side is a sum over the side's winning windows without an enemy stone: 1, 10, 100
// or 1000 for one to four own stones. The enemy's windows are subtracted in the same way, and half the influence
// of each own stone in the target half is added. The influence of a cell is the number of straight windows of four
// on the whole board that contain it. Internally all values are doubled, so that they are whole numbers. The last
// ply of a search is not played: a scan computes V after every placement at once.
type checkerboard struct {
	plies     int
	horizon   horizon
	cap       int
	fromPly   int // ply from which on pieces over the cap leave
	afterWin  bool
	windows   [2][]window
	target    [2]uint64
	influence [64]int

	me    int
	nodes int64
	path  [3]engines.State
	moves [3][65]engines.Move
	ages  [64]engines.Cell
	scans [3]scan
}

// window is a set of four cells that wins, with the adjacent cells that must not have an own piece if overlines do
// not win.
type window struct{ cells, guard uint64 }

// scan holds V for every position after a placement.
type scan struct {
	base  int     // V before any change by the placement
	gain  [64]int // change of V by a placement on each cell
	wins  uint64  // cells on which the mover wins
	stays int     // pieces that remain on the board after a placement
}

const (
	firstCell    = 45    // cell f6
	won          = 20000 // value of a win, doubled like all values
	hardsChoices = 12    // number of candidates of the deepest level
)

func newCheckerboard(plies int) func(string, *engines.Game) (source, error) {
	return func(level string, g *engines.Game) (source, error) {
		r := g.Rules()
		err := fit(level, g, append(alternates(r),
			is("board.columns", r.Board.Columns, 8),
			is("board.rows", r.Board.Rows, 8),
			is("territory", r.Territory, "halves"),
			is("win.line", r.Win.Line, 4),
			is("win.region", r.Win.Region, "enemy"),
		))
		if err != nil {
			return nil, err
		}
		h, err := newHorizon(g)
		if err != nil {
			return nil, fmt.Errorf("level %s: %w", level, err)
		}
		p := &checkerboard{
			plies: plies, horizon: h, cap: r.Pieces.Cap, fromPly: r.Pieces.RemovalFromPly,
			afterWin: r.Pieces.Removal == "after_win", influence: influence8(),
		}
		for side := range 2 {
			p.target[side] = g.Home(1 - side).Lo
			for _, w := range g.Windows(side) {
				p.windows[side] = append(p.windows[side], window{w.Cells.Lo, w.Guard.Lo})
			}
		}
		return p, nil
	}
}

// influence8 counts, for each cell of the 8x8 board, the straight windows of four that contain it.
func influence8() [64]int {
	var n [64]int
	for c := range 64 {
		for _, d := range [4][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}} {
			x, y := c%8+3*d[0], c/8+3*d[1] // the other end of the window
			if x < 0 || x > 7 || y > 7 {
				continue
			}
			for i := range 4 {
				n[c+i*(d[0]+8*d[1])]++
			}
		}
	}
	return n
}

func (p *checkerboard) choose(s *engines.State, legal []engines.Move, c *Choice) {
	if s.Ply() == 0 {
		for _, m := range legal {
			if m.To() == firstCell {
				c.only(m, math.NaN())
				return
			}
		}
	}
	p.me, p.nodes = s.Side(), 0
	p.horizon.root(&p.path[0], s, p.plies)
	p.scan(0)
	for _, m := range legal {
		if p.scans[0].wins>>m.To()&1 != 0 {
			c.only(m, won/2)
			c.Nodes = p.nodes
			return
		}
	}
	move, value := p.best(legal)
	c.only(move, float64(value)/2)
	c.Nodes = p.nodes
}

// best returns the first best of the legal moves, none of which wins at once. The root must have been scanned.
func (p *checkerboard) best(legal []engines.Move) (engines.Move, int) {
	tried := ^uint64(0)
	if p.plies == 3 {
		tried = p.candidates(legal)
	}
	move, best := legal[0], -infinite
	for _, m := range legal {
		if tried>>m.To()&1 == 0 {
			continue
		}
		if v := p.after(0, m, best); v > best {
			move, best = m, v
		}
	}
	return move, best
}

// candidates returns the cells with the largest V after a placement there; among equals the lower cell comes first.
func (p *checkerboard) candidates(legal []engines.Move) uint64 {
	top := &p.scans[0]
	var chosen uint64
	for range min(hardsChoices, len(legal)) {
		best := engines.NoCell
		for _, m := range legal {
			c := m.To()
			if chosen>>c&1 == 0 && (best == engines.NoCell || top.gain[c&63] > top.gain[best&63]) {
				best = c
			}
		}
		chosen |= 1 << best
	}
	return chosen
}

// after returns the value of a move of the position at depth d, or any value up to bound if it does not exceed bound.
func (p *checkerboard) after(d int, m engines.Move, bound int) int {
	if d == p.plies-1 {
		return p.leaf(d, m)
	}
	p.nodes++
	next := &p.path[d+1]
	next.CopyFrom(&p.path[d])
	next.Play(m)
	if next.Over() {
		return p.ended(next)
	}
	return p.search(d+1, bound)
}

func (p *checkerboard) ended(s *engines.State) int {
	switch s.Result() {
	case engines.Drawn:
		return 0
	case engines.Winner(p.me):
		return won
	}
	return -won
}

// search returns the minimax value of the unfinished position at depth d. At the enemy's turn it stops once the value
// is at most bound.
func (p *checkerboard) search(d, bound int) int {
	moves := p.path[d].AppendMoves(p.moves[d][:0])
	p.scan(d)
	if p.path[d].Side() == p.me { // after a pass
		best := -infinite
		for _, m := range moves {
			best = max(best, p.after(d, m, -infinite))
		}
		return best
	}
	// The reply that hurts most at once refutes most candidates: it is tried first.
	at, first := &p.scans[d], 0
	for i, m := range moves {
		if at.wins>>m.To()&1 != 0 {
			first = i
			break
		}
		if at.gain[m.To()&63] < at.gain[moves[first].To()&63] {
			first = i
		}
	}
	moves[0], moves[first] = moves[first], moves[0]
	worst := infinite
	for _, m := range moves {
		if m == engines.Swap {
			continue
		}
		if worst = min(worst, p.after(d, m, -infinite)); worst <= bound {
			break
		}
	}
	return worst
}

// leaf returns the value of a move of the position at depth d from its scan.
func (p *checkerboard) leaf(d int, m engines.Move) int {
	p.nodes++
	s, at := &p.path[d], &p.scans[d]
	switch {
	case !m.IsPlacement():
		return at.base
	case at.wins>>m.To()&1 != 0:
		if s.Side() == p.me {
			return won
		}
		return -won
	case at.stays == 64: // the placement fills the board
		var next engines.State
		next.CopyFrom(s)
		next.Play(m)
		if next.Over() {
			return p.ended(&next)
		}
	}
	return at.base + at.gain[m.To()&63]
}

// scan values every placement in the position at depth d.
func (p *checkerboard) scan(d int) {
	s, at := &p.path[d], &p.scans[d]
	mover := s.Side()
	own, enemy := s.Pieces(mover).Lo, s.Pieces(1-mover).Lo
	stay := own
	if over := bits.OnesCount64(own) + 1 - p.cap; p.cap > 0 && over > 0 && s.Ply()+1 >= p.fromPly {
		for _, c := range s.Ages(mover, p.ages[:0])[:over] {
			stay &^= 1 << c
		}
	}
	at.stays = bits.OnesCount64(stay|enemy) + 1
	tested := stay
	if p.afterWin {
		tested = own
	}
	at.wins = p.winning(mover, tested, enemy)
	if mover == p.me {
		at.base = p.gains(mover, stay, enemy, 1, at)
		for b := stay & p.target[mover]; b != 0; b &= b - 1 {
			at.base += p.influence[bits.TrailingZeros64(b)]
		}
		for b := p.target[mover] &^ (stay | enemy); b != 0; b &= b - 1 {
			c := bits.TrailingZeros64(b)
			at.gain[c] += p.influence[c]
		}
		return
	}
	at.base = p.gains(mover, stay, enemy, -1, at)
	for b := enemy & p.target[p.me]; b != 0; b &= b - 1 {
		at.base += p.influence[bits.TrailingZeros64(b)]
	}
}

// winning returns the cells where a placement completes a window of a side or keeps a complete one.
func (p *checkerboard) winning(side int, own, enemy uint64) uint64 {
	var wins uint64
	for i := range p.windows[side] {
		w := &p.windows[side][i]
		missing := w.cells &^ own
		if missing&(missing-1) != 0 || missing&enemy != 0 || w.guard&own != 0 {
			continue
		}
		if missing == 0 { // the oldest stone of a longer run has left
			missing = ^(own | enemy | w.guard)
		}
		wins |= missing
	}
	return wins
}

// gains returns the sum of the windows for the mover, and writes the change by a stone of the mover on each cell; sign
// is -1 for the other side.
func (p *checkerboard) gains(mover int, own, enemy uint64, sign int, at *scan) int {
	worth := [5]int{0, 2 * sign, 20 * sign, 200 * sign, 2000 * sign}
	more := [5]int{2 * sign, 18 * sign, 180 * sign, 1800 * sign, 0}
	at.gain = [64]int{}
	sum := 0
	for i := range p.windows[mover] { // windows to fill
		cells := p.windows[mover][i].cells
		if cells&enemy != 0 {
			continue
		}
		n := bits.OnesCount64(cells & own)
		sum += worth[n]
		for b := cells &^ own; b != 0; b &= b - 1 {
			at.gain[bits.TrailingZeros64(b)] += more[n]
		}
	}
	for i := range p.windows[1-mover] { // windows to block
		cells := p.windows[1-mover][i].cells
		if cells&own != 0 || cells&enemy == 0 {
			continue
		}
		n := bits.OnesCount64(cells & enemy)
		sum -= worth[n]
		for b := cells &^ enemy; b != 0; b &= b - 1 {
			at.gain[bits.TrailingZeros64(b)] += worth[n]
		}
	}
	return sum
}
