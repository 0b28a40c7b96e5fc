package balance

import (
	"math"
	"slices"
	"strings"

	"spar/ratings"
	"spar/tuning/target"
)

// scaleOf returns the scale of a quantity, by name.
func scaleOf(kind string) ratings.Scale {
	switch {
	case kind == "share" || kind == "score":
		return ratings.ScaleShare
	case strings.HasPrefix(kind, "elo"):
		return ratings.ScaleElo
	case slices.Contains([]string{"plies", "moves", "times per game", "changes", "rungs"}, kind):
		return ratings.ScaleCount
	}
	return ratings.ScalePlain
}

// FPA converts the first player's score to its distance from 0.5.
func FPA(score ratings.Estimate) ratings.Estimate {
	if !score.Known() {
		return score
	}
	lo, hi := score.Lo-0.5, score.Hi-0.5
	out := score
	out.Value, out.Lo, out.Hi = math.Abs(score.Value-0.5), min(math.Abs(lo), math.Abs(hi)), max(math.Abs(lo), math.Abs(hi))
	if lo <= 0 && hi >= 0 {
		out.Lo = 0
	}
	return out
}

// Numbers returns those numbers of a report that can have a target.
func (r *Report) Numbers() target.Numbers {
	out := target.Numbers{}
	if g := r.main(); g != nil {
		out = r.numbers(g)
	}
	if r.Ladder != nil && r.Ladder.Depth.Known() {
		depth := r.Ladder.Depth
		depth.HiOpen = depth.HiOpen || r.Ladder.LowerBound
		out["depth"] = depth
	}
	return out
}

// numbers returns the numbers of a group: those of how games go are of agents that err, if the study has such games.
func (r *Report) numbers(g *Group) target.Numbers {
	out := g.Numbers()
	if p := r.played(); p.Tier < 0 && g.Kind == "mirror" {
		theirs := p.Numbers()
		for _, name := range goes() {
			if delete(out, name); theirs[name].Known() {
				out[name] = theirs[name]
			}
		}
	}
	return out
}

// goes are the numbers that say how games go, not who wins.
func goes() []string { return strings.Fields("draws completion finished length alive") }

// Numbers returns those numbers of a group that can have a target.
func (g *Group) Numbers() target.Numbers {
	out := target.Numbers{
		"score":      g.Outcome.Score,
		"fpa":        FPA(g.Outcome.Score),
		"elo":        g.Outcome.Elo,
		"draws":      g.Outcome.Draw,
		"completion": g.Ends.Completion,
		"finished":   g.Ends.Finished,
		"length":     g.Length.All.Median,
	}
	if g.Alive != nil {
		out["alive"] = g.rarest()
	}
	for name, x := range out {
		if !x.Known() {
			delete(out, name)
		}
	}
	return out
}

// Judge judges targets by the numbers of a report. Targets about who wins also fail if the exact value misses them:
// agents that do not find a forced win may play evenly, but the rules are not balanced.
func (r *Report) Judge(rules string, targets []target.Target) []target.Judged {
	out := target.JudgeAll(rules, targets, r.Numbers())
	for i := range out {
		x := &out[i]
		if x.Number.Known() && x.Measure != "depth" { // which is of a ladder of agents
			if x.Of = r.main().Name; slices.Contains(goes(), x.Measure) {
				x.Of = r.played().Name
			}
		}
	}
	target.Overrule(r.Exact, targets, out)
	return out
}
