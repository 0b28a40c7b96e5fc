package ratings

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// fillRows sets the rows, intervals, statuses, groups and warnings.
func (f *Fit) fillRows() {
	unit := f.Scale / eloUnit
	status, _ := f.parts.statuses()
	if f.separated() {
		for i := range status {
			status[i] = f.openStatus(i, status[i])
		}
	}
	f.refineStatus(status)
	f.Groups = make([][]string, f.parts.nWeak)
	for i := range f.Players {
		r := &f.Players[i]
		r.Group = f.parts.weak[i]
		f.Groups[r.Group] = append(f.Groups[r.Group], r.Name)
		r.Elo.Value = f.theta[i] * unit
		r.Raw = f.theta[i] / eloUnit
		r.Status = status[i]
		r.Elo.Prior = f.mapSol != nil && !f.joined(i) || r.Total().Games() == 0
	}
	shift := f.anchor()
	for i := range f.Players {
		r := &f.Players[i]
		df := 0.0
		r.Elo.SE, df = f.error(i, -1, f.Level)
		if r.Total().Games() == 0 {
			r.Elo.SE = f.o.priorSD // nothing is known but the prior
		}
		r.Elo.Interval = f.interval(r.Elo.Value, r.Elo.SE, df, r.Elo.Prior)
		f.boundPlayer(i, shift[r.Group])
		if f.o.Few && r.Total().Games() > 0 {
			r.Elo.Interval, r.Status = unbounded, StatusUnbounded
		}
		if slices.Contains(f.anchors, i) {
			r.Elo.Interval = Interval{Lo: r.Elo.Value, Hi: r.Elo.Value}
			if r.Total().Games() > 0 {
				r.Status = StatusAnchor
			}
		}
		f.annotate(&r.Elo)
	}
	f.advantages()
	f.describe()
}

// interval returns the interval around a value. With a prior it uses the normal distribution.
func (f *Fit) interval(x, se, df float64, prior bool) Interval {
	if prior {
		df = 0
	}
	h := quantile(f.Level, df) * se
	return Interval{Lo: x - h, Hi: x + h}
}

// anchored returns the first anchor, which sets the level of its group; -1 if there is none.
func (f *Fit) anchored() int {
	if len(f.anchors) == 0 {
		return -1
	}
	return f.anchors[0]
}

// anchor shifts the group of the anchor. It returns the shift of each group in Elo.
func (f *Fit) anchor() []float64 {
	shift := make([]float64, f.parts.nWeak)
	a := f.anchored()
	if a < 0 {
		return shift
	}
	g := f.parts.weak[a]
	shift[g] = f.o.Anchors[0].Elo - f.Players[a].Elo.Value
	n := f.ml.n + f.k
	t := mat.NewDense(n, n, nil)
	for i := range n {
		t.Set(i, i, 1)
		if i < f.ml.n && f.parts.weak[i] == g {
			f.Players[i].Elo.Value += shift[g]
			f.Players[i].Raw += shift[g] / f.Scale
			t.Set(i, a, t.At(i, a)-1)
		}
	}
	f.Players[a].Elo.Value = f.o.Anchors[0].Elo
	for _, s := range f.byCluster {
		s.cov.CopySym(congruent(t, s.cov))
		for i := range n {
			if s.units != nil && i < f.ml.n && f.parts.weak[i] == g {
				s.units[i] = min(s.units[i], s.units[a])
			}
		}
	}
	return shift
}

// refineStatus adjusts the statuses that separation gave, using the fit.
func (f *Fit) refineStatus(status []Status) {
	drawn := slices.Repeat([]bool{true}, f.parts.nComp)
	loose := make([]bool, f.parts.nWeak)
	for x, p := range f.t.pairings {
		if !f.parts.active[x] {
			continue
		}
		if p.Wins+p.Losses > 0 {
			drawn[f.parts.comp[p.First]] = false
		}
		if s := f.strataOf[p.Stratum]; f.parts.adv[s] && !f.parts.ident[s] {
			loose[f.parts.weak[p.First]] = true
		}
	}
	for i := range status {
		c, g := f.parts.comp[i], f.parts.weak[i]
		switch {
		case f.Players[i].Total().Games() == 0:
			status[i] = StatusNoInformation
		case status[i] == StatusOK && loose[g]:
			status[i] = StatusConfounded
		case status[i] == StatusOK && drawn[c] && f.ml.fixed[i]: // no active pairing
			status[i] = StatusPrior
		case status[i] == StatusOK && drawn[c]:
			status[i] = StatusNoInformation
		}
	}
}

// advantages sets the rows of advantages.
func (f *Fit) advantages() {
	unit := f.Scale / eloUnit
	for s := range f.k {
		a, at := &f.Advantages[s], f.ml.advAt(s)
		a.Elo.Value = f.theta[at] * unit
		a.Raw = f.theta[at] / eloUnit
		se, df := f.error(at, -1, f.Level)
		a.Elo.SE = se
		a.Elo.Interval = f.interval(a.Elo.Value, se, df, f.ml.fixed[at])
		switch {
		case !f.parts.adv[s]:
			a.Status, a.Elo.Interval = StatusFixed, Interval{}
		case a.Games.Games() == 0:
			a.Status = StatusNoInformation
			a.Elo.SE = f.o.priorSD
			a.Elo.Interval = f.interval(0, a.Elo.SE, 0, true)
		case f.ml.fixed[at]:
			open := f.openEnds().advantage(s)
			if f.ml.n > mostTilted {
				open = side{f.parts.runs[s] > 0, f.parts.runs[s] < 0}
			}
			a.Elo.Interval = unbounded
			if a.Status = relation(open.above, open.below, StatusPrior); a.Status != StatusPrior { // the bound at the other end
				a.Elo.Interval = f.bounds(at, nil, open, func(x float64) float64 { return x * unit })
			}
		case !f.parts.ident[s]:
			a.Status = StatusNotIdentified
		default:
			a.Status = StatusOK
		}
		if f.o.Few && a.Games.Games() > 0 && a.Status != StatusFixed {
			a.Elo.Interval, a.Status = unbounded, StatusUnbounded
		}
		a.Elo.Prior = a.Status != StatusOK
		f.annotate(&a.Elo)
	}
}
