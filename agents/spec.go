package agents

import (
	"encoding/json"
	"slices"

	"spar/agents/eval"
	"spar/agents/mcts"
	"spar/agents/patterns"
	"spar/agents/sources"
)

// Spec is an agent as its YAML file states it: a type and the knobs of that type.
type Spec struct {
	Name        string `yaml:"name" json:"name" jsonschema_description:"Name in tables and records; the file's name when left out."`
	Type        string `yaml:"type" json:"type" jsonschema:"required,enum=random,enum=heuristic,enum=minimax,enum=mcts,enum=source,enum=perfect,enum=ugi,enum=own" jsonschema_description:"The kind of player: random; heuristic (one ply of evaluation); minimax (alpha-beta); mcts (Monte-Carlo tree search); source (a level of one of the original programs); perfect (from the table of a solved game); ugi (a program that speaks the Universal Game Interface); own (made by the program that plays, where it is not spar itself)."`
	Description string `yaml:"description" json:"description,omitempty" jsonschema_description:"A sentence about the agent, for people."`
	Level       string `yaml:"level" json:"level,omitempty" jsonschema_description:"type source: the level, like checkerboard/hard."`
	Budget      Budget `yaml:"budget" json:"budget" jsonschema_description:"Limits of one decision, unless the tournament sets its own."`
	Ties        string `yaml:"ties" json:"ties,omitempty" jsonschema:"enum=random,enum=first" jsonschema_description:"Among equally good moves: one at random (the default), or the first in the order of the legal moves, which is the lowest cell."`

	Minimax MinimaxOptions `yaml:"minimax" json:"minimax" jsonschema_description:"Knobs of type minimax."`
	MCTS    mcts.Options   `yaml:"mcts" json:"mcts" jsonschema_description:"Knobs of type mcts."`
	Perfect PerfectOptions `yaml:"perfect" json:"perfect" jsonschema_description:"Knobs of type perfect."`
	UGI     UGIOptions     `yaml:"ugi" json:"ugi" jsonschema_description:"Knobs of type ugi."`
	Own     OwnOptions     `yaml:"own" json:"own,omitzero" jsonschema_description:"Knobs of type own."`
	Mixture Mixture        `yaml:"mixture" json:"mixture" jsonschema_description:"Ways to weaken, vary or restrict any agent."`

	// Chosen are the knobs that somebody chose: those of a file of one's own, and overrides.
	Chosen []string `yaml:"-" json:"-"`

	eval.Params `yaml:",inline" json:",inline"`
	Evaluation  EvaluationOptions `yaml:"evaluation" json:"evaluation,omitzero" jsonschema_description:"A learned evaluation, in place of weights."`
	DefaultIn   []string          `yaml:"default_in" json:"-" jsonschema:"enum=minimax,enum=mcts" jsonschema_description:"In a shipped RULES/learned.yaml: the searches that play by its evaluation unless they state one, those in which it won at equal time (LEARNED.md). The player that looks one ply ahead does without: it is what others are measured by."`
}

// EvaluationOptions name a learned evaluation, or do without.
type EvaluationOptions struct {
	Kind string         `yaml:"kind" json:"kind,omitempty" jsonschema:"enum=linear" jsonschema_description:"linear: weights, even under rules for which searches have a learned evaluation by default."`
	File string         `yaml:"file" json:"file,omitempty" jsonschema_description:"A file that spar learn wrote, or the name of a shipped one, like ctor/learned. It serves the rules that it was trained on."`
	Kin  bool           `yaml:"kin" json:"kin,omitempty" jsonschema_description:"The file also serves other rules under which its tables are the same, as those of variants mostly are: what was learned under one of them speaks for all."`
	Hash string         `yaml:"-" json:"hash,omitempty"` // SHA-256 of the file
	Net  *patterns.File `yaml:"-" json:"-"`
}

// MinimaxOptions are the knobs of alpha-beta.
type MinimaxOptions struct {
	TableMB    int    `yaml:"table_mb" json:"table_mb" jsonschema:"minimum=0,maximum=65536" jsonschema_description:"Memory of the transposition table in MiB; 0 = none. What the table knows from a deeper search, or along another line, may change a score at the same depth."`
	Ordering   string `yaml:"ordering" json:"ordering,omitempty" jsonschema:"enum=full,enum=plain" jsonschema_description:"full: table move, captures, blocks, killers, history; plain: textbook alpha-beta in the order of the legal moves, for counting nodes."`
	Quiescence bool   `yaml:"quiescence" json:"quiescence" jsonschema_description:"At the horizon go on with captures, for two plies."`
	Candidates int    `yaml:"candidates" json:"candidates,omitempty" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"Look only at this many moves of each node, the best by evaluation; 0 = all. May overlook wins."`
	Threads    int    `yaml:"threads" json:"threads,omitempty" jsonschema:"minimum=0,maximum=256" jsonschema_description:"Threads that share the table; above 1 a decision depends on timing, and games with it are marked as timed. 0 = 1."`
}

// Mixture weakens, varies or restricts an agent.
type Mixture struct {
	Epsilon         float64  `yaml:"epsilon" json:"epsilon,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Share of moves that are random instead."`
	Softmax         float64  `yaml:"softmax" json:"softmax,omitempty" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"Temperature: draw a move with weight exp(score/temperature), scores from 0 to 1; 0 = the best."`
	OpeningBook     []string `yaml:"opening_book" json:"opening_book,omitempty" jsonschema_description:"Move lists from the start of the game; while the game follows one, its next move is played."`
	NeverCaptures   bool     `yaml:"never_captures" json:"never_captures,omitempty" jsonschema_description:"Does not capture while there is another move."`
	NeverCentre     bool     `yaml:"never_centre" json:"never_centre,omitempty" jsonschema_description:"Does not place on the middle of the board while there is another move."`
	Mirrors         bool     `yaml:"mirrors" json:"mirrors,omitempty" jsonschema_description:"Answers the opponent's last turn by its image under a half turn of the board, where that is a legal move."`
	IgnoresOpponent bool     `yaml:"ignores_opponent" json:"ignores_opponent,omitempty" jsonschema_description:"All enemy_ weights count as 0."`
}

// Types lists the kinds of player.
func Types() []string {
	return []string{"random", "heuristic", "minimax", "mcts", "source", "perfect", "ugi", "own"}
}

// DefaultSpec holds the value of every knob that a file leaves out.
func DefaultSpec() Spec {
	return Spec{
		Ties:    "random",
		Minimax: MinimaxOptions{TableMB: 16, Ordering: "full", Quiescence: true},
		MCTS:    mcts.DefaultOptions(),
	}
}

// Timed tells whether the agent's decisions depend on more than counts: on the clock, or on how its threads take turns.
func (s Spec) Timed() bool { return s.Budget.Timed() || s.threads() > 1 }

// threads is how many threads a decision has.
func (s Spec) threads() int {
	switch s.Type {
	case "minimax":
		return s.Minimax.Threads
	case "mcts":
		return s.MCTS.Threads
	}
	return 1
}

// Deterministic tells whether the agent always answers a position with the same move.
func (s Spec) Deterministic() bool {
	if s.Mixture.Epsilon > 0 || s.Mixture.Softmax > 0 || s.Timed() {
		return false
	}
	switch s.Type {
	case "heuristic", "perfect", "minimax":
		return s.Ties == "first"
	case "source":
		return sources.Deterministic(s.Level)
	}
	return false
}

func evaluating() []string { return []string{"heuristic", "minimax", "mcts"} }

// Canonical returns the spec as one line of JSON: what a record stores.
func (s Spec) Canonical() string {
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error() // cannot happen: the type holds only texts, numbers and switches
	}
	return string(text)
}

// WithDefaults states the weights that the spec leaves to the program, where no game is known; see For.
func (s Spec) WithDefaults() Spec {
	if s.Weights == nil && s.Evaluation.File == "" && slices.Contains(evaluating(), s.Type) {
		d := DefaultEval()
		s.Weights = d.Weights
		if s.Scale == 0 {
			s.Scale = d.Scale
		}
	}
	return s
}
