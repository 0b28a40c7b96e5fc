package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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
	sum := sha256.Sum256([]byte(r.bare().Canonical()))
	return hex.EncodeToString(sum[:8])
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
