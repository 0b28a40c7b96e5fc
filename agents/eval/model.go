package eval

import "spar/engines"

// Model values positions of one game. It is immutable; any number of goroutines may use it. State that changes during
// a search is in cursors. Evaluator, the linear evaluation, is one model.
type Model interface {
	// Cursor returns a cursor for one thread.
	Cursor() Cursor
	// Score turns a value into an expected score from 0 to 1.
	Score(value float64) float64
}

// Cursor values positions for one thread. It has its own memory and allocates nothing after the first positions. A
// cursor that is also a Follower values only the position that it has followed the search to, and its children.
type Cursor interface {
	// Value returns the value of an unfinished position for a side.
	Value(s *engines.State, side int) float64
	// ValueOrWin returns the value for the side to move, and a cell where it completes a line at once, or NoCell.
	ValueOrWin(s *engines.State) (float64, engines.Cell)
	// Children appends, for each of the moves of a position, the value of the position after it for a side.
	Children(s *engines.State, moves []engines.Move, side int, dst []Child) []Child
	// Leaves prepares Leaf for the children of a position, which must not change while Leaf is called. It reports
	// whether Leaf works for the position and pays for this number of moves. It reports true only under rules without
	// repetition.
	Leaves(s *engines.State, moves int) bool
	// Leaf returns the value of the position after a move without playing the move. It reports false if the move must
	// be played.
	Leaf(m engines.Move) (Leaf, bool)
}

// Child is a position after a move: its value, or how the move ends the game.
type Child struct {
	Value  float64
	Result engines.Result
}

// Leaf is the value of a position after a move, in the form that ValueOrWin and quiescence need.
type Leaf struct {
	Value  float64 // for the side to move after the move
	Next   int     // the side to move after the move
	Wins   engines.Cell
	Quiet  bool // the side to move has no captures
	Threat bool // the side that made the move can complete a line next, unless stopped; set if lines were counted
}

// Follower is a cursor that updates its state along the path of a search.
type Follower interface {
	// Follow puts the cursor at a position and forgets the path.
	Follow(s *engines.State)
	// Push moves the cursor from one position to the position after a move. Both may change after it returns.
	Push(before, after *engines.State)
	// Pop undoes the last Push.
	Pop()
}

// Policy is a cursor that rates all moves of a position at once, without their values. A search that needs priors
// uses it instead of Children.
type Policy interface {
	// Policy appends, for each move of a position, the share of the search that it should get, and its result if it
	// is known to end the game. The shares add up to 1.
	Policy(s *engines.State, moves []engines.Move, dst []Prior) []Prior
}

// Prior is a policy's rating of a move.
type Prior struct {
	Share  float64
	Result engines.Result // Ongoing: the move is not known to end the game
}

// Costly is a cursor for which a value costs much more time than making a position.
type Costly interface {
	// Cost returns the cost of a value in the unit of package pace, the cost of making a position.
	Cost() int
}
