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

// knob finds the number of a spec that a key path names, like "mcts.exploration". Weights are not knobs: they live in maps.
func knob(s *agents.Spec, path string) (reflect.Value, error) {
	v, ok := strict.At(reflect.ValueOf(s), path)
	if !ok {
		return v, fmt.Errorf("no knob %q%s", path, strict.Suggest(path, knobs()))
	}
	if !isNumber(v.Type()) {
		return v, fmt.Errorf("%s is no number; tunable are numbers and weights%s", path, strict.Suggest(path, knobs()))
	}
	return v, nil
}

func isNumber(t reflect.Type) bool {
	return slices.Contains([]reflect.Kind{reflect.Int, reflect.Int64, reflect.Float64}, t.Kind())
}

// knobs lists the paths of all numbers of an agent's file.
func knobs() []string {
	spec := reflect.ValueOf(agents.Spec{})
	return slices.DeleteFunc(strict.Paths(spec.Type()), func(path string) bool {
		v, ok := strict.At(spec, path)
		return !ok || !isNumber(v.Type())
	})
}

// Sets of weights of an evaluation, in the order of eval's phases.
func weightSets() []string { return []string{"weights", "late_weights", "movement_weights"} }

// weightsOf is the map of a set of weights.
func weightsOf(s *agents.Spec, set int) *eval.Weights {
	return []*eval.Weights{&s.Weights, &s.Late, &s.Movement}[set]
}

// setOf splits a path like "weights.own_need_1".
func setOf(path string) (set int, feature string, ok bool) {
	name, feature, found := strings.Cut(path, ".")
	set = slices.Index(weightSets(), name)
	return set, feature, found && set >= 0
}

// tunable is a number of a spec that can be read and written.
type tunable struct {
	get     func() float64
	put     func(x float64)
	integer bool
}

// numberAt finds what a key path names: a weight, a knob, an option of a program (ugi.options.NAME) or a knob of an agent of one's own
// (own.knobs.NAME). The latter two must be in the agent's file, which says whether they are whole numbers.
func numberAt(s *agents.Spec, path string) (tunable, error) {
	if set, feature, ok := setOf(path); ok {
		w := *weightsOf(s, set)
		return tunable{get: func() float64 { return w[feature] }, put: func(x float64) { w[feature] = x }}, nil
	}
	if name, ok := strings.CutPrefix(path, "ugi.options."); ok {
		o := s.UGI.Options
		text, known := o[name]
		if !known {
			return tunable{}, fmt.Errorf("no option %q in the agent's file%s", name, strict.Suggest(name, slices.Sorted(maps.Keys(o))))
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return tunable{}, fmt.Errorf("%s is %q: only options that are numbers can be tuned", path, text)
		}
		_, notWhole := strconv.ParseInt(text, 10, 64)
		return tunable{
			get:     func() float64 { return x },
			put:     func(x float64) { o[name] = strconv.FormatFloat(whole(x, notWhole == nil), 'f', -1, 64) },
			integer: notWhole == nil,
		}, nil
	}
	if name, ok := strings.CutPrefix(path, "own.knobs."); ok {
		k := s.Own.Knobs
		if _, known := k[name]; !known {
			return tunable{}, fmt.Errorf("no knob %q in the agent's file%s", name, strict.Suggest(name, slices.Sorted(maps.Keys(k))))
		}
		return tunable{get: func() float64 { return k[name] }, put: func(x float64) { k[name] = x }}, nil
	}
	v, err := knob(s, path)
	if err != nil {
		return tunable{}, err
	}
	if v.CanInt() {
		return tunable{get: func() float64 { return float64(v.Int()) }, put: func(x float64) { v.SetInt(int64(math.Round(x))) }, integer: true}, nil
	}
	return tunable{get: v.Float, put: v.SetFloat}, nil
}

// whole rounds where a whole number is expected.
func whole(x float64, integer bool) float64 {
	if integer {
		return math.Round(x)
	}
	return x
}

// get reads a number of a spec.
func get(s *agents.Spec, path string) (float64, error) {
	n, err := numberAt(s, path)
	if err != nil {
		return 0, err
	}
	return n.get(), nil
}

// put writes a number into a spec whose maps are its own.
func put(s *agents.Spec, path string, x float64) error {
	n, err := numberAt(s, path)
	if err != nil {
		return err
	}
	n.put(x)
	return nil
}

// owned returns a copy of a spec with its weights stated and the maps its own.
func owned(s agents.Spec) agents.Spec {
	s.UGI.Options, s.Own.Knobs = maps.Clone(s.UGI.Options), maps.Clone(s.Own.Knobs)
	for set := range weightSets() {
		w := weightsOf(&s, set)
		if *w == nil {
			continue
		}
		own := eval.Weights{}
		for name, x := range *w {
			own[name] = x
		}
		*w = own
	}
	return s
}
