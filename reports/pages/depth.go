package pages

import (
	"fmt"

	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// depth is the section on skill: the ladder of agents.
func (b *builder) depth() page.Section {
	s := page.Section{ID: "depth", Title: "Is it deep?"}
	if l := b.r.Ladder; l != nil {
		b.ladder(&s, l)
	} else {
		s.Lead = "No agents of increasing strength played, so the depth of the game was not measured."
	}
	return s
}

func (b *builder) ladder(s *page.Section, l *balance.Ladder) {
	bound := ""
	if l.LowerBound {
		bound = "at least "
	}
	if l.Depth.Known() {
		s.Lead = fmt.Sprintf("From the weakest agent to %s there are %s%s levels of skill: at each, a player scores 60 %% "+
			"against the level below.", l.Top, bound, say(l.Depth))
	}
	if l.Skill.Known() { // the step from random play to a first search is no skill among players
		all := s.Lead
		s.Lead = fmt.Sprintf("From the first search to %s there are %s%s levels of skill: at each, a player scores 60 %% "+
			"against the level below.", l.Top, bound, say(l.Skill))
		if all != "" {
			s.Paragraphs = append(s.Paragraphs, all)
		}
	}
	switch {
	case l.Saturated != "":
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("The first doubling without a significant gain is %s.", l.Saturated))
	case l.LowerBound:
		s.Paragraphs = append(s.Paragraphs, "Stronger agents would probably find more levels.")
	}
	if l.Slope.Known() {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("Doubling the search is worth %s Elo on average.", say(l.Slope)))
	}
	line := chart.Line{Style: chart.Whiskers, Colour: chart.A}
	axis := chart.Axis{Label: "agents, weakest first"}
	for i, p := range l.Strength {
		axis.Names = append(axis.Names, p.Name)
		line.Points = append(line.Points, chart.PointOf(float64(i), p.Number))
	}
	t := table.Table{
		ID: "ladder", Caption: "Each agent against the next weaker one",
		Columns: []table.Column{
			{Name: "agent", Text: true},
			{Name: "against", Text: true},
			{Name: "score"},
			{Name: "Elo"},
			{Name: "won"},
			{Name: "drawn"},
			{Name: "lost"},
		},
		Note: "Pairs from common openings with the seats exchanged; intervals by pairs.",
	}
	for _, r := range l.Rungs {
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(r.Upper), table.Words(r.Lower), cell(r.Score, ""), cell(r.Elo, ""),
			table.Count(int(r.Wins)), table.Count(int(r.Draws)), table.Count(int(r.Losses)),
		})
	}
	s.Figures = append(s.Figures,
		page.Figure{
			ID: "ladder", Title: "Strength above the weakest agent", Caption: "Elo differences between neighbours, " +
				"added up. A flat end of the curve means that more search stops helping.",
			Chart: &chart.Lines{X: axis, Y: chart.Axis{Label: "Elo"}, Lines: []chart.Line{line}},
		})
	s.Tables = append(s.Tables, t)
}
