package balance

import (
	"context"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/agents/person"
	"spar/engines"
	"spar/tuning/predict"
)

// ForPeople predicts games of people with games of the agent type person against itself. The predictions were
// compared with real people only for novices at line games.
type ForPeople struct {
	Novice    predict.Forecast `json:"novice" help:"people who are new to the game, see forecast"`
	Practised predict.Forecast `json:"practised" help:"people after some practice: an assumption"`
	Measured  bool             `json:"measured" help:"whether predictions were validated for such rules: lines, without movement or capture"`
	Error     float64          `json:"score_error" help:"typical error of the first player's predicted score in line games, 0 to 1"`
}

// forPeople plays n games of simulated novices, and n of simulated practised people.
func forPeople(ctx context.Context, g *engines.Game, n int, seed int64) (*ForPeople, error) {
	out := &ForPeople{Measured: person.OnlyLines(g), Error: predict.ScoreError}
	group, ctx := errgroup.WithContext(ctx)
	for name, to := range map[string]*predict.Forecast{"person": &out.Novice, "person-practised": &out.Practised} {
		group.Go(func() error {
			spec, err := agents.LoadSpec(name)
			if err == nil {
				*to, err = predict.Game(ctx, g, spec, n, seed)
			}
			return err
		})
	}
	return out, group.Wait()
}
