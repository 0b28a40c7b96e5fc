package tuning

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"spar/agents"
	"spar/agents/eval"
	"spar/configs/strict"
)

// weightSets names the sets of weights of an evaluation, in the order of eval's phases.
func weightSets() []string { return []string{"weights", "late_weights", "movement_weights"} }

// weightsOf returns the map of a set of weights.
func weightsOf(s *agents.Spec, set int) *eval.Weights {
	return []*eval.Weights{&s.Weights, &s.Late, &s.Movement}[set]
}

// setOf splits a path like "weights.own_need_1".
func setOf(path string) (set int, feature string, ok bool) {
	name, feature, found := strings.Cut(path, ".")
	set = slices.Index(weightSets(), name)
	return set, feature, found && set >= 0
}

// knob is a number in an agent's file, named by a key path.
type knob struct {
	number    func() float64
	setNumber func(x float64)
	integer   bool // setNumber rounds to a whole number
}

// numberAt finds the number that a key path names: a weight, a key of the file, an option of a program
// (ugi.options.NAME), or a knob of an agent of the user's own (own.knobs.NAME). The file must have the option or own
// knob. The maps of s must not be shared with another spec.
func numberAt(s *agents.Spec, path string) (knob, error) {
	if set, feature, ok := setOf(path); ok {
		return inMap(*weightsOf(s, set), feature), nil
	}
	if name, ok := strings.CutPrefix(path, "ugi.options."); ok {
		if err := knownName("option", name, s.UGI.Options); err != nil {
			return knob{}, err
		}
		return option(s.UGI.Options, name)
	}
	if name, ok := strings.CutPrefix(path, "own.knobs."); ok {
		return inMap(s.Own.Knobs, name), knownName("knob", name, s.Own.Knobs)
	}
	v, ok := strict.At(reflect.ValueOf(s), path)
	if !ok {
		return knob{}, fmt.Errorf("no knob %q%s", path, strict.Suggest(path, knobPaths()))
	}
	switch {
	case v.CanInt():
		set := func(x float64) { v.SetInt(int64(math.Round(x))) }
		return knob{number: func() float64 { return float64(v.Int()) }, setNumber: set, integer: true}, nil
	case v.CanFloat():
		return knob{number: v.Float, setNumber: v.SetFloat}, nil
	}
	return knob{}, notNumber(path)
}

func notNumber(path string) error {
	return fmt.Errorf("%s is not a number; only numbers and weights can be tuned%s", path, strict.Suggest(path, knobPaths()))
}

func inMap(m map[string]float64, key string) knob {
	return knob{number: func() float64 { return m[key] }, setNumber: func(x float64) { m[key] = x }}
}

func knownName[T any](what, name string, known map[string]T) error {
	if _, ok := known[name]; ok {
		return nil
	}
	return fmt.Errorf("the agent's file has no %s %q%s", what, name, strict.Suggest(name, slices.Sorted(maps.Keys(known))))
}

// option returns the knob for an option of an external program. Its value is text, which must be a number.
func option(all map[string]string, name string) (knob, error) {
	x, err := strconv.ParseFloat(all[name], 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return knob{}, notNumber("ugi.options." + name)
	}
	_, fraction := strconv.ParseInt(all[name], 10, 64)
	return knob{integer: fraction == nil, number: func() float64 { return x }, setNumber: func(x float64) {
		if fraction == nil {
			x = math.Round(x)
		}
		all[name] = strconv.FormatFloat(x, 'f', -1, 64)
	}}, nil
}

// put writes a number to a spec, whose maps must not be shared.
func put(s *agents.Spec, path string, x float64) error {
	k, err := numberAt(s, path)
	if err == nil {
		k.setNumber(x)
	}
	return err
}

// knobPaths lists the key paths of the numbers in an agent's file.
func knobPaths() []string {
	spec := reflect.ValueOf(agents.Spec{})
	return slices.DeleteFunc(strict.Paths(spec.Type()), func(path string) bool {
		v, ok := strict.At(spec, path)
		return !ok || !v.CanInt() && !v.CanFloat()
	})
}

// owned returns a copy of a spec that shares no map with it.
func owned(s agents.Spec) agents.Spec {
	s.UGI.Options, s.Own.Knobs = maps.Clone(s.UGI.Options), maps.Clone(s.Own.Knobs)
	for set := range weightSets() {
		w := weightsOf(&s, set)
		*w = maps.Clone(*w)
	}
	return s
}
