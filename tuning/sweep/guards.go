package sweep

import (
	"slices"
	"strings"

	"spar/tuning/target"
)

// Guarded adds implied targets to the targets of a search: games must end, most must not be drawn, the rules'
// mechanics must be used, and search must beat random play. A measure with a target gets no implied one. Guarded
// keeps invalid targets; the reader of the plan reports them.
func Guarded(targets []string) []string {
	var stated []string
	for _, text := range targets {
		if t, err := target.Parse(text); err == nil {
			stated = append(stated, t.Measure)
		}
	}
	out := slices.Clone(targets)
	for _, guard := range []struct{ measure, text string }{
		{"completion", "completion>=90%"},
		{"draws", "draws<=90%"},
		{"alive", "alive>=10%"},
		{"depth", "depth>=1"},
	} {
		if !slices.Contains(stated, guard.measure) {
			out = append(out, guard.text)
		}
	}
	return out
}

// Unmet describes why a search did not succeed: the nearest variant and what could settle it. The text is empty if
// the best variant meets all targets, if there are no targets, or if no variant was measured again.
func (r *Result) Unmet() string {
	if len(r.Again) == 0 || len(r.Targets) == 0 || r.Again[0].Verdict == target.Met {
		return ""
	}
	near := r.Again[0]
	text := "no variant meets the targets; the nearest is " + r.Named(near.Values)
	var missed, open []string
	for _, j := range near.Judged {
		switch {
		case j.Verdict == target.Missed && !slices.Contains(missed, near.missed(j.Target)):
			missed = append(missed, near.missed(j.Target))
		case j.Verdict == target.Undecided && !slices.Contains(open, j.Target):
			open = append(open, j.Target)
		}
	}
	switch {
	case len(missed) > 0:
		text += ", which misses " + list(missed) + ": try other values or other knobs"
	case len(open) > 0:
		flag := "--fresh"
		if isDepth(open[0]) {
			flag = "--ladder"
		} else if slices.ContainsFunc(open, isDepth) {
			flag = "--fresh; for depth, --ladder"
		}
		text += "; more games would probably decide " + list(open) + " (" + flag + ")"
	}
	return text
}

// missed names a missed target, and the tiers that miss it if the others do not.
func (a Again) missed(text string) string {
	var by []string
	all := true
	for _, j := range a.Judged {
		if j.Target != text {
			continue
		}
		if _, tier, _ := strings.Cut(j.Rules, a.Rules+", "); j.Verdict == target.Missed {
			by = append(by, tier)
		} else {
			all = false
		}
	}
	if all {
		return text
	}
	return text + " by " + list(by)
}

func list(texts []string) string {
	out := ""
	for i, t := range texts {
		switch {
		case i == 0:
		case i == len(texts)-1:
			out += " and "
		default:
			out += ", "
		}
		out += t
	}
	return out
}
