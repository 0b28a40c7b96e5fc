// Package arena plays agents against each other: a plan becomes a numbered schedule, games run in parallel, records go to a
// store. The same plan and seed give the same games on any number of workers, in one go or killed and resumed.
package arena

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"spar/agents"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines"
)

// Plan is a tournament file.
type Plan struct {
	Name     string        `yaml:"name" json:"name" jsonschema:"required" jsonschema_description:"Name of the tournament, also within its study."`
	Games    []GameRef     `yaml:"games" json:"games" jsonschema:"required" jsonschema_description:"Rules to play: names of shipped games, paths, or {rules: NAME, set: {key: value}}."`
	Agents   []AgentRef    `yaml:"agents" json:"agents" jsonschema:"required" jsonschema_description:"Players: names of shipped agents, paths, or {agent: NAME, name: ..., set: {key: value}}."`
	Format   string        `yaml:"format" json:"format" jsonschema:"enum=round-robin" jsonschema_description:"Who plays whom."`
	Pairs    int           `yaml:"pairs" json:"pairs" jsonschema:"required,minimum=1,maximum=10000000" jsonschema_description:"Pairs of games of each match-up in each game; a pair is one opening with both seatings."`
	Openings Openings      `yaml:"openings" json:"openings" jsonschema_description:"How games begin."`
	Budget   agents.Budget `yaml:"budget" json:"budget" jsonschema_description:"Limits of a decision, for agents that state none."`
	Seed     int64         `yaml:"seed" json:"seed" jsonschema_description:"Seed of everything random."`
	Workers  int           `yaml:"workers" json:"-" jsonschema:"minimum=0,maximum=1024" jsonschema_description:"Games at a time; 0 = one a core. Does not change the games."`
	Database string        `yaml:"database" json:"-" jsonschema_description:"The study's file; out/NAME.db when left out."`
	Report   string        `yaml:"report" json:"-" jsonschema_description:"Folder for the report; none when left out."`
}

// GameRef names rules and knobs that differ.
type GameRef struct {
	Rules string         `yaml:"rules" json:"rules" jsonschema:"required" jsonschema_description:"Name of a shipped game, or a path."`
	Set   map[string]any `yaml:"set" json:"set,omitempty" jsonschema_description:"Knobs by key path, like pieces.cap: 5."`
}

// ShorthandKey lets a game be written as its name alone.
func (*GameRef) ShorthandKey() string { return "rules" }

// AgentRef names an agent and knobs that differ.
type AgentRef struct {
	Agent string         `yaml:"agent" json:"agent" jsonschema:"required" jsonschema_description:"Name of a shipped agent, or a path."`
	Name  string         `yaml:"name" json:"name,omitempty" jsonschema_description:"Name in this tournament."`
	Set   map[string]any `yaml:"set" json:"set,omitempty" jsonschema_description:"Knobs of the agent by key path, like budget.depth: 3."`
}

// ShorthandKey lets an agent be written as its name alone.
func (*AgentRef) ShorthandKey() string { return "agent" }

// Openings says how games begin.
type Openings struct {
	Plies int `yaml:"plies" json:"plies" jsonschema:"minimum=0,maximum=60" jsonschema_description:"Random plies before the agents take over; the same for every match-up."`
}

// Tournament is a plan with everything it names loaded.
type Tournament struct {
	Plan
	Rules   []*engines.Game
	Labels  []string // names of the rules, with overrides
	Players []agents.Spec
}

// LoadPlan reads a tournament file and everything it names. Overrides change its keys, like "pairs=10".
func LoadPlan(file string, data []byte, overrides ...string) (*Tournament, error) {
	doc, err := strict.Parse(file, data)
	if err != nil {
		return nil, err
	}
	if err := doc.SetAll(overrides); err != nil {
		return nil, err
	}
	p := Plan{Format: "round-robin"}
	_ = doc.Decode(&p) // its mistakes come back with those of meaning, from Err
	t := &Tournament{Plan: p}
	for i, ref := range p.Games {
		g, err := LoadGame(ref)
		if err != nil {
			doc.Errorf(fmt.Sprintf("games[%d]", i), "games[%d]: %v", i, err)
			continue
		}
		t.Rules, t.Labels = append(t.Rules, g), append(t.Labels, Label(g, ref.Set))
	}
	for i, ref := range p.Agents {
		s, err := loadAgent(ref)
		if err != nil {
			doc.Errorf(fmt.Sprintf("agents[%d]", i), "agents[%d]: %v", i, err)
			continue
		}
		t.Players = append(t.Players, s)
	}
	for i, s := range t.Players {
		for _, other := range t.Players[:i] {
			if s.Name == other.Name {
				doc.Errorf("agents", "two agents are called %s: give one another name", s.Name)
			}
		}
	}
	for i, l := range t.Labels {
		if slices.Contains(t.Labels[:i], l) {
			doc.Errorf("games", "%s stands twice", l)
		}
	}
	if len(p.Agents) < 2 && !doc.Doubtful("agents") {
		doc.Errorf("agents", "a tournament needs two agents at least")
	}
	if len(p.Games) == 0 && !doc.Doubtful("games") {
		doc.Errorf("games", "a tournament needs a game")
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return t, nil
}

// LoadGame compiles the rules that a reference names.
func LoadGame(ref GameRef) (*engines.Game, error) {
	file, data, err := configs.Read(configs.Games, ref.Rules)
	if err != nil {
		return nil, err
	}
	return engines.Load(file, data, engines.Overrides(ref.Set)...)
}

// Label names rules with their overrides: "vanishing", "vanishing[pieces.cap=4]".
func Label(g *engines.Game, set map[string]any) string {
	if len(set) == 0 {
		return g.Name()
	}
	return g.Name() + "[" + strings.Join(engines.Overrides(set), ",") + "]"
}

func loadAgent(ref AgentRef) (agents.Spec, error) {
	s, err := agents.LoadSpec(ref.Agent, engines.Overrides(ref.Set)...)
	if err != nil {
		return s, err
	}
	if ref.Name != "" {
		s.Name = ref.Name
	} else if len(ref.Set) > 0 {
		s.Name += "[" + strings.Join(engines.Overrides(ref.Set), ",") + "]"
	}
	return s, nil
}

// Canonical is the plan as one line of JSON, with the rules and agents as they were loaded: what decides the games.
func (t *Tournament) Canonical() (string, error) {
	type game struct{ Label, Hash string }
	var gs []game
	for i, g := range t.Rules {
		gs = append(gs, game{t.Labels[i], g.RulesHash()})
	}
	text, err := json.Marshal(struct {
		Plan    Plan
		Rules   []game
		Players []agents.Spec
	}{t.Plan, gs, t.Players})
	if err != nil {
		return "", fmt.Errorf("plan %s: %w", t.Name, err)
	}
	return string(text), nil
}
