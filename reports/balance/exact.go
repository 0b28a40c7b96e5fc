package balance

import (
	"cmp"
	"fmt"
	"slices"

	"spar/engines/solve"
)

// exact is what the solved game says.
func exact(table *solve.Table) *Exact {
	if table == nil {
		return nil
	}
	s := table.Stats()
	out := &Exact{Winner: s.Winner(), Plies: s.Root.DTW, Value: s.Root.String(), States: s.States, FirstOf: len(s.Openings)}
	for _, o := range s.Openings {
		if o.Outcome == s.Root.Outcome {
			out.Keeping++
		}
	}
	switch out.Winner {
	case "draw":
		out.Text = fmt.Sprintf("With best play it is a draw; %d of %d first moves keep it.", out.Keeping, out.FirstOf)
	case "first":
		out.Text = fmt.Sprintf("The first player wins by force, in %d plies; %d of %d first moves do it.", out.Plies, out.Keeping, out.FirstOf)
	default:
		out.Text = fmt.Sprintf("The second player wins by force, in %d plies.", out.Plies)
	}
	return out
}

// accuracy compares the decisions of a group with the exact values.
func (m measurer) accuracy(d *groupData) *Accuracy {
	var kept, loss [][]float64
	var worst []*record
	perfect, n := int64(0), int64(0)
	for _, r := range d.members {
		if r.bad || r.rated == 0 {
			continue
		}
		n++
		kept = append(kept, []float64{float64(r.kept), float64(r.rated)})
		loss = append(loss, []float64{float64(r.givenUp) / 2, float64(r.rated)})
		if r.givenUp == 0 {
			perfect++
		} else {
			worst = append(worst, r)
		}
	}
	if n == 0 {
		return nil
	}
	out := &Accuracy{Kept: m.ratio(kept, "games", "share"), MeanLoss: m.ratio(loss, "games", "score"), Perfect: m.share(perfect, n, "games")}
	slices.SortStableFunc(worst, func(a, b *record) int { return cmp.Compare(b.givenUp, a.givenUp) })
	for _, r := range worst[:min(5, len(worst))] {
		out.Worst = append(out.Worst, r.id)
	}
	return out
}
