// Package study defines the rows of a study as plain Go values. Packages that play or judge games use them without
// a database; package store reads and writes them. An event is one tournament, tuning or other set of games in a
// study.
package study

import (
	"database/sql"
	"time"

	"spar/arena/evidence"
)

// Event is one run of games with its own plan.
type Event struct {
	ID            int64
	Name, Purpose string
	Plan          string // canonical JSON that determines the games; a resumed run must have the same plan
	Seed          int64
	// Effective has the agents with the knobs and weights that they have under the rules of the event. Like the
	// plan it determines the games, so an event can only continue with the same. It may be empty if the plan
	// states every knob and weight. Reading events does not fill it.
	Effective []Effective
	Build     Build  // the build that started the event
	Started   string // start of the first run, UTC, RFC 3339; empty if unknown
	Ended     string // end of the last run
	WallS     float64
	CPUS      float64 // processor time of all runs in seconds
}

// Build is a program, the system that it runs on, and its command line.
type Build struct {
	Version string
	// commit, with "+changes" if there were uncommitted changes; "program HASH" if the program has no commit
	Commit  string
	Go      string // Go version and system
	CPU     string
	Command string // the command line, quoted for a shell
}

// Effective is an agent with every knob and weight that it has under some rules, including the program's defaults.
type Effective struct {
	Agent, Rules string // names in the study
	Spec         string // spec as canonical JSON
	Hash         string // hash of Spec
}

// Game is one finished game. Event, Rules, First and Second are row ids in the study.
type Game struct {
	ID           int64
	Event        int64
	Number       int64 // number of its slot in the event's schedule, from 0
	Rules        int64
	First        int64
	Second       int64
	Pair         int64 // number of its pair: two games with the same opening and exchanged seats
	Opening      int64 // index of the opening
	OpeningPlies int   // number of moves of the opening, which no agent chose
	Seed         int64
	Moves        string // moves, separated by spaces
	Result       string // first, second or draw
	Reason       string
	Detail       string // how an agent failed; otherwise empty
	Plies        int
	FirstMS      float64
	SecondMS     float64
	FirstNodes   int64
	SecondNodes  int64
	Hash         int64 // hash of rules and moves
	Timed        bool  // a budget of the game depended on the clock
	Worker       string
	Marks        evidence.Marks
	Thoughts     []Ply // stored with the game; empty when games are read
}

// Worker is a machine that has played games of a study.
type Worker struct {
	ID       string
	System   string // operating system and processor
	Slots    int    // number of games at the same time
	Speed    float64
	Games    int64
	Faults   int64  // number of games that ended because an agent failed
	Late     int64  // number of games that were given to others because they made no progress
	Checked  int64  // number of games that another worker replayed with the same result
	Differed int64  // number of games that another worker replayed with another result
	Barred   string // reason why it gets no more games; empty if it does
	Joined   time.Time
	Seen     time.Time
}

// Ply is an agent's information about one of its plies.
type Ply struct {
	Ply   int             // number of the ply, from 1
	Score sql.NullFloat64 // expected score of the mover, 0 to 1
	Depth int
	Nodes int64
	MS    float64
	Legal int    // number of legal moves
	PV    string // expected continuation, separated by spaces
}

// Marked holds the marks of a stored game that has been judged.
type Marked struct {
	Number int64
	Marks  evidence.Marks
}

// Bytes returns the approximate size of games in memory.
func Bytes(games []Game) (n int) {
	for i := range games {
		g := &games[i]
		n += 320 + len(g.Moves) + len(g.Reason) + len(g.Detail)
		for _, t := range g.Thoughts {
			n += 80 + len(t.PV)
		}
	}
	return n
}
