package ratings

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"spar/configs/must"
)

// openings is a table of three players and two strata with all that a cluster can be: single games, pairs with swapped
// seats, and openings that several match-ups share. In stratum y nothing was drawn.
func openings(t *testing.T) *Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 1))
	var b Builder
	seats := [][3]string{
		{"a", "b", "x"},
		{"b", "a", "x"},
		{"b", "c", "x"},
		{"c", "b", "x"},
		{"c", "a", "y"},
		{"a", "c", "y"},
	}
	add := func(seat int, pair string) {
		s := seats[seat]
		g := Game{First: s[0], Second: s[1], Stratum: s[2], Result: Outcome(rng.IntN(3)), Pair: pair}
		if strings.HasPrefix(pair, "opening") {
			g.Opening = Label(pair)
		}
		if g.Stratum == "y" && g.Result == Draw {
			g.Result = FirstWins
		}
		must.Do(t, b.Add(g))
	}
	for k := range 30 {
		add(rng.IntN(6), "")
		two := rng.IntN(3)
		add(2*two, fmt.Sprint("pair ", k))
		add(2*two+1, fmt.Sprint("pair ", k))
		for range 1 + rng.IntN(4) {
			add(rng.IntN(6), fmt.Sprint("opening ", k))
		}
	}
	return b.Table()
}

// The variance of the score vector is the sum over the clusters of the outer product of their score vectors, each the
// sum over the cluster's games of the gradient of their log-likelihood: here by differences, cluster for cluster. Games
// that are not used add nothing, also where the other game of their pair is.
func TestScoreVarianceIsTheSumOverClusters(t *testing.T) {
	t.Parallel()
	table := openings(t)
	strata := []int{0, 1}
	for _, m := range []Model{ModelScore, ModelDavidson} {
		for _, without := range []int{-1, 0, 1, 2, 4, 5} {
			active := slices.Repeat([]bool{true}, len(table.Pairings()))
			if without >= 0 {
				active[without] = false
			}
			p := newLikelihood(table, m, strata, active, []bool{true, true}, nil, 0)
			theta := []float64{0.4, -0.1, -0.3, 0.2, -0.15, 0.5, 0.6}
			what := fmt.Sprintf("%s without %d", m, without)

			score := func(c cell) (u []float64, games int64) {
				u = make([]float64, p.dim())
				for _, x := range c.terms {
					if !active[x.pairing] {
						continue
					}
					g := table.Pairings()[x.pairing]
					ll := func(theta []float64) float64 {
						eta := theta[g.First] - theta[g.Second] + theta[3+g.Stratum]
						return p.kernel.eval(float64(x.n[FirstWins]), float64(x.n[Draw]), float64(x.n[SecondWins]), eta,
							theta[5+g.Stratum]).ll
					}
					for at := range u {
						const h = 1e-5
						if up, down := slices.Clone(theta), slices.Clone(theta); !p.fixed[at] {
							up[at] += h
							down[at] -= h
							u[at] += (ll(up) - ll(down)) / (2 * h)
						}
					}
					games += x.n[0] + x.n[1] + x.n[2]
				}
				return u, games
			}
			single := func(c cell) (out []cell) { // each game of a cluster by itself
				for _, x := range c.terms {
					for o, n := range x.n {
						if n > 0 {
							one := term{pairing: x.pairing}
							one.n[o] = 1
							out = append(out, cell{[]term{one}, n * c.count})
						}
					}
				}
				return out
			}
			same := func(kind string, got, want *mat.SymDense) {
				for a := range p.dim() {
					for b := range a + 1 {
						near(t, fmt.Sprint(what, " ", kind, " ", a, b), got.At(a, b), want.At(a, b), 1e-4, 0)
					}
				}
			}
			games := mat.NewSymDense(p.dim(), nil)
			for kind, of := range map[string]*clusters{"pair": &table.pairs, "opening": table.openings} {
				want := mat.NewSymDense(p.dim(), nil)
				all, paired := int64(0), int64(0)
				for _, c := range clustersOf(of) {
					u, n := score(c)
					want.SymRankOne(want, float64(c.count), mat.NewVecDense(len(u), u))
					if n > 0 {
						all += c.count
					}
					if n > 1 {
						paired += c.count
					}
					for _, one := range single(c) {
						if kind == "pair" {
							u, _ := score(one)
							games.SymRankOne(games, float64(one.count), mat.NewVecDense(len(u), u))
						}
					}
				}
				if gotAll, gotPaired, _ := p.clusters(table, of); gotAll != all || gotPaired != paired {
					t.Errorf("%s: %d clusters, %d of two games or more; want %d, %d", what, gotAll, gotPaired, all, paired)
				}
				same(kind, p.clusterVariance(table, of, theta), want)
			}
			same("game", p.scoreVariance(theta, ErrorGame, nil), games)
		}
	}
}
