package tuning

import (
	"fmt"
	"maps"
	"slices"

	"spar/agents"
	"spar/configs/strict"
	"spar/tuning/optimise"
)

// A knob whose values are words is tuned by one number for each word, its appeal: the agent plays the word with
// the highest appeal. A search perturbs the appeals. It therefore plays every word whose appeal is less than two
// perturbations below the highest, and the appeal of words that win increases.
const (
	// appeal of the start's word; the others start at 0, less than two perturbations below, so that all words are
	// tried
	startAppeal = 0.4
	mostAppeal  = 2.0 // limit of the absolute value of an appeal
)

// Choice is the value of a knob whose values are words, before and after the tuning.
type Choice struct {
	Path   string `json:"path"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// appeals returns the numbers to tune for a knob whose values are words.
func (t *Tuning) appeals(ref ParamRef) ([]Param, error) {
	if ref.Min != nil || ref.Max != nil || ref.Scale != 0 || ref.Log {
		return nil, fmt.Errorf("%s: min, max, scale and log have no effect with values: leave them out", ref.Path)
	}
	k, err := wordAt(&t.Start, ref.Path)
	if err != nil {
		return nil, err
	}
	if ref.Path == "type" || ref.Path == "name" || ref.Path == "description" {
		return nil, fmt.Errorf("%s cannot be tuned%s", ref.Path, strict.Suggest(ref.Path, knobPaths(isWord)))
	}
	start := k.word()
	if len(ref.Values) < 2 || !slices.Contains(ref.Values, start) {
		return nil, fmt.Errorf("%s: list two or more values, including the agent's present value, %s", ref.Path, start)
	}
	var out []Param
	for i, word := range ref.Values {
		if slices.Contains(ref.Values[:i], word) {
			return nil, fmt.Errorf("%s: duplicate value %s", ref.Path, word)
		}
		if (start == "true" || start == "false") && word != "true" && word != "false" {
			return nil, fmt.Errorf("%s: value %s: expected true or false", ref.Path, word)
		}
		set := func(s *agents.Spec) error {
			k, err := wordAt(s, ref.Path)
			if err == nil {
				k.setWord(word)
			}
			return err
		}
		if err := t.allows(ref.Path+"="+word, set); err != nil {
			return nil, fmt.Errorf("%s: value %s: %w", ref.Path, word, err)
		}
		low, high := -mostAppeal, mostAppeal
		p := Param{
			Parameter: optimise.Parameter{Name: ref.Path + "=" + word, Scale: 1, Min: &low, Max: &high},
			Targets:   []Target{{ref.Path, 1}}, Category: ref.Path, Word: word,
		}
		if word == start {
			p.Start = startAppeal
		}
		out = append(out, p)
	}
	return out, nil
}

// allows returns an error if the reader of agent files would refuse the start's file with one change.
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
		return firstLine(err)
	}
	return nil
}

// chosen returns the word of every knob whose values are words: the word with the highest appeal, the first one of
// equals.
func (t *Tuning) chosen(x []float64) map[string]string {
	best, word := map[string]float64{}, map[string]string{}
	for i, p := range t.Params {
		if top, ok := best[p.Category]; p.Category != "" && (!ok || x[i] > top) {
			best[p.Category], word[p.Category] = x[i], p.Word
		}
	}
	return word
}

// choices lists the knobs whose values are words, by path.
func (t *Tuning) choices(x []float64) ([]Choice, error) {
	word := t.chosen(x)
	var out []Choice
	for _, path := range slices.Sorted(maps.Keys(word)) {
		k, err := wordAt(&t.Start, path)
		if err != nil {
			return nil, err
		}
		out = append(out, Choice{path, k.word(), word[path]})
	}
	return out, nil
}
