package rules

import (
	"encoding/json"
	"fmt"
)

// PieRule is the value of turn.pie: whether the second player may answer the first turn with swap, and what a swap
// exchanges.
type PieRule string

// The values of turn.pie.
const (
	NoPie     PieRule = "false"
	PieStones PieRule = "true"  // the second player takes over the pieces that were placed
	PieSeats  PieRule = "seats" // the players exchange sides
)

// On reports whether there is a pie rule.
func (p PieRule) On() bool { return p == PieStones || p == PieSeats }

// MarshalJSON writes the values false and true as booleans and seats as a word.
func (p PieRule) MarshalJSON() ([]byte, error) { return json.Marshal(p.value()) }

// MarshalYAML writes the values false and true as booleans and seats as a word.
func (p PieRule) MarshalYAML() (any, error) { return p.value(), nil }

// UnmarshalJSON reads a boolean or a word.
func (p *PieRule) UnmarshalJSON(text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("pie: %w", err)
	}
	*p = PieRule(fmt.Sprint(v))
	return nil
}

func (p PieRule) value() any {
	switch p {
	case PieStones:
		return true
	case NoPie, "":
		return false
	}
	return string(p)
}
