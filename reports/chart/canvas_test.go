package chart

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Steps on a canvas apply to what is drawn after them, the last one first: where (10, 20) of the drawing then stands, the file's y
// axis pointing down from 100.
func TestTransformsOfTheCanvas(t *testing.T) {
	t.Parallel()
	quarter := math.Pi / 2
	for _, c := range []struct {
		name string
		do   func(c *svgCanvas)
		x, y float64
	}{
		{"nothing", func(c *svgCanvas) {}, 10, 80},
		{"moved", func(c *svgCanvas) { c.Translate(vg.Point{X: 3, Y: 5}) }, 13, 75},
		{"scaled", func(c *svgCanvas) { c.Scale(2, 3) }, 20, 40},
		{"turned left", func(c *svgCanvas) { c.Rotate(quarter) }, -20, 90},
		{"turned right", func(c *svgCanvas) { c.Rotate(-quarter) }, 20, 110},
		{"turned left, then moved along", func(c *svgCanvas) { c.Rotate(quarter); c.Translate(vg.Point{X: 3, Y: 5}) }, -25, 87},
		{"moved, then turned", func(c *svgCanvas) { c.Translate(vg.Point{X: 3, Y: 5}); c.Rotate(quarter) }, -17, 85},
		{"scaled, then moved in the new unit", func(c *svgCanvas) { c.Scale(2, 3); c.Translate(vg.Point{X: 3, Y: 5}) }, 26, 25},
		{"turned, then scaled", func(c *svgCanvas) { c.Rotate(quarter); c.Scale(2, 3) }, -60, 80},
		{"scaled, then turned", func(c *svgCanvas) { c.Scale(2, 3); c.Rotate(quarter) }, -40, 70},
		{"turned twice and scaled", func(c *svgCanvas) { c.Rotate(quarter); c.Scale(2, 3); c.Rotate(quarter) }, -30, 140},
		{"turned by an eighth twice", func(c *svgCanvas) { c.Rotate(quarter / 2); c.Rotate(quarter / 2) }, -20, 90},
		{"moved twice when scaled and turned", func(c *svgCanvas) {
			c.Rotate(quarter)
			c.Scale(2, 3)
			c.Translate(vg.Point{X: 1, Y: 1})
			c.Translate(vg.Point{X: 1, Y: 1})
		}, -66, 76},
		{"and back", func(c *svgCanvas) {
			c.Push()
			c.Rotate(1)
			c.Push()
			c.Scale(2, 2)
			c.Pop()
			c.Pop()
		}, 10, 80},
	} {
		canvas := newSVG(200, 100)
		c.do(canvas)
		if x, y := canvas.at(vg.Point{X: 10, Y: 20}); math.Abs(x-c.x) > 1e-9 || math.Abs(y-c.y) > 1e-9 {
			t.Errorf("%s: %g, %g, want %g, %g", c.name, x, y, c.x, c.y)
		}
	}
}

// What is drawn, as SVG.
func TestShapesInSVG(t *testing.T) {
	t.Parallel()
	var line, curves, half, whole, right vg.Path
	line.Move(vg.Point{X: 10, Y: 20})
	line.Line(vg.Point{X: 30, Y: 20.004})
	curves.Move(vg.Point{})
	curves.QuadTo(vg.Point{X: 1, Y: 2}, vg.Point{X: 3, Y: 4})
	curves.CubeTo(vg.Point{X: 5, Y: 6}, vg.Point{X: 7, Y: 8}, vg.Point{X: 9, Y: 10})
	curves.Close()
	half.Arc(vg.Point{X: 50, Y: 50}, 10, 0, math.Pi)
	whole.Move(vg.Point{X: 60, Y: 50})
	whole.Arc(vg.Point{X: 50, Y: 50}, 10, 0, 2*math.Pi)
	right.Arc(vg.Point{X: 50, Y: 50}, 10, 0, -math.Pi/2)
	grey := color.NRGBA{R: 16, G: 32, B: 255, A: 255}
	face := font.DefaultCache.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, 12)
	for _, c := range []struct {
		name string
		draw func(c *svgCanvas)
		want string
	}{
		{"a line", func(c *svgCanvas) { c.SetColor(Ink); c.SetLineWidth(1); c.Stroke(line) }, `<path class="s s-ink" d="M10 80L30 80"/>`},
		{"a wide one, dashed", func(c *svgCanvas) {
			c.SetColor(Ink)
			c.SetLineWidth(2.5)
			c.SetLineDash([]vg.Length{4, 3}, 1)
			c.Stroke(line)
		}, `<path class="s s-ink" stroke-width="2.5" stroke-dasharray="4 3" stroke-dashoffset="1" d="M10 80L30 80"/>`},
		{"dashed from the beginning", func(c *svgCanvas) {
			c.SetColor(Ink)
			c.SetLineWidth(1)
			c.SetLineDash([]vg.Length{4}, 0)
			c.Stroke(line)
		}, `<path class="s s-ink" stroke-dasharray="4" d="M10 80L30 80"/>`},
		{"a line without a width", func(c *svgCanvas) { c.SetColor(Ink); c.SetLineWidth(0); c.Stroke(line) }, ""},
		{"a line without a colour", func(c *svgCanvas) { c.SetColor(color.Transparent); c.SetLineWidth(1); c.Stroke(line) }, ""},
		{"an area without a colour", func(c *svgCanvas) { c.SetColor(color.Transparent); c.Fill(line) }, ""},
		{"a colour without a role", func(c *svgCanvas) { c.SetColor(grey); c.Fill(line) }, `<path fill="#1020ff" d="M10 80L30 80"/>`},
		{"and for a line", func(c *svgCanvas) { c.SetColor(grey); c.SetLineWidth(1); c.Stroke(line) }, `<path class="s" stroke="#1020ff" d="M10 80L30 80"/>`},
		{"half through", func(c *svgCanvas) { c.SetColor(color.NRGBA{A: 51}); c.Fill(line) }, `<path fill="#000000" fill-opacity="0.2" d="M10 80L30 80"/>`},
		{"faded", func(c *svgCanvas) { c.SetColor(Ink.Fade(0.5)); c.Fill(line) }, `<path class="f-ink" fill-opacity="0.5" d="M10 80L30 80"/>`},
		{"curves", func(c *svgCanvas) { c.SetColor(Ink); c.Fill(curves) }, `<path class="f-ink" d="M0 100Q1 98 3 96C5 94 7 92 9 90Z"/>`},
		{"half a circle", func(c *svgCanvas) { c.SetColor(Ink); c.Fill(half) }, `<path class="f-ink" d="M60 50A10 10 0 0 0 40 50"/>`},
		{"a whole one", func(c *svgCanvas) { c.SetColor(Ink); c.Fill(whole) }, `<path class="f-ink" d="M60 50L60 50A10 10 0 0 0 40 50A10 10 0 0 0 60 50"/>`},
		{"a quarter to the right", func(c *svgCanvas) { c.SetColor(Ink); c.Fill(right) }, `<path class="f-ink" d="M60 50A10 10 0 0 1 50 60"/>`},
		{"four times as large", func(c *svgCanvas) {
			c.Rotate(math.Pi / 2)
			c.Scale(4, 4)
			c.SetColor(Ink)
			c.Fill(right)
		}, `<path class="f-ink" d="M-200 -140A40 40 0 0 1 -160 -100"/>`},
		{"text", func(c *svgCanvas) { c.SetColor(Ink); c.FillString(face, vg.Point{X: 10, Y: 20}, "a<b") }, `<text class="f-ink" x="10" y="80" font-size="12">a&lt;b</text>`},
		{"text that climbs", func(c *svgCanvas) { c.SetColor(Ink); c.Rotate(math.Pi / 6); c.FillString(face, vg.Point{}, "a") }, `<text class="f-ink" x="0" y="100" font-size="12" transform="rotate(-30 0 100)">a</text>`},
		{"text upside down", func(c *svgCanvas) { c.SetColor(Ink); c.Scale(-1, 1); c.FillString(face, vg.Point{}, "a") }, `<text class="f-ink" x="0" y="100" font-size="12" transform="rotate(180 0 100)">a</text>`},
		{"no text", func(c *svgCanvas) { c.SetColor(Ink); c.FillString(face, vg.Point{}, "") }, ""},
		{"text without a size", func(c *svgCanvas) { c.SetColor(Ink); c.FillString(font.Face{}, vg.Point{}, "a") }, ""},
	} {
		canvas := newSVG(200, 100)
		c.draw(canvas)
		if got := strings.TrimSpace(canvas.body.String()); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
	if _, _, _, a := Ink.Fade(0.25).RGBA(); a != 0xffff/4 {
		t.Errorf("a quarter of a colour has an alpha of %#x", a)
	}
	for v, want := range map[float64]string{0.005: "0.01", -0.001: "0", 3: "3", -2.5: "-2.5", 1234.567: "1234.57"} {
		if got := short(v); got != want {
			t.Errorf("%g: %s, want %s", v, got, want)
		}
	}
}

// The range of an axis: as many places as names, its own, or that of the data with a twentieth or so more, but never below 0 where
// nothing is, and of shares never beyond 0 and 1.
func TestRangesOfAxes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		axis   Axis
		data   []float64
		lo, hi float64
	}{
		{Axis{Names: []string{"a", "b", "c"}}, []float64{9}, -0.5, 2.5},
		{Axis{Min: 2, Max: 3}, []float64{9}, 2, 3},
		{Axis{Min: -1}, []float64{9}, -1, 0},
		{Axis{Max: 1}, []float64{9}, 0, 1},
		{Axis{}, nil, 0, 1},
		{Axis{}, []float64{0, 10}, 0, 10.6},
		{Axis{}, []float64{-10, 10}, -11.2, 11.2},
		{Axis{}, []float64{5, 6}, 4.94, 6.06},
		{Axis{}, []float64{2}, 1.9, 2.1},
		{Axis{}, []float64{-4}, -4.2, -3.8},
		{Axis{}, []float64{0}, 0, 0.02},
		{Axis{}, []float64{-0.1}, -0.12, -0.08},
		{Axis{Unit: Percent}, []float64{0.5, 0.99}, 0.4706, 1},
		{Axis{Unit: Percent}, []float64{0.01, 0.5}, 0, 0.5294},
		{Axis{Unit: Percent}, []float64{-0.2, 1.3}, -0.2, 1.3},
		{Axis{}, []float64{1, math.NaN(), math.Inf(1)}, 0.95, 1.05},
	} {
		s := newSpread()
		s.add(c.data...)
		if lo, hi := c.axis.rangeOf(s); math.Abs(lo-c.lo) > 1e-9 || math.Abs(hi-c.hi) > 1e-9 {
			t.Errorf("%+v over %v: %g to %g, want %g to %g", c.axis, c.data, lo, hi, c.lo, c.hi)
		}
	}
	for _, got := range [][]plot.Tick{(Axis{Unit: Integer}).ticks(3, 9, 0), (Axis{Unit: Integer}).ticks(3, 3, 5)} { // no room, or nothing between the ends
		if len(got) != 1 || got[0].Label != "3" {
			t.Errorf("%+v", got)
		}
	}
}

// Names at the right end of lines that end at one height stand a line apart, in the order of their ends, and none below the axis.
func TestNamesStandApart(t *testing.T) {
	t.Parallel()
	for _, ends := range [][]float64{{1, 1, 1, 1}, {3, 1, 2, 1.01}, {0, 0, 0, 0}, {10, 0, 5, 7}} {
		l := &Lines{Y: Axis{Min: 0, Max: 10}}
		for i, y := range ends {
			l.Lines = append(l.Lines, Line{Name: fmt.Sprintf("name-%d", i), Points: []Point{{X: 0, Y: y}, {X: 1, Y: y}}, Style: Plain})
		}
		b, err := SVG(l, "")
		if err != nil {
			t.Fatal(err)
		}
		at := map[int]float64{}
		for _, m := range regexp.MustCompile(`y="([0-9.]+)"[^>]*>name-(\d)<`).FindAllStringSubmatch(string(b), -1) {
			var i int
			var y float64
			fmt.Sscan(m[2], &i)
			fmt.Sscan(m[1], &y)
			at[i] = y
		}
		if len(at) != len(ends) {
			t.Fatalf("%d names", len(at))
		}
		for i := range ends {
			for j := range ends {
				if i != j && math.Abs(at[i]-at[j]) < 13.5 {
					t.Errorf("%v: names %d and %d overlap: %v", ends, i, j, at)
				}
				if ends[i] > ends[j] && at[i] > at[j] {
					t.Errorf("%v: name %d stands below name %d: %v", ends, i, j, at)
				}
			}
		}
	}
}

// Words of a cell get smaller by one size before they are left out, and what stands below them with them.
func TestWordsFitIntoCells(t *testing.T) {
	t.Parallel()
	const words = "12 345 678"
	large, small := textStyle(labelSize, Ink).Width(words), textStyle(tickSize, Ink).Width(words)
	for _, c := range []struct {
		width vg.Length
		size  string // of the words; empty where they do not fit
		sub   bool
	}{{large + 4, "12", true}, {large + 2.9, "11", true}, {small + 1.1, "11", true}, {small + 0.9, "", false}} {
		canvas := newSVG(200, 100)
		Scale{Lo: 0, Hi: 1}.cell(draw.Canvas{Canvas: canvas, Rectangle: vg.Rectangle{Max: vg.Point{X: 200, Y: 100}}}, vg.Rectangle{Max: vg.Point{X: c.width, Y: 30}}, Cell{Value: 0.5, Text: words, Sub: "±5"})
		got := canvas.body.String()
		m := regexp.MustCompile(`font-size="(\d+)">` + words).FindStringSubmatch(got)
		if c.size == "" && m != nil || c.size != "" && (m == nil || m[1] != c.size) || strings.Contains(got, "±5") != c.sub {
			t.Errorf("%.1f wide: %v, want %q; sub %t\n%s", c.width, m, c.size, c.sub, got)
		}
	}
}

// Cells beyond the names of rows and columns are not drawn, nor values of a stack beyond its parts, nor negative ones.
func TestWhatIsBeyondNamesIsNotDrawn(t *testing.T) {
	t.Parallel()
	svg := func(c Chart) string {
		var b bytes.Buffer
		if err := Write(&b, c, "svg", ""); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	grid := func(cells [][]Cell) Chart {
		return &Grid{Columns: []string{"a", "b"}, Rows: []string{"x", "y"}, Cells: cells, Scale: Scale{Lo: 0, Hi: 9}}
	}
	row := func(vs ...float64) (out []Cell) {
		for _, v := range vs {
			out = append(out, Cell{Value: v})
		}
		return out
	}
	want := svg(grid([][]Cell{row(1, 2), row(3, 4)}))
	for name, cells := range map[string][][]Cell{"a column": {row(1, 2, 8), row(3, 4)}, "a row": {row(1, 2), row(3, 4), row(8)}, "both": {row(1, 2, 8), row(3, 4), row(8, 8, 8)}} {
		if d := cmp.Diff(want, svg(grid(cells))); d != "" {
			t.Errorf("%s too many: %s", name, d)
		}
	}
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{1, 3}, []float64{0.25, 0.75}}, {[]float64{1, 3, 9}, []float64{0.25, 0.75}}, {[]float64{2}, []float64{1, 0}}, {[]float64{-5, 2}, []float64{0, 1}}, {[]float64{math.NaN(), 2}, []float64{0, 1}}, {[]float64{0, -1}, nil}, {nil, nil},
	} {
		if d := cmp.Diff(c.want, sharesOf(c.values, 2)); d != "" {
			t.Errorf("%v: %s", c.values, d)
		}
	}
}

// The parts of a histogram are named where there are several.
func TestNamesOfParts(t *testing.T) {
	t.Parallel()
	parts := []Part{{Name: "wins"}, {Name: "losses"}}
	for n := 1; n <= 2; n++ {
		got, err := SVG(&Histogram{Parts: parts[:n], Bins: []Bin{{0, 1, []float64{3, 4}[:n]}}}, "")
		if err != nil || strings.Contains(string(got), "wins") != (n == 2) {
			t.Errorf("%d parts, %v: %s", n, err, got)
		}
	}
	for _, c := range []struct {
		axis Axis
		wide bool // begins before the data do, or ends behind them
	}{{Axis{}, false}, {Axis{Max: 90}, true}, {Axis{Min: -90}, true}} { // its own range, where one end is 0, too
		c.axis.Unit = Integer
		got, err := SVG(&Histogram{X: c.axis, Bins: []Bin{{1, 5, []float64{3}}}}, "")
		if text := strings.ReplaceAll(string(got), "−", "-"); err != nil || strings.Contains(text, "40<") != c.wide {
			t.Errorf("%+v, %v: %s", c.axis, err, text)
		}
	}
}
