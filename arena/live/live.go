// Package live is the stream of events of a run. A [Feed] numbers each event and keeps the latest ones, so that a
// reader that joins late can catch up. Runs publish to it; the terminal, pages and JSON output read from it. [Boards]
// are the positions of the games in play. [Progress] works out the rate of games and the time left.
package live

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"spar/arena/evidence"
)

// Kind says what an event tells.
type Kind string

// The kinds.
const (
	Begin     Kind = "begin"     // of an event of the study: Done, Total and Exact are set
	GameEnd   Kind = "game"      // a game is finished and on disk
	Fault     Kind = "fault"     // the same of a game that a fault of an agent ended
	Verdict   Kind = "judged"    // games that were finished before those ahead of them: Judged says what they count for
	Stage     Kind = "stage"     // of a format, like a round of swiss: Text
	Withdrawn Kind = "withdrawn" // an agent plays no more: Text says why
	Machines  Kind = "machines"  // the other machines that play: Machines
	Barred    Kind = "barred"    // a worker is unreliable: Text says why, Done is the number of games without its own
	End       Kind = "end"       // of an event of the study: Text says why
)

// Event is one event of a run. Which fields are set depends on its kind.
type Event struct {
	N        int64     `json:"n"` // from 1, without gaps
	At       time.Time `json:"at"`
	Kind     Kind      `json:"event"`
	Run      string    `json:"run"` // name of the event in the study
	Text     string    `json:"text,omitempty"`
	Done     int64     `json:"done,omitempty"`  // games of the run that are stored
	Total    int64     `json:"total,omitempty"` // games of the run; the most there may be unless Exact
	Exact    bool      `json:"exact,omitempty"`
	Game     *Game     `json:"game,omitempty"`
	Judged   []Judged  `json:"judged,omitempty"`
	Machines []Machine `json:"machines,omitempty"`
}

// Machine is a worker on another machine, as it is now.
type Machine struct {
	Worker string  `json:"worker"`
	Slots  int     `json:"slots"` // games at a time
	Here   bool    `json:"here"`
	Games  int64   `json:"games"`            // handed in
	Rate   float64 `json:"rate"`             // recent games a second
	Holds  int     `json:"holds"`            // games that it was given and has not handed in
	Faults int64   `json:"faults"`           // games that a fault of an agent ended
	Barred string  `json:"barred,omitempty"` // why it gets no more games
	Lost   bool    `json:"lost,omitempty"`   // it fell silent without a goodbye
}

// Judged is what a game that was pending when it was announced turned out to count for.
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
	Points  float64        `json:"points"` // of the first player
	Worker  string         `json:"worker,omitempty"`
	Marks   evidence.Marks `json:"-"` // Pending: an event of kind Verdict follows
	Words   string         `json:"marks,omitempty"`
	Moves   string         `json:"-"`
}

// kept is how many events can be replayed.
const kept = 4096

// ErrMissed says that the feed has dropped events before the returned one; the study has what they reported.
var ErrMissed = errors.New("events were missed")

// Feed numbers events and hands them on. It is safe for several goroutines. A nil feed takes events and forgets them.
type Feed struct {
	mu      sync.Mutex
	ring    []Event // the last events, by number modulo kept
	last    int64   // number of the newest
	now     func() time.Time
	waiting chan struct{} // closed when there is something new
	readers []*attached
	boards  Boards
}

// NewFeed begins a stream. Now tells the time of events.
func NewFeed(now func() time.Time) *Feed { return &Feed{now: now, waiting: make(chan struct{})} }

// Attach adds a reader that receives every later event, in order and before Publish returns, until the returned
// function is called. It must be quick, and must not publish.
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

// Publish numbers events and hands them on.
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
		if len(f.ring) < kept {
			f.ring = append(f.ring, e)
		} else {
			f.ring[(e.N-1)%kept] = e
		}
		for _, reader := range f.readers {
			reader.hear(e)
		}
	}
	close(f.waiting)
	f.waiting = make(chan struct{})
}

// Next returns the events after number n, at once where there are any, and otherwise when there are, or ctx has ended.
// The first event is a later one than n+1, with ErrMissed, when those between are no longer kept; after a number that
// was not given yet, as one of another process, all that is kept is new.
func (f *Feed) Next(ctx context.Context, n int64) ([]Event, error) {
	for {
		f.mu.Lock()
		last, waiting := f.last, f.waiting
		if n != last {
			defer f.mu.Unlock()
			return f.after(n)
		}
		f.mu.Unlock()
		select {
		case <-waiting:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// after is what is kept after a number.
func (f *Feed) after(n int64) (out []Event, err error) {
	oldest := f.last - int64(len(f.ring)) + 1
	from := n + 1
	if from < oldest || from > f.last {
		from, err = oldest, ErrMissed
	}
	for i := from; i <= f.last; i++ {
		out = append(out, f.ring[(i-1)%kept])
	}
	return out, err
}
