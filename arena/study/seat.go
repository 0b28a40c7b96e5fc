package study

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
)

const hashed = "sha256:"

// HashToken returns the form in which a study stores the token of a seat's link. Someone who reads the study then
// cannot take the seat. Tokens are random, so one round of hashing is enough.
func HashToken(token string) string { return fmt.Sprintf("%s%x", hashed, sha256.Sum256([]byte(token))) }

// HashTokens replaces the tokens in the state of a table (a JSON object) by their hashes, because older versions
// of Spar stored the tokens. It returns other text unchanged.
func HashTokens(state string) string {
	var seats struct{ Tokens []string }
	if json.Unmarshal([]byte(state), &seats) != nil {
		return state
	}
	clear := false
	for i, token := range seats.Tokens {
		if token != "" && !strings.HasPrefix(token, hashed) {
			seats.Tokens[i], clear = HashToken(token), true
		}
	}
	if !clear {
		return state
	}
	var all map[string]json.RawMessage
	tokens, err := json.Marshal(seats.Tokens)
	if err != nil || json.Unmarshal([]byte(state), &all) != nil {
		return state
	}
	for key := range all {
		if strings.EqualFold(key, "tokens") { // the key may be written in other ways, and twice
			all[key] = tokens
		}
	}
	out, err := json.Marshal(all)
	if err != nil {
		return state
	}
	return string(out)
}
