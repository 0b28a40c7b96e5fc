package pages

import (
	"fmt"
	"slices"
	"strings"

	"spar/engines"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning/variants"
)

// Remedies makes the page of a search for remedies of a game.
func Remedies(g *engines.Game, r *variants.RemedyResult) *page.Document {
	v := page.Verdict{Headline: r.Text + ".", Status: table.Undecided}
	switch {
	case r.Base.Verdict == "fair" || len(r.Best) > 0 && r.Best[0].Verdict == "fair":
		v.Status = table.Good
	case len(r.Best) > 0 && r.Best[0].Verdict == "better":
		v.Status = table.Middling
	case len(r.Best) == 0 && !r.Open() && r.Left() == 0:
		v.Status = table.Poor
	}
	if r.Tried > 0 && r.Problem == variants.Unfair {
		v.Detail = fmt.Sprintf("Fair, confirmed on fresh seeds: %d of %d changes.", r.Fair, r.Tried)
	}
	if r.Left() > 0 && v.Status != table.Good {
		v.Detail += " To decide more changes, repeat the command with a larger --work."
	}
	for _, x := range slices.Concat(r.Best, r.Others) {
		if r.Base.Verdict == "fair" || x.Opening == "" || len(x.Changes) == 0 || x.Weak.N == 0 { // no pie rule, or not confirmed
			continue
		}
		var with []string
		for _, w := range x.Words {
			w, _, _ = strings.Cut(w, ":")
			with = append(with, w)
		}
		v.Detail += fmt.Sprintf(" With %s, the games begin with %s, the first move nearest to even. The first player "+
			"then scores %s; the prediction for experienced players is about %.0f %%. If the first player "+
			"begins with a stronger or a weaker move, the opponent takes the better side.", strings.Join(with, " and "), x.Opening, x.Score,
			100*x.People)
		if x.Draws.Value == 0 && x.Winner != "draw" {
			v.Detail += " No game was drawn. If no draw is possible, the second player wins with best play, so the numbers " +
				"hold for these agents only."
		}
		break
	}
	v.Headline, v.Detail = g.NameSides(v.Headline), g.NameSides(v.Detail)
	d := &page.Document{
		Title: "Remedies for " + r.Name, Verdict: v,
		Subtitle: fmt.Sprintf("%s, %s against itself", screen.Plural(r.Games, "game"), r.Agent),
		Sections: []page.Section{balance.Remedies("best", "Best", r, append([]variants.Remedy{r.Base}, r.Best...))},
		Facts:    []page.Fact{{Name: "study", Value: r.DB}},
	}
	if len(r.Others) > 0 {
		d.Sections = append(d.Sections, balance.Remedies("others", "Other changes tried", r, r.Others))
	}
	for _, s := range d.Sections {
		for i := range s.Tables {
			s.Tables[i].Reword(g.NameSides)
		}
	}
	var broken []string
	for _, s := range r.Dropped {
		broken = append(broken, s.Rules)
	}
	if len(broken) > 0 {
		d.Facts = append(d.Facts, page.Fact{Name: "not tried, because they break the game", Value: strings.Join(broken, "; ")})
	}
	return d
}
