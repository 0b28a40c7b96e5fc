package ratings

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// covariances chooses the kind of standard error and computes the covariance.
func (f *Fit) covariances() {
	p := f.ml
	f.mlCov = p.covariance(f.mlSol)
	games := 0.0
	for _, d := range p.data {
		games += d.w + d.d + d.l
	}
	f.countParameters()
	pairs, paired, units := p.clusters(f.t, &f.t.pairs)
	f.Clusters, f.Pairs = pairs, paired
	f.Errors = f.errorKind(games, pairs, paired)
	add := func(cov *mat.SymDense, units []float64) {
		f.byCluster = append(f.byCluster, clusterCovariance{f.compose(cov), units, f.Errors})
	}
	drawAware := func() *mat.SymDense {
		if f.o.Model != ModelScore {
			return f.mlCov
		}
		return sandwich(f.mlCov, p.scoreVariance(f.mlSol.theta, ErrorDrawAware, f.deq))
	}
	clustered := func(of *clusters, units []float64) *mat.SymDense {
		cov := sandwich(f.mlCov, p.clusterVariance(f.t, of, f.mlSol.theta))
		for i, m := range units {
			for j := i; j < len(units); j++ {
				cov.SetSym(i, j, cov.At(i, j)*math.Sqrt(enlarge(m)*enlarge(units[j])))
			}
		}
		return cov
	}
	switch f.Errors {
	case ErrorPair, ErrorOpening:
		cov := f.widen(clustered(&f.t.pairs, units))
		if f.Errors == ErrorNaive { // the pairs do not vary
			clear(units[:p.n])
			add(cov, units)
			return
		}
		f.byCluster = []clusterCovariance{{f.compose(drawAware()), nil, ErrorDrawAware}, {f.compose(cov), units, ErrorPair}}
		if f.Errors == ErrorOpening {
			n, _, of := p.clusters(f.t, f.t.openings)
			f.Clusters, f.Pairs = n, n
			add(clustered(f.t.openings, of), of)
		}
	case ErrorGame:
		f.Clusters = int64(games)
		add(f.widen(sandwich(f.mlCov, p.scoreVariance(f.mlSol.theta, ErrorGame, f.deq))), nil)
	case ErrorDrawAware:
		add(f.widen(drawAware()), nil)
	case ErrorNaive:
		add(f.widen(f.mlCov), nil)
	default:
		add(f.mlCov, nil)
	}
}

// clusterCovariance is the covariance of the estimates for one kind of cluster.
type clusterCovariance struct {
	cov *mat.SymDense // in Elo²; players first, then advantages
	// effective number of clusters that inform each estimate; with nil and 0, intervals use the normal distribution
	units []float64
	kind  ErrorKind
}

// enlarge returns the factor m/(m-1) by which a variance from the squares of m clusters is too small.
func enlarge(m float64) float64 { return max(m, 2) / (max(m, 2) - 1) }

// error returns the standard error of a rating or an advantage i, or of its difference from another one (j >= 0), and the
// degrees of freedom of Student's t (0: normal). Of pairs and openings it takes those with the widest interval at the
// confidence level. Fewer than five openings do not count. Fewer than five pairs do not show how much they vary: the
// interval is then at least that of independent games.
func (f *Fit) error(i, j int, level float64) (se, df float64) {
	widest, few := -1.0, false
	for k := len(f.byCluster) - 1; k >= 0; k-- {
		s := &f.byCluster[k]
		v, m := s.cov.At(i, i), 0.0
		if j >= 0 {
			v += s.cov.At(j, j) - 2*s.cov.At(i, j)
		}
		if s.units != nil && s.units[i] > 0 {
			if m = s.units[i]; j >= 0 {
				m = min(m, s.units[j])
			}
			few = m < MinOpenings
			m = max(m, MinOpenings) - 1
		}
		if few && s.kind == ErrorOpening || k == 0 && len(f.byCluster) > 1 && !few {
			continue
		}
		e := math.Sqrt(max(0, v))
		if half := quantile(level, m) * e; half > widest {
			se, df, widest = e, m, half
		}
	}
	return se, df
}

// countParameters sets Fit.Parameters.
func (f *Fit) countParameters() {
	p := f.ml
	seen := make([]bool, p.nComp) // groups, each of which has a fixed mean
	for c, fixed := range p.fixed {
		if !fixed {
			f.Parameters++
		}
		if !fixed && c < p.n && p.comp[c] >= 0 && !seen[p.comp[c]] {
			seen[p.comp[c]] = true
			f.Parameters--
		}
	}
}

func (f *Fit) errorKind(games float64, all, paired int64) ErrorKind {
	k := float64(f.Parameters)
	if games == 0 || slices.ContainsFunc(f.ml.ridge, func(r float64) bool { return r > 0 }) {
		return ErrorPosterior
	}
	want := f.o.Errors
	clustered := want == ErrorPair || want == ErrorOpening
	switch {
	case clustered && float64(all) <= k+1:
		f.warn("%d clusters are too few for %d parameters: intervals treat games as independent instead of clustered by %s",
			all, f.Parameters, want)
		return ErrorDrawAware
	case clustered && paired == 0:
		f.warn("the games are not in pairs, so each game is a unit")
		return ErrorGame
	case clustered && all < minClusters:
		f.warn("only %d clusters: clustered errors need about %d to be reliable", all, minClusters)
	}
	switch {
	case want == ErrorOpening, want == ErrorAuto && paired >= minClusters && float64(all) > 2*k:
		switch openings := f.t.Openings(); {
		case openings >= MinOpenings:
			return ErrorOpening
		case openings > 0:
			f.warn("only %d openings: the intervals hold for these openings only", openings)
		case want == ErrorOpening:
			f.warn("no opening has more than one pair: errors are clustered by pair")
		}
		return ErrorPair
	case want != ErrorAuto:
		return want
	case games < 5*k:
		f.tiny = true
		f.warn("only %.0f games for %d parameters: the profile likelihood gives the intervals, which are probably too wide "+
			"if there are draws",
			games, f.Parameters)
		return ErrorNaive
	}
	if paired > 0 {
		f.warn("only %d pairs: errors are draw-aware and treat the games as independent", paired)
	}
	return ErrorDrawAware
}

// widen sets the naive variance for quantities that have games but no variance. If no rating varies, Errors is ErrorNaive;
// an advantage can still vary: where the seat wins both games of every pair, these are one observation of it.
func (f *Fit) widen(cov *mat.SymDense) *mat.SymDense {
	p := f.ml
	var alike []int
	var names []string
	varied := false
	for c := range p.n + p.k {
		switch {
		case p.fixed[c]:
			continue
		case cov.At(c, c) > 1e-9*f.mlCov.At(c, c):
			varied = varied || c < p.n
			continue
		case c < p.n:
			names = append(names, f.Players[c].Name)
		default:
			names = append(names, cmp.Or(f.Advantages[c-p.n].Stratum, "all games")+": first player")
		}
		alike = append(alike, c)
	}
	if len(alike) == 0 {
		return cov
	}
	f.warn("the games vary too little for %s errors of %s, which would be 0; Spar reports naive errors, which are an upper "+
		"limit", f.Errors, list(names))
	if !varied {
		f.paired = f.Errors == ErrorPair || f.Errors == ErrorOpening
		f.Errors = ErrorNaive
	}
	for _, c := range alike { // their covariances with the others are 0, as they must be with a constant
		for _, d := range alike {
			if c <= d {
				cov.SetSym(c, d, f.mlCov.At(c, d))
			}
		}
	}
	return cov
}

// compose adds the uncertainty of each part's level under the prior to the covariance within parts, and converts
// the sum to Elo².
func (f *Fit) compose(ml *mat.SymDense) *mat.SymDense {
	n := f.ml.n + f.k
	out := mat.NewSymDense(n, nil)
	out.CopySym(ml)
	if f.mapSol != nil {
		f.addLevels(out)
		for s := range f.k {
			if a := f.ml.advAt(s); f.ml.fixed[a] {
				out.SetSym(a, a, f.mapCov.At(a, a))
			}
		}
	}
	unit := f.Scale / eloUnit
	out.ScaleSym(unit*unit, out)
	return out
}

func (f *Fit) addLevels(out *mat.SymDense) {
	parts := make([][]int, f.parts.nWeak)
	for c, members := range f.comps {
		g := f.parts.weak[members[0]]
		parts[g] = append(parts[g], c)
	}
	for g, comps := range parts {
		if len(comps) < 2 {
			continue
		}
		m := len(comps)
		v := mat.NewSymDense(m, nil)
		weight := make([]float64, m) // of the level that errors are relative to
		for a, c := range comps {
			if f.ref[g] < 0 {
				weight[a] = float64(len(f.comps[c]))
			} else if c == f.ref[g] {
				weight[a] = 1
			}
			for b, d := range comps[:a+1] {
				sum := 0.0
				for _, i := range f.comps[c] {
					for _, j := range f.comps[d] {
						sum += f.mapCov.At(i, j)
					}
				}
				v.SetSym(a, b, sum/float64(len(f.comps[c])*len(f.comps[d])))
			}
		}
		floats.Scale(-1/floats.Sum(weight), weight)
		rel := mat.NewDense(m, m, nil) // I + 1·weightᵀ
		for a := range m {
			rel.SetRow(a, weight)
			rel.Set(a, a, 1+weight[a])
		}
		levels := congruent(rel, v)
		for a, c := range comps {
			for b, d := range comps {
				for _, i := range f.comps[c] {
					for _, j := range f.comps[d] {
						if i <= j {
							out.SetSym(i, j, out.At(i, j)+levels.At(a, b))
						}
					}
				}
			}
		}
	}
}
