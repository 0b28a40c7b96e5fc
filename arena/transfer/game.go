// Package transfer exports and imports studies. JSONL holds everything in a study; CSV holds its games, for
// other programs. Import reads JSONL. Positions, with features and values, are exported as CSV, JSONL or NumPy
// archives (NPZ) for machine learning.
package transfer

import (
	"strings"

	"spar/arena/store"
	"spar/engines/rules"
)

// Game is the JSON form of a game. "spar replay" can read it.
type Game struct {
	ID     int64          `json:"id" help:"number of the game in its study"`
	Event  string         `json:"event" help:"name of the event"`
	Number int64          `json:"number" help:"place in the event's schedule, from 0"`
	Rules  string         `json:"rules"`
	Set    map[string]any `json:"set,omitempty"`
	First  string         `json:"first"`
	Second string         `json:"second"`
	Pair   int64          `json:"pair" help:"number of the pair: one opening, both seatings"`
	Seed   int64          `json:"seed"`
	Result string         `json:"result"`
	Reason string         `json:"reason"`
	Detail string         `json:"detail,omitempty"`
	Plies  int            `json:"plies"`
	Moves  []string       `json:"moves"`
	Marks  string         `json:"marks,omitempty" help:"special properties, separated by commas: mirror, forfeit, repeated, training, surplus, timed, human, superseded, pending"`
}

// GameOf returns the JSON form of a stored game.
func GameOf(g store.Row) Game {
	name, set := rules.SplitLabel(g.RulesName)
	return Game{
		g.ID, g.EventName, g.Number, name, set, g.FirstName, g.SecondName, g.Pair, g.Seed, g.Result, g.Reason, g.Detail,
		g.Plies, strings.Fields(g.Moves),
		g.Marks.String(),
	}
}
