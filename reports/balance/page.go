package balance

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"spar/engines"
	"spar/engines/explain"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/diagram"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning/target"
)

// PageOptions holds facts that a page shows and its report does not contain.
type PageOptions struct {
	// Commands are the commands that make the report again. The main one is first, like "spar balance vanishing
	// --effort quick --seed 1".
	Commands []page.Command
	// Study is the path of the study, for commands; empty = the report's path.
	Study string
}

// view is a report with what its sentences and figures need.
type view struct {
	r     *Report
	study string
	game  *engines.Game
	told  *explain.Rules
	main  *Group // the group that the verdict uses; nil if there are no games
	// the group whose games show how games go and end; empty if there are no games
	played *Group
}

func (r *Report) view(g *engines.Game) *view {
	r.game = g
	return &view{r, r.Study.DB, g, explain.Game(g), r.main(), r.played()}
}

// Page converts a report to a document: the summary, the answers, the figures that matter most to a designer, and
// sections with the others. It returns an error only if the report's rules cannot be read.
func (r *Report) Page(o PageOptions) (*page.Document, error) {
	g, err := engines.Load(r.Rules.Name, []byte(r.Rules.Canonical))
	if err != nil {
		return nil, fmt.Errorf("the report's rules: %w", err)
	}
	v := r.view(g)
	if o.Study != "" {
		v.study = o.Study
	}
	seeds := fmt.Sprint(r.Study.FirstSeed)
	if last := r.Study.LastSeed; last != r.Study.FirstSeed {
		seeds += fmt.Sprintf(" to %d", last)
	}
	d := &page.Document{
		Title:    cmp.Or(r.Rules.Title, r.Rules.Name),
		Game:     g,
		Verdict:  page.Verdict{Headline: sentences(r.Summary.Text)},
		Answers:  r.pageAnswers(),
		Warnings: r.Warnings,
		Commands: o.Commands,
		Missing:  missed(r.Missing),
		Subtitle: fmt.Sprintf("Rules %s, %d × %d, %s", screen.Cell(r.Rules.Name), r.Rules.Columns, r.Rules.Rows,
			screen.Plural(r.Games(), "game")),
		Facts: []page.Fact{
			{Name: "rules", Value: r.Rules.Name + ", hash " + r.Rules.Hash},
			{Name: "seeds", Value: seeds},
		},
	}
	if n := len(r.Tiers); n > 0 {
		top := r.Tiers[n-1]
		d.Subtitle += fmt.Sprintf(", agents from %s to %s", r.Tiers[0].Name, top.Name)
		if top.Description != "" {
			d.Subtitle += " (" + strings.TrimSuffix(top.Description, ".") + ")"
		}
	}
	for _, m := range measures() {
		if m.pictures != nil && v.main != nil {
			d.Pictures = append(d.Pictures, m.pictures(v)...)
		}
		if m.section != nil && v.main != nil {
			d.Sections = append(d.Sections, m.section(v))
		}
	}
	d.Sections = slices.DeleteFunc(append(d.Sections, v.rules(), v.method()),
		func(s page.Section) bool { return s.Title == "" })
	for _, s := range d.Sections {
		for i := range s.Tables {
			s.Tables[i].Reword(r.named)
		}
	}
	return d, nil
}

// missed lists the unavailable measures, each once for all groups of games that lack it.
func missed(all []Missing) []page.Missing {
	var out []page.Missing
	groups := map[page.Missing]int{}
	for _, m := range all {
		x := page.Missing{What: m.Measure, Why: m.Reason}
		if groups[x]++; groups[x] == 1 {
			out = append(out, x)
		}
	}
	for i, x := range out {
		if n := groups[x]; n > 1 {
			out[i].What = fmt.Sprintf("%s for %d match-ups", x.What, n)
		}
	}
	return out
}

// tiers returns the groups to compare on the page, by strength: mirror matches, or all groups if there are none.
func (v *view) tiers() []*Group {
	if gs := v.groups("mirror"); len(gs) > 0 {
		return gs
	}
	return v.groups("all")
}

// groups returns the groups of a kind in the order of their tiers.
func (v *view) groups(kind string) []*Group {
	var out []*Group
	for i := range v.r.Groups {
		if g := &v.r.Groups[i]; g.Kind == kind {
			out = append(out, g)
		}
	}
	return out
}

// label returns the short name of a group, which is that of its tier.
func (v *view) label(g *Group) string {
	if g.Tier >= 0 && g.Tier < len(v.r.Tiers) {
		return v.r.Tiers[g.Tier].Name
	}
	return strings.TrimSuffix(g.Name, " against itself")
}

// some keeps at most four groups, the weakest, the strongest, and others evenly between them, and says so.
func some(gs []*Group) (out []*Group, say string) {
	const n = 4
	if len(gs) <= n {
		return gs, ""
	}
	for i := range n {
		out = append(out, gs[i*(len(gs)-1)/(n-1)])
	}
	return out, fmt.Sprintf(" Shown: %d of %d agents.", n, len(gs))
}

// cell returns an estimate in a table; what makes it less reliable becomes a footnote.
func cell(n ratings.Estimate) table.Cell { return table.Of(n).Doubting(n.Note) }

// perGroup makes a table with a row for each of the groups.
func (v *view) perGroup(groups []*Group, id, caption string, of func(*Group) []any) table.Table {
	t := table.Rows(groups, func(g *Group) []any { return append([]any{"agents", v.label(g)}, of(g)...) })
	t.ID, t.Caption = id, caption
	return t
}

// bins converts bars of integers to bins of a histogram. The marked part of each bar is on top.
func bins(bars []Bar) []chart.Bin {
	out := make([]chart.Bin, len(bars))
	for i, b := range bars {
		out[i] = chart.Bin{Lo: float64(b.From) - 0.5, Hi: float64(b.To) + 0.5, Counts: []float64{
			float64(b.Count - b.Part), float64(b.Part),
		}}
	}
	return out
}

// rules returns the section with the rules in English.
func (v *view) rules() page.Section {
	s := page.Section{ID: "rules", Title: "Rules in words", Aside: true}
	for _, part := range v.told.Sections {
		text := part.Title + "."
		for _, x := range part.Sentences {
			text += " " + x
		}
		s.Paragraphs = append(s.Paragraphs, text)
		if part.Start != "" {
			s.Figures = []page.Figure{{
				Title: "The pieces at the start", Caption: "The pieces at the start.",
				Chart: &diagram.Diagram{Game: v.r.game, Board: string(v.r.game.NewPosition().Signs())},
			}}
		}
	}
	for _, n := range v.told.Notes {
		s.Paragraphs = append(s.Paragraphs, "Note: "+n.Text+".")
	}
	return s
}

// method returns the section on the data behind the numbers.
func (v *view) method() page.Section {
	r := v.r
	s := page.Section{
		ID: "method", Title: "How this was measured", Aside: true,
		Lead: fmt.Sprintf("%s in %s.", screen.Plural(r.Games(), "game"), v.study),
		Paragraphs: []string{fmt.Sprintf("All intervals have a confidence level of %.0f %%. Games of one pair or "+
			"opening depend on each other and count as one unit. %d games are distinct.", 100*r.Method.Level, r.Study.Distinct)},
	}
	if slices.ContainsFunc(r.Study.Events, func(e EventInfo) bool { return e.Clear }) {
		s.Paragraphs = append(s.Paragraphs, "A match-up stops early once its result is decided; its intervals allow for that.")
	}
	if o := r.Oracle; o != nil && o.Kind == "exact" {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("The values of positions, taken from %d games, are exact.", o.Games))
	} else if o != nil {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf(
			"Values of positions come from %s (%s), %d games. ", o.Name, o.Budget, o.Games)+sentences(o.Warning))
		if o.Noise >= minDeadZone/4 { // otherwise nothing estimates it
			s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("The standard deviation of a value is %.3f.", o.Noise))
		}
	}
	limits := table.Rows(r.Lights, func(l Light) []any {
		return []any{
			"measure", l.Title, "value",
			table.As{Cell: cell(l.Number).With(table.ParseStatus(string(l.Colour)))},
			"good", l.Good, "middling", l.Middling,
		}
	})
	limits.ID, limits.Caption = "lights", "Usual limits"
	limits.Note = "A number counts as good, middling or poor only if its whole interval does."
	required := table.Rows(r.Targets, func(j target.Judged) []any {
		return []any{"target", j.Target, "verdict", j.Verdict, "measured", j.Number}
	})
	required.ID, required.Caption = "targets", "What was required"
	events := slices.Clone(r.Study.Events)
	if n := r.Asked(); n > 0 {
		events = append(events, EventInfo{Name: "who wins under best play", Games: n})
	}
	played := table.Rows(events, func(e EventInfo) []any {
		return []any{"event", e.Name, "games", e.Games}
	})
	played.ID, played.Caption = "events", "What was played"
	if n := r.Study.LeftOut; n > 0 {
		played.Note = screen.Plural(n, "game") + " of these do not count: played after a match-up had stopped early, by people or for tuning."
	}
	s.Tables = []table.Table{limits, required, played}
	return s
}
