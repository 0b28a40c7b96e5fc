package balance

import (
	"cmp"
	"math"
	"slices"

	"spar/arena/oracle"
	"spar/arena/store"
)

// arc is the course of one game in position values. Entry i is the value after ply start+i, and the last entry is
// the result.
type arc struct {
	rec    *record
	start  int
	v      []float64 // expected score of the first player: the mean of both searches
	one    []float64 // value of the first search
	two    []float64 // value of the second search; nil if there is none
	side   []int     // side to move at entry i; no entry for the result
	values []store.PositionValue
}

// plies returns the length of the game.
func (a *arc) plies() float64 { return float64(a.rec.plies) }

// at returns which fraction of the game has been played at entry i.
func (a *arc) at(i int) float64 { return float64(a.start+i) / a.plies() }

// when returns the value after the given fraction of the game, or the nearest known value before the end.
func (a *arc) when(share float64) float64 {
	i := int(share*a.plies()) - a.start
	return a.v[min(max(i, 0), len(a.v)-2)]
}

// of converts the value at entry i to the view of a side.
func (a *arc) of(values []float64, i, side int) float64 {
	if side == 1 {
		return 1 - values[i]
	}
	return values[i]
}

// first returns the first entry after a ply. It excludes the start, because no move led to it.
func (a *arc) first() int {
	if a.start == 0 {
		return 1
	}
	return 0
}

// winner returns the side that won; ok is false for a draw.
func (a *arc) winner() (side int, ok bool) {
	switch a.rec.half {
	case 2:
		return 0, true
	case 0:
		return 1, true
	}
	return 0, false
}

// arcs returns the courses of the games with position values, by game.
func arcs(games []*record, values *oracle.Values) []*arc {
	if values == nil {
		return nil
	}
	var out []*arc
	for _, r := range games {
		vs := values.Games[r.id]
		if len(vs) == 0 || vs[0].Ply != int(r.opening) || len(vs) != int(r.plies-r.opening) {
			continue // not in the sample, or valued in part
		}
		a := &arc{rec: r, start: int(r.opening), values: vs}
		a.v, a.one, a.two = courseOf(vs, r.z())
		for _, v := range vs {
			a.side = append(a.side, v.Side)
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(x, y *arc) int { return cmp.Compare(x.rec.id, y.rec.id) })
	return out
}

// courseOf returns three courses of a game, each with the result z as its last value: the mean of both searches,
// the first and the second search. The latter is nil if there was only one search.
func courseOf(values []store.PositionValue, z float64) (mean, one, two []float64) {
	again := !slices.ContainsFunc(values, func(v store.PositionValue) bool { return !v.Again.Valid })
	for _, v := range values {
		second := v.Value
		if again {
			second = v.Again.Float64
			two = append(two, second)
		}
		mean, one = append(mean, (v.Value+second)/2), append(one, v.Value)
	}
	if again {
		two = append(two, z)
	}
	return append(mean, z), append(one, z), two
}

// oracle measures how well the values predict results, in the games of the strongest group, because the values
// assume strong play.
func (m measurer) oracle(all []*arc, group string, values *oracle.Values, tiers []Tier) *Oracle {
	if values == nil || len(all) == 0 {
		return nil
	}
	out := &Oracle{
		Name: values.Name, Kind: "agent", Seed: values.Seed, Noise: values.Noise, Group: group,
		Games: int64(len(all)), Bins: []CalibrationBin{},
	}
	switch {
	case values.Exact:
		out.Kind, out.Budget = "exact", "the solved game"
	default:
		out.Spec, out.Budget = values.Spec.Canonical(), values.Spec.Budget.String()
		if len(tiers) > 0 {
			if top := tiers[len(tiers)-1]; top.Amount > 0 && values.Spec.Budget.Iterations > 0 {
				out.Stronger = math.Log2(float64(values.Spec.Budget.Iterations) / float64(top.Amount))
			}
		}
		switch {
		case len(tiers) > 0 && out.Stronger < 1.99:
			out.Warning = "the search that values positions has less than four times the budget of the strongest tier: its " +
				"values partly repeat the players' own judgement"
		case values.Noise < minDeadZone/4:
			out.Warning = "two searches of a position give almost the same value, so only the calibration shows their error"
		}
	}
	const bins = 10
	var brier [][]float64
	rows := make([][]float64, len(all)) // sum of results and count, by bin
	var count, total [bins]float64
	for i, a := range all {
		row := make([]float64, 2*bins)
		sum := 0.0
		for _, v := range a.v[:len(a.v)-1] {
			d := v - a.rec.z()
			sum += d * d
			k := min(int(v*bins), bins-1)
			row[2*k] += a.rec.z()
			row[2*k+1]++
			count[k]++
			total[k] += v
		}
		out.Positions += int64(len(a.values))
		brier = append(brier, []float64{sum, float64(len(a.values))})
		rows[i] = row
	}
	out.Brier = m.ratio(fold(brier), 0, 1, "games", "squared score")
	lo, hi, ok := m.sums(fold(rows), bins, func(s, out []float64) {
		for k := range out {
			out[k] = s[2*k] / s[2*k+1]
		}
	})
	for k := range bins {
		games, z := int64(0), 0.0
		for _, row := range rows {
			if row[2*k+1] > 0 {
				games++
			}
			z += row[2*k]
		}
		if games == 0 {
			continue
		}
		out.Bins = append(out.Bins, CalibrationBin{
			From: float64(k) / bins, To: float64(k+1) / bins, Mean: total[k] / count[k], Count: int64(count[k]),
			Observed: m.bootstrapped(z/count[k], games, lo[k], hi[k], ok[k], "games", "score"),
		})
	}
	return out
}
