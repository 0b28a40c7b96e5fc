package sweep

import (
	"slices"
	"strings"

	"spar/tuning/target"
)

// Guarded adds to the targets of a search what nobody would give up for them without saying so: games that end, that
// somebody wins now and then, in which the mechanics happen, and in which searching surely beats playing at random. A
// measure that a target is stated for has no guard. A text that is no target is kept, for whoever reads the targets to
// complain about.
func Guarded(targets []string) []string {
	var stated []string
	for _, text := range targets {
		if t, err := target.Parse(text); err == nil {
			stated = append(stated, t.Measure)
		}
	}
	out := slices.Clone(targets)
	for _, guard := range []struct{ measure, text string }{{"completion", "completion>=90%"}, {"draws", "draws<=90%"}, {"alive", "alive>=10%"}, {"depth", "depth>=1"}} {
		if !slices.Contains(stated, guard.measure) {
			out = append(out, guard.text)
		}
	}
	return out
}

// Unmet says what a search that met nothing leaves: the nearest variant, and what would settle it. It is empty where
// the best meets all targets, and where nothing was wanted or measured again.
func (r *Result) Unmet() string {
	if len(r.Again) == 0 || len(r.Targets) == 0 || r.Again[0].Verdict == target.Met {
		return ""
	}
	near := r.Again[0]
	text := "nothing met the targets; nearest is " + r.Named(near.Values)
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
		text += ", which misses " + list(missed) + ": other values or other knobs would have to be tried"
	case len(open) > 0:
		flag := "--fresh"
		if isDepth(open[0]) {
			flag = "--ladder"
		} else if slices.ContainsFunc(open, isDepth) {
			flag = "--fresh, --ladder for the depth"
		}
		text += "; more games for " + list(open) + " would settle it (" + flag + ")"
	}
	return text
}

// missed names a target that is missed, with the tiers by which it is where others leave it open or meet it.
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
