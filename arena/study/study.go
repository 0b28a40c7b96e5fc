// Package study has the rows of a study as plain values. Packages that play or judge games use them without a database;
// package store reads and writes them. An event is one tournament, tuning or other set of games in a study.
package study

import (
	"database/sql"
	"time"

	"spar/arena/evidence"
)

// Event is one run of games with a plan of its own.
type Event struct {
	ID            int64
	Name, Purpose string
	Plan          string // canonical JSON: what decides the games; a resumed run must have the same
	Seed          int64
	// Effective is what the players are under the rules of the event. It decides the games as the plan does: an event
	// goes on only with the same. It may be left out where the plan states every knob and weight. Reading events leaves
	// it out.
	Effective []Effective
	Build     Build  // that began the event
	Started   string // start of the first run, UTC, RFC 3339; empty where it is not known
	Ended     string // end of the last run
	WallS     float64
	CPUS      float64 // seconds of CPU, of all runs together
}

// Build is a program, what it runs on and how it was called.
type Build struct {
	Version string
	Commit  string // with "+changes" where files were changed since; "program HASH" where none was stamped in
	Go      string // and the system
	CPU     string
	Command string // what was typed, quoted where a shell needs it
}

// Effective is an agent under some rules with every knob and weight stated, those that its own file leaves to the
// program, too.
type Effective struct {
	Agent, Rules string // names within the study
	Spec         string // canonical JSON
	Hash         string // of Spec
}

// Game is one finished game. Event, Rules, First and Second are row numbers of the study.
type Game struct {
	ID           int64
	Event        int64
	Number       int64 // place in the event's schedule, from 0
	Rules        int64
	First        int64
	Second       int64
	Pair         int64 // the two games of a pair have the same opening and exchanged seats
	Opening      int64 // index of the opening
	OpeningPlies int   // moves of the opening, which nobody chose
	Seed         int64
	Moves        string // separated by spaces
	Result       string // first, second, draw
	Reason       string
	Detail       string // what an agent did wrong; empty otherwise
	Plies        int
	FirstMS      float64
	SecondMS     float64
	FirstNodes   int64
	SecondNodes  int64
	Hash         int64 // of rules and moves: equal for equal games
	Timed        bool  // a budget of the game depended on the clock
	Worker       string
	Marks        evidence.Marks
	Thoughts     []Ply // written with the game; reading games leaves them out
}

// Worker is a machine that has played games of a study.
type Worker struct {
	ID       string
	System   string // operating system and processor
	Slots    int    // games at a time
	Speed    float64
	Games    int64
	Faults   int64  // games that a fault of an agent ended
	Late     int64  // games that were given to others because nothing moved
	Checked  int64  // games that somebody else has played again, alike
	Differed int64  // games that were played again, and were others
	Barred   string // why it gets no more games; empty: it does
	Joined   time.Time
	Seen     time.Time
}

// Ply is what an agent thought of one of its plies.
type Ply struct {
	Ply   int             // from 1
	Score sql.NullFloat64 // expected score of the mover, 0 to 1
	Depth int
	Nodes int64
	MS    float64
	Legal int    // legal moves
	PV    string // expected continuation, separated by spaces
}

// Marked is what a stored game turned out to count for, once all games before it were known.
type Marked struct {
	Number int64
	Marks  evidence.Marks
}
