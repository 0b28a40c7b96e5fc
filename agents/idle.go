package agents

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/engines"
)

// Idle names a knob that has no effect on an agent under the rules of a game, and the reason.
type Idle struct {
	Path string `json:"path" help:"a knob without effect under these rules (show only)"`
	Why  string `json:"why" help:"reason why it has none"`
}

// idleRule is a rule for when knobs of a type have no effect, with the reason. A knob without a rule always has an
// effect.
type idleRule struct {
	paths string // separated by spaces
	why   string
	when  func(*Spec, *engines.Game) bool
}

func always(*Spec, *engines.Game) bool { return true }

// evaluationIdle has the rules for all types that have an evaluation.
func evaluationIdle() []idleRule {
	return []idleRule{
		{
			"scale",
			"it only converts values to scores, and so does not change the best move",
			func(s *Spec, _ *engines.Game) bool { return s.ComparesValues() },
		},
		{
			"late_from", "there are no late_weights",
			func(s *Spec, _ *engines.Game) bool { return s.Late == nil },
		},
		{
			"movement_weights", "the rules have no movement",
			func(_ *Spec, g *engines.Game) bool { return !g.Moves() },
		},
	}
}

// Idle lists the knobs that have no effect under the rules of g while the other knobs keep their values: first knobs
// of the type, then weights of features that are always 0.
func (s Spec) Idle(g *engines.Game) []Idle {
	stated := s.Evaluation.Net != nil
	s = s.For(g)
	switches := !stated &&
		s.Evaluation.Net != nil // a knob of weights puts weights in place of the evaluation that is the default here
	var out []Idle
	known := func(path string) bool {
		return slices.ContainsFunc(out, func(i Idle) bool { return i.Path == path })
	}
	k := s.kind()
	rules := k.idle
	if k.evaluates {
		rules = append(rules, evaluationIdle()...)
	}
	for _, rule := range rules {
		for _, path := range strings.Fields(rule.paths) {
			if switches && slices.Contains([]string{"scale", "late_from", "movement_weights"}, path) {
				continue
			}
			if rule.when(&s, g) && !known(path) {
				out = append(out, Idle{path, rule.why})
			}
		}
	}
	for _, set := range []struct {
		path    string
		weights eval.Weights
	}{{"weights", s.Weights}, {"late_weights", s.Late}, {"movement_weights", s.Movement}} {
		if !k.evaluates || known(set.path) {
			continue
		}
		for _, feature := range slices.Sorted(maps.Keys(set.weights)) {
			if !eval.Counts(feature, g) {
				out = append(out, Idle{set.path + "." + feature, "this feature is always 0 under these rules"})
			}
		}
	}
	return out
}

// IdleAt returns the reason why a knob has no effect; empty if it may have an effect. A knob in a section is idle if
// the whole section is.
func (s Spec) IdleAt(path string, g *engines.Game) (why string) {
	for _, i := range s.Idle(g) {
		if i.Path == path || strings.HasPrefix(path, i.Path+".") {
			return i.Why
		}
	}
	feature, ok := strings.CutPrefix(path, "weights.")
	if ok && s.Evaluates() && !eval.Counts(feature, g) {
		return "this feature is always 0 under these rules"
	}
	return ""
}

// IdleText describes idle knobs in sentences, with one sentence for all knobs with the same reason.
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
