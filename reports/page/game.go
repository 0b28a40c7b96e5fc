package page

import "spar/engines"

// GameView is a game that a reader can step through on the page. The boards are computed when the document is
// written; the page's script knows no rules.
type GameView struct {
	ID      string // id of the HTML element; empty means: derived from the title
	Title   string // title, like "the longest game"
	Why     string // reason for showing it, in one sentence
	Game    *engines.Game
	Moves   []string
	Names   [2]string // names of the first and the second player
	Result  string    // result, like "first wins by a line after 33 plies"; empty takes it from the replay
	Command string    // the command that shows it in a terminal

	// Values are the expected scores of the first player at the start and after each ply, 0 to 1, or nil if unknown.
	Values []float64
	Source string // the evaluator: "exact", "mcts, 20 000 playouts, the same for both sides"
	// Noise is the standard error of a value. A loss of less than twice Noise is not a mistake.
	Noise float64
	// Look is the ply that the page shows first; 0 means the end of the game, and -1 its start.
	Look int
	// Classes are the classes of the plies as package review names them; an empty text means no class. If Classes is
	// nil, the page finds inaccuracies and mistakes from the values, with the limits of package review.
	Classes []string
	// Best are the best moves in each position, if known.
	Best []string
}
