// Package coverage lists well-known games and whether rules files can express them. Each [Entry] names a game, and
// either the shipped file, the knobs that express it, or the mechanic that is missing. games.jsonl is the list.
package coverage

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"spar/configs/strict"
)

// Entry is a well-known game, and whether rules files can express it.
type Entry struct {
	Game   string `json:"game" help:"the game"`
	Status string `json:"status" help:"shipped, expressible or missing"`
	// name of the shipped rules file
	Rules string `json:"rules,omitempty" help:"the shipped rules file"`
	// mechanic that rules files lack
	Missing string `json:"missing,omitempty" help:"the mechanic that the rules files lack"`
	How     string `json:"how,omitempty" help:"the mechanics that express it, or how the shipped file differs"`
}

// The values of Entry.Status.
const (
	Shipped     = "shipped"
	Expressible = "expressible" // rules files can express it, but none is shipped
	Missing     = "missing"
)

//go:embed games.jsonl
var games []byte

// Table returns the list of games, shipped ones first.
func Table() (out []Entry) {
	for line := range bytes.Lines(games) {
		var e Entry
		_ = json.Unmarshal(line, &e) // a test reads each line
		out = append(out, e)
	}
	return out
}

// Find returns the games with a similar name: it ignores case, spaces, punctuation and small typing errors.
func Find(name string) []Entry {
	given := plain(name)
	if given == "" {
		return nil
	}
	var names []string
	var found []Entry
	for _, e := range Table() {
		p := plain(e.Game)
		names = append(names, p)
		if p == given {
			return []Entry{e}
		}
		if strings.Contains(p, given) || given == plain(e.Rules) {
			found = append(found, e)
		}
	}
	if len(found) > 0 {
		return found
	}
	near := strict.Nearest(given, names)
	if near == "" || float64(strict.Distance(given, near)) > 0.3*float64(len(given)) {
		return nil
	}
	return []Entry{Table()[slices.Index(names, near)]}
}

// plain converts a name to lower case and drops everything but letters and digits.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch r = unicode.ToLower(r); {
		case strings.ContainsRune("èéê", r):
			return 'e'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		}
		return -1
	}, name)
}

// MissingMechanic returns the unsupported mechanic that an unknown key of a rules file probably means, like stacking
// or dice, with a game that needs it. Both are empty if there is none. The list has the keys beside each mechanic.
func MissingMechanic(key string) (mechanic, game string) {
	for line := range bytes.Lines(games) {
		var e struct {
			Entry
			Keys []string
		}
		_ = json.Unmarshal(line, &e)
		if slices.Contains(e.Keys, strings.TrimSuffix(plain(key), "s")) {
			return e.Missing, e.Game
		}
	}
	return "", ""
}
