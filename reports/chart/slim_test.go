package chart

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		{
			"with intervals", "50.0 % throughout (intervals from 40.0 % to 60.0 %)",
			lines(Point{Y: 0.5, Lo: 0.45, Hi: 0.6}, Point{Y: 0.5, Lo: 0.4, Hi: 0.5}),
		},
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
	if err := Save(filepath.Join(dir, "d.gif"), gallery()["clipped"], ""); err == nil ||
		!strings.Contains(err.Error(), "svg") {
		t.Errorf("gif: %v", err)
	}
	if err := Save(filepath.Join(dir, "e.svg"), &Lines{}, ""); !errors.Is(err, ErrNoData) {
		t.Errorf("no data: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "e.svg")); err == nil {
		t.Error("a file without data was written")
	}
}
