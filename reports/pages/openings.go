package pages

import (
	"fmt"
	"math"
	"strings"

	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"

	"spar/ratings"
)

func (b *builder) openings() page.Section {
	s := page.Section{ID: "openings", Title: "Openings"}
	if f := b.r.FirstMove; f != nil {
		b.firstMoves(&s, f)
	}
	b.variety(&s)
	if s.Lead == "" && len(s.Figures) == 0 && len(s.Tables) == 0 {
		s.Lead = "These games cannot measure openings."
	}
	return s
}

// scale returns the colour scale of scores. It is the same in all figures of a page.
func scale() chart.Scale {
	return chart.Scale{Lo: 0.2, Hi: 0.8, Mid: 0.5, Diverging: true, Unit: chart.Percent, Label: "score"}
}

func (b *builder) firstMoves(s *page.Section, f *balance.FirstMoves) {
	cells := make([]chart.Cell, b.r.Rules.Columns*b.r.Rules.Rows)
	for i := range cells {
		cells[i] = chart.Cell{Value: math.NaN()}
	}
	t := table.Table{
		ID: "first-moves", Caption: "First moves, up to symmetry",
		Columns: []table.Column{
			{Name: "move", Text: true},
			{Name: "images"},
			{Name: "score of the first player"},
			{Name: "p of even", Help: "Holm over all first moves"},
			{Name: "uneven", Text: true},
			{Name: "exact", Text: true},
		},
		Fold: len(f.Moves) > 12,
	}
	exact := false
	for _, m := range f.Moves {
		exact = exact || m.Exact != ""
		value := chart.Cell{Value: math.NaN()}
		if m.Score.Known() {
			value = chart.Cell{
				Value: m.Score.Value, Text: fmt.Sprintf("%.0f", 100*m.Score.Value),
				Sub: fmt.Sprintf("±%.0f", 50*(m.Score.Hi-m.Score.Lo)),
			}
			if !m.Uneven {
				value.Mark = chart.Hatched
			}
		}
		for _, c := range m.Cells {
			if c >= 0 && c < len(cells) {
				cells[c] = value
			}
		}
		words := "no"
		if m.Uneven {
			words = "yes"
		}
		value2 := table.Words(strings.TrimSpace(fmt.Sprintf("%s in %d", m.Exact, m.ExactIn)))
		switch {
		case m.Exact == "":
			value2 = table.None("not solved")
		case m.ExactIn == 0:
			value2 = table.Words(m.Exact)
		}
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(m.Move), table.Count(len(m.Images)), cell(m.Score, ""),
			table.Num(m.P, chart.Number, 3), table.Words(words), value2,
		})
	}
	if !exact {
		t.Columns = t.Columns[:5]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][:5]
		}
	}
	how := "Each first move was forced"
	if f.Source != "forced" {
		how = "The agents chose these moves themselves, which favours good ones"
	}
	s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("%s; agents: %s.", how, strings.Join(f.Agents, ", ")))
	note := "Score of the first player in per cent after each first move, with half the width of its interval; " +
		"symmetric moves share their games. Hatched: not significant."
	s.Figures = append(s.Figures,
		page.Figure{
			ID: "first-move-map", Title: "Value of each first move", Caption: note,
			Chart: chart.Board(b.r.Rules.Columns, cells, scale()),
		})
	s.Tables = append(s.Tables, t)
	if p := f.Pie; p != nil {
		b.pie(s, p)
	}
}

func (b *builder) pie(s *page.Section, p *balance.Pie) {
	s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("%d of %d first moves leave both sides at least a third of "+
		"the points.", p.Close, p.Of))
	if p.InRules {
		s.Lead = "These rules have the pie rule: the scores of first moves include the second player's decision to " +
			"swap or not."
		if p.Taken.Known() {
			s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("The second player swaps in %s of the games.", say(p.Taken)))
		}
		return
	}
	if p.Form == "" {
		s.Paragraphs = append(s.Paragraphs, "These rules allow no pie rule.")
		return
	}
	if p.Residual.Known() {
		s.Lead = fmt.Sprintf("With a pie rule (turn.pie: %s) at %s the game is %s from even, without it %s%s.", p.Form,
			p.Move, points(p.Residual), points(p.Without), pieSays(p))
	}
	s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("The pie rule is judged at %s. Spar chose that move on one half of "+
		"the games and measured it on the other, because the best of many looks better than it is.", p.Move))
}

// pieSays compares the distance from an even score with the pie rule and without it.
func pieSays(p *balance.Pie) string {
	switch with, without := p.Residual, p.Without; {
	case !without.Known():
		return ""
	case with.Hi < without.Lo:
		return ": the pie rule makes the game more even"
	case with.Lo > without.Hi:
		return ": between these agents, a pie rule does not make the game more even"
	}
	return ": too few games to say whether a pie rule helps"
}

// points formats a distance from an even score.
func points(n ratings.Estimate) string {
	if !n.Known() {
		return "an unknown distance"
	}
	return say(n)
}

func (b *builder) variety(s *page.Section) {
	lines := &chart.Lines{
		X: chart.Axis{Label: "ply", Unit: chart.Integer},
		Y: chart.Axis{Label: "effective number of openings"},
	}
	for _, g := range pick(b.tiers(), 4) {
		if g.Variety == nil {
			continue
		}
		l := chart.Line{Name: b.label(g), Style: chart.Whiskers}
		for _, e := range g.Variety.Openings {
			l.Points = append(l.Points, chart.PointOf(float64(e.Ply), e.Effective))
		}
		lines.Lines = append(lines.Lines, l)
	}
	if len(lines.Lines) > 0 {
		s.Figures = append(s.Figures, page.Figure{
			ID: "variety", Title: "Variety of openings",
			Caption: "Number of equally likely openings with the same variety as those played, up to symmetry. A flat line at " +
				"1 means that all games begin the same way.", Chart: lines,
		})
	}
	if b.main == nil || b.main.Variety == nil {
		return
	}
	v := b.main.Variety
	if s.Lead == "" && v.Distinct.Known() {
		s.Lead = fmt.Sprintf("%s of the games repeat no earlier one.", say(v.Distinct))
	}
	t := table.Table{
		ID: "common-openings", Caption: "The most frequent openings, " + b.main.Name,
		Columns: []table.Column{
			{Name: "moves", Text: true},
			{Name: "ply"},
			{Name: "games"},
			{Name: "score of the first player"},
		}, Fold: true,
	}
	for _, e := range v.Openings {
		for _, l := range e.Top {
			t.Rows = append(t.Rows, []table.Cell{
				table.Words(l.Moves), table.Count(e.Ply), table.Count(int(l.Games)),
				cell(l.Score, ""),
			})
		}
	}
	s.Tables = append(s.Tables, t)
}

// pick keeps at most n groups: the weakest, the strongest, and others evenly between them.
func pick(gs []*balance.Group, n int) []*balance.Group {
	if len(gs) <= n {
		return gs
	}
	out := make([]*balance.Group, n)
	for i := range out {
		out[i] = gs[i*(len(gs)-1)/(n-1)]
	}
	return out
}
