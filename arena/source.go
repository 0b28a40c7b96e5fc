package arena

import (
	"spar/arena/live"
	"spar/arena/study"
)

// Source decides which games to play next, depending on the finished games. Only one goroutine may use it. It
// judges finished games in the order of their numbers, so that its decisions do not depend on the number of
// workers.
type Source interface {
	// Next returns up to n tasks that have not been handed out; none if the source waits for unfinished games or
	// has no more tasks. If begun is true, it returns only second games of pairs in progress.
	Next(n int, begun bool) []Task
	// Requeue takes back a task that was handed out and will not be played.
	Requeue(Slot)
	// Done receives a finished game and returns what to store. For a game that is already finished it returns
	// nothing.
	Done(*Result) Filed
	// Rest returns the marks and notes made since Done last returned a game.
	Rest() Filed
}

// Decider is a source that may end early. Tasks that are handed out before a decision may become unnecessary.
type Decider interface {
	// Ahead returns the number of games that have been handed out but not judged, and the number of judged games.
	// The first is 0 if no decision is pending.
	Ahead() (ahead, judged int64)
}

// Filed is what to store after a game has finished.
type Filed struct {
	OK     bool // there is a game to store
	Game   study.Game
	Live   live.Game
	Marked []study.Marked // this and earlier games that have been judged now
	Notes  []live.Event   // other events, like a new round
}
