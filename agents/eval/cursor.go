package eval

import (
	"math"

	"spar/engines"
)

// cursor is the Cursor of the linear evaluation. It counts only once what all children of a position have in
// common. If the rules allow it, the value of a child is computed from what its move changes; otherwise the cursor
// plays the move. The values are exactly those of Evaluator.Value.
type cursor struct {
	e      *Evaluator
	s      *engines.State
	ph     *phase // phase to which the children belong
	how    sharing
	lines  engines.LineDeltas
	around engines.Around // counts around the cells in the position
	after  engines.Around // the same counts after a child's move
	view   int            // side from whose view base and centre are
	base   Vector         // features of the position
	centre [2]float64     // sums over the pieces of each side
	next   engines.State  // memory for positions after moves that have to be played
}

// sharing is what the cursor counts once for all children of a position.
type sharing uint8

const (
	nothing sharing = iota
	windows         // a placement changes the lines through its cell
	boxes           // a placement changes the neighbourhoods of its cell and of the cells that it converts
)

// Cursor returns a cursor for one goroutine.
func (e *Evaluator) Cursor() Cursor { return &cursor{e: e} }

// Value is like Evaluator.Value.
func (k *cursor) Value(s *engines.State, side int) float64 { return k.e.Value(s, side) }

// ValueOrWin is like Evaluator.ValueOrWin.
func (k *cursor) ValueOrWin(s *engines.State) (float64, engines.Cell) { return k.e.ValueOrWin(s) }

// manyWindows is the number of line windows from which counting them costs more than it saves in a search.
const manyWindows = 6

// Leaves prepares Leaf by counting the features that the children of a position have in common. It reports whether
// Leaf can be called.
func (k *cursor) Leaves(s *engines.State, moves int) bool {
	return len(k.e.t.game.Windows(s.Side())) <= manyWindows*moves && k.look(s)
}

// look counts what the children of a position have in common, if anything.
func (k *cursor) look(s *engines.State) bool {
	e := k.e
	k.s, k.view = s, -1
	k.ph = &e.phases[0]
	if s.Ply()+1 >= e.lateFrom {
		k.ph = &e.phases[1]
	}
	switch {
	case !e.shares:
		k.how = nothing
	case s.LookAtLines(&k.lines):
		k.how = windows
	case s.LookAroundPlacements(&k.around):
		k.how = boxes
	default:
		k.how = nothing
	}
	return k.how != nothing
}

// Children appends the values of the positions after the given moves.
func (k *cursor) Children(s *engines.State, moves []engines.Move, side int, dst []Child) []Child {
	k.look(s)
	for _, m := range moves {
		if leaf, ok := k.unplayed(m, side); ok {
			dst = append(dst, Child{Value: leaf.Value})
			continue
		}
		k.next.CopyFrom(s)
		k.next.Play(m)
		c := Child{Result: k.next.Result()}
		if c.Result == engines.Ongoing {
			c.Value = k.e.Value(&k.next, side)
		}
		dst = append(dst, c)
	}
	return dst
}

// Leaf computes the value after a placement from what the placement changes.
func (k *cursor) Leaf(m engines.Move) (Leaf, bool) {
	next := 1 - k.s.Side()
	if k.how == boxes && k.s.PliesLeft() > 1 {
		next = k.s.Side()
	}
	leaf, ok := k.unplayed(m, next)
	leaf.Next = next
	return leaf, ok
}

// unplayed evaluates a position for a side from its features. Leaf.Quiet is true to the side to move.
func (k *cursor) unplayed(m engines.Move, side int) (Leaf, bool) {
	c := m.To()
	switch k.how {
	case windows:
		own, enemy, wins, ok := k.lines.After(c)
		if ok {
			return Leaf{
				Value:  k.afterLines(c, side, &own, &enemy, wins != engines.NoCell),
				Wins:   wins,
				Quiet:  true,
				Threat: !own.Cells.Empty(),
			}, true
		}
	case boxes:
		value := k.afterBoxes(c, side)
		hanging, _ := k.after.Exposed(1 - side)
		return Leaf{Value: value, Wins: engines.NoCell, Quiet: hanging.Empty()}, true
	}
	return Leaf{}, false
}

// afterLines evaluates a placement that ends the turn by the lines through its cell.
func (k *cursor) afterLines(c engines.Cell, side int, own, enemy *engines.LineCount, ready bool) float64 {
	if k.view != side {
		k.see(side)
	}
	ph, mover := k.ph, k.s.Side()
	me := Feature(0)
	if mover != side {
		me = pairFeatures
	}
	v := &k.base
	v[tempoFeature] = 0
	if mover != side {
		v[tempoFeature] = 1
	}
	if ph.lines {
		fillLines(v, me, k.e.t.waiting(k.s, mover), own)
		fillLines(v, pairFeatures-me, k.e.t.waiting(k.s, 1-mover), enemy)
		v[pairFeatures-me+Ready] = 0
		if ready {
			v[pairFeatures-me+Ready] = 1
		}
	}
	i := int(me / pairFeatures)
	home := 0.0
	if k.s.Game().Home(1 - mover).Has(c) {
		home = 1
	}
	material := v[me+Material]
	advanced := v[me+Advanced]
	centre := v[me+Centre]
	v[me+Material]++
	v[me+Advanced] += home
	if ph.perCell != nil {
		v[me+Centre] = ph.sumOver(i, mover, k.s.Pieces(mover), c, k.centre[i])
	}
	sum := ph.sum(v)
	v[me+Material], v[me+Advanced], v[me+Centre] = material, advanced, centre
	return sum
}

// afterBoxes evaluates a placement by its neighbourhood and by the pieces that it converts.
func (k *cursor) afterBoxes(c engines.Cell, side int) float64 {
	if k.view != side {
		k.see(side)
	}
	ph, g := k.ph, k.s.Game()
	v, a := &k.base, &k.after
	next := a.After(&k.around, c)
	v[tempoFeature] = 0
	if next == side {
		v[tempoFeature] = 1
	}
	mover := k.s.Side()
	converts := a.Pieces(1-mover) != k.s.Pieces(1-mover)
	for i, of := range [2]int{side, 1 - side} {
		at := (*[pairFeatures]float64)(v[Feature(i)*pairFeatures:])
		pieces := a.Pieces(of)
		at[Material] = float64(pieces.Count())
		at[Advanced] = float64(pieces.And(g.Home(1 - of)).Count())
		if ph.perCell == nil {
			continue
		}
		switch {
		case converts:
			at[Centre] = ph.sumOver(i, of, pieces, engines.NoCell, 0)
		case of == mover:
			at[Centre] = ph.sumOver(i, of, k.s.Pieces(of), c, k.centre[i])
		default:
			at[Centre] = k.centre[i]
		}
	}
	ph.fillAround(v, a, side)
	return ph.sum(v)
}

// see counts, for one side, what all children have in common.
func (k *cursor) see(side int) {
	k.view = side
	k.base = Vector{}
	s, g := k.s, k.s.Game()
	for i, of := range [2]int{side, 1 - side} {
		at := (*[pairFeatures]float64)(k.base[Feature(i)*pairFeatures:])
		pieces := s.Pieces(of)
		at[Material] = float64(pieces.Count())
		at[Advanced] = float64(pieces.And(g.Home(1 - of)).Count())
		if k.ph.perCell != nil {
			k.centre[i] = k.ph.sumOver(i, of, pieces, engines.NoCell, 0)
			at[Centre] = k.centre[i]
		}
	}
}

// sumOver adds up the cell values of a side's pieces and one more piece. It adds them in the order of the cells, as
// Value does; if the sum is exact in any order, it adds one value to a known sum.
func (ph *phase) sumOver(i, side int, pieces engines.Bits, more engines.Cell, known float64) float64 {
	worth := &ph.perCell[i&1][side&1]
	if more != engines.NoCell {
		if ph.additive {
			return known + worth[more&engines.CellMask]
		}
		pieces = pieces.With(more)
	}
	sum := 0.0
	for b := pieces; !b.Empty(); b = b.Rest() {
		sum += worth[b.First()&engines.CellMask]
	}
	return sum
}

// addsExactly reports whether sums of the numbers are exact in any order, which is so if all are small multiples
// of 2^-20.
func addsExactly(numbers *[2][2][engines.CellSpace]float64) bool {
	for i := range numbers {
		for side := range numbers[i] {
			for _, x := range numbers[i][side] {
				if scaled := x * (1 << 20); scaled != math.Trunc(scaled) || math.Abs(x) > 1<<20 {
					return false
				}
			}
		}
	}
	return true
}
