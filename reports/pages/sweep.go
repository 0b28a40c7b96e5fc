package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
	"spar/tuning/variants"

	"spar/ratings"
	"spar/tuning/target"
)

// measure describes how a measure is displayed.
type measure struct {
	name, title string
	unit        chart.Unit
	decimals    int
	scale       chart.Scale
	even        float64 // a value that is marked in cells whose interval includes it; NaN for none
}

func measures() []measure {
	none := math.NaN()
	return []measure{
		{"score", "first player's score", chart.Percent, 1, chart.Scale{
			Lo: 0, Hi: 1, Mid: 0.5, Diverging: true,
			Unit: chart.Percent, Label: "score",
		}, 0.5},
		{"draws", "draws", chart.Percent, 1, chart.Scale{Lo: 0, Hi: 1, Unit: chart.Percent, Label: "share"}, none},
		{"completion", "games that the rules end", chart.Percent, 1, chart.Scale{
			Lo: 0, Hi: 1, Unit: chart.Percent,
			Label: "share",
		}, none},
		{"length", "median length (plies)", chart.Number, 0, chart.Scale{Label: "plies"}, none},
		{"depth", "depth (60 % steps)", chart.Number, 1, chart.Scale{Label: "steps"}, none},
	}
}

func estimate(m measure, x ratings.Estimate) table.Cell {
	if !x.Known() {
		return table.None("not measured")
	}
	return table.Estimate(x, m.unit, m.decimals)
}

// verdictStatus returns the status of a verdict on targets.
func verdictStatus(v target.Verdict) table.Status {
	switch v {
	case target.Met:
		return table.Good
	case target.Missed:
		return table.Poor
	case target.Undecided:
		return table.Undecided
	}
	return table.Plain
}

// name returns the name of a variant for figures: only its values.
func name(values []string) string { return strings.Join(values, " · ") }

// Sweep makes the page of a sweep. Commands make the sweep again; the main one is first.
func Sweep(r *variants.Result, commands []page.Command) *page.Document {
	d := &page.Document{
		Title: r.Name + ": " + r.Rules + " with other knobs",
		Subtitle: fmt.Sprintf("%d variants of %s (%s), %d games, agents %s", r.Tried, r.Rules, r.Design, r.Games,
			strings.Join(r.Tiers, ", ")),
		Verdict:  sweepVerdict(r),
		Warnings: r.Notes,
		Sections: []page.Section{landscape(r), fresh(r), effectsOf(r), all(r)},
		Commands: commands,
		Facts: []page.Fact{
			{Name: "study", Value: r.DB},
			{Name: "seed", Value: strconv.FormatInt(r.Seed, 10)},
			{Name: "intervals", Value: fmt.Sprintf("%.0f %%", 100*r.Level)},
			{Name: "variants tried", Value: strconv.Itoa(r.Tried)},
		},
	}
	d.Sections = slices.DeleteFunc(d.Sections, func(s page.Section) bool { return s.Title == "" })
	for _, s := range r.Skipped {
		d.Missing = append(d.Missing, page.Missing{What: s.Rules, Why: "skipped, because the combination makes no " +
			"valid rules: " + s.Reason})
	}
	return d
}

func sweepVerdict(r *variants.Result) page.Verdict {
	if len(r.Again) == 0 {
		return page.Verdict{Headline: "Spar measured no variant again on fresh seeds: the best of the table is a " +
			"candidate, not a result."}
	}
	best := r.Again[0]
	v := page.Verdict{
		Status: verdictStatus(best.Verdict),
		Headline: fmt.Sprintf("The fairest of %d variants has %s: the first player scores %s.", r.Tried, r.Named(best.Values),
			target.Text("score", best.Numbers["score"])),
		Detail: fmt.Sprintf("Measured again on fresh seeds, %s against itself.", r.Tiers[len(r.Tiers)-1]),
	}
	if text := r.Unmet(); text != "" {
		v.Detail += " " + strings.ToUpper(text[:1]) + text[1:] + "."
	}
	if len(r.Targets) > 0 {
		v.Headline = fmt.Sprintf("The best of %d variants has %s: the first player scores %s.", r.Tried, r.Named(best.Values),
			target.Text("score", best.Numbers["score"]))
		says := "It meets the targets: " + strings.Join(r.Targets, ", ") + ". "
		if missed, open := notMet(best, target.Missed), notMet(best, target.Undecided); missed != "" || open != "" {
			says = ""
			if missed != "" {
				says = "It misses " + missed + ". "
			}
			if open != "" {
				says += "Not decided: " + open + ". "
			}
		}
		v.Detail = says + v.Detail
	}
	if best.Exact != "" {
		v.Detail = "Exact: " + best.Exact + " " + v.Detail
	}
	if draws := best.Numbers["draws"]; draws.Known() && draws.Lo > 0.5 {
		v.Detail += fmt.Sprintf(" But %s of its games are drawn.", target.Text("draws", draws))
	}
	return v
}

// verdictsOf lists the targets that an agent has to meet, with the verdict on each.
func verdictsOf(a variants.Again, agent string) string {
	var out []string
	for _, j := range a.Judged {
		if j.Rules == a.Rules || j.Rules == a.Rules+", "+agent {
			out = append(out, fmt.Sprintf("%s %s", j.Target, j.Verdict))
		}
	}
	return strings.Join(out, "; ")
}

// notMet lists the targets that have the given verdict, and the agents for which they have it, like "fpa<=0.05
// (mcts-25v)".
func notMet(a variants.Again, v target.Verdict) string {
	var out []string
	for _, j := range a.Judged {
		if j.Verdict != v {
			continue
		}
		text := j.Target
		if who, ok := strings.CutPrefix(j.Rules, a.Rules+", "); ok {
			text += " (" + who + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// fresh is the section on the second measurement.
func fresh(r *variants.Result) page.Section {
	if len(r.Again) == 0 {
		return page.Section{}
	}
	s := page.Section{
		ID: "fresh", Title: "The best, measured again",
		Lead: fmt.Sprintf("The best of %d looks better than it is. These numbers come from games that were not used for "+
			"the choice.", r.Tried),
	}
	moves := &chart.Forest{
		X:      chart.Axis{Label: "distance of the first player's score from even", Unit: chart.Percent},
		Before: "first", After: "again",
	}
	t := table.Table{
		Caption: "Fresh games", Note: "Every agent against itself from the true start.",
		Columns: []table.Column{{Name: "variant", Text: true}, {Name: "agent", Text: true}},
	}
	for _, m := range measures()[:4] {
		t.Columns = append(t.Columns, table.Column{Name: m.title})
	}
	t.Columns = append(t.Columns, table.Column{Name: "targets", Text: true})
	for _, a := range r.Again {
		for i, n := range a.ByTier {
			row := []table.Cell{table.Words(r.Named(a.Values)), table.Words(r.Tiers[i])}
			for _, m := range measures()[:4] {
				row = append(row, estimate(m, n[m.name]))
			}
			t.Rows = append(t.Rows, append(row, table.Words(verdictsOf(a, r.Tiers[i]))))
		}
		moves.Rows = append(moves.Rows, chart.Change(name(a.Values), a.Before["fpa"], a.Numbers["fpa"]))
	}
	s.Tables = append(s.Tables, t)
	s.Figures = append(s.Figures, page.Figure{
		Title: "First and second measurement", Chart: moves,
		Caption: "If the dot is to the right of the ring, the first measurement was too good.",
	})
	return s
}

// landscape returns the figures of every measure against the knobs: a line for one knob, a heat map for two, a
// list for more.
func landscape(r *variants.Result) page.Section {
	s := page.Section{ID: "landscape", Title: "Effects of the knobs", Lead: "Every variant, with the strongest agent. " +
		"Hatched or ring: the interval contains an even score. Frame: the best. Corner: the unchanged rules."}
	for _, m := range measures() {
		if !slices.ContainsFunc(r.Variants, func(c variants.Cell) bool { return c.Numbers[m.name].Known() }) {
			s.Missing = append(s.Missing, page.Missing{What: m.title, Why: "the sweep played no games for this"})
			continue
		}
		f := page.Figure{Title: m.title, Caption: caption(r, m)}
		switch {
		case len(r.Knobs) == 1:
			f.Chart = slice(r, m)
		case len(r.Knobs) == 2:
			f.Chart = heat(r, m)
		default:
			f.Chart = forest(r, m)
		}
		s.Figures = append(s.Figures, f)
	}
	return s
}

// best returns the name of the best variant by the second measurement. If there was none, it is the variant
// nearest to the targets.
func best(r *variants.Result) string {
	if len(r.Again) > 0 {
		return r.Again[0].Rules
	}
	if len(r.Targets) == 0 || len(r.Variants) == 0 {
		return ""
	}
	return slices.MinFunc(r.Variants, func(a, b variants.Cell) int { return cmp.Compare(a.Far, b.Far) }).Rules
}

// caption names the variants with the smallest and the largest value.
func caption(r *variants.Result, m measure) string {
	var low, high *variants.Cell
	for i := range r.Variants {
		c := &r.Variants[i]
		x := c.Numbers[m.name]
		if !x.Known() {
			continue
		}
		if low == nil || x.Value < low.Numbers[m.name].Value {
			low = c
		}
		if high == nil || x.Value > high.Numbers[m.name].Value {
			high = c
		}
	}
	say := func(c *variants.Cell) string {
		return fmt.Sprintf("%s with %s", chart.Text(c.Numbers[m.name].Value, m.unit, m.decimals), r.Named(c.Values))
	}
	if low == nil || low.Numbers[m.name].Value == high.Numbers[m.name].Value {
		return "The same everywhere."
	}
	return fmt.Sprintf("From %s to %s.", say(low), say(high))
}

// slice returns a figure of a line over the values of the only knob. If agents were measured separately, each has
// a line.
func slice(r *variants.Result, m measure) chart.Chart {
	values := r.Knobs[0].Values
	if base := r.Knobs[0].Base; !slices.Contains(values, base) {
		values = append([]string{base}, values...)
	}
	l := &chart.Lines{X: chart.Axis{Label: r.Knobs[0].Path, Names: values}, Y: chart.Axis{Label: m.title, Unit: m.unit}}
	if !math.IsNaN(m.even) {
		l.Refs = []chart.Ref{{Value: m.even, Label: "even"}}
	}
	of := func(c variants.Cell, tier int) ratings.Estimate {
		if tier < 0 {
			return c.Numbers[m.name]
		}
		return c.ByTier[tier][m.name]
	}
	tiers := []int{-1}
	if m.name != "depth" {
		tiers = nil
		for i := range r.Tiers {
			tiers = append(tiers, i)
		}
	}
	for _, tier := range tiers {
		line := chart.Line{Style: chart.Whiskers}
		if tier >= 0 {
			line.Name = r.Tiers[tier]
		}
		for _, c := range r.Variants {
			if len(c.ByTier) == 0 { // it did not play
				continue
			}
			x := of(c, tier)
			at := slices.Index(values, c.Values[0])
			if !x.Known() || at < 0 {
				continue
			}
			line.Points = append(line.Points, chart.PointOf(float64(at), x))
		}
		l.Lines = append(l.Lines, line)
	}
	return l
}

// heat returns a heat map over two knobs, with numbers in the cells.
func heat(r *variants.Result, m measure) chart.Chart {
	across, down := r.Knobs[1], r.Knobs[0]
	g := &chart.Grid{Columns: across.Values, Rows: down.Values, XLabel: across.Path, YLabel: down.Path, Scale: m.scale}
	for _, d := range down.Values {
		var line []chart.Cell
		for _, a := range across.Values {
			i := slices.IndexFunc(r.Variants, func(c variants.Cell) bool { return c.Values[0] == d && c.Values[1] == a })
			if i < 0 {
				line = append(line, chart.Cell{Value: math.NaN(), Text: "none", Mark: chart.Crossed})
				continue
			}
			x := r.Variants[i].Numbers[m.name]
			cell := chart.Cell{Value: x.Value, Text: chart.Text(x.Value, m.unit, 0)}
			if !x.Known() {
				cell = chart.Cell{Value: math.NaN(), Text: "–"}
			} else if !math.IsNaN(m.even) {
				if lo, hi := chart.Ends(x); lo <= m.even && m.even <= hi {
					cell.Mark |= chart.Hatched
				}
			}
			if r.Variants[i].Rules == best(r) {
				cell.Mark |= chart.Framed
			}
			if r.Variants[i].Base {
				cell.Mark |= chart.Cornered
			}
			line = append(line, cell)
		}
		g.Cells = append(g.Cells, line)
	}
	return g
}

// mostRows is the maximum number of variants in a list: those nearest to the targets.
const mostRows = 30

// forest returns a figure that lists variants with their intervals.
func forest(r *variants.Result, m measure) chart.Chart {
	f := &chart.Forest{X: chart.Axis{Label: m.title, Unit: m.unit}}
	if !math.IsNaN(m.even) {
		f.Refs = []chart.Ref{{Value: m.even, Label: "even"}}
	}
	cells := slices.Clone(r.Variants)
	slices.SortStableFunc(cells, func(a, b variants.Cell) int { return cmp.Compare(a.Far, b.Far) })
	for _, c := range cells[:min(len(cells), mostRows)] {
		x := chart.RowOf("", c.Numbers[m.name])
		x.Label = name(c.Values)
		x.Hollow = !math.IsNaN(m.even) && x.Lo <= m.even && m.even <= x.Hi
		f.Rows = append(f.Rows, x)
	}
	return f
}

// effectsOf returns the table of main effects.
func effectsOf(r *variants.Result) page.Section {
	if len(r.Effects) == 0 || len(r.Knobs) < 2 {
		return page.Section{}
	}
	t := table.Table{Caption: "Main effects", Columns: []table.Column{
		{Name: "knob", Text: true},
		{Name: "value", Text: true},
	}, Note: "Mean of the variants with the value minus the mean of those without."}
	for _, m := range measures() {
		t.Columns = append(t.Columns, table.Column{Name: m.title})
	}
	for _, e := range r.Effects {
		line := []table.Cell{table.Words(e.Path), table.Words(e.Value)}
		for _, m := range measures() {
			line = append(line, estimate(m, e.Numbers[m.name]))
		}
		t.Rows = append(t.Rows, line)
	}
	return page.Section{
		ID: "effects", Title: "Each knob alone", Lead: "Effect of a value, averaged over the other knobs.",
		Tables: []table.Table{t},
	}
}

// all returns the table of all variants.
func all(r *variants.Result) page.Section {
	t := table.Table{Caption: "Variants", Fold: true}
	for _, k := range r.Knobs {
		t.Columns = append(t.Columns, table.Column{Name: k.Path, Text: true})
	}
	for _, m := range measures() {
		t.Columns = append(t.Columns, table.Column{Name: m.title})
	}
	t.Columns = append(t.Columns, table.Column{Name: "exact value", Text: true}, table.Column{Name: "targets", Text: true},
		table.Column{Name: "name in the study", Text: true})
	for _, c := range r.Variants {
		var line []table.Cell
		for _, v := range c.Values {
			line = append(line, table.Words(v))
		}
		for _, m := range measures() {
			line = append(line, estimate(m, c.Numbers[m.name]))
		}
		label := c.Rules
		if c.Base {
			label += " (unchanged rules)"
		}
		t.Rows = append(t.Rows, append(line, table.Words(c.Brief()), table.Words(string(c.Verdict)), table.Words(label)))
	}
	return page.Section{
		ID: "variants", Title: "All variants", Lead: fmt.Sprintf("All %d variants, with the strongest agent.", r.Tried),
		Tables:   []table.Table{t},
		Commands: []page.Command{{Text: "spar report " + r.DB + " --rules 'NAME'", Note: "A full report on one of them:"}},
	}
}
