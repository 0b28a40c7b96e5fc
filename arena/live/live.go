// Package live is the stream of events of a run. A [Feed] numbers each event and keeps the latest ones, so that a
// reader that joins late can catch up. Runs publish to it; the terminal, pages and JSON output read from it.
// [Boards] are the positions of the games in progress. [Progress] computes the rate of games and the remaining
// time.
package live

import (
	"slices"
	"sync"
	"time"

	"spar/arena/evidence"
)

// Kind is the kind of an event.
type Kind string

// The kinds of events.
const (
	Begin   Kind = "begin" // an event of the study begins; Done, Total and Exact are set
	GameEnd Kind = "game"  // a game is finished and on disk
	Fault   Kind = "fault" // like GameEnd, for a game that ended because an agent failed
	// games that were pending have been judged; Judged has their marks
	Verdict   Kind = "judged"
	Stage     Kind = "stage"     // a stage of a format begins, like a round of swiss; Text names it
	Withdrawn Kind = "withdrawn" // an agent was withdrawn; Text has the reason
	Machines  Kind = "machines"  // the machines that play have changed; Machines lists them
	// a worker is unreliable; Text has the reason, Done is the number of finished games, not counting those of the worker
	Barred Kind = "barred"
	End    Kind = "end" // an event of the study has ended; Text has the reason
)

// Event is one event of a run. Its kind determines which fields are set.
type Event struct {
	N        int64     `json:"n"` // number of the event, from 1 without gaps
	At       time.Time `json:"at"`
	Kind     Kind      `json:"event"`
	Run      string    `json:"run"` // name of the event in the study
	Text     string    `json:"text,omitempty"`
	Done     int64     `json:"done,omitempty"`  // games of the run that are stored
	Total    int64     `json:"total,omitempty"` // number of games in the run; an upper limit unless Exact
	Exact    bool      `json:"exact,omitempty"`
	Game     *Game     `json:"game,omitempty"`
	Judged   []Judged  `json:"judged,omitempty"`
	Machines []Machine `json:"machines,omitempty"`
}

// Machine is the current state of a worker on another machine.
type Machine struct {
	Worker string  `json:"worker"`
	Slots  int     `json:"slots"` // number of games at the same time
	Here   bool    `json:"here"`
	Games  int64   `json:"games"`            // number of games submitted
	Rate   float64 `json:"rate"`             // games per second, in the latest interval
	Holds  int     `json:"holds"`            // number of games that it has received and not submitted
	Faults int64   `json:"faults"`           // number of games that ended because an agent failed
	Barred string  `json:"barred,omitempty"` // reason why it gets no more games; empty if it does
	Lost   bool    `json:"lost,omitempty"`   // it stopped answering without signing off
}

// Judged holds the marks of a game that was pending when its end was published.
type Judged struct {
	Number int64          `json:"number"`
	Marks  evidence.Marks `json:"-"`
	Words  string         `json:"marks,omitempty"`
}

// Game is a finished game.
type Game struct {
	Number  int64          `json:"number"`
	Pair    int64          `json:"pair"`
	Opening int64          `json:"opening"`
	Rules   string         `json:"rules"`
	First   string         `json:"first"`
	Second  string         `json:"second"`
	Result  string         `json:"result"`
	Reason  string         `json:"reason"`
	Detail  string         `json:"detail,omitempty"`
	Plies   int            `json:"plies"`
	Random  int            `json:"-"`      // plies of the opening, which the agents did not choose
	Points  float64        `json:"points"` // score of the first player
	Worker  string         `json:"worker,omitempty"`
	Marks   evidence.Marks `json:"-"` // Pending: an event of kind Verdict follows
	Words   string         `json:"marks,omitempty"`
	Moves   string         `json:"-"`
}

// Feed numbers events and passes them to readers. It is safe for concurrent use. A nil feed ignores events.
type Feed struct {
	mu      sync.Mutex
	last    int64 // number of the latest event
	now     func() time.Time
	readers []*attached
	boards  Boards
}

// NewFeed returns an empty feed. The argument now is a function that returns the time of an event.
func NewFeed(now func() time.Time) *Feed { return &Feed{now: now} }

// Attach adds a reader and returns the function detach, which removes it. The reader is called with every later
// event, in order, before Publish returns. It must be quick and must not publish.
func (f *Feed) Attach(reader func(Event)) (detach func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := &attached{reader}
	f.readers = append(f.readers, at)
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.readers = slices.DeleteFunc(f.readers, func(r *attached) bool { return r == at })
	}
}

type attached struct{ hear func(Event) }

// Publish numbers events and passes them to the readers.
func (f *Feed) Publish(events ...Event) {
	if f == nil || len(events) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.now()
	for _, e := range events {
		f.last++
		e.N, e.At = f.last, at
		for _, reader := range f.readers {
			reader.hear(e)
		}
	}
}
