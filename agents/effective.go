package agents

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

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

// Stated tells whether the spec leaves no knob nor weight of its play to the program, whatever the rules.
func (s Spec) Stated() bool { return s.Type == "random" || s.Type == "ugi" || s.Type == "own" }
