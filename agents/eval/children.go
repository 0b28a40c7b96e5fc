package eval

import (
	"math"

	"spar/engines"
)

// Children values the positions after the moves of one position. What they share is counted once, and each is valued by what its
// move changes, where the rules allow that; else the move is played. The values are those of Evaluator.Value, to the last bit.
// It owns its memory: one goroutine at a time, nothing allocated after the first positions.
type Children struct {
	e      *Evaluator
	s      *engines.State
	ph     *phase // of the children
	how    sharing
	lines  engines.LineDeltas
	around engines.Around // of the position
	after  engines.Around // of a child
	view   int            // the side whose value base and centre are for
	base   Vector         // the features of the position
	centre [2]float64     // the sums over pieces of the two sides
	next   engines.State  // for moves that have to be played
}

// sharing says what the children of a position have in common that is counted once.
type sharing uint8

const (
	nothing sharing = iota
	windows         // a placement changes the lines through its cell
	boxes           // a placement changes what stands around its cell, and around what it converts
)

// Children returns memory for the children of positions.
func (e *Evaluator) Children() *Children { return &Children{e: e} }

// Of turns to the children of a position, which must stay as it is as long as they are asked for.
func (k *Children) Of(s *engines.State) {
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
}

// Value returns the value for a side of the position after a move, as long as the game goes on, and the result if it does not.
func (k *Children) Value(m engines.Move, side int) (float64, engines.Result) {
	if value, _, ok := k.Unplayed(m, side); ok {
		return value, engines.Ongoing
	}
	k.next.CopyFrom(k.s)
	k.next.Play(m)
	if k.next.Over() {
		return 0, k.next.Result()
	}
	return k.e.Value(&k.next, side), engines.Ongoing
}

// Unplayed is Value found without playing the move, and a cell on which the side that is to move then completes a line at once,
// or NoCell. It reports false where the move has to be played: where it ends the game, and where Shared is false.
func (k *Children) Unplayed(m engines.Move, side int) (value float64, wins engines.Cell, ok bool) {
	c := m.To()
	switch k.how {
	case windows:
		own, enemy, wins, ok := k.lines.After(c)
		if ok {
			return k.afterLines(c, side, &own, &enemy, wins != engines.NoCell), wins, true
		}
	case boxes:
		return k.afterBoxes(c, side), engines.NoCell, true
	}
	return 0, engines.NoCell, false
}

// Shared tells whether the children are valued together.
func (k *Children) Shared() bool { return k.how != nothing }

// Next is the side that moves after a placement that need not be played.
func (k *Children) Next() int {
	if k.how == boxes && k.s.PliesLeft() > 1 {
		return k.s.Side()
	}
	return 1 - k.s.Side()
}

// Around returns what stands around the cells after the placement that was valued last, and whether that is known.
func (k *Children) Around() (*engines.Around, bool) { return &k.after, k.how == boxes }

// afterLines values a placement by the lines through its cell; the turn goes over.
func (k *Children) afterLines(c engines.Cell, side int, own, enemy *engines.LineCount, ready bool) float64 {
	if k.view != side {
		k.look(side)
	}
	ph, g, mover := k.ph, k.e.t.game, k.s.Side()
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
		k.e.fillLines(v, me, own)
		k.e.fillLines(v, pairFeatures-me, enemy)
		v[pairFeatures-me+Ready] = 0
		if ready {
			v[pairFeatures-me+Ready] = 1
		}
	}
	i := int(me / pairFeatures)
	home := 0.0
	if g.Home(1 - mover).Has(c) {
		home = 1
	}
	material, advanced, centre := v[me+Material], v[me+Advanced], v[me+Centre]
	v[me+Material]++
	v[me+Advanced] += home
	if ph.perCell != nil {
		v[me+Centre] = ph.sumOver(i, mover, k.s.Pieces(mover), c, k.centre[i])
	}
	sum := ph.sum(v)
	v[me+Material], v[me+Advanced], v[me+Centre] = material, advanced, centre
	return sum
}

// afterBoxes values a placement by what stands around it and what it converts.
func (k *Children) afterBoxes(c engines.Cell, side int) float64 {
	if k.view != side {
		k.look(side)
	}
	ph, g := k.ph, k.e.t.game
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

// look counts what all children share, as a side sees it.
func (k *Children) look(side int) {
	k.view = side
	k.base = Vector{}
	s, g := k.s, k.e.t.game
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

// sumOver adds up what the pieces of a side and one more are worth by their cells, in the order of the cells, in which Value adds
// them, too. Where no order can make a difference it adds one to what is known.
func (ph *phase) sumOver(i, side int, pieces engines.Bits, more engines.Cell, known float64) float64 {
	worth := &ph.perCell[i&1][side&1]
	if more != engines.NoCell {
		if ph.additive {
			return known + worth[more&127]
		}
		pieces = pieces.With(more)
	}
	sum := 0.0
	for b := pieces; !b.Empty(); b = b.Rest() {
		sum += worth[b.First()&127]
	}
	return sum
}

// addsExactly tells whether sums of the numbers are exact in any order: all are multiples of 2^-20, and small.
func addsExactly(numbers *[2][2][128]float64) bool {
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
