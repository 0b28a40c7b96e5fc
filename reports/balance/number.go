package balance

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"spar/ratings"
)

// MarshalJSON writes null for a number that does not exist, and for an end at which its interval is open.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.OK() {
		return []byte("null"), nil
	}
	type plain Number
	out := struct {
		plain
		Lo *float64 `json:"lo"`
		Hi *float64 `json:"hi"`
	}{plain: plain(n)}
	if !n.LoOpen {
		out.Lo = &n.Lo
	}
	if !n.HiOpen {
		out.Hi = &n.Hi
	}
	return json.Marshal(out)
}

// Count is how many units are behind a number: 1 game, 2 games.
func (n Number) Count() string {
	of := n.Of
	if n.N == 1 {
		if stem, ok := strings.CutSuffix(of, "ies"); ok {
			of = stem + "y" // a ply
		} else {
			of = strings.TrimSuffix(of, "s")
		}
	}
	return fmt.Sprintf("%d %s", n.N, of)
}

// Difference is after less before, taken as independent. The interval comes from those of the parts, side
// by side (square and add, after Newcombe 1998), so that it is right near 0 and 1, too.
func Difference(before, after Number) Number {
	if !before.OK() || !after.OK() {
		return Number{}
	}
	x := Number{Value: after.Value - before.Value, N: min(before.N, after.N), Of: before.Of, Unit: before.Unit, Method: "difference of intervals"}
	x.LoOpen, x.HiOpen = after.LoOpen || before.HiOpen, after.HiOpen || before.LoOpen
	if !x.LoOpen {
		x.Lo = x.Value - math.Hypot(after.Value-after.Lo, before.Hi-before.Value)
	}
	if !x.HiOpen {
		x.Hi = x.Value + math.Hypot(after.Hi-after.Value, before.Value-before.Lo)
	}
	return x
}

// Ends are the limits of the interval, infinite where it is open.
func (n Number) Ends() (lo, hi float64) {
	return ratings.Interval{Lo: n.Lo, Hi: n.Hi, LoOpen: n.LoOpen, HiOpen: n.HiOpen}.Ends()
}

// FPA turns the first player's score into its distance from a half.
func FPA(score Number) Number {
	if !score.OK() {
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
type Numbers map[string]Number

// Numbers returns the numbers of a report that can have a target. What the report does not have is left out.
func (r *Report) Numbers() Numbers {
	out := Numbers{}
	if r.Headline >= 0 && r.Headline < len(r.Groups) {
		out = r.Groups[r.Headline].Numbers()
	}
	if r.Ladder != nil && r.Ladder.Depth.OK() {
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
		if !x.OK() {
			delete(out, name)
		}
	}
	return out
}
