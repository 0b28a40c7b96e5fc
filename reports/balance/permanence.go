package balance

import "math"

// permanence is measure 21.
func (m measurer) permanence(d *groupData, all []*arc, dead float64, exact bool) *Permanence {
	var repeats []float64
	var undone, removed [][]float64
	for _, r := range d.members {
		if r.bad || r.visited == 0 {
			continue
		}
		repeats = append(repeats, 1-float64(r.unique)/float64(r.visited))
		undone = append(undone, []float64{float64(r.undone), float64(r.effects)})
		removed = append(removed, []float64{float64(r.removed), float64(r.plies)})
	}
	if len(repeats) == 0 {
		return nil
	}
	out := &Permanence{
		Repetition: m.mean(repeats, "games", "share"), Undone: m.ratio(undone, "games", "share"), Removed: m.ratio(removed, "games", "pieces per ply"),
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
