package engines

import (
	"slices"
	"strings"
	"testing"
)

// Every knob says which mechanics it switches on, so that a new one cannot slip past a fast path.
func TestEveryKnobHasItsMechanics(t *testing.T) {
	t.Parallel()
	known := knobMechanics()
	for _, path := range KnobPaths() {
		if strings.HasPrefix(path, "second.") { // "second" speaks for them
			continue
		}
		if known[path] == nil {
			t.Errorf("knob %s is in no mechanic: every fast path is closed to rules that use it", path)
		}
		delete(known, path)
	}
	for path := range known {
		t.Errorf("mechanics of %s, which is no knob", path)
	}
}

func TestMechanicsOfRules(t *testing.T) {
	t.Parallel()
	plain := DefaultRules()
	plain.Name, plain.Board = "plain", Board{Columns: 3, Rows: 3, Wrap: "none"}
	plain.Win.Line = 3
	for _, c := range []struct {
		name string
		set  func(r *Rules)
		want string
	}{
		{"as it is", func(*Rules) {}, "lines full_boards"},
		{"cap", func(r *Rules) { r.Pieces.Cap = 3 }, "ages lines full_boards"},
		{"removal without a cap is none", func(r *Rules) { r.Pieces.Removal = "after_win" }, "lines full_boards"},
		{"cap after win, late", func(r *Rules) {
			r.Pieces.Cap, r.Pieces.Removal, r.Pieces.RemovalFromPly = 3, "after_win", 4
		}, "ages leave_after_win late_ages lines full_boards"},
		{"no lines", func(r *Rules) { r.Win.Line, r.Win.Overlines = 0, false }, "full_boards"},
		{"exact", func(r *Rules) { r.Win.Overlines = false }, "lines exact_lines full_boards"},
		{"a value that nobody knows", func(r *Rules) { r.NoMoves = "again" }, "lines full_boards undeclared"},
		{"long first turn", func(r *Rules) { r.Turn.FirstTurn = 2 }, "long_turns lines full_boards"},
		{"gravity under which nothing leaves", func(r *Rules) { r.Placement.Gravity, r.Placement.Falls = true, true }, "falling lines full_boards"},
		{"falls", func(r *Rules) { r.Placement.Gravity, r.Placement.Falls, r.Pieces.Cap = true, true, 3 }, "falling ages lines full_boards settles"},
		{"torus", func(r *Rules) { r.Board.Wrap = "torus" }, "wraps lines full_boards"},
	} {
		r := plain
		c.set(&r)
		got := strings.Fields(r.Mechanics().String())
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s: mechanics %v, want %v", c.name, got, want)
		}
	}
}

// Rules with a mechanic that no fast path knows take none.
func TestUndeclaredMechanicsAreSlow(t *testing.T) {
	t.Parallel()
	r := DefaultRules()
	r.Name, r.Board, r.Win.Line = "new", Board{Columns: 4, Rows: 4, Wrap: "none"}, 3
	g := compile(r)
	if g.shortcuts == (shortcuts{}) || !g.line.flat || len(g.symmetries) != 8 || !g.exchanges() {
		t.Fatalf("the plainest game has shortcuts %+v, flat lines %v, %d symmetries", g.shortcuts, g.line.flat, len(g.symmetries))
	}
	g.uses |= Undeclared
	g.shortcuts = shortcuts{}
	g.takeShortcuts()
	if g.shortcuts != (shortcuts{}) {
		t.Errorf("shortcuts %+v", g.shortcuts)
	}
	if lines := g.buildLines(); lines.flat {
		t.Error("flat lines")
	}
	if n := len(g.findSymmetries()); n != 1 {
		t.Errorf("%d symmetries", n)
	}
	if g.exchanges() {
		t.Error("colours are exchanged")
	}
	for _, k := range playoutKernels() {
		if g.uses.only(k.handles) {
			t.Errorf("playout kernel %s", k.name)
		}
	}
}
