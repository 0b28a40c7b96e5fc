package balance

import (
	"math"
	"slices"
)

// uncertaintyBins is the number of points of the uncertainty curve.
const uncertaintyBins = 20

// settledAt is the value above which a game counts as decided.
const settledAt = 0.9

// comebackBelow is the value below which a later winner counts as nearly lost.
const comebackBelow = 0.25

// minDeadZone is the smallest difference between two values that is not ignored. A search with little randomness
// shows no noise, but its values are not exact.
const minDeadZone = 0.02

// deadZone returns the difference of two values that is ignored: twice the noise.
func deadZone(noise float64, exact bool) float64 {
	if exact {
		return 0
	}
	return max(2*noise, minDeadZone)
}

// course computes how the score changes during games. With exact values no move can gain
// anything, so it omits killer moves.
func (m measurer) course(all []*arc, dead float64, exact bool) *Course {
	if len(all) == 0 {
		return nil
	}
	out := &Course{
		Games: int64(len(all)), DeadZone: dead, LowPoints: []float64{}, SettledECDF: []Step{},
		Swings: []Swing{}, Uncertainty: []Point{},
	}
	var decided, settled, drama, changes []float64
	var per10 [][]float64
	var comebacks int64
	var whole dist
	for _, a := range all {
		n := leadChanges(a.v[a.first():], out.DeadZone)
		whole.add(n)
		changes = append(changes, float64(n))
		per10 = append(per10, []float64{10 * float64(n), float64(len(a.values))})
		side, won := a.winner()
		if !won {
			continue
		}
		out.Decisive++
		decided = append(decided, lastDoubt(a, side, func(v float64) bool { return v > 0.5 }))
		settled = append(settled, lastDoubt(a, side, func(v float64) bool { return v >= settledAt }))
		low, depth := trailing(a, side)
		out.LowPoints = append(out.LowPoints, low)
		drama = append(drama, depth)
		if low < comebackBelow {
			comebacks++
		}
	}
	const of = "decisive games"
	out.Decisiveness, out.Settled = m.mean(decided, of, "share"), m.mean(settled, of, "share")
	out.Drama, out.Comebacks = m.mean(drama, of, "drama"), m.share(comebacks, out.Decisive, of)
	out.LeadChanges, out.LeadPer10 = m.mean(changes, "games", "changes"),
		m.ratio(fold(per10), 0, 1, "games", "changes per 10 plies")
	out.LeadBars = bars(&whole)
	slices.Sort(out.LowPoints)
	slices.Sort(decided)
	for i, x := range decided {
		if i+1 == len(decided) || decided[i+1] != x {
			out.SettledECDF = append(out.SettledECDF, Step{X: x, Share: float64(i+1) / float64(len(decided))})
		}
	}
	m.uncertainty(out, all)
	if !exact {
		m.killers(out, all)
	}
	return out
}

// lastDoubt returns the fraction of the game played at the last position in which the condition ahead does not
// hold for the winner; 0 if it always holds.
func lastDoubt(a *arc, side int, ahead func(float64) bool) float64 {
	for i := len(a.v) - 2; i >= 0; i-- {
		if !ahead(a.of(a.v, i, side)) {
			return a.at(i)
		}
	}
	return 0
}

// leadChanges counts how often the lead changes sides. Values within the dead zone around 1/2 do not change it.
func leadChanges(v []float64, dead float64) int {
	leader, n := 0, 0
	for _, x := range v {
		now := 0
		switch {
		case x > 0.5+dead:
			now = 1
		case x < 0.5-dead:
			now = -1
		}
		if now == 0 || now == leader {
			continue
		}
		if leader != 0 {
			n++
		}
		leader = now
	}
	return n
}

// trailing returns the winner's lowest value before the end, and the mean of sqrt(2(1/2-v)) over the positions in which
// the winner trailed.
func trailing(a *arc, side int) (low, drama float64) {
	low = 1
	n := 0
	for i := a.first(); i < len(a.v)-1; i++ {
		v := a.of(a.v, i, side)
		low = min(low, v)
		if v < 0.5 {
			drama += math.Sqrt(2 * (0.5 - v))
			n++
		}
	}
	if n > 0 {
		drama /= float64(n)
	}
	return low, drama
}

// uncertainty computes the mean over games of each game's mean of 4v(1-v) in a twentieth of the game. A
// game without a position there does not count for that point.
func (m measurer) uncertainty(out *Course, all []*arc) {
	rows := make([][]float64, len(all))
	var late []float64
	total := make([]float64, 2*uncertaintyBins)
	for g, a := range all {
		var sum, n [uncertaintyBins]float64
		lateSum, lateN := 0.0, 0.0
		for i, v := range a.v[:len(a.v)-1] {
			u := 4 * v * (1 - v)
			k := min(uncertaintyBins*(a.start+i)/int(a.rec.plies), uncertaintyBins-1)
			sum[k], n[k] = sum[k]+u, n[k]+1
			if 3*(a.start+i) >= 2*int(a.rec.plies) {
				lateSum, lateN = lateSum+u, lateN+1
			}
		}
		row := make([]float64, 2*uncertaintyBins)
		for k := range sum {
			if n[k] > 0 {
				row[2*k], row[2*k+1] = sum[k]/n[k], 1
				total[2*k], total[2*k+1] = total[2*k]+row[2*k], total[2*k+1]+1
			}
		}
		rows[g] = row
		if lateN > 0 {
			late = append(late, lateSum/lateN)
		}
	}
	out.Late = m.mean(late, "games", "uncertainty")
	lo, hi, ok := m.sums(fold(rows), uncertaintyBins, func(s, o []float64) {
		for k := range o {
			o[k] = s[2*k] / s[2*k+1]
		}
	})
	for k := range uncertaintyBins {
		if n := total[2*k+1]; n > 0 {
			out.Uncertainty = append(out.Uncertainty, Point{
				X: (float64(k) + 0.5) / uncertaintyBins, Y: m.bootstrapped(total[2*k]/n, int64(n), lo[k], hi[k], ok[k], "games",
					"uncertainty"),
			})
		}
	}
}

// largestGain returns the entry (from 1) of the ply by which its mover gained most.
func largestGain(a *arc, values []float64) (entry int, gain float64) {
	gain = math.Inf(-1)
	for i := 1; i < len(values); i++ {
		if d := gainAt(a, values, i); d > gain {
			entry, gain = i, d
		}
	}
	return entry, gain
}

func gainAt(a *arc, values []float64, i int) float64 {
	side := a.side[i-1]
	return a.of(values, i, side) - a.of(values, i-1, side)
}

// killers computes the mean of the largest gain by one move in a game. The maximum of noisy gains is positive even
// without real gains. So one search chooses the ply and the other measures its gain; then they change roles. To
// estimate the gain from noise alone, it takes the largest gain in the difference of both searches divided by sqrt 2,
// which has the noise of one search.
func (m measurer) killers(out *Course, all []*arc) {
	var corrected, raw, noise, at []float64
	for _, a := range all {
		entry, gain := largestGain(a, a.v)
		out.Swings = append(out.Swings, Swing{Game: a.rec.id, Ply: a.start + entry, At: a.at(entry), Gain: gain})
		at = append(at, a.at(entry))
		if a.two == nil {
			continue
		}
		byOne, gainOne := largestGain(a, a.one)
		byTwo, gainTwo := largestGain(a, a.two)
		raw = append(raw, (gainOne+gainTwo)/2)
		corrected = append(corrected, (gainAt(a, a.two, byOne)+gainAt(a, a.one, byTwo))/2)
		quiet := make([]float64, len(a.one))
		for i := range quiet {
			quiet[i] = (a.one[i] - a.two[i]) / math.Sqrt2
		}
		// Turned to the other side a difference changes its sign only: 1-v would add a constant, which gains do not
		// see.
		_, gain = largestGain(a, quiet)
		noise = append(noise, gain)
	}
	out.Killer, out.KillerRaw = m.mean(corrected, "games", "score"), m.mean(raw, "games", "score")
	out.KillerNoise, out.KillerAt = m.mean(noise, "games", "score"), m.mean(at, "games", "share")
}
