package agents

import (
	"context"
	"fmt"
	"slices"

	"spar/agents/eval"
	"spar/configs/strict"
	"spar/engines"
)

// kind describes an agent type. Everything that depends on the type reads this description: the schema and the help of
// agent files, which knobs a file may state, which have no effect, what the agent costs, how it is made. A new type is
// a file with its description, an entry in kinds, its knobs as a field of Spec if it has any, and the schema that `go
// test ./configs -update` writes.
//
// A nil function stands for one that returns the zero value.
type kind struct {
	name  string
	about string // what it does, for lists of types

	// key paths of knobs, or of sections of them, for which only the listing types may have values
	knobs     []string
	idle      []idleRule
	evaluates bool   // it values positions by weights or by a learned evaluation
	compares  bool   // it takes the move with the best value, so the scale of values has no effect
	searches  bool   // it searches deeper with a larger budget
	depth     bool   // its budget limits the depth, so values of even and odd depths differ
	foreign   bool   // another program decides its moves, so the spec does not reproduce them
	program   bool   // it runs a program, which has to be installed
	complete  bool   // its spec states everything that decides its moves, without defaults of Spar
	budget    Budget // default limits of one decision

	threads func(*Spec) int               // threads of one decision; nil means 1
	memory  func(*Spec) int64             // memory in bytes, if knobs set it
	certain func(*Spec) bool              // it always answers a position with the same move
	blind   func(*Spec) bool              // these knobs make it ignore its evaluation
	zeros   func(*Spec)                   // replaces zeros by the values that they mean
	read    func(*Spec, *strict.Document) // completes a spec that was read from a file, and records mistakes
	plays   func(*Spec) string            // how it plays, beginning with a verb: "looks one ply ahead"
	deeper  func(*Spec) string            // makes it search one level deeper, and returns a description of the result
	suits   func(*Spec, *engines.Game) error

	make func(ctx context.Context, s Spec, g *engines.Game, c common, model eval.Model) (Agent, error)
}

// valueKnobs are the knobs of types with an evaluation.
func valueKnobs(more ...string) []string {
	return append([]string{
		"weights", "late_weights", "late_from", "movement_weights", "scale", "evaluation", "default_in", "ties",
		"mixture.softmax", "mixture.ignores_opponent",
	}, more...)
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

// typesWhere lists the types that have a property.
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

// Evaluating lists the types that value positions, by weights or by a learned evaluation.
func Evaluating() []string { return typesWhere(func(k kind) bool { return k.evaluates }) }

// Choices returns the allowed words of a key that depend on the agent type (see strict.Chooser).
func (*Spec) Choices(key string) []string {
	switch key {
	case "type":
		return Types()
	case "default_in":
		return typesWhere(func(k kind) bool { return k.evaluates && k.searches })
	}
	return nil
}

// Help describes a key of an agent's file if the description depends on the agent type.
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

// typesOf lists the types for which a knob has a meaning; nil = all.
func typesOf(path string) []string {
	return typesWhere(func(k kind) bool { return slices.Contains(k.knobs, path) })
}

// restricted lists the knobs that only some types have.
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

// Evaluates reports whether the agent values positions, by weights or by a learned evaluation.
func (s Spec) Evaluates() bool { return s.kind().evaluates }

// ComparesValues reports whether the agent takes the move with the best value, so that the scale of its values has no
// effect.
func (s Spec) ComparesValues() bool { return s.kind().compares && s.Mixture.Softmax == 0 }

// Searches reports whether the agent looks further ahead with a larger budget.
func (s Spec) Searches() bool { return s.kind().searches }

// SearchesToDepth reports whether the depth in a budget limits the agent.
func (s Spec) SearchesToDepth() bool { return s.kind().depth }

// Foreign reports whether another program decides the agent's moves, so that the spec cannot reproduce them.
func (s Spec) Foreign() bool { return s.kind().foreign }

// Program reports whether the agent runs another program.
func (s Spec) Program() bool { return s.kind().program }

// Complete reports whether the spec decides the agent's moves by itself, without Spar's default weights.
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

// Timed reports whether the agent's decisions depend on the clock or on the scheduling of its threads.
func (s Spec) Timed() bool { return s.Budget.Timed() || s.threads() > 1 }

// threads returns the number of threads of one decision.
func (s *Spec) threads() int {
	if f := s.kind().threads; f != nil {
		return f(s)
	}
	return 1
}

// Deterministic reports whether the agent always answers a position with the same move.
func (s Spec) Deterministic() bool {
	f := s.kind().certain
	return f != nil && s.Mixture.Epsilon == 0 && s.Mixture.Softmax == 0 && !s.Timed() && f(&s)
}

// firstTie reports whether the agent takes the first of equally good moves.
func firstTie(s *Spec) bool { return s.Ties == "first" }

// ignoresEvaluation reports whether the agent's knobs make it ignore its evaluation.
func (s *Spec) ignoresEvaluation() bool {
	f := s.kind().blind
	return f != nil && f(s)
}

// Plays says how the agent plays, as a verb phrase: "looks one ply ahead". It is empty for types without a
// description.
func (s Spec) Plays() string {
	if f := s.kind().plays; f != nil {
		return f(&s)
	}
	return ""
}

// Deeper returns the agent one level deeper, with a description: a heuristic agent searches two plies, minimax one
// more ply, mcts four times as many iterations. Agents that do not evaluate stay the same.
func (s Spec) Deeper() (Spec, string) {
	f := s.kind().deeper
	if f == nil {
		return s, ""
	}
	s.Name += " deeper"
	condition := f(&s)
	return s, condition
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
