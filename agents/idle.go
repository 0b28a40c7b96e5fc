package agents

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/engines"
)

// Idle is a knob that decides no move of an agent under some rules, whatever its value, and why.
type Idle struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// idleness lists which knobs have no effect when: of a type, as its other knobs are, under some rules. A knob that is not listed is
// taken to have one.
func idleness() []struct {
	path, kind string // kind is a type; empty for all
	why        string
	when       func(*Spec, *engines.Game) bool
} {
	mcts := func(when func(*Spec) bool) func(*Spec, *engines.Game) bool {
		return func(s *Spec, _ *engines.Game) bool { return when(s) }
	}
	blind := mcts((*Spec).blind)
	plain := func(s *Spec, _ *engines.Game) bool { return s.Minimax.Ordering == "plain" }
	const plainWhy = "ordering plain is textbook alpha-beta, without it"
	unsoftened := func(s *Spec, _ *engines.Game) bool { return s.Mixture.Softmax == 0 }
	const scaleWhy = "it only turns values into scores, and the best value is the best score"
	const blindWhy = "selection and rollouts do without an evaluation: uct without bias and implicit, rollouts to the end"
	return []struct {
		path, kind string
		why        string
		when       func(*Spec, *engines.Game) bool
	}{
		{"mcts.reuse", "mcts", "the rules count repetitions: the tree is grown anew at every move", func(_ *Spec, g *engines.Game) bool { return g.Rules().Draw.Repetition > 0 }},
		{"mcts.noise", "mcts", "it goes into priors, which selection uct has only with bias", mcts((*Spec).priorless)},
		{"mcts.noise_alpha", "mcts", "there is no noise", mcts(func(s *Spec) bool { return s.MCTS.Noise == 0 || s.priorless() })},
		{"mcts.rollout_epsilon", "mcts", "rollouts are not greedy", mcts(func(s *Spec) bool { return s.MCTS.Rollout != "greedy" })},
		{"mcts.rollout_plies", "mcts", "there are no rollouts", mcts(func(s *Spec) bool { return s.MCTS.Rollout == "none" })},
		{"weights", "mcts", blindWhy, blind},
		{"late_weights", "mcts", blindWhy, blind},
		{"late_from", "mcts", blindWhy, blind},
		{"movement_weights", "mcts", blindWhy, blind},
		{"evaluation", "mcts", blindWhy, blind},
		{"scale", "mcts", blindWhy, blind},
		{"mixture.ignores_opponent", "mcts", blindWhy, blind},
		{"budget.depth", "mcts", "simulations have no depth", mcts(func(*Spec) bool { return true })},
		{"budget.iterations", "minimax", "alpha-beta has no simulations", func(*Spec, *engines.Game) bool { return true }},
		{"minimax.table_mb", "minimax", plainWhy, plain},
		{"minimax.quiescence", "minimax", plainWhy, plain},
		{"minimax.candidates", "minimax", plainWhy, plain},
		{"scale", "minimax", scaleWhy, unsoftened},
		{"scale", "heuristic", scaleWhy, unsoftened},
		{"late_from", "", "there are no late_weights", func(s *Spec, _ *engines.Game) bool { return s.evaluates() && s.Late == nil }},
		{"movement_weights", "", "the rules have no movement", func(s *Spec, g *engines.Game) bool { return s.evaluates() && !g.Moves() }},
	}
}

func (s *Spec) evaluates() bool { return slices.Contains(evaluating(), s.Type) }

// priorless tells whether a tree search has no use for priors.
func (s *Spec) priorless() bool { return s.MCTS.Selection != "puct" && s.MCTS.Bias == 0 }

// blind tells whether a tree search never values a position.
func (s *Spec) blind() bool {
	o := s.MCTS
	return s.priorless() && o.Implicit == 0 && (o.Rollout == "random" || o.Rollout == "tactical") && o.Plies == 0 && !s.Budget.Timed()
}

// Idle lists the knobs of the agent that decide no move under these rules while its other knobs stay as they are: first those of
// the program, then weights of features that the rules do not have.
func (s Spec) Idle(g *engines.Game) []Idle {
	stated := s.Evaluation.Net != nil
	s = s.For(g)
	switches := !stated && s.Evaluation.Net != nil // a knob of weights puts weights in place of the evaluation that is the default here
	var out []Idle
	known := func(path string) bool {
		return slices.ContainsFunc(out, func(i Idle) bool { return i.Path == path })
	}
	for _, k := range idleness() {
		if switches && slices.Contains([]string{"scale", "late_from", "movement_weights"}, k.path) {
			continue
		}
		if (k.kind == "" || k.kind == s.Type) && k.when(&s, g) && !known(k.path) {
			out = append(out, Idle{k.path, k.why})
		}
	}
	for _, set := range []struct {
		path    string
		weights eval.Weights
	}{{"weights", s.Weights}, {"late_weights", s.Late}, {"movement_weights", s.Movement}} {
		if !s.evaluates() || known(set.path) {
			continue
		}
		for _, feature := range slices.Sorted(maps.Keys(set.weights)) {
			if !eval.Counts(feature, g) {
				out = append(out, Idle{set.path + "." + feature, "the rules have nothing that it counts"})
			}
		}
	}
	return out
}

// IdleAt says why a knob decides no move; nothing where it may decide one. A path within a set of knobs is idle with the set.
func (s Spec) IdleAt(path string, g *engines.Game) (why string) {
	for _, i := range s.Idle(g) {
		if i.Path == path || strings.HasPrefix(path, i.Path+".") {
			return i.Why
		}
	}
	if feature, ok := strings.CutPrefix(path, "weights."); ok && s.evaluates() && !eval.Counts(feature, g) {
		return "the rules have nothing that it counts"
	}
	return ""
}

// IdleText lists what is idle, knobs with the same reason together.
func IdleText(idle []Idle) []string {
	var out []string
	for i := 0; i < len(idle); {
		j := i + 1
		words := idle[i].Path
		for ; j < len(idle) && idle[j].Why == idle[i].Why; j++ {
			words += ", " + idle[j].Path
		}
		out = append(out, fmt.Sprintf("%s (%s)", words, idle[i].Why))
		i = j
	}
	return out
}
