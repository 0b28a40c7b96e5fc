package balance

import (
	"fmt"
	"strings"
)

// missing names the measures that are not available, with the reasons.
func (a *assembly) missing() {
	for _, m := range measures() {
		if m.missing != nil {
			a.report.Missing = append(a.report.Missing, m.missing(a.report)...)
		}
	}
}

// warnings returns the warnings about the whole report.
func (a *assembly) warnings() {
	r := a.report
	warn := func(on bool, format string, args ...any) {
		if on {
			r.Warnings = append(r.Warnings, r.sayf(format, args...))
		}
	}
	s := r.Study
	for _, l := range r.Lights {
		warn(l.Measure == "repeated_games" && l.Colour == Poor, "%s", l.Text)
		warn(l.Measure == "completion" && l.Number.Known() && l.Number.Value < 0.95 && l.Number.Hi >= 0.95,
			"%s, so other numbers may be unreliable", l.Text)
	}
	warn(s.Forfeits > 0, "agents forfeited %d of %d games through a fault: these games count only in the list of how games end",
		s.Forfeits, s.Games)
	warn(s.Repeated > 0,
		"%d of %d games repeat an earlier one, because their agents play without randomness: Spar skips the repetitions",
		s.Repeated, s.Games)
	warn(s.BadGames > 0,
		"%d games cannot be replayed under these rules: Spar skips them in measures that need the moves (see spar verify)",
		s.BadGames)
	warn(s.Decided > 0, "%d games were adjudicated or resigned: played out, they would have lasted longer", s.Decided)
	warn(s.Timed > 0, "%d games had a time limit: they cannot be reproduced exactly", s.Timed)
	warn(s.Opened && r.Headline >= 0, "all games begin with openings: play from the start position was not measured")
	n, turns := len(r.Tiers), unsteady(r.Trends.Score.Points)
	warn(n > 0 && n < 3, "only %d tiers of strength: other strengths may differ", n)
	warn(turns != "", "the first player's score rises and falls with strength (%s): stronger agents may change the score again",
		turns)
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

func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
