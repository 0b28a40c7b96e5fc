package arena

import (
	"fmt"
	"time"

	"spar/agents"
	"spar/agents/patterns"
	"spar/arena/study"
	"spar/engines"
)

// Slot identifies the place of a game: an event of a study and a number in its schedule.
type Slot struct {
	Event  int64 `json:"event"`
	Number int64 `json:"number"` // number of the game in its event, from 0
}

// Task is one game to play. It names rules and agents by the hashes of their texts, which are sent once. All other
// data that decides the game is in it, so that any machine can play it.
type Task struct {
	Slot
	Rules   string     `json:"rules"` // hash of the rules
	Seats   [2]Entrant `json:"seats"` // the first and the second player
	Opening string     `json:"opening,omitempty"`
	Seed    int64      `json:"seed"`
	Stream  uint64     `json:"stream"` // selects the game's random streams, together with the seed
	Clock   Clock      `json:"clock"`
	// time limit of the whole game in the rules, in seconds; 0 = none
	GameLimit  float64 `json:"game_limit_s,omitempty"`
	Adjudicate Adjudge `json:"adjudicate"`
	Thoughts   bool    `json:"thoughts,omitempty"` // record the agents' information about each ply

	// SelfPlay makes this a training game instead of a game between two agents. The seats then name the net that
	// learns and the net that it plays, as evaluations of agents; the side to begin is drawn at random.
	SelfPlay patterns.SelfPlay `json:"self_play,omitzero"`

	opening openingLine // the opening as moves if already parsed
}

type openingLine []engines.Move

// NewTask returns the task of a game without clock or adjudication.
func NewTask(g *engines.Game, at Slot, seats [2]Entrant, opening []engines.Move, seed int64, stream uint64) Task {
	return Task{
		Slot: at, Rules: g.RulesHash(), Seats: seats, Opening: g.JoinMoves(opening), opening: opening, Seed: seed,
		Stream: stream,
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
	Rules        string           `json:"rules"` // hash, as in the task
	Specs        [2]string        `json:"specs"` // hashes of the agents, as in the task
	Moves        string           `json:"moves"` // separated by spaces
	OpeningPlies int              `json:"opening_plies"`
	Outcome      engines.Result   `json:"outcome"`
	Reason       string           `json:"reason"`           // of the rules, or of the arena: resign, agreed_draw, exact, forced_draw, clock, forfeit_illegal, ...
	Detail       string           `json:"detail,omitempty"` // the fault of an agent
	Faulty       int8             `json:"faulty,omitempty"` // 1 or 2 when the first or second player forfeited
	Plies        int              `json:"plies"`
	Spent        [2]time.Duration `json:"spent_ns"` // time for decisions, by side
	Nodes        [2]int64         `json:"nodes"`
	Timed        bool             `json:"timed,omitempty"` // a budget depended on the clock
	Hash         int64            `json:"hash"`            // of rules and moves
	Worker       string           `json:"worker,omitempty"`
	Thoughts     []study.Ply      `json:"thoughts,omitempty"`
	// of a training game: 1 for each move drawn at random, 0 for others
	Random string `json:"random,omitempty"`

	taught *patterns.Lesson // the training data if already decoded
}

// Row returns the game in the form that a study stores. The numbers of rules, agents, pair and opening are those of
// the study and of the schedule.
func (r *Result) Row(rules, first, second, pair, opening, seed int64) study.Game {
	return study.Game{
		Event: r.Event, Number: r.Number, Rules: rules, First: first, Second: second, Pair: pair, Opening: opening,
		OpeningPlies: r.OpeningPlies,
		Seed:         seed, Moves: r.Moves, Result: r.Outcome.String(), Reason: r.Reason, Detail: r.Detail, Plies: r.Plies,
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
