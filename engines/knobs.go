package engines

import (
	"reflect"
	"slices"
	"strings"

	"spar/configs/strict"
)

// KnobValue is a knob of some rules with its value, written as an override.
type KnobValue struct{ Path, Text string }

// KnobValues lists the knobs of rules in the order of the file.
func KnobValues(r Rules) []KnobValue {
	var out []KnobValue
	eachKnob(r, func(path string, v any) { out = append(out, KnobValue{path, KnobText(v)}) })
	return out
}

// KnobPaths lists the key paths of the knobs of rules, those of the second player's own parts among them.
func KnobPaths() []string {
	return slices.DeleteFunc(strict.Paths(reflect.TypeFor[Rules]()), func(path string) bool {
		return slices.Contains([]string{"name", "title", "family", "about"}, path)
	})
}

// KnobAt is the value of one knob, written as an override. It is not ok where the rules do not have the path: second.win.reach where
// the second player has no goals of his own.
func KnobAt(r Rules, path string) (text string, ok bool) {
	v, ok := strict.At(reflect.ValueOf(r), path)
	if !ok {
		return "", false
	}
	return KnobText(v.Interface()), true
}

// KnobText writes a value of a knob as an override does.
func KnobText(v any) string { return overrideValue(v) }

// eachKnob calls do for every knob of rules with its key path.
func eachKnob(r Rules, do func(path string, value any)) {
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		for i := range v.NumField() {
			key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
			switch {
			case key == "" || key == "-" || path == "" && (key == "name" || key == "title" || key == "family" || key == "about"):
			case v.Field(i).Kind() == reflect.Struct:
				walk(v.Field(i), path+key+".")
			default:
				do(path+key, v.Field(i).Interface())
			}
		}
	}
	walk(reflect.ValueOf(r), "")
}
