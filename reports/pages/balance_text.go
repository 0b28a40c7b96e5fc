package pages

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"spar/ratings"
	"spar/reports/balance"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning/target"
)

// Overview compares the rules of a study in a few lines of text.
func Overview(out io.Writer, rs []*balance.Report) {
	t := table.To(out, []string{
		"rules", "first player's score", "draws", "completion", "median plies", "60 % steps",
		"verdict",
	})
	for _, r := range rs {
		n := r.Numbers()
		row := []any{screen.Cell(r.Rules.Name)}
		for _, m := range []string{"score", "draws", "completion", "length", "depth"} {
			row = append(row, target.Text(m, n[m]))
		}
		t.Add(append(row, cmp.Or(firstSentence(r.Verdict.Text), "-"))...)
	}
	t.Write()
}

// firstSentence returns the first sentence of a text; the whole text if it has only one.
func firstSentence(s string) string {
	if at := strings.Index(s, ". "); at > 0 {
		return s[:at+1]
	}
	return s
}

// ComparisonText writes the differences between two studies for a terminal.
func ComparisonText(out io.Writer, r *balance.Comparison) error {
	for _, s := range []struct {
		name string
		balance.Side
	}{{"before", r.Before}, {"after ", r.After}} {
		fmt.Fprintf(out, "%s  %s in %s, %s\n", s.name, s.Rules, s.DB, screen.Plural(s.Games, "game"))
	}
	for _, k := range r.Knobs {
		fmt.Fprintf(out, "changed %s: %s to %s\n", k.Path, k.Before, k.After)
	}
	if len(r.Knobs) == 0 {
		fmt.Fprintln(out, "the rules are the same")
	}
	t := table.To(out, []string{"games", "measure", "before", "after", "change", "verdict"})
	for _, row := range r.Rows {
		change := row.Change
		if row.Paired {
			change.Unit = "pairs"
		}
		t.Add(row.Group, row.Measure, counted(row.Measure, row.Before), counted(row.Measure, row.After),
			inPoints(counted(row.Measure, change)), row.Verdict)
	}
	t.Write()
	for _, w := range r.Warnings {
		fmt.Fprintf(out, "note: %s\n", w)
	}
	if slices.ContainsFunc(r.Rows, func(row balance.Row) bool { return row.Paired }) {
		fmt.Fprintf(out, "note: %s\n", ofPairs)
	}
	_, err := fmt.Fprintf(out, "95 %% intervals; \"more\" and \"less\" are significant changes\n")
	return err
}

// ofPairs is the unit of a change measured with pairs.
const ofPairs = "a change \"by pairs\" uses only games with the same number, seed and opening in both studies; the " +
	"values before and after use all games"

// counted formats a number with its number of observations.
func counted(measure string, n ratings.Estimate) string {
	if !n.Known() {
		return "-"
	}
	return target.Short(measure, n) + " n " + n.Count()
}

// inPoints replaces percent by percentage points in the text of a change.
func inPoints(change string) string { return strings.Replace(change, " %", " points", 1) }
