package sources

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

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
// on the whole board that contain it. Internally all values are doubled, so that they are whole numbers.
type checkerboard struct {
	horizon   horizon
	search    lookahead
	windows   [2][]uint64
	target    [2]uint64
	influence [64]int
	chosen    []engines.Move
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
		h, err := newHorizon(level, g)
		if err != nil {
			return nil, err
		}
		p := &checkerboard{horizon: h, search: lookahead{plies: plies, win: won}, influence: influence8()}
		p.search.value = p.value
		for side := range 2 {
			p.target[side] = g.Home(1 - side).Lo
			for _, w := range g.Windows(side) {
				p.windows[side] = append(p.windows[side], w.Cells.Lo)
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
	p.horizon.root(&p.search.path[0], s, p.search.plies)
	p.search.begin()
	for _, m := range legal {
		if p.after(m) == won {
			c.only(m, won/2)
			return
		}
	}
	move, value := p.search.best(p.candidates(legal))
	c.only(move, float64(value)/2)
	c.Nodes = p.search.nodes
}

// after returns the value of the position after a move, without search.
func (p *checkerboard) after(m engines.Move) int {
	depth := p.search.plies
	p.search.plies = 1
	defer func() { p.search.plies = depth }()
	return p.search.after(0, m, -infinite, infinite)
}

// candidates returns the moves that are searched: on the deepest level those with the largest V after the placement;
// among equals the lower cell comes first.
func (p *checkerboard) candidates(legal []engines.Move) []engines.Move {
	if p.search.plies < 3 || len(legal) <= hardsChoices {
		return legal
	}
	var values [64]int
	for _, m := range legal {
		values[m.To()&63] = p.after(m)
	}
	p.chosen = append(p.chosen[:0], legal...)
	slices.SortStableFunc(p.chosen, func(a, b engines.Move) int {
		return cmp.Compare(values[b.To()&63], values[a.To()&63])
	})
	p.chosen = p.chosen[:hardsChoices]
	slices.SortFunc(p.chosen, func(a, b engines.Move) int { return cmp.Compare(a.To(), b.To()) })
	return p.chosen
}

// value returns twice V for a side.
func (p *checkerboard) value(s *engines.State, side int) int {
	own, enemy := s.Pieces(side).Lo, s.Pieces(1-side).Lo
	worth := [5]int{0, 2, 20, 200, 2000}
	sum := 0
	for _, w := range p.windows[side] {
		if w&enemy == 0 {
			sum += worth[bits.OnesCount64(w&own)]
		}
	}
	for _, w := range p.windows[1-side] {
		if w&own == 0 {
			sum -= worth[bits.OnesCount64(w&enemy)]
		}
	}
	for b := own & p.target[side]; b != 0; b &= b - 1 {
		sum += p.influence[bits.TrailingZeros64(b)]
	}
	return sum
}
