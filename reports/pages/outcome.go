package pages

import (
	"fmt"

	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

// fair is the range of scores that count as fair.
var fair = [2]float64{0.45, 0.55}

var even = []chart.Ref{{Value: 0.5, Label: "even"}}

// trend returns a line over the tiers.
func trend(name string, k chart.Colour, points []balance.TierPoint) chart.Line {
	l := chart.Line{Name: name, Colour: k, Style: chart.Band}
	for _, p := range points {
		l.Points = append(l.Points, chart.PointOf(float64(p.Tier), p.Number))
	}
	return l
}

// strength returns the axis of tiers.
func (b *builder) strength() chart.Axis {
	a := chart.Axis{Label: "agents, weakest first"}
	for _, t := range b.r.Tiers {
		a.Names = append(a.Names, t.Name)
	}
	return a
}

func (b *builder) outcome() page.Section {
	s := page.Section{ID: "outcome", Title: "Is it fair?"}
	if b.main == nil {
		s.Lead = "No games to measure."
		return s
	}
	o := b.main.Outcome
	s.Lead = sentence(told("The first player scores", o.Score, fmt.Sprintf(" in %s;", b.main.Name)),
		told("that is worth", o.Elo, " Elo."))
	if b.r.Exact != nil {
		s.Paragraphs = append(s.Paragraphs, b.r.Exact.Text)
	}
	stack := &chart.Stack{Parts: chart.Outcome(), Ref: 0.5}
	for _, g := range b.tiers() {
		x := g.Outcome
		stack.Bars = append(stack.Bars, chart.Bar{Label: b.label(g), Values: []float64{
			float64(x.FirstWins), float64(x.Draws),
			float64(x.Caps), float64(x.SecondWins),
		}, N: int(x.FirstWins + x.Draws + x.Caps + x.SecondWins)})
	}
	s.Figures = append(s.Figures, page.Figure{
		ID: "outcome-by-tier", Title: b.title("Results by strength", "Results"),
		Caption: b.title("Each bar is all games of one agent against itself;", "All games of the study, by all players;") +
			" games that the ply limit ended do not count as draws.", Chart: stack,
	})
	if t := b.advantages(); len(t.Rows) > 0 {
		s.Tables = append(s.Tables, t)
	}
	s.Tables = append(s.Tables, b.outcomeTable())
	return s
}

// advantages lists the first-player advantage of the agents, weakest first.
func (b *builder) advantages() table.Table {
	t := table.Table{
		ID: "advantage", Caption: "Value of moving first",
		Columns: []table.Column{
			{Name: "agent", Text: true},
			{Name: "in Elo"},
			{Name: "share of the decisive games"},
		},
	}
	for _, p := range b.r.Trends.Advantage.Points {
		cells := []table.Cell{table.Words(p.Name), cell(p.Number, ""), table.None("no game was won")}
		for _, g := range b.groups("mirror") {
			if g.Tier == p.Tier {
				cells[2] = cell(g.Outcome.Decisive, "no game was won")
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// picture returns the first figure of the page: the first player's score by strength, or the results if there is
// only one kind of games.
func (b *builder) picture() *page.Figure {
	if len(b.r.Tiers) < 2 || len(b.r.Trends.Score.Points) < 2 {
		return nil
	}
	lines := []chart.Line{trend("from the start", chart.First, b.r.Trends.Score.Points)}
	openings := chart.Line{Name: "random openings", Colour: chart.B, Style: chart.Band}
	for _, g := range b.groups("openings") {
		openings.Points = append(openings.Points, chart.PointOf(float64(g.Tier), g.Outcome.Score))
	}
	lines = append(lines, openings)
	return &page.Figure{
		ID: "score-by-tier", Title: "Is it fair when players get better?",
		Caption: "Score of the first player with 95 % bands, from weak agents to strong ones. Where a line leaves the " +
			"shaded range, players of that strength find the game unfair. Orange: games that begin with random moves.",
		Chart: &chart.Lines{
			X: b.strength(), Y: chart.Axis{Label: "first player scores", Unit: chart.Percent}, Lines: lines,
			Refs: even, Zone: fair, Dim: chart.Dim{Width: chart.Full, Height: 280},
		},
	}
}

func (b *builder) outcomeTable() table.Table {
	t := table.Table{
		ID: "outcomes", Caption: "Results of every group of games",
		Columns: []table.Column{
			{Name: "games of", Text: true},
			{Name: "games"},
			{Name: "distinct"},
			{Name: "first wins"},
			{Name: "draw"},
			{Name: "cap"},
			{Name: "second wins"},
			{Name: "score"},
			{Name: "Elo"},
			{Name: "forfeits"},
		},
		Note: "Wilson's intervals, clustered by pair, or by opening if pairs share openings. Repeated games of agents without randomness " +
			"count once; forfeits do not count.",
		Fold: len(b.r.Groups) > 6,
	}
	for i := range b.r.Groups {
		g := &b.r.Groups[i]
		o := g.Outcome
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(g.Name), table.Count(int(g.Games)), table.Count(int(g.Distinct)),
			cell(o.First, ""), cell(o.Draw, ""), cell(o.Cap, ""), cell(o.Second, ""), cell(o.Score, ""), cell(o.Elo, ""),
			table.Count(int(g.Forfeits)),
		})
	}
	return t
}
