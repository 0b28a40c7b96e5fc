package ratings

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"testing"

	"spar/configs/must"
)

// Without a draw the model of Davidson is that of Bradley and Terry: the ratings are those of scores.
func TestDavidsonWithoutDraws(t *testing.T) {
	t.Parallel()
	var b Builder
	for _, r := range []struct {
		first, second string
		wins, losses  int64
	}{
		{"a", "b", 30, 10},
		{"b", "a", 15, 25},
		{"b", "c", 28, 12},
		{"c", "b", 14, 26},
		{"a", "c", 35, 5},
		{"c", "a", 9, 31},
	} {
		must.Do(t, b.AddCount(r.first, r.second, "x", r.wins, 0, r.losses))
	}
	var fits []*Fit
	for _, m := range []Model{ModelScore, ModelDavidson} {
		f := must.Get(b.Table().Fit(Options{Model: m}))(t)
		fits = append(fits, f)
	}
	for _, f := range fits[1:] {
		for i, p := range f.Players {
			if w := fits[0].Players[i]; p.Name != w.Name || math.Abs(p.Elo.Value-w.Elo.Value) > 0.01 ||
				math.Abs(p.Elo.SE-w.Elo.SE) > 0.05 {
				t.Errorf("%s: %.3f ±%.3f, by scores %.3f ±%.3f", p.Name, p.Elo.Value, p.Elo.SE, w.Elo.Value, w.Elo.SE)
			}
		}
	}
}

// A pair of games may hold one of a player who never scored, and whose games decide nothing about the others: they have
// the ratings and the errors that they have without it.
func TestPairsWithOneWhoNeverScored(t *testing.T) {
	t.Parallel()
	fit := func(lost bool) *Fit {
		var b Builder
		for i := range 60 {
			pair := fmt.Sprint(i)
			for k, winner := range []Outcome{Outcome(i % 3), Outcome((i / 3) % 3)} {
				first, second := "a", "b"
				if k == 1 {
					first, second = "b", "a"
				}
				must.Do(t, b.Add(Game{First: first, Second: second, Result: winner, Pair: pair, Opening: Label(pair)}))
			}
			if lost {
				must.Do(t, b.Add(Game{First: "a", Second: "never", Result: FirstWins, Pair: pair, Opening: Label(pair)}))
			}
		}
		f := must.Get(b.Table().Fit(Options{Errors: ErrorOpening}))(t)
		return f
	}
	with, without := fit(true), fit(false)
	i, _ := with.Index("a")
	j, _ := with.Index("b")
	k, _ := without.Index("a")
	l, _ := without.Index("b")
	got := with.Players[i].Elo.Value - with.Players[j].Elo.Value
	want := without.Players[k].Elo.Value - without.Players[l].Elo.Value
	if math.Abs(got-want) > 0.5 {
		t.Errorf("a before b by %.2f, without the one who never scored by %.2f", got, want)
	}
}

// The pairs of one stratum that one seat won twice, by hand: 3 and 2 of 10; those of another stratum are its own.
func TestSplitOfAStratum(t *testing.T) {
	t.Parallel()
	table := build(t, func(b *Builder) error {
		return errors.Join(b.AddPairs("a", "b", "x", FirstWins, FirstWins, 3),
			b.AddPairs("a", "b", "x", SecondWins, SecondWins, 2),
			b.AddPairs("a", "b", "x", FirstWins, SecondWins, 4), b.AddPairs("a", "b", "x", Draw, FirstWins, 1),
			b.AddPairs("a", "b", "y", FirstWins, FirstWins, 7))
	})
	for stratum, want := range map[string][2]int64{"x": {5, 10}, "y": {7, 7}, "z": {}} {
		e := table.Split(stratum, 0.95)
		if split := int64(math.Round(e.Value * float64(e.N))); [2]int64{split, e.N} != want {
			t.Errorf("%s: %d of %d, want %v", stratum, split, e.N, want)
		}
	}
}

// The games of one stratum by themselves: its counts from either seat, nothing of other strata, and no pairs.
func TestGamesOfAStratum(t *testing.T) {
	t.Parallel()
	table := build(t, func(b *Builder) error {
		return errors.Join(b.AddPairs("a", "b", "x", FirstWins, Draw, 3), b.AddCount("a", "b", "x", 1, 2, 4),
			b.AddCount("a", "b", "y", 5, 0, 0), b.AddCount("a", "c", "y", 0, 1, 0))
	})
	for stratum, want := range map[string]map[string]Count{
		"x": {"ab": {4, 2, 4}, "ba": {0, 3, 0}}, "y": {"ab": {5, 0, 0}, "ac": {0, 1, 0}}, "z": {},
	} {
		of := table.Of(stratum)
		got := map[string]Count{}
		for _, p := range of.Pairings() {
			got[of.Players()[p.First]+of.Players()[p.Second]] = Count{p.Wins, p.Draws, p.Losses}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", stratum, got, want)
		}
		if clusters, _ := of.Clusters(); clusters != 0 {
			t.Errorf("%s: %d pairs", stratum, clusters)
		}
	}
}
