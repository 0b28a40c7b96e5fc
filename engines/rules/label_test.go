package rules_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/engines/rules"
)

// Lists in the value of a knob have commas of their own.
func TestSplitLabel(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]map[string]any{
		"classic":                nil,
		"a[1].yaml":              nil,
		"vanishing[a.b=4]":       {"a.b": "4"},
		"vanishing[a=4,b=x]":     {"a": "4", "b": "x"},
		"x[a=[1,[2,3]],b={c,d}]": {"a": "[1,[2,3]]", "b": "{c,d}"},
	} {
		name, set := rules.SplitLabel(label)
		if d := cmp.Diff(want, set); d != "" ||
			!slices.Contains([]string{"classic", "vanishing", "x", "a[1].yaml"}, name) {
			t.Errorf("%s: %s %s", label, name, d)
		}
	}
}

func TestJoinLabel(t *testing.T) {
	t.Parallel()
	for want, overrides := range map[string][]string{
		"classic": nil, "classic[a=1]": {"a=1"},
		"classic[a=1,b=2]": {"a=1", "b=2"},
	} {
		if got := rules.JoinLabel("classic", overrides); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
