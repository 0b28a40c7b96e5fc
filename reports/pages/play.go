package pages

import (
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// play is the section on the choice that players have.
func (b *builder) play() page.Section {
	s := page.Section{ID: "play", Title: "On the board"}
	if b.main == nil {
		s.Lead = "No games to measure."
		return s
	}
	if c := b.main.Choice; c != nil {
		s.Lead = sentence(told("A player chooses among", c.Mean, " moves on average;"),
			told("", c.Forced, " of the plies are forced."))
		b.choice(&s, c)
	}
	t := table.Table{ID: "choices", Caption: "Choice", Columns: []table.Column{
		{Name: "games of", Text: true},
		{Name: "legal moves"},
		{Name: "forced"},
	}}
	for i := range b.r.Groups {
		if c := b.r.Groups[i].Choice; c != nil {
			t.Rows = append(t.Rows, []table.Cell{table.Words(b.r.Groups[i].Name), cell(c.Mean, ""), cell(c.Forced, "")})
		}
	}
	s.Tables = append(s.Tables, t)
	return s
}

func (b *builder) choice(s *page.Section, c *balance.Choice) {
	moves := chart.Line{Style: chart.Band, Colour: chart.A}
	games := chart.Line{Style: chart.Plain, Colour: chart.Muted}
	for _, p := range c.ByPly {
		if p.Games > 0 {
			moves.Points = append(moves.Points, chart.Point{X: float64(p.Ply), Y: p.Median.Value, Lo: p.P10, Hi: p.P90})
			games.Points = append(games.Points, chart.Point{X: float64(p.Ply), Y: float64(p.Games)})
		}
	}
	ply := chart.Axis{Label: "ply", Unit: chart.Integer}
	s.Figures = append(s.Figures, page.Figure{
		ID: "choice", Title: "How much choice there is", Caption: "Legal moves by ply: the median, and the range of the " +
			"middle 80 % of the games. The lower panel shows how many games are still in progress; if they are few, the upper " +
			"panel is uncertain.",
		Chart: &chart.Panels{Columns: 1, Titles: []string{"legal moves", "games still in progress"}, Charts: []chart.Chart{
			&chart.Lines{X: ply, Y: chart.Axis{Unit: chart.Integer}, Lines: []chart.Line{moves}, Dim: chart.Dim{Height: 200}},
			&chart.Lines{X: ply, Y: chart.Axis{Unit: chart.Integer}, Lines: []chart.Line{games}, Dim: chart.Dim{Height: 120}},
		}},
	})
}
