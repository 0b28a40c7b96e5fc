// Package study defines the rows of a study as plain Go values. Packages that play or judge games use them without
// a database; package store reads and writes them. An event is one tournament, tuning or other set of games in a
// study.
package study

import (
	"database/sql"
	"time"

	"spar/arena/evidence"
)

// Event is one run of games with its own plan. Like the other types of this package that have JSON tags, it is a line
// of an export.
type Event struct {
	ID      int64  `json:"-"`
	Name    string `json:"event" help:"name of an event: games played under one plan"`
	Purpose string `json:"purpose" help:"tournament, tuning, validation, balance, human, ..."`
	// canonical JSON that determines the games; a resumed run must have the same plan
	Plan string `json:"plan" help:"the plan that produces its games, JSON as text"`
	Seed int64  `json:"seed" help:"seed for all random choices"`
	// Effective has the agents with the knobs and weights that they have under the rules of the event. Like the plan it
	// determines the games, so an event can only continue with the same agents. It may be empty if the plan states
	// every knob and weight. Reading events does not fill it.
	Effective []Effective `json:"-"`
	Build                 // the build that started the event; without its command, if it was read from a study
	Started   string      `json:"started,omitempty" help:"start of the first run, UTC"` // RFC 3339; empty if unknown
	Ended     string      `json:"ended,omitempty" help:"end of the last run"`
	WallS     float64     `json:"wall_s,omitempty" help:"time of all runs"`
	CPUS      float64     `json:"cpu_s,omitempty" help:"CPU time of all runs"` // in seconds
}

// Build is a program, the system that it runs on, and its command line.
type Build struct {
	Version string `json:"release,omitempty" help:"version of the program"`
	// commit, with "+changes" if there were uncommitted changes; "program HASH" if the program has no commit
	Commit  string `json:"commit,omitempty" help:"commit of that program"`
	Go      string `json:"go,omitempty" help:"Go version of that program"` // and system
	CPU     string `json:"cpu,omitempty" help:"processor"`
	Command string `json:"command,omitempty" help:"command line"` // quoted for a shell
}

// Effective is an agent with every knob and weight that it has under one set of rules, including the program's
// defaults.
type Effective struct {
	Agent string `json:"agent" help:"name"`
	Rules string `json:"rules" help:"label of the rules"`
	Spec  string `json:"spec" help:"the agent under these rules with every knob and weight, JSON as text; empty if it was not stored"`
	Hash  string `json:"hash" help:"hash of spec"`
}

// Game is one finished game. Event, Rules, First and Second are row ids in the study.
type Game struct {
	ID           int64
	Event        int64
	Number       int64 // number of its slot in the event's schedule, from 0
	Rules        int64
	First        int64
	Second       int64
	Pair         int64 // number of its pair: two games with the same opening, with the seats swapped
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
	ID       string    `json:"worker" help:"name of a machine that has played"`
	System   string    `json:"system" help:"operating system and processor"`
	Slots    int       `json:"slots" help:"games at a time"`
	Speed    float64   `json:"speed" help:"random games per second of one core, measured when it joined"`
	Games    int64     `json:"games" help:"games submitted"`
	Faults   int64     `json:"faults" help:"games that an agent forfeited by a fault"`
	Late     int64     `json:"late" help:"times its games were reassigned because it made no progress"`
	Checked  int64     `json:"checked" help:"games that another worker replayed with the same moves"`
	Differed int64     `json:"differed" help:"games that another worker replayed with other moves"`
	Barred   string    `json:"barred,omitempty" help:"why it gets no more games"`
	Joined   time.Time `json:"joined" help:"when it joined, UTC"`
	Seen     time.Time `json:"seen" help:"last contact, UTC"`
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
