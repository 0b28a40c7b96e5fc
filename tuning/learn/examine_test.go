package learn

import (
	"math"
	"testing"

	"spar/agents"
	"spar/arena"
	"spar/arena/evidence"
	"spar/arena/store/storetest"
	"spar/arena/study"
	"spar/configs/must"
)

// A match-up is counted by whole pairs, from the net's side in whichever seat it sat: games without their second, games
// that count for nothing and those of another match-up are left out. Who took all points, or none, has no Elo.
func TestMatchupIsCountedFromTheNetsSide(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pairs  [][2]string // by who was first: the net, its rival
		score  float64
		points bool // some to either side
	}{
		"no pairs":     {nil, 0, false},
		"lost all":     {[][2]string{{"second", "first"}, {"second", "first"}}, 0, false},
		"won all":      {[][2]string{{"first", "second"}, {"first", "second"}, {"first", "second"}}, 1, false},
		"the seat":     {[][2]string{{"first", "first"}, {"second", "second"}}, 0.5, true},
		"half a point": {[][2]string{{"second", "first"}, {"second", "draw"}}, 0.125, true},
		"all but half": {[][2]string{{"first", "second"}, {"draw", "second"}}, 0.875, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := storetest.New(t)
			rules := must.Get(db.RulesID(t.Context(), "classic", "1", "{}"))(t)
			net := must.Get(db.AgentID(t.Context(), "contest: learned", "{}"))(t)
			rival := must.Get(db.AgentID(t.Context(), "contest: default", `{"a":1}`))(t)
			for _, matchup := range []string{"another", "contest"} {
				e := must.Get(db.BeginEvent(t.Context(), study.Event{Name: matchup, Purpose: "learning gate", Plan: "{}"}))(t)
				var games []study.Game
				add := func(pair, first, second int64, result string, marks evidence.Marks) {
					n := int64(len(games))
					games = append(games, study.Game{
						Event: e.ID, Number: n, Pair: pair, Rules: rules, First: first, Second: second,
						Result: result, Reason: "line", Hash: 100*e.ID + n, Marks: marks,
					})
				}
				if matchup == "another" {
					add(0, net, rival, "draw", 0)
					add(0, rival, net, "draw", 0)
				} else {
					for i, p := range c.pairs {
						add(int64(i), net, rival, p[0], 0)
						add(int64(i), rival, net, p[1], 0)
					}
					add(90, net, rival, "draw", 0)
					add(91, net, rival, "draw", evidence.Repeated)
					add(91, rival, net, "draw", evidence.Repeated)
				}
				must.Do(t, db.Commit(t.Context(), games, nil, e.ID))
			}
			var got Matchup
			plan := &arena.Tournament{Plan: arena.Plan{Name: "contest"}, Players: []agents.Spec{
				{Name: "contest: learned"},
				{Name: "contest: default"},
			}}
			must.Do(t, (Examination{}).count(t.Context(), db, plan, &got))
			if got.Pairs != int64(len(c.pairs)) || got.Games != 2*got.Pairs || got.Score.Value != c.score ||
				(got.Elo.SE > 0) != c.points || got.Score.Lo > c.score || got.Score.Hi < c.score {
				t.Errorf("%+v, want the score %g of %d pairs", got, c.score, len(c.pairs))
			}
			if c.points && math.Abs(got.Elo.Value-400*math.Log10(c.score/(1-c.score))) > 1e-9 {
				t.Errorf("%g Elo at a score of %g", got.Elo.Value, c.score)
			}
		})
	}
}
