package transfer

import (
	"cmp"
	"database/sql"
	"time"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
)

// The kinds of lines of an export.
const (
	KindStudy   = "study"   // the first line
	KindGame    = "game"    // one line a game
	KindTable   = "table"   // a game of people and how it was played, finished or not
	KindOpinion = "opinion" // what a person said of a game
	KindLines   = "lines"   // the variations that somebody looked at in a game
	KindValues  = "values"  // what an oracle says of the positions of a game
)

// header is the first line: what games refer to by name.
type header struct {
	Events    []event     `json:"events"`
	Rules     []rules     `json:"rules"`
	Agents    []agent     `json:"agents"`
	Effective []effective `json:"effective"`
	Oracles   []oracle    `json:"oracles,omitempty"`
	Workers   []worker    `json:"workers,omitempty"`
}

type event struct {
	Event   string  `json:"event"`
	Purpose string  `json:"purpose"`
	Plan    string  `json:"plan"`
	Seed    int64   `json:"seed"`
	Release string  `json:"release,omitempty"`
	Commit  string  `json:"commit,omitempty"`
	Go      string  `json:"go,omitempty"`
	CPU     string  `json:"cpu,omitempty"`
	Started string  `json:"started,omitempty"`
	Ended   string  `json:"ended,omitempty"`
	WallS   float64 `json:"wall_s,omitempty"`
	CPUS    float64 `json:"cpu_s,omitempty"`
	Builds  []build `json:"builds,omitempty"` // none: an older Spar wrote it, which kept only the first
}

// build is a program on a machine that went on with an event which had so many games before.
type build struct {
	Before  int64  `json:"before"`
	Since   string `json:"since"`
	Release string `json:"release"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	CPU     string `json:"cpu"`
	Command string `json:"command,omitempty"`
}

type rules struct {
	Rules string `json:"rules"`
	Hash  string `json:"hash"`
	Knobs string `json:"knobs"`
}

type agent struct {
	Agent string `json:"agent"`
	Spec  string `json:"spec"`
}

type effective struct {
	Agent string `json:"agent"`
	Rules string `json:"rules"`
	Spec  string `json:"spec"`
	Hash  string `json:"hash"`
}

type oracle struct {
	Oracle string `json:"oracle"`
	Rules  string `json:"rules"`
	Spec   string `json:"spec"`
	Exact  bool   `json:"exact"`
	Seed   int64  `json:"seed"`
}

type worker struct {
	ID       string    `json:"worker"`
	System   string    `json:"system"`
	Slots    int       `json:"slots"`
	Speed    float64   `json:"speed"`
	Games    int64     `json:"games"`
	Faults   int64     `json:"faults"`
	Late     int64     `json:"late"`
	Checked  int64     `json:"checked"`
	Differed int64     `json:"differed"`
	Barred   string    `json:"barred,omitempty"`
	Joined   time.Time `json:"joined"`
	Seen     time.Time `json:"seen"`
}

// seat is a table. Event and number are those of the game that it has become.
type seat struct {
	Table   string `json:"table"`
	State   string `json:"state"`
	Changed string `json:"changed"`
	Event   string `json:"event,omitempty"` // empty while it goes on
	Number  int64  `json:"number,omitempty"`
}

type opinion struct {
	Event     string `json:"event"`
	Number    int64  `json:"number"`
	Fun       int    `json:"fun"`
	Again     bool   `json:"again"`
	Confusing string `json:"confusing,omitempty"`
	Said      string `json:"said"`
}

type lines struct {
	Game    string `json:"game"`
	Moves   string `json:"lines"`
	Changed string `json:"changed"`
}

// game is a line of a game: all that its row holds.
type game struct {
	Game
	Label string `json:"label"`
	stored
	Thoughts []thought `json:"thoughts,omitempty"`
}

// stored is what the row of a game holds that readers of games do not need.
type stored struct {
	Opening      int64   `json:"opening"`
	OpeningPlies int     `json:"opening_plies"`
	FirstMS      float64 `json:"first_ms"`
	SecondMS     float64 `json:"second_ms"`
	FirstNodes   int64   `json:"first_nodes"`
	SecondNodes  int64   `json:"second_nodes"`
	Hash         int64   `json:"hash"`
	Timed        bool    `json:"timed,omitempty"`
	Worker       string  `json:"worker,omitempty"`
}

type thought struct {
	Ply   int      `json:"ply"`
	Score *float64 `json:"score"`
	Depth int      `json:"depth"`
	Nodes int64    `json:"nodes"`
	MS    float64  `json:"time_ms"`
	OldMS float64  `json:"ms,omitempty"` // the same in older exports
	Legal int      `json:"legal"`
	PV    string   `json:"pv,omitempty"`
}

// values are what an oracle, by its place in the header, says of a game.
type values struct {
	Oracle    int        `json:"oracle"`
	Event     string     `json:"event"`
	Number    int64      `json:"number"`
	Positions []position `json:"positions"`
}

type position struct {
	Ply       int      `json:"ply"`
	Side      int      `json:"side"`
	Value     float64  `json:"value"`
	Again     *float64 `json:"again,omitempty"`
	Best      string   `json:"best"`
	BestValue float64  `json:"best_value"`
	Played    *float64 `json:"played,omitempty"`
	Legal     int      `json:"legal"`
	Near      *float64 `json:"near,omitempty"`
	Variance  *float64 `json:"variance,omitempty"`
	Shallow   *float64 `json:"shallow,omitempty"`
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

// Whole is a stored game as the line of an export, with all that its row holds.
func Whole(r store.Row) any { return gameOf(r) }

func gameOf(r store.Row) game {
	g := game{
		Game: GameOf(r), Label: r.RulesName,
		stored: stored{r.Opening, r.OpeningPlies, r.FirstMS, r.SecondMS, r.FirstNodes, r.SecondNodes, r.Hash, r.Timed, r.Worker},
	}
	for _, t := range r.Thoughts {
		g.Thoughts = append(g.Thoughts, thought{Ply: t.Ply, Score: known(t.Score), Depth: t.Depth, Nodes: t.Nodes, MS: t.MS, Legal: t.Legal, PV: t.PV})
	}
	return g
}

// row is the opposite of gameOf, moves being the game's moves as a study stores them.
func (g *game) row(moves string, marks evidence.Marks) store.Row {
	r := store.Row{
		Game: study.Game{
			ID: g.ID, Number: g.Number, Pair: g.Pair, Opening: g.Opening, OpeningPlies: g.OpeningPlies, Seed: g.Seed, Moves: moves,
			Result: g.Result, Reason: g.Reason, Detail: g.Detail, Plies: g.Plies, FirstMS: g.FirstMS, SecondMS: g.SecondMS,
			FirstNodes: g.FirstNodes, SecondNodes: g.SecondNodes, Hash: g.Hash, Timed: g.Timed, Worker: g.Worker, Marks: marks,
		},
		EventName: g.Event, RulesName: g.Label, FirstName: g.First, SecondName: g.Second,
	}
	for _, t := range g.Thoughts {
		r.Thoughts = append(r.Thoughts, study.Ply{Ply: t.Ply, Score: null(t.Score), Depth: t.Depth, Nodes: t.Nodes, MS: cmp.Or(t.MS, t.OldMS), Legal: t.Legal, PV: t.PV})
	}
	return r
}

func positionOf(v store.PositionValue) position {
	return position{v.Ply, v.Side, v.Value, known(v.Again), v.Best, v.BestValue, known(v.Played), v.Legal, known(v.Near), known(v.Variance), known(v.Shallow)}
}

func (p position) value() store.PositionValue {
	return store.PositionValue{
		Ply: p.Ply, Side: p.Side, Value: p.Value, Again: null(p.Again), Best: p.Best, BestValue: p.BestValue, Played: null(p.Played), Legal: p.Legal,
		Near: null(p.Near), Variance: null(p.Variance), Shallow: null(p.Shallow),
	}
}

// Lines returns values of the types that the lines of a kind are written from, for a description of their fields.
func Lines(kind string) []any {
	return map[string][]any{
		KindStudy: {header{}}, KindGame: {game{}}, KindTable: {seat{}}, KindOpinion: {opinion{}}, KindLines: {lines{}}, KindValues: {values{}},
		KindPosition: {positionLine{}, positionArrays{}},
	}[kind]
}
