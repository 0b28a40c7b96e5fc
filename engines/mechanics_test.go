package engines_test

import (
	"fmt"
	"strings"
	"testing"

	"spar/configs"
	"spar/engines"
	"spar/engines/enginetest"
	"spar/engines/rules"
)

// Every fast path is taken only where the rules use nothing but what it handles. The golden file lists, for each, the
// knobs that it handles: a new knob is in none of the lists until somebody makes it fast.
func TestFastPathsDeclineOtherKnobs(t *testing.T) {
	t.Parallel()
	var games []*engines.Game
	for _, name := range configs.Names(configs.Games) {
		games = append(games, enginetest.Load(t, name))
	}
	games = append(games, enginetest.Load(t, "classic", "win.majority=true"),
		enginetest.Load(t, "classic", "turn.pie=true"))
	changed := map[enginetest.Change]*engines.Game{}
	for _, c := range enginetest.Changes(t) {
		_, changed[c] = c.Games(t)
	}
	paths := engines.FastPaths()
	fits := make([]bool, len(paths))
	handled := make([]rules.Mechanics, len(paths))
	for _, g := range games {
		for m := range rules.Undeclared + 1 {
			other := g.Using(m)
			for i, p := range paths {
				if !p.Taken(g) {
					continue
				}
				fits[i], handled[i] = true, rules.MechanicsOf(handled[i], g.Mechanics())
				if p.Taken(other) {
					handled[i] = rules.MechanicsOf(handled[i], m)
				}
			}
		}
	}
	var told strings.Builder
	for i, p := range paths {
		if !fits[i] {
			t.Errorf("%s: no game takes it", p.Name)
		}
		if handled[i].Any(rules.Undeclared) {
			t.Errorf("%s is taken for a game with a knob that nobody has declared", p.Name)
		}
		fmt.Fprintf(&told, "%s: %s\n", p.Name, handled[i])
		for c, after := range changed {
			if used := after.Mechanics(); !used.Without(used.Without(rules.KnobMechanics(c.Path))).Only(handled[i]) &&
				p.Taken(after) {
				t.Errorf("%s is taken for %s with %s=%s", p.Name, after.Name(), c.Path, c.Value)
			}
		}
	}
	golden(t, "fastpaths.golden", told.String())
}

// A value switches a mechanic on where it has an effect.
func TestMechanicsOfRules(t *testing.T) {
	t.Parallel()
	plain := rules.MechanicsOf(rules.Lines, rules.FullBoards)
	for _, c := range []struct {
		set  []string
		want []rules.Part
	}{
		{nil, nil},
		{[]string{"pieces.cap=3"}, []rules.Part{rules.Ages}},
		{
			[]string{"pieces.cap=3", "pieces.removal=after_win", "pieces.removal_from_ply=3"},
			[]rules.Part{rules.Ages, rules.LeaveAfterWin, rules.LateAges},
		},
		{[]string{"turn.pie=true"}, []rules.Part{rules.Pie}},
		{
			[]string{"placement.gravity=true", "placement.falls=true", "pieces.cap=3"},
			[]rules.Part{rules.Falling, rules.Settles, rules.Ages},
		},
		{[]string{"second.win={line: 3, overlines: false}"}, []rules.Part{rules.Unequal, rules.ExactLines}},
	} {
		want := rules.MechanicsOf(append(c.want, plain)...)
		if got := enginetest.Load(t, "classic", c.set...).Mechanics(); got != want {
			t.Errorf("%v: %s, want %s", c.set, got, want)
		}
	}
}
