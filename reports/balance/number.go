package balance

import (
	"math"
	"strings"

	"spar/ratings"
)

// scaleOf is the scale of a kind of values, by its name.
func scaleOf(kind string) ratings.Scale {
	switch {
	case kind == "share" || kind == "score":
		return ratings.ScaleShare
	case strings.HasPrefix(kind, "elo"):
		return ratings.ScaleElo
	case kind == "plies" || kind == "moves":
		return ratings.ScaleCount
	}
	return ratings.ScalePlain
}

// Difference is after less before, taken as independent. The interval comes from those of the parts, side
// by side (square and add, after Newcombe 1998), so that it is right near 0 and 1, too.
func Difference(before, after ratings.Estimate) ratings.Estimate {
	if !before.Known() || !after.Known() {
		return ratings.Estimate{}
	}
	x := ratings.Estimate{Value: after.Value - before.Value, N: min(before.N, after.N), Unit: before.Unit, Scale: before.Scale, Method: "difference of intervals"}
	x.LoOpen, x.HiOpen = after.LoOpen || before.HiOpen, after.HiOpen || before.LoOpen
	if !x.LoOpen {
		x.Lo = x.Value - math.Hypot(after.Value-after.Lo, before.Hi-before.Value)
	}
	if !x.HiOpen {
		x.Hi = x.Value + math.Hypot(after.Hi-after.Value, before.Value-before.Lo)
	}
	return x
}

// FPA turns the first player's score into its distance from a half.
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

// Numbers are measured numbers by name: those that can have a target.
type Numbers map[string]ratings.Estimate

// Numbers returns the numbers of a report that can have a target. What the report does not have is left out.
func (r *Report) Numbers() Numbers {
	out := Numbers{}
	if r.Headline >= 0 && r.Headline < len(r.Groups) {
		out = r.Groups[r.Headline].Numbers()
	}
	if r.Ladder != nil && r.Ladder.Depth.Known() {
		depth := r.Ladder.Depth
		depth.HiOpen = depth.HiOpen || r.Ladder.LowerBound
		out["depth"] = depth
	}
	return out
}

// Numbers returns the numbers of one group of games that can have a target.
func (g *Group) Numbers() Numbers {
	out := Numbers{
		"score": g.Outcome.Score, "fpa": FPA(g.Outcome.Score), "elo": g.Outcome.Elo,
		"draws": g.Outcome.Draw, "completion": g.Ends.Completion, "length": g.Length.All.Median,
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
