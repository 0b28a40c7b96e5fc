package pages

import (
	"errors"
	"fmt"

	"spar/ratings"
	"spar/reports/chart"
	plots "spar/reports/figures"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/standings"
	"spar/reports/table"
)

// mostCrossed is the largest number of agents with a cross table: a larger one is unreadable.
const mostCrossed = 16

// Tournament is the first page of a tournament: who is strongest, the agents against each other, and the first player's
// score in each game. The name of a game links to the address that link returns for its rules. The pools are those of
// standings.Study for both scopes, at least one. Name is that of the tournament, and study its file.
func Tournament(name, study string, pools []*standings.Pool, link func(rules string) string) (*page.Document, error) {
	all, games := standings.Split(pools)
	if all == nil || len(games) == 0 {
		return nil, errors.New("a tournament's page needs the pool of all games and that of each game")
	}
	d := &page.Document{
		Title: name, Verdict: page.Verdict{
			Headline: standings.Headline(all, games),
		},
		Warnings: all.Busy,
	}
	if n, unit := all.Fit.Units(); n > 0 {
		d.Verdict.Detail = fmt.Sprintf("%s. Intervals are %.0f %%, from %d %s. Do not use them to decide when to stop.",
			screen.Plural(all.Played, "game"), 100*all.Fit.Level, n, unit)
	}
	agents := page.Section{
		Title: "Agents", Lead: all.Scope(len(games)),
		Commands: []page.Command{{
			Text: "spar standings " + page.ShellWord(study) + " --details", Note: "The ratings and tests of each game",
		}},
	}
	elo := &chart.Forest{X: chart.Axis{Label: "Elo", Unit: chart.Signed}, Refs: []chart.Ref{{}}, Dim: chart.Dim{Width: chart.Full}}
	for _, r := range all.Ranks() {
		elo.Rows = append(elo.Rows, rowOf(r.Name, all.Row(r.Name).Elo))
	}
	agents.Figures = []page.Figure{{
		Title: "Which agent is stronger?", Chart: elo,
		Caption: "Elo above or below the mean of these agents, with its interval.",
	}}
	cross, err := plots.Cross(all)
	switch {
	case len(elo.Rows) > mostCrossed || errors.Is(err, plots.ErrNone):
	case err != nil:
		return nil, err
	default:
		agents.Figures = append(agents.Figures, page.Figure{
			Title: "Against each other", Caption: "Blue: the row won more; orange: the column.", Alt: cross.Alt, Chart: cross.Chart,
		})
	}
	agents.Tables = []table.Table{all.Agents().Titled("Standings")}

	each := page.Section{Title: "Games", Lead: "The name of a game opens its page."}
	score := &chart.Forest{
		X:    chart.Axis{Label: "first player's score", Unit: chart.Percent, Max: 1},
		Refs: []chart.Ref{{Value: 0.5}}, Zone: [2]float64{0.45, 0.55}, Dim: chart.Dim{Width: chart.Full},
	}
	for _, p := range games {
		row := rowOf(p.Title, p.First[p.Rules])
		switch p.FirstMove() {
		case "helps":
			row.Colour = chart.First
		case "hurts":
			row.Colour = chart.Second
		default:
			row.Colour, row.Hollow = chart.Muted, true
		}
		score.Rows = append(score.Rows, row)
	}
	each.Figures = []page.Figure{{
		Title: "Does moving first help?", Chart: score,
		Caption: "The first player's score. Shaded: 45 to 55 %. Blue: helps; orange: hurts; hollow: hardly matters, or undecided.",
	}}
	each.Tables = []table.Table{table.Build([]table.Field[*standings.Pool]{
		table.Declare(table.Column{Name: "game", Text: true}, func(p *standings.Pool) table.Cell {
			return table.Words(p.Title).Link(link(p.Rules))
		}),
		table.WordField("strongest", (*standings.Pool).Leaders),
		table.EstimateField("first player scores", "", func(p *standings.Pool) ratings.Estimate { return p.First[p.Rules] }),
		table.WordField("moving first", (*standings.Pool).FirstMove),
		table.CountField("games", func(p *standings.Pool) int64 { return p.Played }),
	}, games).Titled("Each game")}

	if d.Sections = append(d.Sections, agents, each); len(elo.Rows) == 0 { // agents played only themselves
		d.Sections = d.Sections[1:]
	}
	if open := standings.Undecided(games); len(open) > 0 {
		d.Sections = append(d.Sections, page.Section{Title: "Undecided", Paragraphs: open})
	}
	return d, nil
}

// rowOf is an estimate with its interval in words.
func rowOf(label string, e ratings.Estimate) chart.Row {
	r := chart.RowOf(label, e)
	switch {
	case !e.Known():
	case e.Open() != "": // a bound
		r.Value, r.Note = e.At(), e.Range()
	default:
		r.Note = fmt.Sprintf("%s (%s)", e.Point(), e.Range())
	}
	return r
}
