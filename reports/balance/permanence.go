package balance

import (
	"spar/ratings"
)

import "math"

// permanence computes how lasting the effect of moves is.
func (m measurer) permanence(d *groupData, all []*arc, dead float64, exact bool) *Permanence {
	if d.board.n == 0 {
		return nil
	}
	ratio := func(num, den int, unit string) ratings.Estimate { return m.ratio(d.board, num, den, d.of(), unit) }
	out := &Permanence{
		Repetition: ratio(boardRepeats, boardGames, "share"), Undone: ratio(boardUndone, boardEffects, "share"),
		Removed: ratio(boardRemoved, boardPlies, "pieces per ply"),
	}
	if exact {
		return out // no move gains anything
	}
	var recovered [][]float64
	for _, a := range all {
		row := []float64{0, 0}
		for i := 1; i < len(a.v)-1; i++ {
			gain := gainAt(a, a.v, i)
			if gain <= dead {
				continue
			}
			side := a.side[i-1]
			if a.side[i] == side {
				continue // the mover goes on: that is no reply
			}
			back := (a.of(a.v, i, side) - a.of(a.v, i+1, side)) / gain
			row[0], row[1] = row[0]+1-math.Min(math.Max(back, 0), 1), row[1]+1
		}
		if row[1] > 0 {
			recovered = append(recovered, row)
		}
	}
	out.Browne = m.ratio(fold(recovered), 0, 1, "games", "share")
	return out
}
