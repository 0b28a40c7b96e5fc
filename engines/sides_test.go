package engines

import (
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
		if _, err := Load("t", []byte(plain+"sides: "+bad+"\n")); err == nil || !strings.Contains(err.Error(), "sides.") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
