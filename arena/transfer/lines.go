package transfer

import (
	"cmp"
	"database/sql"
	"time"

	"spar/arena/evidence"
	"spar/arena/store"
	"spar/arena/study"
)

// The kinds of lines in an export.
const (
	KindStudy   = "study"   // the first line
	KindGame    = "game"    // one line for each game
	KindTable   = "table"   // a game of people, finished or not
	KindOpinion = "opinion" // a person's opinion about a game
	KindLines   = "lines"   // the variations that somebody analysed in a game
	KindValues  = "values"  // an oracle's values of the positions of a game
)

// header is the first line. It has everything that games refer to by name.
type header struct {
	Events    []event       `json:"events"`
	Rules     []storedRules `json:"rules"`
	Agents    []agent       `json:"agents"`
	Effective []effective   `json:"effective"`
	Oracles   []oracle      `json:"oracles,omitempty"`
	Workers   []worker      `json:"workers,omitempty"`
}

type event struct {
	Event   string  `json:"event" help:"name of an event: games played under one plan"`
	Purpose string  `json:"purpose" help:"tournament, tuning, validation, balance, human, ..."`
	Plan    string  `json:"plan" help:"the plan that produces its games, JSON as text"`
	Seed    int64   `json:"seed" help:"seed of everything random"`
	Release string  `json:"release,omitempty" help:"version of the program that started it"`
	Commit  string  `json:"commit,omitempty" help:"commit of that program"`
	Go      string  `json:"go,omitempty" help:"Go version of that program"`
	CPU     string  `json:"cpu,omitempty" help:"processor"`
	Started string  `json:"started,omitempty" help:"start of the first run, UTC"`
	Ended   string  `json:"ended,omitempty" help:"end of the last run"`
	WallS   float64 `json:"wall_s,omitempty" help:"time of all runs"`
	CPUS    float64 `json:"cpu_s,omitempty" help:"CPU time of all runs"`
	Builds  []build `json:"builds,omitempty"` // missing in files of older versions, which have only the first build
}

// build is a program version on a machine that continued an event.
type build struct {
	Before  int64  `json:"before" help:"games of the event that were stored before this program continued it"`
	Since   string `json:"since" help:"when this program started, UTC"`
	Release string `json:"release" help:"version of this program"`
	Commit  string `json:"commit" help:"commit of this program"`
	Go      string `json:"go" help:"Go version of this program"`
	CPU     string `json:"cpu" help:"processor"`
	Command string `json:"command,omitempty" help:"command line"`
}

type storedRules struct {
	Rules string `json:"rules" help:"label"`
	Hash  string `json:"hash" help:"hash of the knobs"`
	Knobs string `json:"knobs" help:"every knob, JSON as text"`
}

type agent struct {
	Agent string `json:"agent" help:"name"`
	Spec  string `json:"spec" help:"the agent's file, JSON as text"`
}

type effective struct {
	Agent string `json:"agent" help:"name"`
	Rules string `json:"rules" help:"label of the rules"`
	Spec  string `json:"spec" help:"the agent under these rules with every knob and weight, JSON as text; empty if it was not stored"`
	Hash  string `json:"hash" help:"hash of spec"`
}

type oracle struct {
	Oracle string `json:"oracle" help:"name of an evaluator of positions"`
	Rules  string `json:"rules" help:"label of the rules"`
	Spec   string `json:"spec" help:"settings that determine the values, JSON as text"`
	Exact  bool   `json:"exact" help:"true for values of the solved game"`
	Seed   int64  `json:"seed" help:"seed"`
}

type worker struct {
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

// seat is the line of a table of people. Event and number are those of the resulting game.
type seat struct {
	Table   string `json:"table" help:"name of a game of people, as in the address of its page"`
	State   string `json:"state" help:"everything stored about it, JSON as text: rules, seats, moves with times, help used, hashes of links"`
	Changed string `json:"changed" help:"when it was stored, UTC"`
	// empty for an unfinished game
	Event  string `json:"event,omitempty" help:"event of the finished game; omitted while the game is in progress"`
	Number int64  `json:"number,omitempty" help:"the game's number"`
}

type opinion struct {
	Event     string `json:"event" help:"event of the game that a person played"`
	Number    int64  `json:"number" help:"number of the game"`
	Fun       int    `json:"fun" help:"1 to 5"`
	Again     bool   `json:"again" help:"would play it again"`
	Confusing string `json:"confusing,omitempty" help:"what confused the person, in the person's words"`
	Said      string `json:"said" help:"when, UTC"`
}

type lines struct {
	Game    string `json:"game" help:"address of the review of a game in the browser"`
	Moves   string `json:"lines" help:"the game with variations, each in brackets after the move that it replaces"`
	Changed string `json:"changed" help:"when they were stored, UTC"`
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
	Oracle    int        `json:"oracle" help:"index into oracles of the first line, from 0"`
	Event     string     `json:"event" help:"event of the game"`
	Number    int64      `json:"number" help:"number of the game"`
	Positions []position `json:"positions"`
}

type position struct {
	Ply       int      `json:"ply" help:"plies played so far"`
	Side      int      `json:"side" help:"side to move: 0 first, 1 second"`
	Value     float64  `json:"value" help:"expected score of the first player"`
	Again     *float64 `json:"again,omitempty" help:"the same value with a second seed"`
	Best      string   `json:"best" help:"best move by this evaluator"`
	BestValue float64  `json:"best_value" help:"value of that move for the side to move"`
	Played    *float64 `json:"played,omitempty" help:"value of the move played, for the side to move"`
	Legal     int      `json:"legal" help:"legal moves"`
	Near      *float64 `json:"near,omitempty" help:"fraction of the moves that are nearly as good as the best"`
	Variance  *float64 `json:"variance,omitempty" help:"variance of the values of the moves"`
	Shallow   *float64 `json:"shallow,omitempty" help:"probability that a one-ply search finds the best move"`
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

func positionOf(v store.PositionValue) position {
	return position{
		v.Ply, v.Side, v.Value, known(v.Again), v.Best, v.BestValue, known(v.Played), v.Legal, known(v.Near),
		known(v.Variance), known(v.Shallow),
	}
}

func (p position) value() store.PositionValue {
	return store.PositionValue{
		Ply: p.Ply, Side: p.Side, Value: p.Value, Again: null(p.Again), Best: p.Best, BestValue: p.BestValue,
		Played: null(p.Played), Legal: p.Legal,
		Near: null(p.Near), Variance: null(p.Variance), Shallow: null(p.Shallow),
	}
}

// Lines returns an example value for each type in lines of a kind, from which a description of the fields is made.
func Lines(kind string) []any {
	return map[string][]any{
		KindStudy: {header{}}, KindGame: {game{}}, KindTable: {seat{}}, KindOpinion: {opinion{}}, KindLines: {lines{}},
		KindValues:   {values{}},
		KindPosition: {positionLine{}, positionArrays{}},
	}[kind]
}
