package pages

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"spar/configs/plain"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning/target"
	"spar/tuning/variants"
)

// measure describes how a measure of a sweep is displayed.
type measure struct {
	name, column, title string
	unit                chart.Unit
	decimals            int
	scale               chart.Scale
	even                float64 // a value that is marked in cells whose interval includes it; NaN for none
}

func measures() []measure {
	none := math.NaN()
	share := chart.Scale{Lo: 0, Hi: 1, Unit: chart.Percent, Label: "share"}
	score := chart.Scale{
		Lo:        0,
		Hi:        1,
		Mid:       0.5,
		Diverging: true,
		Unit:      chart.Percent,
		Label:     "score",
	}
	return []measure{
		{"score", "first player", "first player's score", chart.Percent, 1, score, 0.5},
		{"draws", "drawn", "draws", chart.Percent, 1, share, none},
		{"completion", "", "games that end before the ply limit", chart.Percent, 1, share, none},
		{"length", "plies", "median length (plies)", chart.Number, 0, chart.Scale{Label: "plies"}, none},
		{"depth", "levels", "depth (levels)", chart.Number, 1, chart.Scale{Label: "levels"}, none},
	}
}

// name returns the name of a variant for figures: only its values.
func name(values []string) string { return strings.Join(values, " · ") }

// Sweep makes the page of a sweep. Commands make the sweep again; the main one is first.
func Sweep(r *variants.Result, commands []page.Command) *page.Document {
	d := &page.Document{
		Title: fmt.Sprintf("%s: %s of %s", r.Name, screen.Plural(r.Tried, "variant"), r.Rules),
		Subtitle: fmt.Sprintf("%s, %s, agents %s, each against itself from the start position", r.Design,
			screen.Plural(r.Games, "game"),
			strings.Join(r.Tiers, ", ")),
		Verdict:  sweepVerdict(r),
		Warnings: r.Notes,
		Sections: []page.Section{rounds(r), all(r), fresh(r), landscape(r), effectsOf(r)},
		Commands: commands,
		Facts: []page.Fact{
			{Name: "study", Value: r.DB},
			{Name: "seed", Value: strconv.FormatInt(r.Seed, 10)},
			{Name: "intervals", Value: fmt.Sprintf("%.0f %%", 100*r.Level)},
		},
	}
	d.Sections = slices.DeleteFunc(d.Sections, func(s page.Section) bool { return s.Title == "" })
	for _, s := range r.Skipped {
		d.Missing = append(d.Missing, page.Missing{What: s.Rules, Why: "skipped, because these rules are not " +
			"valid: " + s.Reason})
	}
	return d
}

func sweepVerdict(r *variants.Result) page.Verdict {
	if len(r.Again) == 0 {
		return page.Verdict{Headline: "Spar measured no variant again on fresh seeds, so the best in the table is only a " +
			"candidate."}
	}
	best, how := r.Again[0], "fairest"
	v := page.Verdict{Detail: fmt.Sprintf("The numbers are from fresh seeds, %s against itself.", r.Tiers[len(r.Tiers)-1])}
	switch best.Verdict {
	case target.Met:
		v.Status = table.Good
	case target.Missed:
		v.Status = table.Poor
	case target.Undecided:
		v.Status = table.Undecided
	}
	if len(r.Targets) > 0 {
		how = "best"
		if best.Verdict == target.Met {
			v.Detail = "It meets the targets: " + strings.Join(r.Targets, ", ") + ". " + v.Detail
		}
	}
	v.Headline = fmt.Sprintf("The %s of %d variants has %s: the first player scores %s.", how, r.Tried, r.Named(best.Values),
		best.Numbers["score"])
	if text := r.Unmet(); text != "" {
		v.Headline = plain.Capital(text) + "."
	}
	if best.Exact != "" {
		v.Detail = best.Exact + " " + v.Detail
	}
	if draws := best.Numbers["draws"]; draws.Known() && draws.Lo > 0.5 {
		v.Detail += fmt.Sprintf(" But %s of its games are drawn.", draws)
	}
	return v
}

// rounds returns the section on the rounds of a search by halving.
func rounds(r *variants.Result) page.Section {
	if len(r.Rounds) == 0 {
		return page.Section{}
	}
	t := table.Rows(r.Rounds, func(x variants.Round) []any {
		return []any{"round", x.Round, "candidates", x.Candidates, "games of each tier", x.Games, "kept", len(x.Kept)}
	})
	t.Caption = "Rounds of the search"
	if r.Excluded > 0 {
		t.Note = "Not played, because one side wins with best play: " + screen.Plural(r.Excluded, "variant")
	}
	return page.Section{
		ID:     "rounds",
		Title:  "Rounds",
		Aside:  true,
		Screen: true,
		Tables: []table.Table{t},
	}
}

// numbered declares a column for each measure.
func numbered(numbers variants.Numbers) (row []any) {
	for _, m := range measures() {
		x := numbers[m.name]
		row = append(row, m.name, table.As{
			Column: table.Column{Title: m.column, Help: m.title, Optional: true, Data: m.column == ""},
			Cell:   table.Of(x).Doubting(x.Note),
		})
	}
	return row
}

// knobColumns declares a column of words for each knob.
func knobColumns(r *variants.Result, values []string) (row []any) {
	for i, k := range r.Knobs {
		value := table.Words(values[i])
		if values[i] == "" {
			value = table.None("unchanged")
		}
		row = append(row, k.Path, table.As{Column: table.Column{Title: k.Path, Text: true}, Cell: value})
	}
	return row
}

// all returns the section with all variants, those nearest to the targets first.
func all(r *variants.Result) page.Section {
	t := table.Rows(byTargets(r), func(c variants.Cell) []any {
		base := table.Optional("")
		if base.Title = "rules"; c.Base {
			base.Cell = table.Words("unchanged")
		}
		row := append(knobColumns(r, c.Values), "exact value", table.Optional(c.Brief()),
			"targets", table.Optional(string(c.Verdict)))
		row = append(append(row, numbered(c.Numbers)...), "games",
			table.Help("games that the first player's score counts", table.Num(float64(c.Numbers["score"].N), chart.Integer, 0)))
		return append(row, "base", base, "name in the study", table.Optional(c.Rules))
	})
	t.ID = "variants"
	t.Caption = "All variants, " + r.Tiers[len(r.Tiers)-1]
	return page.Section{
		ID:     "variants",
		Title:  "All variants",
		Aside:  true,
		Screen: true,
		Tables: []table.Table{t},
		Commands: []page.Command{{
			Text: "spar report " + page.ShellWord(r.DB) + " --rules 'NAME'",
			Note: "A full report on one variant:",
		}},
	}
}

// byTargets sorts the variants by their distance from the targets, if there are any.
func byTargets(r *variants.Result) []variants.Cell {
	out := slices.Clone(r.Variants)
	if len(r.Targets) > 0 {
		slices.SortStableFunc(out, func(a, b variants.Cell) int { return cmp.Compare(a.Far, b.Far) })
	}
	return out
}

// fresh returns the section on the second measurement.
func fresh(r *variants.Result) page.Section {
	if len(r.Again) == 0 {
		return page.Section{}
	}
	s := page.Section{
		ID:     "fresh",
		Title:  fmt.Sprintf("The best of %d, measured again on fresh seeds", r.Tried),
		Aside:  true,
		Screen: true,
		Lead:   "The best of many variants looks better than it is. Fresh games correct that.",
	}
	moves := &chart.Forest{
		X:      chart.Axis{Label: "distance of the first player's score from even", Unit: chart.Percent},
		Before: "first", After: "again",
	}
	type row struct {
		variants.Again
		tier int
	}
	var rows []row
	for _, a := range r.Again {
		for i := range a.ByTier {
			rows = append(rows, row{a, i})
		}
		moves.Rows = append(moves.Rows, chart.Change(name(a.Values), a.Before["fpa"], a.Numbers["fpa"]))
	}
	t := table.Rows(rows, func(x row) []any {
		out := append(knobColumns(r, x.Values), "agent", r.Tiers[x.tier],
			"targets", table.Optional(verdictsOf(x.Again, r.Tiers[x.tier])))
		return append(out, numbered(x.ByTier[x.tier])...)
	})
	t.ID, t.Caption = "again", "Fresh games"
	s.Tables = []table.Table{t}
	s.Figures = []page.Figure{{
		Title: "First and second measurement", Chart: moves,
		Caption: "If the dot is to the right of the ring, the first measurement was too optimistic.",
	}}
	return s
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

// landscape returns the figures of every measure against the knobs: a heat map for two, otherwise a list.
func landscape(r *variants.Result) page.Section {
	s := page.Section{
		ID: "landscape", Title: "Effects of the knobs", Aside: true,
		Lead: "All variants, played by the strongest agent. " +
			"Hatched or ring: the interval contains an even score. Frame: the best. Filled corner: the unchanged rules.",
	}
	for _, m := range measures() {
		if !slices.ContainsFunc(r.Variants, func(c variants.Cell) bool { return c.Numbers[m.name].Known() }) {
			s.Missing = append(s.Missing, page.Missing{What: m.title, Why: "the sweep played no games that measure this"})
			continue
		}
		f := page.Figure{Title: m.title, Caption: caption(r, m)}
		if f.Chart = forest(r, m); len(r.Knobs) == 2 {
			f.Chart = heat(r, m)
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
	return slices.MinFunc(r.Variants, func(a, b variants.Cell) int {
		return cmp.Compare(a.Far, b.Far)
	}).Rules
}

// caption names the variants with the smallest and the largest value.
func caption(r *variants.Result, m measure) string {
	at := func(c variants.Cell) float64 { return c.Numbers[m.name].Value }
	known := slices.DeleteFunc(slices.Clone(r.Variants), func(c variants.Cell) bool { return !c.Numbers[m.name].Known() })
	slices.SortStableFunc(known, func(a, b variants.Cell) int { return cmp.Compare(at(a), at(b)) })
	if len(known) == 0 || at(known[0]) == at(known[len(known)-1]) {
		return "The same everywhere."
	}
	say := func(c variants.Cell) string {
		return fmt.Sprintf("%s with %s", chart.Text(at(c), m.unit, m.decimals), r.Named(c.Values))
	}
	return fmt.Sprintf("From %s to %s.", say(known[0]), say(known[len(known)-1]))
}

// heat returns a heat map over two knobs, with numbers in the cells.
func heat(r *variants.Result, m measure) chart.Chart {
	across, down := r.Knobs[1], r.Knobs[0]
	g := &chart.Grid{
		Columns: across.Values,
		Rows:    down.Values,
		XLabel:  across.Path,
		YLabel:  down.Path,
		Scale:   m.scale,
	}
	for _, d := range down.Values {
		var line []chart.Cell
		for _, a := range across.Values {
			i := slices.IndexFunc(r.Variants, func(c variants.Cell) bool {
				return c.Values[0] == d && c.Values[1] == a
			})
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
	cells := byTargets(r)
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
	t := table.Rows(r.Effects, func(e variants.Effect) []any {
		return append([]any{"knob", e.Path, "value", e.Value}, numbered(e.Numbers)...)
	})
	t.Caption, t.Note = "Main effects", "Mean of the variants that have the value minus the mean of all others."
	return page.Section{
		ID:     "effects",
		Title:  "Each knob alone",
		Aside:  true,
		Lead:   "The effect of each value, averaged over the other knobs.",
		Tables: []table.Table{t},
	}
}

// SweepPlanText writes which games a sweep would play.
func SweepPlanText(out io.Writer, s *variants.Sweep) error {
	first, rest := s.Planned()
	fmt.Fprintf(out, "%s (%s): %s, %d skipped, into %s\n", s.Name, s.Design,
		screen.Plural(len(s.Variants), "variant"), len(s.Skipped), s.Database)
	for _, v := range s.Variants {
		note := ""
		if v.Base {
			note = "  (unchanged rules)"
		}
		fmt.Fprintf(out, "  %s%s\n", v.Label, note)
	}
	for _, x := range s.Skipped {
		fmt.Fprintf(out, "  skipped: %s: %s\n", x.Rules, x.Reason)
	}
	_, err := fmt.Fprintf(out, "%s, and %d more to measure the best again\n", screen.Plural(first, "game"), rest)
	return err
}
