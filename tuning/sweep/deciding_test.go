package sweep

import (
	"math"
	"slices"
	"testing"

	"spar/ratings"
	"spar/tuning/target"
)

func goals(t *testing.T, texts ...string) []target.Target {
	t.Helper()
	var out []target.Target
	for _, text := range texts {
		goal, err := target.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, goal)
	}
	return out
}

// The distance from targets, by hand: 0.05 of a share, 35 of 700 Elo, 10 of 100 plies and 1 of 20 rungs count 0.05
// each; of two tiers the worse counts; depth belongs to the ladder alone; what was not measured is 1 away; targets add
// up.
func TestDistanceFromTargets(t *testing.T) {
	t.Parallel()
	one := func(measure string, values ...float64) []Numbers {
		var out []Numbers
		for _, v := range values {
			out = append(out, Numbers{measure: number(v, v-1, v+1, 5)})
		}
		return out
	}
	none := []Numbers{{"draws": number(0.25, 0, 1, 5)}, {"draws": ratings.Estimate{}}}
	for _, c := range []struct {
		targets []string
		tiers   []Numbers
		last    Numbers
		want    float64
	}{
		{[]string{"draws<=0.2"}, one("draws", 0.25), nil, 0.05},
		{[]string{"draws<=0.2"}, one("draws", 0.25, 0.1), nil, 0.05},
		{[]string{"draws<=0.2"}, one("draws", 0.1, 0.25), nil, 0.05},
		{[]string{"draws<=0.2"}, one("draws", 0.2, 0.1), nil, 0},
		{[]string{"draws<=0.2"}, none, nil, 1},
		{[]string{"elo<=35"}, one("elo", 70), nil, 0.05},
		{[]string{"length>=50"}, one("length", 45), nil, 0.05},
		{[]string{"depth>=5"}, one("depth", 9, 9), Numbers{"depth": number(4, 3, 5, 5)}, 0.05},
		{[]string{"depth>=5"}, nil, Numbers{}, 1},
		{[]string{"draws<=0.2"}, nil, Numbers{"draws": number(0.25, 0, 1, 5)}, 0.05},
		{[]string{"draws<=0.2", "draws<=0.1"}, one("draws", 0.25), nil, 0.2},
		{nil, one("draws", 0.25), nil, 0},
	} {
		if got := far(goals(t, c.targets...), c.tiers, c.last, nil); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v of %v is %g away, want %g", c.targets, c.tiers, got, c.want)
		}
	}
}

// A grid's variants differ from the base by the difference of their numbers; the base has no change. What is measured
// again remembers by what it was chosen, is played with its own seed, and the games of both are counted.
func TestChangesAndSecondMeasurement(t *testing.T) {
	t.Parallel()
	s := mustLoad(t, small, "tiers=[1, 2]", "games=6", "fresh=8", "ladder=2", "seed=3")
	r := play(t, s, t.TempDir()+"/s.db", 2)
	for i, v := range r.Variants {
		if (v.Change == nil) != (i == 0) || v.Base != (i == 0) || v.Numbers["length"].N != 6 || len(v.ByTier) != 2 ||
			v.Hash != s.Variants[i].Game.RulesHash() {
			t.Errorf("%s: %+v", v.Rules, v)
		}
		for name, d := range v.Change {
			if want := v.Numbers[name].Value - r.Variants[0].Numbers[name].Value; math.Abs(d.Value-want) > 1e-9 {
				t.Errorf("%s: %s changes by %g, want %g", v.Rules, name, d.Value, want)
			}
		}
		if i > 0 && !v.Change["length"].Known() {
			t.Errorf("%s: no change of the length", v.Rules)
		}
	}
	for _, a := range r.Again {
		i := slices.IndexFunc(r.Variants, func(c Cell) bool { return c.Rules == a.Rules })
		if a.Before["length"] != r.Variants[i].Numbers["length"] || a.Numbers["length"].N != 8 ||
			a.Verdict != together(a.Judged) || len(a.Judged) != 2 {
			t.Errorf("%+v", a)
		}
	}
	if first, fresh := s.Planned(); r.Games != first+fresh || r.Seed != 3 ||
		!slices.Equal(r.Tiers, []string{"mcts-1v", "mcts-2v"}) || r.Knobs[0].Base != "3" {
		t.Errorf("%d games of %d and %d, tiers %v", r.Games, first, fresh, r.Tiers)
	}
	if o := s.Outlook(); o.Games != 5*(3*6+2*2) || o.Fresh != 2*2*8 || len(o.Variants) != 5 || len(o.Skipped) != 1 {
		t.Errorf("%+v", o)
	}
}
