package pages

import (
	"fmt"
	"slices"
	"strings"

	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// Comparison makes the page that compares two studies.
func Comparison(c *balance.Comparison) *page.Document {
	again := "spar report --compare " + page.ShellWord(c.Before.DB) + " " + page.ShellWord(c.After.DB) + " --rules " +
		page.ShellWord(c.Before.Rules)
	if c.After.Rules != c.Before.Rules {
		again += " --rules-after " + page.ShellWord(c.After.Rules)
	}
	d := &page.Document{
		Title: c.Before.Rules + " against " + c.After.Rules,
		Subtitle: fmt.Sprintf("before: %s, %d games; after: %s, %d games", c.Before.DB, c.Before.Games, c.After.DB,
			c.After.Games),
		Warnings: c.Warnings, Commands: []page.Command{{
			Text: again + " --out comparison.html",
			Note: "makes this page again",
		}},
		Facts: []page.Fact{
			{Name: "hash before", Value: c.Before.Hash},
			{Name: "hash after", Value: c.After.Hash},
			{Name: "intervals", Value: fmt.Sprintf("%.0f %%", 100*c.Level)},
		},
	}
	var changed []string
	for _, k := range c.Knobs {
		changed = append(changed, fmt.Sprintf("%s from %s to %s", k.Path, k.Before, k.After))
	}
	rules := "The rules are the same."
	if len(changed) > 0 {
		rules = "Changed: " + strings.Join(changed, ", ") + "."
	}
	top := strongest(c)
	d.Verdict = page.Verdict{Headline: rules, Detail: "The studies share no group of games, so the effect is unknown."}
	var sure []string
	t := table.Table{
		Caption: "Differences", Note: "\"More\" and \"less\" are significant changes. Changes of shares are in " +
			"percentage points; " + ofPairs + ".",
		Columns: []table.Column{
			{Name: "games", Text: true},
			{Name: "measure", Text: true},
			{Name: "before"},
			{Name: "after"},
			{Name: "change"},
			{Name: "by pairs", Text: true},
			{Name: "verdict", Text: true},
		},
	}
	shares := &chart.Dumbbell{
		X: chart.Axis{Label: "first player's score", Unit: chart.Percent}, From: "before",
		To: "after", Dim: chart.Dim{Width: chart.Full - 200}, Refs: []chart.Ref{{Value: 0.5, Label: "even"}},
	}
	for _, r := range c.Rows {
		m := named(r.Measure)
		paired := "no"
		if r.Paired {
			paired = "yes"
		}
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(games(r.Group)), table.Words(m.title), estimate(m, r.Before),
			estimate(m, r.After), estimate(m, r.Change), table.Words(paired), table.Words(r.Verdict),
		})
		if r.Measure == "score" {
			shares.Rows = append(shares.Rows, chart.Move{
				Label: games(r.Group), From: chart.RowOf("", r.Before),
				To: chart.RowOf("", r.After),
			})
		}
		if r.Group == top && r.Measure == "score" {
			before, after := estimate(m, r.Before).Value(), estimate(m, r.After).Value()
			goes := "goes from " + before + " to " + after
			if before == after {
				goes = "stays at " + before
			}
			d.Verdict.Headline = fmt.Sprintf("The first player's score %s, %s: %s (%s).", goes, games(top), says(r),
				inPoints(estimate(m, r.Change).Interval()))
			d.Verdict.Detail = rules
		}
		if r.Verdict != "undecided" && r.Group == top {
			sure = append(sure, fmt.Sprintf("%s %s", m.title, map[string]string{"more": "higher", "less": "lower"}[r.Verdict]))
		}
	}
	if text := story(c, top); top != "" {
		d.Verdict.Headline, d.Verdict.Detail = text, d.Verdict.Headline+" "+d.Verdict.Detail
	}
	if len(sure) > 0 {
		d.Verdict.Detail += " Significant: " + strings.Join(sure, ", ") + "."
	}
	for _, j := range c.Judged {
		d.Verdict.Detail += " " + j.String() + "."
	}
	lead := fmt.Sprintf("%d differences, each with a %.0f %% interval: about one in twenty would exclude 0 by "+
		"chance alone.", len(c.Rows), 100*c.Level)
	if len(c.Rows) == 0 {
		lead = "Nothing to compare: the studies share no group of games."
	}
	d.Sections = []page.Section{{
		ID: "differences", Title: "What changed", Lead: lead, Tables: []table.Table{t},
		Figures: []page.Figure{{Title: "First player's score", Chart: shares, Caption: "Ring: before. Dot: after. One row " +
			"for each group of games in both studies."}},
	}}
	return d
}

// story describes in one sentence what became significantly better or worse in a kind of games.
func story(c *balance.Comparison, group string) string {
	var better, worse []string
	for _, r := range c.Rows {
		if r.Group != group && r.Group != "ladder" || r.Verdict == balance.Undecided {
			continue
		}
		// what changes by shares
		by := strings.Trim(estimate(named(r.Measure), r.Change).Value(), "+-− %") + " percentage points"
		more := r.Verdict == "more"
		switch r.Measure {
		case "fpa":
			if more {
				worse = append(worse, "less fair")
			} else {
				better = append(better, "fairer")
			}
		case "completion":
			if more {
				better = append(better, "the share of games that end rises by "+by)
			} else {
				worse = append(worse, "the share of games that end falls by "+by)
			}
		case "draws":
			if more {
				worse = append(worse, "draws rise by "+by)
			} else {
				better = append(better, "draws fall by "+by)
			}
		case "depth", "elo_per_doubling":
			if more {
				better = append(better, "deeper")
			} else {
				worse = append(worse, "less deep")
			}
		case "length", "mean_length":
			if word := map[bool]string{true: "longer games", false: "shorter games"}[more]; !slices.Contains(better, word) {
				better = append(better, word)
			}
		}
	}
	said := strings.Join(better, ", ")
	switch {
	case len(better) > 0 && len(worse) > 0:
		said += ", but " + strings.Join(worse, ", ")
	case len(worse) > 0:
		said = strings.Join(worse, ", ")
	case said == "":
		return "No significant change in " + games(group) + "."
	}
	return strings.ToUpper(said[:1]) + said[1:] + " (" + games(group) + ")."
}

// strongest returns the last group of games of agents against themselves from the true start. If there is none, it
// returns the first group.
func strongest(c *balance.Comparison) string {
	group := ""
	for _, r := range c.Rows {
		if group == "" || strings.HasPrefix(r.Group, "mirror/") {
			group = r.Group
		}
	}
	return group
}

// games returns a group of games in words.
func games(group string) string {
	kind, agent, _ := strings.Cut(group, "/")
	switch kind {
	case "mirror":
		return agent + " against itself"
	case "openings":
		return agent + " from random openings"
	case "all":
		return "all games"
	}
	return group
}

// says describes the change of a score in words.
func says(r balance.Row) string {
	switch r.Verdict {
	case "more":
		return "the change favours the first player"
	case "less":
		return "the change favours the second player"
	}
	return "no certain change"
}

// named describes how a measure is displayed in a comparison.
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
