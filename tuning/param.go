package tuning

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"spar/agents"
	"spar/agents/eval"
	"spar/configs/strict"
	"spar/tuning/optimise"
)

// Param is a parameter to tune, and its places in the agent's file.
type Param struct {
	optimise.Parameter          // its name is the path
	Targets            []Target `json:"targets"`
}

// Target is a place in an agent's file. It gets the value of the parameter times Factor.
type Target struct {
	Path   string  `json:"path"`
	Factor float64 `json:"factor"`
}

// value reads the parameter from a spec.
func (p *Param) value(s *agents.Spec) (float64, error) {
	k, err := numberAt(s, p.Targets[0].Path)
	if err != nil {
		return 0, err
	}
	return k.number() / p.Targets[0].Factor, nil
}

// isWeight reports whether the parameter is a weight of the evaluation.
func (p *Param) isWeight() bool {
	_, _, ok := setOf(p.Targets[0].Path)
	return ok
}

// apply returns the starting agent with new parameters.
func (t *Tuning) apply(name string, x []float64) (agents.Spec, error) {
	s := owned(t.Start)
	s.Name = name
	for i := range t.Params {
		for _, target := range t.Params[i].Targets {
			if err := put(&s, target.Path, x[i]*target.Factor); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// resolve converts the references of the plan to parameters. Sample games show which weights have an effect.
func (t *Tuning) resolve(doc *strict.Document, samples int) {
	at := func(i int) string { return fmt.Sprintf("parameters[%d]", i) }
	for i, ref := range t.Parameters { // a set that the agent does not have starts as the set that it replaces
		name, _, _ := strings.Cut(ref.Path, ".")
		set := slices.Index(weightSets(), name)
		if set < 1 || *weightsOf(&t.Start, set) != nil {
			continue
		}
		if set == 1 && t.Start.LateFrom == 0 {
			doc.Errorf(at(i), "%s: the agent has no late_weights; state the ply from which they apply, like agent: {agent: "+
				"%s, set: {late_from: 20}}",
				ref.Path, t.Start.Name)
			continue
		}
		from := t.Start.Weights
		if set == 2 && t.Start.Late != nil {
			from = t.Start.Late
		}
		*weightsOf(&t.Start, set) = maps.Clone(from)
	}
	if doc.Err() != nil {
		return
	}
	t.Probe = t.probe(samples)
	taken := map[string]bool{}
	for i, ref := range t.Parameters {
		params, err := t.expand(ref)
		if err != nil {
			doc.Errorf(at(i), "%v", err)
			continue
		}
		for _, p := range params {
			if taken[p.Name] {
				if strings.HasSuffix(ref.Path, "*") {
					continue
				}
				doc.Errorf(at(i), "duplicate parameter: %s", p.Name)
			}
			taken[p.Name] = true
			if err := p.Check(); err != nil {
				doc.Errorf(at(i), "%v", err)
				continue
			}
			t.Params = append(t.Params, p)
		}
	}
	if len(t.Parameters) == 0 {
		doc.Errorf("parameters", "nothing to tune: list key paths, like weights.*")
	}
	t.Direction = t.onlyDirection()
}

// expand returns the parameters that one reference names.
func (t *Tuning) expand(ref ParamRef) ([]Param, error) {
	name, feature, _ := strings.Cut(ref.Path, ".")
	set := slices.Index(weightSets(), name)
	if set >= 0 && ref.Log {
		return nil, fmt.Errorf("%s: log: true does not work for weights, which may change sign", ref.Path)
	}
	if set < 0 {
		p, err := t.knobParam(ref)
		return []Param{p}, err
	}
	if !t.Start.Evaluates() {
		return nil, fmt.Errorf("%s: agents of type %s have no weights (only %s do)", ref.Path, t.Start.Type,
			strings.Join(agents.Evaluating(), ", "))
	}
	if t.Probe.Sets[set].Positions == 0 {
		return nil, fmt.Errorf("%s has no effect under the rules %s: no position in %d sample games is evaluated with %s",
			ref.Path, t.Label, t.Probe.Games, name)
	}
	var out []Param
	for _, pair := range features(t.Mirror) {
		ok, all := matches(feature, pair), strings.HasSuffix(feature, "*")
		if !ok || all && !t.effective(set, pair) {
			continue
		}
		if !t.effective(set, pair) {
			return nil, fmt.Errorf("%s has no effect under the rules %s: in %d positions of %d sample games the feature (%s) "+
				"is the same after every move",
				ref.Path, t.Label, t.Probe.Positions, t.Probe.Games, eval.Describe(pair[0]))
		}
		out = append(out, t.weightParam(set, pair, ref))
	}
	if len(out) > 0 {
		return out, nil
	}
	var names []string
	for _, pair := range features(t.Mirror) {
		names = append(names, nameOf(pair))
	}
	if eval.Describe("own_"+feature) != "" || eval.Describe(feature) != "" {
		return nil, fmt.Errorf("%s: with mirror: true, leave out the prefix own_ or enemy_; with mirror: false, the "+
			"feature needs it%s",
			ref.Path, strict.Suggest(feature, names))
	}
	return nil, fmt.Errorf("%s: unknown feature %q%s", ref.Path, feature, strict.Suggest(feature, names))
}

// features lists the features; with mirror it lists the pairs of own_ and enemy_ features instead.
func features(mirror bool) [][]string {
	var out [][]string
	for _, name := range eval.Names() {
		base, own := strings.CutPrefix(name, "own_")
		switch {
		case !mirror || name == "tempo":
			out = append(out, []string{name})
		case own:
			out = append(out, []string{name, "enemy_" + base})
		}
	}
	return out
}

func nameOf(pair []string) string {
	if len(pair) == 2 {
		return strings.TrimPrefix(pair[0], "own_")
	}
	return pair[0]
}

// matches reports whether a pattern, which may end in *, names a feature or pair.
func matches(pattern string, pair []string) bool {
	if prefix, all := strings.CutSuffix(pattern, "*"); all {
		return strings.HasPrefix(nameOf(pair), prefix)
	}
	return pattern == nameOf(pair)
}

// effective reports whether a feature, or one of a pair, ever differed between the legal moves of a sample
// position.
func (t *Tuning) effective(set int, pair []string) bool {
	return slices.ContainsFunc(pair, func(name string) bool { return t.spread(set, name) > 0 })
}

// spread returns how much a feature differed between legal moves.
func (t *Tuning) spread(set int, feature string) float64 {
	f, _ := eval.FeatureOf(feature)
	return t.Probe.Sets[set].Spread[f]
}

// weightParam returns the parameter for a feature or pair.
func (t *Tuning) weightParam(set int, pair []string, ref ParamRef) Param {
	prefix, weights := weightSets()[set]+".", *weightsOf(&t.Start, set)
	p := Param{Parameter: optimise.Parameter{
		Name: prefix + nameOf(pair), Min: ref.Min, Max: ref.Max,
		Scale: ref.Scale,
	}}
	factors := []float64{1, -1}
	if len(pair) == 2 && weights[pair[0]] != 0 && weights[pair[1]] != 0 {
		factors[1] = weights[pair[1]] / weights[pair[0]]
	}
	spread := 0.0
	for i, name := range pair {
		p.Targets = append(p.Targets, Target{prefix + name, factors[i]})
		spread = math.Hypot(spread, factors[i]*t.spread(set, name))
	}
	p.Start = weights[pair[0]]
	if len(pair) == 2 && p.Start == 0 && weights[pair[1]] != 0 { // the only weight of the pair leads
		p.Targets[0], p.Targets[1] = Target{prefix + pair[1], 1}, Target{prefix + pair[0], -1}
		p.Start = weights[pair[1]]
	}
	p.Scale = cmp.Or(p.Scale, 1/spread)
	return p
}

// knobParam returns the parameter for tuning a knob.
func (t *Tuning) knobParam(ref ParamRef) (Param, error) {
	p := Param{Parameter: optimise.Parameter{
		Name: ref.Path, Min: ref.Min, Max: ref.Max, Scale: ref.Scale,
		Log: ref.Log,
	}, Targets: []Target{{ref.Path, 1}}}
	k, err := numberAt(&t.Start, ref.Path)
	if err != nil {
		return p, err
	}
	if ref.Path == "scale" && t.Start.ComparesValues() {
		return p, fmt.Errorf("a scale has no effect on the moves of agents of type %s", t.Start.Type)
	}
	p.Integer, p.Start = k.integer, k.number()
	if ref.Min == nil || ref.Max == nil {
		return p, fmt.Errorf("%s needs bounds, like {path: %[1]s, min: %g, max: %g}", ref.Path, math.Floor(p.Start/2),
			math.Ceil(2*p.Start+1))
	}
	for _, x := range []float64{*ref.Min, *ref.Max} {
		set := func(s *agents.Spec) error { return put(s, ref.Path, x) }
		if err := t.allows(fmt.Sprintf("%s=%g", ref.Path, x), set); err != nil {
			return p, fmt.Errorf("%s: bound %g: %w", ref.Path, x, err)
		}
	}
	return p, nil
}

// allows returns an error if the reader of agent files would refuse the starting agent's file with one change.
func (t *Tuning) allows(name string, change func(*agents.Spec) error) error {
	s := owned(t.Start)
	if err := change(&s); err != nil {
		return err
	}
	text, err := AgentYAML(s, "")
	if err != nil {
		return err
	}
	if _, err := agents.ParseSpec(name, text, s.Name); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n") // the other lines quote the text, which no user wrote
		return errors.New(first)
	}
	return nil
}

// onlyDirection reports whether the common length of the weights has no effect. This is so if the agent takes the
// best of its values and all weights that have an effect are tuned without bounds.
func (t *Tuning) onlyDirection() bool {
	if !t.Start.ComparesValues() || len(t.Params) < 2 {
		return false
	}
	for i := range t.Params {
		if p := &t.Params[i]; !p.isWeight() || p.Min != nil || p.Max != nil {
			return false
		}
	}
	return len(t.untuned()) == 0
}

// untuned lists the weights that have an effect and are not tuned.
func (t *Tuning) untuned() []string {
	tuned := map[string]bool{}
	for _, p := range t.Params {
		for _, target := range p.Targets {
			tuned[target.Path] = true
		}
	}
	var out []string
	for set, name := range weightSets() {
		for feature, w := range *weightsOf(&t.Start, set) {
			path := name + "." + feature
			if w != 0 && !tuned[path] && t.effective(set, []string{feature}) {
				out = append(out, path)
			}
		}
	}
	slices.Sort(out)
	return out
}

// checkLearning refuses to learn from games where a parameter is not a weight, or a weight with an effect is not tuned.
func (t *Tuning) checkLearning(doc *strict.Document) {
	for _, p := range t.Params {
		if !p.isWeight() && t.Method != methodPipeline {
			doc.Errorf("parameters", "method %s learns only weights, and %s is not a weight; use method spsa",
				t.Method, p.Name)
		}
	}
	if rest := t.untuned(); len(rest) > 0 {
		doc.Errorf("parameters",
			"to learn from games, list every weight that has an effect; missing: %s (only method spsa can keep weights fixed)",
			strings.Join(rest, ", "))
	}
}
