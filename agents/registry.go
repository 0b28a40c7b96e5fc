package agents

import (
	"context"
	"fmt"
	"strings"

	"spar/agents/connection"
	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/configs/strict"
	"spar/engines"
)

// New makes an agent for a game. For type perfect it may first solve the game, which can take long; use NewContext
// to be able to cancel that.
func New(s Spec, g *engines.Game) (Agent, error) { return NewContext(context.Background(), s, g) }

// NewContext is like New. When the context ends, it stops and returns the context's error.
func NewContext(ctx context.Context, s Spec, g *engines.Game) (Agent, error) {
	a, err := newAgent(ctx, s, g)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", s.Name, err)
	}
	return a, nil
}

func newAgent(ctx context.Context, s Spec, g *engines.Game) (Agent, error) {
	k := s.kind()
	if k.make == nil {
		return nil, strict.Unknown("type", s.Type, Types())
	}
	if err := s.Params.Check(); err != nil {
		return nil, err
	}
	model, err := Model(s, g)
	if err != nil {
		return nil, err
	}
	r := newRestriction(s.Mixture, g)
	a, err := k.make(ctx, s, g, newCommon(s, r, model), model)
	if err != nil {
		return nil, err
	}
	if s.Mixture.Epsilon > 0 || s.Mixture.Mirrors || len(s.Mixture.OpeningBook) > 0 {
		return newMixed(a, s.Mixture, r, g)
	}
	return a, nil
}

// For returns the learned evaluation for a game. The error wraps patterns.ErrFile if the file is not for the game's
// rules. The options must name a net.
func (o EvaluationOptions) For(g *engines.Game) (*patterns.Net, error) {
	if o.Kin {
		return o.Net.ForKin(g)
	}
	return o.Net.For(g)
}

// Model returns the model with which an agent evaluates positions: the learned one that it names or has by default,
// otherwise the linear one.
func Model(s Spec, g *engines.Game) (eval.Model, error) {
	if s = s.For(g); s.Evaluation.Net != nil {
		return s.Evaluation.For(g)
	}
	if s.Evaluation.Kind == Connection {
		if m := connection.New(g); m != nil {
			return m, nil
		}
		return nil, fmt.Errorf("evaluation.kind: connection needs a game that is won only by connecting two edges, "+
			"which %q is not", g.Name())
	}
	return eval.New(g, Evaluation(s, g)), nil
}

// Evaluation returns the linear evaluation of an agent.
func Evaluation(s Spec, g *engines.Game) eval.Params {
	if s = s.For(g); s.Mixture.IgnoresOpponent {
		return withoutEnemy(s.Params)
	}
	return s.Params
}

// withoutEnemy sets the weights of all features of the other side to 0.
func withoutEnemy(p eval.Params) eval.Params {
	drop := func(w eval.Weights) eval.Weights {
		if w == nil {
			return nil
		}
		out := eval.Weights{}
		for name, x := range w {
			if !strings.HasPrefix(name, "enemy_") {
				out[name] = x
			}
		}
		return out
	}
	p.Weights, p.Late, p.Movement = drop(p.Weights), drop(p.Late), drop(p.Movement)
	return p
}
