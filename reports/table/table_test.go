package table

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"spar/configs/must"
	"spar/ratings"
	"spar/reports/chart"
)

func TestCellsInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cell Cell
		want string
	}{
		{Estimate(ratings.WithInterval(0.579, 0.564, 0.593, 1200), chart.Percent, 1), "57.9 % (56.4 to 59.3), n = 1200"},
		{Estimate(ratings.WithInterval(35, 10, math.Inf(1), 50), chart.Signed, 0), "+35 (+10 to no bound), n = 50"},
		{Estimate(ratings.WithInterval(-5, math.Inf(-1), -2.5, 3), chart.Number, 1), "-5.0 (no bound to -2.5), n = 3"},
		{Estimate(ratings.WithInterval(2, math.NaN(), 3, 4), chart.Number, 0), "2, n = 4"},
		{Num(math.NaN(), chart.Number, 1), "–"},
		{Num(2.5e-9, chart.Number, 3), "< 0.001"},
		{Num(0, chart.Number, 3), "0.000"},
		{Count(12345), "12 345"},
		{None("no games"), "–"},
		{Words("a b"), "a b"},
	} {
		if got := c.cell.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if why := Num(v, chart.Number, 1).Why(); why != "not a number" {
			t.Errorf("%v has the reason %q", v, why)
		}
	}
}

// Reasons to doubt a value become footnotes of the table, one letter for each reason.
func TestFootnotes(t *testing.T) {
	t.Parallel()
	one := Estimate(ratings.WithInterval(0.5, 0.4, 0.6, 12), chart.Percent, 0)
	tab := Table{
		Columns: []Column{{Name: "a"}, {Name: "b"}}, Note: "By pairs.",
		Rows: [][]Cell{
			{one.Doubting("few games"), one},
			{one.Doubting("only a limit"), one.Doubting("few games")},
			{None("no games").Doubting("never shown"), one},
		},
	}
	got := tab.Footnotes()
	if want := "By pairs. a: few games. b: only a limit."; got.Note != want {
		t.Errorf("%q, want %q", got.Note, want)
	}
	if s := got.Rows[1][1].String(); s != "50 % (40 to 60), n = 12 [a]" || got.Rows[0][1].Mark() != "" ||
		got.Rows[1][0].Mark() != "b" || got.Rows[2][0].Mark() != "" {
		t.Errorf("%q and the marks %q %q %q", s, got.Rows[0][1].Mark(), got.Rows[1][0].Mark(), got.Rows[2][0].Mark())
	}
	if tab.Rows[0][0].Mark() != "" {
		t.Error("the table given was changed")
	}
}

func TestTablesAsData(t *testing.T) {
	t.Parallel()
	tab := Table{
		Caption: "t", Columns: []Column{{Name: "agent", Text: true}, {Name: "score"}, {Name: "games"}},
		Rows: [][]Cell{
			{
				Words(`a "b", c`), Estimate(ratings.WithInterval(0.25, 0.125, math.Inf(1), 8), chart.Percent, 1).With(Poor),
				Count(8),
			},
			{Words("d"), None("not played"), Count(0)},
		},
	}
	var b bytes.Buffer
	must.Do(t, tab.CSV(&b))
	want := "agent,score,score low,score high,score n,score verdict,games\n\"a \"\"b\"\", " +
		"c\",0.25,0.125,,8,poor,8\nd,,,,,,0\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	b.Reset()
	must.Do(t, tab.JSON(&b))
	var rows []map[string]any
	if err := json.Unmarshal(b.Bytes(), &rows); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	if d := cmp.Diff([]map[string]any{
		{
			"agent": `a "b", c`, "score": 0.25, "score low": 0.125, "score high": nil, "score n": 8.0, "score verdict": "poor",
			"games": 8.0,
		},
		{"agent": "d", "score": nil, "score low": nil, "score high": nil, "score n": nil, "score verdict": nil, "games": 0.0},
	}, rows); d != "" {
		t.Error(d)
	}
}

func TestTablesThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	for want, tab := range map[string]Table{
		"row 1: 1 cells for 2 columns": {Columns: []Column{{Name: "a"}, {Name: "b"}}, Rows: [][]Cell{{Count(1)}}},
		"two columns":                  {Columns: []Column{{Name: "a"}, {Name: "a"}}},
	} {
		must.Fail(t, tab.Text(&bytes.Buffer{}, 0), want)
	}
}

// Columns line up, words at the left and numbers at the right. Optional columns without values and columns for programs
// are left out, and beyond the third those for which the screen is too narrow. An estimate takes two columns.
func TestText(t *testing.T) {
	t.Parallel()
	type row struct {
		name  string
		score Cell
	}
	tab := Rows([]row{{"x", Estimate(ratings.WithInterval(0.5, 0.4, 0.6, 12), chart.Percent, 0)}, {"longer", None("not played")}}, func(r row) []any {
		return []any{
			"name", r.name, "score",
			As{Column{Title: "mean score"}, r.score},
			"nothing", Words(""), "raw", Data(7), "games", 12,
			"plies", int64(9),
		}
	})
	for width, want := range map[int]string{
		0: `name    mean score      95 %  games  plies
x             50 %  40 to 60     12      9
longer           –               12      9
`,
		40: `name    mean score      95 %  games
x             50 %  40 to 60     12
longer           –               12
1 column hidden: plies (a wider terminal
shows them)
`,
	} {
		var b bytes.Buffer
		if err := tab.Text(&b, width); err != nil || b.String() != want {
			t.Errorf("%d wide: %v\n%s\nwant\n%s", width, err, b.String(), want)
		}
	}
}

// A list has the rows as they were added; names that would break a line are quoted or replaced, in the head as well.
func TestList(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	l := To(&b, []string{"na\x1bme", "n", ""}, 2)
	l.Add("a\x1b[2Jb", 7, "x")
	l.Add("b", 1234)
	l.Write()
	golden := "\"na\\x1bme\"      n\n\"a\\x1b[2Jb\"     7  x\nb            1234\n"
	if d := cmp.Diff(golden, b.String()); d != "" {
		t.Error(d)
	}
}

// A table that is wider than its screen wraps its words, and omits no column as long as that is enough. The last
// words stand below their row if that takes fewer lines.
func TestTextWraps(t *testing.T) {
	t.Parallel()
	l := To(io.Discard, []string{"name", "score", "about"}, 2)
	l.Add("hex", "12", "Connect your two sides of a rhombus of hexagons.")
	for width, want := range map[int]string{
		49: `name  score  about
hex      12  Connect your two sides of a rhombus
             of hexagons.
`,
		30: `name  score
hex      12
  Connect your two sides of a
  rhombus of hexagons.
`,
	} {
		var out strings.Builder
		if err := l.Text(&out, width); err != nil || out.String() != want {
			t.Errorf("%d wide: %v\n%s\nwant\n%s", width, err, out.String(), want)
		}
	}
}

// A column that is kept stands below its row, and others give way; words without spaces break.
func TestTextKeepsAColumn(t *testing.T) {
	t.Parallel()
	tab := Rows([]int{7}, func(n int) []any {
		return []any{
			"verdict", "fair", "games", n, "why", "", "a number of plies", n,
			"change",
			As{Column{Text: true, Kept: true}, Words("placement.opening=[\"a1\",\"b1\"]")},
		}
	})
	var out strings.Builder
	want := "verdict  games  why\nfair         7\n  placement.opening=[\"\n  a1\",\"b1\"]\n" +
		"1 column hidden: a\nnumber of plies (a\nwider terminal shows\nthem)\n"
	if err := tab.Text(&out, 22); err != nil || out.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out.String(), want)
	}
}
