package balance

import "math"

// permanence is measure 21.
func (m measurer) permanence(d *groupData, all []*arc, dead float64, exact bool) *Permanence {
	row := func(of func(*record) []float64) ([][]float64, string) {
		return units(d.members, func(r *record) []float64 {
			if r.bad || r.visited == 0 {
				return nil
			}
			return of(r)
		})
	}
	repeats, games := row(func(r *record) []float64 { return []float64{1 - float64(r.unique)/float64(r.visited), 1} })
	undone, _ := row(func(r *record) []float64 { return []float64{float64(r.undone), float64(r.effects)} })
	removed, _ := row(func(r *record) []float64 { return []float64{float64(r.removed), float64(r.plies)} })
	if len(repeats) == 0 {
		return nil
	}
	out := &Permanence{
		Repetition: m.ratio(repeats, games, "share"), Undone: m.ratio(undone, games, "share"), Removed: m.ratio(removed, games, "pieces per ply"),
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
	out.Browne = m.ratio(recovered, "games", "share")
	return out
}
