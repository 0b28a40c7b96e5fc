package rules_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"spar/configs/must"
	"spar/engines/rules"
)

// Every knob is described, and every mechanic belongs to one knob: a new knob cannot hide behind the mechanic of an old
// one.
func TestEveryMechanicBelongsToOneKnob(t *testing.T) {
	t.Parallel()
	owner := map[rules.Mechanic]string{}
	for _, k := range rules.KnobValues(rules.DefaultRules()) {
		if !rules.Described(k.Path) {
			t.Errorf("%s: describe it in knobs", k.Path)
		}
		for m := range rules.KnobMechanics(k.Path).Each() {
			if owner[m] != "" {
				t.Errorf("mechanic %d belongs to %s and to %s", m, owner[m], k.Path)
			}
			owner[m] = k.Path
		}
	}
	if len(owner) != int(rules.Undeclared) {
		t.Errorf("%d mechanics of knobs, %d are listed", len(owner), rules.Undeclared)
	}
}

// The guide's table of knobs has all goals.
func TestGuideNamesEveryGoal(t *testing.T) {
	guide := string(must.Get(os.ReadFile("../README.md"))(t))
	for _, g := range rules.Goals() {
		if _, key, _ := strings.Cut(g.Path, "."); !regexp.MustCompile("[`.]" + key + "`").MatchString(guide) {
			t.Errorf("engines/README.md does not name %s", g.Path)
		}
	}
}
