package balance

import (
	"spar/ratings"
)

import "math"

// choice computes how many moves a player can choose among.
func (m measurer) choice(d *groupData) *Choice {
	if d.choice.n == 0 {
		return nil
	}
	over := func(num, den int, unit string) ratings.Estimate { return m.ratio(d.choice, num, den, d.of(), unit) }
	out := &Choice{
		Forced: over(choiceForced, choiceAll, "share"), Decisions: over(choiceFree, choiceAll, "share"),
		Mean:      over(choiceLegal, choiceAll, "moves"),
		Effective: exponential(over(choiceLog, choiceFree, "moves")), Passes: over(choicePasses, choiceAll, "share"),
	}
	for ply, counts := range d.use.choice {
		legal := dist{counts: counts}
		for _, k := range counts {
			legal.n += k
		}
		n := legal.n
		if n == 0 {
			continue
		}
		p := ChoicePly{
			Ply: ply + 1, Games: n, Median: m.quantile(int(n), legal.at, 0.5, "games", "moves"),
			P10: quantileOf(int(n), legal.at, 0.1), P90: quantileOf(int(n), legal.at, 0.9),
		}
		if len(counts) > 1 {
			p.Forced = float64(counts[1]) / float64(n)
		}
		out.ByPly = append(out.ByPly, p)
	}
	return out
}

// exponential applies exp to a number and its interval.
func exponential(n ratings.Estimate) ratings.Estimate {
	if !n.Known() {
		return n
	}
	n.Value, n.Lo, n.Hi = math.Exp(n.Value), math.Exp(n.Lo), math.Exp(n.Hi)
	return n
}
