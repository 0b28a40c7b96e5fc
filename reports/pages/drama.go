package pages

import (
	"fmt"

	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// drama is the section on position values: how long games stay open and how often the lead changes.
func (b *builder) drama() page.Section {
	s := page.Section{ID: "drama", Title: "Is it alive?"}
	if t := b.mechanics(); len(t.Rows) > 0 {
		s.Tables = append(s.Tables, t)
	}
	if b.main == nil || b.main.Course == nil {
		s.Lead = "The positions of these games have no values, so the course of games was not measured."
		s.Missing = []page.Missing{{What: "point of no return, lead changes", Why: "the study has no position values", Remedy: fmt.Sprintf("spar report %s --values 400",
			b.study)}}
		return s
	}
	c := b.main.Course
	s.Lead = told("The winner leads for good after", c.Decisiveness, " of a game.")
	switch o := b.r.Oracle; {
	case o == nil:
	case o.Kind == "exact":
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("Positions of %d games have their exact values, because the "+
			"game is solved.", c.Games))
	default:
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("%s (%s) valued the positions of %d games.", o.Name, o.Budget,
			c.Games))
	}
	progress := chart.Axis{Label: "share of the game played", Unit: chart.Percent, Min: 0, Max: 1}
	settled := &chart.Lines{X: progress, Y: chart.Axis{
		Label: "share of the won games", Unit: chart.Percent, Min: 0,
		Max: 1,
	}}
	for _, g := range pick(b.tiers(), 4) {
		if g.Course == nil {
			continue
		}
		e := chart.Line{Name: b.label(g), Style: chart.Stairs}
		for _, p := range g.Course.SettledECDF {
			e.Points = append(e.Points, chart.Point{X: p.X, Y: p.Share})
		}
		settled.Lines = append(settled.Lines, e)
	}
	s.Figures = append(s.Figures,
		page.Figure{ID: "settled", Title: "When the winner leads for good", Caption: "Share of the won games whose winner " +
			"leads from there on. If it rises early, games are decided long before they end.", Chart: settled},
		page.Figure{
			ID: "lead-changes", Title: "Lead changes", Caption: sentence("Games by how often the lead changed "+
				"hands; the first lead is not counted.", zone(c.DeadZone)),
			Chart: &chart.Histogram{
				X: chart.Axis{Label: "lead changes", Unit: chart.Integer}, Y: "games",
				Bins: bins(c.LeadBars),
			},
		})
	s.Tables = append(s.Tables, b.dramaTable())
	return s
}

// zone describes the dead zone of lead changes in words.
func zone(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("Values within %.1f percentage points of even count as no lead.", 100*v)
}

func (b *builder) dramaTable() table.Table {
	t := table.Table{
		ID: "courses", Caption: "How games go", Columns: []table.Column{
			{Name: "games of", Text: true},
			{Name: "decisiveness", Help: "share of a won game until the winner leads for good"},
			{Name: "lead changes"},
		},
		Note: "Sampled games only.",
	}
	for i := range b.r.Groups {
		g := &b.r.Groups[i]
		if c := g.Course; c != nil {
			t.Rows = append(t.Rows, []table.Cell{
				table.Words(g.Name), cell(c.Decisiveness, ""), cell(c.LeadChanges, ""),
			})
		}
	}
	return t
}
