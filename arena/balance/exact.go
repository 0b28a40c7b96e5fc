package balance

import (
	"cmp"
	"fmt"
	"slices"

	"spar/engines"
	"spar/engines/solve"
)

// exact is what the solved game says.
func exact(g *engines.Game, table *solve.Table) *Exact {
	if table == nil {
		return nil
	}
	s := table.Stats()
	limit := g.Rules().Draw.MaxPlies
	root := s.Root.Under(limit, 0)
	out := &Exact{Winner: winner(root), Plies: root.DTW, Value: root.String(), States: s.States, FirstOf: len(s.Openings)}
	for _, o := range s.Openings {
		if o.Value.Under(limit, 0).Outcome == root.Outcome {
			out.Keeping++
		}
	}
	if root != s.Root {
		out.Text = fmt.Sprintf("With best play the ply cap makes it a draw: without it, the %s player would win in %d plies.", s.Winner(), s.Root.DTW)
		return out
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

// winner is who wins a value of the start: first, second or draw.
func winner(v solve.Value) string {
	switch v.Outcome {
	case solve.Win:
		return "first"
	case solve.Loss:
		return "second"
	}
	return "draw"
}

// accuracy compares the decisions of a group with the exact values.
func (m measurer) accuracy(d *groupData) *Accuracy {
	rated := func(of func(*record) int32, per float64) ([][]float64, string) {
		return units(d.members, func(r *record) []float64 {
			if r.bad || r.rated == 0 {
				return nil
			}
			return []float64{float64(of(r)) / per, float64(r.rated)}
		})
	}
	kept, games := rated(func(r *record) int32 { return r.kept }, 1)
	loss, _ := rated(func(r *record) int32 { return r.givenUp }, 2)
	var counted, worst []*record
	perfect, n := int64(0), int64(0)
	for _, r := range d.members {
		if r.bad || r.rated == 0 {
			continue
		}
		n++
		counted = append(counted, r)
		if r.givenUp == 0 {
			perfect++
		} else {
			worst = append(worst, r)
		}
	}
	if n == 0 {
		return nil
	}
	out := &Accuracy{Kept: m.ratio(kept, games, "share"), MeanLoss: m.ratio(loss, games, "score")}
	out.Perfect = m.widen(m.share(perfect, n, "games"), designEffect(counted, func(r *record) float64 { return oneIf(r.givenUp == 0) }))
	slices.SortStableFunc(worst, func(a, b *record) int { return cmp.Compare(b.givenUp, a.givenUp) })
	for _, r := range worst[:min(5, len(worst))] {
		out.Worst = append(out.Worst, r.id)
	}
	return out
}
