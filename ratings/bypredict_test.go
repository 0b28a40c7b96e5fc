package ratings

import (
	"fmt"
	"math"
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

// twoStrata are pairs and single games of three players in two strata that differ in what the first seat is worth and
// in how often games are drawn.
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

// How a match-up deviates is what its games brought against what the fit predicts of each, in the variance that it
// predicts; with pairs, times how much more these vary about the mean of their match-up than their games should. Game
// for game, in all models.
func TestLackOfFitIsAgainstThePredictions(t *testing.T) {
	t.Parallel()
	for _, m := range []Model{ModelScore, ModelDavidson} {
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
				scatter += around(x.pairs)
				should += x.variance * (n - 1) / n
				free = free + n - 1
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
