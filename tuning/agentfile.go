package tuning

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"spar/agents"
	"spar/agents/eval"
	"spar/configs/files"
)

// AgentYAML writes a spec as an agent's file: the comment, the type, the keys that differ from the defaults, and the
// weights in the order of eval.Names.
func AgentYAML(s agents.Spec, comment string) ([]byte, error) {
	var b strings.Builder
	for line := range strings.Lines(comment) {
		fmt.Fprintf(&b, "# %s\n", strings.TrimRight(line, "\n"))
	}
	fmt.Fprintf(&b, "type: %s\n", s.Type)
	if s.Description != "" {
		fmt.Fprintf(&b, "description: %q\n", s.Description)
	}
	plain := s
	plain.Name, plain.Description, plain.Evaluation.Hash = "", "", ""
	plain.Weights, plain.Late, plain.Movement, plain.Scale, plain.LateFrom = nil, nil, nil, 0, 0
	base := agents.DefaultSpec()
	base.Type = s.Type
	differs, err := difference(plain, base)
	if err != nil {
		return nil, err
	}
	writeMap(&b, differs, "")
	if s.Scale != 0 {
		fmt.Fprintf(&b, "scale: %s\n", number(s.Scale))
	}
	if s.LateFrom != 0 {
		fmt.Fprintf(&b, "late_from: %d\n", s.LateFrom)
	}
	for set, name := range weightSets() {
		w := *weightsOf(&s, set)
		if w == nil {
			continue
		}
		if len(w) == 0 {
			fmt.Fprintf(&b, "%s: {}\n", name)
			continue
		}
		fmt.Fprintf(&b, "%s:\n", name)
		for _, feature := range eval.Names() {
			if x, ok := w[feature]; ok {
				fmt.Fprintf(&b, "  %s: %s\n", feature, number(x))
			}
		}
	}
	return []byte(b.String()), nil
}

func number(x float64) string {
	text, _ := json.Marshal(x) // weights are finite
	return string(text)
}

// difference returns the keys of a spec whose values differ from those of another spec, as they are written in a
// file.
func difference(a, b agents.Spec) (map[string]any, error) {
	var maps [2]map[string]any
	for i, s := range []agents.Spec{a, b} {
		text, err := json.Marshal(s)
		if err == nil {
			err = json.Unmarshal(text, &maps[i])
		}
		if err != nil {
			return nil, fmt.Errorf("agent %s: %w", s.Name, err)
		}
	}
	return without(maps[0], maps[1]), nil
}

// without returns the entries of a that are not in b.
func without(a, b map[string]any) map[string]any {
	out := map[string]any{}
	for key, x := range a {
		y, ok := b[key]
		inner, isMap := x.(map[string]any)
		if other, both := y.(map[string]any); isMap && both {
			if rest := without(inner, other); len(rest) > 0 {
				out[key] = rest
			}
			continue
		}
		if !ok || fmt.Sprint(x) != fmt.Sprint(y) {
			out[key] = x
		}
	}
	return out
}

func writeMap(b *strings.Builder, m map[string]any, indent string) {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if inner, ok := m[key].(map[string]any); ok {
			fmt.Fprintf(b, "%s%s:\n", indent, key)
			writeMap(b, inner, indent+"  ")
			continue
		}
		text, _ := json.Marshal(m[key]) // a value that came from JSON; JSON is YAML
		fmt.Fprintf(b, "%s%s: %s\n", indent, key, text)
	}
}

// WriteAgents writes the files of the tuned agent and, next to it, of the starting agent. It returns their paths.
func (t *Tuning) WriteAgents(r *Result) ([]string, error) {
	start := t.Start
	start.Description = fmt.Sprintf("The agent from which the tuning %s started.", t.Name)
	tuned, err := AgentYAML(r.Tuned, fmt.Sprintf(files.MadeBy+"tune (%s), seed %d, %d games under %s. Not "+
		"validated yet.", t.Name, t.Seed, r.Games, t.Label))
	if err != nil {
		return nil, err
	}
	old, err := AgentYAML(start, files.MadeBy+"tune.")
	if err != nil {
		return nil, err
	}
	written := []string{t.Output, t.StartFile()}
	for i, text := range [][]byte{tuned, old} {
		if err := files.WriteBytes(written[i], text); err != nil {
			return nil, err
		}
	}
	return written, nil
}
