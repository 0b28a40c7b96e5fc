package agents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
)

// Spec is an agent as its YAML file states it: a type and the knobs of that type.
type Spec struct {
	Name        string `yaml:"name" json:"name" jsonschema_description:"Name in tables and records; the file's name when left out."`
	Type        string `yaml:"type" json:"type" jsonschema:"required" jsonschema_description:"The kind of player."`
	Description string `yaml:"description" json:"description,omitempty" jsonschema_description:"A sentence about the agent, for people."`
	Budget      Budget `yaml:"budget" json:"budget" jsonschema_description:"Limits of one decision, unless the tournament sets its own."`
	Ties        string `yaml:"ties" json:"ties,omitempty" jsonschema:"enum=random,enum=first" jsonschema_description:"Among equally good moves: one at random (the default), or the first in the order of the legal moves, which is the lowest cell."`

	eval.Params `yaml:",inline" json:",inline"`
}

// Types lists the kinds of player.
func Types() []string { return []string{"random", "heuristic"} }

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
	var s Spec
	if err := doc.Decode(&s); err != nil {
		return s, err
	}
	if s.Name == "" {
		s.Name = base
	}
	if !slices.Contains(Types(), s.Type) {
		doc.Errorf("type", "unknown type %q%s", s.Type, strict.Suggest(s.Type, Types()))
	}
	for path, w := range map[string]eval.Weights{"weights": s.Weights, "late_weights": s.Late, "movement_weights": s.Movement} {
		for feature := range w {
			if eval.Describe(feature) == "" {
				doc.Errorf(path+"."+feature, "unknown feature %q%s", feature, strict.Suggest(feature, eval.Names()))
			}
		}
	}
	if s.Type == "random" && (doc.Has("weights") || doc.Has("budget") || doc.Has("ties")) {
		doc.Errorf("type", "an agent of type random has no weights, budget or ties")
	}
	return s, doc.Err()
}

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

// WithDefaults states the values that the spec leaves to the program.
func (s Spec) WithDefaults() Spec {
	if s.Type == "random" {
		return s
	}
	if s.Weights == nil {
		d := DefaultEval()
		s.Weights = d.Weights
		if s.Scale == 0 {
			s.Scale = d.Scale
		}
	}
	if s.Ties == "" {
		s.Ties = "random"
	}
	return s
}

// New makes an agent for a game.
func New(s Spec, g *engines.Game) (Agent, error) {
	if err := s.Params.Check(); err != nil {
		return nil, fmt.Errorf("agent %s: %w", s.Name, err)
	}
	switch s.Type {
	case "random":
		return &random{}, nil
	case "heuristic":
		return &heuristic{eval: eval.New(g, s.WithDefaults().Params), ties: s.Ties}, nil
	}
	return nil, fmt.Errorf("agent %s: unknown type %q%s", s.Name, s.Type, strict.Suggest(s.Type, Types()))
}

// DefaultEval is the hand-made evaluation that serves every rules file.
func DefaultEval() eval.Params {
	return eval.Params{
		Scale: 100,
		Weights: eval.Weights{
			"own_need_1": 30, "own_need_2": 8, "own_need_3": 2, "own_need_4": 0.5,
			"enemy_need_1": -60, "enemy_need_2": -9, "enemy_need_3": -2, "enemy_need_4": -0.5,
			"own_double": 40, "enemy_double": -200, "enemy_threats": -100,
			"own_expiring": 0.5, "enemy_expiring": -0.5,
			"own_centre": 1, "enemy_centre": -1,
			"own_material": 10, "enemy_material": -10, "own_advanced": 4, "enemy_advanced": -4,
			"own_mobility": 0.2, "enemy_mobility": -0.2, "own_jumps": 2, "enemy_jumps": -6,
			"own_hanging": -6, "enemy_hanging": 3, "own_loose": -1.5, "enemy_loose": 1,
		},
	}
}
