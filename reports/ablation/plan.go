// Package ablation measures how much each knob of an agent contributes to its strength. A [Plan] lists variants of
// the agent: each differs in one knob, or in two. Every variant plays the unchanged agent, from the same openings,
// under several rules. The [Result] has the [Effect] of each knob in Elo and the [Interaction] of each pair of
// knobs.
package ablation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
)

// Knob is a knob, with the values to try in place of the agent's own.
type Knob struct {
	Path   string
	Values []string
}

// ParseKnob reads a knob in the form path=value,value.
func ParseKnob(text string) (Knob, error) {
	path, values, ok := strict.SplitValues(text)
	k := Knob{path, values}
	if !ok {
		return k, fmt.Errorf("%w %q: expected PATH=VALUE,VALUE, like mcts.exploration=0.2,0.8", ErrKnob, text)
	}
	return k, nil
}

// ErrKnob is wrapped by the errors about a knob that cannot be ablated; the wrapping error gives the reason.
var ErrKnob = errors.New("knob")

// Setting is a knob with one of its values.
type Setting struct {
	Path  string `json:"path" help:"a knob with another value"`
	Value string `json:"value" help:"the value"`
}

func (s Setting) String() string { return s.Path + "=" + s.Value }

// Variant is the agent with one or two knobs changed.
type Variant struct {
	Settings []Setting `json:"settings"`
	Name     string    `json:"name"` // name in the study
	spec     agents.Spec
}

// Words returns the variant's changes as text, without the agent's name.
func (v *Variant) Words() string {
	var out []string
	for _, s := range v.Settings {
		out = append(out, s.String())
	}
	return strings.Join(out, " ")
}

// Idle is a variant that need not be played: under these rules it plays like the agent, or like one of its two
// single changes.
type Idle struct {
	Rules    string    `json:"rules" help:"name of the rules"`
	Settings []Setting `json:"settings"`
	Why      string    `json:"why" help:"why it has no effect"`
}

// Ask is what the user asks for: the options of an ablation.
type Ask struct {
	Agent    string
	AgentSet []string // overrides for the agent and all its variants
	Knobs    []Knob
	Single   bool     // skip pairs of knobs
	Rules    []string // names or paths of rules
	Pairs    int      // pairs of games that each variant plays under each of the rules
	Plies    int      // number of random plies in an opening
	Seed     int64
	PlanSet  []string // overrides for keys of the tournament
}

// Plan lists the games of an ablation: one event for each of the rules.
type Plan struct {
	Ask
	Base  agents.Spec
	Parts []Part
	Idle  []Idle
}

// Part is the part of an ablation that is played under one set of rules.
type Part struct {
	Rules      string
	Tournament *arena.Tournament // nil if no variant has an effect
	Variants   []*Variant
}

// NewPlan makes a plan and loads its agents and rules. Its errors wrap ErrKnob, or are those of loading.
func NewPlan(ask Ask) (*Plan, error) {
	p := &Plan{Ask: ask}
	var err error
	if p.Base, err = agents.LoadSpec(ask.Agent, ask.AgentSet...); err != nil {
		return nil, err
	}
	all, err := p.variants()
	if err != nil {
		return nil, err
	}
	for _, label := range ask.Rules {
		name, set := rules.SplitLabel(label)
		g, err := engines.Named(name, rules.Overrides(set)...)
		if err != nil {
			return nil, err
		}
		part := Part{Rules: arena.Label(g, set)}
		for _, v := range all {
			if why := p.idle(v, g); why != "" {
				p.Idle = append(p.Idle, Idle{part.Rules, v.Settings, why})
				continue
			}
			copied := *v
			part.Variants = append(part.Variants, &copied)
		}
		if len(part.Variants) > 0 {
			if err := p.load(&part, label); err != nil {
				return nil, err
			}
		}
		p.Parts = append(p.Parts, part)
	}
	return p, nil
}

// variants returns all values one at a time, then in pairs of knobs.
func (p *Plan) variants() ([]*Variant, error) {
	var out []*Variant
	add := func(settings ...Setting) error {
		set := slices.Clone(p.AgentSet)
		for _, s := range settings {
			set = append(set, s.String())
		}
		spec, err := agents.LoadSpec(p.Agent, set...)
		if err == nil && len(settings) == 1 && spec.Canonical() == p.Base.Canonical() {
			err = fmt.Errorf("%w %s: %s already has this value", ErrKnob, settings[0], p.Base.Name)
		}
		out = append(out, &Variant{Settings: settings, spec: spec})
		return err
	}
	for i, k := range p.Knobs {
		if slices.ContainsFunc(p.Knobs[:i], func(o Knob) bool { return o.Path == k.Path }) {
			return nil, fmt.Errorf("%w %s is a duplicate: list its values once, separated by commas", ErrKnob, k.Path)
		}
		for _, x := range k.Values {
			if err := add(Setting{k.Path, x}); err != nil {
				return nil, err
			}
		}
	}
	for i, a := range p.Knobs {
		for _, b := range p.Knobs[i+1:] {
			if p.Single {
				break
			}
			for _, x := range a.Values {
				for _, y := range b.Values {
					if err := add(Setting{a.Path, x}, Setting{b.Path, y}); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return out, nil
}

// idle returns the reason why a variant would play like the agent, or like a variant with one change less; empty
// if it would not.
func (p *Plan) idle(v *Variant, g *engines.Game) string {
	for _, s := range v.Settings {
		why := v.spec.IdleAt(s.Path, g)
		if why != "" && (len(v.Settings) > 1 || p.Base.IdleAt(s.Path, g) != "") {
			return s.Path + " has no effect here: " + why
		}
	}
	return ""
}

// load makes the tournament of a part, in which every variant plays the unchanged agent.
func (p *Plan) load(part *Part, rules string) error {
	refs := []string{arena.RefText("agent", p.Agent, p.AgentSet)}
	for _, v := range part.Variants {
		set := slices.Clone(p.AgentSet)
		for _, s := range v.Settings {
			set = append(set, s.String())
		}
		refs = append(refs, arena.RefText("agent", p.Agent, set))
	}
	text := fmt.Sprintf("name: %q\nformat: gauntlet\nagents: [%s]\ngames: [%q]\npairs: %d\nseed: %d\nopenings: "+
		"{plies: %d}\n",
		"ablate "+p.Base.Name+"/"+part.Rules, strings.Join(refs, ", "), rules, p.Pairs, p.Seed, p.Plies)
	t, err := arena.LoadPlan("ablate", []byte(text), p.PlanSet...)
	if err != nil {
		return err
	}
	for i, v := range part.Variants {
		v.Name = t.Players[i+1].Name
	}
	part.Tournament, p.Base.Name = t, t.Players[0].Name
	return nil
}

// Games returns the number of games of the plan.
func (p *Plan) Games() (n int64) {
	for _, part := range p.Parts {
		if part.Tournament != nil {
			games, _ := arena.NewSchedule(part.Tournament).Total()
			n += games
		}
	}
	return n
}
