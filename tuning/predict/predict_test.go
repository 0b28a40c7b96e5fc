package predict_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"spar/agents"
	"spar/agents/person"
	"spar/configs/must"
	"spar/engines/people"
	"spar/tuning/predict"
)

// matchesOf are matches of players with some options.
func matchesOf(t *testing.T, o person.Options, n int) []people.Match {
	t.Helper()
	game := people.Game{
		ID: "3x3-win3", Rows: 3, Columns: 3, Line: [2]int{3, 3}, Directions: [2]string{"any", "any"},
		FirstTurns: [2]int{1, 1},
	}
	g := must.Get(game.Compile())(t)
	rng := rand.New(rand.NewPCG(5, 5))
	eye, space := person.NewEye(g, agents.DefaultEval()), make([]float64, 9)
	var out []people.Match
	for i := range n {
		p := g.NewPosition()
		for !p.Over() {
			moves := p.AppendMoves(nil)
			p.Play(moves[o.Draw(eye.Look(p, moves), false, rng, space)])
		}
		out = append(out, people.Match{
			Pair: i, Moves: g.JoinMoves(p.Played()), Result: p.Result().String(), By: "play",
			Rules: g,
		})
	}
	return out
}

// Whoever made the moves predicts them best, and its forecasts agree with those of other games of it.
func TestPlayersPredictThemselves(t *testing.T) {
	t.Parallel()
	var specs []agents.Spec
	for _, name := range []string{"person", "random", "greedy"} {
		s := must.Get(agents.LoadSpec(name))(t)
		specs = append(specs, s)
	}
	scores := must.Get(predict.Matches(context.Background(), matchesOf(t, person.Novice(), 40), specs, 5, 1))(t)
	for _, s := range scores[1:] {
		if s.AheadInterval[0] <= 0 {
			t.Errorf("%s predicts a person's moves as well as a person does: %v", s.Agent, s.AheadInterval)
		}
	}
	if one := must.Get(predict.Matches(t.Context(), matchesOf(t, person.Novice(), 1), specs, 5, 1))(t)[0]; one.LogInterval != nil {
		t.Errorf("one match has the interval %v", one.LogInterval)
	}
	var games []people.Game
	for n := range 10 {
		games = append(games, people.Game{
			ID: strconv.Itoa(n), Rows: 2 + n/5, Columns: 4 + n%5, Line: [2]int{3, 3}, Directions: [2]string{"any", "any"},
			FirstTurns: [2]int{1, 1},
		})
	}
	a := must.Get(predict.Games(context.Background(), games, specs[0], 10, 1))(t)
	b := must.Get(predict.Games(context.Background(), games, specs[0], 10, 2))(t)
	for i := range a {
		a[i].Judged = &b[i].Payoff
	}
	if r := predict.Agree(a, a); r.R2.Value < .5 || strings.Contains(r.R2.String(), "NaN") || r.Against.Value != 0 {
		t.Errorf("%+v", r)
	}
}
