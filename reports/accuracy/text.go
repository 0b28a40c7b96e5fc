package accuracy

import (
	"fmt"
	"io"

	"spar/configs/plain"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/table"
)

// Text writes results as text: a table, then each agent's worst decision.
func Text(w io.Writer, rows []Result) {
	_ = table.Rows(rows, func(r Result) []any {
		optimal := r.OptimalShare
		if r.Unproved != nil {
			optimal = ratings.Estimate{}
		}
		return []any{
			"rules", r.Rules, "agent", r.Agent, "kept the value", share(r.Share), "decisions", r.Decisions,
			"mean loss",
			table.As{Cell: estimate(r.MeanLoss, chart.Number, 3)},
			"optimal", share(optimal),
		}
	}).Text(w, 0)
	for _, a := range rows {
		if a.Unproved != nil {
			fmt.Fprintf(w, "%s in %s: proofs give the values, without distances to the end; %d of %d decisions, mostly "+
				"early ones, were too hard to prove and do not count\n", plain.Line(a.Agent), plain.Line(a.Rules), *a.Unproved,
				a.Decisions+*a.Unproved)
		}
	}
	for _, a := range rows {
		if len(a.Mistakes) > 0 {
			m := a.Mistakes[0]
			fmt.Fprintf(w, "worst decision of %s in %s: %s instead of %s in\n  %s\n", plain.Line(a.Agent), plain.Line(a.Rules),
				m.Move, m.Best, m.Position)
		}
	}
}

func share(e ratings.Estimate) table.As { return table.As{Cell: estimate(e, chart.Percent, 1)} }

func estimate(e ratings.Estimate, unit chart.Unit, decimals int) table.Cell {
	if !e.Known() {
		return table.None("no decisions")
	}
	return table.Estimate(e, unit, decimals)
}
