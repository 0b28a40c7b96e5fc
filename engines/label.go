package engines

import (
	"strings"

	"spar/configs/strict"
)

// JoinLabel is the label of rules with overrides of knobs.
func JoinLabel(name string, overrides []string) string {
	if len(overrides) == 0 {
		return name
	}
	return name + "[" + strings.Join(overrides, ",") + "]"
}

// SplitLabel turns the label of rules, like "vanishing[pieces.cap=4]", into their name and overrides.
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
