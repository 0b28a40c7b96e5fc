package pages

import (
	"fmt"
	"math"
	"slices"

	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"

	"spar/ratings"
)

// knobs is what a change of the rules by one step does. Without such games there is no section.
func (b *builder) knobs() page.Section {
	k := b.r.Knobs
	if k == nil {
		return page.Section{}
	}
	s := page.Section{ID: "knobs", Title: "What to try next?", Lead: sentence(k.Text, told("Under the rules as they are it is", k.Base.Score, "."))}
	s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("Each row changes one knob by one step; %s plays itself from the true start. These are first looks, not findings: a change worth having wants spar sweep, with more games and stronger agents, and a second measurement on fresh seeds.", k.Agent))
	f := &chart.Forest{X: chart.Axis{Label: "change of the first player's score, points of a hundred", Unit: chart.Signed}, Refs: []chart.Ref{{Value: 0, Label: "as it is"}}, Dim: chart.Dim{Width: chart.Full - 200}}
	exact := false
	for _, v := range k.Variants {
		exact = exact || v.Exact != ""
	}
	t := table.Table{ID: "knobs", Caption: "One knob, one step", Columns: []table.Column{
		{Name: "knob", Text: true},
		{Name: "is", Text: true},
		{Name: "first player's score"},
		{Name: "change", Help: "in points of a hundred"},
		{Name: "p", Help: "that the score is as before, Holm over the rows"},
		{Name: "draws"},
		{Name: "completion", Help: "share of games that the rules end other than by a cap"},
		{Name: "median plies"},
	}}
	if exact {
		t.Columns = slices.Insert(t.Columns, 2, table.Column{Name: "with perfect play", Text: true})
	}
	for _, v := range k.Variants {
		f.Rows = append(f.Rows, chart.RowOf(v.Path+" = "+v.Value, hundredths(v.Change.Score)))
		cells := []table.Cell{
			table.Words(v.Path + " = " + v.Value), table.Words(v.Base), cell(v.Response.Score, ""), change(v.Change.Score), table.Num(v.P, chart.Number, 3),
			cell(v.Response.Draws, ""), cell(v.Response.Completion, ""), cell(v.Response.Length, ""),
		}
		if exact {
			cells = slices.Insert(cells, 2, table.Words(v.Exact))
		}
		t.Rows = append(t.Rows, cells)
	}
	s.Figures = append(s.Figures, page.Figure{ID: "knobs", Title: "What one step of a knob does", Caption: "Left: the change favours the second player; right: the first. An interval that holds 0 may be no change at all.", Chart: f})
	s.Tables = append(s.Tables, t)
	return s
}

// change is a difference of scores in points of a hundred, with its sign.
func change(n ratings.Estimate) table.Cell {
	if !n.Known() {
		return table.None("no games to measure it by")
	}
	return table.Estimate(hundredths(n), chart.Signed, 1)
}

// hundredths are shares in points of a hundred.
func hundredths(n ratings.Estimate) ratings.Estimate {
	n.Value, n.Lo, n.Hi = 100*n.Value, 100*n.Lo, 100*n.Hi
	if n.Value == 0 {
		n.Value = math.Abs(n.Value)
	}
	return n
}
