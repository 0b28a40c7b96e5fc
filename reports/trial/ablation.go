package trial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"spar/agents"
	"spar/arena"
	"spar/arena/store"
	"spar/configs/plain"
	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
	"spar/ratings"
	"spar/reports/chart"
	"spar/reports/screen"
	"spar/reports/table"
)

// Knob is a knob of an agent, with values to try in place of the agent's own.
type Knob struct {
	Path   string
	Values []string
}

// ErrKnob is wrapped by the errors about a knob that cannot be ablated.
var ErrKnob = errors.New("knob")

// ParseKnob reads a knob in the form path=value,value.
func ParseKnob(text string) (Knob, error) {
	path, values, ok := strict.SplitValues(text, reflect.TypeFor[agents.Spec]())
	if !ok {
		return Knob{}, fmt.Errorf("%w %q: expected PATH=VALUE,VALUE, like mcts.exploration=0.2,0.8", ErrKnob, text)
	}
	return Knob{path, values}, nil
}

// Setting is a knob with one of its values.
type Setting struct {
	Path  string `json:"path" help:"a knob with another value"`
	Value string `json:"value" help:"the value"`
}

// settings are the changes of an agent.
type settings []Setting

func (s settings) list() (out []string) {
	for _, x := range s {
		out = append(out, x.Path+"="+x.Value)
	}
	return out
}

func (s settings) String() string { return strings.Join(s.list(), " ") }

// Idle is a change of knobs that the ablation does not play. Under these rules it has no effect, or the same effect as
// a part of it.
type Idle struct {
	Rules    string   `json:"rules" help:"name of the rules"`
	Settings settings `json:"settings"`
	Why      string   `json:"why" help:"why it has no effect"`
}

// Ablation measures what the knobs of an agent contribute. A variant of the agent has one changed value, or two of
// different knobs. Each variant plays against the unchanged agent under each of the rules.
type Ablation struct {
	Agent    string
	AgentSet []string `flag:"agent-set"`
	Knobs    []Knob
	Single   bool     `flag:"single" help:"change one knob at a time, not two"`
	Rules    []string // names or paths of rules
	Pairs    int      `flag:"pairs=100" key:"pairs" range:"[1,10000000]" help:"pairs of games for each value under each set of rules"`
	Plies    int      `flag:"opening-plies=2" key:"openings.plies" help:"random plies at the start of each pair"`
	Seed     int64    `flag:"seed=1" key:"seed"`
	PlanSet  []string `flag:"plan-set"`

	Base  agents.Spec
	Parts []AblationPart // one for each of the rules under which a value has an effect
	Idle  []Idle
}

// AblationPart is a gauntlet of the unchanged agent, Tournament.Players[0], against variants.
type AblationPart struct {
	Tournament *arena.Tournament
	Variants   []settings // changes of each of the other players
}

// Plan makes the tournaments. It returns errors that wrap ErrKnob, and errors of loading rules or agents.
func (a *Ablation) Plan() (err error) {
	if a.Base, err = agents.LoadSpec(a.Agent, a.AgentSet...); err != nil {
		return err
	}
	all, err := a.variants()
	if err != nil {
		return err
	}
	for _, label := range a.Rules {
		name, set := rules.SplitLabel(label)
		g, err := engines.Named(name, rules.Overrides(set)...)
		if err != nil {
			return err
		}
		var part AblationPart
		refs := []string{arena.RefText("agent", a.Agent, a.AgentSet)}
		for _, v := range all {
			own := slices.Concat(a.AgentSet, v.list())
			spec, err := agents.LoadSpec(a.Agent, own...)
			if err != nil {
				return err
			}
			if why := a.idle(v, spec, g); why != "" {
				a.Idle = append(a.Idle, Idle{arena.Label(g, set), v, why})
				continue
			}
			part.Variants = append(part.Variants, v)
			refs = append(refs, arena.RefText("agent", a.Agent, own))
		}
		if len(part.Variants) == 0 {
			continue
		}
		text := fmt.Sprintf(
			"name: %q\nformat: gauntlet\nagents: [%s]\ngames: [%q]\npairs: %d\nseed: %d\nopenings: {plies: %d}\n",
			"ablate "+a.Base.Name+"/"+arena.Label(g, set), strings.Join(refs, ", "), label, a.Pairs, a.Seed, a.Plies)
		if part.Tournament, err = arena.LoadPlan("ablate", []byte(text), a.PlanSet...); err != nil {
			return err
		}
		part.Tournament.Purpose = "ablation"
		a.Parts = append(a.Parts, part)
	}
	return nil
}

// variants returns all values one at a time, then in pairs of knobs.
func (a *Ablation) variants() (out []settings, err error) {
	for i, k := range a.Knobs {
		if slices.ContainsFunc(a.Knobs[:i], func(o Knob) bool { return o.Path == k.Path }) {
			return nil, fmt.Errorf("%w %s is a duplicate: list its values once, separated by commas", ErrKnob, k.Path)
		}
		for _, x := range k.Values {
			v := settings{{k.Path, x}}
			spec, err := agents.LoadSpec(a.Agent, slices.Concat(a.AgentSet, v.list())...)
			if err == nil && spec.Canonical() == a.Base.Canonical() {
				err = fmt.Errorf("%w %s: %s already has this value", ErrKnob, v, a.Base.Name)
			}
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
	}
	single := out
	for i, v := range single {
		for _, w := range single[i+1:] {
			if !a.Single && v[0].Path != w[0].Path {
				out = append(out, settings{v[0], w[0]})
			}
		}
	}
	return out, nil
}

// idle returns the reason why a variant would play like the agent, or like one with a change less; empty if it would
// not.
func (a *Ablation) idle(v settings, spec agents.Spec, g *engines.Game) string {
	for _, s := range v {
		why := spec.IdleAt(s.Path, g)
		if why != "" && (len(v) > 1 || a.Base.IdleAt(s.Path, g) != "") {
			return s.Path + " has no effect here: " + why
		}
	}
	return ""
}

// AblationResult is the result of an ablation. Its JSON form is public.
type AblationResult struct {
	DB      string    `json:"db" help:"the study's file"`
	Agent   string    `json:"agent" help:"the unchanged agent"`
	Tests   int       `json:"tests" help:"number of comparisons, for which the intervals are corrected"`
	Level   float64   `json:"level" help:"joint confidence level of all intervals"`
	Effects []*Effect `json:"effects"`
	Idle    []Idle    `json:"idle"`
}

// Effect is the effect of changing one or two knobs of the agent.
type Effect struct {
	Rules    string           `json:"rules" help:"name of the rules; all for several rules pooled"`
	Settings settings         `json:"settings"`
	Elo      ratings.Estimate `json:"elo" estimate:"flat" help:"Elo above the unchanged agent; null if one side won every game"`
	Score    float64          `json:"score" help:"mean score, 0 to 1"`
	Pairs    int              `json:"pairs" help:"pairs that count"`
	Distinct int              `json:"distinct_pairs" help:"distinct pairs"`
	Verdict  string           `json:"verdict" help:"stronger, weaker or undecided"`
	// Elo of both changes together minus the sum of the single ones; its error assumes that the matches are independent
	More *Interaction `json:"interaction,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (e *Effect) MarshalJSON() ([]byte, error) { return ratings.Flat(*e) }

// Interaction is the effect of two changes together minus the sum of their single effects.
type Interaction struct {
	Elo ratings.Estimate `json:"elo" estimate:"flat" help:"Elo of both changes together minus the sum of each alone"`
}

// MarshalJSON implements json.Marshaler.
func (i Interaction) MarshalJSON() ([]byte, error) { return ratings.Flat(i) }

// jointLevel is the joint confidence level of all intervals of an ablation.
const jointLevel = 0.95

// Measure computes the result from the games in the study. The intervals hold jointly, by Bonferroni's correction.
func (a *Ablation) Measure(ctx context.Context, db *store.DB) (*AblationResult, error) {
	r := &AblationResult{
		DB: db.Path(), Agent: a.Base.Name, Level: jointLevel, Effects: []*Effect{},
		Idle: append([]Idle{}, a.Idle...),
	}
	pooled := map[string][]*Pairs{}
	var found []*Pairs
	var order []settings
	add := func(rules string, s settings, p *Pairs) {
		r.Effects = append(r.Effects, &Effect{Rules: rules, Settings: s})
		found = append(found, p)
	}
	for _, part := range a.Parts {
		t := part.Tournament
		for i, v := range part.Variants {
			pairs, err := Contest(ctx, db, t.Name, t.Players[i+1].Name, t.Players[0].Name)
			if errors.Is(err, ErrNoPairs) {
				continue // not played yet, or every pair repeats another
			}
			if err != nil {
				return nil, err
			}
			add(pairs[0].Rules, v, pairs[0])
			key := v.String()
			if pooled[key] == nil {
				order = append(order, v)
			}
			pooled[key] = append(pooled[key], pairs[0])
		}
	}
	for _, v := range order {
		if under := pooled[v.String()]; len(under) > 1 {
			add("all", v, Pool(under))
		}
	}
	r.Tests = len(found)
	for i, e := range r.Effects {
		if err := e.measure(found[i], 1-(1-jointLevel)/float64(r.Tests)); err != nil {
			return nil, err
		}
	}
	r.interact()
	return r, nil
}

func (e *Effect) measure(p *Pairs, level float64) error {
	m, err := ratings.AnalyzeMatch(p.Pentanomial, level)
	if err != nil {
		return err
	}
	e.Elo = m.Elo
	e.Score = m.Score.Value
	e.Pairs = p.Games / 2
	e.Distinct = p.Distinct
	e.Verdict = "undecided"
	if lo, hi := m.Elo.Ends(); lo > 0 {
		e.Verdict = "stronger"
	} else if hi < 0 {
		e.Verdict = "weaker"
	}
	return nil
}

// interact computes the interaction of two knobs from the results of both changes together and of each alone. Its
// interval comes from theirs, which are Student's: few pairs make it wider than normal quantiles would.
func (r *AblationResult) interact() {
	type place struct{ rules, words string }
	at := map[place]*Effect{}
	for _, e := range r.Effects {
		at[place{e.Rules, e.Settings.String()}] = e
	}
	for _, e := range r.Effects {
		more, known := e.Elo, len(e.Settings) == 2 && !e.Elo.Prior
		for _, s := range e.Settings {
			single := at[place{e.Rules, settings{s}.String()}]
			if known = known && single != nil && !single.Elo.Prior; known {
				se := math.Hypot(more.SE, single.Elo.SE)
				more = ratings.Change(single.Elo, more)
				more.SE = se
			}
		}
		if known {
			e.More = &Interaction{more}
		}
	}
}

// Table returns the effects as a table.
func (r *AblationResult) Table() table.Table {
	t := table.Rows(r.Effects, func(e *Effect) []any {
		more := table.None("computed only for two knobs together, and only if neither agent won every game")
		if e.More != nil {
			more = table.Of(e.More.Elo)
		}
		return []any{
			"rules", e.Rules, "knobs", e.Settings, "Elo",
			table.Help("Elo against the unchanged agent, with joint 95 % intervals", e.Elo),
			"verdict", e.Verdict, "pairs", e.Pairs, "distinct", e.Distinct,
			"more than the sum", table.Help("Elo of both changes together minus the sum of the single changes", more),
		}
	})
	t.ID = "ablation"
	return t
}

// Chart draws the effects with their intervals.
func (r *AblationResult) Chart() *chart.Forest {
	f := &chart.Forest{
		X:    chart.Axis{Label: "Elo against the unchanged agent", Unit: chart.Number},
		Refs: []chart.Ref{{Value: 0, Label: "even"}},
	}
	for _, e := range r.Effects {
		row := chart.RowOf(e.Rules+" "+e.Settings.String(), e.Elo)
		row.Hollow = e.Verdict == "undecided"
		f.Rows = append(f.Rows, row)
	}
	return f
}

// Lead says in a sentence what the effects are.
func (r *AblationResult) Lead() string {
	return fmt.Sprintf("%s with one or two changed knobs against the unchanged agent; %.0f %% %s", r.Agent,
		100*r.Level, plain.If(r.Tests == 1, "interval", fmt.Sprintf("intervals that hold for all %d together", r.Tests)))
}

// Text writes the result for people.
func (r *AblationResult) Text(out io.Writer) error {
	fmt.Fprintf(out, "%s\n\n", r.Lead())
	if err := r.Table().Text(out, 0); err != nil {
		return err
	}
	for _, i := range r.Idle {
		if err := screen.Paragraph(out, fmt.Sprintf("not played under %s: %s (%s)", i.Rules, i.Settings, i.Why)); err != nil {
			return err
		}
	}
	return nil
}
