package pages

import (
	"fmt"
	"strconv"
	"strings"

	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning/variants"
)

// Remedies makes the page of a search for remedies.
func Remedies(r *variants.RemedyResult) *page.Document {
	v := page.Verdict{Headline: r.Text + ".", Status: table.Undecided}
	switch {
	case len(r.Best) == 0:
		v.Status = table.Poor
	case r.Best[0].Verdict == "fair":
		v.Status = table.Good
	}
	v.Detail = fmt.Sprintf("Fair, confirmed on fresh seeds: %d of %d changes.", r.Fair, r.Tried)
	if len(r.Best) > 0 {
		if x := r.Best[0]; x.Opening != "" {
			v.Detail += fmt.Sprintf(" The games begin with %s, of the first moves valued the nearest to even; who opens unevenly loses "+
				"the advantage by the swap.", x.Opening)
			if x.Draws.Value == 0 && x.Winner != "draw" {
				v.Detail += " Without draws the second player wins with best play: the numbers hold for these agents."
			}
		}
	}
	d := &page.Document{
		Title: "Remedies for " + r.Name, Verdict: v,
		Subtitle: fmt.Sprintf("%s, %s against itself", screen.Plural(r.Games, "game"), r.Agent),
		Sections: []page.Section{remedies("best", "Best", r.Agent, append([]variants.Remedy{r.Base}, r.Best...))},
		Facts:    []page.Fact{{Name: "study", Value: r.DB}},
	}
	if len(r.Others) > 0 {
		d.Sections = append(d.Sections, remedies("others", "Other changes tried", r.Agent, r.Others))
	}
	var broken []string
	for _, s := range r.Dropped {
		broken = append(broken, s.Rules)
	}
	if len(broken) > 0 {
		d.Facts = append(d.Facts, page.Fact{Name: "not tried, they break the game", Value: strings.Join(broken, "; ")})
	}
	return d
}

// words are a value of a column that people see only if it has one.
func words(text string) table.As {
	return table.As{Column: table.Column{Text: true, Optional: true}, Cell: table.Words(text)}
}

// remedies is a table of changed rules.
func remedies(id, title, agent string, xs []variants.Remedy) page.Section {
	t := table.Rows(xs, func(x variants.Remedy) []any {
		row := []any{
			"verdict", words(x.Verdict), "with best play", words(x.Brief()),
			"first player", table.Help("score of the first player at the strongest tier", table.Of(x.Score)),
		}
		if id == "best" {
			row = append(row, "weaker", table.Help("the same with a quarter of the simulations", table.Of(x.Weak)),
				"erring", table.Help("the same if one move of ten is random", table.Of(x.Slips)),
				"people", table.Help("first player's score predicted for practised people", table.Num(x.People, chart.Percent, 0)))
		}
		change := strings.Join(x.Words, "; ")
		if x.Verdict == "base" {
			change = "unchanged"
		}
		return append(row, "drawn", table.Of(x.Draws), "finished", table.Help("share of games that the rules end", table.Of(x.Completion)),
			"plies", table.Help("mean length", table.Num(x.Length, chart.Number, 0)), "games", x.Games,
			"costs", words(strings.Join(x.Costs, ", ")), "why not", words(x.Why),
			"change", table.As{Column: table.Column{Text: true, Kept: true}, Cell: table.Words(change)})
	})
	t.ID, t.Caption = id, strconv.Itoa(len(xs))+" rule sets, "+agent+" against itself"
	return page.Section{ID: id, Title: title, Screen: true, Tables: []table.Table{t}}
}
