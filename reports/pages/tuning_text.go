package pages

import (
	"fmt"
	"io"

	"spar/ratings"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning"
)

// show writes a table for a terminal, under its caption. It ignores errors of the writer.
func show(w io.Writer, t table.Table) {
	if len(t.Rows) == 0 {
		return
	}
	if t.Caption != "" {
		fmt.Fprintf(w, "\n%s:\n", t.Caption)
	}
	_ = t.Text(w, 0)
}

func warn(w io.Writer, warnings []string) {
	for _, text := range warnings {
		_ = screen.Paragraph(w, "warning: "+text)
	}
}

// TuningText writes the result of a tuning: the numbers, the checks and the warnings.
func TuningText(w io.Writer, r *tuning.Result) {
	changes := changeTable(r.Changes)
	changes.Caption = ""
	show(w, changes)
	show(w, checkTable(r))
	if r.Movement != nil {
		fmt.Fprintf(w, "second half of the search: the numbers moved %.1f times as far as chance alone moves them (well "+
			"below 1: settled; from 1: still moving)\n", *r.Movement)
	}
	warn(w, r.Warnings)
}

// TuningPlanText writes what a tuning would do.
func TuningPlanText(w io.Writer, t *tuning.Tuning) {
	fmt.Fprintf(w, "%s: %s of %s under %s, %d games into %s\n", t.Name, t.Method, t.Start.Name, t.Label, t.Games,
		t.Database)
	if t.Direction {
		fmt.Fprintln(w, "only the direction of the weights matters: their common length is kept")
	}
	show(w, table.Build([]table.Field[tuning.Param]{
		table.WordField("number", func(p tuning.Param) string { return p.Name }),
		table.CellField("start", "", func(p tuning.Param) table.Cell { return figures(p.Start) }),
		table.CellField("scale", "", func(p tuning.Param) table.Cell { return figures(p.Scale) }),
		table.WordField("bounds", func(p tuning.Param) string { return p.Bounds() }),
	}, t.Params))
}

// ExaminationText writes a validation: the sequential test, the matches, the pool and the warnings.
func ExaminationText(w io.Writer, x *tuning.Examination) {
	fmt.Fprintf(w, "%s, validation %d: %s against the start\n\n", x.Name, x.Look, x.Candidate)
	verdict := map[ratings.State]string{
		ratings.StateAcceptH1: "better", ratings.StateAcceptH0: "not better",
		ratings.StateContinue: "undecided",
	}[x.SPRT.State]
	fmt.Fprintf(w, "sequential test (0 against %g normalized Elo, error rates 5 %%): %s after %d pairs, LLR %.2f "+
		"(bounds %.2f, %.2f)\n",
		x.SPRT.Elo1, verdict, x.SPRT.Elo.N, x.SPRT.LLR, x.SPRT.Lower, x.SPRT.Upper)
	matches := meetingTable(x)
	matches.Caption = ""
	show(w, matches)
	if x.Optimism != nil {
		fmt.Fprintf(w, "optimism of the training: %s\n", x.Optimism)
	}
	show(w, poolTable(x))
	fmt.Fprintln(w)
	show(w, poolRatings(x))
	for _, name := range x.Earlier {
		fmt.Fprintf(w, "examined before: %s\n", name)
	}
	warn(w, x.Warnings)
}

// FitText writes the weights learned from stored games. With all set, it also lists weights that the data do not
// determine.
func FitText(w io.Writer, f *tuning.StudyFit, all bool) {
	m := f.Model
	fmt.Fprintf(w, "%s: %d games, %d positions (left out: %d of openings, %d with one move)\n\n", f.Rules, f.Games,
		m.Samples, f.Opening, f.Forced)
	for i, set := range f.Sets {
		show(w, weightTable(set, m.Weights[i*len(m.Names):(i+1)*len(m.Names)], m.Games, all))
		fmt.Fprintln(w)
	}
	ridges := ridgeTable(m)
	ridges.Caption = ""
	show(w, ridges)
	fmt.Fprintf(w, "without any feature: %.4f\nslope of the held-out logits: %.2f (1 is right, less is overconfident)\ncondition number: %s\n",
		m.Null, m.Slope, condition(m.Condition))
	warn(w, f.Warnings)
}

// condition formats a condition number.
func condition(x float64) string {
	if x < 0 {
		return "infinite"
	}
	return fmt.Sprintf("%.3g", x)
}
