package chart

import (
	"bytes"
	"errors"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// On a phone every chart that has a width of its own is as wide as Half, boards keep the size of their cells, panels stand below each
// other, and the chart that was handed over stays as it was.
func TestSlim(t *testing.T) {
	t.Parallel()
	wide := Dim{Width: Full}
	for name, c := range map[string]Chart{
		"lines": &Lines{Dim: wide}, "forest": &Forest{Dim: wide}, "dumbbell": &Dumbbell{Dim: wide}, "stack": &Stack{Dim: wide}, "histogram": &Histogram{Dim: wide},
		"boxes": &Boxes{Dim: wide}, "scatter": &Scatter{Dim: wide}, "arc": &Arc{Dim: wide}, "grid": &Grid{Dim: wide},
	} {
		got, _ := Slim(c).Size()
		if was, _ := c.Size(); got != Half || was != Full {
			t.Errorf("%s: %v wide, and the original %v", name, got, was)
		}
	}
	board := Board(3, make([]Cell, 9), Scale{})
	narrow, _ := Slim(board).Size()
	if w, _ := board.Size(); narrow != w-70 { // the room of the bar, but for a margin
		t.Errorf("a board is %v wide, and %v with its bar", narrow, w)
	}
	small := &Lines{Dim: Dim{Width: 100}}
	p := &Panels{Charts: []Chart{&Lines{Dim: wide}, small, &Calibration{}}}
	s, ok := Slim(p).(*Panels)
	if !ok || s.Columns != 1 || len(s.Charts) != 3 || s.Charts[1] != Chart(small) || s.Charts[2] != p.Charts[2] || p.Columns != 0 {
		t.Fatalf("panels: %+v", s)
	}
	if w, _ := s.Size(); w != Half {
		t.Errorf("panels are %v wide", w)
	}
}

// A figure of one value is a sentence. One number alone is none, and what varies by the least is a figure.
func TestConstant(t *testing.T) {
	t.Parallel()
	lines := func(ps ...Point) Chart { return &Lines{Y: Axis{Unit: Percent}, Lines: []Line{{Points: ps}}} }
	bins := func(unit Unit, bs ...Bin) Chart { return &Histogram{X: Axis{Unit: unit}, Bins: bs} }
	stack := func(bars ...Bar) Chart { return &Stack{Parts: Outcome(), Bars: bars} }
	for _, c := range []struct {
		name, want string
		chart      Chart
	}{
		{"lines", "50.0 % throughout", lines(Point{Y: 0.5}, Point{Y: 0.5}, Point{Y: nan})},
		{"with intervals", "50.0 % throughout (intervals from 40.0 % to 60.0 %)", lines(Point{Y: 0.5, Lo: 0.45, Hi: 0.6}, Point{Y: 0.5, Lo: 0.4, Hi: 0.5})},
		{"one point", "", lines(Point{Y: 0.5})},
		{"two values", "", lines(Point{Y: 0.5}, Point{Y: 0.51})},
		{"boxes", "7 throughout", &Boxes{X: Axis{Unit: Integer}, Rows: []Quantiles{{P5: 7, P95: 7}}}},
		{"boxes that differ", "", &Boxes{Rows: []Quantiles{{P5: 7, P95: 8}}}},
		{"one bin", "3 throughout", bins(Integer, Bin{2.5, 3.5, []float64{4}}, Bin{3.5, 4.5, []float64{0}})},
		{"two bins", "", bins(Integer, Bin{2.5, 3.5, []float64{4}}, Bin{3.5, 4.5, []float64{1}})},
		{"a bin of many values", "", bins(Integer, Bin{2.5, 4.5, []float64{4}})},
		{"no bins", "", bins(Integer)},
		{"grid", "2.00 throughout", &Grid{Cells: [][]Cell{{{Value: 2}}, {{Value: 2}, {Value: nan}}}}},
		{"stack", "draw throughout (7 games)", stack(Bar{Values: []float64{0, 3}}, Bar{Values: []float64{0, 4}})},
		{"stack of shares", "first wins throughout", stack(Bar{Values: []float64{0.5}}, Bar{Values: []float64{0.7}})},
		{"stack of one game", "first wins throughout", stack(Bar{Values: []float64{1}})},
		{"stack of two parts", "", stack(Bar{Values: []float64{1, 1}})},
		{"stack of two bars", "", stack(Bar{Values: []float64{1}}, Bar{Values: []float64{0, 1}})},
		{"stack of nothing", "", stack(Bar{Values: []float64{0, 0}})},
		{"stack beyond its parts", "", &Stack{Bars: []Bar{{Values: []float64{1}}}}},
		{"arc", "", &Arc{Values: []float64{1, 1}}},
	} {
		if words, ok := Constant(c.chart); words != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", c.name, words, ok, c.want)
		}
	}
}

// Three significant digits, of percents one after the point, of whole numbers none.
func TestAuto(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    float64
		u    Unit
		want string
	}{
		{0, Number, "0"},
		{0.123, Number, "0.12"},
		{9.99, Number, "9.99"},
		{9.996, Number, "10.0"},
		{99.94, Number, "99.9"},
		{-99.96, Number, "−100"},
		{123.4, Number, "123"},
		{0.5, Percent, "50.0 %"},
		{0.9994, Percent, "99.9 %"},
		{1, Percent, "100 %"},
		{7.4, Integer, "7"},
		{9.94, Signed, "+9.9"},
		{9.96, Signed, "+10"},
		{0.99, Signed, "+0.99"},
		{0.996, Signed, "+1.0"},
		{3, Log2, "8"},
		{14, Log2, "16k"},
		{13, Log2, "8192"},
		{30, Log2, "1G"},
		{29, Log2, "512M"},
		{3.5, Log2, "11"},
		{-1, Log2, "1/2"},
	} {
		if got := auto(c.v, c.u); got != c.want {
			t.Errorf("%v as %v: %q, want %q", c.v, c.u, got, c.want)
		}
	}
}

// A picture stands where it was put, from the lower left in points to the upper left of a page, and one without pixels is left out.
func TestPicturesInSVG(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		img  image.Image
		want string
	}{
		{image.NewGray(image.Rect(0, 0, 1, 1)), `<image x="10" y="40" width="20" height="50" preserveAspectRatio="none" href="data:image/png;base64,`},
		{image.NewGray(image.Rect(0, 0, 0, 0)), ""},
	} {
		canvas := newSVG(200, 100)
		canvas.DrawImage(vg.Rectangle{Min: vg.Point{X: 10, Y: 10}, Max: vg.Point{X: 30, Y: 60}}, c.img)
		if got := canvas.body.String(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestSave(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, want := range map[string]string{"a.svg": "<svg", "b.PNG": "\x89PNG", "c.pdf": "%PDF"} {
		path := filepath.Join(dir, name)
		if err := Save(path, gallery()["clipped"], "alt"); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(b, []byte(want)) {
			t.Errorf("%s: %.8q, %v", name, b, err)
		}
	}
	if err := Save(filepath.Join(dir, "d.gif"), gallery()["clipped"], ""); err == nil || !strings.Contains(err.Error(), "svg") {
		t.Errorf("gif: %v", err)
	}
	if err := Save(filepath.Join(dir, "e.svg"), &Lines{}, ""); !errors.Is(err, ErrNoData) {
		t.Errorf("no data: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "e.svg")); err == nil {
		t.Error("a file without data was written")
	}
}

// What a scale takes from the data: amounts begin at zero unless they are far from it, and a diverging scale is as wide to both sides.
func TestScaleOfTheData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scale  Scale
		values []float64
		lo, hi float64
	}{
		{Scale{}, []float64{10, 100}, 0, 100},
		{Scale{}, []float64{50, 100}, 50, 100},
		{Scale{}, []float64{60, 100}, 60, 100},
		{Scale{}, []float64{-5, 100}, -5, 100},
		{Scale{Diverging: true, Mid: 1}, []float64{0.5, 3}, -1, 3},
		{Scale{Diverging: true, Mid: 1}, []float64{-2, 1.5}, -2, 4},
		{Scale{}, []float64{7, 7}, 6.5, 7.5},
		{Scale{Lo: 2, Hi: 4}, []float64{0, 9}, 2, 4},
	} {
		g := &Grid{Scale: c.scale, Cells: [][]Cell{{{Value: nan}}}}
		for _, v := range c.values {
			g.Cells[0] = append(g.Cells[0], Cell{Value: v})
		}
		if k, some := g.scaled(); !some || math.Abs(k.Lo-c.lo) > 1e-12 || math.Abs(k.Hi-c.hi) > 1e-12 {
			t.Errorf("%v of %v: %v to %v, want %v to %v", c.scale, c.values, k.Lo, k.Hi, c.lo, c.hi)
		}
	}
}
