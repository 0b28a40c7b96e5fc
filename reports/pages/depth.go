package pages

import (
	"fmt"
	"math"
	"slices"

	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// depth is the section on skill: the ladder, the table of agents, restricted play, clarity, and accuracy.
func (b *builder) depth() page.Section {
	s := page.Section{ID: "depth", Title: "Is it deep?"}
	if l := b.r.Ladder; l != nil {
		b.ladder(&s, l)
	} else {
		s.Lead = "No agents of increasing strength played, so the depth of the game was not measured."
	}
	if len(b.r.Restrict) > 0 {
		b.restricted(&s)
	}
	if m := b.r.Matrix; m != nil {
		b.matrix(&s, m)
	}
	b.clarity(&s)
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

func (b *builder) restricted(s *page.Section) {
	f := &chart.Forest{
		X:    chart.Axis{Label: "Elo against the same agent without the restriction", Unit: chart.Signed},
		Refs: []chart.Ref{{Value: 0, Label: "no difference"}},
	}
	t := table.Table{
		ID: "restricted", Caption: "Elo lost without the ability",
		Columns: []table.Column{
			{Name: "agent", Text: true},
			{Name: "restriction", Text: true},
			{Name: "Elo"},
			{Name: "score"},
			{Name: "says", Text: true},
		}, Note: "A restriction is ignored if it leaves no legal move.",
	}
	for _, r := range b.r.Restrict {
		f.Rows = append(f.Rows, chart.RowOf(r.What, r.Elo))
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(r.Name), table.Words(r.What), cell(r.Elo, ""), cell(r.Score, ""),
			table.Words(r.Text),
		})
	}
	f.Dim = chart.Dim{Width: chart.Full - 200}
	s.Figures = append(s.Figures, page.Figure{
		ID: "restricted", Title: "What players need",
		Caption: "Far left: essential. Near 0: unimportant in this game. Right: the agent plays better without it, which " +
			"shows a weakness of the agent.", Chart: f,
	})
	s.Tables = append(s.Tables, t)
}

func (b *builder) matrix(s *page.Section, m *balance.Matrix) {
	n := len(m.Agents)
	g := &chart.Grid{Scale: scale(), XLabel: "against"}
	index := map[string]int{}
	for i, a := range m.Agents {
		index[a] = i
		g.Rows = append(g.Rows, fmt.Sprintf("%d %s", i+1, a))
		g.Columns = append(g.Columns, fmt.Sprint(i+1))
		line := make([]chart.Cell, n)
		for j := range line {
			line[j] = chart.Cell{Value: math.NaN()}
			if i == j {
				line[j].Text = "–"
			}
		}
		g.Cells = append(g.Cells, line)
	}
	for _, c := range m.Cells {
		i, ok1 := index[c.Agent]
		j, ok2 := index[c.Opponent]
		if !ok1 || !ok2 || !c.Score.Known() {
			continue
		}
		x := chart.Cell{
			Value: c.Score.Value, Text: fmt.Sprintf("%.0f", 100*c.Score.Value),
			Sub: fmt.Sprintf("±%.0f", 50*(c.Score.Hi-c.Score.Lo)),
		}
		if c.Score.Lo <= 0.5 && c.Score.Hi >= 0.5 {
			x.Mark = chart.Hatched
		}
		g.Cells[i][j] = x
	}
	if n <= 8 {
		g.Dim = chart.Dim{Width: chart.Half + 40}
	}
	s.Figures = append(s.Figures, page.Figure{
		ID: "matrix", Title: "Agents against each other",
		Caption: "Score of the row against the column in per cent, with half the width of its interval. Hatched: not " +
			"significant.", Chart: g,
	})
	if m.NonTransitive.Known() {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("Of %d triples of agents, %s beat each other in a cycle by more "+
			"than two standard errors.", m.Triples, say(m.NonTransitive)))
	}
	t := table.Table{
		ID: "ratings", Caption: "Ratings of the agents", Columns: []table.Column{
			{Name: "agent", Text: true},
			{Name: "Elo"},
			{Name: "group", Help: "ratings of different groups cannot be compared"},
		}, Fold: true,
		Note: "One fit of all games between different agents, corrected for the first-player advantage; 0 is the agents' " +
			"mean. The curve above adds up matches of neighbours from the weakest agent on, so its differences are " +
			"not the same.",
	}
	for _, r := range m.Ratings {
		t.Rows = append(t.Rows, []table.Cell{table.Words(r.Agent), cell(r.Elo, ""), table.Count(r.Group + 1)})
	}
	s.Tables = append(s.Tables, t)
}

func (b *builder) clarity(s *page.Section) {
	t := table.Table{
		ID: "clarity", Caption: "Clarity of positions",
		Columns: []table.Column{
			{Name: "games of", Text: true},
			{Name: "moves near the best", Help: "mean share of the legal moves"},
			{Name: "variance of move values"},
			{Name: "positions in which a one-ply search finds a move near the best", Help: "share of positions, including " +
				"those in which all moves are equal"},
			{Name: "positions"},
		},
	}
	var boxes []chart.Quantiles
	for i := range b.r.Groups {
		g := &b.r.Groups[i]
		c := g.Clarity
		if c == nil {
			continue
		}
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(g.Name), cell(c.Narrow, ""), cell(c.Variance, ""),
			cell(c.Shallow, ""), table.Count(int(c.Positions)),
		})
		if g == b.main {
			for _, p := range c.Phases {
				if p.Narrow.Known() {
					boxes = append(boxes, chart.Quantiles{
						Label: p.Phase, P5: p.Box[0], P25: p.Box[1], P50: p.Box[2], P75: p.Box[3],
						P95: p.Box[4],
					})
				}
			}
		}
	}
	if len(boxes) > 0 {
		s.Figures = append(s.Figures, page.Figure{
			ID: "clarity", Title: "Moves nearly as good as the best",
			Caption: "Share of the legal moves that are near the best, by thirds of a game. Small: sharp. Large: forgiving.",
			Chart: &chart.Boxes{
				X:    chart.Axis{Label: "share of legal moves", Unit: chart.Percent, Min: 0, Max: 1},
				Rows: boxes,
			},
		})
	}
	s.Tables = append(s.Tables, t)
	a := table.Table{
		ID: "accuracy", Caption: "Decisions against perfect play",
		Columns: []table.Column{
			{Name: "games of", Text: true},
			{Name: "kept the value", Help: "decisions with more than one legal move"},
			{Name: "mean loss"},
			{Name: "perfect games"},
		},
	}
	for i := range b.r.Groups {
		if x := b.r.Groups[i].Accuracy; x != nil {
			a.Rows = append(a.Rows, []table.Cell{
				table.Words(b.r.Groups[i].Name), cell(x.Kept, ""), cell(x.MeanLoss, ""),
				cell(x.Perfect, ""),
			})
		}
	}
	s.Tables = slices.DeleteFunc(append(s.Tables, a), func(t table.Table) bool { return len(t.Rows) == 0 })
}
