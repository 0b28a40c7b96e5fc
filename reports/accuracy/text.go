package accuracy

import (
	"cmp"
	"fmt"
	"io"

	"spar/configs/plain"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/table"
)

// Text writes results as text: a table; if by is "ply" or "dtw", the decisions of each agent by ply or by distance to
// the end; then each agent's worst decision.
func Text(w io.Writer, rows []Result, by string) {
	type field = table.Field[Result]
	_ = table.Build([]field{
		table.WordField("rules", func(r Result) string { return r.Rules }),
		table.WordField("agent", func(r Result) string { return r.Agent }),
		shares("kept the value", func(r Result) ratings.Estimate { return r.Share }),
		table.CountField("decisions", func(r Result) int64 { return r.Decisions }),
		table.Declare(table.Column{Name: "mean loss"}, func(r Result) table.Cell {
			return estimate(r.MeanLoss, chart.Number, 4)
		}),
		shares("optimal", func(r Result) (e ratings.Estimate) {
			if r.Unproved == nil {
				e = r.OptimalShare
			}
			return e
		}),
	}, rows).Text(w, 0)
	for _, a := range rows {
		if a.Unproved != nil {
			fmt.Fprintf(w, "%s in %s: proofs give the values, without distances to the end; %d of %d decisions were too hard "+
				"to prove, mostly early ones, and do not count\n", plain.Line(a.Agent), plain.Line(a.Rules), *a.Unproved,
				a.Decisions+*a.Unproved)
		}
		parts, title := a.ByPly, "ply"
		if by == "dtw" {
			parts, title = a.ByDTW, "position"
		}
		if by == "" {
			continue
		}
		_ = table.Build([]table.Field[Part]{
			table.WordField(title, func(p Part) string {
				if p.DTW > 0 {
					return fmt.Sprintf("%s in %d", p.Value, p.DTW)
				}
				return cmp.Or(p.Value, fmt.Sprint(p.Ply))
			}),
			shares("kept the value", func(p Part) ratings.Estimate { return p.Share }),
			table.CountField("decisions", func(p Part) int64 { return p.Decisions }),
		}, parts).Titled(a.Agent+" in "+a.Rules).Text(w, 0)
	}
	for _, a := range rows {
		if len(a.Mistakes) > 0 {
			m := a.Mistakes[0]
			fmt.Fprintf(w, "worst decision of %s in %s: %s instead of %s in\n  %s\n", plain.Line(a.Agent), plain.Line(a.Rules),
				m.Move, m.Best, m.Position)
		}
	}
}

func shares[R any](name string, of func(R) ratings.Estimate) table.Field[R] {
	return table.Declare(table.Column{Name: name}, func(r R) table.Cell { return estimate(of(r), chart.Percent, 2) })
}

func estimate(e ratings.Estimate, unit chart.Unit, decimals int) table.Cell {
	if !e.Known() {
		return table.None("no decisions")
	}
	return table.Estimate(e, unit, decimals)
}
