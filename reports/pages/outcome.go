package pages

import (
	"fmt"

	"spar/arena/balance"
	"spar/reports/chart"
	"spar/reports/page"
)

// fair is the range of scores that count as fair.
var fair = [2]float64{0.45, 0.55}

var even = []chart.Ref{{Value: 0.5, Label: "even"}}

// trend is a line of tiers.
func trend(name string, k chart.Colour, points []balance.TierPoint) chart.Line {
	l := chart.Line{Name: name, Colour: k, Style: chart.Band}
	for _, p := range points {
		l.Points = append(l.Points, point(float64(p.Tier), p.Number))
	}
	return l
}

// strength is the axis of tiers.
func (b *builder) strength() chart.Axis {
	a := chart.Axis{Label: "agents, weakest first"}
	for _, t := range b.r.Tiers {
		a.Names = append(a.Names, t.Name)
	}
	return a
}

func (b *builder) outcome() page.Section {
	s := page.Section{ID: "outcome", Title: "Who wins?"}
	if b.main == nil {
		s.Lead = "No games that could be measured."
		return s
	}
	o := b.main.Outcome
	s.Lead = sentence(told("The first player scores", o.Score, fmt.Sprintf(" in %s;", b.main.Name)), told("that is worth", o.Elo, " Elo."))
	if j := b.r.Joint; j != nil && b.main.Kind == "all" && j.Score.OK() {
		s.Lead = sentence(told("Between agents of equal strength the first player scores", j.Score, ", by one fit of strengths and the seat;"), told("over all games as they were played,", o.Score, "."))
	}
	if slope := b.r.Trends.Advantage.Slope; slope.OK() {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("The advantage changes by %s Elo with each doubling of the search.", say(slope)))
	}
	if b.r.Exact != nil {
		s.Paragraphs = append(s.Paragraphs, b.r.Exact.Text)
	}
	stack := &chart.Stack{Parts: chart.Outcome(), Ref: 0.5}
	for _, g := range b.tiers() {
		x := g.Outcome
		stack.Bars = append(stack.Bars, chart.Bar{Label: b.label(g), Values: []float64{float64(x.FirstWins), float64(x.Draws), float64(x.Caps), float64(x.SecondWins)}, N: int(x.FirstWins + x.Draws + x.Caps + x.SecondWins)})
	}
	s.Figures = append(s.Figures, page.Figure{ID: "outcome-by-tier", Title: b.title("Results by strength", "Results"), Caption: b.title("Each bar is all games of one agent against itself;", "All games of the study, whoever played;") + " games that a cap ended are no draws.", Chart: stack})
	if len(b.r.Tiers) > 1 {
		lines := []chart.Line{trend("true start", chart.First, b.r.Trends.Score.Points)}
		openings := chart.Line{Name: "openings", Colour: chart.B, Style: chart.Band}
		decisive := chart.Line{Name: "decisive games", Colour: chart.First, Style: chart.Band}
		for _, g := range b.groups("openings") {
			openings.Points = append(openings.Points, point(float64(g.Tier), g.Outcome.Score))
		}
		for _, g := range b.groups("mirror") {
			decisive.Points = append(decisive.Points, point(float64(g.Tier), g.Outcome.Decisive))
		}
		lines = append(lines, openings)
		score := chart.Axis{Label: "first player scores", Unit: chart.Percent}
		s.Figures = append(s.Figures,
			page.Figure{ID: "score-by-tier", Title: "Is it fair when people get good?", Caption: "Score of the first player, with 95 % bands; a line that leaves the shaded range means that strong players find the game unfair. Random openings are another game and stand apart.", Chart: &chart.Lines{X: b.strength(), Y: score, Lines: lines, Refs: even, Zone: fair}},
			page.Figure{ID: "draws-by-tier", Title: "Draws by strength", Caption: "Share of games drawn by the rules; caps are not counted.", Chart: &chart.Lines{X: b.strength(), Y: chart.Axis{Label: "draws", Unit: chart.Percent}, Lines: []chart.Line{trend("", chart.Draws, b.r.Trends.Draws.Points)}}},
			page.Figure{ID: "decisive-by-tier", Title: "Share of the decisive games", Caption: "Of the games that somebody won, the first player won this share.", Chart: &chart.Lines{X: b.strength(), Y: chart.Axis{Label: "first player's share of the wins", Unit: chart.Percent}, Lines: []chart.Line{decisive}, Refs: even, Zone: fair}},
			page.Figure{ID: "advantage-by-tier", Title: "Advantage of moving first, in Elo", Caption: "What the first move is worth as a difference in strength between equal agents.", Chart: &chart.Forest{X: chart.Axis{Label: "Elo", Unit: chart.Signed}, Rows: tierRows(b.r.Trends.Advantage.Points), Refs: []chart.Ref{{Value: 0, Label: "even"}}}},
			page.Figure{ID: "advantage-in-rungs", Title: "The same in doublings of search", Caption: "The advantage divided by what doubling the search is worth: 1 means that moving first equals thinking twice as long.", Chart: &chart.Forest{X: chart.Axis{Label: "doublings"}, Rows: tierRows(b.r.Trends.Rungs.Points), Refs: []chart.Ref{{Value: 0, Label: "even"}}}})
	}
	s.Tables = append(s.Tables, b.outcomeTable())
	if j := b.r.Joint; j != nil {
		t := page.Table{ID: "by-seat", Caption: "Does an agent only win when it begins?", Columns: []page.Column{{Name: "agent", Text: true}, {Name: "score as first"}, {Name: "score as second"}}, Note: "One fit of strengths and the seat over all agents: the seat is worth " + orNothing(say(j.Elo)) + " Elo." + b.opened(), Fold: len(j.ByAgent) > 8}
		for _, a := range j.ByAgent {
			t.Rows = append(t.Rows, []page.Cell{page.Words(a.Agent), cell(a.AsFirst, ""), cell(a.AsSecond, "")})
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

// opened says that agents of a balance study meet others from random openings only.
func (b *builder) opened() string {
	if len(b.groups("mirror")) == 0 {
		return ""
	}
	return " These games begin with random openings, from which the seat is worth something else than from the true start."
}

func orNothing(s string) string {
	if s == "" {
		return "an unknown number of"
	}
	return s
}

func tierRows(points []balance.TierPoint) []chart.Row {
	var out []chart.Row
	for _, p := range points {
		out = append(out, row(p.Name, p.Number))
	}
	return out
}

func (b *builder) outcomeTable() page.Table {
	t := page.Table{
		ID: "outcomes", Caption: "Results of every group of games",
		Columns: []page.Column{{Name: "games of", Text: true}, {Name: "games"}, {Name: "distinct"}, {Name: "first wins"}, {Name: "draw"}, {Name: "cap"}, {Name: "second wins"}, {Name: "score"}, {Name: "Elo"}, {Name: "forfeits"}},
		Note:    "Shares have Wilson intervals, scores those of Newcombe. Games that equal an earlier one of agents that leave nothing to chance count once; forfeits count nowhere.",
		Fold:    len(b.r.Groups) > 6,
	}
	for i := range b.r.Groups {
		g := &b.r.Groups[i]
		o := g.Outcome
		t.Rows = append(t.Rows, []page.Cell{page.Words(g.Name), page.Count(int(g.Games)), page.Count(int(g.Distinct)), cell(o.First, ""), cell(o.Draw, ""), cell(o.Cap, ""), cell(o.Second, ""), cell(o.Score, ""), cell(o.Elo, ""), page.Count(int(g.Forfeits))})
	}
	return t
}
