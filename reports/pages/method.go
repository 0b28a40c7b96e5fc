package pages

import (
	"fmt"
	"slices"

	"spar/arena/campaign"
	"spar/reports/balance"
	"spar/reports/page"
	"spar/reports/table"
)

// notInTotal names the rows in the table of games that the page's number of games does not include.
func notInTotal(r *balance.Report) string {
	if r.Knobs == nil {
		return ""
	}
	return fmt.Sprintf("This page uses %d games; games under other rules do not count.", r.Games())
}

// method is the section on the data behind the numbers.
func (b *builder) method() page.Section {
	r := b.r
	s := page.Section{
		ID: "method", Title: "How this was measured", Aside: true,
		Lead: fmt.Sprintf("%s in %s; every interval has level %.0f %% and treats games, or pairs of games, as independent.",
			count(r.Games(), "game"), b.study, 100*r.Method.Level),
	}
	s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("%d distinct games. Spar leaves out %d repetitions by agents "+
		"without randomness, and counts %s separately.", r.Study.Distinct, r.Study.Repeated,
		count(r.Study.Forfeits, "forfeit")))
	if r.Study.Decided > 0 {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("%s were adjudicated: they would have "+
			"lasted longer.", count(r.Study.Decided, "game")))
	}
	if r.Study.BadGames > 0 {
		s.Paragraphs = append(s.Paragraphs, fmt.Sprintf("%s cannot be replayed; Spar skips them in measures that "+
			"need the moves.", count(r.Study.BadGames, "game")))
	}
	s.Paragraphs = append(s.Paragraphs, "Conclusions hold for these agents. The limits of \"good\", \"middling\" and "+
		"\"poor\" are conventions. A number gets one of these words only if its whole interval agrees.")
	if slices.ContainsFunc(r.Study.Events, func(e balance.EventInfo) bool { return e.Clear }) {
		s.Paragraphs = append(s.Paragraphs, "A match-up stops early once its result is decided. Its intervals are "+
			"confidence sequences, which stay valid however often you look; they are about 1.65 times as wide as intervals "+
			"for a fixed number of games.")
	}
	t := table.Table{ID: "lights", Caption: "Limits", Columns: []table.Column{
		{Name: "measure", Text: true},
		{Name: "value"},
		{Name: "good", Text: true},
		{Name: "middling", Text: true},
		{Name: "says", Text: true},
	}}
	for _, l := range r.Lights {
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(l.Title),
			cell(l.Number, l.Text).With(table.ParseStatus(string(l.Colour))), table.Words(l.Good), table.Words(l.Middling),
			table.Words(l.Text),
		})
	}
	if len(r.Targets) > 0 {
		required := table.Table{
			ID: "targets", Caption: "What was required",
			Columns: []table.Column{{Name: "target", Text: true}, {Name: "verdict", Text: true}, {Name: "measured"}},
			Note:    "A target is met or missed only if the whole interval agrees.",
		}
		for _, x := range r.Targets {
			required.Rows = append(required.Rows, []table.Cell{
				table.Words(x.Target), table.Words(string(x.Verdict)),
				cell(x.Number, "not measurable"),
			})
		}
		s.Tables = append(s.Tables, required)
	}
	events := table.Table{ID: "events", Caption: "What was played", Columns: []table.Column{
		{Name: "event", Text: true},
		{Name: "purpose", Text: true},
		{Name: "games"},
		{Name: "seed"},
	}, Note: notInTotal(r)}
	for _, e := range r.Study.Events {
		events.Rows = append(events.Rows, []table.Cell{
			table.Words(e.Name), table.Words(e.Purpose), table.Count(int(e.Games)),
			table.Words(fmt.Sprint(e.Seed)),
		})
	}
	if n := r.Asked(); n > 0 {
		events.Rows = append(events.Rows, []table.Cell{
			table.Words("the winner under best play, in " +
				count(int64(len(r.Inquiry)), "stage")), table.Words(campaign.PurposeInquiry), table.Count(int(n)),
			table.None("one for each part"),
		})
	}
	if k := r.Knobs; k != nil {
		n := int64(0)
		for _, v := range k.Variants {
			n += v.Response.Score.N
		}
		events.Rows = append(events.Rows, []table.Cell{
			table.Words(fmt.Sprintf("%s under %s", k.Agent,
				count(int64(len(k.Variants)), "other rule"))), table.Words(campaign.PurposeKnob), table.Count(int(n)),
			table.None("one for each of the rules"),
		})
	}
	s.Tables = append(s.Tables, t, events)
	b.oracle(&s)
	return s
}

func (b *builder) oracle(s *page.Section) {
	o := b.r.Oracle
	if o == nil {
		return
	}
	note := fmt.Sprintf("Values come from %s (%s), %d games, %d positions; the standard deviation of a value is %.3f.",
		o.Name, o.Budget, o.Games, o.Positions, o.Noise)
	if o.Kind == "exact" {
		note = fmt.Sprintf("Values are those of the solved game, exact: %d games, %d positions.", o.Games, o.Positions)
	}
	if o.Warning != "" {
		note += " " + o.Warning
	}
	s.Paragraphs = append(s.Paragraphs, note)
}
