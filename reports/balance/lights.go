package balance

import (
	"math"
	"strings"

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
		Measure:  r.measure,
		Title:    r.title,
		Section:  r.section,
		Number:   n,
		Colour:   NoData,
		Good:     r.goodText,
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

// lights returns the traffic lights of a report.
func (r *Report) lights() []Light {
	out := []Light{}
	for _, m := range measures() {
		if m.lights != nil {
			out = append(out, m.lights(r)...)
		}
	}
	return out
}
