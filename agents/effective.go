package agents

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"spar/agents/mcts"
	"spar/agents/ugi"
	"spar/engines"
)

// Effective is the agent under the rules of a game as one line of JSON, with every knob and weight stated, those that the spec
// leaves to the program, too, and a hash of it. Name and description are left out: they decide no move.
func (s Spec) Effective(g *engines.Game) (text, hash string) {
	s = s.For(g)
	s.Name, s.Description = "", ""
	s.Ties = cmp.Or(s.Ties, "random")
	if slices.Contains(evaluating(), s.Type) {
		s.Scale = cmp.Or(s.Scale, DefaultEval().Scale)
	}
	text = s.Canonical()
	sum := sha256.Sum256([]byte(text))
	return text, hex.EncodeToString(sum[:])
}

// InForce states the values that zeros stand for, of the knobs that mean something to the agent's type.
func (s Spec) InForce() Spec {
	plain := DefaultSpec()
	switch s.Type {
	case "mcts":
		s.MCTS.MaxNodes = cmp.Or(s.MCTS.MaxNodes, plain.MCTS.MaxNodes)
		s.MCTS.Threads = cmp.Or(s.MCTS.Threads, 1)
	case "minimax":
		s.Minimax.Threads = cmp.Or(s.Minimax.Threads, 1)
	case "perfect":
		s.Perfect.MemoryMB = cmp.Or(s.Perfect.MemoryMB, perfectMB)
	case "ugi":
		s.UGI.Deadline = cmp.Or(s.UGI.Deadline, moveSeconds)
		s.UGI.HandshakeSeconds = cmp.Or(s.UGI.HandshakeSeconds, ugi.Handshake.Seconds())
	}
	if slices.Contains(evaluating(), s.Type) && s.Evaluation.File == "" {
		s.Scale = cmp.Or(s.Scale, DefaultEval().Scale)
	}
	return s
}

// OwnBudget is the budget of a search that neither its file nor the tournament limits; empty for what does not search.
func (s Spec) OwnBudget() string {
	switch {
	case s.Budget != (Budget{}):
		return ""
	case s.Type == "minimax":
		return fmt.Sprintf("depth %d", plainDepth)
	case s.Type == "mcts":
		return fmt.Sprintf("%d iterations", mcts.PlainIterations)
	}
	return ""
}

// Stated tells whether the spec leaves no knob nor weight of its play to the program, whatever the rules.
func (s Spec) Stated() bool { return s.Type == "random" || s.Type == "ugi" || s.Type == "own" }
