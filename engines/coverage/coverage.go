// Package coverage lists well-known games and whether rules files can express them. Each [Entry] names a game, and
// either the shipped file, the knobs that express it, or the mechanic that is missing.
package coverage

import (
	"slices"
	"strings"
	"unicode"

	"spar/configs/strict"
)

// Entry is a well-known game, and whether rules files can express it.
type Entry struct {
	Game   string `json:"game" help:"the game"`
	Status string `json:"status" help:"shipped, expressible or missing"` // shipped, expressible or missing
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

// Table returns the list of games, shipped ones first.
func Table() []Entry {
	return []Entry{
		{"Tic-tac-toe", Shipped, "classic", "", ""},
		{"Connect four", Shipped, "connect4", "", ""},
		{"Misère tic-tac-toe", Shipped, "misere-tictactoe", "", ""},
		{"Wild tic-tac-toe", Shipped, "wild-tictactoe", "", ""},
		{"Notakto on one board", Shipped, "notakto", "", ""},
		{"Order and chaos", Shipped, "order-and-chaos", "", ""},
		{"Three Men's Morris", Shipped, "three-mens-morris", "", ""},
		{"Tapatan", Shipped, "tapatan", "", ""},
		{"Achi", Shipped, "achi", "", ""},
		{"Six Men's Morris", Shipped, "six-mens-morris", "", ""},
		{"Nine Men's Morris", Shipped, "nine-mens-morris", "", ""},
		{"Dara", Shipped, "dara", "", "threes made while placing take nothing, instead of being forbidden"},
		{"Teeko", Shipped, "teeko", "", ""},
		{"Pong Hau K'i", Shipped, "pong-hau-ki", "", ""},
		{"Alquerque", Shipped, "alquerque", "", ""},
		{"Fox and geese", Shipped, "fox-and-geese", "", "on the board of alquerque"},
		{"Hex", Shipped, "hex", "", "up to 121 cells"},
		{"Yavalath", Shipped, "yavalath", "", ""},
		{"Hare and Hounds", Shipped, "hare-and-hounds", "", ""},
		{"Hexapawn", Shipped, "hexapawn", "", ""},
		{"Breakthrough", Shipped, "breakthrough", "", ""},
		{"Clobber", Shipped, "clobber", "", ""},
		{"Konane", Shipped, "konane", "", "6x6"},
		{"Reversi (Othello)", Shipped, "reversi", "", ""},
		{"Ataxx", Shipped, "ataxx", "", ""},
		{"Hasami shogi", Shipped, "hasami", "", "7x7"},
		{"Pente", Shipped, "pente", "", "11x11 instead of 19x19"},
		{"Connect6", Shipped, "connect6", "", "11x11 instead of 19x19"},
		{"Gomoku on 9x9 and 11x11", Shipped, "gomoku11", "", ""},
		{"Twelve Men's Morris", Expressible, "", "", "nine-mens-morris with diagonals and a supply of 12"},
		{"Five Field Kono", Expressible, "", "", "setup, steps: bishop, win.reach with win.reach_count"},
		{"Halma-like races", Expressible, "", "", "captured: stay, jump_over: any, multi_jump, win.reach_count"},
		{"Squava", Expressible, "", "", "win.line: 4, lose.line: 3 on 5x5"},
		{"Gomoku, Pente and Connect6 on 15x15 and 19x19", Missing, "", "boards of more than 121 cells", ""},
		{"Dodgem", Missing, "", "moves off the board, and a goal of having none left", ""},
		{"Go", Missing, "", "capture of groups without liberties, and area scoring", ""},
		{
			"Checkers and draughts",
			Missing,
			"",
			"promotion, and compulsory continuation: a jumper may stop while it can jump on",
			"",
		},
		{"Fanorona", Missing, "", "capture of a whole line by approach or withdrawal", ""},
		{"Surakarta", Missing, "", "capture along loops outside the board", ""},
		{"Onitama", Missing, "", "cards that say how pieces move, and pieces of several kinds", ""},
		{"Dots and Boxes", Missing, "", "moves on edges between cells, and an extra turn for what they complete", ""},
		{"Gonnect", Missing, "", "capture of groups without liberties", ""},
		{"Chess", Missing, "", "pieces of several kinds", ""},
		{
			"Lines of Action",
			Missing,
			"",
			"steps as long as the pieces on a line, and a goal of one connected group",
			"",
		},
		{"Amazons", Missing, "", "a shot after the move that blocks a cell", ""},
		{"Havannah", Missing, "", "rings and forks as goals", ""},
		{"Pentago", Missing, "", "quadrants that turn", ""},
		{"Quoridor", Missing, "", "walls between cells", ""},
		{"Abalone", Missing, "", "pushing rows of pieces", ""},
		{"Tablut (hnefatafl)", Missing, "", "pieces of several kinds: a king", ""},
		{"Mancala", Missing, "", "stacks of seeds", ""},
		{"Tak", Missing, "", "stacking", ""},
		{"Backgammon", Missing, "", "dice", ""},
		{"Stratego", Missing, "", "hidden information", ""},
	}
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
// or dice, with a game that needs it. Both are empty if there is none.
func MissingMechanic(key string) (mechanic, game string) {
	key = plain(key)
	for _, e := range Table() {
		for _, word := range strings.FieldsFunc(e.Missing, func(r rune) bool { return !unicode.IsLetter(r) }) {
			word = plain(word)
			if len(key) > 3 && len(word) > 3 && (word == key || word == key+"s" || key == word+"s") {
				return e.Missing, e.Game
			}
		}
	}
	return "", ""
}
