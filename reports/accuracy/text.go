package accuracy

import (
	"fmt"
	"io"

	"spar/configs/plain"
	"spar/reports/table"
)

// Text writes results as text: a table; if by is "ply" or "dtw", the decisions of each agent by ply or by distance to
// the end; then each agent's worst decision.
func Text(w io.Writer, rows []Result, by string) {
	t := table.To(w, []string{
		"rules", "agent", "kept the value", "95 %", "decisions", "mean loss (95 %)",
		"optimal (95 %)",
	}, 3, 4, 5, 6, 7)
	for _, a := range rows {
		kept, in := share(a.Share, a.Lo, a.Hi, a.Decisions)
		loss, optimal := "-", "-"
		if a.Decisions > 0 {
			loss = fmt.Sprintf("%.4f (%.4f to %.4f)", a.MeanLoss, a.MeanLossIn.Lo, a.MeanLossIn.Hi)
		}
		if a.Decisions > 0 && a.Unproved == nil {
			optimal = fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*float64(a.Optimal)/float64(a.Decisions), 100*a.OptimalIn.Lo,
				100*a.OptimalIn.Hi)
		}
		t.Add(a.Rules, a.Agent, kept, in, a.Decisions, loss, optimal)
	}
	t.Write()
	for _, a := range rows {
		if a.Unproved != nil {
			fmt.Fprintf(w, "%s in %s: proofs give the values, without distances to the end; %d of %d decisions were too hard "+
				"to prove, mostly early ones, and do not count\n", plain.Line(a.Agent), plain.Line(a.Rules), *a.Unproved,
				a.Decisions+*a.Unproved)
		}
		printParts(w, a, by)
	}
	for _, a := range rows {
		if len(a.Mistakes) > 0 {
			m := a.Mistakes[0]
			fmt.Fprintf(w, "worst decision of %s in %s: %s instead of %s in %s\n", plain.Line(a.Agent), plain.Line(a.Rules),
				m.Move, m.Best, m.Position)
		}
	}
}

// share writes a fraction with its interval; empty for an agent without decisions.
func share(x, lo, hi float64, decisions int64) (value, in string) {
	if decisions == 0 {
		return "-", "-"
	}
	return fmt.Sprintf("%.2f %%", 100*x), fmt.Sprintf("%.2f to %.2f", 100*lo, 100*hi)
}

// printParts prints the decisions of one agent by ply or by distance to the end.
func printParts(w io.Writer, a Result, by string) {
	parts, title := a.ByPly, "ply"
	switch by {
	case "":
		return
	case "dtw":
		parts, title = a.ByDTW, "position"
	}
	fmt.Fprintf(w, "\n%s in %s\n", plain.Line(a.Agent), plain.Line(a.Rules))
	t := table.To(w, []string{title, "kept the value", "95 %", "decisions"}, 2, 3, 4)
	for _, p := range parts {
		name := fmt.Sprint(p.Ply)
		if by == "dtw" {
			if name = p.Value; p.DTW > 0 {
				name = fmt.Sprintf("%s in %d", p.Value, p.DTW)
			}
		}
		t.Add(name, fmt.Sprintf("%.2f %%", 100*p.Share), fmt.Sprintf("%.2f to %.2f", 100*p.Lo, 100*p.Hi), p.Decisions)
	}
	t.Write()
}
