package page

import "spar/engines"

// GameView is a game that a reader can step through on the page. The boards are computed when the document is
// written; the page's script knows no rules.
type GameView struct {
	ID      string // id of the part; if empty, it follows from the title
	Title   string // "the longest game"
	Why     string // why it is shown, in one sentence
	Game    *engines.Game
	Origin  string // text of the position it begins at; empty for the start of the game
	Moves   []string
	Names   [2]string // agents of the first and the second player
	Result  string    // "first wins by a line after 33 plies"; empty takes it from the replay
	Command string    // the command that shows it in a terminal

	// Values are the expected scores of the first player at the start and after each ply, 0 to 1; nil if unknown.
	Values []float64
	Source string // the evaluator: "exact", "mcts, 20 000 playouts, the same for both sides"
	// Noise is the standard deviation of a value; a loss below twice that does not count as a mistake.
	Noise float64
	// Look is the ply that is shown at first; 0 is the end.
	Look int
	// Classes are the classes of the plies as package review names them, empty for none. Nil takes inaccuracies and
	// mistakes from the values by review's limits of loss.
	Classes []string
	// Best are the best moves of each position, if known.
	Best []string
}
