package agents

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"spar/agents/eval"
	"spar/agents/patterns"
	"spar/configs"
	"spar/configs/strict"
	"spar/engines/rules"

	"go.yaml.in/yaml/v4"
)

// LoadSpec loads an agent by the name of a shipped file ("greedy", "checkerboard/hard") by a path, or as reports name a
// tier ("mcts-80v"). The name may end with overrides in brackets, as in tables: "greedy[ties=first]". The argument
// overrides is as in ParseSpec; an override may start with the agent's name, like "greedy:ties=first".
func LoadSpec(name string, overrides ...string) (Spec, error) {
	short, own := rules.SplitLabel(name)
	overrides = append(rules.Overrides(own), overrides...)
	file, data, err := configs.Read(configs.Agents, short)
	if err != nil {
		if data, _ = tierFile(short); data == nil {
			return Spec{}, err
		}
	}
	if strings.HasSuffix(short, ".yaml") || strings.HasSuffix(short, ".yml") {
		base := short[strings.LastIndexByte(short, '/')+1:]
		return parseSpec(file, data, strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml"), name, overrides)
	}
	s, err := parseSpec(file, data, short, name, overrides)
	s.Chosen = nil // a shipped file is made for many rules
	for _, o := range overrides {
		path, _, _ := strings.Cut(strings.TrimPrefix(o, name+":"), "=")
		s.Chosen = append(s.Chosen, path)
	}
	return s, err
}

// ParseSpec reads an agent's file. Name is the file's name in errors; base is the agent's name if the file does not
// state one. Overrides change knobs by key path, like "budget.depth=3".
func ParseSpec(name string, data []byte, base string, overrides ...string) (Spec, error) {
	return parseSpec(name, data, base, base, overrides)
}

// parseSpec is ParseSpec for an agent that has another name in overrides than in its file.
func parseSpec(name string, data []byte, base, called string, overrides []string) (Spec, error) {
	doc, err := strict.Parse(name, data)
	if err != nil {
		return Spec{}, err
	}
	if err := doc.SetOf(called, overrides); err != nil {
		return Spec{}, err
	}
	s := DefaultSpec()
	s.Chosen = doc.Stated()
	_ = doc.Decode(&s)                                        // its mistakes come back with those of meaning, from Err
	if s.LateFrom == 0 && s.Late != nil && len(s.Late) == 0 { // as builds before printed weights that are not set
		if s.Late = nil; len(s.Movement) == 0 {
			s.Movement = nil
		}
	}
	if s.Name == "" {
		s.Name = base
	}
	doc.Named("name", s.Name)
	if k := s.kind(); k.read != nil {
		k.read(&s, doc)
	}
	if err := s.Budget.Check(s.Threads()); err != nil {
		doc.Errorf("budget.clock", "budget.%v", err)
	}
	if err := s.Evaluation.load(doc); err != nil {
		doc.Errorf("evaluation.file", "evaluation.file: %v", err)
	}
	for path, w := range map[string]eval.Weights{
		"weights": s.Weights, "late_weights": s.Late,
		"movement_weights": s.Movement,
	} {
		for feature := range w {
			if eval.Describe(feature) == "" {
				doc.Unknown(path, "feature", feature, eval.Names())
			}
		}
	}
	for _, path := range restricted() {
		types := typesWhere(func(k kind) bool { return slices.Contains(k.knobs, path) })
		if doc.Has(path) && !doc.Doubtful("type") && !slices.Contains(types, s.Type) {
			doc.Errorf(path, "%s has no meaning for type %s (only for %s)", path, s.Type, strings.Join(types, ", "))
		}
	}
	for _, other := range strings.Fields("weights late_weights movement_weights scale mixture.ignores_opponent") {
		if s.Evaluation.File != "" && doc.Has(other) {
			doc.Errorf(other, "%s: evaluation.file replaces it; omit one of the two", other)
		}
	}
	if s.Evaluation.File != "" && s.Evaluation.Kind == Newest {
		s.Evaluation.Kind = ""
	}
	if s.Evaluation.File != "" && s.Evaluation.Kind != "" {
		doc.Errorf("evaluation.kind",
			"evaluation.kind: the evaluation of evaluation.file is learned, not %s; omit one of the two",
			s.Evaluation.Kind)
	}
	if len(s.DefaultIn) > 0 && s.Evaluation.File == "" && !doc.Doubtful("evaluation") {
		doc.Errorf("default_in", "default_in needs a learned evaluation; set evaluation.file")
	}
	return s, doc.Err()
}

// LoadStored reads the learned evaluation that a study names, and returns the content of its file. It is an error if
// the file has changed since the study named it.
func (o *EvaluationOptions) LoadStored() ([]byte, error) {
	data, err := configs.ReadNet(o.File, patterns.FileLimit)
	if err != nil {
		return nil, err
	}
	if o.Net, err = patterns.NewFile(data); err == nil && o.Net.Hash() != o.Hash {
		err = fmt.Errorf("%s has changed", o.File)
	}
	return data, err
}

// load reads the learned evaluation that an agent file refers to.
func (o *EvaluationOptions) load(doc *strict.Document) error {
	if o.File == "" {
		return nil
	}
	name := o.File
	if configs.IsNetPath(name) {
		var err error
		if name, err = doc.InputFile("evaluation.file", name); err != nil {
			return err
		}
	}
	data, err := configs.ReadNet(name, patterns.FileLimit)
	if err != nil {
		return err
	}
	if o.Net, err = patterns.NewFile(data); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	o.Hash = o.Net.Hash()
	return nil
}

// YAML writes the spec as a file that can be read again. It omits the knobs of other types, which the reader would
// refuse, and weights that are not set, which it would take for weights of 0.
func (s Spec) YAML() ([]byte, error) {
	text, err := yaml.Dump(s)
	if err != nil {
		return nil, err
	}
	var refused strict.Errors
	if _, err := ParseSpec(s.Name, text, s.Name); err != nil && !errors.As(err, &refused) {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil {
		return nil, err
	}
	unset := map[string]bool{"weights": s.Weights == nil, "late_weights": s.Late == nil, "movement_weights": s.Movement == nil}
	dropValues(&doc, func(key string, v *yaml.Node) bool {
		return unset[key] || slices.ContainsFunc(refused, func(e strict.Error) bool {
			return e.Line == v.Line && e.Col == v.Column
		})
	})
	return yaml.Dump(&doc)
}

// dropValues removes the keys that the function drop rejects.
func dropValues(n *yaml.Node, drop func(key string, v *yaml.Node) bool) {
	if n.Kind == yaml.MappingNode {
		var kept []*yaml.Node
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !drop(n.Content[i].Value, n.Content[i+1]) {
				kept = append(kept, n.Content[i], n.Content[i+1])
			}
		}
		n.Content = kept
	}
	for _, c := range n.Content {
		dropValues(c, drop)
	}
}
