package agents

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"spar/agents/eval"
	"spar/agents/sources"
	"spar/configs/strict"
	"spar/engines"
)

func sourceKind() kind {
	return kind{
		name:    "source",
		about:   "a level of a game's original program",
		knobs:   []string{"level", "ties"},
		certain: func(s *Spec) bool { return sources.Deterministic(s.Level) },
		read: func(s *Spec, doc *strict.Document) {
			if !doc.Doubtful("level") && !slices.Contains(sources.Levels(), s.Level) {
				doc.Errorf("level", "%v", strict.Unknown("level", s.Level, sources.Levels()))
			}
		},
		suits: func(s *Spec, g *engines.Game) error {
			_, err := sources.New(s.Level, g)
			return err
		},
		make: func(_ context.Context, s Spec, g *engines.Game, c common, _ eval.Model) (Agent, error) {
			p, err := sources.New(s.Level, g)
			return &sourceAgent{common: c, player: p}, err
		},
	}
}

// sourceAgent plays a level of one of the original programs.
type sourceAgent struct {
	common
	player *sources.Player
}

func (a *sourceAgent) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	c := a.player.Choose(&p.State)
	d := Decision{
		Best:  c.Moves,
		Move:  c.Moves[0],
		Value: c.Value,
		Nodes: c.Nodes,
		Score: math.NaN(),
	}
	if len(c.Moves) > 1 {
		at := rng.Float64()
		for i, m := range c.Moves {
			share := 1 / float64(len(c.Moves))
			if c.Weights != nil {
				share = c.Weights[i]
			}
			if at -= share; at < 0 {
				d.Move = m
				break
			}
		}
	}
	return d, nil
}
