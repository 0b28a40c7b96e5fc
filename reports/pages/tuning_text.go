package pages

import (
	"fmt"
	"io"
	"strings"

	"spar/ratings"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning"
)

// TuningText writes the result of a tuning: the numbers, the checks against the start and the warnings.
func TuningText(w io.Writer, r *tuning.Result) {
	changeTable(w, r.Changes)
	for _, c := range r.Choices {
		fmt.Fprintf(w, "%s: %s (%s)\n", c.Path, c.After,
			map[bool]string{true: "unchanged", false: "was " + c.Before}[c.After == c.Before])
	}
	checkTable(w, r.Checks)
	for _, warning := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
}

// changeTable writes the table of numbers before and after.
func changeTable(w io.Writer, changes []tuning.Change) {
	t := table.To(w, []string{"number", "before", "after", "± by chance", "moved"}, 2, 3, 4, 5)
	for _, c := range changes {
		noise, moved := "", ""
		if c.Noise > 0 {
			noise = fmt.Sprintf("%.3g", c.Noise)
			moved = fmt.Sprintf("%.1f sd", (c.After-c.Before)/c.Noise)
		}
		t.Add(c.Path, fmt.Sprintf("%.4g", c.Before), fmt.Sprintf("%.4g", c.After), noise, moved)
	}
	t.Write()
}

// checkTable writes the table of matches against the start.
func checkTable(w io.Writer, checks []tuning.Check) {
	if len(checks) == 0 {
		return
	}
	fmt.Fprintln(w, "\nagainst the start, on the training's openings:")
	t := table.To(w, []string{"games", "score", "Elo", "95 %", "pairs"}, 1, 2, 3, 5)
	for _, c := range checks {
		t.Add(c.Games, fmt.Sprintf("%.1f %%", 100*c.Match.Score.Value), screen.Signed(c.Match.Elo.Value, 0),
			screen.Between(c.Match.Elo.Interval), c.Match.Score.N)
	}
	t.Write()
}

// TuningPlanText writes what a tuning would do.
func TuningPlanText(w io.Writer, t *tuning.Tuning) {
	fmt.Fprintf(w, "%s: %s of %s under %s, %d games into %s\n", t.Name, t.Method, t.Start.Name, t.Label, t.Games,
		t.Database)
	if t.Direction {
		fmt.Fprintln(w, "only the direction of the weights matters: their common length is kept")
	}
	tab := table.To(w, []string{"number", "start", "scale", "bounds"}, 2, 3)
	for _, p := range t.Params {
		tab.Add(p.Name, fmt.Sprintf("%.4g", p.Start), fmt.Sprintf("%.3g", p.Scale), p.Bounds())
	}
	tab.Write()
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
	t := table.To(w, []string{"match", "score", "Elo", "95 %", "pairs"}, 2, 3, 5)
	add := func(name string, m tuning.Match) {
		t.Add(name, fmt.Sprintf("%.1f %%", 100*m.Score.Value), screen.Signed(m.Elo.Value, 0), screen.Between(m.Elo.Interval),
			m.Score.N)
	}
	add("held out, against the start", x.Direct)
	add("one level deeper ("+x.Condition+")", x.Deeper)
	t.Write()
	if x.Training != nil {
		fmt.Fprintf(w, "on the training's openings: %s Elo (%s); optimism %s ± %.0f Elo\n",
			screen.Signed(x.Training.Match.Elo.Value, 0), screen.Between(x.Training.Match.Elo.Interval),
			screen.Signed(x.Optimism.Value, 0), 1.96*x.Optimism.SE)
	}
	fmt.Fprintln(w, "\nscores of the tuned agent and of the start against the pool:")
	t = table.To(w, []string{"opponent", "tuned", "Elo", "95 %", "start", "Elo", "95 %", "pairs"}, 2, 3, 5, 6, 8)
	for _, row := range x.Pool {
		cells := []any{row.Opponent}
		for _, m := range []tuning.Match{row.Tuned, row.Start} {
			cells = append(cells, fmt.Sprintf("%.1f %%", 100*m.Score.Value), screen.Signed(m.Elo.Value, 0),
				screen.Between(m.Elo.Interval))
		}
		t.Add(append(cells, row.Tuned.Score.N)...)
	}
	t.Write()
	fmt.Fprintf(w, "worst pairing: %s; the start's: %s\n", x.Worst, x.WorstWas)
	t = table.To(w, []string{"rating in the pool", "Elo", "95 %", "games"}, 2, 4)
	for _, p := range x.Ratings {
		t.Add(p.Agent, screen.Signed(p.Elo.Value, 0), screen.Between(p.Elo.Interval), p.Games)
	}
	t.Write()
	for _, name := range x.Earlier {
		fmt.Fprintf(w, "examined before: %s\n", name)
	}
	for _, warning := range x.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
}

// FitText writes the weights learned from stored games. With all set, it also lists weights that the data do not
// determine.
func FitText(w io.Writer, f *tuning.StudyFit, all bool) {
	m := f.Model
	fmt.Fprintf(w, "%s: %d games, %d positions (left out: %d of openings, %d with one move)\n\n", f.Rules, f.Games,
		m.Samples, f.Opening, f.Forced)
	for i, set := range f.Sets {
		t := table.To(w, []string{set, "weight (logit)", "± 95 %", "naive ±", "weight × rms"}, 2, 3, 4, 5)
		for _, x := range m.Weights[i*len(m.Names) : (i+1)*len(m.Names)] {
			if x.Dead && !all {
				continue
			}
			half, naive := fmt.Sprintf("%.4f", 1.96*x.SE), fmt.Sprintf("%.4f", 1.96*x.NaiveSE)
			if x.Dead {
				half, naive = "no data", ""
			} else if !x.Estimable {
				half = "no significant difference"
			}
			t.Add(x.Feature, screen.Signed(x.Value, 4), half, naive, screen.Signed(x.Standard, 3))
		}
		t.Write()
		fmt.Fprintln(w)
	}
	t := table.To(w, []string{"ridge", "loss (train)", "loss (held out)", "±"}, 1, 2, 3, 4)
	for _, r := range m.Ridges {
		mark := ""
		if r.Chosen {
			mark = " chosen"
		}
		t.Add(fmt.Sprintf("%g", r.Ridge), fmt.Sprintf("%.4f", r.Train), fmt.Sprintf("%.4f", r.Held),
			fmt.Sprintf("%.4f%s", 1.96*r.HeldSE, mark))
	}
	t.Write()
	fmt.Fprintf(w, "without any feature: %.4f\n\ncalibration, games held out:\n", m.Null)
	t = table.To(w, []string{"predicted", "observed", "difference ± 95 %", "positions", "games"}, 1, 2, 3, 4, 5)
	for _, b := range m.Calibration {
		t.Add(
			fmt.Sprintf("%.1f %%", 100*b.Predicted), fmt.Sprintf("%.1f %%", 100*b.Observed),
			fmt.Sprintf("%s ± %.1f", screen.Signed(100*(b.Observed-b.Predicted), 1), 196*b.SE), b.Samples, b.Games,
		)
	}
	t.Write()
	fmt.Fprintf(w, "slope of the held-out logits: %.2f (1 is right, less is overconfident)\ncondition number: %s\n",
		m.Slope, condition(m.Condition))
	for _, r := range m.Redundant {
		var terms []string
		for _, x := range r.Terms {
			terms = append(terms, screen.Signed(x.Part, 2)+" "+x.Feature)
		}
		fmt.Fprintf(w, "redundant: %s\n", strings.Join(terms, " "))
	}
	for _, warning := range f.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
}

// condition formats a condition number.
func condition(x float64) string {
	if x < 0 {
		return "infinite"
	}
	return fmt.Sprintf("%.3g", x)
}
