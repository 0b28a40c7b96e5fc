package rules

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"spar/configs/strict"
)

// Overrides converts a map of knobs, as stored in studies and tournament files, to overrides in a fixed order.
func Overrides(set map[string]any) []string {
	var out []string
	for k, v := range set {
		out = append(out, k+"="+overrideValue(v))
	}
	slices.Sort(out)
	return out
}

// overrideValue formats a value as YAML on one line: text unchanged, everything else as JSON.
func overrideValue(v any) string {
	switch t := reflect.ValueOf(v); {
	case t.Kind() == reflect.String:
		return t.String()
	case t.Kind() == reflect.Slice && t.IsNil():
		return "[]" // a file does not take null for a list
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v) // not a value of a JSON or YAML file; reading it as an override says what is wrong
	}
	return string(text)
}

// JoinLabel returns the label of rules with overrides, like "vanishing[pieces.cap=4]".
func JoinLabel(name string, overrides []string) string {
	if len(overrides) == 0 {
		return name
	}
	return name + "[" + strings.Join(overrides, ",") + "]"
}

// SplitLabel splits a label like "vanishing[pieces.cap=4]" into the name of the rules and the overrides.
func SplitLabel(label string) (string, map[string]any) {
	name, rest, ok := strings.Cut(label, "[")
	rest, closed := strings.CutSuffix(rest, "]")
	if !ok || !closed {
		return label, nil
	}
	set := map[string]any{}
	for _, text := range strict.SplitList(rest) {
		k, v, _ := strings.Cut(text, "=")
		set[k] = v
	}
	return name, set
}
