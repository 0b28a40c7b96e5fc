package engines

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"spar/configs"
	"spar/configs/strict"
	"spar/engines/coverage"
)

// Load reads a rules file. Name is the file's name in errors. Overrides change knobs by key path, like
// "pieces.cap=5", in the given order. The error lists every mistake with its place; see package strict.
//
// A file that sets a knob without effect (forced_capture without capture) is an error, because its author meant
// something else. An override that switches a mechanic off also switches off the knobs that depend on it, so that one
// knob can be varied by itself.
func Load(name string, data []byte, overrides ...string) (*Game, error) {
	doc, err := strict.Parse(name, data)
	if err != nil {
		return nil, err
	}
	if err := doc.SetAll(overrides); err != nil {
		return nil, err
	}
	doc.Lacks = func(key string) string {
		mechanic, game := coverage.MissingMechanic(key)
		if mechanic == "" {
			return ""
		}
		return fmt.Sprintf("rules files cannot express %s yet (as in %s)", mechanic, game)
	}
	r := DefaultRules()
	if plain := r; doc.Has("second") { // what the second player has of his own leaves the same out as the first's
		r.Second = &SecondPlayer{}
		if doc.Has("second.movement") {
			r.Second.Movement = &plain.Movement
		}
		if doc.Has("second.win") {
			r.Second.Win = &plain.Win
		}
	}
	_ = doc.Decode(&r) // its mistakes come back with those of meaning, from Err
	if doc.Overridden("movement.capture") && !r.Movement.Capture {
		r.Movement.MultiJump, r.Movement.ForcedCapture = false, false
	}
	for path, size := range map[string]*int{"board.columns": &r.Board.Columns, "board.rows": &r.Board.Rows} {
		if doc.Doubtful(path) {
			*size = 11 // any: what depends on the board is not reported, the rest is
		}
	}
	for _, p := range Validate(&r) {
		if !slices.ContainsFunc(p.causes(), doc.Doubtful) {
			doc.Errorf(p.Path, "%s: %s", p.Path, p.Message)
		}
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return compile(r), nil
}

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
	if t := reflect.ValueOf(v); t.Kind() == reflect.String {
		return t.String()
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v) // not a value of a JSON or YAML file; reading it as an override says what is wrong
	}
	return string(text)
}

// IsBadRules reports whether an error lists mistakes in a rules file or in overrides.
func IsBadRules(err error) bool {
	var es strict.Errors
	var ps Problems
	return errors.As(err, &es) || errors.As(err, &ps)
}

// Named compiles a shipped game by its name, or a rules file by its path, with overrides as for Load. An override of
// a knob that has no effect (see Rules.Idle) is an error. The error for an unknown name suggests the nearest one.
func Named(name string, overrides ...string) (*Game, error) {
	file, data, err := configs.Read(configs.Games, name)
	if err != nil {
		return nil, err
	}
	g, err := Load(file, data, overrides...)
	if err != nil {
		return nil, err
	}
	if err := refuseIdle(file, data, g, overrides); err != nil {
		return nil, err
	}
	return g, nil
}

// Stored compiles rules from their canonical text, which studies store; see Rules.Canonical.
func Stored(canonical string) (*Game, error) {
	r := DefaultRules()
	if err := json.Unmarshal([]byte(canonical), &r); err != nil {
		return nil, err
	}
	return Compile(r)
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
