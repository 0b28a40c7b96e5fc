package arena

import (
	"fmt"
	"time"

	"spar/agents"
	"spar/agents/patterns"
	"spar/arena/openings"
	"spar/arena/study"
	"spar/engines"
)

// Slot identifies the place of a game: an event of a study and a number in its schedule.
type Slot struct {
	Event  int64 `json:"event"`
	Number int64 `json:"number"` // number of the game in its event, from 0
}

// Task is one game to play. It refers to rules and agents by the hashes of their texts, which are sent separately.
// It contains all other data that determines the game, so that any machine can play it.
type Task struct {
	Slot
	Setting
	Opening string `json:"opening,omitempty"`
	Stream  uint64 `json:"stream"` // together with the seed, it determines the game's random streams

	opening openingLine // moves of the opening, once they are parsed
}

// Specs returns the hashes of the agents of both seats.
func (s *Setting) Specs() [2]string { return [2]string{s.Seats[0].Spec, s.Seats[1].Spec} }

// Setting is the data that tasks of the same match have in common.
type Setting struct {
	Rules      string     `json:"rules"` // hash of the rules
	Seats      [2]Entrant `json:"seats"` // the first and the second player
	Seed       int64      `json:"seed"`
	Clock      Clock      `json:"clock"`
	GameLimit  float64    `json:"game_limit_s,omitempty"` // time limit of the whole game in seconds; 0 = none
	Adjudicate Adjudge    `json:"adjudicate"`
	Thoughts   bool       `json:"thoughts,omitempty"` // record the agents' data about each ply

	// SelfPlay makes this a training game instead of a game between two agents. Both seats then use the net that is
	// being trained as their evaluation.
	SelfPlay patterns.SelfPlay `json:"self_play,omitzero"`
}

type openingLine []engines.Move

// NewTask returns the task of a game that has neither a clock nor adjudication.
func NewTask(g *engines.Game, at Slot, seats [2]Entrant, opening []engines.Move, seed int64, stream uint64) Task {
	return Task{
		Slot: at, Setting: Setting{Rules: g.RulesHash(), Seats: seats, Seed: seed},
		Opening: g.JoinMoves(opening), opening: opening, Stream: stream,
	}
}

// Entrant is an agent of a task.
type Entrant struct {
	Name   string        `json:"name"`
	Spec   string        `json:"spec"` // hash of the agent's spec
	Budget agents.Budget `json:"budget"`
}

// Result is a finished game.
type Result struct {
	Slot
	Rules        string         `json:"rules"` // hash of the rules, as in the task
	Specs        [2]string      `json:"specs"` // hashes of the agents, as in the task
	Moves        string         `json:"moves"` // moves, separated by spaces
	OpeningPlies int            `json:"opening_plies"`
	Outcome      engines.Result `json:"outcome"`
	// reason for the end, from the rules or from the arena: resign, agreed_draw, exact, forced_draw, clock,
	// forfeit_illegal, ...
	Reason string `json:"reason"`
	Detail string `json:"detail,omitempty"` // how an agent failed; otherwise empty
	// 1 or 2 if the first or second player forfeited, otherwise 0
	Faulty   int8             `json:"faulty,omitempty"`
	Plies    int              `json:"plies"`
	Spent    [2]time.Duration `json:"spent_ns"` // time used for decisions, by side
	Nodes    [2]int64         `json:"nodes"`
	Timed    bool             `json:"timed,omitempty"` // a budget depended on the clock
	Hash     int64            `json:"hash"`            // hash of rules and moves
	Worker   string           `json:"worker,omitempty"`
	Thoughts []study.Ply      `json:"thoughts,omitempty"`
	// for a training game: for each move, 1 if it was random, otherwise 0
	Random string `json:"random,omitempty"`

	taught *patterns.Lesson // training data, once it is decoded
}

// Row returns the game in the form that a study stores. The ids of rules and agents are those of the study; the
// numbers of pair and opening are those of the schedule.
func (r *Result) Row(rules, first, second, pair, opening, seed int64) study.Game {
	return study.Game{
		Event:        r.Event,
		Number:       r.Number,
		Rules:        rules,
		First:        first,
		Second:       second,
		Pair:         pair,
		Opening:      opening,
		OpeningPlies: r.OpeningPlies,
		Seed:         seed,
		Moves:        r.Moves,
		Result:       r.Outcome.String(),
		Reason:       r.Reason,
		Detail:       r.Detail,
		Plies:        r.Plies,
		FirstMS:      float64(r.Spent[0].Microseconds()) / 1000,
		SecondMS:     float64(r.Spent[1].Microseconds()) / 1000,
		FirstNodes:   r.Nodes[0],
		SecondNodes:  r.Nodes[1],
		Hash:         r.Hash,
		Timed:        r.Timed,
		Worker:       r.Worker,
		Thoughts:     r.Thoughts,
	}
}

// moves returns the opening as moves.
func (t *Task) moves(g *engines.Game) ([]engines.Move, error) {
	if t.opening != nil || t.Opening == "" {
		return t.opening, nil
	}
	moves, err := openings.Read(g, t.Opening)
	if err != nil {
		return nil, fmt.Errorf("opening of game %d: %w", t.Number, err)
	}
	return moves, nil
}
