package page

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"spar/reports/board"
	"spar/reports/table"
)

// A status is found again by its word; any other word is plain.
func TestStatusOfWords(t *testing.T) {
	t.Parallel()
	for s := table.Plain; s <= table.Undecided; s++ {
		if got := table.ParseStatus(s.String()); got != s {
			t.Errorf("%q is %s", s.String(), got)
		}
	}
	if table.ParseStatus("no data") != table.Plain || table.Undecided.String() != "undecided" || table.Good.String() != "good" {
		t.Errorf("%s, %s", table.ParseStatus("no data"), table.Undecided)
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
	if start := (&replay{GameView: &GameView{Values: []float64{0.5, math.NaN()}}, Frames: make([]board.Frame, 2)}); newCurve(start) == nil {
		t.Error("a game of which the start alone is known has no course")
	}
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

// Words fill a line as far as it goes, and go on indented; one that is too long stands alone.
func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 9, ""},
		{"one", 9, "one\n"},
		{"one two three", 7, "one two\n  three\n"},
		{"one two three", 6, "one\n  two\n  three\n"},
		{"a bc de", 5, "a bc\n  de\n"},
		{"a bc de f", 6, "a bc\n  de f\n"},
		{"overlong a", 3, "overlong\n  a\n"},
		{"½ ¾ x", 3, "½ ¾\n  x\n"},
	} {
		var b bytes.Buffer
		if wrap(&b, c.text, "  ", c.width); b.String() != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, b.String(), c.want)
		}
	}
}

// A name for an address is lower-case letters, digits and single hyphens between them.
func TestSlug(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"Top 10": "top-10", "0 to 9": "0-to-9", "A - Z": "a-z", "  x  ": "x", "Who wins?": "who-wins", "½": "part", "": "part", "zebra az": "zebra-az"} {
		if got := slug(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// What a ply cost its mover is told from half a percent on; nothing where nobody knows, and nothing of a gain.
func TestLoss(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		ply    int
		side   byte
		want   string
	}{
		{[]float64{0.5, 0.38}, 1, 'X', "−12 %"},
		{[]float64{0.5, 0.38}, 1, 'O', ""},
		{[]float64{0.5, 0.62}, 1, 'O', "−12 %"},
		{[]float64{0.5, 0.496}, 1, 'X', ""},
		{[]float64{0.5, 0.5}, 1, 'X', ""},
		{[]float64{0.5, nan}, 1, 'X', ""},
		{[]float64{nan, 0.5}, 1, 'X', ""},
		{[]float64{0.5, 0}, 0, 'X', ""},
		{[]float64{0.5, 0}, 2, 'X', ""},
		{[]float64{0.5, 0.5, 1}, 2, 'O', "−50 %"},
	} {
		if got := Loss(c.values, c.ply, c.side); got != c.want {
			t.Errorf("%v, ply %d of %c: %q, want %q", c.values, c.ply, c.side, got, c.want)
		}
	}
}

// A document that has nothing but a title and a verdict has no tables and no headings of what it does not have.
func TestMarkdownOfLittle(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	d := Document{Title: "A game", Verdict: Verdict{Headline: "It is fair."}}
	if err := d.Markdown(&b, nil); err != nil {
		t.Fatal(err)
	}
	for _, unwanted := range []string{"|", "## ", "---", "> "} {
		if strings.Contains(b.String(), unwanted) {
			t.Errorf("%q in\n%s", unwanted, &b)
		}
	}
	if !strings.Contains(b.String(), "**Verdict.** It is fair.") {
		t.Error(b.String())
	}
}
