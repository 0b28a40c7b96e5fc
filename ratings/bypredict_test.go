package ratings

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// dealt is a pair of games with swapped seats, or a single game of which the second has no result.
type dealt struct {
	a, b, stratum string
	first, second Outcome
	alone         bool
	times         int64
}

// twoStrata are pairs and single games of three players in two strata that differ in what the first seat is worth and in how often games are
// drawn.
var twoStrata = []dealt{
	{"a", "b", "x", FirstWins, SecondWins, false, 9},
	{"a", "b", "x", FirstWins, FirstWins, false, 6},
	{"b", "a", "x", Draw, FirstWins, false, 5},
	{"a", "b", "x", SecondWins, Draw, false, 3},
	{"c", "b", "x", FirstWins, Draw, false, 7},
	{"b", "c", "x", FirstWins, SecondWins, false, 4},
	{"b", "c", "x", FirstWins, Draw, true, 2},
	{"c", "a", "x", SecondWins, FirstWins, false, 5},
	{"a", "c", "x", FirstWins, FirstWins, false, 4},
	{"a", "c", "x", Draw, Draw, true, 3},
	{"a", "b", "y", FirstWins, Draw, false, 8},
	{"b", "a", "y", SecondWins, SecondWins, false, 5},
	{"b", "a", "y", Draw, Draw, false, 9},
	{"b", "a", "y", SecondWins, Draw, true, 4},
	{"c", "b", "y", Draw, SecondWins, false, 6},
	{"c", "b", "y", FirstWins, SecondWins, false, 5},
	{"c", "a", "y", FirstWins, SecondWins, false, 7},
	{"a", "c", "y", Draw, SecondWins, false, 3},
}

// nearlyAlike are pairs of which all but one of a cell ended alike: less scatter than a single point.
var nearlyAlike = []dealt{
	{"a", "b", "x", FirstWins, SecondWins, false, 7},
	{"a", "b", "x", FirstWins, Draw, false, 1},
	{"b", "c", "x", FirstWins, SecondWins, false, 6},
	{"c", "a", "x", FirstWins, SecondWins, false, 5},
	{"a", "b", "y", SecondWins, FirstWins, false, 4},
	{"b", "c", "y", Draw, Draw, false, 5},
	{"c", "a", "y", FirstWins, SecondWins, false, 6},
}

// few are so few pairs that their scatter has one degree of freedom.
var few = []dealt{
	{"a", "b", "x", FirstWins, FirstWins, false, 1},
	{"a", "b", "x", SecondWins, Draw, false, 1},
	{"b", "c", "x", SecondWins, SecondWins, false, 1},
	{"c", "a", "x", FirstWins, FirstWins, false, 1},
	{"a", "b", "y", SecondWins, SecondWins, false, 1},
	{"b", "c", "y", FirstWins, FirstWins, false, 1},
	{"c", "a", "y", FirstWins, FirstWins, false, 1},
}

func deal(t *testing.T, ds []dealt, alone bool) *Table {
	t.Helper()
	return build(t, func(b *Builder) error {
		for _, d := range ds {
			for range d.times {
				if d.alone || alone {
					if err := b.Add(Game{First: d.a, Second: d.b, Stratum: d.stratum, Result: d.first}); err != nil {
						return err
					}
				}
				if !d.alone && alone {
					if err := b.Add(Game{First: d.b, Second: d.a, Stratum: d.stratum, Result: d.second}); err != nil {
						return err
					}
				}
			}
			if !d.alone && !alone {
				if err := b.AddPairs(d.a, d.b, d.stratum, d.first, d.second, d.times); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// expected is the mean and the variance of a game's score by the probabilities that the fit predicts.
func expected(t *testing.T, f *Fit, first, second, stratum string) (mean, variance float64) {
	t.Helper()
	w, d, _, err := f.Predict(first, second, stratum)
	if err != nil {
		t.Fatal(err)
	}
	mean = w + d/2
	return mean, w + d/4 - mean*mean
}

// around is the sum of squares of values about their mean.
func around(xs []float64) (squares float64) {
	mean := 0.0
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	return squares
}

// How a match-up deviates is what its games brought against what the fit predicts of each, in the variance that it predicts; with pairs,
// times how much more these vary about the mean of their match-up than their games should. Game for game, in all models.
func TestLackOfFitIsAgainstThePredictions(t *testing.T) {
	t.Parallel()
	for _, m := range []Model{ModelScore, ModelDavidson, ModelRaoKupper} {
		for k, alone := range []bool{true, false, false} {
			var ds []dealt
			for _, d := range twoStrata {
				if !d.alone || alone || k == 2 && d.a != "c" && d.b != "c" {
					ds = append(ds, d)
				}
			}
			kind := map[bool]ErrorKind{true: ErrorDrawAware, false: ErrorPair}[alone]
			f := mustFit(t, deal(t, ds, alone), Options{Model: m, Errors: kind, PerStratum: true})
			type match struct {
				obs, variance float64
				pairs         []float64
				single        bool
			}
			of := map[string]*match{"ab": {}, "ac": {}, "bc": {}}
			for _, d := range ds {
				lower, upper, sign := d.a, d.b, 1.0
				if lower > upper {
					lower, upper, sign = upper, lower, -1
				}
				x := of[lower+upper]
				e1, v1 := expected(t, f, d.a, d.b, d.stratum)
				e2, v2 := expected(t, f, d.b, d.a, d.stratum)
				u1, u2 := d.first.Score()-e1, d.second.Score()-e2
				if d.alone {
					u2, v2, x.single = 0, 0, !alone
				}
				x.obs += float64(d.times) * sign * (u1 - u2)
				x.variance += float64(d.times) * (v1 + v2)
				for range d.times {
					x.pairs = append(x.pairs, sign*(u1-u2))
				}
			}
			scatter, should, free := 0.0, 0.0, 0.0
			for _, x := range of {
				n := float64(len(x.pairs))
				if x.single { // games outside pairs belong to the variance of the match-up, but not to that of its pairs
					continue
				}
				scatter, should, free = scatter+around(x.pairs), should+x.variance*(n-1)/n, free+n-1
			}
			effect := scatter / should
			if alone {
				effect, free = 1, 0
			}
			l := f.LackOfFit()
			if l.Clustered == alone || len(l.Pairs) != 3 || l.DF != 1 {
				t.Fatalf("%s alone %t: %+v", m, alone, l)
			}
			chi := 0.0
			for _, p := range l.Pairs {
				x := of[p.A+p.B]
				z := x.obs / math.Sqrt(x.variance*effect)
				chi += z * z
				near(t, fmt.Sprint(m, " ", p.A, p.B, " alone ", alone), p.Z, z, 1e-6, 1e-6)
				near(t, "observed less expected", p.Observed-p.Expected, x.obs, 1e-6, 0)
			}
			near(t, "chi-square", l.ChiSquare, chi, 1e-6, 1e-6)
			if want := (distuv.ChiSquared{K: 1}).Survival(chi); alone {
				near(t, "p", l.P, want, 0, 1e-4)
			} else {
				near(t, "p of pairs", l.P, distuv.F{D1: 1, D2: free}.Survival(chi), 0, 1e-4)
			}
		}
	}
}

// The tests of interactions, game for game from what the fit predicts: by match-up and stratum the squares of the excess in units of its
// variance, less those of the match-ups as wholes; by player what he and his opponents took as first, more than was expected. The variances are those
// of the games times how much more the pairs vary about the mean of their cell: their differences for the one, their sums for the other.
func TestInteractionsAreAgainstThePredictions(t *testing.T) {
	t.Parallel()
	unwanted := []dealt{{"a", "b", "z", FirstWins, Draw, false, 6}, {"a", "c", "z", SecondWins, Draw, false, 6}, {"a", "b", "z", SecondWins, FirstWins, false, 3}}
	for _, m := range []Model{ModelScore, ModelDavidson, ModelRaoKupper} {
		for k, alone := range []bool{true, false, false, false} {
			ds := [][]dealt{twoStrata, twoStrata, nearlyAlike, few}[k]
			f := mustFit(t, deal(t, append(slices.Clone(ds), unwanted...), alone), Options{Model: m, PerStratum: true})
			type cell struct {
				excess, first, variance float64
				diffs, sums             []float64
			}
			cells := map[[3]string]*cell{}
			for _, d := range ds {
				lower, upper, sign := d.a, d.b, 1.0
				if lower > upper {
					lower, upper, sign = upper, lower, -1
				}
				k := [3]string{lower, upper, d.stratum}
				if cells[k] == nil {
					cells[k] = &cell{}
				}
				c := cells[k]
				e1, v1 := expected(t, f, d.a, d.b, d.stratum)
				e2, v2 := expected(t, f, d.b, d.a, d.stratum)
				u1, u2 := d.first.Score()-e1, d.second.Score()-e2
				if d.alone {
					u2, v2 = 0, 0
				}
				c.excess += float64(d.times) * sign * (u1 - u2)
				c.first += float64(d.times) * (u1 + u2)
				c.variance += float64(d.times) * (v1 + v2)
				for range d.times {
					if !alone && !d.alone {
						c.diffs, c.sums = append(c.diffs, sign*(u1-u2)), append(c.sums, u1+u2)
					}
				}
			}
			byDiff, bySum, free := 1.0, 1.0, 0.0
			if !alone {
				diffs, sums, should := 0.0, 0.0, 0.0
				for _, c := range cells {
					n := float64(len(c.diffs))
					diffs, sums, should, free = diffs+around(c.diffs), sums+around(c.sums), should+c.variance*(n-1)/n, free+n-1
				}
				byDiff, bySum = diffs/should, sums/should
			}
			type total struct{ excess, variance float64 }
			chi, matches, seats := 0.0, map[string]total{}, map[string]total{}
			for k, c := range cells {
				chi += c.excess * c.excess / (c.variance * byDiff)
				x := matches[k[0]+k[1]]
				matches[k[0]+k[1]] = total{x.excess + c.excess, x.variance + c.variance*byDiff}
				for _, name := range k[:2] {
					y := seats[name]
					seats[name] = total{y.excess + c.first, y.variance + c.variance*bySum}
				}
			}
			for _, x := range matches {
				chi -= x.excess * x.excess / x.variance
			}
			what := fmt.Sprint(m, " case ", k)
			got := f.Interactions(func(stratum string) bool { return stratum != "z" })
			near(t, what+" game", got.Game.ChiSquare, chi, 1e-5, 1e-5)
			p := distuv.ChiSquared{K: 3}.Survival(chi)
			if free > 0 {
				p = distuv.F{D1: 3, D2: free}.Survival(chi / 3)
			}
			near(t, what+" p of game", got.Game.P, p, 0, 1e-4)
			least, who, top := 1.0, "", 0.0
			for name, x := range seats {
				z := x.excess / math.Sqrt(x.variance)
				if p := 3 * twoSided(z, free); p < least || who == "" {
					least, who = min(p, 1), name
				}
				top = max(top, z*z)
			}
			near(t, what+" seat", got.Seat.ChiSquare, top, 1e-5, 1e-5)
			near(t, what+" p of seat", got.Seat.P, least, 0, 1e-4)
			if got.Game.DF != 3 || got.Seat.DF != 2 || least < 1 && got.Player != who {
				t.Errorf("%s: %+v, want 3 and 2 degrees of freedom and %s", what, got, who)
			}
		}
	}
}

// Pairs that all ended alike have no scatter to be measured by: the games' own variance is taken. Three in a ring win all eight pairs against the next in
// one game and lose them in the other, so that all ratings are 0 and a game has the variance 1/4: each match-up in each game is 8 points from what was
// expected of 16, which is 64/4 six times, and nothing over both games. In the first game alone it is 64/4 three times.
func TestMatchUpsOfPairsThatAreAlike(t *testing.T) {
	t.Parallel()
	ring := func(stratum string, won, lost Outcome) func(b *Builder) error {
		return func(b *Builder) error {
			return errors.Join(b.AddPairs("a", "b", stratum, won, lost, 8), b.AddPairs("b", "c", stratum, won, lost, 8), b.AddPairs("c", "a", stratum, won, lost, 8))
		}
	}
	two := mustFit(t, build(t, all(ring("x", FirstWins, SecondWins), ring("y", SecondWins, FirstWins))), Options{PerStratum: true}).Interactions(func(string) bool { return true })
	near(t, "chi-square of the game", two.Game.ChiSquare, 96, 1e-9, 0)
	near(t, "chi-square of the seat", two.Seat.ChiSquare, 0, 1e-9, 0)
	if two.Game.DF != 3 || two.Seat.DF != 2 || two.Seat.P != 1 {
		t.Errorf("%+v", two)
	}
	one := mustFit(t, build(t, ring("", FirstWins, SecondWins)), Options{Errors: ErrorPair, NoAdvantage: true}).LackOfFit()
	near(t, "chi-square of a ring", one.ChiSquare, 48, 1e-9, 0)
	if one.DF != 1 || len(one.Pairs) != 3 {
		t.Errorf("%+v", one)
	}
}

// Match-ups that were drawn throughout by players who are level cannot deviate, and those that were dropped because one side never scored do not count:
// without them the test is the same.
func TestInteractionsOfWhatCannotDeviate(t *testing.T) {
	t.Parallel()
	fit := func(more func(b *Builder) error) Interactions {
		return mustFit(t, build(t, all(func(b *Builder) error {
			var errs []error
			for i, pair := range []string{"ab", "bc", "ca"} {
				n := int64(4 + i)
				errs = append(errs, b.AddPairs(pair[:1], pair[1:], "x", FirstWins, SecondWins, n), b.AddPairs(pair[:1], pair[1:], "x", SecondWins, FirstWins, n),
					b.AddPairs(pair[:1], pair[1:], "y", FirstWins, FirstWins, n), b.AddPairs(pair[:1], pair[1:], "y", SecondWins, SecondWins, n))
			}
			return errors.Join(errs...)
		}, more)), Options{PerStratum: true}).Interactions(func(string) bool { return true })
	}
	want := fit(func(*Builder) error { return nil })
	for name, more := range map[string]func(b *Builder) error{
		"drawn": func(b *Builder) error { return b.AddPairs("a", "b", "drawn", Draw, Draw, 9) },
		"never": func(b *Builder) error { return b.AddPairs("a", "never", "x", FirstWins, SecondWins, 9) },
	} {
		got := fit(more)
		near(t, name+": chi-square", got.Game.ChiSquare, want.Game.ChiSquare, 1e-9, 0)
		if got.Game.DF != want.Game.DF || got.Seat.DF != want.Seat.DF {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// Where the pairs of each match-up all ended alike what is left of their scatter is rounding, by which nothing is measured: every match-up is
// judged, by the variance of its games, and chance stays within what a number can be.
func TestMatchUpsThatAreAlikeButForRounding(t *testing.T) {
	t.Parallel()
	for n := int64(2); n <= 40; n++ {
		for _, seats := range []bool{true, false} {
			f := mustFit(t, build(t, func(b *Builder) error {
				return errors.Join(b.AddPairs("a", "b", "", FirstWins, SecondWins, n), b.AddPairs("b", "c", "", FirstWins, Draw, n+1), b.AddPairs("c", "a", "", FirstWins, Draw, 2*n))
			}), Options{Errors: ErrorPair, NoAdvantage: !seats})
			l, chi := f.LackOfFit(), 0.0
			for _, p := range l.Pairs {
				e1, v1 := expected(t, f, p.A, p.B, "")
				e2, v2 := expected(t, f, p.B, p.A, "")
				games := float64(p.Games) / 2
				excess := p.Observed - games*(e1+1-e2)
				chi += excess * excess / (games * (v1 + v2))
			}
			if len(l.Pairs) != 3 || l.DF != 1 || !(math.Abs(l.ChiSquare-chi) <= 1e-6*chi) {
				t.Errorf("%d pairs, seats %t: %+v, want chi-square %g", n, seats, l, chi)
			}
			if x := f.Interactions(func(string) bool { return true }); math.Abs(x.Game.ChiSquare) > 1e-9 || x.Seat.ChiSquare > 100*float64(n) {
				t.Errorf("%d pairs, seats %t: %+v", n, seats, x)
			}
		}
	}
}
