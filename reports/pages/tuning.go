package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
	"spar/tuning"
	"spar/tuning/optimise"
)

// Tuned is the input for a page about a tuning. Only the tuning and its result are required.
type Tuned struct {
	Tuning      *tuning.Tuning
	Result      *tuning.Result
	Examination *tuning.Examination // nil if not validated
	Commands    []page.Command
}

// Tuning makes the page of a tuning and its validation: the result, whether validation confirms it, and the progress of
// the search.
func Tuning(d Tuned) *page.Document {
	t, r := d.Tuning, d.Result
	doc := &page.Document{
		Title: "Tuning " + t.Name,
		Subtitle: fmt.Sprintf("%s under %s, %s, %d training games, seed %d", t.Start.Name, t.Label, t.Method, r.Games,
			t.Seed),
		Warnings: append([]string(nil), r.Warnings...),
		Commands: d.Commands,
		Facts: []page.Fact{
			{Name: "rules", Value: t.Label + " " + t.Game.RulesHash()},
			{Name: "seed", Value: fmt.Sprint(t.Seed)},
		},
	}
	doc.Verdict = tunedVerdict(d.Examination)
	doc.Sections = append(doc.Sections, page.Section{
		ID: "weights", Title: "Parameters before and after", Screen: true,
		Lead:   "How far the search moved each parameter, and how far chance alone would have moved it.",
		Tables: []table.Table{changeTable(r.Changes)},
	})
	if d.Examination != nil {
		doc.Warnings = append(doc.Warnings, d.Examination.Warnings...)
		doc.Sections = append(doc.Sections, proof(d.Examination))
	} else {
		doc.Missing = append(doc.Missing, page.Missing{
			What: "held-out strength", Why: "the result was not validated",
			Remedy: "spar tune validate " + t.Name,
		})
	}
	doc.Sections = append(doc.Sections, course(d))
	if r.Model != nil {
		doc.Sections = append(doc.Sections, regression(r))
	}
	return doc
}

// tunedVerdict states the answer in a sentence, based on the validation alone.
func tunedVerdict(x *tuning.Examination) page.Verdict {
	if x == nil {
		return page.Verdict{Status: table.Undecided, Headline: "Not validated", Detail: "The results in training are " +
			"optimistic, because the search kept what scored best in them."}
	}
	v := page.Verdict{Detail: fmt.Sprintf(
		"Elo gained over the untuned agent from openings that the tuning did not use: %s; one level deeper (%s): %s.",
		x.Direct.Elo,
		x.Condition, x.Deeper.Elo)}
	better, deeper := above(x.Direct), above(x.Deeper)
	switch {
	case better && below(x.Deeper):
		v.Status, v.Headline = table.Middling, "Better than the starting agent at its own depth, worse one level deeper"
	case better && deeper && len(x.Warnings) == 0:
		v.Status = table.Good
		v.Headline = "Better than the starting agent, at its own depth and one level deeper"
	case better && deeper:
		v.Status = table.Middling
		v.Headline = "Better than the starting agent at both depths, with reservations"
	case better:
		v.Status = table.Middling
		v.Headline = "Better than the starting agent at its own depth; undecided one level deeper"
	case below(x.Direct):
		v.Status = table.Poor
		v.Headline = "Worse than the starting agent"
	default:
		v.Status = table.Undecided
		v.Headline = "No significant difference from the starting agent"
	}
	return v
}

func above(m tuning.Match) bool { return !m.Elo.Interval.LoOpen && m.Elo.Interval.Lo > 0 }
func below(m tuning.Match) bool { return !m.Elo.Interval.HiOpen && m.Elo.Interval.Hi < 0 }

func matchStatus(m tuning.Match) table.Status {
	switch {
	case above(m):
		return table.Good
	case below(m):
		return table.Poor
	}
	return table.Undecided
}

// Examined returns the document of a validation alone.
func Examined(x *tuning.Examination) *page.Document {
	return &page.Document{
		Title:    fmt.Sprintf("%s, validation %d: %s against the starting agent", x.Name, x.Look, x.Candidate),
		Verdict:  tunedVerdict(x),
		Sections: []page.Section{proof(x)},
		Warnings: x.Warnings,
	}
}

// proof returns the section on the validation.
func proof(x *tuning.Examination) page.Section {
	s := page.Section{
		ID: "proof", Title: "Held out", Screen: true,
		Lead: fmt.Sprintf(
			"On openings and random numbers that the training never saw, the tuned agent's Elo against the starting agent "+
				"is %s.",
			x.Direct.Elo),
	}
	verdict := map[ratings.State]string{
		ratings.StateAcceptH1: "better", ratings.StateAcceptH0: "not better", ratings.StateContinue: "undecided",
	}[x.SPRT.State]
	s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("Sequential test (0 against %g normalized Elo, error rates 5 %%): %s "+
		"after %d pairs, LLR %.2f (bounds %.2f, %.2f). This is analysis %d of this tuning's validation.",
		x.SPRT.Elo1, verdict, x.SPRT.Elo.N, x.SPRT.LLR, x.SPRT.Lower, x.SPRT.Upper, x.Look))
	if x.Optimism != nil {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf(
			"Optimism of the training (its gain on its own openings minus its gain on new ones): %s.", x.Optimism))
	}
	if len(x.Earlier) > 0 {
		s.Paragraphs = append(s.Paragraphs, "Examined before: "+strings.Join(x.Earlier, ", ")+".")
	}
	if s.Tables = append(s.Tables, meetingTable(x)); len(x.Pool) > 0 {
		s.Tables = append(s.Tables, poolTable(x))
	}
	return s
}

// course returns the section on the progress of the search.
func course(d Tuned) page.Section {
	s := page.Section{
		ID: "course", Title: "Progress of the search", Screen: true,
		Lead: "The parameters during the search, and the strength of its result so far against the starting agent and a " +
			"fixed pool.",
	}
	lines := &chart.Lines{X: chart.Axis{Label: "games"}, Y: chart.Axis{Label: "change (multiples of the search scale)"}}
	// The numbers that moved most are drawn: more lines could not be distinguished.
	for _, i := range farthest(d.Result.Changes) {
		c := d.Result.Changes[i]
		l := chart.Line{Name: c.Path}
		for _, p := range d.Result.Course {
			if i < len(p.Current) && c.Scale > 0 {
				l.Points = append(l.Points, chart.PointAt(float64(p.Games), (p.Current[i]-c.Before)/c.Scale))
			}
		}
		lines.Lines = append(lines.Lines, l)
	}
	s.Figures = append(s.Figures, page.Figure{
		Title:   "Parameters against games",
		Caption: "The six parameters that changed most.", Chart: lines,
	})
	checks := chart.Line{Name: "training openings"}
	for _, c := range d.Result.Checks {
		checks.Points = append(checks.Points, chart.PointOf(float64(c.Games), c.Match.Elo))
	}
	both := []chart.Line{checks}
	if x := d.Examination; x != nil {
		both = append(both, chart.Line{
			Name:   "held out",
			Points: []chart.Point{chart.PointOf(float64(d.Result.Games), x.Direct.Elo)},
		})
	}
	s.Figures = append(s.Figures, page.Figure{
		Title:   "Elo against the starting agent",
		Caption: "Strength of the result so far against the starting agent; 95 % intervals over pairs.",
		Chart: &chart.Lines{
			X: chart.Axis{Label: "games"}, Y: chart.Axis{Label: "Elo", Unit: chart.Number}, Lines: both,
			Refs: []chart.Ref{{Value: 0, Label: "even"}},
		},
	})
	if len(d.Result.Checks) > 0 {
		s.Tables = append(s.Tables, checkTable(d.Result))
	}
	if m := d.Result.Movement; m != nil {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("In the second half of the search the parameters moved %.1f times "+
			"as far as chance alone would move them (below %.2f: converged; 1 or more: not converged).", *m,
			optimise.Settled(len(d.Result.Changes))))
	}
	return s
}

// farthest returns the indices of the numbers that changed most, in units of the search.
func farthest(changes []tuning.Change) []int {
	const most = 6
	far := func(i int) float64 {
		if c := changes[i]; c.Scale > 0 {
			return math.Abs(c.After-c.Before) / c.Scale
		}
		return 0
	}
	out := make([]int, len(changes))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(far(b), far(a)) })
	return out[:min(most, len(out))]
}

// regression returns the section on the quality of the fit.
func regression(r *tuning.Result) page.Section {
	m := r.Model
	s := page.Section{
		ID: "regression", Title: "The regression", Screen: true,
		Lead: fmt.Sprintf("The loss on held-out games is %.4f, against %.4f without any feature (%d games).", m.Held, m.Null,
			m.Games),
	}
	if m.Slope > 0 { // 0: no slope fits best
		s.Lead += fmt.Sprintf(" The slope of the held-out predictions is %.2f (1 is ideal).", m.Slope)
	}
	s.Tables = append(s.Tables, ridgeTable(m))
	return s
}

// Planned returns the document that describes what a tuning would do.
func Planned(t *tuning.Tuning) *page.Document {
	s := page.Section{Title: "Parameters", Screen: true, Tables: []table.Table{table.Rows(t.Params, func(p tuning.Param) []any {
		return []any{"parameter", p.Name, "start", figures(p.Start), "scale", figures(p.Scale), "bounds", p.Bounds()}
	})}}
	if t.Direction {
		s.Paragraphs = []string{"The tuning changes the direction of the vector of weights, not its length."}
	}
	return &page.Document{
		Title: t.Name, Subtitle: fmt.Sprintf("method %s tunes %s under %s and stores %d games in %s", t.Method, t.Start.Name,
			t.Label, t.Games, t.Database), Sections: []page.Section{s},
	}
}
