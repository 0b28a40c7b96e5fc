package agents

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"spar/agents/eval"
	"spar/configs/strict"
	"spar/engines"
)

// OwnOptions select an agent that the user's own Go program registers: see Registry.
type OwnOptions struct {
	// Name under which the program registers the function that makes the agent.
	Kind string `yaml:"kind" json:"kind,omitempty"`
	// Parameters of the agent; you can tune them as own.knobs.NAME.
	Knobs map[string]float64 `yaml:"knobs" json:"knobs,omitempty"`
}

func ownKind() kind {
	return kind{
		name:     "own",
		about:    "made by your own Go program",
		knobs:    []string{"own", "budget"},
		foreign:  true,
		complete: true,
		read: func(s *Spec, doc *strict.Document) {
			if s.Own.Kind == "" && !doc.Doubtful("own") {
				doc.Errorf("own", "type own needs own.kind, the name that your program registers")
			}
		},
		make: func(ctx context.Context, s Spec, g *engines.Game, _ common, _ eval.Model) (Agent, error) {
			return newOwn(ctx, s, g)
		},
	}
}

// Maker makes an agent for a game. The agent's knobs are Spec.Own.Knobs. It is called once for each seat that
// needs an agent, from several goroutines.
type Maker func(ctx context.Context, s Spec, g *engines.Game) (Agent, error)

// Registry maps kinds to makers, for a Go program with its own agents. The file of an agent of type own names a kind.
// Pass the registry in the context of a run, a tuning or a review with WithRegistry, and do not change it while that
// context is in use.
type Registry map[string]Maker

type registryKey struct{}

// WithRegistry returns a context in which NewContext makes the agents of a registry.
func WithRegistry(ctx context.Context, r Registry) context.Context {
	return context.WithValue(ctx, registryKey{}, r)
}

// newOwn makes an agent by a maker in the context's registry.
func newOwn(ctx context.Context, s Spec, g *engines.Game) (Agent, error) {
	r, _ := ctx.Value(registryKey{}).(Registry)
	if make, ok := r[s.Own.Kind]; ok {
		return make(ctx, s, g)
	}
	if len(r) == 0 {
		return nil, fmt.Errorf("own.kind %q: this program registers no agents of its own (see agents.Registry)",
			s.Own.Kind)
	}
	return nil, fmt.Errorf("own.kind: unknown kind %q%s", s.Own.Kind,
		strict.Suggest(s.Own.Kind, slices.Sorted(maps.Keys(r))))
}
