package agents

import (
	"context"
	"fmt"
	"strings"

	"spar/agents/eval"
	"spar/agents/mcts"
	"spar/agents/minimax"
	"spar/agents/patterns"
	"spar/agents/sources"
	"spar/configs/strict"
	"spar/engines"
)

// New makes an agent for a game. Type perfect may solve the game for that, which takes a while: NewContext lets it be ended.
func New(s Spec, g *engines.Game) (Agent, error) { return NewContext(context.Background(), s, g) }

// NewContext is New under a context: when it ends, so does what is being worked out, with its error.
func NewContext(ctx context.Context, s Spec, g *engines.Game) (Agent, error) {
	if err := s.Params.Check(); err != nil {
		return nil, fmt.Errorf("agent %s: %w", s.Name, err)
	}
	model, err := Model(s, g)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", s.Name, err)
	}
	root, err := newRestriction(s.Mixture, g)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", s.Name, err)
	}
	c := common{restriction: root, ties: s.Ties, softmax: s.Mixture.Softmax, budget: s.Budget, threads: s.threads()}
	var a Agent
	switch s.Type {
	case "random":
		a = &random{restriction: root}
	case "heuristic":
		a = newHeuristic(c, model)
	case "minimax":
		a = &minimaxAgent{common: c, model: model, search: minimax.New(g, model, minimax.Options{
			TableMB: s.Minimax.TableMB, Plain: s.Minimax.Ordering == "plain", Candidates: s.Minimax.Candidates,
			Quiescence: s.Minimax.Quiescence, Threads: s.Minimax.Threads, AllScores: s.Mixture.Softmax > 0,
		})}
	case "mcts":
		a = &mctsAgent{common: c, search: mcts.New(g, model, s.MCTS)}
	case "source":
		p, err := sources.New(s.Level, g)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", s.Name, err)
		}
		a = &sourceAgent{common: c, player: p}
	case "perfect":
		if a, err = newPerfect(ctx, c, s.Perfect, g); err != nil {
			return nil, fmt.Errorf("agent %s: %w", s.Name, err)
		}
	case "ugi":
		a = &external{g: g, name: s.Name, o: s.UGI}
	case "own":
		if a, err = newOwn(ctx, s, g); err != nil {
			return nil, fmt.Errorf("agent %s: %w", s.Name, err)
		}
	default:
		return nil, fmt.Errorf("agent %s: unknown type %q%s", s.Name, s.Type, strict.Suggest(s.Type, Types()))
	}
	if s.Mixture.Epsilon > 0 || s.Mixture.Mirrors || len(s.Mixture.OpeningBook) > 0 {
		return newMixed(a, s.Mixture, root, g)
	}
	return a, nil
}

// For is the learned evaluation for a game. The error wraps patterns.ErrFile where the file does not serve its rules. Net must not be nil.
func (o EvaluationOptions) For(g *engines.Game) (*patterns.Net, error) {
	if o.Kin {
		return o.Net.ForKin(g)
	}
	return o.Net.For(g)
}

// Model is the value model that an agent plays by: a learned one if it names one, or has one by default, else the linear one.
func Model(s Spec, g *engines.Game) (eval.Model, error) {
	if s = s.For(g); s.Evaluation.Net != nil {
		return s.Evaluation.For(g)
	}
	return eval.New(g, Evaluation(s, g)), nil
}

// Evaluation is the linear evaluation that an agent plays by.
func Evaluation(s Spec, g *engines.Game) eval.Params {
	if s = s.For(g); s.Mixture.IgnoresOpponent {
		return withoutEnemy(s.Params)
	}
	return s.Params
}

// withoutEnemy drops the weights of everything that concerns the other side.
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
