package ratings

import (
	"fmt"
	"math"
	"testing"
)

// Without a draw the model of Davidson is that of Bradley and Terry: the ratings are those of scores.
func TestDavidsonWithoutDraws(t *testing.T) {
	t.Parallel()
	var b Builder
	for _, r := range []struct {
		first, second string
		wins, losses  int64
	}{{"a", "b", 30, 10}, {"b", "a", 15, 25}, {"b", "c", 28, 12}, {"c", "b", 14, 26}, {"a", "c", 35, 5}, {"c", "a", 9, 31}} {
		if err := b.AddCount(r.first, r.second, "x", r.wins, 0, r.losses); err != nil {
			t.Fatal(err)
		}
	}
	var fits []*Fit
	for _, m := range []Model{ModelScore, ModelDavidson, ModelRaoKupper} {
		f, err := b.Table().Fit(Options{Model: m})
		if err != nil {
			t.Fatal(err)
		}
		fits = append(fits, f)
	}
	for _, f := range fits[1:] {
		for i, p := range f.Players {
			if w := fits[0].Players[i]; p.Name != w.Name || math.Abs(p.Elo-w.Elo) > 0.01 || math.Abs(p.SE-w.SE) > 0.05 {
				t.Errorf("%s: %.3f ±%.3f, by scores %.3f ±%.3f", p.Name, p.Elo, p.SE, w.Elo, w.SE)
			}
		}
	}
}

// A pair of games may hold one of a player who never scored, and whose games decide nothing about the others: they have the ratings
// and the errors that they have without it.
func TestPairsWithOneWhoNeverScored(t *testing.T) {
	t.Parallel()
	fit := func(lost bool) *Fit {
		b := Builder{ByOpening: true}
		for i := range 60 {
			pair := fmt.Sprint(i)
			for k, winner := range []Outcome{Outcome(i % 3), Outcome((i / 3) % 3)} {
				first, second := "a", "b"
				if k == 1 {
					first, second = "b", "a"
				}
				if err := b.Add(Game{First: first, Second: second, Result: winner, Pair: pair}); err != nil {
					t.Fatal(err)
				}
			}
			if lost {
				if err := b.Add(Game{First: "a", Second: "never", Result: FirstWins, Pair: pair}); err != nil {
					t.Fatal(err)
				}
			}
		}
		f, err := b.Table().Fit(Options{Errors: ErrorPair})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	with, without := fit(true), fit(false)
	i, _ := with.Index("a")
	j, _ := with.Index("b")
	k, _ := without.Index("a")
	l, _ := without.Index("b")
	got, want := with.Players[i].Elo-with.Players[j].Elo, without.Players[k].Elo-without.Players[l].Elo
	if math.Abs(got-want) > 0.5 {
		t.Errorf("a before b by %.2f, without the one who never scored by %.2f", got, want)
	}
}
