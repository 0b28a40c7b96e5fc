package balance

import (
	"fmt"
	"slices"
	"strings"
)

// missing names a measure that is not available, with the reason.
func (a *assembly) missing() {
	r := a.report
	need := func(ok bool, measure, reason string) {
		if !ok {
			a.miss(measure, "", reason)
		}
	}
	mirror := slices.ContainsFunc(r.Groups, func(g Group) bool { return g.Kind == "mirror" })
	need(r.Headline >= 0, "Outcome", "every game was forfeited or repeats an earlier one")
	need(mirror, "Outcome by tier", "no tier plays against itself from the true start: spar balance plays those games")
	need(r.Trends.Advantage.Slope.Known(), "First-player advantage against strength", "fewer than two tiers with a "+
		"budget play against themselves")
	need(r.Ladder != nil, "Depth", "no matches between neighbouring tiers")
	switch {
	case r.FirstMove == nil:
		a.miss("First moves", "", "no games from the true start, and none with forced first moves")
	case r.FirstMove.Pie == nil:
		a.miss("Pie rule", "", "only one first move, up to symmetry, was played")
	case !r.FirstMove.Pie.Residual.Known():
		a.miss("Pie rule", "", "too few games to choose a first move on one half of them and measure it on the other")
	}
	need(r.Knobs != nil, "Rule knobs", "no games under rules that differ in one knob (spar balance --effort normal "+
		"plays them; spar sweep plays more)")
	if r.Headline >= 0 {
		g := &r.Groups[r.Headline]
		need(g.Variety != nil && len(g.Variety.Openings) > 0, "Variety of openings", "all games begin with openings "+
			"that the agents did not choose")
		switch c := g.Course; {
		case c == nil:
			a.miss("Lead changes, point of no return", "", "the positions have no values: spar report --values 16 computes "+
				"them for 16 games of each group")
		case !c.Decisiveness.Known():
			a.miss("Point of no return", g.Name, "no game of the sample was won")
		}
	}
	for _, g := range r.Groups {
		if !g.Outcome.First.Known() {
			a.miss("Outcome", g.Name, "every game was forfeited or repeats an earlier one")
		} else if !g.Outcome.Decisive.Known() {
			a.miss("Share of decisive games", g.Name, "no game was won")
		}
	}
}

// warnings returns the warnings about the whole report.
func (a *assembly) warnings() {
	r := a.report
	warn := func(on bool, format string, args ...any) {
		if on {
			r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
		}
	}
	s := r.Study
	for _, l := range r.Lights {
		warn(l.Measure == "repeated_games" && l.Colour == Poor,
			"%s of the games of %s repeat an earlier one: they say little about other openings", percent(l.Number.Value),
			r.Groups[max(r.Headline, 0)].Name)
		warn(l.Measure == "completion" && l.Number.Known() && l.Number.Value < 0.95 && l.Number.Hi >= 0.95,
			"only %s of the games end by the rules, so other numbers may be unreliable", percent(l.Number.Value))
	}
	if r.Headline >= 0 {
		g := &r.Groups[r.Headline]
		warn(g.Short(a.pass.data.Game.Rules().Turn.Placements), "games are very short: half of those of %s have at most "+
			"%.0f moves, %d turns a player or fewer, which leaves little room for plans",
			g.Name, g.Length.All.Median.Value, shortTurns)
	}
	warn(s.Forfeits > 0, "agents forfeited %d of %d games by a fault: they count only where the page lists how games end",
		s.Forfeits, s.Games)
	warn(s.Repeated > 0, "%d of %d games repeat an earlier one, because their agents play without randomness: Spar skips "+
		"them", s.Repeated, s.Games)
	warn(s.BadGames > 0, "%d games cannot be replayed under these rules: Spar skips them in measures that need the "+
		"moves (see spar verify)", s.BadGames)
	warn(s.Decided > 0, "%d games were adjudicated or resigned: they would have lasted longer", s.Decided)
	warn(s.Timed > 0, "%d games had a time limit: they cannot be reproduced exactly", s.Timed)
	warn(s.Opened && r.Headline >= 0, "all games begin with openings: play from the start position was not measured")
	if n := len(r.Tiers); n > 0 && n < 3 {
		warn(true, "only %d tiers of strength: other strengths may differ", n)
	}
	if turns := unsteady(r.Trends.Score.Points); turns != "" {
		warn(true, "the first player's score rises and falls with strength (%s): stronger agents may change it again", turns)
	}
	if r.Oracle != nil {
		warn(r.Oracle.Warning != "", "%s", r.Oracle.Warning)
	}
}

// unsteady returns the scores of the tiers with a budget as text if they significantly rise somewhere and
// significantly fall elsewhere; otherwise it returns an empty text.
func unsteady(points []TierPoint) string {
	rises, falls := false, false
	var list []string
	for i, p := range points {
		if !p.InFit {
			continue
		}
		list = append(list, fmt.Sprintf("%s %s", p.Name, percent(p.Number.Value)))
		for _, q := range points[:i] {
			rises = rises || q.InFit && p.Number.Lo > q.Number.Hi
			falls = falls || q.InFit && p.Number.Hi < q.Number.Lo
		}
	}
	if !rises || !falls {
		return ""
	}
	return strings.Join(list, ", ")
}
