package balance

import (
	"fmt"
	"math"
	"strings"

	"spar/arena/campaign"

	"spar/ratings"
)

// band is a range of values, with both limits included.
type band struct{ lo, hi float64 }

func (b band) holds(n ratings.Estimate) bool {
	return (!n.LoOpen || math.IsInf(b.lo, -1)) && (!n.HiOpen || math.IsInf(b.hi, 1)) && (n.LoOpen || n.Lo >= b.lo) &&
		(n.HiOpen || n.Hi <= b.hi)
}

// rule is the rule of one traffic light. Values outside both bands are poor.
type rule struct {
	measure, title, section string
	good, middling          band
	goodText, middlingText  string
	text                    func(ratings.Estimate) string
	// saturates: an interval below good that reaches the limit of middling counts as poor
	saturates bool
}

// judge rates a number if its whole interval allows it. Otherwise it returns how many more units would settle the
// rating with a probability of 80 %, if the value stays the same. The width of the interval decreases with the
// square root of the units.
func (r rule) judge(n ratings.Estimate) Light {
	l := Light{
		Measure: r.measure, Title: r.title, Section: r.section, Number: n, Colour: NoData, Good: r.goodText,
		Middling: r.middlingText,
	}
	if !n.Known() {
		l.Text = "not measured"
		return l
	}
	l.Text = r.text(n)
	if r.saturates && n.Known() && !n.HiOpen && n.Hi < r.good.lo && (n.LoOpen || n.Lo <= r.middling.lo) {
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
		if l.Colour = Undecided; !overlaps(n, r.good) {
			l.Colour = NotGood
			break
		}
		l.More = moreNeeded(n, limits)
		if l.More > 0 {
			l.MoreOf = n.Unit
		}
	}
	l.Detects = powered * max(half(n), 0)
	return l
}

// powered is the required mean distance of an interval's centre from a limit, in half-widths, so that the interval
// excludes the limit four times in five: (z + z')/z with the normal quantiles z of 97.5 % and z' of 80 %.
const powered = 1.4294

// mostMore is the number of further games from which on naming it helps nobody.
const mostMore = 100_000

// moreNeeded returns how many more units would shrink the interval until it contains no limit, with a probability
// of 80 % if the value stays the same. The width of an interval decreases with the square root of the units. If
// all units so far are equal, it uses Wilson's interval for more such units. It returns 0 if the number is unknown
// or not below mostMore.
func moreNeeded(n ratings.Estimate, limits []float64) int64 {
	need := 0.0
	end := n.Scale == ratings.ScaleShare && (n.Value == 0 || n.Value == 1)
	// which are the same there
	known := end && (strings.HasPrefix(n.Method, "wilson") || strings.HasPrefix(n.Method, "newcombe"))
	for _, x := range limits {
		side, open := n.Value-n.Lo, n.LoOpen
		if x > n.Value {
			side, open = n.Hi-n.Value, n.HiOpen
		}
		distance, reach := math.Abs(n.Value-x), powered*side
		if known {
			reach = side
		}
		if distance <= reach || open {
			if open || distance == 0 {
				return 0
			}
			times := reach / distance
			switch {
			case known: // the side is z² / (units + z²)
				times *= (1 - distance) / (1 - side)
			case !end: // there the sides shrink with the units themselves
				times *= times
			}
			need = max(need, float64(n.N)*times)
		}
	}
	if need -= float64(n.N); need >= mostMore {
		return 0
	}
	digits := math.Pow(10, max(0, math.Floor(math.Log10(max(need, 1)))-1)) // two of them are enough
	return max(int64(math.Ceil(need/digits)*digits), 0)
}

// overlaps reports whether the interval of a number and a band overlap.
func overlaps(n ratings.Estimate, b band) bool {
	return (n.HiOpen || n.Hi >= b.lo) && (n.LoOpen || n.Lo <= b.hi)
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

// interval formats a number with its interval, multiplied by scale.
func interval(n ratings.Estimate, scale float64, unit string) string {
	lo, hi := fmt.Sprintf("%.1f", scale*n.Lo), fmt.Sprintf("%.1f", scale*n.Hi)
	if n.LoOpen {
		lo = "no bound"
	}
	if n.HiOpen {
		hi = "no bound"
	}
	return fmt.Sprintf("%.1f%s (%s to %s, %s)", scale*n.Value, unit, lo, hi, n.Count())
}

// lights returns the traffic lights of a report.
func (m measurer) lights(r *Report) []Light {
	inf := math.Inf(1)
	var g *Group
	if r.Headline >= 0 {
		g = &r.Groups[r.Headline]
	}
	var completion, score, draws, same, doubling ratings.Estimate
	who := ""
	if g != nil {
		completion, score, draws = g.Ends.Completion, g.Outcome.Score, g.Outcome.Draw
		if g.Kind != "openings" {
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
	ending := rule{
		"completion", "Completion", "length",
		band{0.99, inf},
		band{0.95, inf},
		"at least 99 %", "at least 95 %",
		func(n ratings.Estimate) string {
			return "the rules end " + interval(n, 100, " %") + " of the games; a ply limit ends the others"
		}, false,
	}
	lights := []Light{
		ending.widest(ending.judge(completion), r.Completed),
		rule{
			"first_score", "First player's score", "outcome",
			band{0.45, 0.55},
			band{0.40, 0.60},
			"45 to 55 %", "40 to 60 %",
			func(n ratings.Estimate) string {
				return "the first player scores " + interval(n, 100, " %") + " in " + who
			}, false,
		}.judge(score),
		rule{
			"draws", "Draws", "outcome",
			band{-inf, 0.20},
			band{-inf, 0.50},
			"under 20 %", "under 50 %",
			func(n ratings.Estimate) string {
				return interval(n, 100, " %") + " of the games are drawn by the rules"
			}, false,
		}.judge(draws),
		rule{
			"repeated_games", "Repeated games", "method",
			band{-inf, 0.05},
			band{-inf, 0.30},
			"under 5 %", "under 30 %",
			func(n ratings.Estimate) string {
				return interval(n, 100, " %") + " of the games repeat an earlier one: these agents play few different games"
			}, false,
		}.judge(same),
		rule{
			"top_doubling", "Room to improve", "depth",
			band{20, inf},
			band{0, inf},
			"more than 20 Elo", "more than 0 Elo",
			func(n ratings.Estimate) string {
				return "doubling the budget of the strongest agents is worth " + interval(n, 1, " Elo")
			}, true,
		}.judge(doubling),
	}
	for i := range lights {
		l := &lights[i]
		// an argument, for which no games are needed
		if l.Measure == "completion" && r.Ends != "" && (!l.Number.Known() || l.Number.Value == 1) {
			l.Colour, l.More, l.Text = Good, 0, r.Ends
		}
		of := l.Measure == "first_score" || l.Measure == "draws"
		if g != nil && g.Same() && (of || l.Measure == "completion") {
			l.More = 0 // more games would be the same
		}
		if g != nil && g.Same() && l.Colour != NoData && of {
			l.Colour = Undecided
			l.Text += "; " + g.Counted(l.Number)
		}
		switch side, why := r.winner(); {
		case l.Measure != "first_score" || l.Colour == NoData:
		case side != "":
			l.Colour, l.More = Poor, 0 // even at best for those who do not find the win
			l.Text += "; " + why
		case l.Colour == Good && r.Verdict.Claim != campaign.Even:
			l.Colour = Middling // even between these agents: nobody knows of stronger ones
			l.Text += "; unknown for stronger play"
		}
	}
	return lights
}

// complement returns 1 minus a share.
func complement(n ratings.Estimate) ratings.Estimate {
	if n.Known() {
		n.Value, n.Lo, n.Hi, n.LoOpen, n.HiOpen = 1-n.Value, 1-n.Hi, 1-n.Lo, n.HiOpen, n.LoOpen
	}
	return n
}
