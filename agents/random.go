package agents

import (
	"context"
	"math"
	"math/rand/v2"

	"spar/agents/eval"
	"spar/engines"
)

func randomKind() kind {
	return kind{
		name: "random", about: "a random legal move", complete: true,
		plays: func(*Spec) string { return "plays at random" },
		make: func(_ context.Context, _ Spec, _ *engines.Game, c common, _ eval.Model) (Agent, error) {
			return &random{c}, nil
		},
	}
}

// random plays a uniformly random legal move.
type random struct{ common }

func (a *random) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	moves := a.choices(p)
	return Decision{Move: moves[rng.IntN(len(moves))], Best: moves, Score: math.NaN()}, nil
}
