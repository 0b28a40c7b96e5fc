package ratings

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Rank is a player's rank with its interval. The intervals are simultaneous: with the confidence level of the fit,
// all true ranks lie in their intervals.
type Rank struct {
	Name  string `json:"agent" help:"name"`
	Group int    `json:"group" help:"group, from 0: groups never met"`
	Place int    `json:"rank" help:"rank in the group by the estimate; 1 is best"`
	// Lo is 1 plus the number of significantly better players; Hi is the size of the group minus the number of
	// significantly worse players
	Lo  int     `json:"lo" help:"best rank of the interval; the intervals of all agents hold together"`
	Hi  int     `json:"hi" help:"worst rank of the interval"`
	Elo float64 `json:"-"`
	// Critical is the number of standard errors by which a difference with a known error must exceed 0 to be
	// significant. For an estimated error, the limit is the same quantile of Student's t
	Critical float64 `json:"-"`
}

// simulatedRanks is the size of the largest group whose critical value is simulated. Larger groups use
// Bonferroni's value, which is only slightly larger for many pairs.
const simulatedRanks = 120

// Ranks returns players by group and rating with simultaneous rank ranges (Mogstad, Romano, Shaikh & Wilhelm
// 2024). The critical value, in standard errors, is the quantile of max|Z| over all differences of the group,
// simulated from the fitted covariance with the given seed, so it is also right for unbalanced designs. A difference is
// compared with the quantile of its own Student's t at the same level. Players whose ranges overlap are tied.
func (f *Fit) Ranks(seed uint64) []Rank {
	var out []Rank
	for g := range f.Groups {
		var members []int
		for i, r := range f.Players {
			if r.Group == g {
				members = append(members, i)
			}
		}
		crit := f.critical(members, seed+uint64(g))
		slices.SortStableFunc(members, func(a, b int) int {
			return cmp.Compare(f.Players[b].Elo.Value, f.Players[a].Elo.Value)
		})
		for place, i := range members {
			r := Rank{
				Name: f.Players[i].Name, Place: place + 1, Lo: 1, Hi: len(members), Group: g,
				Elo: f.Players[i].Elo.Value, Critical: crit,
			}
			for _, j := range members {
				switch f.surely(j, i, crit) {
				case 1:
					r.Lo++
				case -1:
					r.Hi--
				}
			}
			out = append(out, r)
		}
	}
	return out
}

// surely compares two players: 1 if i is significantly stronger, -1 if it is significantly weaker, otherwise 0.
// Critical is the required difference in standard errors.
func (f *Fit) surely(i, j int, crit float64) int {
	if a, ok := f.apart(i, j); ok {
		switch sure := a.p <= twoSided(crit, 0)/2; {
		case sure && a.up:
			return 1
		case sure:
			return -1
		}
		return 0
	}
	if i == j || !f.comparable(i, j) {
		return 0
	}
	level := 1 - twoSided(crit, 0)
	se, df := f.error(i, j, level)
	switch d := f.Players[i].Elo.Value - f.Players[j].Elo.Value; {
	case se == 0:
	case d > quantile(level, df)*se:
		return 1
	case d < -quantile(level, df)*se:
		return -1
	}
	return 0
}

// critical returns the quantile of the largest standardised difference in the group.
func (f *Fit) critical(members []int, seed uint64) float64 {
	n := len(members)
	if n < 2 {
		return 0
	}
	pairs := float64(n*(n-1)) / 2
	if n == 2 || n > simulatedRanks {
		return quantile(1-(1-f.Level)/pairs, 0)
	}
	cov := f.byCluster[len(f.byCluster)-1].cov
	root := rootOf(cov, members)
	inverse := make([][]float64, n) // 1/SE of each difference
	open := 0.0                     // differences whose error is a prior's; see apart
	for a := range members {
		inverse[a] = make([]float64, a)
		for b := range a {
			if f.isApart(members[a], members[b]) {
				open++
			} else if i, j := members[a], members[b]; f.comparable(i, j) {
				if v := cov.At(i, i) + cov.At(j, j) - 2*cov.At(i, j); v > 0 {
					inverse[a][b] = 1 / math.Sqrt(v)
				}
			}
		}
	}
	draws := 20000
	if n >= 25 {
		draws = 4000
	}
	rng := rand.New(rand.NewPCG(seed, 0x72616e6b73))
	biggest := make([]float64, draws)
	z, x := make([]float64, n), make([]float64, n)
	for k := range biggest {
		for a := range z {
			z[a] = rng.NormFloat64()
		}
		for a := range x {
			x[a] = 0
			for b := range a + 1 {
				x[a] += root[a][b] * z[b]
			}
		}
		top := 0.0
		for a := range inverse {
			for b, inv := range inverse[a] {
				top = max(top, math.Abs(x[a]-x[b])*inv)
			}
		}
		if open > 0 { // taken as independent, which is conservative (Sidak 1967, J. Am. Stat. Assoc. 62:626)
			top = max(top, distuv.UnitNormal.Quantile((1+math.Pow(rng.Float64(), 1/open))/2))
		}
		biggest[k] = top
	}
	slices.Sort(biggest)
	return biggest[min(draws-1, int(math.Ceil(f.Level*float64(draws))))]
}

// rootOf returns a lower triangular square root of the members' covariance, which is singular because ratings are
// relative. It skips pivots that are 0.
func rootOf(cov *mat.SymDense, members []int) [][]float64 {
	l := make([][]float64, len(members))
	for a, i := range members {
		l[a] = make([]float64, a+1)
		for b := range a + 1 {
			s := cov.At(i, members[b])
			for k := range b {
				s -= l[a][k] * l[b][k]
			}
			switch {
			case a == b && s > 1e-10*cov.At(i, i):
				l[a][a] = math.Sqrt(s)
			case a != b && l[b][b] > 0:
				l[a][b] = s / l[b][b]
			}
		}
	}
	return l
}

// Holm returns the adjusted p-values of a family of tests (Holm 1979, Scand. J.
// Stat. 6:65), in the order given: those at or below α may be rejected together
// with a family-wise error of at most α. Values outside [0, 1] are clamped.
func Holm(p []float64) []float64 {
	out, order := make([]float64, len(p)), make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	worst := 0.0
	for k, i := range order {
		worst = max(worst, min(1, max(p[i], 0)*float64(len(p)-k)))
		out[i] = worst
	}
	return out
}

// twoSided returns the two-sided p-value of z, by Student's t if df > 0.
func twoSided(z, df float64) float64 {
	if df > 0 {
		return min(1, 2*distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.CDF(-math.Abs(z)))
	}
	return math.Erfc(math.Abs(z) / math.Sqrt2)
}
