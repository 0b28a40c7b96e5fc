package enginetest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"spar/configs/strict"
	"spar/engines"
	"spar/engines/rules"
)

// draw is the random choice of the values of rules.
type draw struct{ t *rapid.T }

func (d draw) integer(name string, low, high int) int {
	return rapid.IntRange(low, high).Draw(d.t, name)
}
func (d draw) often(name string, in int) bool { return d.integer(name, 1, in) == 1 }
func (d draw) oneOf(name string, values ...string) string {
	return rapid.SampledFrom(values).Draw(d.t, name)
}

// some chooses one or more entries of a list at random.
func (d draw) some(name string, values ...string) []string {
	out := slices.DeleteFunc(slices.Clone(values), func(string) bool { return d.often(name, 2) })
	if len(out) == 0 {
		return values[:1]
	}
	return out
}

// rules changes rules by a table. A line is CONDITION CONDITION: SETTING; SETTING. The conditions, if there are any, must
// hold: 1/N holds in one of N draws; a knob holds if it is on; KNOB=VALUE if it has the value; A|B if one of them does;
// !A if A does not. A setting is KNOB=A|B (one of the values, or some of them if the knob is a list), where A..B is a
// range of numbers and PATH+A adds the number of another knob; KNOB?=A, only if the knob is off; KNOB, which sets its
// default; or @NAME, a table or a function.
func (d draw) rules(r *engines.Rules, table string) { d.table(r, r, table) }

// table changes a part of rules by a table whose paths begin at the part.
func (d draw) table(r *engines.Rules, part any, table string) {
	root := reflect.ValueOf(part)
	functions := map[string]func(*engines.Rules){
		"board": d.board, "fall": letFall, "kinds": d.kinds, "lines": d.drawn, "movement": d.movement, "removals": d.removals,
		"second": d.second, "goals of the second": d.secondGoals, "setup": d.setup, "stages": d.stages,
	}
	for line := range strings.Lines(table) {
		conditions, settings, conditional := strings.Cut(strings.TrimSpace(line), ": ")
		if !conditional {
			conditions, settings = "", conditions
		}
		if slices.ContainsFunc(strings.Fields(conditions), func(c string) bool { return !d.holds(root, c) }) {
			continue
		}
		for setting := range strings.SplitSeq(settings, "; ") {
			if name, named := strings.CutPrefix(setting, "@"); named && functions[name] != nil {
				functions[name](r)
				continue
			} else if named {
				d.rules(r, tables[name])
				continue
			}
			path, text, given := strings.Cut(setting, "=")
			path, unset := strings.CutSuffix(path, "?")
			if top, _, _ := strings.Cut(path, "."); top == "second" && r.Second == nil {
				r.Second = &rules.SecondPlayer{}
			}
			at, _ := strict.At(root, path)
			if !given {
				reset(r, path)
			} else if text == "" {
				at.SetZero()
			} else if !unset || !on(at) {
				d.value(root, path, strings.Split(text, "|"), at)
			}
		}
	}
}

func (d draw) holds(root reflect.Value, condition string) bool {
	negated, isNot := strings.CutPrefix(condition, "!")
	if n, odds := strings.CutPrefix(condition, "1/"); odds {
		return d.often(condition, number(n))
	} else if isNot {
		return !d.holds(root, negated)
	}
	return slices.ContainsFunc(strings.Split(condition, "|"), func(one string) bool {
		path, want, compares := strings.Cut(one, "=")
		at, ok := strict.At(root, path)
		return ok && (compares && fmt.Sprint(at) == want || !compares && on(at))
	})
}

// on reports whether a knob is not zero, empty, none or false.
func on(v reflect.Value) bool {
	return !slices.Contains([]string{"0", "", "none", "false", "[]", "<nil>"}, fmt.Sprint(v))
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func (d draw) value(root reflect.Value, path string, values []string, at reflect.Value) {
	switch at.Kind() {
	case reflect.Slice:
		at.Set(reflect.ValueOf(d.some(path, values...)))
	case reflect.Pointer:
		at.Set(reflect.New(at.Type().Elem()))
		d.value(root, path, values, at.Elem())
	case reflect.Bool:
		at.SetBool(d.oneOf(path, values...) == "true")
	case reflect.Int:
		base, plus, sums := strings.Cut(d.oneOf(path, values...), "+")
		if !sums {
			base, plus = "", base
		}
		low, high, ranges := strings.Cut(plus, "..")
		if !ranges {
			high = low
		}
		n := d.integer(path, number(low), number(high))
		if other, ok := strict.At(root, base); ok && sums {
			n += int(other.Int())
		}
		at.SetInt(int64(n))
	default:
		at.SetString(d.oneOf(path, values...))
	}
}

// reset gives a knob its default.
func reset(r *engines.Rules, path string) {
	plain := rules.DefaultRules()
	now, ok := strict.At(reflect.ValueOf(r), path)
	if before, has := strict.At(reflect.ValueOf(&plain), path); ok && has {
		now.Set(before)
	}
}
