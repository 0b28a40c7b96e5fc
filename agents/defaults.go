package agents

import (
	"maps"
	"slices"

	"spar/agents/connection"
	"spar/agents/eval"
	"spar/configs"
	"spar/engines"
)

// tuned is the name of the agent file with the default weights for rules that have the name of its name:
// configs/agents/ctor/tuned.yaml for ctor and its variants. reports/research/tuned.md describes how the weights were
// found.
const tuned = "/tuned"

// Tuned reports whether Spar ships tuned weights for rules with the game's name.
func Tuned(g *engines.Game) bool {
	return slices.Contains(configs.Names(configs.Agents), g.Name()+tuned)
}

// EvalFor returns the evaluation of agents that state no weights. If Spar ships weights for rules with the game's
// name, it uses these, otherwise the hand-made weights.
func EvalFor(g *engines.Game) eval.Params {
	if Tuned(g) {
		s, err := LoadSpec(g.Name() + tuned)
		if err == nil { // shipped files are read by tests
			return s.Params
		}
	}
	return DefaultEval()
}

// learned is the name of the agent file with the evaluation that was learned for the rules of its name. Its key
// default_in lists the searches that use this evaluation by default.
const learned = "/learned"

// newest is the name of an agent file with an evaluation learned later. Searches with the kind Newest prefer it.
const newest = "/newest"

// Linear is the kind of evaluation that uses weights, even where a learned evaluation is the default.
const Linear = "linear"

// Connection is the default evaluation kind of searches in games that are won by connecting two edges.
const Connection = "connection"

// Newest is the evaluation kind of agents that use the latest learned evaluation. A new version of Spar may therefore
// change their games. Other agents keep their evaluation, so that old plans give the same games.
const Newest = "newest"

// shipped returns the learned evaluation that a search has by default. The search must evaluate positions and state no
// evaluation, and the rules must be exactly those of the training.
func (s Spec) shipped(g *engines.Game) (EvaluationOptions, bool) {
	if s.Evaluation.Kind == Connection {
		return s.Evaluation, true
	}
	name := g.Name() + learned
	if s.Evaluation.Kind == Newest {
		s.Evaluation.Kind = ""
		if slices.Contains(configs.Names(configs.Agents), g.Name()+newest) {
			name = g.Name() + newest
		}
	}
	states := s.Late != nil || s.LateFrom != 0 || s.Movement != nil || s.Scale != 0 || s.Mixture.IgnoresOpponent ||
		s.Evaluation != (EvaluationOptions{})
	if states || s.ignoresEvaluation() {
		return EvaluationOptions{}, false
	}
	if s.Searches() && connection.New(g) != nil && s.Minimax.Ordering != "plain" {
		return EvaluationOptions{Kind: Connection}, true
	}
	if !slices.Contains(configs.Names(configs.Agents), name) {
		return EvaluationOptions{}, false
	}
	of, err := LoadSpec(name)
	if err != nil || of.Evaluation.Net == nil ||
		!slices.Contains(of.DefaultIn, s.Type) { // shipped files are read by tests
		return EvaluationOptions{}, false
	}
	return of.Evaluation, of.Evaluation.Net.Fits(g)
}

// For completes the spec for a game: it adds the default weights, or the name of the learned evaluation that is
// the default for the game.
func (s Spec) For(g *engines.Game) Spec {
	if s.Type == strongest {
		if t, err := ShippedStrongest(); err == nil { // shipped files are read by tests
			s.Rows = t.For(g)
		}
		return s
	}
	if s.Weights != nil || s.Evaluation.File != "" || !s.Evaluates() {
		return s
	}
	if e, ok := s.shipped(g); ok {
		s.Evaluation = e
		return s
	}
	if s.Evaluation.Kind == Newest {
		s.Evaluation.Kind = ""
	}
	d := EvalFor(g)
	if s.Searches() && !Tuned(g) && eval.Waits(g) {
		// With these weights, where cells can wait for a side, over 300 games each of connect four from balanced openings,
		// minimax-6 won 57 % against itself without them (52 to 61), minimax-4 58 % (53 to 62), and mcts-1k 60 % (55 to
		// 65). The one-ply agent does not use them, because it is a fixed reference for others.
		maps.Copy(d.Weights, eval.Weights{"own_waiting": 40, "enemy_waiting": -40})
	}
	s.Weights = d.Weights
	if s.Late == nil && s.LateFrom == 0 {
		s.Late, s.LateFrom = d.Late, d.LateFrom
	}
	if s.Movement == nil {
		s.Movement = d.Movement
	}
	if s.Scale == 0 {
		s.Scale = d.Scale
	}
	return s
}

// DefaultEval returns the hand-made evaluation, which works for all rules.
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
