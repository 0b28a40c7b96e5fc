package balance

import "math"

// choice is measure 17.
func (m measurer) choice(d *groupData) *Choice {
	rows, games := units(d.members, func(r *record) []float64 {
		if r.bad || r.decisions == 0 {
			return nil
		}
		n := float64(r.decisions)
		return []float64{n, float64(r.forced), n - float64(r.forced), float64(r.legal), r.logChoice, float64(r.passes)}
	})
	if len(rows) == 0 {
		return nil
	}
	const all, forced, free, legal, choice, passes = 0, 1, 2, 3, 4, 5
	over := func(num, den int, unit string) Number {
		two := make([][]float64, len(rows))
		for i, r := range rows {
			two[i] = []float64{r[num], r[den]}
		}
		return m.ratio(two, games, unit)
	}
	out := &Choice{
		Forced: over(forced, all, "share"), Decisions: over(free, all, "share"), Mean: over(legal, all, "moves"),
		Effective: exponential(over(choice, free, "moves")), Passes: over(passes, all, "share"),
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
