package page

import "spar/engines"

// GameView is a game that can be stepped through on the page. The boards are computed when the document is written; the
// page's program knows no rules.
type GameView struct {
	ID      string // empty makes one from the title
	Title   string // "the longest game"
	Why     string // why it is shown, in one sentence
	Game    *engines.Game
	Origin  string // text of the position it begins at; empty for the start of the game
	Moves   []string
	Names   [2]string // agents of the first and the second player
	Result  string    // "first wins by a line after 33 plies"; empty takes it from the replay
	Command string    // what shows it in a terminal

	// Values are the expected score of the first player at the start and after each ply, 0 to 1; nil where nobody knows.
	Values []float64
	Source string // what the values rest on: "exact", "mcts, 20 000 playouts, the same for both sides"
	// Noise is the standard deviation of a value; a loss below twice that is no mistake.
	Noise float64
	// Look is the ply that is shown at first; 0 is the end.
	Look int
	// Classes are the classes of the plies as package review names them, empty for none. Nil takes inaccuracies and mistakes
	// from the values by review's limits of loss.
	Classes []string
	// Best are the best moves of each position, where known.
	Best []string
}
