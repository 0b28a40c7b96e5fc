package eval

import "spar/engines"

// Model evaluates positions of one game. It does not change, so any number of goroutines may use it. Cursors hold what
// changes during a search. Evaluator, the linear evaluation, is one model.
type Model interface {
	// Cursor returns a cursor for one goroutine.
	Cursor() Cursor
	// Score converts a value to an expected score from 0 to 1.
	Score(value float64) float64
}

// Cursor evaluates positions for one goroutine. It has its own memory and allocates nothing after the first positions.
// A cursor that is also a Follower evaluates only its current position and that position's children.
type Cursor interface {
	// Value returns the value of an unfinished position for a side.
	Value(s *engines.State, side int) float64
	// ValueOrWin returns the value for the side to move, and a cell where it completes a line at once, or NoCell.
	ValueOrWin(s *engines.State) (float64, engines.Cell)
	// Children appends, for each of the moves of a position, the value of the position after it for a side.
	Children(s *engines.State, moves []engines.Move, side int, dst []Child) []Child
	// Leaves prepares Leaf for the children of a position, which must not change while Leaf is called. It reports
	// whether Leaf works for the position and saves time for this number of moves; it never does under rules that count
	// repetitions.
	Leaves(s *engines.State, moves int) bool
	// Leaf returns the value of the position after a move without playing the move. The second result is false if
	// the move must be played.
	Leaf(m engines.Move) (Leaf, bool)
}

// Child is a position after a move: its value, or how the move ends the game.
type Child struct {
	Value  float64
	Result engines.Result
}

// Leaf is the value of a position after a move, in the form that ValueOrWin and quiescence need.
type Leaf struct {
	Value float64 // for the side to move after the move
	Next  int     // side to move after the move
	Wins  engines.Cell
	Quiet bool // the side to move has no capture
	// whether the side that made the move could complete a line with its next move; false if lines were not counted
	Threat bool
}

// Follower is a cursor that updates its state along the path of a search.
type Follower interface {
	// Follow sets the cursor to a position, with an empty path.
	Follow(s *engines.State)
	// Push moves the cursor from one position to the position after a move. The caller may change both positions
	// afterwards.
	Push(before, after *engines.State)
	// Pop undoes the last Push.
	Pop()
}

// Policy is a cursor that rates all moves of a position at once, without their values. A search that needs priors
// uses it instead of Children.
type Policy interface {
	// Policy appends, for each move of a position, the fraction of the search that it should get, and its result
	// if it is known to end the game. The fractions add up to 1.
	Policy(s *engines.State, moves []engines.Move, dst []Prior) []Prior
}

// Prior is a policy's rating of a move.
type Prior struct {
	Share  float64
	Result engines.Result // result if the move ends the game; Ongoing if it is not known to
	Score  float64        // estimate of the score after the move for the side that makes it; 0 if there is none
}

// Costly is a cursor that takes much longer to evaluate a position than to make it.
type Costly interface {
	// Cost returns the cost of a value in the unit of package pace: the cost of making a position.
	Cost() int
}
