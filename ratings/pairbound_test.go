package ratings

import (
	"fmt"
	"math"
	"testing"
)

// Of k pairs that all ended alike the bound is the score at which k independent units all do so with the probability
// that the level leaves, 0.05^(1/k), though there are twice as many games: the second game of a pair may repeat the
// first. Rows are relative to the mean of the two. Larger clusters are one unit, too, and a game beside pairs is one by
// itself.
func TestBoundsTakePairsForUnits(t *testing.T) {
	t.Parallel()
	for _, k := range []int64{1, 5, 20} {
		for _, level := range []float64{0.95, 0.8} {
			want := EloOfScore(math.Pow(1-level, 1/float64(k)))
			for _, o := range []Options{{Level: level}, {Level: level, NoAdvantage: true}} {
				f := mustFit(t, build(t, func(b *Builder) error { return b.AddPairs("a", "b", "", FirstWins, SecondWins, k) }), o)
				a, b := f.Players[0], f.Players[1]
				if a.Status != StatusUnboundedAbove || a.Elo.Interval.LoOpen || !a.Elo.Interval.HiOpen || b.Elo.Interval.HiOpen ||
					!b.Elo.Interval.LoOpen {
					t.Fatalf("%d pairs: %+v, %+v", k, a, b)
				}
				near(t, fmt.Sprintf("winner of %d pairs at %g", k, level), a.Elo.Interval.Lo, want/2, 0.01, 0)
				near(t, fmt.Sprintf("loser of %d pairs at %g", k, level), b.Elo.Interval.Hi, -want/2, 0.01, 0)
			}
			f := mustFit(t, build(t, func(b *Builder) error { return b.AddPairs("a", "b", "", SecondWins, SecondWins, k) }),
				Options{Level: level})
			if v := f.Advantages[0].Elo.Interval; !v.LoOpen || v.HiOpen {
				t.Fatalf("%d pairs: %+v", k, v)
			}
			near(t, fmt.Sprintf("advantage in %d pairs at %g", k, level), f.Advantages[0].Elo.Interval.Hi, -want, 0.01, 0)
		}
	}
	f := mustFit(t, build(t, func(b *Builder) error {
		for i := range 4 * 6 { // four clusters of six games
			if err := b.Add(Game{First: "a", Second: "b", Result: FirstWins, Pair: fmt.Sprint(i % 4)}); err != nil {
				return err
			}
		}
		if err := b.AddPairs("a", "b", "", FirstWins, SecondWins, 2); err != nil {
			return err
		}
		return b.AddCount("b", "a", "", 0, 0, 3)
	}), Options{NoAdvantage: true})
	near(t, "clusters, pairs and games", f.Players[0].Elo.Interval.Lo, EloOfScore(math.Pow(0.05, 1./(4+2+3)))/2, 0.01, 0)
}

// A tiny sample of pairs has the profile interval of half as many games: of a's 3 of 4 in two pairs, and no advantage,
// the ends are where 3/2 ln(p/0.75) + 1/2 ln((1-p)/0.25) is -1.96²/2.
func TestTinySampleOfPairs(t *testing.T) {
	t.Parallel()
	f := mustFit(t, build(t, all(
		func(b *Builder) error { return b.AddPairs("a", "b", "", FirstWins, SecondWins, 1) },
		func(b *Builder) error { return b.AddPairs("a", "b", "", FirstWins, FirstWins, 1) },
	)), Options{NoAdvantage: true})
	v := f.Players[0].Elo.Interval
	for _, elo := range []float64{v.Lo, v.Hi} {
		p := ExpectedScore(2 * elo)
		near(t, "at an end", 1.5*math.Log(p/0.75)+0.5*math.Log((1-p)/0.25), -1.920729410347062, 1e-4, 0)
	}
	if ExpectedScore(2*v.Lo) >= 0.75 || ExpectedScore(2*v.Hi) <= 0.75 {
		t.Errorf("%+v", v)
	}
}
