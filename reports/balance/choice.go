package balance

import "math"

// choice is measure 17.
func (m measurer) choice(d *groupData) *Choice {
	var forced, decisions, legal, effective, passes [][]float64
	for _, r := range d.members {
		if r.bad || r.decisions == 0 {
			continue
		}
		n := float64(r.decisions)
		free := n - float64(r.forced)
		forced = append(forced, []float64{float64(r.forced), n})
		decisions = append(decisions, []float64{free, n})
		legal = append(legal, []float64{float64(r.legal), n})
		effective = append(effective, []float64{r.logChoice, free})
		passes = append(passes, []float64{float64(r.passes), n})
	}
	if len(forced) == 0 {
		return nil
	}
	out := &Choice{
		Forced: m.ratio(forced, "games", "share"), Decisions: m.ratio(decisions, "games", "share"),
		Mean: m.ratio(legal, "games", "moves"), Effective: exponential(m.ratio(effective, "games", "moves")), Passes: m.ratio(passes, "games", "share"),
	}
	for ply, counts := range d.use.choice {
		n := int64(0)
		for _, k := range counts {
			n += k
		}
		if n == 0 {
			continue
		}
		values := make([]float64, 0, n)
		for legal, k := range counts {
			for range k {
				values = append(values, float64(legal))
			}
		}
		p := ChoicePly{
			Ply: ply + 1, Games: n, Median: m.quantile(values, 0.5, "games", "moves"),
			P10: quantile7(values, 0.1), P90: quantile7(values, 0.9),
		}
		if len(counts) > 1 {
			p.Forced = float64(counts[1]) / float64(n)
		}
		out.ByPly = append(out.ByPly, p)
	}
	return out
}

// exponential maps a number and its interval by exp.
func exponential(n Number) Number {
	if !n.OK() {
		return n
	}
	n.Value, n.Lo, n.Hi = math.Exp(n.Value), math.Exp(n.Lo), math.Exp(n.Hi)
	return n
}
