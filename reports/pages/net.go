package pages

import (
	"fmt"
	"io"
	"math"
	"strings"

	"spar/agents/patterns"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/table"
	"spar/tuning/learn"
)

// Learned is the input for a page about a learned evaluation.
type Learned struct {
	Name        string // name of the net: its file, or ctor/learned
	Net         *patterns.Net
	Description learn.Description
	Matchups    []learn.Matchup // matches that were played just before; may be empty
	Commands    []page.Command  // commands that make the page again; the main one is first
}

// Net makes the page of a learned evaluation: whether it is stronger, which patterns it uses, whether its scores
// are calibrated, and where it differs from weights.
func Net(l Learned) *page.Document {
	about, g := l.Net.About(), l.Net.Game()
	d := &page.Document{
		Title: l.Name + ": the evaluation learned for " + g.Name(),
		Subtitle: fmt.Sprintf("%d numbers in tables over %s, learned from %d games of self-play in %.0f CPU-seconds",
			l.Net.Params(), strings.Join(l.Net.Architecture().Tables, ", "), about.Games, about.CPUSecond),
		Verdict: netVerdict(about.Gate),
		Sections: []page.Section{
			netPatterns(l), netCalibration(l.Description), netCurve(about.Curve),
			netCourse(about.Course), netMatchups(l.Matchups),
		},
		Commands: l.Commands,
		Facts: []page.Fact{
			{Name: "rules", Value: g.Name() + ", hash " + about.RulesHash},
			{Name: "seed", Value: seedsOf(about)},
			{Name: "version", Value: about.Version},
			{
				Name:  "positions",
				Value: fmt.Sprintf("%d, one from each of as many new games of self-play", l.Description.Positions),
			},
		},
	}
	kept := d.Sections[:0]
	for _, s := range d.Sections {
		if s.Title != "" {
			kept = append(kept, s)
		}
	}
	d.Sections = kept
	if len(about.Course) == 0 {
		d.Missing = append(d.Missing, page.Missing{
			What: "The course of the training", Why: "the file does not contain it",
			Remedy: "spar learn " + g.Name(),
		})
	}
	return d
}

func netVerdict(gate *patterns.Gate) page.Verdict {
	if gate == nil {
		return page.Verdict{
			Status: table.Undecided, Headline: "No gate was played: its gain is unknown.",
			Detail: "spar learn validate plays the gate.",
		}
	}
	if gate.Pairs == 0 {
		return page.Verdict{
			Status: table.Undecided, Headline: "No pairs of the gate could be played: its gain is unknown.",
			Detail: fmt.Sprintf("The gate of the training: %s.", gate.Search),
		}
	}
	v := page.Verdict{
		Status: table.Poor,
		Headline: fmt.Sprintf("It scores %.1f %% (%.1f to %.1f, %d pairs) against the %s evaluation at equal CPU time.",
			100*gate.Score, 100*gate.Lo, 100*gate.Hi, gate.Pairs, gate.Against),
		Detail: fmt.Sprintf("The gate of the training: %s.", gate.Search),
	}
	switch {
	case gate.Lo > 0.5:
		v.Status = table.Good
	case gate.Hi >= 0.5:
		v.Status = table.Undecided
		v.Detail += " Its gain is undecided."
	}
	return v
}

// netPatterns is the section on the most important patterns of the net.
func netPatterns(l Learned) page.Section {
	g := l.Net.Game()
	s := page.Section{ID: "patterns", Title: "What it looks at", Lead: fmt.Sprintf("The strongest patterns among those "+
		"in at least 1 %% of %d positions. Points are percentage points of the first player's expected score.",
		l.Description.Positions)}
	if len(l.Description.Worth) > 0 && g.Rules().Board.Columns > 0 {
		var cells []chart.Cell
		for _, w := range l.Description.Worth {
			c := chart.Cell{Value: math.NaN()}
			if w != nil {
				c.Value = *w
			}
			cells = append(cells, c)
		}
		s.Figures = append(s.Figures, page.Figure{
			ID: "worth", Title: "Value of a single piece of the first player",
			Caption: "Percentage points of expected score that a single piece adds on each cell. Patterns of several cells " +
				"add to this.",
			Chart: chart.Board(g.Rules().Board.Columns, cells, chart.Scale{
				Diverging: true, Unit: chart.Signed,
				Label: "points",
			}),
		})
	}
	t := table.Table{Caption: "Strongest patterns", Columns: []table.Column{
		{Name: "table", Text: true},
		{Name: "cells", Text: true},
		{Name: "holds", Text: true, Help: "contents of the cells in their order; a digit is " +
			"the number of placements until the piece leaves"},
		{Name: "points"},
		{Name: "positions"},
	}}
	for _, h := range l.Description.Patterns {
		t.Rows = append(t.Rows, []table.Cell{
			table.Words(h.Table), table.Words(h.Cells), table.Words(h.Holds),
			table.Num(h.Points, chart.Signed, 1), table.Num(h.Share, chart.Percent, 1),
		})
	}
	s.Tables = append(s.Tables, t)
	return s
}

// netCalibration is the section on how well its expected scores predict results.
func netCalibration(p learn.Description) page.Section {
	var bins []chart.Point
	t := table.Table{Caption: "Expected and observed", Columns: []table.Column{{Name: "expected"}, {Name: "came"}}}
	within := 0
	for _, b := range p.Bins {
		scored := ratings.WithInterval(b.Scored, b.Lo, b.Hi, int64(b.N))
		bins = append(bins, chart.PointOf(b.Predicted, scored))
		t.Rows = append(t.Rows, []table.Cell{
			table.Num(b.Predicted, chart.Percent, 1),
			table.Estimate(scored, chart.Percent, 1),
		})
		if b.Lo <= b.Predicted && b.Predicted <= b.Hi {
			within++
		}
	}
	return page.Section{
		ID: "calibration", Title: "Are its expected scores accurate?",
		Lead: fmt.Sprintf("In %d of %d groups of positions, the expected score lies within the 95 %% interval of the "+
			"results. The games look one ply ahead, with a tenth of random moves.", within, len(p.Bins)),
		Figures: []page.Figure{{
			ID: "calibration", Title: "Calibration",
			Caption: "On the line, expected scores equal the results.", Chart: chart.Calibration("expected score", "observed score", bins),
		}}, Tables: []table.Table{t},
	}
}

// netCurve is the section on strength during training: the scores of earlier versions against the final net.
func netCurve(curve []patterns.Rung) page.Section {
	if len(curve) == 0 {
		return page.Section{}
	}
	line := chart.Line{Name: "score"}
	t := table.Table{Caption: "Strength against training", Columns: []table.Column{
		{Name: "after games"},
		{Name: "score against the final state"},
	}}
	still := 0
	for _, r := range curve {
		score := ratings.WithInterval(1-r.Score, 1-r.Hi, 1-r.Lo, 2*r.Pairs)
		line.Points = append(line.Points, chart.PointOf(float64(r.Games), score))
		t.Rows = append(t.Rows, []table.Cell{
			table.Count(int(r.Games)),
			table.Estimate(score, chart.Percent, 1),
		})
		if r.Lo > 0.5 {
			still++
		}
	}
	last := curve[len(curve)-1]
	lead := fmt.Sprintf("The state after %d games scores %.1f %% (%.1f to %.1f, %d pairs) against the final one",
		last.Games, 100*(1-last.Score), 100*(1-last.Hi), 100*(1-last.Lo), last.Pairs)
	switch {
	case last.Lo > 0.5:
		lead += ": the net was still improving, so more games may help."
	case still > 0:
		lead += ": whether it improved after that is undecided; before, it did."
	default:
		lead += ": no significant improvement in the last games."
	}
	return page.Section{
		ID: "curve", Title: "Was it still improving?", Lead: lead,
		Figures: []page.Figure{{ID: "curve", Title: "Strength against training", Caption: "Scores of earlier states of the " +
			"training against the last one, in minimax at the same budget; 50 % is as strong.", Chart: &chart.Lines{
			X: chart.Axis{Label: "games of self-play"}, Y: chart.Axis{Label: "score", Unit: chart.Percent},
			Lines: []chart.Line{line}, Refs: []chart.Ref{{Value: 0.5, Label: "as strong"}},
		}}}, Tables: []table.Table{t},
	}
}

// netCourse is the section on the course of the training.
func netCourse(course []patterns.Stage) page.Section {
	if len(course) == 0 {
		return page.Section{}
	}
	loss, draws := chart.Line{Name: "loss"}, chart.Line{Name: "draws"}
	for _, x := range course {
		loss.Points = append(loss.Points, chart.PointAt(float64(x.Games), x.Loss))
		draws.Points = append(draws.Points, chart.PointAt(float64(x.Games), x.Draws))
	}
	last := course[len(course)-1]
	return page.Section{
		ID: "course", Title: "How the training went", Lead: fmt.Sprintf("In the last of %d stages the loss was %.3f (0.693 "+
			"for a net without knowledge), %.1f %% of the games were drawn, and they lasted %.1f plies.", len(course), last.Loss,
			100*last.Draws, last.Plies),
		Figures: []page.Figure{{ID: "course", Title: "Loss and draws of self-play", Caption: "The loss may rise while play " +
			"improves: games between better players are harder to predict.", Chart: &chart.Panels{
			Titles: []string{"loss (nats)", "draws"},
			Charts: []chart.Chart{
				&chart.Lines{X: chart.Axis{Label: "games"}, Y: chart.Axis{Label: "nats"}, Lines: []chart.Line{loss}},
				&chart.Lines{
					X: chart.Axis{Label: "games"}, Y: chart.Axis{Label: "share", Unit: chart.Percent},
					Lines: []chart.Line{draws},
				},
			},
		}}},
	}
}

// MatchupText writes the matches of a net for a terminal.
func MatchupText(w io.Writer, matchups []learn.Matchup) error {
	if len(matchups) == 0 {
		return nil
	}
	return matchupTable(matchups).Text(w, 0)
}

// matchupTable has the matches of a net.
func matchupTable(matchups []learn.Matchup) table.Table {
	played := func(of func(learn.Matchup) table.Cell) func(learn.Matchup) table.Cell {
		return func(c learn.Matchup) table.Cell {
			if c.Why != "" {
				return table.None(c.Why)
			}
			return of(c)
		}
	}
	t := table.Build([]table.Field[learn.Matchup]{
		table.WordField("search", func(c learn.Matchup) string { return c.Search }),
		table.WordField("against", func(c learn.Matchup) string { return c.Against }),
		table.CellField("score", "of the net", played(func(c learn.Matchup) table.Cell {
			score, _ := c.Estimates()
			return table.Estimate(score, chart.Percent, 1)
		})),
		table.CellField("Elo", "", played(func(c learn.Matchup) table.Cell {
			_, elo := c.Estimates()
			return table.Of(elo)
		})),
		table.CountField("pairs", func(c learn.Matchup) int64 { return c.Pairs }),
		table.WordField("openings", func(c learn.Matchup) string {
			return fmt.Sprintf("%d plies%s", c.Openings, map[bool]string{true: ", even"}[c.Balanced])
		}),
		table.WordField("a move", func(c learn.Matchup) string { return fmt.Sprintf("%d against %d", c.Ours, c.Budget) }),
		table.CellField("cost of one", "CPU time of a position of the net, relative to one of the opponent",
			func(c learn.Matchup) table.Cell { return table.Num(c.Cost, chart.Number, 2) }),
	}, matchups)
	for _, c := range matchups {
		if c.Why != "" {
			t.Note += fmt.Sprintf("%s against %s: no pairs could be played: %s. ", c.Search, c.Against, c.Why)
		}
	}
	t.Note = strings.TrimSpace(t.Note)
	t.Caption = "Matches at equal CPU time"
	return t
}

// netMatchups is the section on matches at equal CPU time.
func netMatchups(matchups []learn.Matchup) page.Section {
	if len(matchups) == 0 {
		return page.Section{}
	}
	return page.Section{ID: "contests", Title: "What it gains", Lead: "Scores of the net against other evaluations in " +
		"the same search, with 95 % intervals over pairs.", Tables: []table.Table{matchupTable(matchups)}}
}

// seedsOf names the seeds of the trainings of a net.
func seedsOf(about patterns.Provenance) string {
	if about.Seeds > 1 {
		return fmt.Sprintf("%d to %d: the mean of %d trainings; the course is that of the first", about.Seed,
			about.Seed+int64(about.Seeds)-1, about.Seeds)
	}
	return fmt.Sprint(about.Seed)
}

// LearnedText prints the end of a training, and what to do next.
func LearnedText(w io.Writer, rules string, r learn.Outcome) error {
	about := r.Net.About()
	fmt.Fprintf(w, "%s: %d games of self-play, %.0f CPU-s, %d numbers in %v\n", rules, about.Games, about.CPUSecond,
		r.Net.Params(), r.Net.Architecture().Tables)
	if err := MatchupText(w, r.Matchups); err != nil {
		return err
	}
	if !r.Gained {
		why, hope := "the interval does not lie above 50 %", "; more --minutes may help"
		switch first := r.Matchups[0]; {
		case first.Pairs == 0:
			why, hope = "no pairs could be played", ""
		case first.Gains():
			why = "it loses to tree search with random games (uct)"
		}
		fmt.Fprintf(w, "not accepted: %s. Written as %s for inspection%s\n", why, r.Files[0], hope)
	} else {
		fmt.Fprintf(w, "written: %s, and an agent that names it: %s\n", r.Files[0], r.Files[1])
		fmt.Fprintf(w, "report about the net: %s\n", r.Files[len(r.Files)-1])
		fmt.Fprintf(w, "next: spar learn validate %s; spar match minimax-4 greedy -r %s --agent-set "+
			"minimax-4:evaluation.file=%s\n", r.Files[0], rules, r.Files[0])
	}
	return nil
}
