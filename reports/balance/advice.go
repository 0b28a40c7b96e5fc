package balance

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"spar/arena/campaign"
	"spar/arena/store"
	"spar/arena/study"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/page"
	"spar/reports/screen"
	"spar/reports/table"
	"spar/tuning/variants"
)

// Problems lists the faults of the rules that the exact value or significant results of games show, the most serious
// first.
func (r *Report) Problems() []variants.Problem {
	var out []variants.Problem
	weak := func(l Light) bool { return l.Colour == Poor || l.Colour == Middling || l.Colour == NotGood }
	if weak(r.light("completion")) || finishing.judge(r.played().Ends.Finished).Colour == Poor {
		out = append(out, variants.Endless)
	}
	n := r.light("first_score").Number
	side, _ := r.winner()
	if g := r.main(); g != nil && g.Same() || r.Exact != nil { // it is of the same few games, or of agents that do not find the draw
		n = ratings.Estimate{}
	}
	if side != "" || n.Known() && (n.Lo > 0.55 || n.Hi < 0.45 || r.light("first_score").Colour != Good &&
		(n.Lo > 0.5 || n.Hi < 0.5)) {
		out = append(out, variants.Unfair)
	}
	if weak(r.light("draws")) {
		out = append(out, variants.Drawish)
	}
	used := strings.Fields("steps jumps chains leaves surrounds")
	if slices.ContainsFunc(r.played().Alive, func(u Use) bool {
		return slices.Contains(used, u.Mechanic) && u.PerGame.Known() && u.PerGame.Value == 0
	}) {
		out = append(out, variants.Idle)
	}
	return out
}

// Advise searches for a change of the rules that fixes their most serious problem, and stores the result in the
// study. The study's plan limits the work of this search. The games of the search are not stored. Advise does nothing
// if there is no such problem, if the study already holds a result, or if the time is up.
func Advise(ctx context.Context, db *store.DB, c *campaign.Campaign, o StudyOptions, stage func(string)) error {
	work := float64(c.Record.Sizes.Knob) / 10
	if work == 0 || c.Learned() {
		return nil
	}
	r, err := Study(ctx, db, c.Rules.Label, o)
	if err != nil || r.Remedies != nil {
		return err
	}
	at := slices.IndexFunc(r.Problems(), func(p variants.Problem) bool {
		return slices.Contains([]variants.Problem{variants.Endless, variants.Unfair, variants.Drawish}, p)
	})
	if at < 0 {
		return nil
	}
	dir, err := os.MkdirTemp("", "spar")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // temporary
	games, err := store.Open(ctx, filepath.Join(dir, "games.db"), store.Create)
	if err != nil {
		return err
	}
	defer games.Close()
	ask := variants.Remedies{
		Problem: r.Problems()[at],
		Blind:   o.Options.Blind,
		Seed:    c.Record.Request.Seed,
		Work:    work,
	}
	if ask.Check(c.Rules) != nil { // so little work says nothing
		return nil
	}
	within, end := o.Time.Part(0.5).Soft(ctx)
	defer end()
	found, err := variants.FindRemedies(within, ctx, games, c.Rules, ask,
		variants.Options{Measure: OfVariant, Workers: o.Options.Workers, Stage: stage})
	if err != nil {
		if within.Err() != nil && ctx.Err() == nil {
			return nil
		}
		return err
	}
	found.DB = ""
	return variants.Remember(ctx, db, c.Rules.Label+"/remedies", campaign.PurposeRemedies, ask.Seed, found)
}

// advice returns the result of Advise that a study holds; nil if there is none.
func advice(events []study.Event, label string) *variants.RemedyResult {
	for _, e := range slices.Backward(events) {
		out := &variants.RemedyResult{}
		if e.Purpose == campaign.PurposeRemedies && strings.HasPrefix(e.Name, label+"/remedies ") &&
			json.Unmarshal([]byte(e.Plan), out) == nil {
			return out
		}
	}
	return nil
}

// Studied removes the labels of rules that were played only to measure a knob of other rules. If no label would be
// left, it removes none.
func Studied(ctx context.Context, db *store.DB, labels []string) ([]string, error) {
	events, err := db.Events(ctx)
	if err != nil {
		return nil, err
	}
	aside := map[int64]bool{}
	for _, e := range events {
		aside[e.ID] = campaign.OfKnob(e)
	}
	var out []string
	for _, label := range labels {
		rules, _, err := db.RulesNamed(ctx, label)
		if err != nil {
			return nil, err
		}
		counts, err := db.EventCounts(ctx, rules.ID)
		if err != nil {
			return nil, err
		}
		own := len(counts) == 0
		for event := range counts {
			own = own || !aside[event]
		}
		if own {
			out = append(out, label)
		}
	}
	if len(out) == 0 {
		return labels, nil
	}
	return out, nil
}

// changes returns the section of the changes that a study tried.
func changes() measure {
	missing := func(r *Report) []Missing {
		if r.Remedies != nil {
			return nil
		}
		return []Missing{{
			"Effects of rule changes", "",
			"no changes were tried (spar balance --effort normal tries some if the rules have a problem; spar sweep tries " +
				"your own)",
		}}
	}
	return measure{missing: missing, section: func(v *view) page.Section {
		r := v.r.Remedies
		if r == nil {
			return page.Section{}
		}
		var left []string
		s := Remedies("others", "Changes tried", r, slices.DeleteFunc(slices.Concat([]variants.Remedy{r.Base}, r.Best, r.Others),
			func(x variants.Remedy) bool {
				if x.Verdict == "left" {
					left = append(left, strings.Join(x.Words, ", "))
				}
				return x.Verdict == "left"
			}))
		s.ID, s.Screen = "changes", false
		s.Paragraphs = []string{"These results are preliminary: spar balance remedies plays more games."}
		if left != nil {
			s.Paragraphs = append(s.Paragraphs,
				"Stopped early, because others looked more promising or the work was used up: "+strings.Join(left, "; ")+".")
		}
		return s
	}}
}

// Remedies returns a section with a table of changed rules.
func Remedies(id, title string, r *variants.RemedyResult, xs []variants.Remedy) page.Section {
	random := ""
	ended, ends := "ended", "share of games that end before the ply limit, also by repetition"
	if r.Problem == variants.Endless {
		ended, ends = "reach a goal", "share of games that reach a goal, fill the board or leave a player without a move"
	}
	if r.Erring {
		random = ", 10 % random"
	}
	share := func(e ratings.Estimate) table.Cell {
		e.Scale = ratings.ScaleShare // those that were stored have lost it
		return table.Of(e)
	}
	t := table.Rows(xs, func(x variants.Remedy) []any {
		end := x.Completion
		if r.Problem == variants.Endless {
			end = x.Finished
		}
		row := []any{
			"verdict", table.Optional(x.Verdict), "with best play", table.Optional(x.Brief()),
			"first player", table.Help("score of the first player at the strongest tier", share(x.Score)),
		}
		if id != "others" {
			people := table.Words("-") // not predicted
			if x.Weak.Known() {
				people = table.Num(x.People, chart.Percent, 0)
			}
			row = append(row, "weaker", table.Help("the first player's score with a quarter of the search",
				share(x.Weak)),
				"10 % random", table.Help("the first player's score with 10 % random moves", share(x.Slips)),
				"people", table.Help("first player's score predicted for experienced players", people))
		}
		plies := table.None("not played")
		if x.Length > 0 {
			plies = table.Num(x.Length, chart.Number, 0)
		}
		change := strings.Join(x.Words, "; ")
		if change == "" {
			change = "unchanged"
		}
		if x.Why != "" && x.Verdict != "endless" && x.Verdict != "undecided" && !strings.HasPrefix(x.Why, "with best play") {
			change += ". Why not: " + x.Why
		} else if len(x.Costs) > 0 {
			change += ". It costs: " + strings.Join(x.Costs, ", ")
		}
		return append(row, "drawn"+random, share(x.Draws),
			ended, table.Help(ends, share(end)),
			"plies"+random, table.Help("mean length", plies), "games", x.Games,
			"change", table.As{Column: table.Column{Text: true, Kept: true}, Cell: table.Words(change)})
	})
	t.Note = "Left: not tried further. Worse: a cost is too high, weak agents play too unevenly, or one side wins sooner " +
		"with best play. Endless: too few games end before the ply limit, or they take too long. Drawn: before that limit."
	if id != "others" {
		t.Note = "Weaker: agents with a quarter of the search. 10 % random: agents that make one move in ten at random. " +
			"People: predicted for experienced players."
	}
	t.ID, t.Caption = id, screen.Plural(len(xs), "set")+" of rules, "+r.Agent+" against itself"
	return page.Section{ID: id, Title: title, Screen: true, Tables: []table.Table{t}}
}
