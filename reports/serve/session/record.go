// Package session runs the games of people, against agents or each other.
//
// A Session is one game with two seats. A guest plays a seat through its link; the owner of the server plays the
// seats without a link. Moves, undo and hints change the Session. After each change it saves a Record to the Store
// and starts the agent that is to move. A View is a copy for pages. Rematches form a series with a Tally. People is a
// Store: a study file whose games count for nothing. The Library has the rules and agents that a page may use, the
// Valuer rates positions, and Studies plays quick studies of fairness. The package contains no HTTP.
package session

import (
	"slices"
	"strings"

	"spar/engines"
)

// Player is an agent or a person.
type Player struct {
	Agent string   `json:"agent,omitempty"` // name of an agent; empty for a person
	Set   []string `json:"set,omitempty"`   // overrides of the rules
	Eval  string   `json:"eval,omitempty"`  // the agent whose evaluation it uses; empty for its own
}

// Person reports whether the player is a person.
func (p Player) Person() bool { return p.Agent == "" }

// String is the name of the player in studies.
func (p Player) String() string {
	knobs := slices.Clone(p.Set)
	if p.Eval != "" {
		knobs = append(knobs, "eval="+p.Eval)
	}
	switch {
	case p.Person():
		return "human"
	case len(knobs) > 0:
		return p.Agent + "[" + strings.Join(knobs, ",") + "]"
	}
	return p.Agent
}

// Ply is a move in a game.
type Ply struct {
	Move  string   `json:"move"`
	MS    float64  `json:"ms"`              // time taken in milliseconds
	Agent string   `json:"agent,omitempty"` // the agent that chose it; empty for a person or a given move
	Score *float64 `json:"score,omitempty"` // expected by the agent that chose it, 0 to 1
	Depth int      `json:"depth,omitempty"`
	Nodes int64    `json:"nodes,omitempty"`
	Legal int      `json:"legal,omitempty"`
	PV    string   `json:"pv,omitempty"`
}

// Assists are the helps that a person may switch on. All are off by default; the record says which were used.
type Assists struct {
	Bar    bool `json:"bar,omitempty"`    // the evaluation bar
	Rated  bool `json:"rated,omitempty"`  // the chart, and a list of moves with their classes
	Values bool `json:"values,omitempty"` // the value of each move on its square
	Warn   bool `json:"warn,omitempty"`   // a warning before a mistake
}

// Any reports whether any help is on.
func (a Assists) Any() bool { return a.Bar || a.Rated || a.Values || a.Warn }

// Or combines two sets of helps.
func (a Assists) Or(b Assists) Assists {
	return Assists{a.Bar || b.Bar, a.Rated || b.Rated, a.Values || b.Values, a.Warn || b.Warn}
}

// Tally counts the results of a series, by the seats of its first game.
type Tally struct {
	Won   [2]int `json:"won"`
	Drawn int    `json:"drawn"`
	Best  int    `json:"best,omitempty"` // best score of rolling's program
}

// Record is everything that is stored of a session.
type Record struct {
	ID        string    `json:"id"`
	Rules     string    `json:"rules"` // name in the library
	Set       []string  `json:"set,omitempty"`
	Canonical string    `json:"canonical"` // the rules as they were when the game began
	Seats     [2]Player `json:"seats"`
	Given     int       `json:"given,omitempty"` // plies at the start that are part of the setup
	Plies     []Ply     `json:"plies"`
	Redo      []Ply     `json:"redo,omitempty"`   // undone plies; the last one comes first
	Result    string    `json:"result,omitempty"` // first, second or draw, if the rules did not end the game
	Reason    string    `json:"reason,omitempty"`
	Seed      int64     `json:"seed"`
	Origin    string    `json:"origin,omitempty"` // address of the review of the game that this one continues
	Next      string    `json:"next,omitempty"`   // id of the rematch

	Assists   Assists `json:"assists"` // aids that are switched on
	Used      Assists `json:"used"`    // on at any time
	Undos     int     `json:"undos,omitempty"`
	Hints     int     `json:"hints,omitempty"`
	Warned    int     `json:"warned,omitempty"`   // warnings before a mistake
	HintPly   int     `json:"hint_ply,omitempty"` // ply of the hint plus 1; 0 = none
	HintLevel int     `json:"hint_level,omitempty"`

	Tally    Tally     `json:"tally"`
	Swapped  bool      `json:"swapped,omitempty"` // the seats are exchanged against the tally
	Counted  string    `json:"counted,omitempty"` // the result of this game in the tally
	Game     int64     `json:"game,omitempty"`    // number of the finished game in the study
	Stored   string    `json:"stored,omitempty"`  // end and moves of that game
	Earlier  []int64   `json:"earlier,omitempty"` // games in the study whose end was undone
	Tokens   [2]string `json:"tokens"`            // hashes of the tokens of seats; empty without a link
	Form     bool      `json:"form,omitempty"`    // ask for an opinion after the game
	Answered bool      `json:"answered,omitempty"`
}

// Moves lists the moves so far.
func (r *Record) Moves() []string {
	out := make([]string, len(r.Plies))
	for i, p := range r.Plies {
		out[i] = p.Move
	}
	return out
}

// MS is the time that both sides have used, in milliseconds.
func (r *Record) MS() (ms float64) {
	for _, p := range r.Plies {
		ms += p.MS
	}
	return ms
}

// Home is the side from which the page shows the game: the side of the person if there is only one.
func (r *Record) Home() int {
	if !r.Seats[engines.First].Person() && r.Seats[engines.Second].Person() {
		return engines.Second
	}
	return engines.First
}

// Notes lists the helps that were used, for the study; empty if none.
func (r *Record) Notes() string {
	var out []string
	add := func(n int, what string) {
		switch {
		case n == 1:
			out = append(out, "1 "+what)
		case n > 1:
			first, rest, _ := strings.Cut(what, " ")
			out = append(out, strings.TrimSpace(itoa(n)+" "+first+"s "+rest))
		}
	}
	add(r.Undos, "undo")
	add(r.Hints, "hint")
	add(r.Warned, "mistake with a warning")
	for _, u := range []struct {
		on   bool
		what string
	}{{r.Used.Bar, "evaluation bar"}, {r.Used.Rated, "rated moves"}, {
		r.Used.Values,
		"values on squares",
	}, {r.Used.Warn, "warnings"}} {
		if u.on {
			out = append(out, u.what)
		}
	}
	return strings.Join(out, ", ")
}
