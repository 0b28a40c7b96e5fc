package engines

import (
	"slices"
	"strings"
	"testing"

	"spar/configs/must"
)

// Names and colours of sides are for people: the hash of the rules is the same without them, and sides that people
// could not tell apart are refused.
func TestSides(t *testing.T) {
	t.Parallel()
	const plain = "name: t\nboard: {columns: 3, rows: 3}\nwin: {line: 3}\n"
	bare := must.Get(Load("t", []byte(plain)))(t)
	g := must.Get(Load("t", []byte(plain+"sides: {first: {name: Fox, colour: \"#B03A2E\"}, second: {name: Geese, "+
		"colour: white}}\n")))(t)
	if g.RulesHash() != bare.RulesHash() {
		t.Error("sides change the hash of the rules")
	}
	if got := g.NameSides("First player, the second player's"); got != "Fox player, the Geese player's" {
		t.Error(got)
	}
	if back, err := Stored(g.Rules().Canonical()); err != nil || back.SideLabel(First) != "Fox, X" ||
		back.Side(First).Hex() != "#b03a2e" {
		t.Errorf("after writing and reading: %v, %v", back.SideLabel(First), err)
	}
	if bare.SideLabel(Second) != "O" || strings.Contains(bare.Rules().Canonical(), "sides") {
		t.Error("rules without sides have some")
	}
	for _, bad := range []string{
		"{first: {name: Fox}}", "{first: {name: Fox}, second: {name: fox}}", "{first: {name: F}, second: {name: Geese}}",
		"{first: {colour: red}}", "{first: {colour: red}, second: {colour: \"#c0392a\"}}",
		"{first: {colour: \"#12\"}, second: {colour: red}}",
	} {
		must.Refuse(Load("t", []byte(plain+"sides: "+bad+"\n")))(t, "sides.")
	}
}

// The cells that a side must reach or leave from are those that its rules name, seen from its side of the board; the
// cells of a goal that loses count as such.
func TestTargets(t *testing.T) {
	t.Parallel()
	const board = "name: t\nboard: {columns: 3, rows: 4}\nsetup: [OOO, ..., ..., XXX]\n"
	for _, c := range []struct {
		rules, first, second string
		loses                bool
	}{
		{"movement: {steps: king}\nwin: {reach: [far]}\n", "a1 b1 c1", "a4 b4 c4", false},
		{"movement: {steps: king}\nwin: {reach: [b3]}\nsecond: {win: {reach: [far]}}\n", "b3", "a4 b4 c4", false},
		{"movement: {steps: king}\nwin: {reach: [far], misere: true}\n", "a1 b1 c1", "a4 b4 c4", true},
		{
			"movement: {steps: rook, exits: [north]}\nsecond: {movement: {steps: rook, exits: [west]}}\nwin: {none_left: true}\n",
			"a1 b1 c1", "a1 a2 a3 a4", false,
		},
		{"movement: {steps: king, take: [king]}\nwin: {eliminate: 1}\n", "", "", false},
	} {
		g := must.Get(Load("t", []byte(board+c.rules)))(t)
		for side, want := range []string{c.first, c.second} {
			cells, loses := g.Targets(side)
			var got []string
			for c := range cells.Each {
				got = append(got, g.CellName(c))
			}
			if slices.Sort(got); strings.Join(got, " ") != want || loses != c.loses {
				t.Errorf("%sside %d: %v, loses %t; want %s, %t", c.rules, side, got, loses, want, c.loses)
			}
		}
	}
}
