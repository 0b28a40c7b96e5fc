package balance

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"spar/arena/campaign"
	"spar/configs/must"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/solve"
	"spar/ratings"
)

// Rolling is a forced win of the first player. Players who take a perfect move more and more often, and a random one
// otherwise, show an advantage that grows with strength, and the report says both.
func TestAdvantageOfRollingGrowsWithStrength(t *testing.T) {
	t.Parallel()
	g := enginetest.Load(t, "rolling")
	table := must.Get(solve.Solve(context.Background(), g, solve.Options{}))(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var games []Game
	names := []string{"never", "often", "nearly always"}
	for tier, perfect := range []float64{0, 0.9, 0.97} {
		for range 200 {
			p := g.NewPosition()
			var legal []engines.Move
			for !p.Over() {
				legal = p.AppendMoves(legal[:0])
				m := legal[rng.IntN(len(legal))]
				if rng.Float64() < perfect {
					best := table.Best(&p.State)
					m = best[rng.IntN(len(best))].Move
				}
				p.Play(m)
			}
			x := Game{First: names[tier], Second: names[tier]}
			x.ID, x.Event, x.Moves, x.Plies = int64(len(games)+1), 1, g.JoinMoves(p.Played()), p.Ply()
			x.Result, x.Reason = p.Result().String(), p.Reason().String()
			games = append(games, x)
		}
	}
	r := measureGames(t, records(g, "rolling", []Event{event(1, campaign.PurposeMirror, names...)},
		players(map[string]int64{names[0]: 100, names[1]: 200, names[2]: 400}), games),
		Options{Table: table})
	sound(t, r)
	points := r.Trends.Score.Points
	if r.Trends.Rise.Lo <= 0 || points[0].Number.Value >= points[1].Number.Value ||
		points[1].Number.Value >= points[2].Number.Value {
		t.Errorf("points %+v", points)
	}
	for _, want := range []string{"rises with strength", "The first player wins by force, in 9 plies; 1 of 9 first " +
		"moves wins."} {
		if !strings.Contains(r.Verdict.Text, want) {
			t.Errorf("%q lacks %q", r.Verdict.Text, want)
		}
	}
	// The centre alone wins: the exact value stands beside what was played.
	for _, m := range r.FirstMove.Moves {
		if (m.Exact == "win") != (m.Move == "b2") {
			t.Errorf("%s: %s in %d", m.Move, m.Exact, m.ExactIn)
		}
	}
}

// A trend is claimed only if three tiers that search agree, and play with ten times the budget of the strongest
// continues it.
func TestTrendsThatAreClaimed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scores []float64
		deep   campaign.Tally // of the tree search with a budget of simulations
		budget int64
		exact  string
		want   string
	}{
		"rising":                {[]float64{0.5, 0.6, 0.7}, campaign.Tally{First: 9, Second: 3}, 800, "", "rises"},
		"falling":               {[]float64{0.6, 0.5, 0.4}, campaign.Tally{First: 3, Second: 9}, 800, "", "falls"},
		"deeper play disagrees": {[]float64{0.61, 0.53, 0.41}, campaign.Tally{First: 7, Second: 5}, 1600, "", ""},
		"deeper play is weak":   {[]float64{0.5, 0.6, 0.7}, campaign.Tally{First: 9, Second: 3}, 400, "", ""},
		"not one direction":     {[]float64{0.5, 0.72, 0.7}, campaign.Tally{First: 9, Second: 3}, 800, "", ""},
		"two equal tiers":       {[]float64{0.5, 0.5, 0.7}, campaign.Tally{First: 9, Second: 3}, 800, "", ""},
		"two tiers":             {[]float64{0.5, 0.7}, campaign.Tally{First: 9, Second: 3}, 800, "", ""},
		"the exact value":       {[]float64{0.5, 0.6, 0.7}, campaign.Tally{}, 0, "first", "rises"},
		"not the exact value":   {[]float64{0.5, 0.6, 0.7}, campaign.Tally{First: 9}, 800, "second", ""},
	} {
		r := &Report{Tiers: []Tier{{Amount: 20}, {Amount: 80}}}
		for i, x := range c.scores {
			r.Trends.Score.Points = append(r.Trends.Score.Points, TierPoint{
				Doubling: float64(i), InFit: true,
				Number: ratings.WithInterval(x, x-0.1, x+0.1, 100),
			})
		}
		r.Trends.Rise = ratings.WithInterval(0.2, 0.1, 0.3, 200)
		if c.scores[0] > c.scores[len(c.scores)-1] {
			r.Trends.Rise = ratings.WithInterval(-0.2, -0.3, -0.1, 200)
		}
		if c.budget > 0 {
			r.Inquiry = []campaign.Stage{{Simulations: c.budget, Free: campaign.Probe{
				By: map[string]campaign.Tally{campaign.TreeSearch: c.deep},
			}}}
		}
		if c.exact != "" {
			r.Exact = &campaign.Exact{Winner: c.exact}
		}
		if got := r.trend(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
