package review

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"spar/engines/enginetest"
)

// The lines of a text are those that its brackets say, in the order of a book.
func TestParseTree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		lines []string // moves, with a bar where the line leaves the one that it belongs to
	}{
		{"", []string{""}},
		{"b2 a1 c3", []string{"b2 a1 c3"}},
		{"1. b2 a1 2. c3", []string{"b2 a1 c3"}},
		{"1.b2 1...a1 (1. ... c1) 12. c3", []string{"b2 a1 c3", "b2 | c1"}},
		{"1. b2 (+ 2. a1)", []string{"b2", "b2 | a1"}},
		{"1 .b2 2", []string{"1 .b2 2"}}, // no numbers of moves
		{"b2 a1 (c1 a3 (a2) b3) a2", []string{"b2 a1 a2", "b2 | c1 a3 b3", "b2 c1 | a2"}},
		{"b2 (a1 b1) (c3) a2 a3 (c1)", []string{"b2 a2 a3", "| a1 b1", "| c3", "b2 a2 | c1"}},
		{"b2 a1 (+ a2 b1 (b3)) (+ c3)", []string{"b2 a1", "b2 a1 | a2 b1", "b2 a1 a2 | b3", "b2 a1 | c3"}},
		{"b2 (b2 a1) a1", []string{"b2 a1"}}, // a line that is the game
	} {
		l, err := ParseTree(c.text)
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		var got []string
		for i, line := range l.List() {
			words := slices.Clone(line.Moves)
			if i > 0 {
				words = slices.Insert(words, line.Fork, "|")
			}
			got = append(got, strings.Join(words, " "))
			if l.Find(line.Moves) < 0 {
				t.Errorf("%q: %v is not found", c.text, line.Moves)
			}
		}
		if !slices.Equal(got, c.lines) {
			t.Errorf("%q: %q, want %q", c.text, got, c.lines)
		}
	}
	for text, want := range map[string]string{
		"b2 (a1": "not closed", "b2 a1)": "without an opening one", "(b2) a1": "before the move",
		"b2 (+ a1) c1": "cannot continue with c1", "b2 + a1": "begin with a plus",
		"b2 a1 (b1 c1 (+ c2))": "begin with a plus", "b2 a1 ((c3))": "before the move",
		strings.Repeat("a1 b1 (", 41): "more than 40 levels", strings.Repeat("a1 ", 2001): "more than 2000 moves",
	} {
		if _, err := ParseTree(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, err, want)
		}
	}
}

// Adding and removing a line leaves the rest as it is; what is illegal is named with its line.
func TestTreeAddRemoveCheck(t *testing.T) {
	t.Parallel()
	l, _ := ParseTree("b2 a1 a2")
	if err := l.Add(strings.Fields("b2 c1 a3")); err != nil || l.String() != "b2 a1 (c1 a3) a2" {
		t.Fatalf("%v, %v", l, err)
	}
	if err := l.Add(strings.Fields("b2 c1 b1")); err != nil || l.String() != "b2 a1 (c1 a3 (b1)) a2" {
		t.Fatalf("%v, %v", l, err)
	}
	g := enginetest.Load(t, "classic")
	if err := l.Check(g); err != nil {
		t.Error(err)
	}
	l.Remove(l.List()[2])
	if l.String() != "b2 a1 (c1 a3) a2" {
		t.Error(l)
	}
	l.Remove(l.List()[0])
	if l.String() != "b2 a1 (c1 a3) a2" {
		t.Error("the game itself was removed:", l)
	}
	if err := l.Add(strings.Fields("b2 c1 b2")); err != nil {
		t.Fatal(err)
	}
	if err := l.Check(g); err == nil || !strings.Contains(err.Error(), "line 2") ||
		!strings.Contains(err.Error(), "ply 3") {
		t.Errorf("%v", err)
	}
}

// Lines that are written and read again are the same, in the same order.
func TestTreeText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := &Tree{}
		for _, moves := range rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]string{"a1", "b2", "c3", "stop"}), 1, 8), 1,
			12).Draw(t, "lines") {
			if err := l.Add(moves); err != nil {
				t.Fatal(err)
			}
			if len(moves) == 3 {
				l.Fix() // the game is as long as it is by now
			}
		}
		again, err := ParseTree(l.String())
		if err != nil || again.String() != l.String() {
			t.Fatalf("%v: %v, %v", l, again, err)
		}
		was, is := l.List(), again.List()
		if len(was) != len(is) {
			t.Fatalf("%v: %d lines, then %d", l, len(was), len(is))
		}
		for i := range was {
			if !slices.Equal(was[i].Moves, is[i].Moves) || was[i].Fork != is[i].Fork || was[i].Depth != is[i].Depth {
				t.Fatalf("line %d: %v, then %v", i, was[i], is[i])
			}
		}
	})
}
