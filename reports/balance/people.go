package balance

import (
	"context"
	"fmt"
	"math"

	"golang.org/x/sync/errgroup"

	"spar/agents"
	"spar/agents/person"
	"spar/engines"
	"spar/reports/screen"
	"spar/tuning/predict"
)

// ForPeople predicts games between people from games of agents of type person against themselves. The predictions were
// compared with real people only for novices at line games.
type ForPeople struct {
	Novice    predict.Forecast `json:"novice" help:"people who are new to the game, see forecast"`
	Practised predict.Forecast `json:"practised" help:"people after some practice: an assumption"`
	Measured  bool             `json:"measured" help:"whether predictions were validated for such rules: lines, without movement or capture"`
	Error     float64          `json:"score_error" help:"typical error of the first player's predicted score in line games, 0 to 1"`
}

// forPeople plays n games of simulated novices, and n of simulated experienced players.
func forPeople(ctx context.Context, g *engines.Game, n int) (*ForPeople, error) {
	out := &ForPeople{Measured: person.OnlyLines(g), Error: predict.ScoreError}
	group, ctx := errgroup.WithContext(ctx)
	for name, to := range map[string]*predict.Forecast{"person": &out.Novice, "person-practised": &out.Practised} {
		group.Go(func() error {
			spec, err := agents.LoadSpec(name)
			if err == nil {
				*to, err = predict.Game(ctx, g, spec, n, 0)
			}
			return err
		})
	}
	return out, group.Wait()
}

// people predicts games played by people. Study sets the prediction.
func people() measure { return measure{answers: peopleAnswers} }

// peopleAnswers is silent where the exact value contradicts the prediction, or, for rules for which predictions were not
// validated, where the games do.
func peopleAnswers(v *view) []Answer {
	p := v.r.People
	if p == nil {
		return nil
	}
	score := func(f predict.Forecast) float64 { return (f.Payoff + 1) / 2 }
	e, n := v.r.Exact, v.r.light("first_score").Number
	games := e == nil && !p.Measured && n.Known()
	lo, hi := 0.0, 1.0
	switch {
	case e != nil && !e.Decided():
		lo, hi = 0.5-p.Error, 0.5+p.Error
	case e != nil && e.Winner == "first" || games && n.Lo > 0.5:
		lo = 0.5
	case e != nil || games && n.Hi < 0.5:
		hi = 0.5
	}
	for _, f := range []predict.Forecast{p.Novice, p.Practised} {
		if x := score(f); x < lo || x > hi {
			return nil
		}
	}
	how := fmt.Sprintf("predicted (the first player's score is typically off by %.0f percentage points)", 100*p.Error)
	if !p.Measured {
		how = "predicted, validated only for line games without moves or captures"
	}
	return []Answer{{Question: "For people?", Claim: fmt.Sprintf(
		"%s; novices: the first player scores %.0f %%, %.0f %% draws, %s; experienced players: %.0f %%, %.0f %% draws",
		how, 100*score(p.Novice), 100*p.Novice.Draw, screen.Plural(int(math.Round(p.Novice.Plies)), "ply"),
		100*score(p.Practised), 100*p.Practised.Draw)}}
}
