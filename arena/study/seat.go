package study

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
)

const hashed = "sha256:"

// HashToken returns what a study keeps of the token in a seat's link: who reads the study cannot take the seat. Tokens
// are random, so one round suffices.
func HashToken(token string) string { return fmt.Sprintf("%s%x", hashed, sha256.Sum256([]byte(token))) }

// HashTokens returns the state of a table, a JSON object, with hashes in place of the tokens that older versions of Spar
// kept in it. Other text comes back unchanged.
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
