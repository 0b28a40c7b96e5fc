package rules

import (
	"encoding/json"

	"spar/configs/plain"
)

// Canonical returns the rules as one line of JSON that states every knob. Studies store this form.
func (r Rules) Canonical() string {
	text, err := json.Marshal(r)
	if err != nil {
		return err.Error() // cannot happen: the type holds only texts, numbers and switches
	}
	return string(text)
}

// Hash returns 16 hex digits that identify the rules. Names and other descriptions for people do not affect the hash.
func (r Rules) Hash() string {
	return plain.Hash(r.bare().Canonical())[:16]
}

// bare returns the rules without the keys that only describe them.
func (r Rules) bare() Rules {
	r.Name = ""
	r.Title = ""
	r.Family = ""
	r.About = ""
	r.Sides = Sides{}
	return r
}

// described lists the top-level keys of a rules file that only describe the game to people.
func described() []string { return []string{"name", "title", "family", "about", "sides"} }
