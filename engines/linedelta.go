package engines

import "spar/engines/rules"

// LineDeltas gives the line counts after each possible placement of the side to move. A placement changes only the
// windows through its cell, so LookAtLines counts all windows once and After needs only the difference.
type LineDeltas struct {
	s      *State
	counts [2]LineCount // line counts of the side to move and of the other side, before the placement
	worth  [2][]uint64  // by owner of the window: the change by a piece of the mover in it, in the fields below
}

// Fields of a change, one byte each. A byte is enough: at most 64 windows contain a cell.
const (
	lineFresh   = 8 * iota // open windows that get their first piece
	lineNeeded2            // the mover's windows that needed two pieces and then need one
	lineNeeded3
	lineNeeded4 // the mover's windows that had a piece and needed exactly four more
	lineLost1   // windows of the other side that needed one piece and are closed by the placement
	lineLost2
	lineLost3
	lineLost4 // the same for windows that needed four or more pieces
)

// placesPlainly returns the mechanics under which a placement adds one piece, changes nothing else, and ends the turn.
func placesPlainly() rules.Mechanics {
	return rules.MechanicsOf(rules.Wraps, rules.Falling, rules.Lines, rules.LineRegions, rules.LineDirections,
		rules.BoardEnds(), rules.StuckEnds())
}

// LookAtLines counts the lines of a position and writes them to d. It returns false, and d is not valid, if the
// next move may not be a placement, if a placement may change more than its cell, or if the next ply ends the
// game.
func (s *State) LookAtLines(d *LineDeltas) bool {
	g := s.g
	if !g.lineDeltas || !s.goesOn() {
		return false
	}
	d.s = s
	length := g.line.Length
	me := int(s.side & 1)
	own, enemy := s.pieces[me], s.pieces[1-me]
	d.counts = [2]LineCount{}
	for i := range d.counts {
		windows := g.line.Windows[me^i]
		if cap(d.worth[i]) < len(windows) {
			d.worth[i] = make([]uint64, len(windows))
		}
		worth := d.worth[i][:len(windows)]
		n := &d.counts[i]
		for k := range windows {
			cells := &windows[k].Cells
			a, b := cells.And(own), cells.And(enemy)
			worth[k] = 0
			switch {
			case b.Empty():
				have := a.Count()
				need := length - have
				switch {
				case need == 0: // a line that stands already, in a position from a text
					continue
				case have == 0:
					worth[k] = 1 << lineFresh
				case need <= 4:
					worth[k] = 1 << (8 * (need - 1) & 63)
				}
				if i == 0 && have > 0 {
					n.Need[min(need, 4)]++
					if need == 1 {
						n.Cells = n.Cells.Or(cells.AndNot(own))
					}
				}
			case a.Empty():
				need := length - b.Count()
				if need == 0 {
					continue
				}
				worth[k] = 1 << ((lineLost1 + 8*(min(need, 4)-1)) & 63)
				if i == 1 || g.line.Shared {
					of := &d.counts[1]
					of.Need[min(need, 4)]++
					if need == 1 {
						of.Cells = of.Cells.Or(cells.AndNot(enemy))
					}
				}
			}
		}
		if g.line.Shared {
			break
		}
	}
	return true
}

// After returns the line counts of the side to move (own) and of the other side (enemy) after the side to move has
// placed a piece on c. Wins is the lowest cell on which the other side can then complete a line at once, or
// NoCell. The last result is false if the placement ends the game.
func (d *LineDeltas) After(c Cell) (own, enemy LineCount, wins Cell, ok bool) {
	s := d.s
	g := s.g
	own, enemy = d.counts[0], d.counts[1]
	if own.Cells.Has(c) {
		return own, enemy, NoCell, false
	}
	me := int(s.side & 1)
	var gain, loss uint64
	worth := d.worth[0]
	for _, k := range g.line.Indices[me][c&CellMask] {
		gain += worth[k]
	}
	loss = gain
	if !g.line.Shared {
		loss = 0
		worth = d.worth[1]
		for _, k := range g.line.Indices[1-me][c&CellMask] {
			loss += worth[k]
		}
	}
	field := func(w uint64, at int) int { return int(w >> (at & 63) & 255) }
	fresh := field(gain, lineFresh)
	two := field(gain, lineNeeded2)
	three := field(gain, lineNeeded3)
	four := field(gain, lineNeeded4)
	own.Need[1] += two
	own.Need[2] += three - two
	own.Need[3] += four - three
	own.Need[4] -= four
	own.Need[min(g.line.Length-1, 4)] += fresh
	if two > 0 || g.line.Length == 2 {
		d.threats(&own, c)
	}
	for m := 1; m <= 4; m++ {
		enemy.Need[m] -= field(loss, lineLost1+8*(m-1))
	}
	enemy.Cells = enemy.Cells.Without(c)
	wins = NoCell
	if open := enemy.Cells; !open.Empty() {
		if g.gravity {
			open = open.And(g.landing(s.free().Without(c)))
		}
		if !open.Empty() {
			wins = open.First()
		}
	}
	return own, enemy, wins, true
}

// threats adds the cells that complete a line once a piece is on c.
func (d *LineDeltas) threats(n *LineCount, c Cell) {
	g, s := d.s.g, d.s
	me := int(s.side & 1)
	own, enemy := s.pieces[me].With(c), s.pieces[1-me]
	for _, k := range g.line.Indices[me][c&CellMask] {
		cells := g.line.Windows[me][k].Cells
		if rest := cells.AndNot(own); rest.Count() == 1 && rest.And(enemy).Empty() {
			n.Cells = n.Cells.Or(rest)
		}
	}
}
