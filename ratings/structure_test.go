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

	"spar/configs/must"
)

// randomPairings draws match-ups of n players in some strata, with few games, so that much is missing.
func randomPairings(t *rapid.T, n, strata int) []Pairing {
	var out []Pairing
	for range rapid.IntRange(0, 2*n).Draw(t, "pairings") {
		p := Pairing{
			First: rapid.IntRange(0, n-1).Draw(t, "first"), Second: rapid.IntRange(0, n-1).Draw(t, "second"),
			Stratum: rapid.IntRange(0, strata-1).Draw(t, "stratum"),
		}
		if p.First == p.Second {
			continue
		}
		p.Wins, p.Draws, p.Losses = int64(rapid.IntRange(0, 1).Draw(t, "wins")), int64(rapid.IntRange(0, 1).Draw(t, "draws")),
			int64(rapid.IntRange(0, 1).Draw(t, "losses"))
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
		var used []Pairing
		for x, p := range pairs {
			if use[x] {
				used = append(used, p)
			}
		}
		g := scoredAgainst(n, used)
		strong, nStrong := g.strong()
		weak, nWeak := weakComponents(n, used)
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

// An advantage is identified exactly if it is a combination of the match-ups' equations c_first - c_second + α: if its
// unit vector adds nothing to their rank.
func TestIdentifiable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "players")
		strata := rapid.IntRange(1, 4).Draw(t, "strata")
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
		got := identifiable(n, pairs, use, slices.Repeat([]bool{true}, strata), of)
		for s := range strata {
			unit := make([]float64, n+strata)
			unit[n+s] = 1
			if want := len(rows) > 0 && rank(append(slices.Clone(rows), unit)) == rank(rows); got[s] != want {
				t.Fatalf("advantage %d identified: %t, want %t", s, got[s], want)
			}
		}
	})
}

// The gradient and the information of a whole likelihood, prior included, are the derivatives of its value; fixed
// parameters have none.
func TestProblemDerivatives(t *testing.T) {
	t.Parallel()
	table := build(t, func(b *Builder) error {
		return errors.Join(b.AddCount("a", "b", "x", 5, 2, 3), b.AddCount("b", "c", "y", 4, 1, 2),
			b.AddCount("c", "a", "x", 1, 2, 6), b.AddCount("b", "a", "y", 2, 0, 2))
	})
	for _, m := range []Model{ModelScore, ModelDavidson} {
		p := newLikelihood(table, m, []int{0, 1}, []bool{true, true, true, true}, []bool{true, true}, []int{0, 0, 0}, 1)
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

// Davidson's draws for a given expected score p solve D = ν·sqrt(WL) with W - L = 2p - 1 and W + D + L = 1; of several
// match-ups the rate at equality is that which expects the draws there were.
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

// Two players in balanced seats, by hand: a has p of the points, the rating difference is the logit of p, and its error
// by kind is 400/ln 10 · sqrt(v/n)/(p(1-p)), v being the variance of a game.
func TestTwoPlayersByHand(t *testing.T) {
	t.Parallel()
	// As first 70-20-30, as second the mirror image: no advantage. p = 80/120 = 2/3, a sixth drawn.
	table := build(t, all(count("a", "b", 70, 20, 30), count("b", "a", 30, 20, 70)))
	const n, p, d = 240.0, 2.0 / 3, 1.0 / 6
	elo := 400 * math.Log10(p/(1-p))
	mean := (140.0*1 + 40*0.25) / n // of squares
	for kind, v := range map[ErrorKind]float64{
		ErrorNaive: p * (1 - p), ErrorDrawAware: p*(1-p) - d/4,
		ErrorGame: mean - p*p,
	} {
		f := mustFit(t, table, Options{Errors: kind})
		se := 400 / math.Ln10 * math.Sqrt(v/n) / (p * (1 - p))
		diff := must.Get(f.Difference("a", "b"))(t)
		near(t, kind.String()+" Elo", diff.Elo.Value, elo, 1e-6, 0)
		near(t, kind.String()+" error", diff.Elo.SE, se, 1e-4, 0)
		near(t, kind.String()+" lo", diff.Elo.Lo, elo-z975*se, 1e-3, 0)
		near(t, kind.String()+" hi", diff.Elo.Hi, elo+z975*se, 1e-3, 0)
		near(t, kind.String()+" LOS", diff.LOS, 0.5*math.Erfc(-elo/se/math.Sqrt2), 1e-6, 0)
		// Each rating is half the difference from the mean, with half its error.
		near(t, "rating", f.Players[0].Elo.Value, elo/2, 1e-6, 0)
		near(t, "its error", f.Players[0].Elo.SE, se/2, 1e-4, 0)
		near(t, "advantage", f.Advantages[0].Elo.Value, 0, 1e-6, 0)
		near(t, "its error", f.Advantages[0].Elo.SE, se, 1e-4, 0) // by balance, that of the same number of games
		ranks := f.Ranks(1)
		near(t, "critical value of one difference", ranks[0].Critical, z975, 1e-9, 0)
		if ranks[0].Name != "a" || ranks[0].Hi != 1 || ranks[1].Lo != 2 {
			t.Errorf("%+v", ranks)
		}
	}
	// The model reproduces the results.
	w, dr, l, err := mustFit(t, table, Options{}).Predict("a", "b", "")
	if err != nil {
		t.Fatal(err)
	}
	near(t, "win", w, 70.0/120, 1e-6, 0)
	near(t, "draw", dr, d, 1e-6, 0)
	near(t, "loss", l, 30.0/120, 1e-6, 0)
	f := mustFit(t, table, Options{})
	if _, err := f.Difference("a", "x"); !errors.Is(err, ErrUnknownPlayer) {
		t.Errorf("an unknown player: %v", err)
	}
}

// A player who won all n of his games in both seats has no upper bound, and the exact one-sided 95 % lower bound
// .05^(1/n); a loser is his mirror image; who is above some and below others has no bound at all.
func TestUnbounded(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, all(count("b", "c", 300, 0, 300), count("c", "b", 300, 0, 300), count("a", "b", 20, 0, 0),
		count("b", "a", 0, 0, 20), count("z", "c", 0, 0, 30), count("c", "z", 30, 0, 0))), Options{NoAdvantage: true})
	bound := func(n float64) float64 {
		p := math.Pow(0.05, 1/n)
		return 400 * math.Log10(p/(1-p))
	}
	a, b, z := f.Players[0], f.Players[1], f.Players[3]
	if a.Status != StatusUnboundedAbove || z.Status != StatusUnboundedBelow || b.Status != StatusOK || !a.Elo.Prior ||
		b.Elo.Prior {
		t.Errorf("%+v", f.Players)
	}
	if a.Elo.Open() != "above" || z.Elo.Open() != "below" {
		t.Errorf("a %s, z %s", a.Elo, z.Elo)
	}
	// Relative to b and c together, whose own distance is known to be 0 with 1200 games: nearly exact.
	near(t, "a's lower bound", a.Elo.Lo-b.Elo.Value, bound(40), 8, 0)
	near(t, "z's upper bound", z.Elo.Hi-b.Elo.Value, -bound(60), 8, 0)
	// Among so many that not everybody is fitted again at each step: 41 who are equal, and one who won all of 40 games
	// against one of them.
	many := mustFit(t, build(t, func(b *Builder) error {
		errs := []error{b.AddCount("a", "p00", "", 20, 0, 0), b.AddCount("p00", "a", "", 0, 0, 20)}
		for i := range fullProfile + 1 {
			errs = append(errs, b.AddCount(fmt.Sprintf("p%02d", i), fmt.Sprintf("p%02d", (i+1)%(fullProfile+1)), "", 500, 0,
				500))
		}
		return errors.Join(errs...)
	}), Options{NoAdvantage: true})
	near(t, "a's lower bound among many", many.Players[0].Elo.Lo-many.Players[1].Elo.Value, bound(40), 1, 0)
	chain := mustFit(t, build(t, all(count("a", "b", 9, 0, 0), count("b", "a", 0, 0, 9), count("b", "c", 9, 0, 0),
		count("c", "b", 0, 0, 9))), Options{NoAdvantage: true})
	if m := chain.Players[1]; m.Status != StatusUnbounded || m.Elo.Open() != "both" {
		t.Errorf("%+v", m)
	}
}

// Options out of range are refused.
func TestFitOptions(t *testing.T) {
	t.Parallel()
	table := build(t, all(count("a", "b", 3, 1, 2), count("b", "a", 3, 1, 2)))
	inf := math.Inf(1)
	for name, o := range map[string]Options{
		"level": {Level: 1}, "anchor": {Anchors: []Anchor{{"a", inf}}}, "model": {Model: 3},
		"errors": {Errors: ErrorPosterior + 1},
	} {
		if _, err := table.Fit(o); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for k := ErrorAuto; k <= ErrorPosterior; k++ {
		if got, err := ParseErrorKind(k.String()); got != k || err != nil {
			t.Errorf("%s is read as %s, %v", k, got, err)
		}
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
			must.Do(t, b.Add(Game{
				First: s.first, Second: s.second, Stratum: s.stratum, Result: o,
				Pair: rapid.SampledFrom([]string{"", "1", "2"}).Draw(t, "pair"),
			}))
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
		for _, c := range clustersOf(&table.pairs) {
			for _, x := range c.terms {
				inside += c.count * (x.n[0] + x.n[1] + x.n[2])
			}
		}
		if inside != games {
			t.Fatalf("%d games in clusters and alone, want %d", inside, games)
		}
	})
}

// Pairs that are all alike have no scatter, so that errors over pairs would be 0: the naive ones are given, and that is
// said. The seat's advantage still rests on pairs: with 40 pairs of two equal games it is that of 40 games, not of 80.
func TestErrorsOfPairsThatAreAlike(t *testing.T) {
	t.Parallel()
	for _, other := range []int64{0, 10} {
		var b Builder
		for x, n := range []int64{20, other, other, 20} {
			must.Do(t, b.AddPairs("a", "b", "", Outcome(x%2*2), Outcome(x/2*2), n))
		}
		fit := mustFit(t, b.Table(), Options{Errors: ErrorPair})
		if e := fit.Advantages[0].Elo; other == 0 {
			near(t, "the advantage's error", e.SE, 2/math.Sqrt(39)/eloUnit, 1e-6, 0) // of 40 games at 1/2, times 40/39
			near(t, "its upper bound", e.Hi, 2.02269*e.SE, 1e-3, 0)                  // Student's t, 39 degrees
		}
		said := strings.Contains(strings.Join(fit.Warnings, "\n"), "the games vary too little")
		if alike := other == 0; said != alike || (fit.Errors == ErrorNaive) != alike || !(fit.Players[0].Elo.SE > 1) {
			t.Errorf("%d: %v errors, %q", other, fit.Errors, fit.Warnings)
		}
	}
}

// Games with the same hash are one cluster, whatever the hash is; 0 is none.
func TestClustersOfEqualGames(t *testing.T) {
	t.Parallel()
	clusters := func(hashes []uint64) int64 {
		var b Builder
		for i, h := range hashes {
			g := Game{First: "a", Second: "b", Result: FirstWins, Hash: h}
			if i%2 == 1 {
				g.Result = SecondWins
			}
			must.Do(t, b.Add(g))
		}
		fit := must.Get(b.Table().Fit(Options{Errors: ErrorPair}))(t)
		return fit.Clusters
	}
	for _, c := range []struct {
		hashes []uint64
		want   int64
	}{
		{[]uint64{1, 2, 1, 2}, 2},
		{[]uint64{5, 6, 5, 6}, 2},
		{[]uint64{1, 2, 3, 4}, 4},
		{[]uint64{0, 0, 0, 0}, 4},
	} {
		if got := clusters(c.hashes); got != c.want {
			t.Errorf("hashes %v: %d clusters, want %d", c.hashes, got, c.want)
		}
	}
}

// Who lost a million games has the bound that the games say, .05^(1/n), not one that the prior does.
func TestBoundBeyondThePrior(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, all(count("b", "c", 300, 0, 300), count("c", "b", 300, 0, 300),
		count("z", "c", 0, 0, 500_000), count("c", "z", 500_000, 0, 0))), Options{NoAdvantage: true})
	z := f.Players[2]
	if z.Status != StatusUnboundedBelow || !z.Elo.Interval.LoOpen || z.Elo.Interval.HiOpen {
		t.Errorf("z %s, %.0f, %+v", z.Status, z.Elo.Value, z.Elo.Interval)
	}
	near(t, "z below b", z.Elo.Hi-f.Players[0].Elo.Value, 400*math.Log10(1-math.Pow(0.05, 1e-6)), 1, 0)
	h, err := f.HeadToHead("c", "z")
	if err != nil || !h.Elo.Interval.HiOpen || h.Elo.Interval.LoOpen || h.Score.Interval.Hi != 1 ||
		h.Score.Interval.Lo < 0.98 {
		t.Errorf("c against z: %+v, %v", h, err)
	}
}
