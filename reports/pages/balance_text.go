package pages

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"spar/arena/balance"
	"spar/reports/screen"
)

// Overview compares the rules of a study on a few lines.
func Overview(out io.Writer, rs []*balance.Report) {
	t := screen.NewTable(out, screen.Row{"rules", "first player's score", "draws", "completion", "median plies", "60 % steps", "verdict"})
	for _, r := range rs {
		n := r.Numbers()
		row := screen.Row{screen.Cell(r.Rules.Name)}
		for _, m := range []string{"score", "draws", "completion", "length", "depth"} {
			row = append(row, balance.Text(m, n[m]))
		}
		t.AppendRow(append(row, cmp.Or(firstSentence(r.Verdict.Text), "-")))
	}
	screen.Render(t)
}

// firstSentence is the first sentence of a text, or all of it.
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
	t := screen.NewTable(out, screen.Row{"games", "measure", "before", "after", "change", "verdict"})
	for _, row := range r.Rows {
		change := balance.Text(row.Measure, row.Change)
		if row.Paired {
			change += " pairs"
		}
		t.AppendRow(screen.Row{row.Group, row.Measure, balance.Text(row.Measure, row.Before), balance.Text(row.Measure, row.After), change, row.Verdict})
	}
	screen.Render(t)
	for _, w := range r.Warnings {
		fmt.Fprintf(out, "note: %s\n", w)
	}
	_, err := fmt.Fprintf(out, "95 %% intervals; more or less where the interval of the change does not hold 0\n")
	return err
}
