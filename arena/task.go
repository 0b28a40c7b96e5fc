package arena

import (
	"fmt"
	"time"

	"spar/agents"
	"spar/agents/patterns"
	"spar/arena/study"
	"spar/engines"
)

// Slot is the place of a game: an event of a study and a number in its schedule.
type Slot struct {
	Event  int64 `json:"event"`
	Number int64 `json:"number"` // from 0
}

// Task is one game to play. It names rules and agents by the hashes of their texts, which travel once; everything else
// that decides the game is in it, so that it can be played anywhere.
type Task struct {
	Slot
	Rules      string     `json:"rules"` // hash
	Seats      [2]Entrant `json:"seats"` // first, second
	Opening    string     `json:"opening,omitempty"`
	Seed       int64      `json:"seed"`
	Stream     uint64     `json:"stream"` // decides the game's random streams, with the seed
	Clock      Clock      `json:"clock"`
	GameLimit  float64    `json:"game_limit_s,omitempty"` // the rules' own clock for the whole game, in seconds; 0 = off
	Adjudicate Adjudge    `json:"adjudicate"`
	Thoughts   bool       `json:"thoughts,omitempty"` // record what the agents think of each ply

	// SelfPlay makes it a game to learn from, in place of one between two agents. The seats then name the net that
	// learns and the one that it plays with, as the evaluations of agents; who begins is drawn by lot.
	SelfPlay patterns.SelfPlay `json:"self_play,omitzero"`

	opening openingLine // the opening as moves, where they are at hand
}

type openingLine []engines.Move

// NewTask returns the task of a game without clock or adjudication.
func NewTask(g *engines.Game, at Slot, seats [2]Entrant, opening []engines.Move, seed int64, stream uint64) Task {
	return Task{Slot: at, Rules: g.RulesHash(), Seats: seats, Opening: g.JoinMoves(opening), opening: opening, Seed: seed, Stream: stream}
}

// Entrant is an agent of a task.
type Entrant struct {
	Name   string        `json:"name"`
	Spec   string        `json:"spec"` // hash
	Budget agents.Budget `json:"budget"`
}

// Result is a finished game.
type Result struct {
	Slot
	Rules        string           `json:"rules"` // hash, as in the task
	Specs        [2]string        `json:"specs"` // likewise
	Moves        string           `json:"moves"` // separated by spaces
	OpeningPlies int              `json:"opening_plies"`
	Outcome      engines.Result   `json:"outcome"`
	Reason       string           `json:"reason"`           // of the rules, or of the arena: resign, agreed_draw, exact, clock, forfeit_illegal, ...
	Detail       string           `json:"detail,omitempty"` // what an agent did wrong
	Faulty       int8             `json:"faulty,omitempty"` // 1 or 2 when the first or second player forfeited
	Plies        int              `json:"plies"`
	Spent        [2]time.Duration `json:"spent_ns"` // thinking time by side
	Nodes        [2]int64         `json:"nodes"`
	Timed        bool             `json:"timed,omitempty"` // a budget depended on the clock
	Hash         int64            `json:"hash"`            // of rules and moves
	Worker       string           `json:"worker,omitempty"`
	Thoughts     []study.Ply      `json:"thoughts,omitempty"`
	Random       string           `json:"random,omitempty"` // of a game to learn from: 1 for each move that was drawn at random, 0 for the others

	taught *patterns.Lesson // what the game teaches, where that is at hand
}

// Row is what a study stores of the game. The ids of rules, agents and pair are those of the study and of the schedule.
func (r *Result) Row(rules, first, second, pair, opening, seed int64) study.Game {
	return study.Game{
		Event: r.Event, Number: r.Number, Rules: rules, First: first, Second: second, Pair: pair, Opening: opening, OpeningPlies: r.OpeningPlies,
		Seed: seed, Moves: r.Moves, Result: r.Outcome.String(), Reason: r.Reason, Detail: r.Detail, Plies: r.Plies,
		FirstMS: float64(r.Spent[0].Microseconds()) / 1000, SecondMS: float64(r.Spent[1].Microseconds()) / 1000,
		FirstNodes: r.Nodes[0], SecondNodes: r.Nodes[1], Hash: r.Hash, Timed: r.Timed, Worker: r.Worker, Thoughts: r.Thoughts,
	}
}

// moves returns the opening as moves.
func (t *Task) moves(g *engines.Game) ([]engines.Move, error) {
	if t.opening != nil || t.Opening == "" {
		return t.opening, nil
	}
	moves, err := readLine(g, t.Opening)
	if err != nil {
		return nil, fmt.Errorf("opening of game %d: %w", t.Number, err)
	}
	return moves, nil
}
