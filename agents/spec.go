package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/agents/mcts"
	"spar/agents/patterns"
	"spar/agents/person"
	"spar/configs/plain"
	"spar/engines"
)

// Spec is an agent's YAML file: a type and the knobs of that type.
type Spec struct {
	// Name in tables and records. Default: the file's name.
	Name string `yaml:"name" json:"name"`
	Type string `yaml:"type" json:"type" jsonschema:"required" help:"kind of player"`
	// A sentence about the agent, for people.
	Description string `yaml:"description" json:"description,omitempty"`
	// type source: the level, like checkerboard/hard.
	Level string `yaml:"level" json:"level,omitempty"`
	// Limits of one decision, unless the tournament sets other limits.
	Budget Budget `yaml:"budget" json:"budget"`
	// Among equally good moves: one at random (the default), or the first in the order of the legal moves, which is the
	// lowest cell.
	Ties string `yaml:"ties" json:"ties,omitempty" jsonschema:"enum=random,enum=first"`

	// Knobs of type minimax.
	Minimax MinimaxOptions `yaml:"minimax" json:"minimax"`
	// Knobs of type mcts.
	MCTS mcts.Options `yaml:"mcts" json:"mcts"`
	// Knobs of type perfect.
	Perfect PerfectOptions `yaml:"perfect" json:"perfect"`
	// Knobs of type ugi.
	UGI UGIOptions `yaml:"ugi" json:"ugi"`
	// Knobs of type own.
	Own OwnOptions `yaml:"own" json:"own,omitzero"`
	// Knobs of type person.
	Person person.Options `yaml:"person" json:"person,omitzero"`
	// Ways to weaken, vary or restrict any agent.
	Mixture Mixture `yaml:"mixture" json:"mixture"`

	// Chosen are the knobs that the user set: in a file that Spar does not ship, or by overrides.
	Chosen []string `yaml:"-" json:"-"`

	eval.Params `yaml:",inline" json:",inline"`
	// A learned evaluation, instead of weights.
	Evaluation EvaluationOptions `yaml:"evaluation" json:"evaluation,omitzero"`
	Rows       []StrongestRow    `yaml:"-" json:"rows,omitempty" help:"type strongest: its searches under these rules, by time"`
	// In a shipped RULES/learned.yaml: the searches that use this evaluation by default, because it was stronger at equal
	// time (reports/research/learned.md). Agents that look one ply ahead never use it: they are the baseline.
	DefaultIn []string `yaml:"default_in" json:"-"`
}

// EvaluationOptions name a learned evaluation, or switch it off.
type EvaluationOptions struct {
	// linear: weights, even if searches have another default under these rules. newest: like the default, but with
	// the latest learned evaluation, which may change with a new version. connection: the conductance of the board
	// for each side, in games won by connecting two edges; the default of searches in such games.
	Kind string `yaml:"kind" json:"kind,omitempty" jsonschema:"enum=linear,enum=connection,enum=newest"`
	// A file that spar learn wrote, or the name of a shipped one, like ctor/learned. It is valid for the rules that it
	// was trained on.
	File string `yaml:"file" json:"file,omitempty"`
	// Use the file also for other rules with the same tables, such as variants of a game.
	Kin  bool           `yaml:"kin" json:"kin,omitempty"`
	Hash string         `yaml:"-" json:"hash,omitempty" help:"SHA-256 of the file"`
	Net  *patterns.File `yaml:"-" json:"-"`
}

// Mixture holds the knobs that weaken, vary or restrict an agent of any type.
type Mixture struct {
	// Fraction of moves that are replaced by random ones.
	Epsilon float64 `yaml:"epsilon" json:"epsilon,omitempty" jsonschema:"minimum=0,maximum=1"`
	// Temperature: draw a move with weight exp(score/temperature), scores from 0 to 1; 0 = the best.
	Softmax float64 `yaml:"softmax" json:"softmax,omitempty" jsonschema:"minimum=0,maximum=1000"`
	// Lists of moves from the start of the game. As long as the game follows a list, the agent plays its next move.
	OpeningBook []string `yaml:"opening_book" json:"opening_book,omitempty"`
	// Never captures if another move is legal.
	NeverCaptures bool `yaml:"never_captures" json:"never_captures,omitempty"`
	// Never places in the middle of the board if another move is legal.
	NeverCentre bool `yaml:"never_centre" json:"never_centre,omitempty"`
	// Copies the opponent's last turn, rotated by a half turn of the board, if that is legal.
	Mirrors bool `yaml:"mirrors" json:"mirrors,omitempty"`
	// Treats all enemy_ weights as 0.
	IgnoresOpponent bool `yaml:"ignores_opponent" json:"ignores_opponent,omitempty"`
}

// kinds returns the descriptions of the agent types, in the order of help texts and errors.
func kinds() []kind {
	return []kind{
		randomKind(), heuristicKind(), minimaxKind(), mctsKind(), sourceKind(), perfectKind(), ugiKind(), ownKind(),
		personKind(), strongestKind(),
	}
}

// DefaultSpec returns the values of knobs that a file does not set.
func DefaultSpec() Spec {
	return Spec{
		Ties:    "random",
		Minimax: MinimaxOptions{TableMB: 16, Ordering: "full", Quiescence: true},
		MCTS:    mcts.DefaultOptions(),
	}
}

// Canonical returns the spec as one line of JSON, the form that studies store.
func (s Spec) Canonical() string {
	text, err := json.Marshal(s)
	if err != nil {
		return err.Error() // cannot happen: the type holds only texts, numbers and switches
	}
	return string(text)
}

// WithDefaults sets the default weights that do not depend on a game. The method For sets those of a game.
func (s Spec) WithDefaults() Spec {
	if s.Weights == nil && s.Evaluation.File == "" && s.Evaluates() {
		d := DefaultEval()
		s.Weights = d.Weights
		if s.Scale == 0 {
			s.Scale = d.Scale
		}
	}
	return s
}

// Effective returns the agent under the rules of a game as one line of JSON, with every knob and weight including
// defaults, and a hash of it. It omits name and description, which do not affect play.
func (s Spec) Effective(g *engines.Game) (text, hash string) {
	s = s.For(g)
	s.Name, s.Description = "", ""
	s.Ties = cmp.Or(s.Ties, "random")
	if s.Evaluates() {
		s.Scale = cmp.Or(s.Scale, DefaultEval().Scale)
	}
	text = s.Canonical()
	return text, plain.Hash(text)
}

// Resolved replaces zeros that mean a default by that default, in the knobs of the agent's type.
func (s Spec) Resolved() Spec {
	k := s.kind()
	if k.zeros != nil {
		k.zeros(&s)
	}
	if k.evaluates && s.Evaluation.File == "" {
		s.Scale = cmp.Or(s.Scale, DefaultEval().Scale)
	}
	return s
}

// Knob is one knob of an agent, by its path in the agent's file.
type Knob struct {
	Path  string `json:"path"`
	Value any    `json:"value"` // the value as JSON decodes it
}

// String returns PATH=VALUE, the form of an override.
func (k Knob) String() string { return fmt.Sprintf("%s=%v", k.Path, k.Value) }

// Knobs lists the knobs that the agent's type uses, sorted by path. The value of a set of weights is the number of
// weights.
func (s Spec) Knobs() []Knob {
	var tree map[string]any
	d := json.NewDecoder(strings.NewReader(s.Canonical()))
	d.UseNumber() // as they are written
	if err := d.Decode(&tree); err != nil {
		return nil // cannot happen: it was just written
	}
	own, others := s.kind().knobs, restricted()
	out := []Knob{{"type", s.Type}}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		branch, ok := v.(map[string]any)
		switch {
		case slices.Contains(others, path) && !slices.Contains(own, path):
		case ok && strings.HasSuffix(path, "weights"):
			out = append(out, Knob{path, len(branch)})
		case ok:
			for _, k := range slices.Sorted(maps.Keys(branch)) {
				walk(path+"."+k, branch[k])
			}
		default:
			out = append(out, Knob{path, v})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(tree)) {
		if k != "name" && k != "description" && k != "type" {
			walk(k, tree[k])
		}
	}
	return out
}
