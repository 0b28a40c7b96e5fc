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

// knobs is the section on changes of the rules by one step. It returns no section if no such games were played.
func (b *builder) knobs() page.Section {
	k := b.r.Knobs
	if k == nil {
		return page.Section{}
	}
	s := page.Section{
		ID: "knobs", Title: "What to try next?",
		Lead: sentence(k.Text, told("Under the unchanged rules it is", k.Base.Score, ".")),
	}
	s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("Each row changes one knob by one step; %s plays itself from the "+
		"start position. These are first results: check a promising change with spar sweep, which plays more games and "+
		"measures the best again on fresh seeds.", k.Agent))
	f := &chart.Forest{
		X:    chart.Axis{Label: "change of the first player's score, percentage points", Unit: chart.Signed},
		Refs: []chart.Ref{{Value: 0, Label: "unchanged rules"}}, Dim: chart.Dim{Width: chart.Full - 200},
	}
	exact := false
	for _, v := range k.Variants {
		exact = exact || v.Exact != ""
	}
	t := table.Table{ID: "knobs", Caption: "One knob, one step", Columns: []table.Column{
		{Name: "knob", Text: true},
		{Name: "is", Text: true},
		{Name: "first player's score"},
		{Name: "change", Help: "in percentage points"},
		{Name: "p", Help: "p-value of \"no change\", adjusted by Holm over the rows"},
		{Name: "draws"},
		{Name: "completion", Help: "share of games that end before the ply limit"},
		{Name: "median plies"},
	}}
	if exact {
		t.Columns = slices.Insert(t.Columns, 2, table.Column{Name: "with perfect play", Text: true})
	}
	for _, v := range k.Variants {
		f.Rows = append(f.Rows, chart.RowOf(v.Path+" = "+v.Value, hundredths(v.Change.Score)))
		cells := []table.Cell{
			table.Words(v.Path + " = " + v.Value), table.Words(v.Base), cell(v.Response.Score, ""), change(v.Change.Score),
			table.Num(v.P, chart.Number, 3),
			cell(v.Response.Draws, ""), cell(v.Response.Completion, ""), cell(v.Response.Length, ""),
		}
		if exact {
			cells = slices.Insert(cells, 2, table.Words(v.Exact))
		}
		t.Rows = append(t.Rows, cells)
	}
	s.Figures = append(s.Figures, page.Figure{
		ID: "knobs", Title: "Effect of one step of a knob",
		Caption: "Left: the change favours the second player. Right: it favours the first. An interval that contains 0 is " +
			"not significant.", Chart: f,
	})
	s.Tables = append(s.Tables, t)
	return s
}

// change formats a difference of scores in percentage points, with a sign.
func change(n ratings.Estimate) table.Cell {
	if !n.Known() {
		return table.None("no games to measure it with")
	}
	return table.Estimate(hundredths(n), chart.Signed, 1)
}

// hundredths converts fractions to percentage points.
func hundredths(n ratings.Estimate) ratings.Estimate {
	n.Value, n.Lo, n.Hi = 100*n.Value, 100*n.Lo, 100*n.Hi
	if n.Value == 0 {
		n.Value = math.Abs(n.Value)
	}
	return n
}
