package pages

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/arena/evidence"
	"spar/reports/balance"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
)

func (b *builder) length() page.Section {
	s := page.Section{ID: "length", Title: "Does it end?"}
	if b.main == nil {
		s.Lead = "No games to measure."
		return s
	}
	l := b.main.Length
	plies := chart.Axis{Label: "length (plies)", Unit: chart.Integer}
	if l.All.Median.Known() {
		half, most := number(l.All.Median.Value), number(l.All.P95.Value)
		switch last := fmt.Sprint(l.All.Max); {
		case l.All.Min == l.All.Max:
			s.Lead = fmt.Sprintf("All games have %s plies.", last)
		case half == last:
			s.Lead = fmt.Sprintf("Half of the games or more have %s plies, and none has more.", last)
		case most == last:
			s.Lead = fmt.Sprintf("Half of the games are over by ply %s, all by ply %s.", half, last)
		default:
			s.Lead = fmt.Sprintf("Half of the games are over by ply %s, nineteen of twenty by ply %s, all by ply %s.", half,
				most, last)
		}
	}
	if c := b.main.Ends.Completion; c.Known() {
		if c.Value < 1 && s.Lead != "" {
			s.Lead += fmt.Sprintf(" The ply limit ended %.0f %% of them.", 100*(1-c.Value))
		}
		games := "games"
		if b.r.Study.Decided > 0 {
			games = "games that were not adjudicated"
		}
		s.Paragraphs = append(s.Paragraphs, b.told.Ending.Text, fmt.Sprintf("%s of the %s end by the rules; the ply limit "+
			"ends the others.", say(c), games))
	}
	var marks []chart.Ref
	if l.All.Median.Known() {
		marks = []chart.Ref{
			{Value: l.All.Median.Value, Label: "median " + number(l.All.Median.Value)},
			{Value: l.All.P95.Value, Label: "95 % " + number(l.All.P95.Value)},
		}
	}
	s.Figures = append(s.Figures,
		page.Figure{ID: "length", Title: "Length of games", Caption: "Games by length: " + b.main.Name +
			". Purple: ended by the ply limit.", Chart: &chart.Histogram{
			X: plies, Y: "games",
			Parts: []chart.Part{{Name: "ended by the rules", Colour: chart.A}, {Name: "cap", Colour: chart.Caps}},
			Bins:  bins(l.Histogram), Marks: marks,
		}})
	var boxes []chart.Quantiles
	for _, g := range b.tiers() {
		if l := g.Length.All; l.Median.Known() {
			boxes = append(boxes, chart.Quantiles{
				Label: b.label(g), P5: l.P5.Value, P25: l.P25.Value, P50: l.Median.Value,
				P75: l.P75.Value, P95: l.P95.Value,
			})
		}
	}
	s.Figures = append(s.Figures,
		page.Figure{
			ID: "length-by-tier", Title: b.title("Length by strength", "Length at a glance"),
			Caption: "Box: the middle half of the games and the median; whiskers: 5 % to 95 %.",
			Chart:   &chart.Boxes{X: plies, Rows: boxes},
		},
		b.endings())
	s.Tables = append(s.Tables, b.lengthTable(), b.endsTable())
	return s
}

// number formats a quantile of the number of plies.
func number(v float64) string { return chart.Text(v, chart.Number, decimalsOf(v)) }

func decimalsOf(v float64) int {
	if math.Abs(v-math.Round(v)) < 0.05 {
		return 0
	}
	return 1
}

// endings returns the figure of why games ended, by tier. All tiers have the same order and colours of reasons.
func (b *builder) endings() page.Figure {
	colours := []chart.Colour{chart.A, chart.C, chart.B, chart.E, chart.F}
	var reasons []string
	for _, g := range b.tiers() {
		for _, r := range g.Ends.Reasons {
			if !slices.Contains(reasons, r.Reason) {
				reasons = append(reasons, r.Reason)
			}
		}
	}
	stack := &chart.Stack{}
	for i, r := range reasons {
		colour := colours[i%len(colours)]
		if evidence.Capped(r) {
			colour = chart.Caps // as in the other figures
		}
		stack.Parts = append(stack.Parts, chart.Part{Name: strings.ReplaceAll(r, "_", " "), Colour: colour})
	}
	for _, g := range b.tiers() {
		bar := chart.Bar{Label: b.label(g), Values: make([]float64, len(reasons))}
		for _, r := range g.Ends.Reasons {
			bar.Values[slices.Index(reasons, r.Reason)] = float64(r.Games)
			bar.N += int(r.Games)
		}
		stack.Bars = append(stack.Bars, bar)
	}
	return page.Figure{ID: "endings", Title: "Why games end", Caption: "A game that the ply limit ends does not count " +
		"as a draw here.", Chart: stack}
}

func (b *builder) lengthTable() table.Table {
	t := table.Table{
		ID: "lengths", Caption: "Length in plies", Columns: []table.Column{
			{Name: "games of", Text: true},
			{Name: "median"},
			{Name: "5 %"},
			{Name: "95 %"},
			{Name: "mean"},
			{Name: "variation", Help: "standard deviation over mean"},
			{Name: "shortest"},
			{Name: "longest"},
		},
		Note: "Intervals by resampling games; quantiles interpolate linearly (type 7).", Fold: len(b.r.Groups) > 4,
	}
	add := func(name string, s balance.Spread) {
		if s.Median.Known() {
			t.Rows = append(t.Rows, []table.Cell{
				table.Words(name), cell(s.Median, ""), cell(s.P5, ""), cell(s.P95, ""),
				cell(s.Mean, ""), cell(s.CV, ""), table.Count(s.Min), table.Count(s.Max),
			})
		}
	}
	for i := range b.r.Groups {
		add(b.r.Groups[i].Name, b.r.Groups[i].Length.All)
	}
	add(b.main.Name+", without caps", b.main.Length.Finished)
	for _, r := range []struct{ key, words string }{
		{"first", "first wins"},
		{"draw", "draws"},
		{"second", "second wins"},
	} {
		add(b.main.Name+", "+r.words, b.main.Length.ByResult[r.key])
	}
	return t
}

func (b *builder) endsTable() table.Table {
	t := table.Table{ID: "ends", Caption: "Why games ended", Columns: []table.Column{
		{Name: "games of", Text: true},
		{Name: "reason", Text: true},
		{Name: "kind", Text: true},
		{Name: "games"},
		{Name: "share"},
	}, Fold: true}
	for i := range b.r.Groups {
		for _, r := range b.r.Groups[i].Ends.Reasons {
			t.Rows = append(t.Rows, []table.Cell{
				table.Words(b.r.Groups[i].Name),
				table.Words(strings.ReplaceAll(r.Reason, "_", " ")), table.Words(r.Kind), table.Count(int(r.Games)),
				cell(r.Share, ""),
			})
		}
	}
	return t
}
