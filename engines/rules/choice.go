package rules

import (
	"encoding/json"
	"fmt"
)

// Choice is the value of a knob that is false, true or one special word. Text and JSON use booleans for false and
// true.
type Choice string

// The values of turn.pie: whether the second player may answer the first turn with swap, and what it exchanges.
const (
	NoPie     Choice = "false"
	PieStones Choice = "true"  // the second player takes over the pieces that were placed
	PieSeats  Choice = "seats" // the players exchange sides
)

// On reports whether the value is not false.
func (p Choice) On() bool { return p != "" && p != NoPie }

// IsZero reports whether the value is false.
func (p Choice) IsZero() bool { return !p.On() }

// MarshalJSON writes the values false and true as booleans and others as words.
func (p Choice) MarshalJSON() ([]byte, error) { return json.Marshal(p.value()) }

// MarshalYAML writes the values false and true as booleans and others as words.
func (p Choice) MarshalYAML() (any, error) { return p.value(), nil }

// UnmarshalJSON reads a boolean or a word.
func (p *Choice) UnmarshalJSON(text []byte) error {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("choice: %w", err)
	}
	*p = Choice(fmt.Sprint(v))
	return nil
}

func (p Choice) value() any {
	switch p {
	case "true":
		return true
	case "false", "":
		return false
	}
	return string(p)
}
