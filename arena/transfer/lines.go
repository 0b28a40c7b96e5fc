package transfer

import (
	"cmp"
	"database/sql"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
)

// The kinds of lines in an export.
const (
	KindStudy   = "study"   // the first line
	KindGame    = "game"    // one line for each game
	KindTable   = "table"   // a game played by people, finished or not
	KindOpinion = "opinion" // a person's opinion about a game
	KindLines   = "lines"   // the variations of a game, of earlier versions
	KindValues  = "values"  // an oracle's values of the positions of a game
)

// header is the first line. It has everything that games refer to by name.
type header struct {
	Games     int64               `json:"games,omitempty" help:"number of games that follow; missing in files of older versions"`
	Events    []event             `json:"events"`
	Rules     []store.StoredRules `json:"rules"`
	Agents    []agent             `json:"agents"`
	Effective []study.Effective   `json:"effective"`
	Oracles   []store.Oracle      `json:"oracles,omitempty"`
	Workers   []study.Worker      `json:"workers,omitempty"`
}

type event struct {
	study.Event
	Builds []store.Stretch `json:"builds,omitempty"` // missing in files of older versions, which have only the first build
}

type agent struct {
	Agent string `json:"agent" help:"name"`
	Spec  string `json:"spec" help:"the agent's file, JSON as text"`
}

// seat is the line of a table of a game played by people. Event and number are those of the resulting game.
type seat struct {
	store.Table
	Event  string `json:"event,omitempty" help:"event of the finished game; omitted while the game is in progress"`
	Number int64  `json:"number,omitempty" help:"the game's number"`
}

type opinion struct {
	Event  string `json:"event" help:"event of the game that a person played"`
	Number int64  `json:"number" help:"number of the game"`
	store.Opinion
}

// game is the line of a game, with all columns of its row.
type game struct {
	Game
	Label string `json:"label" help:"label of the rules within the study (the fields from here to thoughts: export and show only)"`
	stored
	Thoughts []thought `json:"thoughts,omitempty"`
}

// stored holds those columns of a game that most readers of an export do not need.
type stored struct {
	Opening      int64   `json:"opening" help:"index of the opening"`
	OpeningPlies int     `json:"opening_plies" help:"moves of the opening"`
	FirstMS      float64 `json:"first_ms"`
	SecondMS     float64 `json:"second_ms"`
	FirstNodes   int64   `json:"first_nodes"`
	SecondNodes  int64   `json:"second_nodes"`
	Hash         int64   `json:"hash" help:"hash of rules and moves: the same for identical games"`
	Timed        bool    `json:"timed,omitempty" help:"true if the game had a time limit"`
	Worker       string  `json:"worker,omitempty" help:"worker that played it, by number or name"`
}

type thought struct {
	Ply   int      `json:"ply" help:"ply of an agent's decision, from 1; only if the plan records plies"`
	Score *float64 `json:"score" help:"expected score of the mover, 0 to 1; null if the agent gives none"`
	Depth int      `json:"depth" help:"depth of the search"`
	Nodes int64    `json:"nodes" help:"nodes of the decision"`
	MS    float64  `json:"time_ms" help:"time of the decision, milliseconds"`
	OldMS float64  `json:"ms,omitempty"` // thinking times in older exports
	Legal int      `json:"legal" help:"legal moves"`
	PV    string   `json:"pv,omitempty" help:"expected continuation"`
}

// values is the line of an oracle's values for a game. The oracle is given by its index in the header.
type values struct {
	Oracle    int                   `json:"oracle" help:"index into oracles of the first line, from 0"`
	Event     string                `json:"event" help:"event of the game"`
	Number    int64                 `json:"number" help:"number of the game"`
	Positions []store.PositionValue `json:"positions"`
}

func known(x sql.NullFloat64) *float64 {
	if !x.Valid {
		return nil
	}
	return &x.Float64
}

func null(x *float64) sql.NullFloat64 {
	if x == nil {
		return sql.NullFloat64{}
	}
	return sql.NullFloat64{Float64: *x, Valid: true}
}

// Whole returns a stored game in the form of a line of an export, with all fields of its row.
func Whole(r store.Row) any { return gameOf(r) }

func gameOf(r store.Row) game {
	g := game{
		Game: GameOf(r), Label: r.RulesName,
		stored: stored{
			r.Opening, r.OpeningPlies, r.FirstMS, r.SecondMS, r.FirstNodes, r.SecondNodes, r.Hash, r.Timed,
			r.Worker,
		},
	}
	for _, t := range r.Thoughts {
		g.Thoughts = append(g.Thoughts, thought{
			Ply: t.Ply, Score: known(t.Score), Depth: t.Depth, Nodes: t.Nodes, MS: t.MS,
			Legal: t.Legal, PV: t.PV,
		})
	}
	return g
}

// row is the inverse of gameOf. The parameter moves has the game's moves in stored form.
func (g *game) row(moves string, marks evidence.Marks) store.Row {
	r := store.Row{
		Game: study.Game{
			ID: g.ID, Number: g.Number, Pair: g.Pair, Opening: g.Opening, OpeningPlies: g.OpeningPlies, Seed: g.Seed,
			Moves:  moves,
			Result: g.Result, Reason: g.Reason, Detail: g.Detail, Plies: g.Plies, FirstMS: g.FirstMS, SecondMS: g.SecondMS,
			FirstNodes: g.FirstNodes, SecondNodes: g.SecondNodes, Hash: g.Hash, Timed: g.Timed, Worker: g.Worker, Marks: marks,
		},
		EventName: g.Event, RulesName: g.Label, FirstName: g.First, SecondName: g.Second,
	}
	for _, t := range g.Thoughts {
		r.Thoughts = append(r.Thoughts, study.Ply{
			Ply: t.Ply, Score: null(t.Score), Depth: t.Depth, Nodes: t.Nodes,
			MS: cmp.Or(t.MS, t.OldMS), Legal: t.Legal, PV: t.PV,
		})
	}
	return r
}

// Lines returns one value of each type that a line of the given kind can have. The description of the export's fields
// is generated from these values.
func Lines(kind string) []any {
	return map[string][]any{
		KindStudy: {header{}}, KindGame: {game{}}, KindTable: {seat{}}, KindOpinion: {opinion{}}, KindLines: {store.Lines{}},
		KindValues:   {values{}},
		KindPosition: {positionLine{}, positionArrays{}},
	}[kind]
}
