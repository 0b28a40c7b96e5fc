package agents

import (
	"fmt"
	"strings"

	"spar/agents/eval"
	"spar/agents/mcts"
	"spar/agents/minimax"
	"spar/agents/sources"
	"spar/configs/strict"
	"spar/engines"
)

// New makes an agent for a game.
func New(s Spec, g *engines.Game) (Agent, error) {
	if err := s.Params.Check(); err != nil {
		return nil, fmt.Errorf("agent %s: %w", s.Name, err)
	}
	params := s.WithDefaults().Params
	if s.Mixture.IgnoresOpponent {
		params = withoutEnemy(params)
	}
	root, err := newRestriction(s.Mixture, g)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", s.Name, err)
	}
	c := common{restriction: root, ties: s.Ties, softmax: s.Mixture.Softmax, budget: s.Budget}
	var a Agent
	switch s.Type {
	case "random":
		a = &random{restriction: root}
	case "heuristic":
		a = &heuristic{common: c, eval: eval.New(g, params)}
	case "minimax":
		ev := eval.New(g, params)
		a = &minimaxAgent{common: c, eval: ev, search: minimax.New(g, ev, minimax.Options{
			TableMB: s.Minimax.TableMB, Plain: s.Minimax.Ordering == "plain", Candidates: s.Minimax.Candidates,
			Quiescence: s.Minimax.Quiescence, Threads: s.Minimax.Threads, AllScores: s.Mixture.Softmax > 0,
		})}
	case "mcts":
		a = &mctsAgent{common: c, search: mcts.New(g, eval.New(g, params), s.MCTS)}
	case "source":
		p, err := sources.New(s.Level, g)
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", s.Name, err)
		}
		a = &sourceAgent{common: c, player: p}
	case "perfect":
		if a, err = newPerfect(c, s.Perfect, g); err != nil {
			return nil, fmt.Errorf("agent %s: %w", s.Name, err)
		}
	case "ugi":
		a = &external{g: g, o: s.UGI}
	default:
		return nil, fmt.Errorf("agent %s: unknown type %q%s", s.Name, s.Type, strict.Suggest(s.Type, Types()))
	}
	if s.Mixture.Epsilon > 0 || len(s.Mixture.OpeningBook) > 0 {
		return newMixed(a, s.Mixture, root, g)
	}
	return a, nil
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

// DefaultEval is the hand-made evaluation that serves every rules file.
func DefaultEval() eval.Params {
	return eval.Params{
		Scale: 100,
		Weights: eval.Weights{
			"own_need_1": 20, "own_need_2": 8, "own_need_3": 2, "own_need_4": 0.5,
			"enemy_need_1": -20, "enemy_need_2": -8, "enemy_need_3": -2, "enemy_need_4": -0.5,
			"own_ready": 300, "enemy_ready": -300, "own_double": 60, "enemy_double": -60,
			"own_expiring": 0.5, "enemy_expiring": -0.5,
			"own_centre": 1, "enemy_centre": -1,
			"own_material": 10, "enemy_material": -10, "own_advanced": 4, "enemy_advanced": -4,
			"own_mobility": 0.2, "enemy_mobility": -0.2, "own_jumps": 2, "enemy_jumps": -6,
			"own_hanging": -6, "enemy_hanging": 3, "own_loose": -1.5, "enemy_loose": 1,
		},
	}
}
