package agents

import (
	"encoding/json"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/agents/mcts"
	"spar/agents/sources"
	"spar/configs"
	"spar/configs/strict"
)

// Spec is an agent as its YAML file states it: a type and the knobs of that type.
type Spec struct {
	Name        string `yaml:"name" json:"name" jsonschema_description:"Name in tables and records; the file's name when left out."`
	Type        string `yaml:"type" json:"type" jsonschema:"required,enum=random,enum=heuristic,enum=minimax,enum=mcts,enum=source,enum=perfect,enum=ugi" jsonschema_description:"The kind of player: random; heuristic (one ply of evaluation); minimax (alpha-beta); mcts (Monte-Carlo tree search); source (a level of one of the original programs); perfect (from the table of a solved game); ugi (a program that speaks the Universal Game Interface)."`
	Description string `yaml:"description" json:"description,omitempty" jsonschema_description:"A sentence about the agent, for people."`
	Level       string `yaml:"level" json:"level,omitempty" jsonschema_description:"type source: the level, like checkerboard/hard."`
	Budget      Budget `yaml:"budget" json:"budget" jsonschema_description:"Limits of one decision, unless the tournament sets its own."`
	Ties        string `yaml:"ties" json:"ties,omitempty" jsonschema:"enum=random,enum=first" jsonschema_description:"Among equally good moves: one at random (the default), or the first in the order of the legal moves, which is the lowest cell."`

	Minimax MinimaxOptions `yaml:"minimax" json:"minimax" jsonschema_description:"Knobs of type minimax."`
	MCTS    mcts.Options   `yaml:"mcts" json:"mcts" jsonschema_description:"Knobs of type mcts."`
	Perfect PerfectOptions `yaml:"perfect" json:"perfect" jsonschema_description:"Knobs of type perfect."`
	UGI     UGIOptions     `yaml:"ugi" json:"ugi" jsonschema_description:"Knobs of type ugi."`
	Mixture Mixture        `yaml:"mixture" json:"mixture" jsonschema_description:"Ways to weaken, vary or restrict any agent."`

	eval.Params `yaml:",inline" json:",inline"`
}

// MinimaxOptions are the knobs of alpha-beta.
type MinimaxOptions struct {
	TableMB    int    `yaml:"table_mb" json:"table_mb" jsonschema:"minimum=0,maximum=65536" jsonschema_description:"Memory of the transposition table in MiB; 0 = none."`
	Ordering   string `yaml:"ordering" json:"ordering,omitempty" jsonschema:"enum=full,enum=plain" jsonschema_description:"full: table move, captures, blocks, killers, history; plain: textbook alpha-beta in the order of the legal moves, for counting nodes."`
	Quiescence bool   `yaml:"quiescence" json:"quiescence" jsonschema_description:"At the horizon go on with captures."`
	Candidates int    `yaml:"candidates" json:"candidates,omitempty" jsonschema:"minimum=0,maximum=1000" jsonschema_description:"Look only at this many moves of each node, the best by evaluation; 0 = all. May overlook wins."`
	Threads    int    `yaml:"threads" json:"threads,omitempty" jsonschema:"minimum=0,maximum=256" jsonschema_description:"Threads that share the table; above 1 the results depend on timing."`
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
	return []string{"random", "heuristic", "minimax", "mcts", "source", "perfect", "ugi"}
}

// DefaultSpec holds the value of every knob that a file leaves out.
func DefaultSpec() Spec {
	return Spec{
		Ties:    "random",
		Minimax: MinimaxOptions{TableMB: 16, Ordering: "full", Quiescence: true},
		MCTS:    mcts.DefaultOptions(),
	}
}

// ParseSpec reads an agent's file. Name is what errors call it; base is the agent's name when the file states none.
// Overrides change knobs by key path, like "budget.depth=3".
func ParseSpec(name string, data []byte, base string, overrides ...string) (Spec, error) {
	doc, err := strict.Parse(name, data)
	if err != nil {
		return Spec{}, err
	}
	if err := doc.SetAll(overrides); err != nil {
		return Spec{}, err
	}
	s := DefaultSpec()
	_ = doc.Decode(&s) // its mistakes come back with those of meaning, from Err
	if s.Name == "" {
		s.Name = base
	}
	if s.Perfect.File, err = doc.InputFile("perfect.table", s.Perfect.Table); err != nil {
		doc.Errorf("perfect.table", "perfect.table: %v", err)
	}
	for path, w := range map[string]eval.Weights{"weights": s.Weights, "late_weights": s.Late, "movement_weights": s.Movement} {
		for feature := range w {
			if eval.Describe(feature) == "" {
				doc.Errorf(path+"."+feature, "unknown feature %q%s", feature, strict.Suggest(feature, eval.Names()))
			}
		}
	}
	for _, knob := range []struct {
		path  string
		types []string
	}{
		{"weights", evaluating()},
		{"late_weights", evaluating()},
		{"movement_weights", evaluating()},
		{"scale", evaluating()},
		{"minimax", []string{"minimax"}},
		{"mcts", []string{"mcts"}},
		{"level", []string{"source"}},
		{"ugi", []string{"ugi"}},
		{"perfect", []string{"perfect"}},
		{"budget", []string{"minimax", "mcts", "ugi"}},
		{"ties", []string{"heuristic", "minimax", "mcts", "source", "perfect"}},
		{"mixture.softmax", []string{"heuristic", "minimax", "mcts"}},
		{"mixture.ignores_opponent", evaluating()},
	} {
		if doc.Has(knob.path) && !doc.Doubtful("type") && !slices.Contains(knob.types, s.Type) {
			doc.Errorf(knob.path, "%s has no meaning for type %s (only for %s)", knob.path, s.Type, strings.Join(knob.types, ", "))
		}
	}
	if s.Type == "source" && !doc.Doubtful("level") && !slices.Contains(sources.Levels(), s.Level) {
		doc.Errorf("level", "unknown level %q%s", s.Level, strict.Suggest(s.Level, sources.Levels()))
	}
	if s.Type == "ugi" && s.UGI.Command == "" && !doc.Doubtful("ugi") {
		doc.Errorf("ugi", "type ugi needs ugi.command, the program")
	}
	for option, value := range s.UGI.Options {
		if strings.ContainsAny(option+value, "\r\n") {
			doc.Errorf("ugi.options", "option %q: expected one line", option)
		}
	}
	return s, doc.Err()
}

// Deterministic tells whether the agent always answers a position with the same move.
func (s Spec) Deterministic() bool {
	if s.Mixture.Epsilon > 0 || s.Mixture.Softmax > 0 || s.Budget.Timed() {
		return false
	}
	switch s.Type {
	case "heuristic", "perfect":
		return s.Ties == "first"
	case "minimax":
		return s.Ties == "first" && s.Minimax.Threads <= 1
	case "source":
		return sources.Deterministic(s.Level)
	}
	return false
}

func evaluating() []string { return []string{"heuristic", "minimax", "mcts"} }

// LoadSpec finds an agent by the name of a shipped file ("greedy", "checkerboard/hard") or by a path.
func LoadSpec(name string, overrides ...string) (Spec, error) {
	file, data, err := configs.Read(configs.Agents, name)
	if err != nil {
		return Spec{}, err
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	if !strings.HasSuffix(name, ".yaml") && !strings.HasSuffix(name, ".yml") {
		base = name
	}
	return ParseSpec(file, data, strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml"), overrides...)
}

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
	if s.Weights == nil && slices.Contains(evaluating(), s.Type) {
		d := DefaultEval()
		s.Weights = d.Weights
		if s.Scale == 0 {
			s.Scale = d.Scale
		}
	}
	return s
}
