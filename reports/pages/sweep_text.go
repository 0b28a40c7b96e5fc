package pages

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"spar/configs/plain"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning/target"
	"spar/tuning/variants"
)

// sweepMeasures are the measures that the text tables have as columns.
func sweepMeasures() []string {
	return []string{"score", "fpa", "draws", "completion", "length", "depth"}
}

// SweepText writes a sweep for a terminal: the rounds, every variant, and the second measurement of the best.
func SweepText(out io.Writer, r *variants.Result) error {
	fmt.Fprintf(out, "%s: %s of %s, %s; %s against itself from the true start, 95 %% intervals\n",
		r.Name, screen.Plural(int64(r.Tried), "variant"), r.Rules, screen.Plural(r.Games, "game"), r.Tiers[len(r.Tiers)-1])
	for _, round := range r.Rounds {
		fmt.Fprintf(out, "round %d: %d candidates, %d games of each tier, %d kept\n", round.Round, round.Candidates,
			round.Games, len(round.Kept))
	}
	if r.Excluded > 0 {
		fmt.Fprintf(out, "%s not played: one side wins with best play\n", screen.Plural(int64(r.Excluded), "variant"))
	}
	variantTable(out, r)
	for _, s := range r.Skipped {
		fmt.Fprintf(out, "skipped: %s: %s\n", s.Rules, s.Reason)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(out, "note: %s\n", n)
	}
	if len(r.Again) == 0 {
		return nil
	}
	fmt.Fprintf(out, "\nthe best of %d, measured again on fresh seeds:\n", r.Tried)
	t := table.To(out, append(knobHeader(r), "agent", "n", "score", "fpa", "draws", "completion", "length", "fpa before"),
		len(r.Knobs)+2)
	for _, a := range r.Again {
		for i, n := range a.ByTier {
			row := valueRow(a.Values)
			row = append(row, r.Tiers[i], n["score"].N)
			for _, m := range []string{"score", "fpa", "draws", "completion", "length"} {
				row = append(row, target.Short(m, n[m]))
			}
			if i == len(a.ByTier)-1 {
				row = append(row, target.Text("fpa", a.Before["fpa"]))
			}
			t.Add(row...)
		}
	}
	t.Write()
	for _, a := range r.Again {
		if a.Exact != "" {
			fmt.Fprintf(out, "exact: %s: %s\n", r.Named(a.Values), a.Exact)
		}
		for _, j := range a.Judged {
			fmt.Fprintln(out, j)
		}
	}
	if text := r.Unmet(); text != "" {
		fmt.Fprintln(out, text)
	}
	return nil
}

func knobHeader(r *variants.Result) []string {
	header := []string{}
	for _, k := range r.Knobs {
		header = append(header, k.Path)
	}
	return header
}

func valueRow(values []string) []any {
	row := []any{}
	for _, v := range values {
		row = append(row, v)
	}
	return row
}

// variantTable returns the table of all variants, without columns that have no numbers.
func variantTable(out io.Writer, r *variants.Result) {
	var measures []string
	for _, m := range sweepMeasures() {
		if slices.ContainsFunc(r.Variants, func(c variants.Cell) bool { return c.Numbers[m].Known() }) {
			measures = append(measures, m)
		}
	}
	header := append(knobHeader(r), "agent", "n")
	header = append(header, measures...)
	exact := slices.ContainsFunc(r.Variants, func(c variants.Cell) bool { return c.Winner != "" })
	if exact {
		header = append(header, "exact value")
	}
	if len(r.Targets) > 0 {
		header = append(header, "targets")
	}
	cells := slices.Clone(r.Variants)
	if len(r.Targets) > 0 {
		slices.SortStableFunc(cells, func(a, b variants.Cell) int { return cmp.Compare(a.Far, b.Far) })
	}
	t := table.To(out, append(header, ""), len(r.Knobs)+2)
	for _, c := range cells {
		for i := range max(len(c.ByTier)-1, 0) { // the strongest follows, with what is said of the variant
			row := append(valueRow(c.Values), r.Tiers[i], c.ByTier[i]["score"].N)
			for _, m := range measures {
				row = append(row, target.Short(m, c.ByTier[i][m]))
			}
			t.Add(row...)
		}
		row := append(valueRow(c.Values), r.Tiers[len(r.Tiers)-1], c.Numbers["score"].N)
		for _, m := range measures {
			row = append(row, target.Short(m, c.Numbers[m]))
		}
		if exact {
			row = append(row, cmp.Or(c.Brief(), "-"))
		}
		if len(r.Targets) > 0 {
			row = append(row, c.Verdict)
		}
		note := ""
		if c.Base {
			note = "unchanged rules"
		}
		t.Add(append(row, note)...)
	}
	t.Write()
	if depth := r.Variants[0].Numbers["depth"]; depth.Known() {
		fmt.Fprintf(out, "depth is in steps of 60 %% from the random player up, from %d %s of neighbouring agents\n", depth.N,
			depth.Unit)
	}
}

// SweepCSV writes one CSV line for each variant as first measured, then one for each that was measured again. Open
// ends and missing numbers are empty.
func SweepCSV(out io.Writer, r *variants.Result) error {
	w := plain.NewCSV(out)
	header := []string{"rules", "base", "measured"}
	for _, k := range r.Knobs {
		header = append(header, k.Path)
	}
	for _, m := range sweepMeasures() {
		header = append(header, m, m+"_lo", m+"_hi", m+"_n")
	}
	rows := [][]string{append(header, "verdict", "exact")}
	add := func(rules, measured string, base bool, values []string, numbers variants.Numbers, verdict target.Verdict,
		exact variants.Solved,
	) {
		row := append([]string{rules, strconv.FormatBool(base), measured}, values...)
		for _, m := range sweepMeasures() {
			x := numbers[m]
			limit := func(v float64, open bool) string {
				if open || !x.Known() {
					return ""
				}
				return strconv.FormatFloat(v, 'g', -1, 64)
			}
			row = append(row, limit(x.Value, false), limit(x.Lo, x.LoOpen), limit(x.Hi, x.HiOpen), strconv.FormatInt(x.N, 10))
		}
		rows = append(rows, append(row, string(verdict), exact.Brief()))
	}
	for _, c := range r.Variants {
		add(c.Rules, "first", c.Base, c.Values, c.Numbers, c.Verdict, c.Solved)
	}
	for _, a := range r.Again {
		add(a.Rules, "fresh", false, a.Values, a.Numbers, a.Verdict, a.Solved)
	}
	return w.WriteAll(rows)
}

// SweepPlanText writes what a sweep would play.
func SweepPlanText(out io.Writer, s *variants.Sweep) error {
	first, rest := s.Planned()
	fmt.Fprintf(out, "%s (%s): %s, %d skipped, into %s\n", s.Name, s.Design,
		screen.Plural(int64(len(s.Variants)), "variant"), len(s.Skipped), s.Database)
	for _, v := range s.Variants {
		note := ""
		if v.Base {
			note = "  (unchanged rules)"
		}
		fmt.Fprintf(out, "  %s%s\n", v.Label, note)
	}
	for _, x := range s.Skipped {
		fmt.Fprintf(out, "  skipped: %s: %s\n", x.Rules, x.Reason)
	}
	_, err := fmt.Fprintf(out, "%s, and %d more to measure the best again\n", screen.Plural(first, "game"), rest)
	return err
}
