package arena

import (
	"spar/arena/live"
	"spar/arena/study"
)

// Source says what is to be played next from what is finished. It is used by one goroutine. Everything that depends on
// results is judged on the finished games in the order of their numbers, so that any number of workers decides the
// same.
type Source interface {
	// Next returns up to n tasks that have not been handed out; none when the source waits for games in flight or has
	// no more. With begun it returns only the second games of pairs whose first was handed out.
	Next(n int, begun bool) []Task
	// Requeue gives back a task that was handed out and will not be played.
	Requeue(Slot)
	// Done tells of a finished game and returns what is to be stored. A game that is finished already gives nothing.
	Done(*Result) Filed
	// Rest returns what has been judged and noted since the last game that Done has returned.
	Rest() Filed
}

// Decider is a source that decisions may end early, so that what is handed out ahead of them may turn out to be
// needless.
type Decider interface {
	// Ahead is how many games have been handed out that are not judged yet, and how many are judged; none is ahead
	// where no decision is to come.
	Ahead() (ahead, judged int64)
}

// Filed is what a finished game means for the study.
type Filed struct {
	OK     bool // there is a game to store
	Game   study.Game
	Live   live.Game
	Marked []study.Marked // games, this or earlier ones, that are judged now
	Notes  []live.Event   // what else happened, like a new round
}
