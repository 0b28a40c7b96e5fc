package ratings

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// PairResidual is the difference between the result of one unordered match-up and the fitted model.
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
	// Clustered means that the variances come from openings or pairs instead of the model, because some match-up has
	// two or more of them.
	Clustered bool `json:"-"`
}

// alike is a small fraction of the expected scatter. If the scatter is less, all pairs ended alike and the rest is
// rounding: less than one pair in a hundred million.
const alike = 1e-9

// LackOfFit computes X² = Σ (O-E)²/Var over the unordered match-ups within the parts that have a maximum, on match-ups
// minus (players - parts) degrees of freedom. The variance is the draw-aware variance of the score model. With errors
// by pair or opening it is multiplied by the design effect of the openings, or of the pairs if fewer than five openings
// are shared. The effect is pooled over all match-ups with two or more of them. X² over its degrees is then compared
// with Fisher's F on the degrees of the pooled squares. Observed and expected points refer to A, so the advantage
// cancels in balanced match-ups.
func (f *Fit) LackOfFit() LackOfFit {
	cells := f.cells(func(string) bool { return true })
	pairs := map[[3]int]*meeting{}
	for _, k := range inOrder(cells) {
		c, at := cells[k], [3]int{k[0], k[1]}
		s := pairs[at]
		if s == nil {
			s = &meeting{all: PairResidual{A: f.Players[k[0]].Name, B: f.Players[k[1]].Name}}
			pairs[at] = s
		}
		s.n += c.n
		s.obs += c.obs
		s.exp += c.exp
		s.variance += c.variance
		s.clusters += c.clusters
		s.clustered += c.clustered
		s.diff += c.diff
		s.diffs += c.diffs
		s.all.Games += c.all.Games
		s.all.Observed += c.all.Observed
		s.all.Expected += c.all.Expected
	}
	matchups := inOrder(pairs)
	// How much more, or less, clusters vary than the model says is one factor for all match-ups: a match-up of its own
	// would say nothing if all its pairs ended alike. Around each match-up's own mean: lack of fit is no variance.
	clustered := f.Errors == ErrorPair || f.Errors == ErrorOpening || f.paired
	var observed, expected, free float64
	for _, k := range matchups {
		if s := pairs[k]; clustered && s.clusters >= 2 && s.clustered == s.n {
			observed += s.diffs - s.diff*s.diff/s.clusters
			expected += s.variance * (s.clusters - 1) / s.clusters
			free += s.clusters - 1
		}
	}
	effect := designEffect(observed, expected)
	out := LackOfFit{Clustered: clustered && free > 0, P: 1}
	players, parts := map[int]bool{}, map[int]bool{} // that are tested
	var raw []float64
	for _, k := range matchups {
		s := pairs[k]
		variance := s.variance * effect
		if !(variance > 1e-12) {
			continue
		}
		for _, i := range k {
			players[i], parts[f.parts.comp[i]] = true, true
		}
		s.all.Z = (s.obs - s.exp) / math.Sqrt(variance)
		out.Pairs = append(out.Pairs, s.all)
	}
	slices.SortFunc(out.Pairs, func(a, b PairResidual) int {
		return cmp.Or(-cmp.Compare(math.Abs(a.Z), math.Abs(b.Z)), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	for _, p := range out.Pairs {
		out.ChiSquare += p.Z * p.Z
		raw = append(raw, twoSided(p.Z, free))
	}
	for i, p := range Holm(raw) {
		out.Pairs[i].P = p
	}
	if out.DF = max(0, len(out.Pairs)-(len(players)-len(parts))); out.DF > 0 {
		out.P = survival(out.ChiSquare, out.DF, free)
	}
	return out
}

// designEffect returns the factor by which clusters vary more, or less, than the model says.
func designEffect(observed, expected float64) float64 {
	if expected > 0 && observed > alike*expected {
		return observed / expected
	}
	return 1
}

// survival returns the p-value of X², by Fisher's F if the variance was estimated with free > 0 degrees of freedom.
func survival(chiSquare float64, df int, free float64) float64 {
	d := float64(df)
	if free > 0 {
		return distuv.F{D1: d, D2: free}.Survival(chiSquare / d)
	}
	return distuv.ChiSquared{K: d}.Survival(chiSquare)
}
