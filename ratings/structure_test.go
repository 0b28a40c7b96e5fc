package ratings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// randomPairings draws match-ups of n players in some strata, with few games, so that much is missing.
func randomPairings(t *rapid.T, n, strata int) []Pairing {
	var out []Pairing
	for range rapid.IntRange(0, 2*n).Draw(t, "pairings") {
		p := Pairing{First: rapid.IntRange(0, n-1).Draw(t, "first"), Second: rapid.IntRange(0, n-1).Draw(t, "second"), Stratum: rapid.IntRange(0, strata-1).Draw(t, "stratum")}
		if p.First == p.Second {
			continue
		}
		p.Wins, p.Draws, p.Losses = int64(rapid.IntRange(0, 1).Draw(t, "wins")), int64(rapid.IntRange(0, 1).Draw(t, "draws")), int64(rapid.IntRange(0, 1).Draw(t, "losses"))
		out = append(out, p)
	}
	return out
}

// reachable is the closure of a relation, by Warshall's three loops.
func reachable(n int, pairs []Pairing, use []bool, edge func(p Pairing) (there, back bool)) [][]bool {
	r := make([][]bool, n)
	for i := range r {
		r[i] = make([]bool, n)
		r[i][i] = true
	}
	for k, p := range pairs {
		if !use[k] {
			continue
		}
		there, back := edge(p)
		r[p.First][p.Second] = r[p.First][p.Second] || there
		r[p.Second][p.First] = r[p.Second][p.First] || back
	}
	for k := range n {
		for i := range n {
			for j := range n {
				r[i][j] = r[i][j] || r[i][k] && r[k][j]
			}
		}
	}
	return r
}

// Strong and weak components and reach agree with the closure; labels are consecutive in order of appearance.
func TestComponents(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "players")
		pairs := randomPairings(t, n, 1)
		use := rapid.SliceOfN(rapid.Bool(), len(pairs), len(pairs)).Draw(t, "use")
		scored := reachable(n, pairs, use, func(p Pairing) (bool, bool) { return p.Wins+p.Draws > 0, p.Losses+p.Draws > 0 })
		met := reachable(n, pairs, use, func(Pairing) (bool, bool) { return true, true })
		g := scoredAgainst(n, pairs, use)
		strong, nStrong := g.strong()
		weak, nWeak := weakComponents(n, pairs, use)
		for i := range n {
			reach := g.reach([]int{i})
			for j := range n {
				if reach[j] != scored[i][j] {
					t.Fatalf("%d reaches %d: %t", i, j, reach[j])
				}
				if (strong[i] == strong[j]) != (scored[i][j] && scored[j][i]) {
					t.Fatalf("%d and %d strongly connected: %t", i, j, strong[i] == strong[j])
				}
				if (weak[i] == weak[j]) != met[i][j] {
					t.Fatalf("%d and %d connected: %t", i, j, weak[i] == weak[j])
				}
			}
		}
		for _, c := range []struct {
			label []int
			count int
		}{{strong, nStrong}, {weak, nWeak}} {
			next := 0
			for _, l := range c.label {
				if l > next {
					t.Fatalf("labels %v are out of order", c.label)
				}
				next = max(next, l+1)
			}
			if next != c.count {
				t.Fatalf("%d labels in %v", c.count, c.label)
			}
		}
	})
}

// Two who lead to one that is known already are no more connected than before.
func TestComponentsBesideOne(t *testing.T) {
	t.Parallel()
	g := newGraph(3, func(yield func(from, to int)) {
		yield(1, 0)
		yield(2, 0)
	})
	if comp, n := g.strong(); n != 3 || fmt.Sprint(comp) != "[0 1 2]" {
		t.Errorf("%d components, %v", n, comp)
	}
}

// rank of a matrix, by singular values.
func rank(rows [][]float64) int {
	if len(rows) == 0 {
		return 0
	}
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		return -1
	}
	n := 0
	for _, v := range svd.Values(nil) {
		if v > 1e-9 {
			n++
		}
	}
	return n
}

// An advantage is identified exactly if it is a combination of the match-ups' equations c_first - c_second + α: if its unit vector
// adds nothing to their rank.
func TestIdentifiable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n, strata := rapid.IntRange(2, 6).Draw(t, "players"), rapid.IntRange(1, 4).Draw(t, "strata")
		pairs := randomPairings(t, n, strata)
		use := rapid.SliceOfN(rapid.Bool(), len(pairs), len(pairs)).Draw(t, "use")
		of := rapid.SliceOfN(rapid.IntRange(0, strata-1), strata, strata).Draw(t, "strata of the fit")
		var rows [][]float64
		for k, p := range pairs {
			if use[k] {
				row := make([]float64, n+strata)
				row[p.First]++
				row[p.Second]--
				row[n+of[p.Stratum]]++
				rows = append(rows, row)
			}
		}
		got := identifiable(n, strata, pairs, use, of)
		for s := range strata {
			unit := make([]float64, n+strata)
			unit[n+s] = 1
			if want := len(rows) > 0 && rank(append(slices.Clone(rows), unit)) == rank(rows); got[s] != want {
				t.Fatalf("advantage %d identified: %t, want %t", s, got[s], want)
			}
		}
	})
}

// The derivatives of each model are those of its log-likelihood, and a game's score those of the logarithm of its probability.
func TestDerivatives(t *testing.T) {
	t.Parallel()
	const h = 1e-4
	for _, m := range []Model{ModelScore, ModelDavidson, ModelRaoKupper} {
		k := kernelOf(m)
		for _, eta := range []float64{-3, -0.4, 0, 0.7, 2.5} {
			for _, delta := range []float64{0.3, 1.1} {
				w, d, l := 5.0, 3.0, 2.0
				ll := func(a, b float64) float64 { return k.eval(w, d, l, a, b).ll }
				p := k.eval(w, d, l, eta, delta)
				near(t, m.String()+" first by strength", p.gEta, (ll(eta+h, delta)-ll(eta-h, delta))/(2*h), 1e-6, 0)
				near(t, m.String()+" second by strength", p.hEta, -(ll(eta+h, delta)-2*p.ll+ll(eta-h, delta))/(h*h), 1e-4, 0)
				if m == ModelScore {
					continue
				}
				near(t, m.String()+" first by draws", p.gDelta, (ll(eta, delta+h)-ll(eta, delta-h))/(2*h), 1e-6, 0)
				near(t, m.String()+" second by draws", p.hDelta, -(ll(eta, delta+h)-2*p.ll+ll(eta, delta-h))/(h*h), 1e-4, 0)
				near(t, m.String()+" mixed", p.hCross, -(ll(eta+h, delta+h)-ll(eta+h, delta-h)-ll(eta-h, delta+h)+ll(eta-h, delta-h))/(4*h*h), 1e-4, 0)
				probability := func(o Outcome, a, b float64) float64 {
					var x [3]float64
					if m == ModelDavidson {
						x[FirstWins], x[Draw], x[SecondWins], _ = davidson{}.probabilities(a, b)
					} else {
						x[FirstWins], x[Draw], x[SecondWins] = raoKupper{}.probabilities(a, b)
					}
					near(t, "sum", x[0]+x[1]+x[2], 1, 1e-12, 0)
					return x[o]
				}
				// By the definitions: W:D:L = e^(η/2) : ν : e^(-η/2), and P(win) = L(η-D).
				if m == ModelDavidson {
					near(t, "win to loss", probability(FirstWins, eta, delta)/probability(SecondWins, eta, delta), math.Exp(eta), 0, 1e-12)
					near(t, "draws", probability(Draw, eta, delta), math.Exp(delta)*math.Sqrt(probability(FirstWins, eta, delta)*probability(SecondWins, eta, delta)), 0, 1e-12)
				} else {
					near(t, "win", probability(FirstWins, eta, delta), 1/(1+math.Exp(delta-eta)), 1e-12, 0)
					near(t, "loss", probability(SecondWins, eta, delta), 1/(1+math.Exp(delta+eta)), 1e-12, 0)
				}
				likelihood := w*math.Log(probability(FirstWins, eta, delta)) + d*math.Log(probability(Draw, eta, delta)) + l*math.Log(probability(SecondWins, eta, delta))
				near(t, m.String()+" likelihood", p.ll, likelihood, 1e-9, 0)
				for _, o := range []Outcome{FirstWins, Draw, SecondWins} {
					a, b := k.score(o, eta, delta)
					near(t, m.String()+" score", a, (math.Log(probability(o, eta+h, delta))-math.Log(probability(o, eta-h, delta)))/(2*h), 1e-6, 0)
					near(t, m.String()+" score of draws", b, (math.Log(probability(o, eta, delta+h))-math.Log(probability(o, eta, delta-h)))/(2*h), 1e-6, 0)
				}
				// The slope compares the expected score near equality with the logistic curve's quarter.
				score := func(a float64) float64 {
					return probability(FirstWins, a, delta) + probability(Draw, a, delta)/2
				}
				near(t, m.String()+" slope", k.slope(delta), (score(h)-score(-h))/(2*h)/0.25, 1e-6, 0)
				// The start gives the totals' share of draws at equality.
				near(t, m.String()+" start", probability(Draw, 0, k.start(w, d, l)), 0.3, 1e-12, 0)
			}
		}
	}
	// The score model by outcome, and without draws Bradley and Terry's likelihood.
	a, b := scoreKernel{}.score(Draw, 0.5, 9)
	near(t, "score of a draw", a, 0.5-1/(1+math.Exp(-0.5)), 1e-12, 0)
	near(t, "no draw parameter", b, 0, 0, 0)
	for _, eta := range []float64{-40, -1, 0, 1, 40} {
		near(t, "likelihood", scoreKernel{}.eval(3, 0, 2, eta, 0).ll, 3*logLogistic(eta)+2*logLogistic(-eta), 1e-9, 1e-12)
	}
	near(t, "likelihood of sure wins", scoreKernel{}.eval(5, 0, 0, 40, 0).ll/math.Exp(-40), -5, 1e-9, 1e-9) // not lost beside 5*40
	// Without draws the draw models are Bradley and Terry's; where there are some, no draws are impossible.
	for _, m := range []Model{ModelDavidson, ModelRaoKupper} {
		off := noDraws
		if m == ModelRaoKupper {
			off = 0
		}
		got, want := kernelOf(m).eval(3, 0, 2, 0.7, off), scoreKernel{}.eval(3, 0, 2, 0.7, 0)
		near(t, m.String()+" without draws", got.ll, want.ll, 1e-12, 0)
		near(t, m.String()+" gradient without draws", got.gEta, want.gEta, 1e-12, 0)
		near(t, m.String()+" information without draws", got.hEta, want.hEta, 1e-12, 0)
		if got.gDelta != 0 || got.hDelta != 0 || got.hCross != 0 {
			t.Errorf("%s: %+v, but the draw parameter is held where nothing is drawn", m, got)
		}
	}
	for _, delta := range []float64{-0.1, 0} {
		if p := (raoKupper{}).eval(1, 1, 1, 0, delta); !math.IsInf(p.ll, -1) {
			t.Errorf("draws at a draw parameter of %g have the likelihood %g", delta, p.ll)
		}
	}
}

// The gradient and the information of a whole problem, prior included, are the derivatives of its value; fixed parameters have
// none.
func TestProblemDerivatives(t *testing.T) {
	t.Parallel()
	table := build(t, func(b *Builder) error {
		return errors.Join(b.AddCount("a", "b", "x", 5, 2, 3), b.AddCount("b", "c", "y", 4, 1, 2), b.AddCount("c", "a", "x", 1, 2, 6), b.AddCount("b", "a", "y", 2, 0, 2))
	})
	for _, m := range []Model{ModelScore, ModelDavidson, ModelRaoKupper} {
		p := newProblem(table, m, []int{0, 1}, 2, []bool{true, true, true, true}, true, []int{0, 0, 0}, 1)
		p.ridge[0], p.ridge[4] = 0.3, 0.7
		p.fixed[2] = true
		theta := []float64{0.3, -0.2, 0, 0.15, -0.1, 0.4, 0.5}
		if m == ModelScore {
			theta[5], theta[6] = 0, 0
		}
		grad, info := make([]float64, p.dim()), mat.NewSymDense(p.dim(), nil)
		ll := p.derive(theta, grad, info)
		near(t, m.String()+" value", ll, p.value(theta), 1e-12, 0)
		const h = 1e-4
		at := func(a, b int, x, y float64) float64 {
			z := slices.Clone(theta)
			z[a] += x
			z[b] += y
			return p.value(z)
		}
		for a := range p.dim() {
			for b := range p.dim() {
				want := 0.0
				switch {
				case p.fixed[a] || p.fixed[b]:
					if a == b {
						want = 1
					}
				case a == b:
					want = -(at(a, a, h, 0) - 2*ll + at(a, a, -h, 0)) / (h * h)
				default:
					want = -(at(a, b, h, h) - at(a, b, h, -h) - at(a, b, -h, h) + at(a, b, -h, -h)) / (4 * h * h)
				}
				near(t, fmt.Sprint(m, " information ", a, b), info.At(a, b), want, 1e-4, 0)
			}
			want := 0.0
			if !p.fixed[a] {
				want = (at(a, a, h, 0) - at(a, a, -h, 0)) / (2 * h)
			}
			near(t, fmt.Sprint(m, " gradient ", a), grad[a], want, 1e-6, 0)
		}
	}
}

// The draw parameter of a stratum is free where some games were drawn and some were not, and starts at the share of draws there was, as between
// equals; where nothing was drawn draws are switched off, and where all were it is as if half a game had been decisive.
func TestDrawParametersAtTheStart(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		w, d, l int64
		free    bool
		share   float64
	}{
		"some": {5, 4, 7, true, 0.25}, "one": {3, 1, 4, true, 0.125}, "one win": {1, 3, 0, true, 0.75}, "one loss": {0, 3, 1, true, 0.75},
		"none": {3, 0, 2, false, 0}, "all": {0, 4, 0, false, 4 / 4.5}, "a single one": {0, 1, 0, false, 1 / 1.5},
	} {
		for _, m := range []Model{ModelDavidson, ModelRaoKupper} {
			table := build(t, func(b *Builder) error {
				return errors.Join(b.AddCount("a", "b", "x", c.w, c.d, c.l), b.AddCount("a", "b", "y", 2, 2, 2))
			})
			p := newProblem(table, m, []int{0, 1}, 2, []bool{true, true}, true, nil, 0)
			if p.fixed[p.drawAt(0)] == c.free || p.fixed[p.drawAt(1)] {
				t.Errorf("%s, %s: fixed %v", m, name, p.fixed)
			}
			for s, want := range []float64{c.share, 1.0 / 3} {
				delta := p.start()[p.drawAt(s)]
				share := math.Tanh(delta / 2)
				if nu := math.Exp(delta); m == ModelDavidson {
					share = nu / (2 + nu)
				}
				near(t, fmt.Sprint(m, ", ", name, " ", s), share, want, 1e-12, 0)
			}
		}
	}
}

// Davidson's draws for a given expected score p solve D = ν·sqrt(WL) with W - L = 2p - 1 and W + D + L = 1; of several match-ups the
// rate at equality is that which expects the draws there were.
func TestDrawShare(t *testing.T) {
	t.Parallel()
	for _, deq := range []float64{0.1, 0.5, 0.9} {
		near(t, "at equality", drawShare(0.5, deq), deq, 1e-12, 0)
		nu := 2 * deq / (1 - deq)
		for _, p := range []float64{0.1, 0.4, 0.77} {
			d := drawShare(p, deq)
			w, l := p-d/2, 1-p-d/2
			near(t, "draws", d, nu*math.Sqrt(w*l), 1e-9, 0)
		}
		n, p := []float64{10, 30, 5}, []float64{0.2, 0.5, 0.9}
		draws := 0.0
		for i := range n {
			draws += n[i] * drawShare(p[i], deq)
		}
		near(t, "rate", drawRateAtEquality(n, p, draws), deq, 1e-9, 0)
	}
	for _, p := range []float64{0, 0.3, 1} {
		near(t, "never", drawShare(p, 0), 0, 0, 0)
	}
	near(t, "as often as can be", drawShare(0.3, 1), 0.6, 1e-12, 0)
	near(t, "as often as can be, above", drawShare(0.8, 1), 0.4, 1e-12, 0)
	near(t, "no draws", drawRateAtEquality([]float64{5}, []float64{0.5}, 0), 0, 0, 0)
	near(t, "only draws", drawRateAtEquality([]float64{5}, []float64{0.5}, 5), 1, 0, 0)
	near(t, "no games", drawRateAtEquality(nil, nil, 0), 0, 0, 0)
}

// Two players in balanced seats, by hand: a has p of the points, the rating difference is the logit of p, and its error by kind is
// 400/ln 10 · sqrt(v/n)/(p(1-p)), v being the variance of a game taken: p(1-p) naive, less d/4 by the model's draws, that of the
// results by game.
func TestTwoPlayersByHand(t *testing.T) {
	t.Parallel()
	// As first 70-20-30, as second the mirror image: no advantage. p = 80/120 = 2/3, a sixth drawn.
	table := build(t, all(count("a", "b", 70, 20, 30), count("b", "a", 30, 20, 70)))
	const n, p, d = 240.0, 2.0 / 3, 1.0 / 6
	elo := 400 * math.Log10(p/(1-p))
	unit := 400 / math.Ln10
	mean := (140.0*1 + 40*0.25) / n // of squares
	for kind, v := range map[ErrorKind]float64{ErrorNaive: p * (1 - p), ErrorDrawAware: p*(1-p) - d/4, ErrorGame: mean - p*p} {
		f := mustFit(t, table, Options{Errors: kind})
		se := unit * math.Sqrt(v/n) / (p * (1 - p))
		diff, err := f.Difference("a", "b")
		if err != nil {
			t.Fatal(err)
		}
		near(t, kind.String()+" Elo", diff.Elo.Value, elo, 1e-6, 0)
		near(t, kind.String()+" error", diff.Elo.SE, se, 1e-4, 0)
		near(t, kind.String()+" lo", diff.Elo.Interval.Lo, elo-z975*se, 1e-3, 0)
		near(t, kind.String()+" hi", diff.Elo.Interval.Hi, elo+z975*se, 1e-3, 0)
		near(t, kind.String()+" LOS", diff.LOS, 0.5*math.Erfc(-elo/se/math.Sqrt2), 1e-6, 0)
		back, _ := f.Difference("b", "a")
		near(t, kind.String()+" reversed", back.Elo.Value, -elo, 1e-6, 0)
		near(t, kind.String()+" LOS reversed", back.LOS, 1-diff.LOS, 1e-6, 0)
		// Each rating is half the difference from the mean, with half its error.
		near(t, "rating", f.Players[0].Elo.Value, elo/2, 1e-6, 0)
		near(t, "its error", f.Players[0].Elo.SE, se/2, 1e-4, 0)
		near(t, "variance", f.Covariance(0, 0), se*se/4, 1e-2, 0)
		near(t, "covariance", f.Covariance(0, 1), -se*se/4, 1e-2, 0)
		near(t, "advantage", f.Advantages[0].Elo.Value, 0, 1e-6, 0)
		near(t, "its error", f.Advantages[0].Elo.SE, se, 1e-4, 0) // by balance, that of the same number of games
		if f.Players[0].AsFirst != (Count{70, 20, 30}) || f.Players[0].AsSecond != (Count{70, 20, 30}) || f.Players[1].Total() != (Count{60, 40, 140}) {
			t.Errorf("%+v", f.Players)
		}
		if f.Parameters != 2 || f.Errors != kind {
			t.Errorf("%d parameters, errors %s", f.Parameters, f.Errors)
		}
		ranks := f.Ranks(1)
		near(t, "critical value of one difference", ranks[0].Critical, z975, 1e-9, 0)
		if ranks[0].Name != "a" || ranks[0].Lo != 1 || ranks[0].Hi != 1 || ranks[1].Lo != 2 || ranks[1].Hi != 2 || ranks[0].Place != 1 || ranks[1].Place != 2 {
			t.Errorf("%+v", ranks)
		}
		pv, err := f.Significant([][2]string{{"a", "b"}, {"a", "a"}})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "p", pv[0], min(1, 2*math.Erfc(elo/se/math.Sqrt2)), 1e-9, 1e-3)
		near(t, "p against himself", pv[1], 1, 0, 0)
	}
	self, err := mustFit(t, table, Options{}).Difference("a", "a")
	if err != nil || !self.Comparable || self.LOS != 0.5 || self.Elo.Value != 0 || self.Elo.Interval != (Interval{}) {
		t.Errorf("%+v, %v", self, err)
	}
	f := mustFit(t, table, Options{})
	for _, names := range [][2]string{{"a", "x"}, {"x", "a"}} {
		if _, err := f.Difference(names[0], names[1]); !errors.Is(err, ErrUnknownPlayer) {
			t.Errorf("%v: %v", names, err)
		}
		if _, _, _, err := f.Predict(names[0], names[1], ""); !errors.Is(err, ErrUnknownPlayer) {
			t.Errorf("%v: %v", names, err)
		}
		if _, err := f.Significant([][2]string{names}); err == nil {
			t.Errorf("%v: no error", names)
		}
	}
	// The model reproduces the results, whatever stratum is named where one advantage serves all.
	for _, stratum := range []string{"", "other"} {
		w, dr, l, err := f.Predict("a", "b", stratum)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "win", w, 70.0/120, 1e-6, 0)
		near(t, "draw", dr, d, 1e-6, 0)
		near(t, "loss", l, 30.0/120, 1e-6, 0)
	}
	split := build(t, func(b *Builder) error {
		return errors.Join(b.AddCount("a", "b", "x", 7, 2, 3), b.AddCount("b", "a", "x", 3, 2, 7), b.AddCount("a", "b", "y", 7, 2, 3), b.AddCount("b", "a", "y", 3, 2, 7))
	})
	per := mustFit(t, split, Options{PerStratum: true})
	if _, _, _, err := per.Predict("a", "b", "z"); !errors.Is(err, ErrOptions) {
		t.Errorf("an unknown stratum: %v", err)
	}
	if w, _, _, err := per.Predict("a", "b", "y"); err != nil || math.Abs(w-7.0/12) > 1e-6 {
		t.Errorf("%g, %v", w, err)
	}
}

// Two groups that never met: each has mean 0, nobody of one is compared with anybody of the other, until a prior is asked for.
func TestTwoGroups(t *testing.T) {
	t.Parallel()
	table := build(t, all(
		count("a", "b", 30, 0, 10), count("b", "a", 10, 0, 30), count("c", "d", 20, 0, 20), count("d", "c", 20, 0, 20),
	))
	f := mustFit(t, table, Options{})
	d, err := f.Difference("a", "c")
	if err != nil || d.Comparable || d.LOS != 0.5 || d.Elo.Value != 0 || d.Elo.SE != 0 || !d.Elo.Interval.LoOpen || !d.Elo.Interval.HiOpen {
		t.Errorf("%+v, %v", d, err)
	}
	if fmt.Sprint(f.Groups) != "[[a b] [c d]]" || f.Players[2].Group != 1 {
		t.Errorf("groups %v", f.Groups)
	}
	elo := 200 * math.Log10(3)
	for i, want := range []float64{elo, -elo, 0, 0} {
		near(t, f.Players[i].Name, f.Players[i].Elo.Value, want, 1e-6, 0)
	}
	pv, err := f.Significant([][2]string{{"a", "c"}})
	if err != nil || pv[0] != 1 {
		t.Errorf("p %v, %v", pv, err)
	}
	los := f.LOS()
	if los[0][2] != 0.5 || los[0][0] != 0.5 || !(los[0][1] > 0.99) || math.Abs(los[0][1]+los[1][0]-1) > 1e-12 {
		t.Errorf("%v", los)
	}
	for _, r := range f.Ranks(1) {
		want := map[string][3]int{"a": {1, 1, 1}, "b": {2, 2, 2}, "c": {1, 1, 2}, "d": {2, 1, 2}}[r.Name]
		if r.Place != want[0] || r.Lo != want[1] || r.Hi != want[2] || r.Group != map[bool]int{false: 0, true: 1}[r.Name > "b"] {
			t.Errorf("%+v, want place %d within %d to %d", r, want[0], want[1], want[2])
		}
	}
	// An anchor moves its own group alone.
	f = mustFit(t, table, Options{Anchor: "b", AnchorElo: 1000})
	for i, want := range []float64{1000 + 2*elo, 1000, 0, 0} {
		near(t, "anchored "+f.Players[i].Name, f.Players[i].Elo.Value, want, 1e-6, 0)
	}
	if r := f.Players[1]; r.Elo.SE != 0 || r.Elo.Interval != (Interval{Lo: 1000, Hi: 1000}) || r.Status != StatusAnchor {
		t.Errorf("%+v", r)
	}
	diff, _ := f.Difference("a", "b")
	near(t, "its distance's error", f.Players[0].Elo.SE, diff.Elo.SE, 1e-9, 0)
	// That an advantage is from the prior does not join groups.
	oneSeat := mustFit(t, build(t, all(count("a", "b", 3, 1, 2), count("c", "d", 2, 1, 3))), Options{})
	if d, err := oneSeat.Difference("a", "c"); err != nil || d.Comparable || oneSeat.Errors != ErrorPosterior {
		t.Errorf("%s errors, %+v, %v", oneSeat.Errors, d, err)
	}
	f = mustFit(t, table, Options{AlwaysPrior: true})
	if d, _ := f.Difference("a", "c"); !d.Comparable || d.Elo.SE == 0 || d.Elo.Value < 20 {
		t.Errorf("with a prior: %+v", d)
	}
}

// Statuses: who has no bound, on which side, and that of the bound; by hand for a player who won all n of his games in both seats
// against one: the one-sided 95 % bound in a profile whose maximum is 0 at infinity is where n·ln p = -1.6449²/2.
func TestUnbounded(t *testing.T) {
	t.Parallel()
	table := build(t, all(
		count("b", "c", 300, 0, 300), count("c", "b", 300, 0, 300),
		count("a", "b", 20, 0, 0), count("b", "a", 0, 0, 20),
		count("z", "c", 0, 0, 30), count("c", "z", 30, 0, 0),
	))
	f := mustFit(t, table, Options{NoAdvantage: true})
	bound := func(n float64) float64 {
		p := math.Exp(-1.6448536269514722 * 1.6448536269514722 / 2 / n)
		return 400 * math.Log10(p/(1-p))
	}
	a, b, z := f.Players[0], f.Players[1], f.Players[3]
	if a.Status != StatusUnboundedAbove || z.Status != StatusUnboundedBelow || b.Status != StatusOK || !a.Elo.Prior || !z.Elo.Prior || b.Elo.Prior {
		t.Errorf("%+v", f.Players)
	}
	if !a.Elo.Interval.HiOpen || a.Elo.Interval.LoOpen || !z.Elo.Interval.LoOpen || z.Elo.Interval.HiOpen {
		t.Errorf("a %+v, z %+v", a.Elo.Interval, z.Elo.Interval)
	}
	// Relative to b and c together, whose own distance is known to be 0 with 1200 games: nearly exact.
	near(t, "a's lower bound", a.Elo.Interval.Lo-b.Elo.Value, bound(40), 8, 0)
	near(t, "z's upper bound", z.Elo.Interval.Hi-b.Elo.Value, -bound(60), 8, 0)
	// Above or below the rest and nobody on the other side: the distance is from the rest, however the parts are numbered.
	for _, above := range []bool{true, false} {
		winner, loser, sign := "a", "b", 1.0
		if !above {
			winner, loser, sign = "b", "a", -1
		}
		one := mustFit(t, build(t, all(
			count("b", "c", 300, 0, 300), count("c", "b", 300, 0, 300), count(winner, loser, 20, 0, 0), count(loser, winner, 0, 0, 20),
		)), Options{NoAdvantage: true})
		end := one.Players[0].Elo.Interval.Lo
		if !above {
			end = one.Players[0].Elo.Interval.Hi
		}
		near(t, "the bound of one apart", end-one.Players[1].Elo.Value, sign*bound(40), 8, 0)
	}
	// Among so many that not everybody is fitted again at each step: 41 who are equal, and one who won all of 40 games against one of them.
	many := mustFit(t, build(t, func(b *Builder) error {
		errs := []error{b.AddCount("a", "p00", "", 20, 0, 0), b.AddCount("p00", "a", "", 0, 0, 20)}
		for i := range fullProfile + 1 {
			errs = append(errs, b.AddCount(fmt.Sprintf("p%02d", i), fmt.Sprintf("p%02d", (i+1)%(fullProfile+1)), "", 500, 0, 500))
		}
		return errors.Join(errs...)
	}), Options{NoAdvantage: true})
	if v := many.Players[0].Elo.Interval; v.LoOpen || !v.HiOpen {
		t.Errorf("%+v", v)
	}
	near(t, "a's lower bound among many", many.Players[0].Elo.Interval.Lo-many.Players[1].Elo.Value, bound(40), 1, 0)
	// Above some and below others: open on both sides.
	chain := mustFit(t, build(t, all(
		count("a", "b", 9, 0, 0), count("b", "a", 0, 0, 9), count("b", "c", 9, 0, 0), count("c", "b", 0, 0, 9),
	)), Options{NoAdvantage: true})
	if m := chain.Players[1]; m.Status != StatusUnbounded || !m.Elo.Interval.LoOpen || !m.Elo.Interval.HiOpen {
		t.Errorf("%+v", m)
	}
	// One player who won once and one who lost once against the same pool are only ordered.
	for _, r := range mustFit(t, build(t, func(b *Builder) error { return b.AddPlayer("idle") }), Options{}).Players {
		if r.Status != StatusNoInformation || r.Elo.SE != 400 || !r.Elo.Prior {
			t.Errorf("%+v", r)
		}
	}
	for _, r := range mustFit(t, build(t, all(count("a", "b", 3, 1, 2), count("b", "a", 3, 1, 2), func(b *Builder) error { return b.AddPlayer("idle") })), Options{AlwaysPrior: true, PriorSD: 250}).Players[2:] {
		near(t, "one without games among others", r.Elo.Value, 0, 1e-9, 0)
		near(t, "his error", r.Elo.SE, 250, 1e-6, 0)
	}
	// So is an advantage without a game.
	idle := mustFit(t, build(t, func(b *Builder) error { return b.AddPlayer("idle") }), Options{PriorSD: 300}).Advantages[0]
	near(t, "lo of an advantage without games", idle.Elo.Interval.Lo, -z975*300, 1e-9, 0)
	near(t, "hi of an advantage without games", idle.Elo.Interval.Hi, z975*300, 1e-9, 0)
}

// An advantage that no game tells is from the prior, and its interval has the normal multiple although the ratings, of 40 pairs,
// have Student's. In y the one match-up is won throughout, whoever begins.
func TestAdvantageFromThePrior(t *testing.T) {
	t.Parallel()
	table := build(t, func(b *Builder) error {
		return errors.Join(
			b.AddPairs("a", "b", "x", FirstWins, SecondWins, 12), b.AddPairs("a", "b", "x", FirstWins, FirstWins, 10),
			b.AddPairs("a", "b", "x", SecondWins, FirstWins, 8), b.AddPairs("a", "b", "x", SecondWins, SecondWins, 10),
			b.AddCount("z", "a", "y", 3, 0, 0), b.AddCount("a", "z", "y", 0, 0, 3),
		)
	})
	f := mustFit(t, table, Options{PerStratum: true, Errors: ErrorPair})
	x, y := f.Advantages[0], f.Advantages[1]
	if f.Errors != ErrorPair || f.DF < 30 || f.DF > 45 || x.Status != StatusOK || y.Status != StatusPrior {
		t.Fatalf("errors %s with %g degrees of freedom, %+v, %+v", f.Errors, f.DF, x, y)
	}
	if !y.Elo.Interval.LoOpen || !y.Elo.Interval.HiOpen {
		t.Errorf("no game bounds the advantage of y, but %+v", y.Elo.Interval)
	}
	near(t, "Student's", x.Elo.Interval.Hi-x.Elo.Value, quantile(0.95, f.DF)*x.Elo.SE, 1e-9, 0)
	if quantile(0.95, f.DF) < z975+0.04 {
		t.Error("the case does not tell the two apart")
	}
}

// Options out of range are refused, those at the ends are not.
func TestFitOptions(t *testing.T) {
	t.Parallel()
	table := build(t, all(count("a", "b", 3, 1, 2), count("b", "a", 3, 1, 2)))
	inf := math.Inf(1)
	for name, o := range map[string]Options{
		"level 1": {Level: 1}, "level below 0": {Level: -0.5}, "level": {Level: math.NaN()}, "prior below 0": {PriorSD: -1}, "prior": {PriorSD: inf}, "no prior": {PriorSD: math.NaN()},
		"anchor": {AnchorElo: inf}, "anchor below": {AnchorElo: -inf}, "anchor nowhere": {AnchorElo: math.NaN()}, "model": {Model: 3}, "model below": {Model: -1}, "errors": {Errors: ErrorPosterior + 1}, "errors below": {Errors: -1},
	} {
		if _, err := table.Fit(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, o := range []Options{{Level: 0.999}, {Model: ModelRaoKupper}, {Errors: ErrorPosterior}, {AnchorElo: -1e6, Anchor: "a"}, {PriorSD: 1}} {
		mustFit(t, table, o)
	}
	for k := ErrorAuto; k <= ErrorPosterior; k++ {
		if got, err := ParseErrorKind(k.String()); got != k || err != nil {
			t.Errorf("%s is read as %s, %v", k, got, err)
		}
	}
	if _, err := ParseErrorKind("none"); err == nil {
		t.Error("an unknown kind of error was taken")
	}
	if ModelScore.String() != "score" || ModelDavidson.String() != "davidson" || ModelRaoKupper.String() != "raokupper" {
		t.Error("names of models")
	}
	for v, inside := range map[Interval][3]bool{{Lo: 1, Hi: 2}: {false, true, false}, {Hi: 2, LoOpen: true}: {true, true, false}, {Lo: 1, HiOpen: true}: {false, true, true}} {
		for i, x := range []float64{0.5, 1.5, 2.5} {
			if v.Contains(x) != inside[i] {
				t.Errorf("%+v contains %g: %t", v, x, !inside[i])
			}
		}
		lo, hi := v.Ends()
		if math.IsInf(lo, -1) != v.LoOpen || math.IsInf(hi, 1) != v.HiOpen || !v.LoOpen && lo != 1 || !v.HiOpen && hi != 2 {
			t.Errorf("%+v ends at %g and %g", v, lo, hi)
		}
	}
	if v := (Interval{Lo: 1, Hi: 2}); !v.Contains(1) || !v.Contains(2) {
		t.Error("the ends belong to an interval")
	}
}

// A builder counts as a list does: players and pairings in order, games, clusters and what has no pair.
func TestBuilderCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		type seat struct{ first, second, stratum string }
		name := rapid.SampledFrom([]string{"a", "b", "c"})
		want := map[seat]Count{}
		var b Builder
		games := int64(0)
		for range rapid.IntRange(0, 30).Draw(t, "games") {
			s := seat{name.Draw(t, "first"), name.Draw(t, "second"), rapid.SampledFrom([]string{"", "y"}).Draw(t, "stratum")}
			if s.first == s.second {
				continue
			}
			o := Outcome(rapid.IntRange(0, 2).Draw(t, "result"))
			if err := b.Add(Game{First: s.first, Second: s.second, Stratum: s.stratum, Result: o, Pair: rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "pair")}); err != nil {
				t.Fatal(err)
			}
			c := want[s]
			switch o {
			case FirstWins:
				c.Wins++
			case Draw:
				c.Draws++
			default:
				c.Losses++
			}
			want[s] = c
			games++
		}
		table := b.Table()
		last := ""
		for _, p := range table.Pairings() {
			s := seat{table.Players()[p.First], table.Players()[p.Second], table.Strata()[p.Stratum]}
			if key := s.stratum + " " + s.first + " " + s.second; key <= last {
				t.Fatalf("pairings out of order at %s", key)
			} else {
				last = key
			}
			if want[s] != (Count{p.Wins, p.Draws, p.Losses}) {
				t.Fatalf("%v: %+v, want %+v", s, p, want[s])
			}
			delete(want, s)
		}
		if len(want) != 0 || table.Games() != games {
			t.Fatalf("%v is missing of %d games", want, games)
		}
		// Every game is in one cluster, or alone.
		inside := int64(0)
		for _, c := range clusters(table) {
			for _, x := range c.terms {
				inside += c.count * (x.n[0] + x.n[1] + x.n[2])
			}
		}
		if inside != games {
			t.Fatalf("%d games in clusters and alone, want %d", inside, games)
		}
	})
	// The limits of counts.
	var b Builder
	for _, err := range []error{b.AddCount("a", "b", "", 0, 0, maxGames+1), b.AddPairs("a", "b", "", 0, 0, maxGames/2+1), b.AddCount("a", "b", "", maxGames/2+1, 0, maxGames/2+1)} {
		if !errors.Is(err, ErrBadCount) {
			t.Errorf("%v, want ErrBadCount", err)
		}
	}
	if err := b.AddPairs("a", "b", "", Draw, Draw, maxGames/2); err != nil {
		t.Error(err)
	}
	if err := b.AddPairs("a", "b", "", Draw, Draw, 0); err != nil {
		t.Error(err)
	}
	if err := b.Add(Game{First: "a", Second: "b", Result: Draw}); maxGames%2 == 0 && !errors.Is(err, ErrBadCount) {
		t.Errorf("one game too many: %v", err)
	}
	// A cluster of another shape is skipped among pairs: it is one however many games it holds.
	b = Builder{}
	for _, g := range []Game{{First: "a", Second: "b", Pair: "1"}, {First: "a", Second: "b", Pair: "1"}, {First: "a", Second: "b", Pair: "2", Result: FirstWins}, {First: "b", Second: "a", Pair: "2"}, {First: "a", Second: "c", Pair: "3"}, {First: "a", Second: "c", Pair: "3"}, {First: "a", Second: "c", Pair: "4"}, {First: "a", Second: "c", Pair: "4"}} {
		if err := b.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	if c, skipped := b.Table().Pentanomial("b", "a"); c != [5]int64{1, 0, 0, 0, 0} || skipped != 1 {
		t.Errorf("%v, %d skipped; want one pair lost and one skipped", c, skipped)
	}
}

// Equations fix what they fix, in whatever order they come: of x + y and y both are fixed, of y + z neither but with them.
func TestWhatEquationsFix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rows [][]float64
		want []bool
		rank int
	}{
		{[][]float64{{1, 1, 0}}, []bool{false, false, false}, 1},
		{[][]float64{{1, 1, 0}, {0, 1, 0}}, []bool{true, true, false}, 2},
		{[][]float64{{0, 1, 0}, {1, 1, 0}}, []bool{true, true, false}, 2},
		{[][]float64{{1, 1, 0}, {0, 1, 1}}, []bool{false, false, false}, 2},
		{[][]float64{{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}, []bool{true, true, true}, 3},
		{[][]float64{{1, 1, 0}, {0, 1, 1}, {1, 0, -1}}, []bool{false, false, false}, 2}, // the first less the second
		{[][]float64{{0, 0, -2}}, []bool{false, false, true}, 1},
		{[][]float64{{0, 0, 1e-12}}, []bool{false, false, false}, 0},
	} {
		e := newEliminator(3)
		for _, r := range c.rows {
			e.add(slices.Clone(r))
		}
		if got := e.determined(); !slices.Equal(got, c.want) || e.rank != c.rank {
			t.Errorf("%v fix %v, rank %d, want %v, %d", c.rows, got, e.rank, c.want, c.rank)
		}
	}
}

// Pairs that are all alike have no scatter, so that errors over pairs would be 0: the naive ones are given, and that is said.
func TestErrorsOfPairsThatAreAlike(t *testing.T) {
	t.Parallel()
	for _, alike := range []bool{true, false} {
		var b Builder
		if err := b.AddPairs("a", "b", "", FirstWins, FirstWins, 20); err != nil { // the seat decides every pair
			t.Fatal(err)
		}
		if !alike {
			if err := b.AddPairs("a", "b", "", FirstWins, SecondWins, 10); err != nil {
				t.Fatal(err)
			}
		}
		fit, err := b.Table().Fit(Options{Errors: ErrorPair, NoAdvantage: true})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Contains(strings.Join(fit.Warnings, "\n"), "the games vary too little")
		if said != alike || (fit.Errors == ErrorNaive) != alike || !(fit.Players[0].Elo.SE > 1) {
			t.Errorf("alike %t: %v errors, SE %g, %q", alike, fit.Errors, fit.Players[0].Elo.SE, fit.Warnings)
		}
	}
}

// Games with the same hash are one cluster where that is asked for, whatever the hash is.
func TestClustersOfEqualGames(t *testing.T) {
	t.Parallel()
	clusters := func(together bool, hashes ...uint64) int64 {
		b := Builder{ClusterIdentical: together}
		for i, h := range hashes {
			g := Game{First: "a", Second: "b", Result: FirstWins, Hash: h}
			if i%2 == 1 {
				g.Result = SecondWins
			}
			if err := b.Add(g); err != nil {
				t.Fatal(err)
			}
		}
		fit, err := b.Table().Fit(Options{Errors: ErrorPair})
		if err != nil {
			t.Fatal(err)
		}
		return fit.Clusters
	}
	for _, c := range []struct {
		together bool
		hashes   []uint64
		want     int64
	}{{true, []uint64{1, 2, 1, 2}, 2}, {true, []uint64{5, 6, 5, 6}, 2}, {true, []uint64{1, 2, 3, 4}, 4}, {true, []uint64{0, 0, 0, 0}, 4}, {false, []uint64{1, 2, 1, 2}, 4}} {
		if got := clusters(c.together, c.hashes...); got != c.want {
			t.Errorf("together %t, hashes %v: %d clusters, want %d", c.together, c.hashes, got, c.want)
		}
	}
}

// Who lost a million games is further below than the prior puts him: the bound is what the games say, not what the prior does.
func TestBoundBeyondThePrior(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, all(
		count("b", "c", 300, 0, 300), count("c", "b", 300, 0, 300), count("z", "c", 0, 0, 500_000), count("c", "z", 500_000, 0, 0),
	)), Options{NoAdvantage: true})
	z := f.Players[2]
	if z.Status != StatusUnboundedBelow || !z.Elo.Interval.LoOpen || z.Elo.Interval.HiOpen || z.Elo.Interval.Hi > z.Elo.Value {
		t.Errorf("z %s, %.0f, %+v", z.Status, z.Elo.Value, z.Elo.Interval)
	}
	h, err := f.HeadToHead("c", "z")
	if err != nil || !h.Elo.Interval.HiOpen || h.Elo.Interval.LoOpen || h.Score.Interval.Hi != 1 || h.Score.Interval.Lo < 0.98 {
		t.Errorf("c against z: %+v, %v", h, err)
	}
}

// Where each seat won one game of every pair of y, the advantage in y has no scatter over pairs and is given the naive error; what else there is keeps that of its
// pairs. By hand: a has p = 2/3 of 120 games, the pairs lie 1/3, 2/3 or 4/3 points off 2p, and with balanced seats the difference and the
// advantages do not touch each other.
func TestErrorsOfOneAdvantageThatIsAlike(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, func(b *Builder) error {
		return errors.Join(
			b.AddPairs("a", "b", "x", FirstWins, FirstWins, 10), b.AddPairs("a", "b", "x", SecondWins, SecondWins, 10),
			b.AddPairs("a", "b", "x", FirstWins, SecondWins, 15), b.AddPairs("a", "b", "x", SecondWins, FirstWins, 5),
			b.AddPairs("a", "b", "y", FirstWins, SecondWins, 15), b.AddPairs("a", "b", "y", SecondWins, FirstWins, 5),
		)
	}), Options{PerStratum: true})
	const variance, factor = 2. / 9, 60. / 59
	d, err := f.Difference("a", "b")
	if err != nil || f.Errors != ErrorPair || f.DF != 59 {
		t.Fatalf("%s errors on %g degrees of freedom, %v", f.Errors, f.DF, err)
	}
	unit := 400 / math.Ln10
	near(t, "difference", d.Elo.SE, unit*math.Sqrt(factor*(20./9+30*4./9+10*16./9))/(120*variance), 1e-3, 0)
	near(t, "advantage in x", f.Advantages[0].Elo.SE, unit*math.Sqrt(factor*20)/(80*variance), 1e-3, 0)
	near(t, "advantage in y", f.Advantages[1].Elo.SE, unit/math.Sqrt(40*variance), 1e-3, 0)
	if said := strings.Join(f.Warnings, "\n"); !strings.Contains(said, `too little for a pair error of the first-player advantage in "y"`) || strings.Contains(said, `"x"`) {
		t.Error(said)
	}
}
