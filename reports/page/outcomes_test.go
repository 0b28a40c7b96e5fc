package page

import (
	"math"
	"strings"
	"testing"
)

// A status is found again by its word; any other word is plain.
func TestStatusOfWords(t *testing.T) {
	t.Parallel()
	for s := Plain; s <= Undecided; s++ {
		if got := ParseStatus(s.String()); got != s {
			t.Errorf("%q is %s", s.String(), got)
		}
	}
	if ParseStatus("no data") != Plain || Undecided.String() != "undecided" || Good.String() != "good" {
		t.Errorf("%s, %s", ParseStatus("no data"), Undecided)
	}
}

// A course is drawn from two known values on, with its words; what is not known is left out.
func TestArcOfFewValues(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		drawn  bool
	}{{nil, false}, {[]float64{0.5}, false}, {[]float64{0.5, nan, nan}, false}, {[]float64{0.5, 0.6}, true}, {[]float64{nan, 0.5, nan, 0.6}, true}} {
		got := string(Arc(c.values, "how it went"))
		if (got != "") != c.drawn || c.drawn && (!strings.Contains(got, "<svg") || !strings.Contains(got, "how it went")) || strings.Contains(got, "NaN") {
			t.Errorf("%v: %q", c.values, got)
		}
	}
}

// What a ply cost its mover, from half a point of a hundred on, and what would have been better; nothing where nobody knows.
func TestWhatAPlyCost(t *testing.T) {
	t.Parallel()
	r := &replay{GameView: &GameView{Values: []float64{0.5, 0.6, math.NaN()}, Moves: []string{"a", "b"}, Best: []string{"a", "c"}}}
	for ply, want := range map[int][2]string{0: {"50 %", ""}, 1: {"60 %", ""}, 2: {"", "c"}, 3: {"", ""}} {
		if got := [2]string{r.share(ply), r.better(ply)}; got != want {
			t.Errorf("ply %d: %q, want %q", ply, got, want)
		}
	}
}

// A caption in Markdown ends with a colon, or with its question mark.
func TestCaption(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"Games": "Games:", "Games.": "Games:", "Who wins?": "Who wins?"} {
		if got := caption(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// A word that a shell would take apart or change stands in quotes.
func TestShellWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"classic": "classic", "a-b/c.db": "a-b/c.db", "win.line=4": "win.line=4", "two words": "'two words'", "a;b": "'a;b'", "it's": `'it'\''s'`, "x[1]": "'x[1]'", "": ""} {
		if got := ShellWord(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// On a terminal a document is its answers and what leads its sections, but those aside; a section without words is not named.
func TestLeadsOnATerminal(t *testing.T) {
	t.Parallel()
	d := &Document{Title: "x", Sections: []Section{{Title: "Who wins?", Lead: "Nobody."}, {Title: "Method", Lead: "Aside.", Aside: true}, {Title: "Empty"}}}
	var b strings.Builder
	if err := d.Text(&b, 80); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "\nWho wins: Nobody.\n") || strings.Contains(got, "Aside") || strings.Contains(got, "Empty") {
		t.Error(got)
	}
}
