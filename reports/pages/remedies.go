package pages

import (
	"fmt"
	"strconv"
	"strings"

	"spar/ratings"
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

// remedies is a table of changed rules.
func remedies(id, title, agent string, xs []variants.Remedy) page.Section {
	share := func(name, help string, of func(variants.Remedy) ratings.Estimate) table.Field[variants.Remedy] {
		return table.CellField(name, help, func(x variants.Remedy) table.Cell { return table.Of(of(x)) })
	}
	words := func(name string, of func(variants.Remedy) string) table.Field[variants.Remedy] {
		f := table.WordField(name, of)
		f.Optional = true
		return f
	}
	fields := []table.Field[variants.Remedy]{
		words("verdict", func(x variants.Remedy) string { return x.Verdict }),
		words("with best play", func(x variants.Remedy) string { return x.Brief() }),
		share("first player", "score of the first player at the strongest tier",
			func(x variants.Remedy) ratings.Estimate { return x.Score }),
	}
	if id == "best" {
		fields = append(fields, share("weaker", "the same with a quarter of the simulations",
			func(x variants.Remedy) ratings.Estimate { return x.Weak }),
			share("erring", "the same if one move of ten is random", func(x variants.Remedy) ratings.Estimate { return x.Slips }),
			table.CellField("people", "first player's score predicted for practised people", func(x variants.Remedy) table.Cell {
				return table.Num(x.People, chart.Percent, 0)
			}))
	}
	fields = append(fields,
		share("drawn", "", func(x variants.Remedy) ratings.Estimate { return x.Draws }),
		share("finished", "share of games that the rules end", func(x variants.Remedy) ratings.Estimate { return x.Completion }),
		table.CellField("plies", "mean length", func(x variants.Remedy) table.Cell { return table.Num(x.Length, chart.Number, 0) }),
		table.CountField("games", func(x variants.Remedy) int64 { return x.Games }),
		words("costs", func(x variants.Remedy) string { return strings.Join(x.Costs, ", ") }),
		words("why not", func(x variants.Remedy) string { return x.Why }),
		table.Declare(table.Column{Name: "change", Text: true, Kept: true}, func(x variants.Remedy) table.Cell {
			if x.Verdict == "base" {
				return table.Words("unchanged")
			}
			return table.Words(strings.Join(x.Changes, ", "))
		}))
	t := table.Build(fields, xs)
	t.ID, t.Caption = id, strconv.Itoa(len(xs))+" rule sets, "+agent+" against itself"
	return page.Section{ID: id, Title: title, Screen: true, Tables: []table.Table{t}}
}
