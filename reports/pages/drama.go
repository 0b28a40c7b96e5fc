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

// drama is the section on position values: how long games stay open and how often the lead changes.
func (b *builder) drama() page.Section {
	s := page.Section{ID: "drama", Title: "Is it alive?"}
	if t := b.mechanics(); len(t.Rows) > 0 {
		s.Tables = append(s.Tables, t)
	}
	if b.main == nil || b.main.Course == nil {
		s.Lead = "The positions of these games have no values, so the course of games was not measured."
		s.Missing = []page.Missing{{What: "decisiveness, lead changes, comebacks, uncertainty, killer " +
			"moves, snowball", Why: "the study has no position values", Remedy: fmt.Sprintf("spar report %s --values 400",
			b.study)}}
		return s
	}
	c := b.main.Course
	s.Lead = sentence(told("The winner leads for good after", c.Decisiveness, " of a game;"),
		told("", c.Comebacks, " of the wins are comebacks from below 25 %."))
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
	open := &chart.Lines{X: progress, Y: chart.Axis{Label: "uncertainty 4v(1−v)", Unit: chart.Percent}}
	settled := &chart.Lines{X: progress, Y: chart.Axis{
		Label: "share of the won games", Unit: chart.Percent, Min: 0,
		Max: 1,
	}}
	for _, g := range pick(b.tiers(), 4) {
		if g.Course == nil {
			continue
		}
		l := chart.Line{Name: b.label(g), Style: chart.Band}
		for _, p := range g.Course.Uncertainty {
			l.Points = append(l.Points, chart.PointOf(p.X, p.Y))
		}
		open.Lines = append(open.Lines, l)
		e := chart.Line{Name: b.label(g), Style: chart.Stairs}
		for _, p := range g.Course.SettledECDF {
			e.Points = append(e.Points, chart.Point{X: p.X, Y: p.Share})
		}
		settled.Lines = append(settled.Lines, e)
	}
	var swings []chart.Dot
	for _, w := range c.Swings {
		if len(swings) < 400 {
			swings = append(swings, chart.Dot{X: w.At, Y: w.Gain, Hollow: true})
		}
	}
	s.Figures = append(s.Figures,
		page.Figure{ID: "uncertainty", Title: "How open games stay", Caption: "100 % is an even position, 0 % a decided " +
			"one; mean over games, with bands by resampling games.", Chart: open},
		page.Figure{ID: "settled", Title: "When the winner leads for good", Caption: "Share of the won games whose winner " +
			"leads from there on. If it rises early, games are decided long before they end.", Chart: settled},
		page.Figure{
			ID: "lead-changes", Title: "Lead changes", Caption: sentence("Games by how often the lead changed "+
				"hands; the first lead is not counted.", zone(c.DeadZone)),
			Chart: &chart.Histogram{
				X: chart.Axis{Label: "lead changes", Unit: chart.Integer}, Y: "games",
				Bins: bins(c.LeadBars),
			},
		},
		page.Figure{ID: "low-points", Title: "The winner's worst moment", Caption: "Lowest expected score that the later " +
			"winner had; below 25 % it is a comeback.", Chart: &chart.Histogram{X: chart.Axis{Label: "expected score of the winner", Unit: chart.Percent, Min: 0, Max: 1}, Y: "games", Bins: twentieths(c.LowPoints), Marks: []chart.Ref{{Value: 0.25, Label: "25 %"}}}},
		page.Figure{
			ID: "swings", Title: "The biggest move of each game", Caption: "Gain of the player who moves, and " +
				"when, by the mean of two searches; the noise of one search alone gives " + orNoise(c.KillerNoise) + ".",
			Chart: &chart.Scatter{
				X: progress, Y: chart.Axis{Label: "gain in expected score", Unit: chart.Percent},
				Dots: swings,
			},
		},
		b.snowball())
	s.Tables = append(s.Tables, b.dramaTable())
	return s
}

// twentieths counts fractions from 0 to 1 in 20 bins. The value 1 belongs to the last bin.
func twentieths(shares []float64) []chart.Bin {
	const n = 20
	bins := make([]chart.Bin, n)
	for i := range bins {
		bins[i] = chart.Bin{Lo: float64(i) / n, Hi: float64(i+1) / n, Counts: []float64{0}}
	}
	for _, v := range shares {
		bins[max(0, min(n-1, int(v*n)))].Counts[0]++
	}
	return bins
}

// zone describes the dead zone of lead changes in words.
func zone(v float64) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf("Values within %.1f percentage points of even count as no lead.", 100*v)
}

func orNoise(n ratings.Estimate) string {
	if s := say(n); s != "" {
		return s
	}
	return "nothing"
}

// snowball returns the figure of the first player's winning chance by lead and time.
func (b *builder) snowball() page.Figure {
	f := page.Figure{ID: "snowball", Title: "How often does a lead win?", Caption: "Score of the first player, by " +
		"expected score and share of the game played. Values are accurate if each row shows its own value. Leads grow " +
		"quickly if rows reach 0 or 100 % early.", Chart: &chart.Grid{}}
	if b.main.Snowball == nil {
		return f
	}
	var at, from []float64
	for _, c := range b.main.Snowball.Table {
		if !slices.Contains(at, c.At) {
			at = append(at, c.At)
		}
		if !slices.Contains(from, c.From) {
			from = append(from, c.From)
		}
	}
	slices.Sort(at)
	slices.Sort(from)
	slices.Reverse(from)
	g := &chart.Grid{
		XLabel: "share of the game played", YLabel: "expected score",
		Scale: chart.Scale{Lo: 0, Hi: 1, Mid: 0.5, Diverging: true, Unit: chart.Percent}, Dim: chart.Dim{Width: chart.Half},
	}
	for _, x := range at {
		g.Columns = append(g.Columns, fmt.Sprintf("%.0f", 100*x))
	}
	for _, y := range from {
		row := make([]chart.Cell, len(at))
		name := ""
		for i := range row {
			row[i].Value = math.NaN()
		}
		for _, c := range b.main.Snowball.Table {
			if c.From == y {
				name = fmt.Sprintf("%.0f–%.0f %%", 100*c.From, 100*c.To)
				if c.Score.Known() {
					row[slices.Index(at, c.At)] = chart.Cell{Value: c.Score.Value, Text: fmt.Sprintf("%.0f", 100*c.Score.Value)}
				}
			}
		}
		g.Rows = append(g.Rows, name)
		g.Cells = append(g.Cells, row)
	}
	f.Chart = g
	return f
}

func (b *builder) dramaTable() table.Table {
	t := table.Table{
		ID: "courses", Caption: "How games go", Columns: []table.Column{
			{Name: "games of", Text: true},
			{Name: "decisiveness", Help: "share of a won game until the winner leads for good"},
			{Name: "lead changes"},
			{Name: "drama"},
			{Name: "comebacks"},
			{Name: "late uncertainty"},
			{Name: "killer move"},
			{Name: "lead at half time", Help: "area under the curve: 0.5 if games stay open, 1 if they are decided at once"},
		},
		Note: "Sampled games only. Shares of killer moves are corrected for noise in the values.",
	}
	for i := range b.r.Groups {
		g := &b.r.Groups[i]
		if c := g.Course; c != nil {
			half := table.None("too few games")
			if g.Snowball != nil {
				half = cell(g.Snowball.Half, "")
			}
			t.Rows = append(t.Rows, []table.Cell{
				table.Words(g.Name), cell(c.Decisiveness, ""), cell(c.LeadChanges, ""),
				cell(c.Drama, ""), cell(c.Comebacks, ""), cell(c.Late, ""), cell(c.Killer, ""), half,
			})
		}
	}
	return t
}
