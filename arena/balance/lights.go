package balance

import (
	"fmt"
	"math"
	"slices"
)

// band is a range of values, limits included.
type band struct{ lo, hi float64 }

func (b band) holds(n Number) bool {
	return (!n.LoOpen || math.IsInf(b.lo, -1)) && (!n.HiOpen || math.IsInf(b.hi, 1)) && (n.LoOpen || n.Lo >= b.lo) && (n.HiOpen || n.Hi <= b.hi)
}

// rule is one traffic light. What is in neither band is poor.
type rule struct {
	measure, title, section string
	good, middling          band
	goodText, middlingText  string
	text                    func(Number) string
	saturates               bool // an interval below good that reaches the limit of middling counts as poor
}

// judge colours a number: by its whole interval, or not at all. Where the interval does not decide, so many more units would
// make it narrow enough if the value stays where it is: the width falls with the square root of the units.
func (r rule) judge(n Number) Light {
	l := Light{Measure: r.measure, Title: r.title, Section: r.section, Number: n, Colour: NoData, Good: r.goodText, Middling: r.middlingText}
	if !n.OK() {
		l.Text = "not measured"
		return l
	}
	l.Text = r.text(n)
	if r.saturates && n.OK() && !n.HiOpen && n.Hi < r.good.lo && (n.LoOpen || n.Lo <= r.middling.lo) {
		l.Colour = Poor // nothing certain, and certainly little
		return l
	}
	limits := []float64{r.good.lo, r.good.hi, r.middling.lo, r.middling.hi}
	switch {
	case r.good.holds(n):
		l.Colour = Good
	case r.middling.holds(n) && !overlaps(n, r.good):
		l.Colour = Middling
	case !overlaps(n, r.middling):
		l.Colour = Poor
	default:
		l.Colour = Undecided
		l.More = moreNeeded(n, limits)
		if l.More > 0 {
			l.MoreOf = n.Of
		}
	}
	return l
}

// moreNeeded is how many more units would keep the interval off every limit that lies in it, if the value stays where it is: the
// sides of an interval shrink with the square root of the units. It is 0 where that cannot be said, or would take ten millions.
func moreNeeded(n Number, limits []float64) int64 {
	need := 0.0
	for _, x := range limits {
		side, open := n.Value-n.Lo, n.LoOpen
		if x > n.Value {
			side, open = n.Hi-n.Value, n.HiOpen
		}
		if distance := math.Abs(n.Value - x); distance <= side || open {
			if open || distance == 0 {
				return 0
			}
			times := side / distance
			if n.Value != 0 && n.Value != 1 { // there the sides shrink with the units themselves
				times *= times
			}
			need = max(need, float64(n.N)*times)
		}
	}
	if need >= 1e7 {
		return 0
	}
	return max(int64(math.Ceil(need))-n.N, 0)
}

// overlaps tells whether the interval of a number and a band have a point in common.
func overlaps(n Number, b band) bool {
	return (n.HiOpen || n.Hi >= b.lo) && (n.LoOpen || n.Lo <= b.hi)
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// interval writes a number with its interval, times scale.
func interval(n Number, scale float64, unit string) string {
	lo, hi := fmt.Sprintf("%.1f", scale*n.Lo), fmt.Sprintf("%.1f", scale*n.Hi)
	if n.LoOpen {
		lo = "no limit"
	}
	if n.HiOpen {
		hi = "no limit"
	}
	return fmt.Sprintf("%.1f%s (%s to %s, %d %s)", scale*n.Value, unit, lo, hi, n.N, n.Of)
}

// lights are the traffic lights of a report. The limits are conventions.
func (m measurer) lights(r *Report) []Light {
	inf := math.Inf(1)
	var g *Group
	if r.Headline >= 0 {
		g = &r.Groups[r.Headline]
	}
	var completion, score, draws, same, doubling Number
	who := ""
	if g != nil {
		completion, score, draws = g.Ends.Completion, g.Outcome.Score, g.Outcome.Draw
		if r.Joint != nil && g.Kind == "all" {
			score = r.Joint.Score
		}
		if g.Variety != nil && g.Kind != "openings" {
			same = complement(g.DistinctOf)
		}
		who = g.Name
	}
	if r.Ladder != nil {
		for _, x := range r.Ladder.Rungs {
			if x.Doubling > 0 {
				doubling = x.Elo
			}
		}
	}
	lights := []Light{
		rule{
			"completion", "Completion", "length",
			band{0.99, inf},
			band{0.95, inf},
			"at least 99 %", "at least 95 %",
			func(n Number) string {
				return "the rules end " + interval(n, 100, " %") + " of the games; a cap ends the others"
			}, false,
		}.judge(completion),
		rule{
			"first_score", "First player's score", "outcome",
			band{0.45, 0.55},
			band{0.40, 0.60},
			"45 to 55 %", "40 to 60 %",
			func(n Number) string {
				return "the first player scores " + interval(n, 100, " %") + " in " + who
			}, false,
		}.judge(score),
		rule{
			"draws", "Draws", "outcome",
			band{-inf, 0.20},
			band{-inf, 0.50},
			"under 20 %", "under 50 %",
			func(n Number) string { return interval(n, 100, " %") + " of the games are drawn by the rules" }, false,
		}.judge(draws),
		rule{
			"repeated_games", "Repeated games", "method",
			band{-inf, 0.05},
			band{-inf, 0.30},
			"under 5 %", "under 30 %",
			func(n Number) string {
				return interval(n, 100, " %") + " of the games equal an earlier one, so that the number of games says too much"
			}, false,
		}.judge(same),
		rule{
			"top_doubling", "Room to improve", "depth",
			band{20, inf},
			band{0, inf},
			"more than 20 Elo", "more than 0 Elo",
			func(n Number) string {
				return "doubling the budget of the strongest agents is worth " + interval(n, 1, " Elo")
			}, true,
		}.judge(doubling),
	}
	for i := range lights {
		if l := &lights[i]; l.Measure == "first_score" && l.Colour == Good && r.Exact.decided() {
			l.Colour = Middling // even only for those who do not find the forced win
			l.Text += "; with best play: " + r.Exact.Text
		}
	}
	return lights
}

// decided tells whether one side wins by force.
func (e *Exact) decided() bool { return e != nil && e.Winner != "draw" }

// complement is 1 minus a share.
func complement(n Number) Number {
	if n.OK() {
		n.Value, n.Lo, n.Hi, n.LoOpen, n.HiOpen = 1-n.Value, 1-n.Hi, 1-n.Lo, n.HiOpen, n.LoOpen
	}
	return n
}

// verdict is the report in two or three sentences.
func verdict(r *Report) string {
	if r.Headline < 0 {
		return "No games that could be measured."
	}
	g := &r.Groups[r.Headline]
	score, source := g.Outcome.Score, g.Name
	if r.Joint != nil && g.Kind == "all" {
		score, source = r.Joint.Score, "between agents of equal strength"
	}
	text := ""
	colour := NoData
	for _, l := range r.Lights {
		if l.Measure == "first_score" {
			colour = l.Colour
		}
	}
	open := ": "
	if colour == Undecided {
		open = ", by how much is not decided: "
	}
	switch {
	case r.Exact.decided() && colour == Middling && score.Lo >= 0.45 && score.Hi <= 0.55:
		text = "Even between these agents, decided with best play: "
	case colour == Good:
		text = "Even: "
	case score.Lo > 0.5:
		text = "The first player is favoured" + open
	case score.Hi < 0.5:
		text = "The second player is favoured" + open
	default:
		text = "Not decided yet: "
	}
	text += fmt.Sprintf("the first player scores %s to %s (%s; %d %s).", percent(score.Lo), percent(score.Hi), source, score.N, score.Of)
	text += trendOf(r.Trends)
	if r.Exact != nil {
		text += " " + r.Exact.Text
	}
	if c := g.Ends.Completion; c.OK() && c.Hi < 0.95 {
		ends := fmt.Sprintf("Only %s of the games end", percent(c.Value))
		if c.Value == 0 {
			ends = "No game ends"
		}
		text = ends + " by the rules, so that every other number is suspect. " + text
	}
	return text
}

// trendOf says how the score moves with strength, over the tiers that search. Where it goes up and down there is no trend to tell.
func trendOf(t Trends) string {
	points := slices.DeleteFunc(slices.Clone(t.Score.Points), func(p TierPoint) bool { return !p.InFit })
	if len(points) < 2 || unsteady(points) != "" {
		return ""
	}
	first, last := points[0], points[len(points)-1]
	which, towards := "first", 1.0 // the player with the better of it at the top, and the sign of his advantage
	if last.Number.Value < 0.5 {
		which, towards = "second", -1
	}
	verb := "grows"
	switch s := t.Advantage.Slope; {
	case s.OK() && (s.Lo > 0 || s.Hi < 0):
		if s.Value*towards < 0 {
			verb = "shrinks"
		}
		lo, hi := min(math.Abs(s.Lo), math.Abs(s.Hi)), max(math.Abs(s.Lo), math.Abs(s.Hi))
		return fmt.Sprintf(" The advantage of the %s player %s with strength, by %.0f Elo a doubling of the budget (%.0f to %.0f).", which, verb, math.Abs(s.Value), lo, hi)
	case t.Rise.OK() && t.Rise.Lo > 0:
	case t.Rise.OK() && t.Rise.Hi < 0:
		verb = "falls"
	default:
		return ""
	}
	return fmt.Sprintf(" The first player's score %s with strength, from %s (%s) to %s (%s).", verb, percent(first.Number.Value), first.Name, percent(last.Number.Value), last.Name)
}
