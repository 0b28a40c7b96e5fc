package eval

import "spar/engines"

// Model values positions of one game. It is immutable and safe for any number of goroutines; what moves along with a
// search lives in cursors. The linear evaluation (Evaluator) is the first model.
type Model interface {
	// Cursor returns a cursor for one thread.
	Cursor() Cursor
	// Score turns a value into an expected score from 0 to 1.
	Score(value float64) float64
}

// Cursor values positions for one thread. It owns its memory: nothing is allocated after the first positions. A
// cursor that is a Follower, too, values only the position that it has followed the search to, and its children.
type Cursor interface {
	// Value is the value of an unfinished position for a side.
	Value(s *engines.State, side int) float64
	// ValueOrWin is Value for the side to move, or a cell where it completes a line at once; NoCell when there is none.
	ValueOrWin(s *engines.State) (float64, engines.Cell)
	// Children appends, for each of the moves of a position, the value of the position after it for a side.
	Children(s *engines.State, moves []engines.Move, side int, dst []Child) []Child
	// Leaves turns to the children of a position, which must stay as it is while Leaf is asked, and tells whether
	// Leaf knows any and is worth it for so many moves. It says so only under rules in which no position repeats.
	Leaves(s *engines.State, moves int) bool
	// Leaf values the position after a move without playing it. It reports false where the move has to be played.
	Leaf(m engines.Move) (Leaf, bool)
}

// Child is a position after a move: its value, or how the move ends the game.
type Child struct {
	Value  float64
	Result engines.Result
}

// Leaf is the value of a position after a move as ValueOrWin and quiescence ask for it.
type Leaf struct {
	Value  float64 // for the side that is to move
	Next   int     // that side
	Wins   engines.Cell
	Quiet  bool // the side to move has no captures
	Threat bool // the side that has moved completes a line next, if it is let; where lines were counted
}

// Follower is a cursor that keeps something up to date along the path of a search.
type Follower interface {
	// Follow puts the cursor at a position and forgets the path.
	Follow(s *engines.State)
	// Push goes on from one position to that after a move. Both may change as soon as it returns.
	Push(before, after *engines.State)
	// Pop takes the last Push back.
	Pop()
}

// Policy is a cursor that knows how promising moves are without their values, from one look at the position. A search
// that wants priors asks it, and not for children.
type Policy interface {
	// Policy appends, for each of the moves of a position, the share of the search that it deserves, and its result
	// where it is known to end the game. The shares add up to 1.
	Policy(s *engines.State, moves []engines.Move, dst []Prior) []Prior
}

// Prior is what a policy says of a move.
type Prior struct {
	Share  float64
	Result engines.Result // Ongoing: not known to end the game
}

// Costly is a cursor to which a value costs much more than making a position does.
type Costly interface {
	// Cost is what a value costs, in the unit of package pace: what making a position costs.
	Cost() int
}
