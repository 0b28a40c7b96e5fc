package engines

import (
	"encoding/json"
	"slices"
	"strings"

	"spar/configs"
	"spar/configs/strict"
	"spar/engines/rules"
)

// Validate returns all combinations of knobs that are not allowed (see rules.Validate). If there are none, it returns
// the reasons why the game is already over at the start.
func Validate(r *Rules) rules.Problems {
	if problems := rules.Validate(r); len(problems) > 0 {
		return problems
	}
	return validateStart(r)
}

// Load reads and compiles a rules file; see rules.Read.
func Load(name string, data []byte, overrides ...string) (*Game, error) {
	r, err := rules.Read(name, data, validateStart, overrides...)
	if err != nil {
		return nil, err
	}
	return compile(r), nil
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
	if err := refuseIdle(file, data, &g.rules, overrides); err != nil {
		return nil, err
	}
	return g, nil
}

// Stored compiles rules from their canonical text, which studies store; see Rules.Canonical.
func Stored(canonical string) (*Game, error) {
	r := rules.DefaultRules()
	if err := json.Unmarshal([]byte(canonical), &r); err != nil {
		return nil, err
	}
	return Compile(r)
}

// refuseIdle returns an error for an override of a knob that has no effect either before or after the override.
func refuseIdle(name string, data []byte, r *Rules, overrides []string) error {
	var bad strict.Errors
	for i, o := range overrides {
		path, _, _ := strings.Cut(o, "=")
		why := r.IdleAt(path)
		if why == "" {
			continue
		}
		before, err := rules.Read(name, data, validateStart, slices.Delete(slices.Clone(overrides), i, i+1)...)
		if err != nil {
			continue // it makes the rules valid
		}
		if before.AtDefault(path) || before.IdleAt(path) != "" {
			bad = append(bad, strict.Error{File: o, Path: path, Message: rules.Idle{Path: path, Why: why}.String()})
		}
	}
	if len(bad) > 0 {
		return bad
	}
	return nil
}
