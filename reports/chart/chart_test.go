package chart

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"spar/configs/must"
	"spar/ratings"
)

var update = flag.Bool("update", false, "write the golden files")

// nan is what a measure without data hands over.
var nan = math.NaN()

func change(from ratings.Estimate) *ratings.Estimate { return &from }

// gallery has one of everything. The numbers are made up; what is not a number must be left out.
func gallery() map[string]Chart {
	tiers := Axis{Label: "playouts per move", Unit: Log2}
	points := func(at, slope float64) (ps []Point) {
		for i := range 6 {
			y := at + slope*float64(i)
			ps = append(ps, Point{float64(6 + i), Between(y, y-0.03, y+0.03)})
		}
		return append(ps, Point{12, Bare(nan)})
	}
	cells := func(n, m int, mark bool) (out [][]Cell) {
		for i := range n {
			var row []Cell
			for j := range m {
				c := Cell{Value: 0.5 + 0.05*float64(i-j), Sub: "12–3–9"}
				switch {
				case i == j && mark:
					c = Cell{Value: nan, Text: "–"}
				case math.Abs(c.Value-0.5) < 0.06 && mark:
					c.Mark = Hatched
				}
				row = append(row, c)
			}
			out = append(out, row)
		}
		return out
	}
	var board []Cell
	for i := range 9 {
		board = append(board, Cell{Value: 0.35 + 0.05*float64(i*5%9), Sub: "n 210"})
	}
	even := Scale{Lo: 0.3, Hi: 0.7, Mid: 0.5, Diverging: true, Unit: Percent}
	inf := math.Inf(1)
	var marked [][]Cell
	for i := range 3 {
		var row []Cell
		for j := range 7 {
			row = append(row, Cell{
				Value: 12 + 40*float64(i)*float64(j), Mark: Mark(1<<j) | Mark(i)*Framed,
				Sub: []string{"n 9", "", "a line that is too long"}[i],
			})
		}
		marked = append(marked, row)
	}
	marked[1][3] = Cell{Value: 15, Text: "12 345 678 901"}
	long := make([]float64, 40)
	for i := range long {
		long[i] = 0.5 + 0.4*math.Sin(float64(i)/4)
	}
	return map[string]Chart{
		// What the others leave out: marks of cells, open ends, clipped intervals, zones, labels that push each other away.
		"marks": &Grid{
			Columns: strings.Fields("a b c d e f a-long-name-for-a-column"), Rows: []string{"x", "y", "z"},
			XLabel: "columns", YLabel: "rows", Cells: marked, Scale: Scale{Unit: Integer, Label: "plies"},
		},
		"centred": &Grid{
			Columns: []string{"a", "b"}, Rows: []string{"x"}, NoBar: true,
			Cells: [][]Cell{{{Value: 0.4}, {Value: 0.9}}}, Scale: Scale{Mid: 0.5, Diverging: true},
		},
		"open": &Lines{
			X: Axis{Label: "x"}, Y: Axis{Label: "y", Min: -5, Max: 10}, Zone: [2]float64{-1, 1},
			Refs: []Ref{{0, "zero"}, {0.5, "half"}}, Lines: []Line{{
				Name: "stairs", Style: Stairs,
				Points: []Point{{3, Bare(4)}, {1, Between(1, -90, 90)}, {2, Bare(3)}},
			}, {
				Name: "dots", Style: Dots,
				Points: []Point{
					{1, Between(2, -inf, 3)},
					{2, Between(2, 1, inf)},
					{3, Between(2, -inf, inf)},
					{4, Bare(12)},
				},
			}, {Name: "plain", Style: Plain, Colour: C, Points: []Point{{1, Bare(0.2)}, {4, Bare(0.3)}}}},
		},
		"arrows": &Named{"vanishing", &Scatter{Dots: []Dot{
			{X: Bare(1), Y: Between(1, -inf, 2)},
			{X: Between(2, 1, inf), Y: Between(2, -inf, inf)},
		}}},
		"clipped": &Forest{
			X:    Axis{Label: "Elo", Unit: Signed, Min: -100, Max: 100},
			Refs: []Ref{{-10, "worse than it"}, {10, "better than it"}, {500, "outside"}},
			Rows: []Row{
				{Label: "wide", Estimate: Between(20, -300, 300), Note: "±300"},
				{Label: "below", Estimate: Between(-150, -200, -90)},
				{Label: "none", Estimate: Bare(30)},
				{Label: "nought", Estimate: Between(0, 0, 0)},
			},
		},
		"changes": &Forest{
			X: Axis{Label: "x"}, Refs: []Ref{{3, "three"}}, After: "after",
			Rows: []Row{
				{Label: "came", From: change(Bare(nan)), Estimate: Between(2, 1, 4)},
				{Label: "noted", From: change(Bare(1)), Estimate: Bare(3), Note: "three times"},
			},
		},
		"cloud": &Scatter{
			X: Axis{Label: "x"}, Y: Axis{Label: "y"}, Dots: []Dot{
				{X: Bare(3), Y: Between(3, 2, 4), Label: "c", Front: true},
				{X: Between(1, 0.5, 1.5), Y: Between(1, 1, 1), Label: "a", Front: true},
				{X: Bare(1.01), Y: Bare(1.01), Label: "hidden behind a"},
				{X: Bare(2), Y: Bare(6), Label: "b", Hollow: true},
			},
		},
		"parted": &Histogram{
			X: Axis{Label: "plies", Unit: Integer, Min: 1, Max: 4}, Y: "games",
			Parts: []Part{{"won", First}, {"drawn", Draws}}, Marks: []Ref{{2, "median"}, {3, "95 %"}},
			Bins: []Bin{
				{0.5, 1.5, []float64{3, 1}},
				{1.5, 2.5, []float64{5, 2, 9}},
				{4.5, 5.5, []float64{1, 1}},
				{3, 2, []float64{7}},
			},
		},
		"slim": Slim(&Grid{Columns: []string{"a"}, Rows: []string{"b"}, Cells: [][]Cell{{{Value: 1}}}}),
		"band": &Lines{
			X: tiers, Y: Axis{Label: "first player scores", Unit: Percent},
			Lines: []Line{{Name: "true start", Points: points(0.52, 0.02)}, {Name: "openings", Points: points(0.5, 0.004)}},
			Refs:  []Ref{{0.5, "even"}}, Zone: [2]float64{0.45, 0.55},
		},
		"whiskers": &Lines{
			X: tiers, Y: Axis{Label: "Elo", Unit: Signed},
			Lines: []Line{{Points: []Point{
				{6, Between(10, -20, 40)},
				{7, Between(80, 50, 110)},
				{8, Between(120, 90, nan)},
			}, Style: Whiskers}},
		},
		"forest": &Forest{
			X: Axis{Label: "Elo against the twin", Unit: Signed},
			Rows: []Row{{Label: "greedy", Estimate: Between(-220, -260, -180)}, {
				Label: "never captures", Estimate: Between(-35, -60, -10), Hollow: true,
			}, {Label: "no data", Estimate: Bare(nan)}}, Refs: []Ref{{0, "no difference"}},
		},
		"bars": &Forest{
			X: Axis{Label: "rungs"}, Bars: true,
			Rows: []Row{{Label: "classic", Estimate: Between(3.2, 3, 3.4)}, {Label: "ctor", Estimate: Between(11, 10, 12.5)}},
		},
		"dumbbell": &Forest{
			X: Axis{Label: "distance from even", Unit: Percent}, Before: "free play", After: "with pie rule",
			Rows: []Row{
				{Label: "mcts-400", From: change(Between(0.11, 0.08, 0.14)), Estimate: Between(0.01, 0, 0.03)},
				{Label: "mcts-800", From: change(Between(0.14, 0.12, 0.16)), Estimate: Bare(nan)},
			},
		},
		"stack": &Stack{Parts: Outcome(strings.TrimSpace), Ref: 0.5, Bars: []Bar{
			{"random", []float64{58, 10, 3, 29}, 400},
			{"mcts-100", []float64{0.5, 0.01, 0, 0.49}, 400},
			{"nobody", make([]float64, 4), 0},
		}},
		"histogram": &Histogram{
			X: Axis{Label: "length (plies)", Unit: Integer}, Y: "games",
			Bins: []Bin{
				{4.5, 6.5, []float64{3}},
				{6.5, 8.5, []float64{9}},
				{8.5, 10.5, []float64{nan}},
				{10.5, 12.5, []float64{6}},
				{12.5, 14.5, []float64{2}},
			}, Marks: []Ref{{15, "median 15"}, {21, "95 % 21"}},
		},
		"parts": &Histogram{
			X: Axis{Label: "length (plies)", Unit: Integer}, Y: "games",
			Parts: []Part{{"won", First}, {"cap", Caps}},
			Bins:  []Bin{{0.5, 1.5, []float64{3, 1}}, {1.5, 2.5, []float64{5, nan}}},
		},
		"heat": &Grid{
			Columns: []string{"3", "4", "5"}, Rows: []string{"3×3", "4×4", "5×5"}, XLabel: "pieces.cap",
			YLabel: "board", Cells: cells(3, 3, false), Scale: even,
		},
		"cross": &Grid{Columns: []string{"1", "2", "3", "4"}, Rows: []string{
			"1 minimax-5", "2 mcts-2000", "3 greedy",
			"4 random",
		}, Cells: cells(4, 4, true), Scale: even},
		"board": Board(3, board, even),
		"scatter": &Scatter{
			X: Axis{Label: "distance from even", Unit: Percent}, Y: Axis{Label: "depth (rungs)"},
			Dots: []Dot{
				{X: Between(0.01, 0, 0.03), Y: Bare(3), Label: "cap 3", Front: true},
				{X: Bare(0.04), Y: Bare(6), Label: "cap 4", Front: true},
				{X: Bare(0.08), Y: Bare(5), Label: "cap 5", Hollow: true},
				{X: Bare(nan), Y: Bare(1)},
			},
		},
	}
}

func TestChartsAreTheGoldenOnes(t *testing.T) {
	t.Parallel()
	for name, c := range gallery() {
		var b bytes.Buffer
		if err := Write(&b, c, "svg", name); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		path := "testdata/" + name + ".svg"
		if *update {
			must.Do(t, os.WriteFile(path, b.Bytes(), 0o644))
		}
		want := must.Get(os.ReadFile(path))(t)
		if d := cmp.Diff(string(want), b.String()); d != "" {
			t.Errorf("%s: run go test with -update and look at it: %s", name, d)
		}
	}
}

// The security policy of a page blocks style attributes; and nothing that is not a number may reach a file.
func TestChartsHaveNoStyleAttributesAndNoNaN(t *testing.T) {
	t.Parallel()
	bad := regexp.MustCompile(`style=|NaN|Inf|https?://[^w]`)
	for name, c := range gallery() {
		b := must.Get(SVG(c, `alt "text" <b>`))(t)
		if m := bad.Find(b); m != nil {
			t.Errorf("%s contains %s", name, m)
		}
		if !bytes.Contains(b, []byte(`aria-label="alt &#34;text&#34; &lt;b&gt;"`)) {
			t.Errorf("%s: the text for those who do not see it is missing", name)
		}
	}
}

func TestNoDataIsAnErrorAndNoFigure(t *testing.T) {
	t.Parallel()
	empty := map[string]Chart{
		"lines": &Lines{}, "lines of NaN": &Lines{Lines: []Line{{Points: []Point{{1, Bare(nan)}, {math.Inf(1), Bare(1)}}}}},
		"forest": &Forest{}, "forest of NaN": &Forest{Rows: []Row{{Estimate: Bare(nan)}}},
		"change of NaN": &Forest{Rows: []Row{{From: change(Bare(nan))}}},
		"stack":         &Stack{}, "stack of nothing": &Stack{
			Parts: Outcome(strings.TrimSpace),
			Bars:  []Bar{{Values: []float64{0, nan, -1}}},
		},
		"histogram": &Histogram{}, "histogram of nothing": &Histogram{Bins: []Bin{
			{0, 1, nil},
			{1, 1, []float64{5}},
		}},
		"grid": &Grid{}, "grid of NaN": &Grid{Columns: []string{"a"}, Rows: []string{"b"}, Cells: [][]Cell{{{Value: nan}}}},
		"board": Board(0, nil, Scale{}), "named nothing": &Named{"nothing", &Lines{}},
		"scatter": &Scatter{Dots: []Dot{{X: Bare(nan)}}},
	}
	for name, c := range empty {
		for _, format := range Formats() {
			if err := Write(&bytes.Buffer{}, c, format, ""); !errors.Is(err, ErrNoData) {
				t.Errorf("%s as %s: %v, want ErrNoData", name, format, err)
			}
		}
	}
}

// Degenerate data draw without a panic: one point, equal values, huge ones.
func TestDegenerateDataDraw(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Chart{
		"one point":    &Lines{Lines: []Line{{Name: "x", Points: []Point{{1, Bare(1)}}}}},
		"equal values": &Forest{Rows: []Row{{Label: "a", Estimate: Between(2, 2, 2)}, {Label: "b", Estimate: Bare(2)}}},
		"huge":         &Lines{Y: Axis{Label: "y"}, Lines: []Line{{Points: []Point{{0, Bare(-1e300)}, {1, Bare(1e300)}}}}},
		"tiny":         &Scatter{Dots: []Dot{{X: Bare(1e-300), Y: Bare(2e-300)}, {}}},
		"one cell":     Board(1, []Cell{{Value: 3}}, Scale{}),
		"one value":    &Histogram{Bins: []Bin{{7, 8, []float64{1}}}},
	} {
		for _, format := range Formats() {
			if err := Write(&bytes.Buffer{}, c, format, ""); err != nil {
				t.Errorf("%s as %s: %v", name, format, err)
			}
		}
	}
}

func TestSameBytesEachTime(t *testing.T) {
	t.Parallel()
	for name, c := range gallery() {
		formats := []string{"svg", "png"}
		if len(name)%3 > 0 { // pixels are slow, and all charts are painted alike
			formats = formats[:1]
		}
		for _, format := range formats {
			var a, b bytes.Buffer
			must.Do(t, errors.Join(Write(&a, c, format, ""), Write(&b, gallery()[name], format, "")))
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Errorf("%s as %s differs from itself", name, format)
			}
		}
	}
}

// Every dot has its name once: next to it, or, where there is no room, in a list. No name overlaps another one or leaves
// the picture.
func TestNoNameIsCutOrOverprinted(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`<text [^>]*x="([0-9.]+)" y="([0-9.]+)" font-size="11">([^<]*(?:agent|[0-9]  )[^<]*)</text>`)
	style := textStyle(tickSize, Ink)
	rapid.Check(t, func(t *rapid.T) {
		s := &Scatter{Dim: Dim{Width: Full, Height: 400}, All: true}
		for i := range rapid.IntRange(1, 15).Draw(t, "dots") {
			y := rapid.Float64Range(-1, 1).Draw(t, "y")
			s.Dots = append(s.Dots, Dot{
				X: Bare(rapid.Float64Range(0, 3).Draw(t, "x")), Y: Between(y, y-0.1, y+0.1),
				Label: fmt.Sprint("agent ", i), Front: rapid.Bool().Draw(t, "front"),
			})
		}
		out := must.Get(SVG(s, ""))(t)
		var taken [][4]float64
		for _, m := range name.FindAllStringSubmatch(string(out), -1) {
			x, _ := strconv.ParseFloat(m[1], 64)
			y, _ := strconv.ParseFloat(m[2], 64)
			r := [4]float64{x, y - 9, x + style.Width(m[3]).Points(), y + 2}
			for _, o := range taken {
				if r[0] < o[2] && o[0] < r[2] && r[1] < o[3] && o[1] < r[3] {
					t.Fatalf("%q overlaps another name", m[3])
				}
			}
			if r[0] < 0 || r[1] < 0 || r[2] > Full || r[3] > 400 {
				t.Fatalf("%q leaves the picture: %v", m[3], r)
			}
			taken = append(taken, r)
		}
		if len(taken) != len(s.Dots) {
			t.Fatalf("%d names of %d dots", len(taken), len(s.Dots))
		}
	})
}
