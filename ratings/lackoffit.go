package ratings

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// PairResidual is how far the result of one unordered match-up differs from the fitted model.
type PairResidual struct {
	A, B     string
	Games    int64
	Observed float64 // observed points of A
	Expected float64 // points of A that the ratings predict
	Z        float64 // (observed - expected)/sd, over the games that have a maximum of the likelihood
	P        float64 // two-sided p-value, adjusted by Holm within the table
}

// LackOfFit tests whether one rating per player explains the table.
type LackOfFit struct {
	ChiSquare float64 `json:"chi_square" help:"test of the hypothesis that one rating per agent explains the results"`
	// match-ups minus rating differences; 0 means that there is nothing to test
	DF int     `json:"df" help:"degrees of freedom"`
	P  float64 `json:"p" help:"p-value"`
	// Pairs are sorted by |Z|, the largest first.
	Pairs []PairResidual `json:"-"`
	// Clustered means that the variances come from pairs and not from the model, because some match-up has two or
	// more pairs.
	Clustered bool `json:"-"`
}

// alike is a small fraction of the expected scatter. If the scatter is less, all pairs ended alike and the rest is
// rounding: less than one pair in a hundred million.
const alike = 1e-9

// LackOfFit computes X² = Σ (O-E)²/Var over the unordered match-ups within the parts that have a maximum, on match-ups
// minus (players - parts) degrees of freedom. The variance is the draw-aware one of the score model; with pair errors
// it is multiplied by the design effect of the pairs, pooled over all match-ups with two or more of them; X² over its
// degrees is then compared with Fisher's F on those of the pooled squares. Observed and expected points refer to A, so
// the advantage cancels in balanced match-ups.
func (f *Fit) LackOfFit() LackOfFit {
	type sum struct {
		n                 int64 // games that are tested, with their points
		obs, exp, varDraw float64
		all               PairResidual // all games
		clusters, square  float64
	}
	pairs := make(map[[2]int]*sum)
	key := func(p Pairing) ([2]int, bool) {
		return [2]int{min(p.First, p.Second), max(p.First, p.Second)}, p.First < p.Second
	}
	n := len(f.Players)
	eta := func(p Pairing) (e, delta float64) {
		s := f.strataOf[p.Stratum]
		return f.theta[p.First] - f.theta[p.Second] + f.theta[n+s], f.theta[n+len(f.Advantages)+s]
	}
	inUse := func(x int) bool { return f.exist.active[x] }
	for x, p := range f.t.pairings {
		k, straight := key(p)
		s := pairs[k]
		if s == nil {
			s = &sum{}
			pairs[k] = s
		}
		e, v := f.scoreMoments(eta(p))(f.Advantages[f.strataOf[p.Stratum]].DrawRate)
		games, points := float64(p.Games()), p.Points()
		if !straight {
			e, points = 1-e, games-points
		}
		s.all.Games, s.all.Observed, s.all.Expected = s.all.Games+p.Games(), s.all.Observed+points, s.all.Expected+games*e
		if inUse(x) {
			s.n += p.Games()
			s.obs += points
			s.exp += games * e
			s.varDraw += games * v
		}
	}
	clustered := f.Errors == ErrorPair || f.Errors == ErrorOpening || f.paired
	if clustered {
		for _, x := range f.t.pairs.swaps {
			p, q := f.t.pairings[x.p], f.t.pairings[x.q]
			k, straight := key(p)
			s := pairs[k]
			if s == nil || !inUse(x.p) || !inUse(x.q) {
				continue
			}
			ep, _ := f.scoreMoments(eta(p))(0)
			eq, _ := f.scoreMoments(eta(q))(0)
			for r, row := range x.n {
				for o, c := range row {
					u := float64(r)/2 - ep - (float64(o)/2 - eq)
					if !straight {
						u = -u
					}
					s.clusters += float64(c)
					s.square += float64(c) * u * u
				}
			}
		}
	}
	// How much more, or less, pairs vary than the model says is one factor for all match-ups: a match-up of its own
	// would say nothing if all its pairs ended alike. Around each match-up's own mean: lack of fit is no variance.
	// Sums go in the order of the names, so that they are the same to the bit for ever.
	matchups := slices.SortedFunc(maps.Keys(pairs), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	var observed, expected, free float64
	for _, k := range matchups {
		s := pairs[k]
		if clustered && s.clusters >= 2 && 2*int64(s.clusters) == s.n {
			mean := (s.obs - s.exp) / s.clusters
			observed += s.square - s.clusters*mean*mean
			expected += s.varDraw * (s.clusters - 1) / s.clusters
			free += s.clusters - 1
		}
	}
	effect := 1.0
	if expected > 0 && observed > alike*expected {
		effect = observed / expected
	}
	out := LackOfFit{Clustered: clustered && free > 0, P: 1}
	used := make(map[int]bool)
	for _, k := range matchups {
		s := pairs[k]
		variance := s.varDraw * effect
		if !(variance > 1e-12) {
			continue
		}
		used[k[0]], used[k[1]] = true, true
		z := (s.obs - s.exp) / math.Sqrt(variance)
		s.all.A, s.all.B, s.all.Z = f.Players[k[0]].Name, f.Players[k[1]].Name, z
		out.Pairs = append(out.Pairs, s.all)
	}
	parts := make(map[int]bool)
	for i := range used {
		parts[f.exist.comp[i]] = true
	}
	slices.SortFunc(out.Pairs, func(a, b PairResidual) int {
		return cmp.Or(-cmp.Compare(abs(a.Z), abs(b.Z)), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	raw := make([]float64, len(out.Pairs))
	for i, p := range out.Pairs {
		out.ChiSquare += p.Z * p.Z
		raw[i] = twoSided(p.Z, free)
	}
	for i, p := range Holm(raw) {
		out.Pairs[i].P = p
	}
	out.DF = max(0, len(out.Pairs)-(len(used)-len(parts)))
	if out.DF > 0 {
		df := float64(out.DF)
		if out.P = (distuv.ChiSquared{K: df}).Survival(out.ChiSquare); out.Clustered {
			out.P = distuv.F{D1: df, D2: free}.Survival(out.ChiSquare / df)
		}
	}
	return out
}

// scoreMoments returns a function from the draw rate to mean and variance of one
// game's score under the fitted model.
func (f *Fit) scoreMoments(eta, delta float64) func(deq float64) (mean, variance float64) {
	return func(deq float64) (mean, variance float64) {
		mean = logistic(eta)
		draw := drawShare(mean, deq)
		if f.Model == ModelDavidson {
			var win float64
			win, draw, _, _ = davidson{}.probabilities(eta, delta)
			mean = win + draw/2
		}
		return mean, max(0, mean*(1-mean)-draw/4)
	}
}
