package engines

import "strings"

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
	for _, text := range SplitList(rest) {
		k, v, _ := strings.Cut(text, "=")
		set[k] = v
	}
	return name, set
}

// SplitList splits a text at its commas but for those in brackets: labels and values may have commas of their own.
func SplitList(text string) []string {
	var out []string
	depth, start := 0, 0
	for i, r := range text + "," {
		switch {
		case strings.ContainsRune("[{", r):
			depth++
		case strings.ContainsRune("]}", r):
			depth--
		case r == ',' && depth == 0 || i == len(text):
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return out
}
