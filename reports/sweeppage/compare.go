package sweeppage

import (
	"fmt"
	"strings"

	"spar/reports/chart"
	"spar/reports/compare"
	"spar/reports/page"
)

// Comparison converts the comparison of two studies.
func Comparison(c *compare.Comparison, commands []page.Command) *page.Document {
	d := &page.Document{
		Title:    c.Before.Rules + " against " + c.After.Rules,
		Subtitle: fmt.Sprintf("before: %s, %d games; after: %s, %d games", c.Before.Path, c.Before.Games, c.After.Path, c.After.Games),
		Warnings: c.Warnings, Commands: commands,
		Facts: []page.Fact{{Name: "hash before", Value: c.Before.Hash}, {Name: "hash after", Value: c.After.Hash}, {Name: "intervals", Value: fmt.Sprintf("%.0f %%", 100*c.Level)}},
	}
	var changed []string
	for _, k := range c.Knobs {
		changed = append(changed, fmt.Sprintf("%s from %s to %s", k.Path, k.Before, k.After))
	}
	d.Verdict.Headline = "The rules are the same."
	if len(changed) > 0 {
		d.Verdict.Headline = "Changed: " + strings.Join(changed, ", ") + "."
	}
	var sure []string
	t := page.Table{
		Caption: "Differences", Note: "More or less only where the interval of the change does not hold 0. Pairs are games with the same number, seed and opening.",
		Columns: []page.Column{{Name: "games", Text: true}, {Name: "measure", Text: true}, {Name: "before"}, {Name: "after"}, {Name: "change"}, {Name: "by pairs", Text: true}, {Name: "verdict", Text: true}},
	}
	shares := &chart.Dumbbell{X: chart.Axis{Label: "first player's score", Unit: chart.Percent}, From: "before", To: "after", Refs: []chart.Ref{{Value: 0.5, Label: "even"}}}
	for _, r := range c.Rows {
		m := named(r.Measure)
		paired := "no"
		if r.Paired {
			paired = "yes"
		}
		t.Rows = append(t.Rows, []page.Cell{page.Words(r.Group), page.Words(m.title), estimate(m, r.Before), estimate(m, r.After), estimate(m, r.Change), page.Words(paired), page.Words(r.Verdict)})
		if r.Measure == "score" {
			shares.Rows = append(shares.Rows, chart.Move{Label: r.Group, From: row(r.Before), To: row(r.After)})
		}
		if r.Verdict != "undecided" {
			sure = append(sure, fmt.Sprintf("%s %s (%s)", r.Verdict, m.title, r.Group))
		}
	}
	d.Verdict.Detail = "No difference is certain."
	if len(sure) > 0 {
		d.Verdict.Detail = "Certain: " + strings.Join(sure, "; ") + "."
	}
	for _, j := range c.Judged {
		d.Verdict.Detail += " " + j.String() + "."
	}
	d.Sections = []page.Section{{
		ID: "differences", Title: "What changed", Lead: d.Verdict.Detail, Tables: []page.Table{t},
		Figures: []page.Figure{{Title: "First player's score", Chart: shares, Caption: "From the ring to the dot, for every group of games that both studies have."}},
	}}
	return d
}

// named is how a measure of a comparison is shown.
func named(name string) measure {
	for _, m := range measures() {
		if m.name == name {
			return m
		}
	}
	switch name {
	case "fpa":
		return measure{name: name, title: "distance from even", unit: chart.Percent, decimals: 1}
	case "mean_length":
		return measure{name: name, title: "mean length (plies)", unit: chart.Number, decimals: 1}
	}
	return measure{name: name, title: strings.ReplaceAll(name, "_", " "), unit: chart.Number, decimals: 1}
}
