package agents

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"spar/agents/eval"
	"spar/agents/person"
	"spar/configs/strict"
	"spar/engines"
)

func personKind() kind {
	return kind{
		name:  "person",
		about: "plays as people play a game that is new to them",
		knobs: []string{"person"},
		plays: func(s *Spec) string { return "plays as people do (" + s.Person.Preset + ")" },
		idle: []idleRule{{
			"person.misread", "no line loses",
			func(_ *Spec, g *engines.Game) bool { return !g.Rules().Win.Misere },
		}},
		read: func(s *Spec, doc *strict.Document) {
			preset, err := person.Preset(s.Person.Preset)
			if err != nil {
				return // the schema refuses it
			}
			own := s.Person.Knobs()
			for i, k := range preset.Knobs() {
				if doc.Has("person." + k.Name) {
					*k.Value = *own[i].Value
				}
			}
			s.Person = preset
		},
		make: func(_ context.Context, s Spec, g *engines.Game, c common, _ eval.Model) (Agent, error) {
			return &personAgent{common: c, options: s.Person, eye: person.NewEye(g, DefaultEval())}, nil
		},
	}
}

// personAgent is the agent type person, which plays as people do.
type personAgent struct {
	common
	options  person.Options
	eye      *person.Eye
	misreads bool
	space    []float64
}

func (a *personAgent) NewGame(seed Seed) {
	a.misreads = rand.New(rand.NewPCG(seed[1], seed[0])).Float64() < a.options.Misread
}

func (a *personAgent) Choose(_ context.Context, p *engines.Position, _ Budget, rng *rand.Rand) (Decision, error) {
	moves := a.choices(p)
	for len(a.space) < len(moves) {
		a.space = append(a.space, 0)
	}
	chosen := a.options.Draw(a.eye.Look(p, moves), a.misreads, rng, a.space)
	return Decision{
		Move:  moves[chosen],
		Best:  moves,
		Score: math.NaN(),
		Depth: 1,
		Nodes: int64(len(moves)),
	}, nil
}

// Chances returns the legal moves of a position with the probability that an agent plays each. For an agent of type
// person they are exact. For an agent with mixture.softmax they follow from its ratings of the moves. For other
// agents, all moves that they might have chosen are equally likely.
func Chances(ctx context.Context, a Agent, p *engines.Position, b Budget, rng *rand.Rand) (moves []engines.Move,
	chances []float64, err error,
) {
	moves = p.AppendMoves(nil)
	chances = make([]float64, len(moves))
	if who, ok := a.(*personAgent); ok {
		who.options.Chances(who.eye.Look(p, moves), chances)
		return moves, chances, nil
	}
	d, err := a.Choose(ctx, p, b, rng)
	for i, m := range moves {
		if at := slices.Index(d.Best, m); at >= 0 && d.Chances != nil {
			chances[i] = d.Chances[at]
		} else if at >= 0 {
			chances[i] = 1 / float64(len(d.Best))
		}
	}
	return moves, chances, err
}
