package ablation

import (
	"fmt"
	"io"
	"slices"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
)

// rulesOf lists the rules of the effects, in the order in which they occur.
func (r *Result) rulesOf() (out []string) {
	seen := map[string]bool{}
	for _, e := range r.Effects {
		if !seen[e.Rules] {
			seen[e.Rules] = true
			out = append(out, e.Rules)
		}
	}
	return out
}

// hold returns the part of a sentence that says which intervals are valid, with its verb.
func (r *Result) hold() string {
	if r.Tests == 1 {
		return "one interval holds"
	}
	return fmt.Sprintf("%d intervals hold jointly", r.Tests)
}

// Text writes the result for a terminal.
func (r *Result) Text(out io.Writer) error {
	fmt.Fprintf(out, "%s with one or two changed knobs against the unchanged agent; the %s at %.0f %%\n\n", r.Agent,
		r.hold(), 100*r.Level)
	t := table.To(out, []string{
		"rules", "knobs", "Elo", "interval", "p", "pairs", "distinct", "time, about",
		"nodes, about", "more than the sum", "verdict",
	}, 3, 5, 6, 7, 8, 9)
	for _, e := range r.Effects {
		more := ""
		if e.More != nil {
			more = fmt.Sprintf("%s (%s to %s)", screen.Signed(e.More.Elo, 0), screen.Signed(e.More.Lo, 0),
				screen.Signed(e.More.Hi, 0))
		}
		t.Add(
			e.Rules, e.Words(), screen.Signed(e.Elo, 0), screen.Between(e.match.Elo.Interval), fmt.Sprintf("%.3f", e.P), e.Pairs,
			e.Distinct,
			(*Ratio)(e.Time).text(), e.Nodes.text(), more, e.Verdict,
		)
	}
	t.Write()
	if slices.ContainsFunc(r.Effects, func(e *Effect) bool { return e.Time != nil || e.Nodes != nil }) {
		fmt.Fprintln(out, "time and nodes are ratios to the unchanged agent in the games of the row, without interval")
	}
	for _, i := range r.Idle {
		if err := screen.Paragraph(out, fmt.Sprintf("not played under %s: %s (%s)", i.Rules,
			(&Variant{Settings: i.Settings}).Words(), i.Why)); err != nil {
			return err
		}
	}
	return nil
}

func (x *Ratio) text() string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("x%.2f", x.Ratio)
}

// Page makes the HTML page of a result.
func (p *Plan) Page(r *Result, command string, facts []page.Fact) *page.Document {
	d := &page.Document{
		Title:    "Ablation of " + r.Agent,
		Subtitle: fmt.Sprintf("%d values, up to %d pairs each, seed %d", len(r.Effects), p.Pairs, p.Seed),
		Commands: []page.Command{{Text: command, Note: "plays the missing games and makes this page"}},
		Facts:    facts,
	}
	stronger := 0
	for _, e := range r.Effects {
		if e.Verdict == "stronger" && e.Rules != AllRules {
			stronger++
		}
	}
	d.Verdict = page.Verdict{Status: table.Plain, Headline: fmt.Sprintf("%d of %d values are stronger than the "+
		"unchanged %s", stronger, len(r.Effects), r.Agent)}
	d.Verdict.Detail = fmt.Sprintf("Every value plays the unchanged agent, each opening with both seatings. The %s at "+
		"%.0f %% (Bonferroni); p-values are adjusted by Holm.", r.hold(), 100*r.Level)
	for _, rules := range r.rulesOf() {
		d.Sections = append(d.Sections, r.section(rules))
	}
	for _, i := range r.Idle {
		d.Missing = append(d.Missing, page.Missing{
			What: (&Variant{Settings: i.Settings}).Words() + " under " + i.Rules,
			Why:  i.Why,
		})
	}
	if names := p.unplayed(r); names != "" {
		d.Missing = append(d.Missing, page.Missing{What: names, Why: "not played yet", Remedy: command})
	}
	return d
}

func (r *Result) section(rules string) page.Section {
	forest := &chart.Forest{
		X:    chart.Axis{Label: "Elo above the unchanged agent", Unit: chart.Signed},
		Refs: []chart.Ref{{Value: 0}},
	}
	cost := &chart.Scatter{
		X: chart.Axis{Label: "time of a decision, relative to the unchanged agent"},
		Y: chart.Axis{Label: "Elo above the unchanged agent", Unit: chart.Signed}, Refs: []chart.Ref{{Value: 0}},
		Marks: []chart.Ref{{Value: 1}},
	}
	tab := table.Table{ID: "ablation-" + rules, Caption: "Differences to the unchanged agent", Columns: []table.Column{
		{Name: "knobs", Text: true},
		{Name: "Elo", Help: "Elo above the unchanged agent"},
		{Name: "p", Help: "two-sided, adjusted by Holm"},
		{Name: "distinct pairs"},
		{Name: "time, about", Help: "time of a decision relative to the unchanged agent, in the same games; " +
			"without interval"},
		{Name: "nodes, about", Help: "nodes of a decision relative to the unchanged agent, in the same games; " +
			"without interval"},
		{Name: "more than the sum", Help: "Elo of both knobs together minus the sum of each alone"},
		{Name: "verdict", Text: true},
	}}
	lead := "No value differs significantly from the unchanged agent."
	for _, e := range r.Effects {
		if e.Rules != rules {
			continue
		}
		lo, hi := e.match.Elo.Interval.Ends()
		forest.Rows = append(forest.Rows, chart.Row{
			Label: e.Words(), Value: e.Elo, Lo: lo, Hi: hi,
			Hollow: e.Verdict == "undecided",
		})
		if e.Time != nil {
			cost.Dots = append(cost.Dots, chart.Dot{
				X: e.Time.Ratio, Y: e.Elo, YLo: lo, YHi: hi, Label: e.Words(),
				Hollow: e.Verdict == "undecided",
			})
		}
		more := table.None("for two knobs only")
		if e.More != nil {
			more = table.Estimate(ratings.WithInterval(e.More.Elo, e.More.Lo, e.More.Hi, int64(e.Pairs)), chart.Signed, 0)
		}
		tab.Rows = append(tab.Rows, []table.Cell{
			table.Words(e.Words()), table.Estimate(e.match.Elo, chart.Signed, 0), table.Num(e.P, chart.Number, 4),
			table.Count(e.Distinct),
			(*Ratio)(e.Time).cell(), e.Nodes.cell(), more, table.Words(e.Verdict),
		})
		if e.Verdict != "undecided" {
			lead = "Dots are values that differ significantly from the unchanged agent; rings are undecided."
		}
	}
	return page.Section{
		ID: "under-" + rules, Title: "Under " + rules, Lead: lead, Tables: []table.Table{tab},
		Figures: []page.Figure{
			{ID: "ablation-" + rules, Title: "Elo by value", Caption: "Differences to the unchanged agent, with " +
				"joint intervals.", Chart: forest},
			{ID: "cost-" + rules, Title: "Strength against time", Caption: "Gain and cost of each value: higher is stronger, " +
				"further right is slower. Times have no interval.", Chart: cost},
		},
	}
}

func (x *Ratio) cell() table.Cell {
	if x == nil {
		return table.None("nothing was counted")
	}
	return table.Num(x.Ratio, chart.Number, 2)
}
