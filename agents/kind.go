package agents

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/configs/strict"
	"spar/engines"
)

// kind describes an agent type. All code that depends on the type uses this description: the schema and the help
// of agent files, the check of knobs, the idle knobs, the cost of the agent, and how it is made. A new type is a
// file with its description, an entry in kinds, its knobs as a field of Spec if it has any, and the schema that
// `go test ./configs -update` writes.
//
// A function that is nil means one that returns the zero value.
type kind struct {
	name  string
	about string // what it does, for lists of types

	// paths of knobs, or of sections of knobs, that only the types that list them may set
	knobs     []string
	idle      []idleRule
	evaluates bool   // it evaluates positions, by weights or by a learned evaluation
	compares  bool   // it plays the move with the best value, so the scale of values has no effect
	searches  bool   // it searches deeper with a larger budget
	depth     bool   // its budget limits the depth, so values of even and odd depths differ
	foreign   bool   // an external program decides its moves, so the spec does not reproduce them
	program   bool   // it runs an external program
	complete  bool   // its spec determines its moves completely, without defaults of Spar
	budget    Budget // default limits for one decision

	threads func(*Spec) int               // number of threads for one decision; nil means 1
	memory  func(*Spec) int64             // memory in bytes, if knobs set it
	certain func(*Spec) bool              // reports whether it always plays the same move in a position
	blind   func(*Spec) bool              // reports whether knobs make it ignore its evaluation
	zeros   func(*Spec)                   // replaces zeros in knobs by the values that they mean
	read    func(*Spec, *strict.Document) // completes a spec that was read from a file, and reports mistakes
	// describes how it plays, beginning with a verb, like "looks one ply ahead"
	plays  func(*Spec) string
	deeper func(*Spec) string // makes it search one level deeper, and describes the result
	suits  func(*Spec, *engines.Game) error

	make func(ctx context.Context, s Spec, g *engines.Game, c common, model eval.Model) (Agent, error)
}

// valueKnobs returns the knobs of types with an evaluation.
func valueKnobs(more ...string) []string {
	return append(strings.Fields("weights late_weights late_from movement_weights scale evaluation "+
		"default_in ties mixture.softmax mixture.ignores_opponent"), more...)
}

// kind returns the description of the agent's type, which is empty for an unknown type.
func (s *Spec) kind() kind {
	for _, k := range kinds() {
		if k.name == s.Type {
			return k
		}
	}
	return kind{}
}

// typesWhere lists the agent types that have a property.
func typesWhere(has func(kind) bool) []string {
	var names []string
	for _, k := range kinds() {
		if has(k) {
			names = append(names, k.name)
		}
	}
	return names
}

// Types lists the agent types.
func Types() []string { return typesWhere(func(kind) bool { return true }) }

// Evaluating lists the types that evaluate positions, by weights or by a learned evaluation.
func Evaluating() []string { return typesWhere(func(k kind) bool { return k.evaluates }) }

// Choices returns the allowed words for a key that depends on the agent type (see strict.Chooser).
func (*Spec) Choices(key string) []string {
	switch key {
	case "type":
		return Types()
	case "default_in":
		return typesWhere(func(k kind) bool { return k.evaluates && k.searches })
	}
	return nil
}

// Help returns the description of a key in an agent's file if it depends on the agent type.
func (*Spec) Help(key string) string {
	if key != "type" {
		return ""
	}
	text := "The kind of player: "
	for i, k := range kinds() {
		if i > 0 {
			text += "; "
		}
		text += fmt.Sprintf("%s (%s)", k.name, k.about)
	}
	return text + "."
}

// restricted lists the knobs that only some types can have.
func restricted() []string {
	var paths []string
	for _, k := range kinds() {
		for _, p := range k.knobs {
			if !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// Evaluates reports whether the agent evaluates positions, by weights or by a learned evaluation.
func (s Spec) Evaluates() bool { return s.kind().evaluates }

// ComparesValues reports whether the agent plays the move with the best value, so that the scale of its values has
// no effect.
func (s Spec) ComparesValues() bool { return s.kind().compares && s.Mixture.Softmax == 0 }

// Searches reports whether the agent searches deeper with a larger budget.
func (s Spec) Searches() bool { return s.kind().searches }

// SearchesToDepth reports whether a budget can limit the agent's depth.
func (s Spec) SearchesToDepth() bool { return s.kind().depth }

// Foreign reports whether an external program decides the agent's moves, so that the spec does not reproduce them.
func (s Spec) Foreign() bool { return s.kind().foreign }

// Program reports whether the agent runs an external program.
func (s Spec) Program() bool { return s.kind().program }

// Complete reports whether the spec determines the agent's moves completely, without Spar's default weights.
func (s Spec) Complete() bool { return s.kind().complete }

// HasBudget reports whether the agent's type accepts a budget.
func (s Spec) HasBudget() bool { return slices.Contains(s.kind().knobs, "budget") }

// DefaultBudget returns the limit of a decision if neither the agent's file nor the tournament sets one. It is empty
// for types that need no limit.
func (s Spec) DefaultBudget() Budget { return s.kind().budget }

// Memory returns the memory in bytes that the agent's knobs allow, or 0 if no knob sets it.
func (s Spec) Memory() int64 {
	if f := s.kind().memory; f != nil {
		return f(&s)
	}
	return 0
}

// Timed reports whether the agent's decisions depend on the clock or on how its threads are scheduled.
func (s Spec) Timed() bool { return s.Budget.Timed() || s.Threads() > 1 }

// Threads returns the number of threads of one decision.
func (s *Spec) Threads() int {
	if f := s.kind().threads; f != nil {
		return f(s)
	}
	return 1
}

// Deterministic reports whether the agent always plays the same move in a position.
func (s Spec) Deterministic() bool {
	f := s.kind().certain
	return f != nil && s.Mixture.Epsilon == 0 && s.Mixture.Softmax == 0 && !s.Timed() && f(&s)
}

// firstTie reports whether the agent plays the first of equally good moves.
func firstTie(s *Spec) bool { return s.Ties == "first" }

// ignoresEvaluation reports whether the agent's knobs make it ignore its evaluation.
func (s *Spec) ignoresEvaluation() bool {
	f := s.kind().blind
	return f != nil && f(s)
}

// Plays describes how the agent plays, as a verb phrase like "looks one ply ahead". It is empty for types without
// a description.
func (s Spec) Plays() string {
	if f := s.kind().plays; f != nil {
		return f(&s)
	}
	return ""
}

// Deeper returns the agent one level deeper, with a description: a heuristic agent searches two plies, minimax one
// more ply, mcts four times as many iterations. Agents without an evaluation do not change.
func (s Spec) Deeper() (Spec, string) {
	f := s.kind().deeper
	if f == nil {
		return s, ""
	}
	s.Name += " deeper"
	condition := f(&s)
	return s, condition
}

// Fit returns an error if an agent cannot play one of the games, because Spar cannot solve it or its levels do not know
// it. It makes such agents once for each game.
func Fit(ctx context.Context, games []*engines.Game, specs ...Spec) error {
	for _, s := range specs {
		if s.kind().suits == nil {
			continue
		}
		for _, g := range games {
			if _, err := NewContext(ctx, s, g); err != nil {
				return cmp.Or(ctx.Err(), strict.Bad(err))
			}
		}
	}
	return nil
}

// Suits returns an error if the agent cannot play a game. It is quick, and may miss errors that New finds.
func (s Spec) Suits(g *engines.Game) error {
	if f := s.kind().suits; f != nil {
		if err := f(&s, g); err != nil {
			return fmt.Errorf("agent %s: %w", s.Name, err)
		}
	}
	return nil
}
