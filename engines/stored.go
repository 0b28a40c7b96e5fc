package engines

import "encoding/json"

// Stored compiles rules from their canonical text, as a study keeps them; see Rules.Canonical.
func Stored(canonical string) (*Game, error) {
	r := DefaultRules()
	if err := json.Unmarshal([]byte(canonical), &r); err != nil {
		return nil, err
	}
	return Compile(r)
}
