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
	shared bool   // what the children share is counted
	lines  engines.LineDeltas
	view   int           // the side whose value base and centre are for
	base   Vector        // the features of the position
	centre [2]float64    // the sums over pieces of the two sides
	next   engines.State // for moves that have to be played
}

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
	k.shared = e.shares && s.LookAtLines(&k.lines)
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
	if !k.shared {
		return 0, engines.NoCell, false
	}
	own, enemy, wins, ok := k.lines.After(m.To())
	if !ok {
		return 0, engines.NoCell, false
	}
	return k.valueAfter(m.To(), side, &own, &enemy, wins != engines.NoCell), wins, true
}

// Shared tells whether the children are valued together.
func (k *Children) Shared() bool { return k.shared }

// valueAfter values a placement by its changes.
func (k *Children) valueAfter(c engines.Cell, side int, own, enemy *engines.LineCount, ready bool) float64 {
	if k.view != side {
		k.look(side)
	}
	ph, g, mover := k.ph, k.e.t.game, k.s.Side()
	me := Feature(0)
	if mover != side {
		me = pairFeatures
	}
	v := &k.base
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
	if s.Side() != side { // the turn goes over
		k.base[tempoFeature] = 1
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
