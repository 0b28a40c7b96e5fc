package arena

import (
	"spar/arena/live"
	"spar/arena/study"
)

// Source decides from the finished games what to play next. Only one goroutine uses it. It judges finished games in
// the order of their numbers, so that its decisions do not depend on the number of workers.
type Source interface {
	// Next returns up to n tasks that have not been handed out; none if the source waits for games in play or has no
	// more. With begun it returns only second games of started pairs.
	Next(n int, begun bool) []Task
	// Requeue takes back a task that was handed out and will not be played.
	Requeue(Slot)
	// Done receives a finished game and returns what to store. For a game that is already finished it returns
	// nothing.
	Done(*Result) Filed
	// Rest returns what was judged and noted since Done last returned a game.
	Rest() Filed
}

// Decider is a source that may end early. Tasks handed out ahead of a decision may turn out to be unnecessary.
type Decider interface {
	// Ahead returns how many games have been handed out but not judged, and how many are judged. The first is 0 if no
	// decision is pending.
	Ahead() (ahead, judged int64)
}

// Filed says what to store after a finished game.
type Filed struct {
	OK     bool // there is a game to store
	Game   study.Game
	Live   live.Game
	Marked []study.Marked // this and earlier games that are judged now
	Notes  []live.Event   // other events, like a new round
}
