package agents

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// meaning lists the knobs that not every type has, and the types that they mean something to.
func meaning() []struct {
	path  string
	types []string
} {
	return []struct {
		path  string
		types []string
	}{
		{"weights", evaluating()},
		{"late_weights", evaluating()},
		{"late_from", evaluating()},
		{"movement_weights", evaluating()},
		{"scale", evaluating()},
		{"evaluation", evaluating()},
		{"default_in", evaluating()},
		{"minimax", []string{"minimax"}},
		{"mcts", []string{"mcts"}},
		{"level", []string{"source"}},
		{"ugi", []string{"ugi"}},
		{"own", []string{"own"}},
		{"perfect", []string{"perfect"}},
		{"budget", []string{"minimax", "mcts", "ugi", "own"}},
		{"ties", []string{"heuristic", "minimax", "mcts", "source", "perfect"}},
		{"mixture.softmax", []string{"heuristic", "minimax", "mcts"}},
		{"mixture.ignores_opponent", evaluating()},
	}
}

// Knob is one knob of an agent, by its path in the agent's file.
type Knob struct {
	Path  string `json:"path"`
	Value any    `json:"value"` // of JSON
}

// Knobs lists the knobs that mean something to the agent's type, in the order of their paths. Of sets of weights the value is how many
// there are.
func (s Spec) Knobs() []Knob {
	var tree map[string]any
	d := json.NewDecoder(strings.NewReader(s.Canonical()))
	d.UseNumber() // as they are written
	if err := d.Decode(&tree); err != nil {
		return nil // cannot happen: it was just written
	}
	out := []Knob{{"type", s.Type}}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		for _, m := range meaning() {
			if m.path == path && !slices.Contains(m.types, s.Type) {
				return
			}
		}
		if branch, ok := v.(map[string]any); ok && strings.HasSuffix(path, "weights") {
			out = append(out, Knob{path, len(branch)})
		} else if ok {
			for _, k := range slices.Sorted(maps.Keys(branch)) {
				walk(path+"."+k, branch[k])
			}
		} else {
			out = append(out, Knob{path, v})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(tree)) {
		if k != "name" && k != "description" && k != "type" {
			walk(k, tree[k])
		}
	}
	return out
}

// String writes the knob as it is set.
func (k Knob) String() string { return fmt.Sprintf("%s=%v", k.Path, k.Value) }
