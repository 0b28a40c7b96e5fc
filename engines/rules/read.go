package rules

import (
	"fmt"
	"slices"

	"spar/configs/strict"
	"spar/engines/coverage"
)

// Read reads a rules file. Name is the file's name in errors. Overrides change knobs by key path, like "pieces.cap=5",
// in the given order. Further checks rules that Validate accepts. The error lists every mistake with its place; see
// package strict.
//
// A knob without effect in a file (forced_capture without capture) is an error, because the author meant something
// else. An override that switches a mechanic off also switches off the knobs that depend on it, so that one knob can be
// varied by itself.
func Read(name string, data []byte, further func(*Rules) Problems, overrides ...string) (Rules, error) {
	doc, err := strict.Parse(name, data, overrides...)
	if err != nil {
		return Rules{}, err
	}
	doc.Lacks = func(key string) string {
		mechanic, game := coverage.MissingMechanic(key)
		if mechanic == "" {
			return ""
		}
		return fmt.Sprintf("rules files cannot express %s yet (as in %s)", mechanic, game)
	}
	r := DefaultRules()
	plain := r
	if doc.Has("second") { // the second player's separate parts omit the same keys as the first's
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
		r.Movement.MultiJump, r.Movement.ForcedCapture = "false", "false"
	}
	for path, size := range map[string]*int{"board.columns": &r.Board.Columns, "board.rows": &r.Board.Rows} {
		if doc.Doubtful(path) {
			*size = 11 // any: what depends on the board is not reported, the rest is
		}
	}
	problems := Validate(&r)
	if len(problems) == 0 {
		problems = further(&r)
	}
	for _, p := range problems {
		if !slices.ContainsFunc(p.causes(), doc.Doubtful) {
			doc.Errorf(p.Path, "%s: %s", p.Path, p.Message)
		}
	}
	if err := doc.Err(); err != nil {
		return Rules{}, err
	}
	return r, nil
}
