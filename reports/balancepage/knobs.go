package balancepage

import (
	"fmt"
	"math"

	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
)

// knobs is what a change of the rules by one step does. Without such games there is no section.
func (b *builder) knobs() page.Section {
	k := b.r.Knobs
	if k == nil {
		return page.Section{}
	}
	s := page.Section{ID: "knobs", Title: "Other rules", Lead: sentence(k.Text, told("Under the rules as they are it is", k.Base.Score, "."))}
	s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("Each row changes one knob by one step; %s plays itself from the true start. These are first looks, not findings: a change worth having wants spar sweep, with more games and stronger agents, and a second measurement on fresh seeds.", k.Agent))
	f := &chart.Forest{X: chart.Axis{Label: "change of the first player's score, points of a hundred", Unit: chart.Signed}, Refs: []chart.Ref{{Value: 0, Label: "as it is"}}, Dim: chart.Dim{Width: chart.Full - 200}}
	exact := false
	for _, v := range k.Variants {
		exact = exact || v.Exact != ""
	}
	t := page.Table{ID: "knobs", Caption: "One knob, one step", Columns: []page.Column{
		{Name: "knob", Text: true},
		{Name: "is", Text: true},
		{Name: "set to", Text: true},
		{Name: "first player's score"},
		{Name: "change"},
		{Name: "p", Help: "that the score is as before, Holm over the rows"},
		{Name: "draws"},
		{Name: "completion", Help: "share of games that the rules end other than by a cap"},
		{Name: "median plies"},
	}}
	if exact {
		t.Columns = append(t.Columns, page.Column{Name: "with perfect play", Text: true})
	}
	for _, v := range k.Variants {
		f.Rows = append(f.Rows, row(v.Path+" = "+v.Value, hundredths(v.Change.Score)))
		cells := []page.Cell{
			page.Words(v.Path), page.Words(v.Base), page.Words(v.Value), cell(v.Response.Score, ""), cell(v.Change.Score, ""), page.Num(v.P, chart.Number, 3),
			cell(v.Response.Draws, ""), cell(v.Response.Completion, ""), cell(v.Response.Length, ""),
		}
		if exact {
			cells = append(cells, page.Words(v.Exact))
		}
		t.Rows = append(t.Rows, cells)
	}
	s.Figures = append(s.Figures, page.Figure{ID: "knobs", Title: "What one step of a knob does", Caption: "Left: the change favours the second player; right: the first. An interval that holds 0 may be no change at all.", Chart: f})
	s.Tables = append(s.Tables, t)
	return s
}

// hundredths are shares in points of a hundred.
func hundredths(n balance.Number) balance.Number {
	n.Value, n.Lo, n.Hi = 100*n.Value, 100*n.Lo, 100*n.Hi
	if n.Value == 0 {
		n.Value = math.Abs(n.Value)
	}
	return n
}
