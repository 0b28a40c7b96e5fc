// Package session runs the games played by people, against agents or each other.
//
// A Session is one game with two seats. A guest plays a seat through its link; the owner of the server plays the
// seats without a link. Moves, undo and hints change the Session. After each change it saves a Record to the Store
// and starts the agent that is to move. A View is a copy for pages. Rematches form a series with a Tally. People
// is a Store: a study file, whose games are not used for standings or measurements. The Library has the rules and
// agents that a page may use, the Valuer rates positions, and Studies plays quick studies of fairness. The package
// does not use HTTP.
package session

import (
	"strings"

	"spar/engines"
	"spar/reports/screen"
)

// Player is an agent or a person.
type Player struct {
	Agent string   `json:"agent,omitempty"` // name of an agent; empty for a person
	Set   []string `json:"set,omitempty"`   // overrides for the agent
}

// Person reports whether the player is a person.
func (p Player) Person() bool { return p.Agent == "" }

// String returns the name that the player has in studies.
func (p Player) String() string {
	switch {
	case p.Person():
		return "human"
	case len(p.Set) > 0:
		return p.Agent + "[" + strings.Join(p.Set, ",") + "]"
	}
	return p.Agent
}

// Ply is a move in a game.
type Ply struct {
	Move string  `json:"move"`
	MS   float64 `json:"ms"` // time taken in milliseconds
	// name of the agent that chose the move; empty for a person, and for moves of the setup
	Agent string   `json:"agent,omitempty"`
	Score *float64 `json:"score,omitempty"` // score that the agent expected, 0 to 1
	Depth int      `json:"depth,omitempty"`
	Nodes int64    `json:"nodes,omitempty"`
	Legal int      `json:"legal,omitempty"`
	PV    string   `json:"pv,omitempty"`
}

// Assists are the aids that a person can switch on. All are off by default. The record keeps which aids were used.
type Assists struct {
	Bar    bool `json:"bar,omitempty"`    // show the evaluation bar
	Rated  bool `json:"rated,omitempty"`  // show the chart, and the list of moves with their classes
	Values bool `json:"values,omitempty"` // show the value of each move on its cell
}

// Or returns the aids that are on in either set.
func (a Assists) Or(b Assists) Assists {
	return Assists{a.Bar || b.Bar, a.Rated || b.Rated, a.Values || b.Values}
}

// Tally counts the results of a series of games. Its sides are the seats of the first game.
type Tally struct {
	Won   [2]int `json:"won"`
	Drawn int    `json:"drawn"`
}

// Record holds everything that is stored about a session.
type Record struct {
	ID        string    `json:"id"`
	Rules     string    `json:"rules"` // name of the rules in the library
	Set       []string  `json:"set,omitempty"`
	Canonical string    `json:"canonical"` // the rules when the game began, as canonical text
	Seats     [2]Player `json:"seats"`
	Specs     [2]string `json:"specs"`           // the agents when they last moved; empty for people
	Given     int       `json:"given,omitempty"` // number of plies at the start that are part of the setup
	Plies     []Ply     `json:"plies"`
	Redo      []Ply     `json:"redo,omitempty"` // plies that were taken back; the one to redo last comes first
	// first, second or draw; only if the game did not end by the rules
	Result string `json:"result,omitempty"`
	Reason string `json:"reason,omitempty"`
	Seed   int64  `json:"seed"`
	Origin string `json:"origin,omitempty"` // address of the review of the game that this one continues
	Next   string `json:"next,omitempty"`   // id of the rematch

	Assists   Assists `json:"assists"` // aids that are on now
	Used      Assists `json:"used"`    // aids that were on at any time
	Undos     int     `json:"undos,omitempty"`
	Hints     int     `json:"hints,omitempty"`
	HintPly   int     `json:"hint_ply,omitempty"` // ply for which the hint was given plus 1; 0 = no hint
	HintLevel int     `json:"hint_level,omitempty"`

	Tally   Tally   `json:"tally"`
	Swapped bool    `json:"swapped,omitempty"` // the seats are exchanged compared with the tally
	Counted string  `json:"counted,omitempty"` // result of this game that the tally includes; empty if none
	Game    int64   `json:"game,omitempty"`    // id of the finished game in the study
	Stored  string  `json:"stored,omitempty"`  // result and moves of that stored game
	Earlier []int64 `json:"earlier,omitempty"` // ids of games in the study whose end was taken back
	// hashes of the tokens of both seats; empty for a seat without a link
	Tokens   [2]string `json:"tokens"`
	Revision int64     `json:"revision,omitempty"` // number of changes so far
}

// end returns the result and the moves of a game that has ended; empty while it goes on.
func (r *Record) end() string {
	if r.Counted == "" {
		return ""
	}
	return strings.Join(append([]string{r.Counted, r.Reason}, r.Moves()...), " ")
}

// unstored reports whether the game has ended and the study does not have that end.
func (r *Record) unstored() bool {
	return r.Counted != "" && r.Stored != r.end() && (r.Game == 0 || r.Stored != "") // Spar once stored no end
}

// Moves returns the moves so far.
func (r *Record) Moves() []string {
	out := make([]string, len(r.Plies))
	for i, p := range r.Plies {
		out[i] = p.Move
	}
	return out
}

// MS returns the time that both sides have used, in milliseconds.
func (r *Record) MS() (ms float64) {
	for _, p := range r.Plies {
		ms += p.MS
	}
	return ms
}

// Home returns the side from whose view the page shows the game: the person's side if there is only one person.
func (r *Record) Home() int {
	if !r.Seats[engines.First].Person() && r.Seats[engines.Second].Person() {
		return engines.Second
	}
	return engines.First
}

// Notes names the aids that were used, for the study. It is empty if none were used.
func (r *Record) Notes() string {
	var out []string
	for _, c := range []struct {
		n    int
		what string
	}{{r.Undos, "undo"}, {r.Hints, "hint"}} {
		if c.n > 0 {
			out = append(out, screen.Plural(c.n, c.what))
		}
	}
	for _, u := range []struct {
		on   bool
		what string
	}{{r.Used.Bar, "evaluation bar"}, {r.Used.Rated, "rated moves"}, {r.Used.Values, "values on squares"}} {
		if u.on {
			out = append(out, u.what)
		}
	}
	return strings.Join(out, ", ")
}
