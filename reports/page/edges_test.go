package page

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/engines/enginetest"
	"spar/reports/board"
	"spar/reports/chart"
	"spar/reports/table"
)

// slope is a figure with data, so wide.
func slope(width float64) chart.Chart {
	return &chart.Lines{Lines: []chart.Line{{Points: []chart.Point{{X: 0, Y: 1}, {X: 1, Y: 2}}}}, Dim: chart.Dim{Width: width, Height: 120}}
}

// A page shows a game at the ply that was asked for, else at its end.
func TestPlyThatIsShown(t *testing.T) {
	t.Parallel()
	for look, want := range map[int]int{-1: 3, 0: 3, 1: 1, 2: 2, 3: 3, 4: 3, 9: 3} {
		r := &replay{GameView: &GameView{Look: look}, Frames: make([]board.Frame, 4)}
		if got := r.Shown(); got != want {
			t.Errorf("look at %d: ply %d, want %d", look, got, want)
		}
	}
}

// Beside a move stand its class, what would have been better and what it cost, each of that very ply.
func TestMovesWithTheirWorth(t *testing.T) {
	t.Parallel()
	r, err := newReplay(&GameView{
		Game: enginetest.Load(t, "classic"), Moves: strings.Fields("b2 a1 c1"), Look: 2,
		Values: []float64{0.5, 0.5, 0.75, 0.25}, Best: []string{"b2", "a2", "c3"}, Classes: []string{"best", "inaccuracy", "mistake"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []move{
		{Ply: 1, Text: "b2", Side: "X", Class: "best", Glyph: "★", Share: "50 %"},
		{Ply: 2, Text: "a1", Side: "O", Class: "inaccuracy", Glyph: "?!", Share: "75 %", Best: "a2", Loss: "−25 %", Now: true},
		{Ply: 3, Text: "c1", Side: "X", Class: "mistake", Glyph: "??", Share: "25 %", Best: "c3", Loss: "−50 %"},
	}
	if d := cmp.Diff(want, movesOf(r)); d != "" {
		t.Error(d)
	}
	r = &replay{GameView: &GameView{Moves: []string{"a", "b"}, Best: []string{"x", "y"}, Classes: []string{"best", "mistake"}}}
	for ply, want := range map[int][2]string{0: {"", ""}, 1: {"x", "best"}, 2: {"y", "mistake"}, 3: {"", ""}} {
		if got := [2]string{r.better(ply), r.class(ply)}; got != want {
			t.Errorf("ply %d: %q, want %q", ply, got, want)
		}
	}
	// A loss of twice the noise is none yet.
	noisy := classified(&GameView{Moves: []string{"a", "b"}, Values: []float64{0.75, 0.5, 0.8125}, Noise: 0.125}, "XO")
	if d := cmp.Diff([]string{"", "mistake"}, noisy.Classes); d != "" {
		t.Error(d)
	}
}

// The course of a game is a line with areas above and below even, which meet where the line crosses; values beyond the game are not drawn,
// and nothing is where nothing is known.
func TestCurve(t *testing.T) {
	t.Parallel()
	of := func(frames int, values ...float64) *curve {
		return newCurve(&replay{GameView: &GameView{Values: values}, Frames: make([]board.Frame, frames)})
	}
	c := of(3, 0.9, 0.1, 0.5, 0.7) // from 10 over 90 to 50, 300 apart; even is crossed half way
	if c.Line != "0,10 300,90 600,50" || c.Above != "0,50 0,10 150,50 300,50 600,50 600,50" || c.Below != "0,50 0,50 150,50 300,90 600,50 600,50" || c.Step != 300 {
		t.Errorf("%+v", c)
	}
	if c := of(1, 0.5); c.Step != 600 || c.Line != "0,50" {
		t.Errorf("%+v", c)
	}
	nan := math.NaN()
	if c := of(2, nan, nan); c != nil {
		t.Errorf("%+v", c)
	}
	if c := of(3, nan, 0.9, 0.1); c.Line != "300,10 600,90" || !strings.HasPrefix(c.Above, "300,50 300,10 450,50 ") {
		t.Errorf("%+v", c)
	}
	for n, want := range map[int]bool{0: false, 1: false, 2: true} {
		r := &replay{GameView: &GameView{Values: make([]float64, n)}, Frames: make([]board.Frame, 2)}
		if got := arcOf(r) != nil; got != want {
			t.Errorf("%d values are drawn: %t", n, got)
		}
	}
}

// What a cell holds: an interval has a limit, an n at least one game; what is less than the last digit is not nothing.
func TestCellsAtTheirEdges(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	for _, c := range []struct {
		cell   table.Cell
		want   string
		number bool
	}{
		{table.Estimate(2, -inf, inf, 4, chart.Number, 0), "2, n = 4", true},
		{table.Estimate(2, -inf, 3, 4, chart.Number, 0), "2 (no bound to 3), n = 4", true},
		{table.Estimate(2, 1, inf, 4, chart.Number, 0), "2 (1 to no bound), n = 4", true},
		{table.Estimate(2, 1, 3, 1, chart.Number, 0), "2 (1 to 3), n = 1", true},
		{table.Estimate(2, 1, 3, 0, chart.Number, 0), "2 (1 to 3)", true},
		{table.Estimate(math.NaN(), 1, 3, 4, chart.Number, 0), "–", false},
		{table.Num(0.25, chart.Number, 0), "< 1", true},
		{table.Num(0.05, chart.Number, 1), "0.1", true},
		{table.Num(-0.25, chart.Number, 0), "0", true},
		{table.Count(7), "7", true},
		{table.Words("7"), "7", false},
		{table.None("why"), "–", false},
	} {
		if got := c.cell.String(); got != c.want || c.cell.IsNumber() != c.number {
			t.Errorf("%q, a number: %t; want %q", got, c.cell.IsNumber(), c.want)
		}
	}
	if why := table.Estimate(math.NaN(), 1, 3, 4, chart.Number, 0).Why(); why != "not a number" {
		t.Errorf("%q", why)
	}
}

// A document on a terminal, line by line, and in the 80 columns that it has where nobody says a width; parts that there are none of leave
// no empty lines.
func TestTextLineByLine(t *testing.T) {
	t.Parallel()
	d := &Document{
		Title: "A game", Subtitle: "Rules x", Verdict: Verdict{Headline: "It is fair."}, Answers: []Answer{{Question: "Fair?", Text: "Yes."}}, Glance: []string{"Short."},
		Chips:    []Chip{{Label: "score", Status: table.Good, Value: table.Count(7), Note: "nobody sees this beside it"}},
		Sections: []Section{{Title: "Who?", Lead: "X."}}, Missing: []Missing{{What: "Draws, all games"}, {What: "depth"}},
	}
	text := func(d *Document, width int) string {
		t.Helper()
		var b bytes.Buffer
		if err := d.Text(&b, width); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := "A game\nRules x\n\nFair? Yes.\nShort.\n\nIt is fair.\n\nwhat   verdict  value\nscore  good         7\nscore: nobody sees this beside it.\n\nWho: X.\n\nThe games cannot say: Draws, all games; depth.\n"
	got := text(d, 0)
	if got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got := text(&Document{Title: "A game", Verdict: Verdict{Headline: "It is fair."}}, 0); got != "A game\n\nIt is fair.\n" {
		t.Errorf("%q", got)
	}
	long := &Document{Title: "x", Verdict: Verdict{Headline: strings.Repeat("word ", 40)}}
	for width, words := range map[int]int{0: 16, -1: 16, 1: 1, 14: 3, 80: 16} { // words of four letters, and spaces between
		line := strings.Split(text(long, width), "\n")[2]
		if n := len(strings.Fields(line)); n != words {
			t.Errorf("%d wide: %d words in a line, want %d", width, n, words)
		}
	}
	var b bytes.Buffer
	if wrap(&b, "x", "", 9); b.String() != "x\n" {
		t.Errorf("%q", b.String())
	}
}

// A document in Markdown has its first picture and its figures where there is a place for images, and each part of which there is one.
func TestMarkdownLineByLine(t *testing.T) {
	t.Parallel()
	d := &Document{
		Title: "A game", Verdict: Verdict{Headline: "It is fair."}, Picture: &Figure{ID: "first", Title: "At first sight", Chart: slope(300)},
		Chips: []Chip{{Label: "score", Status: table.Good, Value: table.Count(7)}}, Facts: []Fact{{Name: "seed", Value: "1"}},
		Sections: []Section{{Title: "Who?", Figures: []Figure{{ID: "one", Title: "One", Caption: "All.", Chart: slope(300)}}, Tables: []table.Table{{Caption: "Empty", Columns: []table.Column{{Name: "a"}}}, {Caption: "Full", Columns: []table.Column{{Name: "a"}}, Rows: [][]table.Cell{{table.Count(1)}}}}}},
	}
	for _, images := range []bool{true, false} {
		var image func(string) string
		if images {
			image = func(id string) string { return id + ".svg" }
		}
		var b strings.Builder
		if err := d.Markdown(&b, image); err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]bool{"![At first sight](first.svg)": images, "![One](one.svg)": images, "| score ": true, "---\n\nseed: 1.\n": true, "Full:": true, "Empty": false} {
			if got := strings.Contains(b.String(), text); got != want {
				t.Errorf("images %t: %q is there: %t\n%s", images, text, got, &b)
			}
		}
	}
	if _, err := d.Figures(t.TempDir(), "bmp"); err == nil || !strings.Contains(err.Error(), `figure format "bmp": expected `) {
		t.Errorf("%v", err)
	}
}

// A report lists its sections from two on; a page of answers shows the last positions of its games; a game that cannot be played is an error.
func TestPageOfGames(t *testing.T) {
	t.Parallel()
	d := &Document{Title: "x", Answers: []Answer{{Question: "Ends?", Text: "Yes."}}, Sections: []Section{{Title: "One"}}, Finals: []GameView{{Title: "Short", Game: enginetest.Load(t, "classic"), Moves: strings.Fields("a1 b2")}}}
	html := func() string {
		t.Helper()
		var b strings.Builder
		if err := d.HTML(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	_, finals, _ := strings.Cut(html(), `class="finals"`)
	finals, _, _ = strings.Cut(finals, "</section>")
	if strings.Count(finals, "<b>X</b>") != 1 || strings.Count(finals, "<b>O</b>") != 1 {
		t.Errorf("the last position of a1 b2: %s", finals)
	}
	d.Answers = nil // a report, whose parts are all open
	for _, want := range []bool{false, true} {
		if got := strings.Contains(html(), `<nav aria-label="Sections">`); got != want {
			t.Errorf("%d sections are listed: %t", len(d.Sections), got)
		}
		d.Sections = append(d.Sections, Section{Title: "Two"})
	}
	d.Finals[0].Moves = []string{"a1", "a1"}
	if err := d.HTML(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), "ply 2") {
		t.Errorf("%v", err)
	}
}

// A figure that a phone has no room for is drawn once more, and one much wider than half a page has the whole of it.
func TestWidthsOfFigures(t *testing.T) {
	t.Parallel()
	for width, want := range map[float64][2]bool{slim: {false, false}, slim + 1: {false, true}, chart.Half + 60: {false, true}, chart.Half + 61: {true, true}} {
		d, _, err := Figure{Title: "f", Chart: slope(width)}.draw()
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]bool{d.Wide, d.Slim != nil}; got != want {
			t.Errorf("%g wide: over the whole page %t, drawn once more %t", width, got[0], got[1])
		}
	}
}
