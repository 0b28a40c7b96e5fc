package ratings

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

// The bound of an advantage leaves the ratings free: of two who are level in six games to either side, and of whom one
// won 20 games, all as first, it is where 20 ln p(d+α) + 6 ln p(d) + 6 ln p(-d), with the best of all d, is ln 20 below
// what it is without end.
func TestBoundOfAnAdvantageLeavesRatingsFree(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, func(b *Builder) error {
		return errors.Join(b.AddCount("a", "b", "level", 3, 0, 3), b.AddCount("b", "a", "level", 3, 0, 3),
			b.AddCount("a", "b", "sharp", 20, 0, 0))
	}), Options{PerStratum: true})
	a := f.Advantages[1]
	if a.Status != StatusUnboundedAbove || a.Elo.Interval.LoOpen || !a.Elo.Interval.HiOpen {
		t.Fatalf("%+v", a)
	}
	ln := func(x float64) float64 { return -math.Log1p(math.Exp(-x)) }
	alpha, best := a.Elo.Interval.Lo*math.Ln10/400, math.Inf(-1)
	for d := -5.0; d < 5; d += 1e-3 {
		best = max(best, 20*ln(d+alpha)+6*ln(d)+6*ln(-d))
	}
	near(t, "likelihood at the bound", -12*math.Ln2-best, math.Log(20), 1e-3, 0)
}

// An anchor, whose own rating has no error, changes nothing in who is surely better than whom.
func TestAnchorLeavesRanks(t *testing.T) {
	t.Parallel()
	table := build(t, all(count("a", "b", 60, 10, 30), count("b", "a", 35, 10, 55), count("b", "c", 55, 10, 35),
		count("c", "b", 40, 10, 50), count("c", "a", 30, 0, 70), count("a", "c", 65, 5, 30)))
	want := mustFit(t, table, Options{}).Ranks(1)
	for _, anchor := range []string{"a", "b", "c"} {
		for i, r := range mustFit(t, table, Options{Anchors: []Anchor{{anchor, 50}}}).Ranks(1) {
			if w := want[i]; r.Name != w.Name || r.Place != w.Place || r.Lo != w.Lo || r.Hi != w.Hi {
				t.Errorf("%s held: %+v, want %+v", anchor, r, w)
			}
			near(t, "critical value with "+anchor+" held", r.Critical, want[i].Critical, 0.06, 0)
		}
	}
}

// In a group that falls into parts errors are relative to its largest: they are what they are without the others,
// wherever the part stands by name; so are the advantage and the draws. The other's own bound does not depend on his
// name either.
func TestErrorsAreRelativeToTheLargestPart(t *testing.T) {
	t.Parallel()
	pool := all(count("m", "n", 30, 5, 15), count("n", "m", 20, 5, 25), count("n", "o", 30, 5, 15),
		count("o", "n", 20, 5, 25))
	for _, m := range []Model{ModelScore, ModelDavidson} {
		o := Options{Model: m, Errors: ErrorNaive}
		alone := mustFit(t, build(t, pool), o)
		var bounds []float64
		for _, other := range []string{"a", "z"} {
			f := mustFit(t, build(t, all(pool, count(other, "n", 9, 0, 0), count("n", other, 0, 0, 9))), o)
			what := fmt.Sprint(m, " beside ", other, ": ")
			for _, p := range alone.Players {
				i, _ := f.Index(p.Name)
				near(t, what+p.Name, f.Players[i].Elo.SE, p.Elo.SE, 0, 1e-4)
			}
			near(t, what+"the advantage's error", f.Advantages[0].Elo.SE, alone.Advantages[0].Elo.SE, 0, 1e-4)
			near(t, what+"the advantage", f.Advantages[0].Elo.Value, alone.Advantages[0].Elo.Value, 1e-6, 0)
			near(t, what+"the draw parameter", f.Advantages[0].DrawParameter, alone.Advantages[0].DrawParameter, 1e-6, 0)
			i, _ := f.Index(other)
			d, err := f.Difference(other, "m")
			if err != nil || f.Players[i].Elo.SE < 100 || !(d.Elo.SE > f.Players[i].Elo.SE) || f.Players[i].Elo.Interval.LoOpen {
				t.Errorf("%s%+v, from m %g, %v: want the prior in either, and a bound below", what, f.Players[i], d.Elo.SE, err)
			}
			bounds = append(bounds, f.Players[i].Elo.Interval.Lo)
		}
		near(t, m.String()+" bound", bounds[1], bounds[0], 1e-3, 0)
	}
}

// Where ratings and an advantage run off together in one stratum, others that share no player with it are what they are
// alone: one with a maximum, and one whose advantage cannot be told because the seats were never swapped.
func TestSeparationInOneStratumLeavesOthers(t *testing.T) {
	t.Parallel()
	others := func(b *Builder) error {
		return errors.Join(b.AddCount("x", "y", "healthy", 7, 2, 3), b.AddCount("y", "x", "healthy", 5, 1, 6),
			b.AddCount("u", "v", "one seat", 3, 1, 2))
	}
	o := Options{PerStratum: true, Errors: ErrorDrawAware}
	alone := mustFit(t, build(t, others), o)
	// In "split" the first won every game but those against c, who lost to a also as first: an advantage of 1, with a
	// 1/2 above b and 1.2 above c, explains all of it, and twice as much explains it better. Nobody took all points
	// from the others.
	for _, games := range []int64{5, 1} {
		both := mustFit(t, build(t, all(others, func(b *Builder) error {
			return errors.Join(b.AddCount("a", "b", "split", games, 0, 0), b.AddCount("b", "a", "split", games, 0, 0),
				b.AddCount("c", "a", "split", 0, 0, games), b.AddCount("c", "b", "split", games, 0, 0))
		})), o)
		for _, want := range alone.Players {
			i, _ := both.Index(want.Name)
			p := both.Players[i]
			near(t, want.Name, p.Elo.Value, want.Elo.Value, 1e-6, 0)
			near(t, "error of "+want.Name, p.Elo.SE, want.Elo.SE, 1e-6, 0)
			if p.Status != want.Status || p.Elo.Prior != want.Elo.Prior {
				t.Errorf("%+v, alone %+v", p, want)
			}
		}
		for i, want := range alone.Advantages {
			a := both.Advantages[i]
			near(t, want.Stratum, a.Elo.Value, want.Elo.Value, 1e-6, 0)
			near(t, "error of "+want.Stratum, a.Elo.SE, want.Elo.SE, 1e-6, 0)
			if a.Stratum != want.Stratum || a.Status != want.Status {
				t.Errorf("%+v, alone %+v", a, want)
			}
		}
		if a := both.Advantages[2]; a.Stratum != "split" || a.Status != StatusUnboundedAbove {
			t.Errorf("%+v: want no upper bound", a)
		}
	}
}
