package tuning

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"spar/agents"
	"spar/configs/strict"
)

// A knob whose values are words is tuned by one number a word, its appeal: the word with the highest is played. A search that moves the
// appeals up and down by a perturbation plays every word that is less than two of them behind the first, and what wins rises.
const (
	startAppeal = 0.4 // of the start's word, the others have 0: one last perturbation ahead, so that all are tried
	mostAppeal  = 2.0 // either way
)

// Choice is what became of a knob whose values are words.
type Choice struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// wordAt finds the word or switch of a spec that a key path names, or an option of a program (ugi.options.NAME) of its file.
func wordAt(s *agents.Spec, path string) (get func() string, put func(string), err error) {
	if name, ok := strings.CutPrefix(path, "ugi.options."); ok {
		o := s.UGI.Options
		if _, known := o[name]; !known {
			return nil, nil, fmt.Errorf("no option %q in the agent's file%s", name, strict.Suggest(name, slices.Sorted(maps.Keys(o))))
		}
		return func() string { return o[name] }, func(word string) { o[name] = word }, nil
	}
	v, ok := strict.At(reflect.ValueOf(s), path)
	if !ok {
		return nil, nil, fmt.Errorf("no knob %q%s", path, strict.Suggest(path, words()))
	}
	switch v.Kind() {
	case reflect.String:
		return v.String, v.SetString, nil
	case reflect.Bool:
		return func() string { return strconv.FormatBool(v.Bool()) }, func(word string) { v.SetBool(word == "true") }, nil
	}
	return nil, nil, fmt.Errorf("%s is neither a word nor a switch: numbers have bounds (min, max) in place of values", path)
}

// words lists the paths of all words and switches of an agent's file that mean something to how it plays.
func words() []string {
	var out []string
	spec := reflect.ValueOf(agents.Spec{})
	for _, path := range strict.Paths(spec.Type()) {
		part, _, _ := strings.Cut(path, ".")
		v, ok := strict.At(spec, path)
		if ok && (part == "mixture" || part == "ties" || slices.Contains(agents.Evaluating(), part)) && (v.Kind() == reflect.String || v.Kind() == reflect.Bool) {
			out = append(out, path)
		}
	}
	return out
}

// appeals makes the numbers of a knob whose values are words.
func (t *Tuning) appeals(ref ParamRef) ([]Param, error) {
	if ref.Min != nil || ref.Max != nil || ref.Scale != 0 || ref.Log {
		return nil, fmt.Errorf("%s: values are words, which have no min, max, scale or log", ref.Path)
	}
	get, _, err := wordAt(&t.Start, ref.Path)
	if err != nil {
		return nil, err
	}
	if ref.Path == "type" || ref.Path == "name" || ref.Path == "description" {
		return nil, fmt.Errorf("%s is no knob of how the agent plays%s", ref.Path, strict.Suggest(ref.Path, words()))
	}
	start := get()
	if len(ref.Values) < 2 || !slices.Contains(ref.Values, start) {
		return nil, fmt.Errorf("%s: expected two values or more, among them the start, %s", ref.Path, start)
	}
	var out []Param
	for i, word := range ref.Values {
		if slices.Contains(ref.Values[:i], word) {
			return nil, fmt.Errorf("%s: value %s stands twice", ref.Path, word)
		}
		if _, on := map[string]bool{"true": true, "false": true}[word]; (start == "true" || start == "false") && !on {
			return nil, fmt.Errorf("%s: value %s: expected true or false", ref.Path, word)
		}
		if err := t.allows(ref.Path, word); err != nil {
			return nil, err
		}
		low, high := -mostAppeal, mostAppeal
		p := Param{Path: ref.Path + "=" + word, Category: ref.Path, Word: word, Targets: []Target{{ref.Path, 1}}, Scale: 1, Min: &low, Max: &high}
		if word == start {
			p.Start = startAppeal
		}
		out = append(out, p)
	}
	return out, nil
}

// allows asks the agent's own rules about a value of a knob.
func (t *Tuning) allows(path, word string) error {
	s := owned(t.Start)
	_, put, err := wordAt(&s, path)
	if err != nil {
		return err
	}
	put(word)
	text, err := AgentYAML(s, "")
	if err != nil {
		return err
	}
	if _, err := agents.ParseSpec(path+"="+word, text, s.Name); err != nil {
		return fmt.Errorf("%s: value %s: %w", path, word, firstLine(err))
	}
	return nil
}

// chosen is the word that every knob has whose values are words, by the appeals among the numbers; the first of equals.
func (t *Tuning) chosen(x []float64) map[string]string {
	best, word := map[string]float64{}, map[string]string{}
	for i, p := range t.Params {
		if top, ok := best[p.Category]; p.Category != "" && (!ok || x[i] > top) {
			best[p.Category], word[p.Category] = x[i], p.Word
		}
	}
	return word
}

// choices is what became of the knobs whose values are words, by their paths.
func (t *Tuning) choices(x []float64) ([]Choice, error) {
	word := t.chosen(x)
	var out []Choice
	for _, path := range slices.Sorted(maps.Keys(word)) {
		get, _, err := wordAt(&t.Start, path)
		if err != nil {
			return nil, err
		}
		out = append(out, Choice{path, get(), word[path]})
	}
	return out, nil
}
